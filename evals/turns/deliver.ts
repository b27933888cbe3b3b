import type { Deliverable, Expect } from './brief.js';
import type { TurnRecord } from './dump.js';
import { figuresSaid, flat, okCalls, readable } from './figures.js';

/** Whether an answer handed over what was asked, by what it shows and what it read; no model needed. */

const ZERO = /\b0\b|\bcero\b|ningun|no (?:hay|encontre|aparecen?|vi|salio|salieron)|sin (?:resultados|registros|contratos)/;
const LOOKED = /cobertura|revis|filtro|quit|amplia|periodo|sinonim|clasific|registrad/;
const rowsShown = (turn: TurnRecord): number => turn.answer?.card?.rows.length ?? 0;
/** Nothing was found, and the answer says so and what was looked at. */
const honestZero = (turn: TurnRecord): boolean => {
  const text = flat(readable(turn));
  const looked = okCalls(turn, /_(?:search|count|aggregate|screen|query|retrieve)|^market_/);
  return looked.length > 0 && looked.some((call) => call.total === 0) && ZERO.test(text) && LOOKED.test(text);
};
const says = (turn: TurnRecord, value: number): boolean => figuresSaid(turn.answer?.narration ?? '').some((one) => one.value === value);
const money = (turn: TurnRecord): boolean => /\$\s?\d|\d[\d,.]*\s*(?:mxn|pesos|mdp|millones)/i.test(turn.answer?.text ?? '');
const ADVISES =
  /recom|suger|conviene|yo (?:empez|buscar|mover|ir|abrir|pondr|atender)|prioriz|primero|enfoc|la que (?:mas )?(?:me )?preocupa|apost|mejor opcion|start with|i would|recommend/;
const CANDIDATES = /candidat|no (?:son|es) (?:quien|incumb|proveedor)|podrian|posible/;

const HOW: Record<Deliverable, (turn: TurnRecord, expect: Expect) => boolean> = {
  conteo: (turn) => {
    const counts = okCalls(turn, /^market_(?:count_suppliers|compare)$/);
    if (counts.some((call) => call.total === 0)) return ZERO.test(flat(readable(turn)));
    return (
      counts.some((call) => call.total !== null && call.figures.some((figure) => says(turn, figure))) ||
      turn.before.counted.some((run) => run.total !== null && says(turn, run.total))
    );
  },
  filas: (turn, expect) => rowsShown(turn) >= (expect.min_rows ?? 1) || honestZero(turn),
  montos: (turn) =>
    (okCalls(turn, /awards|history|aggregate|screen/).length > 0 && (money(turn) || /monto|amount/.test(flat(readable(turn))))) ||
    honestZero(turn),
  veredictos: (turn, expect) =>
    okCalls(turn, /^market_screen$/).some((call) => {
      const { rfcs } = (call.args ?? {}) as { rfcs?: unknown[] };
      return Array.isArray(rfcs) && rfcs.length >= (expect.min_rows ?? 1);
    }),
  comparacion: (turn) => okCalls(turn, /^market_compare$/).length > 0 && figuresSaid(turn.answer?.narration ?? '').length >= 2,
  recomendacion: (turn) => ADVISES.test(flat(turn.answer?.text ?? '')) && turn.answer?.siguiente !== null,
  pipeline: (turn, expect) =>
    okCalls(turn, /^collection_query$/).some((call) => (call.args as { op?: unknown }).op === 'aggregate') &&
    (expect.total === undefined || says(turn, expect.total) || turn.answer?.card?.total === expect.total),
  recientes: (turn) =>
    okCalls(turn, /^collection_query$/).some((call) => (call.args as { op?: unknown }).op === 'query') && rowsShown(turn) >= 5,
  cuenta: (turn) =>
    okCalls(turn, /^collection_query$/).some((call) => (call.total ?? 0) > 0) &&
    (turn.answer?.anchors ?? []).some((anchor) => anchor.ref.startsWith('record:')),
  contexto: (turn) =>
    okCalls(turn, /^context_get$/).length > 0 && (turn.answer?.anchors ?? []).some((anchor) => anchor.ref.startsWith('record:')),
  secuencia: (turn) =>
    okCalls(turn, /^people_acquired$|^sequence_check$/).length > 0 && (turn.answer?.decision !== null || turn.answer?.siguiente !== null),
  decision: (turn) => turn.answer?.decision?.state === 'open' && turn.events.includes('decision.proposed'),
  precio: (turn) => {
    const { answer } = turn;
    if (!answer) return false;
    const shown = answer.siguiente?.cost !== null && answer.siguiente?.cost !== undefined;
    return (
      (answer.decision !== null || shown || /credito|consulta|credit|quer(?:y|ies)/.test(flat(answer.text))) &&
      (answer.decision !== null || shown || okCalls(turn, /^people_quote$|^usage$/).length > 0)
    );
  },
  progreso: (turn) => turn.answer?.progress !== null && turn.answer?.progress !== undefined,
  incumbentes: (turn) =>
    okCalls(turn, /^market_(?:search|aggregate)_awards$/).some((call) => (call.total ?? 0) > 0)
      ? rowsShown(turn) > 0 && (turn.answer?.anchors.length ?? 0) > 0
      : honestZero(turn) && (rowsShown(turn) === 0 || CANDIDATES.test(flat(readable(turn)))),
  texto: (turn) => (turn.answer?.text.length ?? 0) >= 60,
};

/** What was to be handed over and was not. */
export const undelivered = (turn: TurnRecord, expect: Expect): string[] => {
  const missing: string[] = (expect.must_deliver ?? []).filter((what) => !HOW[what](turn, expect));
  const text = readable(turn);
  const rows =
    (turn.answer?.decision?.items_total ?? 0) || Math.max(0, ...(turn.answer?.decision?.options.map((option) => option.n) ?? []));
  const has = (pattern: string): boolean => new RegExp(pattern, 'i').test(text) || new RegExp(pattern, 'i').test(flat(text));
  for (const pattern of expect.says ?? []) if (!has(pattern)) missing.push(`says ${pattern}`);
  for (const pattern of expect.never ?? []) if (has(pattern)) missing.push(`never ${pattern}`);
  if (expect.salida && !has(expect.salida)) missing.push(`salida ${expect.salida}`);
  if (expect.card && turn.answer?.card?.kind !== expect.card) missing.push(`card ${expect.card}, not ${turn.answer?.card?.kind ?? 'none'}`);
  if (expect.decision && !expect.decision.some((kind) => kind === turn.answer?.decision?.kind))
    missing.push(`decision ${expect.decision.join('|')}, not ${turn.answer?.decision?.kind ?? 'none'}`);
  if (
    expect.lote !== undefined &&
    turn.answer?.decision &&
    rows !== expect.lote &&
    !turn.answer.decision.options.some((option) => option.n === expect.lote)
  )
    missing.push(`lote ${expect.lote}`);
  for (const tool of expect.tools ?? []) if (!turn.tools.some((call) => call.ok && call.tool === tool)) missing.push(`tool ${tool}`);
  for (const tool of expect.not_tools ?? []) if (turn.tools.some((call) => call.tool === tool)) missing.push(`not ${tool}`);
  for (const [tool, times] of Object.entries(expect.calls ?? {}))
    if (turn.tools.filter((call) => call.tool === tool).length !== times) missing.push(`${tool} × ${times}`);
  if (
    expect.sources !== undefined &&
    new Set(
      okCalls(turn, /^(?:market|company)_/).map((call) =>
        /opportunit/.test(call.tool) ? 'tenders' : /award|history/.test(call.tool) ? 'awards' : 'companies',
      ),
    ).size < expect.sources
  )
    missing.push(`${expect.sources} sources`);
  if (
    expect.etapas !== undefined &&
    okCalls(turn, /^collection_query$/).every(
      (call) => (call.args as { op?: unknown }).op !== 'aggregate' || (call.shown ?? 0) !== expect.etapas,
    )
  )
    missing.push(`${expect.etapas} stages`);
  if (expect.same_filters && !sameFilters(turn)) missing.push('same filters');
  return missing;
};

/** The list was asked for with the activity, state and size of the count before it; one condition less only after a 0. */
const sameFilters = (turn: TurnRecord): boolean => {
  const counted = turn.before.counted.filter((run) => run.tool === 'market_count_suppliers').at(-1);
  const lists = turn.tools.filter((call) => call.ok && /^market_search_suppliers$|^company_search$/.test(call.tool));
  const [first] = lists;
  if (!counted) return false;
  if (!first) return counted.total === 0 && ZERO.test(flat(readable(turn)));
  const value = (args: unknown, key: string): string => {
    const found = (args as Record<string, unknown>)[key];
    return typeof found === 'string' ? flat(found) : '';
  };
  return ['activity', 'state', 'size'].every(
    (key) =>
      value(counted.args, key) === value(first.args, key) ||
      (key === 'activity' &&
        value(counted.args, 'text') === value(first.args, 'text') &&
        value(counted.args, key) === value(first.args, key)),
  );
};
