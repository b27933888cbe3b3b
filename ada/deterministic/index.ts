import type { TurnOutput } from '../../contracts/turn.js';
import { SKILLS, type Skill } from '../../contracts/states.js';
import { ModelFailure, type Model } from '../ports/model.js';
import { blockedAnswer, connectionName } from '../blocked.js';
import type { TurnView } from '../turn-view.js';
import { asksToShow, isRefinement } from '../understand/index.js';
import { turnOf, type Turn } from './answer.js';
import { follow, type Steps } from './follow.js';
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
import { repaired } from './repair.js';
import { asksToConnect, smallTalk } from './small-talk.js';

const RECIPES: Readonly<Record<Skill, (turn: Turn) => Steps<TurnOutput>>> = {
  campana, 'cuantos-hay': cuantosHay, 'buscar-empresas-y-proveedores': buscarEmpresasYProveedores, 'quien-le-ha-vendido': quienLeHaVendido, 'senales-y-oportunidades': senalesYOportunidades,
  'como-va-mi-pipeline': comoVaMiPipeline, 'trabajar-una-cuenta': trabajarUnaCuenta, 'conseguir-contactos': conseguirContactos, 'armar-secuencia': armarSecuencia, 'que-sabe-el-equipo': queSabeElEquipo, 'guardar-en-crm': guardarEnCrm,
};
const known = (name: string | null | undefined): Skill | null => SKILLS.find((one) => one === name) ?? null;
/** Which recipe asks for a fact, where its answer comes and nothing else tells what it belongs to. */
const ASKS: Record<string, Skill> = { giro: 'buscar-empresas-y-proveedores', comprador: 'quien-le-ha-vendido', producto: 'quien-le-ha-vendido', cargo: 'conseguir-contactos', cuenta: 'trabajar-una-cuenta', cantidad: 'campana', tema: 'que-sabe-el-equipo', seleccion: 'campana', contactos: 'armar-secuencia' };

/** The recipe to follow: the router's word, else what the message leans on, else none. */
export const recipeFor = (view: TurnView, turn: Turn): Skill | null => {
  const { flat } = turn.reading;
  if (asksToConnect(flat)) return null;
  const open = view.open.flatMap((skill) => known(skill.name) ?? []);
  const routed = view.routed.candidates.flatMap((name) => known(name) ?? []);
  const last = known([...view.board.runs].reverse().find((run) => run.skill !== null)?.skill);
  const shows = asksToShow(flat) && view.board.runs.some((run) => /^(?:market_count|market_compare|market_search_suppliers|company_search)/.test(run.tool));
  if (view.routed.decision === 'inject' && routed[0]) return open.includes(routed[0]) ? routed[0] : (open[0] ?? routed[0]);
  // Two recipes could be meant: one that is said plainly is, else it is asked.
  // The answer to "which of two": the label of one.
  const label = SKILLS.find((name) => flat.replace(/[^a-z ]+/g, '').trim() === name.replaceAll('-', ' '));
  if (label) return label;
  if (view.routed.decision === 'clarify' && isRefinement(turn.reading) && last !== null && view.routed.options.some((one) => one.name === last)) return last;
  if (view.routed.decision === 'clarify') { const plain = plainly(view, turn); return plain !== null && view.routed.options.some((one) => one.name === plain) ? plain : null; }
  if (shows) return 'buscar-empresas-y-proveedores';
  // Pause, go on, fewer: of the campaign that is open.
  if (view.runs.length > 0 && view.routed.decision !== 'suggest' && !['new', 'yes'].includes(actionOf(turn)) && flat.split(/\s+/).length <= 8 && !BALANCE.test(flat)) return 'campana';
  if (view.board.plan !== null && view.routed.decision === 'none' && actionOf(turn) === 'status' && flat.split(/\s+/).length <= 8) return 'campana';
  // A yes to nothing that waits: where the campaign stands.
  if (view.board.plan !== null && view.runs.length > 0 && view.board.pending.length === 0 && actionOf(turn) === 'yes' && !TALK.test(flat.trim())) return 'campana';
  // What was opened by name or carried over from a question.
  if (open.length > 0 && (view.asked !== null || view.routed.decision === 'none') && !TALK.test(flat.trim())) return open.at(-1) ?? null;
  if (view.asked !== null && flat.split(/\s+/).length <= 6 && !TALK.test(flat.trim())) return last ?? ASKS[view.asked] ?? null;
  if (isRefinement(turn.reading) && last !== null) return last === 'guardar-en-crm' ? 'buscar-empresas-y-proveedores' : last;
  if (view.routed.decision === 'suggest' && routed[0]) return routed[0];
  if (open.length > 0 && !TALK.test(flat.trim())) return open.at(-1) ?? null;
  return view.routed.decision === 'none' ? plainly(view, turn) : null;
};
/** Said so plainly that nobody has to be sure: where the router would rather leave the choice to a model, there is none here. */
const PLAINLY: ReadonlyArray<readonly [RegExp, Skill]> = [
  [/\b(?:lanza|arma|haz|hazme|empieza|inicia|quiero|necesito|start|run|launch)\w*\b.*\b(?:campana|campaign)\b(?! (?:de|del|para) (?:vacun|elec|publici|polit))|\bllegar a \d+|\bprospecta\w*\b|\bde principio a fin\b/, 'campana'],
  [/\b(?:guardal[oa]s?|guardame|guarda (?:l[oa]s|est[ao]s|todo|la lista)|(?:pasa|mete|agrega|sube|pon|suma)l[oa]s al?|save (?:them|these|the list))\b/, 'guardar-en-crm'],
  [/\b(?:que dice (?:el|nuestro) (?:playbook|equipo)|nuestro (?:playbook|pitch|discurso|cliente ideal))\b/, 'que-sabe-el-equipo'],
  [/\b(?:arma|haz|prepara)\w*\b.*\b(?:secuencia|borradores|cadencia)\b|\bredacta\w*\b.*\b(?:correo|mail)\b|\bmandal\w+ un correo\b/, 'armar-secuencia'],
  [/\b(?:cuest\w+|costar\w+|saldr\w+|precio|cost)\b.*\b(?:revelar|contactos?|correos?|contacts?)\b|\bcontactos (?:ya )?(?:tengo|tenemos)\b|\bcontactos de\b|\bquien (?:decide|ve|lleva) |\bwho (?:decides|handles) /, 'conseguir-contactos'],
  [/\blicitacion(?:es)? (?:abiertas?|vigentes?|de|hay|tiene)\b|\bque licitaciones\b|\bopen tenders?\b/, 'senales-y-oportunidades'],
  [/\b(?:como (?:va|anda|esta|viene)|analiza|analisis|resum\w+|dame|how(?:'s| is)|show)\b.*\b(?:(?:mi|el|my) (?:pipeline|embudo|crm|funnel))\b|\b(?:en que me enfoco|por donde empiezo la semana|a quien le doy seguimiento)\b/, 'como-va-mi-pipeline'],
  [/\b(?:que (?:se|sabemos|tenemos)(?: \w+)? de|historial de|proximo paso con|siguiente paso con|que sigue con|ficha de|next step with)\b/, 'trabajar-una-cuenta'],
  [/\b(?:cuant[oa]s|how many)\b.*\b(?:proveedores|empresas|fabricas|fabricantes|suppliers|companies)\b/, 'cuantos-hay'],
  [/\b(?:busca\w*|dame|lista|encuentra\w*|muestra\w*|find|list)\b.*\b(?:empresas|proveedores|fabricas|fabricantes|companies|suppliers)\b/, 'buscar-empresas-y-proveedores'],
];
/** Of the account itself, not of the work. */
const OWN_PLAN = /\bmi (?:plan|suscripcion|cuenta de usuario)\b|\b(?:notificaciones|alertas|ajustes|my plan)\b/;
const PUTS_A_CARD: ReadonlySet<Skill> = new Set(['guardar-en-crm', 'conseguir-contactos', 'armar-secuencia']);
const plainly = (view: TurnView, { reading }: Turn): Skill | null => {
  const { flat } = reading;
  if (/^\W*(?:no|nunca|sin|don't|do not)\b/.test(flat) || TALK.test(flat.trim()) || OWN_PLAN.test(flat) || flat.split(/\s+/).length > 16) return null;
  // Who sold, with a public buyer by its name.
  const sold = reading.comprador !== null && /\b(?:quien\w*|who)\b.*\b(?:vend\w+|surt\w+|gano|ganado|ganaron|sold|sells|supplies|won)\b|\badjudica\w+/.test(flat);
  const found = sold ? 'quien-le-ha-vendido' : (PLAINLY.find(([pattern]) => pattern.test(flat))?.[1] ?? null);
  return found !== null && view.board.pending.length > 0 && PUTS_A_CARD.has(found) ? null : found;
};
const TALK = /^\W*(?:(?:hola+|holi|buen(?:os|as)?|hey|hi|hello|gracias|thanks|adios|bye)\b|ok\W*$|si\W*$|no\W*$)/;
const BALANCE = /\b(?:saldo|creditos|consultas)\b/;

const steps = function* (view: TurnView, turn: Turn): Steps<TurnOutput> {
  if (view.blocked?.whole) return blockedAnswer(view.blocked, view.language);
  const name = recipeFor(view, turn);
  if (name === null) return yield* smallTalk(turn);
  if (!view.open.some((skill) => skill.name === name)) {
    const opened = yield [{ name: 'skill_open', args: { name } }];
    const lacks = opened[0]?.code === 'skill_needs_integration' ? opened[0].params['missing'] : null;
    if (typeof lacks === 'string') return blockedAnswer({ what: connectionName(lacks, view.language) }, view.language);
    // There is no room for a third, or it is not theirs: what can be said without it.
    if (!opened[0]?.ok && !['ya_abierta', 'sin_paso'].includes(opened[0]?.code ?? '')) {
      const other = view.open.flatMap((skill) => known(skill.name) ?? []).at(-1);
      return other ? yield* RECIPES[other](turn) : yield* smallTalk(turn);
    }
  }
  return yield* RECIPES[name](turn);
};

export interface DeterministicOptions { now?: () => Date }

/**
 * Ada without a model behind her: follows the recipe that was chosen, step by step, through the same belt, checks and events as a model. Nothing is
 * kept between two requests and nothing leaves the process.
 */
export const deterministicModel = ({ now = () => new Date() }: DeterministicOptions = {}): Model => ({
  name: 'sin-modelo', kind: 'deterministic',
  cost: () => 0,
  complete: async ({ view, signal, onText }) => {
    if (signal.aborted) throw new ModelFailure('aborted');
    const turn = turnOf(view, now());
    const next = follow(steps(view, turn), view);
    const usage = { in: 0, out: 0 };
    if ('calls' in next) return { kind: 'tools', calls: next.calls.map(({ name, args }, i) => ({ id: `d${view.worked.length + i + 1}`, name, args })), usage, ttftMs: null };
    const text = JSON.stringify(view.problems.length > 0 ? repaired(next.end, view.problems, turn) : next.end);
    onText?.(text);
    return { kind: 'answer', text, usage, ttftMs: null };
  },
});
