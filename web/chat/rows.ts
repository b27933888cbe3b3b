import type { BoardRow } from '../../contracts/turn.js';
import { COLUMNS, detailOf, sayField, sayFilter } from '../../view/values.js';
import { clean, type Words } from '../../view/words.js';

const CHOSEN: ReadonlySet<BoardRow['kind']> = new Set(['company', 'supplier', 'record', 'person', 'contact', 'opportunity']);
/** Rows that something can be done with once they are chosen. */
export const isChoosable = (row: BoardRow): boolean => CHOSEN.has(row.kind);

export interface ShownRow {
  row: BoardRow;
  /** In pesos, as people write them; null where the row has none. */ amount: string | null;
  /** One per column; null where the detail does not tell its parts apart: `whole` has it then. */ cells: string[] | null;
  whole: string;
}
export interface ShownRows {
  kind: BoardRow['kind'];
  columns: readonly string[];
  /** Some of the rows have an amount. */ amounts: boolean;
  rows: ShownRow[];
}

/** Rows as a table: columns by what they are. */
export const tableOf = (rows: readonly BoardRow[], words: Words): ShownRows => {
  const kind = rows[0]?.kind ?? 'company';
  const columns = COLUMNS[kind];
  return {
    kind,
    columns,
    amounts: rows.some((row) => typeof row.amount_mxn === 'number'),
    rows: rows.map((row) => {
      const { parts, fits } = detailOf(row, words);
      return {
        row,
        amount: typeof row.amount_mxn === 'number' ? words.pesos(row.amount_mxn) : null,
        cells: row.kind === kind && fits ? parts : null,
        whole: parts.join(' · '),
      };
    }),
  };
};

/** How many rows each first part of the detail has (the stage of a pipeline), most first; null when they do not tell. */
export const stagesOf = (rows: readonly BoardRow[], words: Words): Array<{ stage: string; n: number }> | null => {
  const counts = new Map<string, number>();
  for (const { detail, kind } of rows) {
    const parts = (detail ?? '').split(' · ');
    if (kind !== 'record' || parts.length !== COLUMNS.record.length || !parts[0]) return null;
    counts.set(parts[0], (counts.get(parts[0]) ?? 0) + 1);
  }
  return counts.size > 0 && counts.size <= 8
    ? [...counts].map(([stage, n]) => ({ stage: sayField('stage', stage, words), n })).sort((a, b) => b.n - a.n)
    : null;
};

/** Arguments that only steer the tool, or name a row by its id: no filter for a person. */
const STEERING = /^(?:op|group_by|metric|client_key|limit|cursor|sort|.*_id|rfcs?)$/;
/** Filters of a query as people say them. */
export const filtersOf = (filters: Record<string, string>, words: Words): Array<{ key: string; text: string }> =>
  Object.entries(filters).flatMap(([key, value]) => {
    if (STEERING.test(key) || clean(value) === '') return [];
    const code = `web.result.filter.${key}`;
    const said = sayFilter(key, value, words);
    return [{ key, text: words.has(code) ? words.say(code, { value: said }) : said }];
  });
