import type { BoardRun } from '../../contracts/turn.js';
import { EVERYWHERE, asksToShow, isRefinement } from '../understand/index.js';
import { widerThan } from '../understand/trades.js';
import { inPlace, quoted, type Turn } from './answer.js';

/** What a search of the market is narrowed by. */
export interface Filters {
  giro: string | null;
  estado: string | null;
  tamano: string | null;
  text?: string | null;
}

const str = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
/** Counts and searches of companies, as the board keeps them. */
const MARKET = /^(?:market_count_suppliers|market_search_suppliers|company_search|market_compare)$/;
const filtersOf = (run: BoardRun): Filters => {
  const first = (value: unknown): string | null => (Array.isArray(value) ? str(value[0]) : null);
  return {
    giro: str(run.args['activity']) ?? first(run.args['segments']),
    estado: str(run.args['state']) ?? (run.tool === 'market_compare' ? first(run.args['geographies']) : null),
    tamano: str(run.args['size']),
    text: str(run.args['text']),
  };
};

/** The last count or search of this conversation; of those of one turn, the one that found something. */
export const lastMarketRun = (turn: Turn): BoardRun | null => {
  const runs = turn.view.board.runs.filter((run) => MARKET.test(run.tool));
  const last = runs.at(-1);
  if (!last) return null;
  return [...runs].reverse().find((run) => run.at === last.at && (run.total ?? 0) > 0) ?? last;
};

/** Whether the message leans on what was asked before: "muéstramelos", "mejor en Puebla", "solo grandes", "y esos". */
export const leansBack = (turn: Turn): boolean =>
  asksToShow(turn.reading.flat) ||
  isRefinement(turn.reading) ||
  /\b(?:es[ao]s|est[ao]s|ahi|los mismos|las mismas|de es[ao]s|those|them|siguientes|mas como|otr[ao]s)\b/.test(turn.reading.flat);

/** Filters of this request: what the message says, then what it leans on, then what the conversation knows. */
export const filtersOfTurn = (turn: Turn): Filters & { inherited: BoardRun | null } => {
  const { reading } = turn;
  const before = lastMarketRun(turn);
  const leans = before !== null && (leansBack(turn) || (reading.giro === null && reading.subject === null));
  const base: Filters = leans ? filtersOf(before) : { giro: null, estado: null, tamano: null, text: null };
  const size = turn.view.facts.tamano;
  const giro = reading.giro ?? base.giro ?? (base.text ? null : (turn.view.facts.giro.value ?? turn.view.facts.producto.value));
  const estado = reading.everywhere ? null : (reading.estado ?? (leans ? base.estado : turn.view.facts.estado.value));
  return {
    giro,
    text: reading.giro === null ? (base.text ?? null) : null,
    estado: estado === EVERYWHERE ? null : estado,
    tamano: reading.tamano ?? (leans ? base.tamano : reading.giro === null && size.status === 'dicho' ? size.value : null),
    inherited: leans ? before : null,
  };
};

/** The filters as a sentence has them: "de muebles en Jalisco, de tamaño mediano". */
export const saidFilters = (turn: Turn, f: Filters): string =>
  [
    f.giro ? turn.say('common.of', { giro: quoted(f.giro) }) : f.text ? turn.say('common.named', { text: quoted(f.text) }) : '',
    f.estado ? inPlace(turn, f.estado) : turn.say('common.everywhere'),
    f.tamano ? turn.say('common.size', { size: f.tamano }) : '',
  ]
    .filter(Boolean)
    .join(' ');

export type Change = 'giro' | 'tamano' | 'estado' | 'text';
export interface Attempt {
  filters: Filters;
  change: Change;
  dropped: string;
  now: string | null;
}
/** Plan B: one change more at each attempt, in the order of the recipe. A trade nobody files anything under is widened first. */
export const planB = (f: Filters, coverage: string): Attempt[] => {
  const attempts: Attempt[] = [];
  let now: Filters = { ...f };
  const wider = f.giro ? widerThan(f.giro) : null;
  const unknown = /nothing is filed under[^;]*activity/i.test(coverage);
  const widen = (): void => {
    if (wider && f.giro) {
      now = { ...now, giro: wider };
      attempts.push({ filters: now, change: 'giro', dropped: f.giro, now: wider });
    }
  };
  if (unknown) widen();
  if (f.tamano) {
    now = { ...now, tamano: null };
    attempts.push({ filters: now, change: 'tamano', dropped: f.tamano, now: null });
  }
  if (f.estado) {
    now = { ...now, estado: null };
    attempts.push({ filters: now, change: 'estado', dropped: f.estado, now: null });
  }
  if (!unknown) widen();
  return attempts;
};
