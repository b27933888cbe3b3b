import type { RunSummary } from '../contracts/api.js';
import type { Decision } from '../contracts/decision.js';
import { SESSION_TOOLS } from '../contracts/profiles/index.js';
import type { Progress } from '../contracts/progress.js';
import type { Board, Facts } from '../contracts/turn.js';
import { flat, isRef, typeOf } from './anchors.js';
import type { Worked } from './turn-view.js';
import type { Balances } from './types.js';
import { literalsOf } from './validate/numbers.js';

/** What a turn has seen: anchors that may be written, names behind them, and figures that may be said. */

export const HARVEST = { depth: 8, array: 200, figures: 500, nodes: 20_000 } as const;

export type FigureKind = 'number' | 'money' | 'percent' | 'date';
export interface KnownFigure {
  value: number;
  kind: FigureKind;
  /** `mxn`, `credits`, `queries`, `usd`, `suppliers`…; null when nobody says. Figures of different units are never added. */
  unit: string | null;
  /** Field it came in. */
  key: string;
  /** Anchor it stands under; null for what the turn knows without a result (balances, the message). */
  ref: string | null;
  /** Anchors that hold it, from its own outwards to the result's. */
  chain: readonly string[];
  /** Result and path without indexes: the column it belongs to. */
  column: string;
  /** It may be said without an anchor: money of a card, balances, numbers the person wrote, progress. */
  optional: boolean;
  /** Stands inside a text that was opened; may be quoted under its anchor and not calculated with. */
  quoted: boolean;
  /** For dates: as written, `2026-12-10` or with a time. */
  date: string | null;
}

/** Rows that share a name: naming it takes the anchor of one of them. */
export interface NamedRow {
  name: string;
  refs: Set<string>;
  /** A title in everyday words; only as written counts as naming. */ title: boolean;
}

export interface Known {
  anchors: ReadonlySet<string>;
  /** '' for what has no name of its own. */
  names: ReadonlyMap<string, string>;
  rows: ReadonlyMap<string, NamedRow>;
  /** Anchors around an anchor, itself included: its row, its result. */
  chains: ReadonlyMap<string, ReadonlySet<string>>;
  figures: readonly KnownFigure[];
  /** Years of known dates, filters and of the message. */
  years: ReadonlySet<number>;
  /** More figures came than are kept: from then on only exact ones beside their own anchor pass. */
  overflow: boolean;
}

export interface Harvest {
  worked: readonly Worked[];
  board: Board;
  /** Campaigns that are not over. */
  runs?: readonly RunSummary[];
  /** What came onto the table in this turn. */
  progress?: Progress | null;
  decision?: Decision | null;
}
/** What a turn knows without any result. */
export interface Own {
  message: string;
  facts: Facts;
  balances: Balances;
}
type Source = Pick<Worked, 'name' | 'args'>;

const NAME_KEYS = ['ref_label', 'name', 'legal_name', 'razon_social', 'title', 'label', 'group', 'supplier_name'] as const;
const NOT_FIGURES =
  /(?:^|_)(?:ids?|refs?|rfcs?|phone|tel|telefono|cursor|key|token|hash|digest|code|cp|zip|url|link|links|domain|email|version|score|position|poll_after_ms|seed)$/i;
const MONEY_OF_A_CARD =
  /^(?:credits?|queries|query|inference(?:_micros)?|price|unit_min|unit_max|expected_total|requested_total|balances?|available|held|spent|requested|plan_max|max|min|total_cost)$|_micros$/;
const MXN = /mxn|monto|amount|importe/i;
const PERCENT = /percent|pct|porcentaje|share/i;
const MILESTONE = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;
const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const WHOLE = /^[+-]?\s*(?:US\$|MX\$|\$)?\s*(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?\s*(?:%|MXN|USD|pesos)?$/;

const record = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value);
const noon = (iso: string): number => Date.UTC(Number(iso.slice(0, 4)), Number(iso.slice(5, 7)) - 1, Number(iso.slice(8, 10)));

class Harvester {
  readonly anchors = new Set<string>();
  readonly names = new Map<string, string>();
  readonly rows = new Map<string, NamedRow>();
  readonly chains = new Map<string, Set<string>>();
  readonly figures: KnownFigure[] = [];
  readonly years = new Set<number>();
  overflow = false;
  private nodes = 0;
  /** Our own cards and campaigns are shown beside the answer: their figures need no anchor. */
  private ours = false;

  anchor(ref: string, chain: readonly string[]): void {
    this.anchors.add(ref);
    const known = this.chains.get(ref) ?? new Set<string>();
    for (const one of [ref, ...chain]) known.add(one);
    this.chains.set(ref, known);
  }

  name(ref: string, name: string, row: boolean, title = false): void {
    // The first name that says something stays: a list's row is not renamed by an award that mentions it.
    if (!this.names.get(ref)) this.names.set(ref, name);
    if (!row || name.trim().length < 4) return;
    const folded = flat(name).trim();
    const known = this.rows.get(folded) ?? { name, refs: new Set<string>(), title };
    known.refs.add(ref);
    known.title &&= title;
    this.rows.set(folded, known);
  }

  figure(figure: Omit<KnownFigure, 'quoted' | 'date'> & Partial<KnownFigure>): void {
    if (!Number.isFinite(figure.value)) return;
    if (this.figures.length >= HARVEST.figures) {
      this.overflow = true;
      return;
    }
    const whole: KnownFigure = { quoted: false, date: null, ...figure };
    this.figures.push(whole);
    if (whole.kind === 'date' && whole.date) this.years.add(Number(whole.date.slice(0, 4)));
    if (whole.key === 'year') this.years.add(whole.value);
  }

  free(value: number, key: string, unit: string | null = null, kind: FigureKind = 'number', date: string | null = null): void {
    this.figure({ value, key, unit, kind, ref: null, chain: [], column: `free:${key}`, optional: true, date });
  }

  /** Numbers that a person or our own server wrote into a text. */
  freeText(text: string, key: string): void {
    for (const literal of literalsOf(text, 'es-MX')) {
      if (literal.date?.y !== undefined) this.years.add(literal.date.y);
      if (literal.date && literal.date.y !== undefined && literal.date.d !== undefined && literal.date.m !== undefined) {
        const iso = `${literal.date.y}-${String(literal.date.m).padStart(2, '0')}-${String(literal.date.d).padStart(2, '0')}`;
        this.free(noon(iso), key, null, 'date', iso);
      } else if (literal.kind !== 'year')
        for (const reading of literal.readings) this.free(reading.value, key, null, literal.kind === 'percent' ? 'percent' : 'number');
    }
    for (const year of text.matchAll(/(?<![\p{L}\p{N}])(?:19|20)\d{2}(?![\p{L}\p{N}])/gu)) this.years.add(Number(year[0]));
  }

  scalar(
    value: number | string,
    key: string,
    at: { ref: string | null; chain: readonly string[]; column: string; unit: string | null; money: boolean },
  ): void {
    if (NOT_FIGURES.test(key)) return;
    const place = { key, ref: at.ref, chain: at.chain, column: at.column };
    if (typeof value === 'string') {
      const text = value.trim();
      if (ISO.test(text)) {
        this.figure({ ...place, value: noon(text), kind: 'date', unit: null, optional: this.ours || at.ref === null, date: text });
        return;
      }
      if (text.length > 40 || !WHOLE.test(text)) return;
      const number = Number(text.replace(/[^\d.-]/g, ''));
      const kind = text.endsWith('%') ? ('percent' as const) : /[$]|MXN|USD|pesos/.test(text) ? ('money' as const) : ('number' as const);
      this.figure({
        ...place,
        value: number,
        kind,
        unit: /USD|US\$/.test(text) ? 'usd' : kind === 'money' ? 'mxn' : at.unit,
        optional: this.ours || at.ref === null,
      });
      return;
    }
    const money = at.money || MONEY_OF_A_CARD.test(key);
    const kind =
      at.unit === 'percent' || PERCENT.test(key)
        ? ('percent' as const)
        : at.unit === 'mxn' || MXN.test(key)
          ? ('money' as const)
          : ('number' as const);
    const unit =
      at.unit ??
      (kind === 'money'
        ? 'mxn'
        : /^(?:credits?|price|unit_m|expected_total|requested_total)/.test(key)
          ? 'credits'
          : key === 'queries'
            ? 'queries'
            : null);
    this.figure({ ...place, value, kind, unit, optional: this.ours || at.ref === null || (money && kind !== 'money') });
    if (/inference|_micros$/.test(key)) this.figure({ ...place, value: value / 1e6, kind: 'money', unit: 'usd', optional: true });
  }

  /** `chain` runs from the nearest anchor outwards. */
  walk(value: unknown, key: string, chain: readonly string[], column: string, depth: number, money: boolean, source: Source | null): void {
    if (depth > HARVEST.depth || ++this.nodes > HARVEST.nodes) return;
    if (Array.isArray(value)) {
      // How many came, where what came are rows.
      if (value.length > 0 && value.length <= HARVEST.array && chain[0] !== undefined && record(value[0]))
        this.figure({
          value: value.length,
          kind: 'number',
          unit: null,
          key: 'rows',
          ref: chain[0],
          chain,
          column: `${column}#`,
          optional: this.ours,
        });
      for (const one of value.slice(0, HARVEST.array)) this.walk(one, key, chain, column, depth + 1, money, source);
      return;
    }
    if (typeof value === 'number' || typeof value === 'string') {
      this.scalar(value, key, { ref: chain[0] ?? null, chain, column, unit: null, money });
      return;
    }
    if (!record(value)) return;
    const ref = this.refOf(value);
    const here = ref === null ? chain : [ref, ...chain.filter((one) => one !== ref)];
    if (ref !== null) {
      this.anchor(ref, chain);
      this.nameOf(value, ref, source);
    }
    if (ref !== null && typeof value['value'] === 'number') {
      this.scalar(value['value'], key, { ref, chain: here, column, unit: typeof value['unit'] === 'string' ? value['unit'] : null, money });
      return;
    }
    const inMoney = money || MONEY_OF_A_CARD.test(key);
    for (const [inner, one] of Object.entries(value).slice(0, HARVEST.array)) {
      if (inner === 'ref') continue;
      if (source?.name === 'context_get' && inner === 'body' && typeof one === 'string') {
        this.quote(one, here);
        continue;
      }
      if (NOT_FIGURES.test(inner) && !record(one) && !Array.isArray(one)) continue;
      this.walk(one, inner, here, `${column}.${inner}`, depth + 1, inMoney, source);
    }
  }

  /** `ref` wins. Cards and campaigns of our own have an id instead. */
  private refOf(value: Record<string, unknown>): string | null {
    if (typeof value['ref'] === 'string') return isRef(value['ref']) ? value['ref'] : null;
    if (typeof value['decision_id'] === 'string') this.anchor(`decision:${value['decision_id']}`, []);
    else if (typeof value['payload_hash'] === 'string' && typeof value['id'] === 'string') this.anchor(`decision:${value['id']}`, []);
    if (typeof value['run_id'] === 'string') this.anchor(`run:${value['run_id']}`, []);
    // Their figures need no anchor: what is shown with them is the card.
    return null;
  }

  private nameOf(value: Record<string, unknown>, ref: string, source: Source | null): void {
    const key = NAME_KEYS.find((one) => typeof value[one] === 'string' && value[one] !== '');
    if (key === undefined) {
      if (!this.names.has(ref)) this.names.set(ref, '');
      return;
    }
    const name = (value[key] as string).slice(0, 300);
    const ids = Object.keys(value).some((one) => one.endsWith('_id'));
    if (MILESTONE.test(name) && !ids && (key === 'name' || key === 'label')) {
      if (!this.names.has(ref)) this.names.set(ref, '');
      return;
    }
    const titled = key === 'title' && ('opportunity_id' in value || 'topic_id' in value);
    const grouped = key === 'group' && source?.args['group_by'] === 'supplier';
    const row =
      titled ||
      grouped ||
      key === 'supplier_name' ||
      ((key === 'name' || key === 'legal_name' || key === 'razon_social') && typeOf(ref) === 'record') ||
      (key === 'name' && 'rfc' in value);
    this.name(ref, name, row, titled);
  }

  private quote(text: string, chain: readonly string[]): void {
    for (const literal of literalsOf(text, 'es-MX').slice(0, 100)) {
      for (const reading of literal.readings)
        this.figure({
          value: reading.value,
          kind: literal.kind === 'percent' ? 'percent' : 'number',
          unit: null,
          key: 'body',
          ref: chain[0] ?? null,
          chain,
          column: 'quoted',
          optional: false,
          quoted: true,
        });
    }
    for (const year of text.matchAll(/(?<![\p{L}\p{N}-])(?:19|20)\d{2}(?![\p{L}\p{N}])/gu)) this.years.add(Number(year[0]));
  }

  board(board: Board): void {
    for (const row of [...board.selection, ...board.list]) {
      this.anchor(row.ref, []);
      this.name(row.ref, row.name, row.kind !== 'person', row.kind === 'opportunity' || row.kind === 'topic');
    }
    if (board.selection.length > 0) this.free(board.selection.length, 'selection');
    if (board.list.length > 0) this.free(board.list.length, 'list');
    for (const run of board.runs) {
      this.anchor(run.ref, []);
      for (const [key, value] of [
        ['total', run.total],
        ['shown', run.shown],
        ['seen', run.seen ?? null],
      ] as const)
        if (value !== null)
          this.figure({
            value,
            kind: 'number',
            unit: null,
            key,
            ref: run.ref,
            chain: [run.ref],
            column: `${run.ref}.${key}`,
            optional: false,
          });
      this.filters(run.args, run.ref);
    }
    for (const pending of board.pending) {
      this.anchor(`decision:${pending.decision_id}`, []);
      this.anchor(`run:${pending.run_id}`, []);
    }
    if (board.plan) {
      this.anchor(`run:${board.plan.run_id}`, []);
      for (const paso of board.plan.pasos) {
        if (paso.conteo) this.freeText(paso.conteo, 'conteo');
        if (paso.checkpoint) this.anchor(`decision:${paso.checkpoint}`, []);
      }
    }
  }

  own(value: unknown, column: string): void {
    this.ours = true;
    this.walk(value, column, [], column, 0, false, null);
    this.ours = false;
  }

  result(call: Worked): void {
    const result = record(call.result) ? call.result : null;
    const ref = result !== null && typeof result['ref'] === 'string' && isRef(result['ref']) ? result['ref'] : null;
    this.ours = (SESSION_TOOLS as readonly string[]).includes(call.name) || !call.ok;
    // Of a refusal only its particulars: what is missing, what it would take.
    if (call.ok) this.walk(call.result, call.name, [], ref ?? call.name, 0, false, call);
    else if (result !== null && record(result['error']))
      this.walk(result['error']['params'], 'error', [], `${call.name}.error`, 0, false, null);
    this.ours = false;
    this.filters(call.args, ref);
    if (/^(?:company|people)_search$/.test(call.name)) this.free(++this.paged, 'queries_used', 'queries');
  }
  private paged = 0;

  known(): Known {
    return {
      anchors: this.anchors,
      names: this.names,
      rows: this.rows,
      chains: this.chains,
      figures: this.figures,
      years: this.years,
      overflow: this.overflow,
    };
  }

  /** Filters: their dates may be said; their numbers are the model's own and count for nothing. */
  filters(args: unknown, ref: string | null): void {
    if (!record(args)) return;
    for (const one of Object.values(args).slice(0, 40)) {
      if (typeof one === 'string' && ISO.test(one))
        this.figure({
          value: noon(one),
          kind: 'date',
          unit: null,
          key: 'filter',
          ref,
          chain: ref ? [ref] : [],
          column: 'filter',
          optional: true,
          date: one,
        });
      else if (Array.isArray(one) && one.length > 0) this.free(one.length, 'given');
    }
  }
}

/**
 * Walks results of the turn and what the board holds: anchors by their `ref`, names, and figures (JSON numbers, and strings that are wholly a
 * figure or an ISO date). Ids are never figures, and no text is searched for digits, save one that was opened to be quoted.
 */
export const harvest = ({ worked, board, runs = [], progress = null, decision = null }: Harvest): Known => {
  const h = new Harvester();
  h.board(board);
  for (const run of runs)
    h.own({ ref: `run:${run.run_id}`, counts: run.counts, created_at: run.created_at, last_progress_at: run.last_progress_at }, 'runs');
  for (const run of runs) for (const id of run.decisions) h.anchor(`decision:${id}`, []);
  if (progress) {
    h.own({ ref: `run:${progress.run_id}`, ...progress }, 'progress');
    for (const id of progress.decisions) h.anchor(`decision:${id}`, []);
  }
  if (decision) {
    h.own({ ref: `decision:${decision.id}`, ...decision }, 'decision');
    h.anchor(`run:${decision.run_id}`, []);
  }
  for (const call of worked) h.result(call);
  return h.known();
};

/** The same, with what the turn knows by itself: numbers of the message and of facts, balances. */
export const withOwn = (known: Known, { message, facts, balances }: Own): Known => {
  const h = new Harvester();
  h.freeText(message.slice(0, 2_000), 'message');
  for (const fact of Object.values(facts)) if (fact.value) h.freeText(fact.value, 'fact');
  for (const [kind, value] of Object.entries(balances) as Array<[string, number]>) {
    h.free(value, 'balance', kind);
    if (kind === 'inference') h.free(value / 1e6, 'balance', 'usd', 'money');
  }
  return { ...known, figures: [...h.figures, ...known.figures], years: new Set([...known.years, ...h.years]) };
};
