import type { Board } from '../contracts/turn.js';
import { asksToShow, read } from './understand/index.js';

/** Filters that a count and the list of the same have in common. */
const FILTERS = ['text', 'activity', 'state', 'size'] as const;
const COUNTED = /^(?:market_count_suppliers|market_search_suppliers|company_search)$/;
const LISTED: Readonly<Record<string, ReadonlyArray<(typeof FILTERS)[number]>>> = {
  market_search_suppliers: FILTERS,
  company_search: ['activity', 'state', 'size'],
};

/**
 * "Muéstramelos" asks for what was counted: a list that a model asks for then has exactly those filters, whatever it wrote. A message that names a
 * filter of its own is a new request and stays as it is.
 */
export const withSameFilters = (name: string, args: unknown, message: string, board: Board): unknown => {
  const keys = LISTED[name];
  const last = board.runs.at(-1);
  if (!keys || !last || !COUNTED.test(last.tool) || args === null || typeof args !== 'object' || Array.isArray(args)) return args;
  const reading = read(message);
  if (
    !asksToShow(reading.flat) ||
    reading.giro !== null ||
    reading.estado !== null ||
    reading.everywhere ||
    reading.tamano !== null ||
    reading.comprador !== null
  )
    return args;
  const counted = Object.fromEntries(keys.flatMap((key) => (typeof last.args[key] === 'string' ? [[key, last.args[key]]] : [])));
  if (Object.keys(counted).length === 0 || (name === 'company_search' && counted['activity'] === undefined)) return args;
  const rest = Object.fromEntries(Object.entries(args).filter(([key]) => !(FILTERS as readonly string[]).includes(key)));
  return { ...rest, ...counted };
};
