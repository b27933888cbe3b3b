import { flat } from '../anchors.js';
import { limitsAsked } from '../understand/limits.js';
import { defect, rowsOf, type Context, type Defect, type LimitKind, type Rule } from './rule.js';

/** A limit is said only when a step of the recipe declares it or a call failed so; it names its kind and a way out. */

/** Codes of refusals, by the limit they mean. */
const CODES: ReadonlyArray<[LimitKind, RegExp]> = [
  ['credito', /insufficient|credit|quota|balance|saldo|payment|cap_exceeded|inference/],
  ['conector', /mailbox|connector|integration|not_connected|unauthorized_provider|collection_not_found/],
  ['tope', /too_many|limit|max|fuera_de_cinturon|one_campaign|replan_only_less|window_closed|expired/],
  ['cobertura', /coverage|not_found|out_of_range|unsupported_(?:state|country)/],
  ['dato', /selection_empty|accounts_missing|not_selective|invalid_input|arguments_invalid|missing|no_open_run|rows_changed/],
  [
    'operacion',
    /not_allowed|forbidden|denied|fuera_de_cinturon|unsupported|unavailable|timeout|server_error|tool_failed|unreachable|rate_limited|run_final|read_back/,
  ],
];
/** How each kind is said to a person; small letters without accents. */
const NAMES: Record<LimitKind, RegExp> = {
  dato: /\bdato|\bfalta|\belegir\b|\bseleccion|\bcriterio|\bgiro\b|\binformacion\b|\blista\b|\bdata\b|\bmissing\b|\bselect|\bneed\b|\bchoose\b|\bno hay a quien\b|\bprimero\b|\bcontactos? revelad|\bfirst\b/,
  conector: /\bconect|\bconexion|\bbuzon|\bcorreo\b|\bcrm\b|\bgmail\b|\bsalesforce\b|\bhubspot\b|\bintegra|\bconnect|\bmailbox|\binbox/,
  credito: /\bcredito|\bconsultas?\b|\bsaldo|\brecarg|\bplan\b|\bcredits?\b|\bbalance\b|\bquer(?:y|ies)\b|\btop.?up/,
  operacion:
    /\bno (?:se )?(?:puede|puedo|envi|edit|hace|pued|respond|contest)|\bdesde aqui\b|\ben este chat\b|\bno es posible|\bno llego|\bcan(?:no|')t\b|\bcannot\b|\bnot possible|\bfrom here\b|\bdid not answer/,
  cobertura: /\bcobertura|\bfuentes?\b|\brevis|\bno cubr|\bfuera de\b|\bcoverage|\bsources?\b|\bnot covered|\boutside\b/,
  tope: /\btope|\bmaximo|\blimite|\bhasta \d|\ba lo mas|\bpor (?:turno|vez|pagina|lote|campa[nñ]a|consulta)|\blimit|\bmaximum|\bup to\b|\bat most\b|\bcap\b/,
};
const DECLARES = /`limite`\s+(?:de|por)\s+(dato|conector|cr[eé]dito|operaci[oó]n|cobertura|tope)/giu;
/** What nobody does here, whatever recipe is open (skills/references/limites.md): what the person asked for is that. */
const ASKED: ReadonlyArray<[LimitKind, RegExp]> = [
  ['conector', /\bconect|\bgmail\b|\boutlook\b|\bsalesforce\b|\bhubspot\b|\bbuzon\b|\bmailbox\b/],
  [
    'operacion',
    /\b(?:manda|envia|activa|deshaz|edita|borra|elimina|llama)(?:r|les|los|las|le|lo|la|selos?|selas?)*\b|\b(?:cambia|mueve|sube|actualiza)(?:r|le|les|lo|la)? (?:la |el |de )?(?:etapa|monto|tope|modo|registro)|\bmodo automatico\b|\ben el playbook\b|\b(?:send|activate|undo|edit|delete|call)\b/,
  ],
  ['cobertura', /\bprivad|\bextranjer|\bestados unidos\b|\bcanada\b|\bbases\b|\bprivate\b|\babroad\b/],
  ['tope', /\d{2,}|\bmil\b|\btod[oa]s\b|\ball\b|\bthousand/],
];
const NO_WAY_OUT = /^(?:no (?:se puede|hay|es posible)|lo siento|ninguna?|nada|n\/a|no aplica|sorry|none|nothing|not possible)\b/;

const lacks = ({ compiled: { facts, board }, open }: Context): boolean =>
  open.some((skill) =>
    skill.requiere.some((field) =>
      field === 'seleccion'
        ? board.selection.length === 0
        : field === 'contactos'
          ? ![...board.selection, ...board.list].some((row) => row.kind === 'contact')
          : facts[field as keyof typeof facts]?.status === 'faltante',
    ),
  );
/** Limits that a step of an open recipe names, or what it requires and nobody has. */
const declared = (context: Context): Set<LimitKind> =>
  new Set([
    ...(lacks(context) ? ['dato' as const] : []),
    ...context.open.flatMap((skill) => [...skill.body.matchAll(DECLARES)].map((match) => flat(match[1] ?? '') as LimitKind)),
  ]);

/** The case that a declared limit is meant for. */
const holds = (kind: LimitKind, context: Context): boolean => {
  const { board, balances } = context.compiled;
  const empty = context.worked.some(
    (call) => call.ok && rowsOf(call.result) === 0 && /_(?:search|query|retrieve|count|aggregate|acquired|screen)/.test(call.name),
  );
  const failed = context.worked.some((call) => !call.ok);
  switch (kind) {
    case 'dato':
      return board.selection.length === 0 || lacks(context) || empty;
    // «No hay CRM» while its list came with a collection is a lie.
    case 'conector':
      return (
        failed ||
        !context.worked.some((call) => call.name === 'collection_query' && call.ok && call.args['op'] === 'list' && rowsOf(call.result) > 0)
      );
    case 'credito':
      return (
        failed ||
        balances.credits <= 0 ||
        balances.queries <= 0 ||
        context.known.figures.some((f) => f.optional && f.unit === 'credits' && f.value > balances.credits)
      );
    case 'cobertura':
      return empty || failed;
    default:
      return true;
  }
};

/** Words of a connection's name that say which it is. */
const saysWhich = (text: string, what: string): boolean =>
  (flat(what).match(/\p{L}{4,}/gu) ?? []).some((word) => flat(text).includes(word));

export const limite: Rule = ({ output, narration }, context) => {
  const { blocked } = context;
  if (blocked && (output.intent.kind !== 'limite' || output.intent.falta !== 'conector' || !saysWhich(narration.raw, blocked.what)))
    return [defect('limite', 'limite.connection', blocked.what, null, 'intent')];
  if (output.intent.kind !== 'limite') return [];
  const { falta, salida } = output.intent;
  const found: Defect[] = [];
  const failed = context.worked.some(
    (call) => !call.ok && CODES.some(([kind, pattern]) => kind === falta && pattern.test(call.error ?? '')),
  );
  const asked =
    limitsAsked(context.message).has(falta) || ASKED.some(([kind, pattern]) => kind === falta && pattern.test(flat(context.message)));
  if (!(context.limits?.includes(falta) || failed || asked || (declared(context).has(falta) && holds(falta, context))))
    found.push(defect('limite', 'limite.undeclared', falta, null, 'intent'));
  if (!NAMES[falta].test(flat(`${narration.masked} ${salida}`))) found.push(defect('limite', 'limite.kind', falta, null, 'intent'));
  if (salida.trim().length < 8 || NO_WAY_OUT.test(flat(salida.trim())) || /^¿|\?$/.test(salida.trim()))
    found.push(defect('limite', 'limite.exit', salida, null, 'intent'));
  return found;
};
