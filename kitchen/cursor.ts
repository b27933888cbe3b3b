import { createHash } from 'node:crypto';
import { ToolFailure } from './failure.js';

const fingerprint = (query: unknown): string => createHash('sha1').update(JSON.stringify(query)).digest('base64url').slice(0, 10);

/**
 * Reads where a page starts. A cursor only works with the query that gave it.
 * @throws ToolFailure `malformed_cursor`.
 */
export const readCursor = (cursor: string | undefined, query: unknown): number => {
  if (cursor === undefined) return 0;
  const parts = /^([A-Za-z0-9_-]{10})\.(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (!parts || parts[1] !== fingerprint(query))
    throw new ToolFailure('malformed_cursor', 'The cursor is not one of this query. Start again without it.', { counted: false });
  return Number(parts[2]);
};

/** The part of a list that a page shows, and the fields of the result that say where it stands. */
export const page = <T>(rows: readonly T[], limit: number, cursor: string | undefined, query: unknown): { rows: T[]; meta: PageMeta } => {
  const from = readCursor(cursor, query);
  const shown = rows.slice(from, from + limit);
  return { rows: shown, meta: pageMeta(from, shown.length, rows.length, query) };
};

export interface PageMeta {
  shown: number;
  total: number;
  has_more: boolean;
  next_cursor: string | null;
}

/** The paging fields of a result whose rows were already cut. */
export const pageMeta = (from: number, shown: number, total: number, query: unknown): PageMeta => {
  const has_more = from + shown < total;
  return {
    shown,
    total,
    has_more,
    next_cursor: has_more ? Buffer.from(`${fingerprint(query)}.${from + shown}`, 'latin1').toString('base64url') : null,
  };
};
