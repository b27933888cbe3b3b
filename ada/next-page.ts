import type { Board, BoardRun } from '../contracts/turn.js';
import { flat } from './anchors.js';

/** What may stand after «más» when it means more rows; «más grandes» means other ones. */
const THING =
  '(?:empresas|proveedores|contratos|resultados|filas|opciones|personas|licitaciones|registros|companies|suppliers|contracts|results|rows|people|tenders|records)';
/** How a page is asked for that is not the first: small letters without accents. */
const MORE = new RegExp(
  [
    `\\b(?:mas|more)\\b(?=\\s*(?:$|[.!?,]|por fa|please|de (?:es|est|ell)[ao]s\\b|de l[ao]s mism|of (?:them|those|these)\\b|${THING}\\b))`,
    '\\b(?:l[ao]s|otr[ao]s|the) (?:\\d+ )?(?:siguientes?|proxim[ao]s|que (?:siguen|faltan)|demas|next|other)\\b',
    '^(?:y )?(?:siguientes?|next)\\b',
    '\\bel resto\\b|\\bthe rest\\b',
    '\\b(?:otr[ao]s|another) \\d+\\b',
    '\\bsiguiente pagina\\b|\\bnext page\\b',
  ].join('|'),
);

export const asksForMore = (message: string): boolean => MORE.test(flat(message).trim());

/** What changes how a list is paged, not what it is of. */
const PAGING = new Set(['cursor', 'limit', 'sort']);
const filters = (args: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.entries(args)
      .filter(([key, value]) => !PAGING.has(key) && value !== undefined && value !== null)
      .map(([key, value]) => [key, typeof value === 'string' ? flat(value).trim() : value])
      .sort(),
  );

/** The last list of a tool with the same filters; undefined when it was never asked for. */
const lastOf = (name: string, args: Readonly<Record<string, unknown>>, board: Board): BoardRun | undefined =>
  [...board.runs].reverse().find((run) => run.tool === name && filters(run.args) === filters(args));

/**
 * "Dame más" of a list is its next page: a model that asks for the same list again without saying where to go on goes on where the last page ended.
 * Other filters are another list and stay as they are.
 */
export const withNextPage = (name: string, args: unknown, message: string, board: Board): unknown => {
  if (args === null || typeof args !== 'object' || Array.isArray(args) || 'cursor' in args || !asksForMore(message)) return args;
  const last = lastOf(name, args as Record<string, unknown>, board);
  if (!last?.next_cursor) return args;
  // A cursor holds for the very query that it came from; only how many is free.
  const { limit } = args as Record<string, unknown>;
  return { ...last.args, ...(limit === undefined ? {} : { limit }), cursor: last.next_cursor };
};

/** How many rows of one list have been shown by now, this page with it. */
export const seenWith = (name: string, args: Readonly<Record<string, unknown>>, shown: number, before: readonly BoardRun[]): number => {
  const from =
    args['cursor'] === undefined ? undefined : [...before].reverse().find((run) => run.tool === name && run.next_cursor === args['cursor']);
  return shown + (from ? (from.seen ?? from.shown) : 0);
};
