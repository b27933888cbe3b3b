import type { Suppression } from '../../contracts/api.js';

export type Kind = Suppression['kind'];
export const KINDS: readonly Kind[] = ['domain', 'email', 'rfc', 'person'];
/** Of one call. */
export const MOST_LINES = 1_000;
const MOST_CHARS = 320;

/**
 * Whether a line looks like what it is said to be. Only what is surely something else is refused: the list keeps hashes, so nobody
 * could find out later that a line never matched anything.
 */
const looksLike: Record<Kind, (line: string) => boolean> = {
  rfc: (line) => /^[a-zñ&]{3,4}\d{6}[a-z\d]{3}$/iu.test(line.replace(/[\s.-]/g, '')),
  domain: (line) => /^([a-z]+:\/\/)?([^\s@/]*@)?([\p{L}\d-]+\.)+[\p{L}\d-]{2,}\.?([/?#:].*)?$/iu.test(line),
  email: (line) => /^(mailto:)?[^\s@]+@[^\s@]+\.[^\s@.]+$/iu.test(line),
  person: (line) => !/[\s@]/u.test(line),
};

export interface Line {
  line: number;
  value: string;
}
export interface Parsed {
  entries: Array<{ kind: Kind; value: string }>;
  wrong: Line[];
}

/** One entry per line; empty lines are none and a repeated one counts once. */
export const parseLines = (kind: Kind, text: string): Parsed => {
  const lines = text
    .split(/\r?\n/)
    .map((value, i) => ({ line: i + 1, value: value.trim() }))
    .filter(({ value }) => value !== '');
  const right = ({ value }: Line): boolean => value.length <= MOST_CHARS && looksLike[kind](value);
  return {
    entries: [...new Set(lines.filter(right).map(({ value }) => value))].map((value) => ({ kind, value })),
    wrong: lines.filter((line) => !right(line)),
  };
};
