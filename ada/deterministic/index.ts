import type { TurnOutput } from '../../contracts/turn.js';
import { SKILLS, type Skill } from '../../contracts/states.js';
import { ModelFailure, type Model } from '../ports/model.js';
import { onlyAffirms } from '../affirmation.js';
import { blockedAnswer, connectionName } from '../blocked.js';
import type { TurnView } from '../turn-view.js';
import { rowsMeant } from '../understand/amounts.js';
import { asksToMove } from '../understand/compare.js';
import { controlIn } from '../understand/controls.js';
import { heartOf } from '../understand/heart.js';
import { asksToShow, isRefinement, read } from '../understand/index.js';
import { withoutFile } from '../understand/limits.js';
import { same } from '../understand/text.js';
import { clausesOf, wishOf, type Wish, type WishKind } from '../understand/wishes.js';
import { limit, nextMessage, reply, turnOf, type Turn } from './answer.js';
import { sayBeyond, withUnresolved } from './beyond.js';
import { follow, type Outcome, type Steps } from './follow.js';
import { actionOf, campana } from './recipes/campana.js';
import { armarSecuencia } from './recipes/armar-secuencia.js';
import { buscarEmpresasYProveedores } from './recipes/buscar-empresas-y-proveedores.js';
import { comoVaMiPipeline } from './recipes/como-va-mi-pipeline.js';
import { conseguirContactos } from './recipes/conseguir-contactos.js';
import { cuantosHay } from './recipes/cuantos-hay.js';
import { guardarEnCrm } from './recipes/guardar-en-crm.js';
import { queSabeElEquipo } from './recipes/que-sabe-el-equipo.js';
import { quienLeHaVendido } from './recipes/quien-le-ha-vendido.js';
import { senalesYOportunidades } from './recipes/senales-y-oportunidades.js';
import { trabajarUnaCuenta } from './recipes/trabajar-una-cuenta.js';
import { listThatGoesOn, nextPage } from './next-page.js';
import { cruzar } from './recipes/cruzar.js';
import { repaired } from './repair.js';
import { isChain, severalIn, severalWishes, SKILL_OF } from './several.js';
import { smallTalk } from './small-talk.js';

const RECIPES: Readonly<Record<Skill, (turn: Turn) => Steps<TurnOutput>>> = {
  campana,
  'cuantos-hay': cuantosHay,
  'buscar-empresas-y-proveedores': buscarEmpresasYProveedores,
  'quien-le-ha-vendido': quienLeHaVendido,
  'senales-y-oportunidades': senalesYOportunidades,
  'como-va-mi-pipeline': comoVaMiPipeline,
  'trabajar-una-cuenta': trabajarUnaCuenta,
  'conseguir-contactos': conseguirContactos,
  'armar-secuencia': armarSecuencia,
  'que-sabe-el-equipo': queSabeElEquipo,
  'guardar-en-crm': guardarEnCrm,
};
const known = (name: string | null | undefined): Skill | null => SKILLS.find((one) => one === name) ?? null;
/** Which recipe asks for a fact, where its answer comes and nothing else tells what it belongs to. */
const ASKS: Record<string, Skill> = {
  giro: 'buscar-empresas-y-proveedores',
  comprador: 'quien-le-ha-vendido',
  producto: 'quien-le-ha-vendido',
  cargo: 'conseguir-contactos',
  cuenta: 'trabajar-una-cuenta',
  cantidad: 'campana',
  tema: 'que-sabe-el-equipo',
  seleccion: 'campana',
  contactos: 'armar-secuencia',
};

/** Of politics, and none of ours. */
const OTHER_CAMPAIGN = /\b(?:campana|campaign) (?:electoral|politica|presidencial)\b/;
/** The recipe to follow: the router's word, else what the message leans on, else none. `told`: it is the point of a story, and says what it wants. */
export const recipeFor = (view: TurnView, turn: Turn, told = false): Skill | null => {
  const { flat } = turn.reading;
  if (OTHER_CAMPAIGN.test(flat) && [null, 'campana'].includes(wishOf(flat))) return null;
  // What this turn opened itself says nothing of what was asked: every step finds the same recipe.
  const ownOpened = new Set(
    view.worked.flatMap((call) => (call.name === 'skill_open' && typeof call.args['name'] === 'string' ? [call.args['name']] : [])),
  );
  const open = view.open.flatMap((skill) => known(skill.name) ?? []).filter((name) => !ownOpened.has(name));
  const routed = view.routed.candidates.flatMap((name) => known(name) ?? []);
  const last = known([...view.board.runs].reverse().find((run) => run.skill !== null)?.skill);
  const shows =
    asksToShow(flat) &&
    view.board.runs.some((run) => /^(?:market_count|market_compare|market_search_suppliers|company_search)/.test(run.tool));
  // An order to the campaign that is open, whatever a router makes of its words.
  if (view.runs.length > 0 && controlIn(flat) !== null && !onlyAffirms(view.message)) return 'campana';
  const sure = unmistakable(turn);
  if (sure !== null && (sure.even || view.routed.decision !== 'inject')) return sure.name;
  // What is to be left out says nothing of what is asked.
  const wanted = turn.reading.unresolved.length > 0 ? wishOf(turn.reading.asked) : null;
  if (
    (wanted === 'listar' || wanted === 'contar') &&
    (view.routed.decision !== 'inject' || (routed[0] === 'quien-le-ha-vendido' && turn.reading.comprador === null))
  )
    return SKILL_OF[wanted];
  if (
    wanted === null &&
    turn.reading.unresolved.length > 0 &&
    turn.reading.giro !== null &&
    turn.reading.comprador === null &&
    routed[0] === 'quien-le-ha-vendido' &&
    /\b(?:empresas|proveedor\w*|fabricantes|companies|suppliers)\b/.test(turn.reading.asked)
  )
    return 'buscar-empresas-y-proveedores';
  if (view.routed.decision === 'inject' && routed[0]) return open.includes(routed[0]) ? routed[0] : (open[0] ?? routed[0]);
  const point = told ? wishOf(flat) : null;
  if (point !== null && (view.routed.decision !== 'suggest' || routed.includes(SKILL_OF[point]))) return SKILL_OF[point];
  // Two recipes could be meant: one that is said plainly is, else it is asked.
  const goesOn = followsUp(turn, last);
  if (goesOn !== null) return goesOn;
  if (view.routed.decision === 'clarify') {
    // The first of those that are said in so many words; neither said: it is asked.
    const wish = wishOf(flat);
    const plain = [plainly(view, turn), wish ? SKILL_OF[wish] : null].find(
      (name) => name !== null && view.routed.options.some((one) => one.name === name),
    );
    return plain ?? null;
  }
  if (shows) return 'buscar-empresas-y-proveedores';
  // Pause, go on, fewer: of the campaign that is open.
  if (
    view.runs.length > 0 &&
    view.routed.decision !== 'suggest' &&
    !['new', 'yes'].includes(actionOf(turn)) &&
    flat.split(/\s+/).length <= 8 &&
    !BALANCE.test(flat) &&
    asksAnew(turn) === null
  )
    return 'campana';
  if (view.board.plan !== null && view.routed.decision === 'none' && actionOf(turn) === 'status' && flat.split(/\s+/).length <= 8)
    return 'campana';
  // A yes to nothing that waits: where the campaign stands.
  if (
    view.board.plan !== null &&
    view.runs.length > 0 &&
    view.board.pending.length === 0 &&
    actionOf(turn) === 'yes' &&
    !TALK.test(flat.trim())
  )
    return 'campana';
  // A question of its own is no answer to the one before it.
  const anew = asksAnew(turn);
  if (view.asked !== null && anew !== null && view.routed.decision !== 'none' && !open.includes(anew))
    return view.routed.decision === 'suggest' && routed[0] && routed[0] !== 'campana' ? routed[0] : anew;
  // What was opened by name or carried over from a question.
  if (open.length > 0 && (view.asked !== null || view.routed.decision === 'none') && !TALK.test(flat.trim())) return open.at(-1) ?? null;
  if (view.asked !== null && flat.split(/\s+/).length <= 6 && !TALK.test(flat.trim())) return last ?? ASKS[view.asked] ?? null;
  if (isRefinement(turn.reading) && last !== null) return last === 'guardar-en-crm' ? 'buscar-empresas-y-proveedores' : last;
  // An open campaign draws what is near it; another question of the market is no word to it.
  const other = wishOf(flat);
  if (view.routed.decision === 'suggest' && routed[0])
    return routed[0] !== 'campana'
      ? routed[0]
      : (anew ??
          (view.runs.length > 0 && other !== null && other !== 'campana' && actionOf(turn) === 'new' && !/\bcampan|\bcampaign/.test(flat)
            ? SKILL_OF[other]
            : routed[0]));
  if (open.length > 0 && !TALK.test(flat.trim())) return open.at(-1) ?? null;
  return view.routed.decision === 'none' ? plainly(view, turn) : null;
};
/** Recipes whose last question may be asked again with one thing changed. */
const AGAIN: ReadonlySet<Skill> = new Set([
  'cuantos-hay',
  'buscar-empresas-y-proveedores',
  'quien-le-ha-vendido',
  'senales-y-oportunidades',
]);
/** Points at the rows of the answer before, or goes on from it. */
const LEANS = /^\W*(?:y|and|ahora|pero|now)\s|\b(?:es[ao]s|est[ao]s|l[oa]s mism[oa]s|de es[ao]s|cual(?:es)?|those|of them|which one)\b/;
/** The recipe of the question before, where this message only changes or goes on with it ("¿y en Jalisco?", "y en montos quién va arriba"); else null. */
const followsUp = ({ reading, view }: Turn, last: Skill | null): Skill | null => {
  const { flat } = reading;
  if (last === null || !AGAIN.has(last) || TALK.test(flat.trim())) return null;
  const wish = wishOf(flat);
  const own = wish === null ? null : SKILL_OF[wish];
  if (isRefinement(reading) && (own === null || own === last) && view.routed.decision !== 'none') return last;
  const words = flat.split(/\s+/).length;
  return LEANS.test(flat) &&
    words <= 9 &&
    (own === last || (own === null && view.routed.candidates.length === 0 && /^\W*(?:y|and|ahora|now)\s/.test(flat)))
    ? last
    : null;
};
/** Another question of the market, whatever campaign is open: a list or a count, with its place, its trade or its buyer. */
const ANEW: ReadonlySet<WishKind> = new Set(['listar', 'contar', 'comparar', 'vendido', 'abiertas']);
const asksAnew = ({ reading }: Turn): Skill | null => {
  const wish = wishOf(reading.flat);
  return wish !== null && ANEW.has(wish) && (reading.giro !== null || reading.estado !== null || reading.comprador !== null)
    ? SKILL_OF[wish]
    : null;
};
const DOES =
  '(?:pide|quiere|prefiere|acostumbra|maneja|recomienda|sugiere|dicta|marca|usa|escribe|contesta|responde|hace|tiene (?:escrito|documentado|dicho)|dice|want|wants|prefers?|recommends?|says?)';
const TEAM = new RegExp(
  `^\\W*(?:a )?quien(?:es)? (?:atiende|le toca|lleva la (?:zona|plaza)|cubre)n?\\b|\\b(?:como|que|cual|cuando|cada cuanto|how|what)\\b.*\\b(?:${DOES}\\s+(?:el|nuestro|the|our) (?:equipo|playbook|team)|(?:el|nuestro|the|our) (?:equipo|playbook|team)\\b.*\\b${DOES})\\b|\\b(?:que|cual(?:es)?|como es|what)\\b.*\\b(?:tono|estilo|reglas?|lineamientos?|criterios?|tone|style|rules?)\\b.*\\b(?:correos?|mails?|escrib\\w+|mensajes?|emails?|writ\\w+)\\b`,
);
const SAVED =
  /\b(?:dame|muestra\w*|ensena\w*|ver|lista\w*|cuales son|cuant[oa]s son|pasame|que (?:tengo|tenemos|hay|llevo)|show|list|what(?:'s| is| do i have))\b.*\b(?:guardad[oa]s?|saved)\b(?! (?:de |la )?(?:contrasena|password))|\bquien\w*\b.*\b(?:equipo|vendedor\w*)\b.*\b(?:trae|lleva|tiene|vende|va)\b.*\b(?:mas|menos|mejor|peor)\b/;
/** What can mean nothing else, whatever a router makes of its other words. */
const unmistakable = ({ reading, view }: Turn): { name: Skill; even: boolean } | null => {
  const sure = (name: Skill, even = false): { name: Skill; even: boolean } => ({ name, even });
  const { flat } = reading;
  // Two trades or places side by side, or where to go next: a comparison of how many there are.
  if (
    asksToMove(flat) ||
    (/\b(?:compar\w*|contra|versus|vs|frente a|against)\b/.test(flat) &&
      reading.comprador === null &&
      (reading.giros.length > 1 || (reading.estados.length > 1 && reading.giro !== null)))
  )
    return sure('cuantos-hay', true);
  // Companies of a trade in places, and no more words than that: a list.
  if (
    BARE_LIST.test(flat) &&
    reading.giro !== null &&
    reading.comprador === null &&
    (reading.estados.length > 0 || reading.everywhere) &&
    wishOf(flat) === 'listar' &&
    flat.split(/\s+/).length <= 16
  )
    return sure('buscar-empresas-y-proveedores');
  if (/\b(?:sancionad[oa]s?|inhabilitad[oa]s?|lista negra|sanctioned|blacklist\w*|debarred)\b/.test(flat))
    return sure('buscar-empresas-y-proveedores');
  // What those in sight have won.
  if (
    WON.test(flat) &&
    reading.comprador === null &&
    reading.giro === null &&
    view.board.list.length + view.board.selection.length > 0 &&
    (reading.selected || rowsMeant(flat, Math.max(view.board.selection.length, view.board.list.length)) !== null)
  )
    return sure('quien-le-ha-vendido');
  // A list of tax ids is checked.
  if (new Set(reading.rfcs).size > 1) return sure('buscar-empresas-y-proveedores');
  if (
    /^\W*(?:por favor |porfa )?(?:deshaz\w*|deshacer|revierte\w*|undo|(?:quita|borra|cancela|regresa|remove) lo que guard\w*)\b/.test(
      flat,
    ) &&
    !/\bcampan/.test(flat)
  )
    return sure('guardar-en-crm');
  // What is saved is read; nothing is saved by asking to see it.
  if (SAVED.test(flat)) return sure('como-va-mi-pipeline', true);
  // How the team wants something done is what it wrote down, whatever it is about.
  if (TEAM.test(flat)) return sure('que-sabe-el-equipo');
  if (/\b(?:need|want|build|make|create|write|prepare)\b.*\b(?:sequence|cadence)\b/.test(flat)) return sure('armar-secuencia');
  // A message, and no campaign.
  if ((NO_CAMPAIGN.test(flat) && WRITES.test(flat)) || SHORT_TEXT.test(flat)) return sure('armar-secuencia', true);
  // An order to get people, whatever was asked before it.
  if (
    view.board.pending.length === 0 &&
    /^\W*(?:please |por favor )?(?:consigue(?:me|nos)?|get (?:me|us)|find me)\b.*\b(?:contactos?|contacts?|decision makers?|decisores)\b/.test(
      flat,
    ) &&
    !WRITES.test(flat)
  )
    return sure('conseguir-contactos', view.asked !== null);
  // What is known of the one that was chosen.
  if (reading.selected && TELLS.test(flat) && !WON.test(flat) && view.board.selection.length > 0) return sure('trabajar-una-cuenta');
  // Where an account stands, by its name.
  if (STANDS.test(flat) && nameOf(reading) !== null) return sure('trabajar-una-cuenta', true);
  // The whole register, with nothing to narrow it by.
  if (
    reading.giro === null &&
    reading.comprador === null &&
    reading.rfcs.length === 0 &&
    view.board.runs.length === 0 &&
    /\b(?:lista|listado|todos|todas|all)\b.*\b(?:proveedores|empresas|suppliers|companies)\b/.test(flat) &&
    !/\b(?:mi|mis|crm|pipeline|my|campan\w*|contactos?|correos?)\b/.test(flat)
  )
    return sure('buscar-empresas-y-proveedores');
  return null;
};

const WON = /\b(?:gan(?:o|aron|ado|ada|aste)|adjudic\w+|contratos?|vendid[oa]|vendieron|won|awards?|awarded|contracts?)\b/;
const BARE_LIST =
  /^\W*(?:las |los |unas |unos |the )?(?:empresas|companias|negocios|proveedor[ea]s|fabric\w+|distribuidor[ea]s|talleres|constructoras|transportistas|companies|suppliers|manufacturers)\b/;
const NO_CAMPAIGN =
  /\b(?:no|sin|nada de|not)\s+(?:quiero\s+|ocupo\s+|necesito\s+|hagas\s+|es\s+|lances\s+|armes\s+|a\s+|the\s+)*(?:una?\s+|la\s+|toda\s+la\s+)*(?:campana|campaign)\b/;
const WRITES = /\b(?:correos?|mails?|emails?|mensajes?|borradores?|texto|textos|secuencia|cadencia|message|draft)\b/;
const SHORT_TEXT =
  /\b(?:un|el|unos|a)\s+(?:mailing|correo|mail|mensaje|email|texto)s?\s+(?:bien |muy |mas )?(?:cort(?:o|ito)s?|breves?|cortit[oa]s|sencill[oa]s?|short)\b|\bshort (?:email|mail|message|note)\b/;
const TELLS =
  /\b(?:cuentame|platicame|hablame|ponme al dia|que (?:sabemos|sabes|se sabe|tenemos|onda|sigue|hago|hacemos)|tell me about|what do (?:we|i) know|bring me up)\b/;
const STANDS =
  /\ben ?q(?:ue)? (?:etapa|fase|estatus|status)\b.*\b(?:esta|estan|anda|va|quedo|sigue|tengo|tenemos)\b|^\W*(?:el |cual es el )?(?:siguiente|proximo) paso\b|^\W*(?:el |las? |dame (?:el |las? )?|pasame (?:el |las? )?)?(?:expediente|antecedentes|notas(?: y antecedentes)?|historial|ficha)\s+(?:de|con|del)\s+(?!compras|contratos|adjudicac|licitac|ventas|pedidos|fallos)|\bwhat stage\b/;
/** The name with a capital that a message says of an account, or of a body that reads like a buyer. */
const nameOf = ({ cuenta, comprador }: Turn['reading']): string | null =>
  [cuenta, comprador].find((one) => one !== null && /\p{Lu}/u.test(one)) ?? null;

/** Said so plainly that nobody has to be sure: where the router would rather leave the choice to a model, there is none here. */
const PLAINLY: ReadonlyArray<readonly [RegExp, Skill]> = [
  [
    /\b(?:lanza|arma|haz|hazme|empieza|inicia|quiero|necesito|start|run|launch)\w*\b.*\b(?:campana|campaign)\b(?! (?:de|del|para) (?:vacun|elec|publici|polit))|\bllegar a \d+|\bprospecta\w*\b|\bde principio a fin\b/,
    'campana',
  ],
  [
    /\b(?:guardal[oa]s?|guardame|guarda (?:l[oa]s|est[ao]s|todo|la lista)|(?:pasa|mete|agrega|sube|pon|suma)l[oa]s al?|save (?:them|these|the list))\b/,
    'guardar-en-crm',
  ],
  [/\b(?:que dice (?:el|nuestro) (?:playbook|equipo)|nuestro (?:playbook|pitch|discurso|cliente ideal))\b/, 'que-sabe-el-equipo'],
  [
    /\b(?:arma|haz|prepara)\w*\b.*\b(?:secuencia|borradores|cadencia)\b|^\W*(?:otra |una )?(?:secuencia|cadencia) (?:para|de (?:\d+|seguimiento|correos|mensajes|toques|mails))\b|\bredacta\w*\b.*\b(?:correo|mail)\b|\bmandal\w+ un correo\b|\bmand\w+ (?:ya )?(?:los |esos |mis |las |the )?(?:correos|mails|emails|borradores|mensajes)\b|\b(?:respond|contest|escrib)[ae]?(?:le|les|er|irle|irles)\b.{0,6} a \w|\b(?:echa|aviental?)\w* (?:los )?(?:textos|correos|mensajes)\b|\bun (?:seguimiento|mensaje|mailing|mail|correo)\b.{0,24}\b(?:a|pa|para|for)\b|\b(?:linkedin|whatsapp) message (?:for|to)\b/,
    'armar-secuencia',
  ],
  [
    /\brevela(?:me|nos|r|l[oa]s)?\b.*\b(?:primer\w*|contactos?|correos?|l[oa]s|\d+)\b|\b(?:cuest\w+|costar\w+|saldr\w+|cuanto (?:me |nos )?sale|precio|cost)\b.*\b(?:revelar|contactos?|correos?|contacts?)\b|\bcontactos (?:ya )?(?:tengo|tenemos)\b|\bcontactos de\b|\bquien (?:decide|ve|lleva) |\bwho (?:decides|handles) /,
    'conseguir-contactos',
  ],
  [/\blicitacion(?:es)? (?:abiertas?|vigentes?|de|hay|tiene)\b|\bque licitaciones\b|\bopen tenders?\b/, 'senales-y-oportunidades'],
  [
    /\b(?:ultim|recient)\w* (?:registros?|movimientos?|altas?|cuentas?)\b.*\b(?:al|en el|del|mi) (?:crm|pipeline|embudo)\b|\b(?:como (?:va|anda|esta|viene)|analiza|analisis|resum\w+|dame|how(?:'s| is)|show)\b.*\b(?:(?:mi|el|my) (?:pipeline|embudo|crm|funnel))\b|\b(?:que hago (?:hoy|ahora|primero|esta semana)|what should i do (?:today|first|now)|en que me enfoco|por donde empiezo la semana|a quien le doy seguimiento)\b/,
    'como-va-mi-pipeline',
  ],
  [
    /\b(?:que (?:se|sabemos|tenemos)(?: \w+)? de|historial de|proximo paso con|siguiente paso con|que sigue con|ficha de|next step with)\b/,
    'trabajar-una-cuenta',
  ],
  [
    /^\W*(?:y |and )?(?:cuant[oa]s (?:son|hay)|how many(?: are there| are they)?)\W*$|\b(?:cuant[oa]s|how many)\b.*\b(?:proveedores|empresas|fabricas|fabricantes|suppliers|companies)\b|\bcuant[oa]s (?!contactos|personas|campanas|correos|cuentas|clientes|prospectos|oportunidades|licitaciones|mensajes|borradores|temas|notas|creditos|consultas|horas|dias|anos|gente|lugares|usuarios|habitantes)[a-z]{5,}(?: (?:de )?[a-z]{4,}){0,2} (?:hay|ay|existen|operan)\b/,
    'cuantos-hay',
  ],
  [
    /\bquien\w* (?:me |nos |mas )?compit\w+|\b(?:mis?|nuestr[oa]s?|los) (?:competidor\w*|competencia)\b|\bwho (?:else )?competes\b|\bmy competitors\b/,
    'buscar-empresas-y-proveedores',
  ],
  [
    /\b(?:busca\w*|dame|lista|encuentra\w*|muestra\w*|find|list)\b.*\b(?:empresas|proveedores|fabricas|fabricantes|companies|suppliers)\b/,
    'buscar-empresas-y-proveedores',
  ],
];
/** Of the account itself, not of the work. */
const OWN_PLAN = /\bmi (?:plan|suscripcion|cuenta de usuario)\b|\b(?:notificaciones|alertas|ajustes|my plan)\b/;
const PUTS_A_CARD: ReadonlySet<Skill> = new Set(['guardar-en-crm', 'conseguir-contactos', 'armar-secuencia']);
const plainly = (view: TurnView, { reading }: Turn): Skill | null => {
  const { flat } = reading;
  if (/^\W*(?:no|nunca|sin|don't|do not)\b/.test(flat) || TALK.test(flat.trim()) || OWN_PLAN.test(flat) || flat.split(/\s+/).length > 16)
    return null;
  // Who sold, with a public buyer by its name.
  const sold =
    reading.comprador !== null &&
    /\b(?:quien\w*|who)\b.*\b(?:vend\w+|surt\w+|compra\w*|gano|ganado|ganaron|sold|sells|supplies|won)\b|\badjudica\w+/.test(flat);
  const wins =
    reading.producto !== null &&
    /\b(?:quien\w*|who)\b.*\b(?:gano|ganaron|(?:ha|han) ganado|se (?:llevo|llevaron|ha llevado)|won)\b.*\b(?:contratos?|licitacion\w*|adjudicaci\w+|concursos?|fallos?|contracts?|awards?|tenders?)\b/.test(
      flat,
    );
  const spent =
    reading.producto !== null &&
    /\bcuanto (?:se |le |les |han? |nos )*(?:gast|adjudic|compr|vend|factur|pag)\w*|\bhow much (?:was|did|has|is)\b.*\b(?:spen[dt]|award|paid|bought|sold)\w*/.test(
      flat,
    );
  const sellers = reading.comprador !== null && reading.producto !== null && /\bproveedor\w*\b/.test(flat);
  // Those who do something in a place: a list.
  const lists =
    reading.estado !== null &&
    reading.subject !== null &&
    (wishOf(flat) === 'listar' || /\bque (?:empresas|negocios|fabricas|proveedores) (?!me\b|te\b|nos\b)\w+n\b|\bfind me \w+/.test(flat));
  const found =
    sold || wins || spent || sellers
      ? 'quien-le-ha-vendido'
      : (PLAINLY.find(([pattern]) => pattern.test(flat))?.[1] ?? (lists ? 'buscar-empresas-y-proveedores' : null));
  return found !== null && view.board.pending.length > 0 && PUTS_A_CARD.has(found) ? null : found;
};
const TALK = /^\W*(?:(?:hola+|holi|buen(?:os|as)?|hey|hi|hello|gracias|thanks|adios|bye)\b|ok\W*$|si\W*$|no\W*$)/;
const BALANCE = /\b(?:saldo|creditos|consultas)\b/;

/** Recipes whose lists and counts a person may want narrowed by what no source can tell. */
const NARROWED: ReadonlySet<Skill> = new Set([
  'cuantos-hay',
  'buscar-empresas-y-proveedores',
  'quien-le-ha-vendido',
  'senales-y-oportunidades',
  'campana',
]);
const followed = function* (name: Skill, turn: Turn): Steps<TurnOutput> {
  const output = yield* RECIPES[name](turn);
  return NARROWED.has(name) ? withUnresolved(turn, output) : output;
};
const recipeOfWish = (kind: WishKind, turn: Turn): Steps<TurnOutput> => (kind === 'cruzar' ? cruzar(turn) : followed(SKILL_OF[kind], turn));

/** Why a recipe did not open, where that is for the person to hear: a connection is missing, or their account has it switched off. */
const hidden = (turn: Turn, outcome: Outcome | undefined): TurnOutput | null => {
  const { say } = turn;
  switch (outcome?.code) {
    case 'skill_needs_integration': {
      const { missing } = outcome.params;
      return blockedAnswer({ what: connectionName(typeof missing === 'string' ? missing : '', turn.language) }, turn.language);
    }
    case 'skill_denied':
    case 'skill_needs_capability':
      return limit('operacion', say('limits.denied_way_out'), {
        narration: [say('limits.denied'), say('limits.denied_way_out')],
        siguiente: nextMessage(say('talk.example_label'), say('talk.example')),
      });
    default:
      return null;
  }
};

/** Accounts whose people are looked for inside a turn. */
const IN_A_TURN = 3;
const several = function* (turn: Turn, wishes: readonly Wish[]): Steps<TurnOutput> {
  if (isChain(wishes, turn.reading, IN_A_TURN)) {
    yield [{ name: 'skill_open', args: { name: 'campana' } }];
    return yield* followed('campana', turn);
  }
  if (wishes.some((wish) => wish.kind === 'cruzar')) return withUnresolved(turn, yield* cruzar(turn));
  return yield* severalWishes(turn, wishes, recipeOfWish);
};

const one = function* (turn: Turn, name: Skill | null): Steps<TurnOutput> {
  const { view } = turn;
  if (name === null) return yield* smallTalk(turn);
  if (!view.open.some((skill) => skill.name === name)) {
    const [outcome] = yield [{ name: 'skill_open', args: { name } }];
    // There is no room for a third, or it is not theirs: what can be said without it.
    if (!outcome?.ok && !['ya_abierta', 'sin_paso'].includes(outcome?.code ?? '')) {
      const why = hidden(turn, outcome);
      if (why) return why;
      // What was asked before keeps its recipe open for the answer; this is none, and after this turn it is closed.
      if (outcome?.code === 'no_cabe' && view.asked !== null)
        return reply({
          narration: [turn.say('several.once_more')],
          siguiente: nextMessage(turn.say('several.once_more_label'), view.message),
        });
      const other = view.open.flatMap((skill) => known(skill.name) ?? []).at(-1);
      return other ? yield* followed(other, turn) : yield* smallTalk(turn);
    }
  }
  return yield* followed(name, turn);
};

/** The recipe's name was the answer to "which of two": the message before it is what was meant. */
const answered = (view: TurnView, turn: Turn): { turn: Turn; name: Skill | null } => {
  const label = SKILLS.find((name) => turn.reading.flat.replace(/[^a-z ]+/g, '').trim() === name.replaceAll('-', ' '));
  const before = view.past.at(-1)?.message;
  return label && view.asked !== null && before
    ? { turn: turnOf({ ...view, message: before }, turn.now), name: label }
    : { turn, name: label ?? null };
};

const steps = function* (view: TurnView, said: Turn): Steps<TurnOutput> {
  if (view.blocked?.whole) return blockedAnswer(view.blocked, view.language);
  const { turn: whole, name: chosen } = answered(view, said);
  if (chosen) return yield* one(whole, chosen);
  // Of a story, the part that comes to the point; what that leaves out the facts of the turn know.
  const heart = heartOf(view.message);
  const turn = heart === null ? whole : turnOf({ ...view, message: heart }, whole.now);
  const { beyond } = turn.reading;
  if (beyond !== null) {
    const rest = beyond === 'fuera' ? null : besides(turn);
    if (rest === null) return yield* sayBeyond(turn, beyond);
    const output = yield* asked(rest, null);
    if (output.intent.kind === 'encuadre') return output;
    const narration = `${output.narration} ${turn.say('limits.beside', { what: turn.say(`limits.short.${beyond}`), way_out: turn.say(`limits.way_out.${beyond}`) })}`;
    return { ...output, narration, intent: output.intent.kind === 'cierre' ? { ...output.intent, variante: 'parcial' } : output.intent };
  }
  return yield* asked(turn, () => recipeFor(view, turn, heart !== null));
};

/** What else is asked for beside what nobody does here; null where that is all. */
const besides = (turn: Turn): Turn | null => {
  // "Pásame las de empaque en Excel": the list is given here, only its file is not.
  const listed = turn.reading.beyond === 'archivo' ? withoutFile(turn.reading.given) : null;
  if (listed !== null) {
    const rest = turnOf({ ...turn.view, message: listed }, turn.now);
    const kind = rest.reading.beyond === null ? wishOf(rest.reading.flat) : null;
    if (
      kind !== null &&
      (ANEW.has(kind) || kind === 'pipeline') &&
      (rest.reading.giro !== null || rest.reading.estado !== null || rest.reading.comprador !== null || kind === 'pipeline')
    )
      return rest;
  }
  const rest = clausesOf(turn.reading.given).filter((part) => read(part).beyond === null);
  return rest.some((part) => {
    const kind = wishOf(same(part));
    return kind !== null && kind !== 'escribir';
  })
    ? turnOf({ ...turn.view, message: rest.join('. ') }, turn.now)
    : null;
};

/** @param route the recipe of a single wish; without it, the one that its words name. */
const asked = function* (turn: Turn, route: (() => Skill | null) | null): Steps<TurnOutput> {
  const wishes = severalIn(turn);
  if (wishes.length > 1) return yield* several(turn, wishes);
  const list = listThatGoesOn(turn);
  if (list) return yield* nextPage(turn, list);
  if (wishOf(same(turn.reading.given)) === 'cruzar') return withUnresolved(turn, yield* cruzar(turn));
  const wish = route ? null : wishOf(turn.reading.asked);
  return yield* one(turn, route ? route() : wish ? SKILL_OF[wish] : null);
};

export interface DeterministicOptions {
  now?: () => Date;
}

/**
 * Ada without a model behind her: follows the recipe that was chosen, step by step, through the same belt, checks and events as a model. Nothing is
 * kept between two requests and nothing leaves the process.
 */
export const deterministicModel = ({ now = () => new Date() }: DeterministicOptions = {}): Model => ({
  name: 'sin-modelo',
  kind: 'deterministic',
  cost: () => 0,
  complete: async ({ view, signal, onText }) => {
    if (signal.aborted) throw new ModelFailure('aborted');
    const turn = turnOf(view, now());
    const next = follow(steps(view, turn), view);
    const usage = { in: 0, out: 0 };
    if ('calls' in next)
      return {
        kind: 'tools',
        calls: next.calls.map(({ name, args }, i) => ({ id: `d${view.worked.length + i + 1}`, name, args })),
        usage,
        ttftMs: null,
      };
    const text = JSON.stringify(view.problems.length > 0 ? repaired(next.end, view.problems, turn) : next.end);
    onText?.(text);
    return { kind: 'answer', text, usage, ttftMs: null };
  },
});
