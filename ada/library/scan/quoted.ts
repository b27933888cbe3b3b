/** Where a text quotes instead of saying: quotation marks, code spans, blockquotes, and the tables of a file named limites. */
export interface Quotes {
  covers(from: number, to: number): boolean;
}

const PAIRS: Readonly<Record<string, string>> = { '“': '”', '«': '»', '"': '"', '`': '`' };
const LIMITS_FILE = /(?:^|\/)limites[^/]*\.md$/;

/** The span that holds a place wholly, with something of itself on both sides, among spans in order that do not overlap. */
const holds = (spans: readonly [number, number][], from: number, to: number): boolean => {
  let low = 0;
  let high = spans.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [a, b] = spans[middle]!;
    if (from < a) high = middle - 1;
    else if (from >= b) low = middle + 1;
    else return from > a && to < b;
  }
  return false;
};

export const quotesOf = (raw: string, path: string): Quotes => {
  // Blockquotes and rows that follow each other are one quotation.
  const lines: [number, number][] = [];
  const tables = LIMITS_FILE.test(path);
  let start = 0;
  for (const line of raw.split('\n')) {
    const end = start + line.length;
    if (/^\s{0,3}>/.test(line) || (tables && /^\s{0,3}\|/.test(line))) {
      const last = lines.at(-1);
      if (last && last[1] >= start) last[1] = end + 1;
      else lines.push([start - 1, end + 1]);
    }
    start = end + 1;
  }
  // A quotation ends with its paragraph at the latest.
  const marks: [number, number][] = [];
  let open: { close: string; from: number } | null = null;
  for (let i = 0; i < raw.length; i++) {
    const c = raw[i]!;
    if (c === '\n' && raw[i + 1] === '\n') open = null;
    else if (open && c === open.close) {
      marks.push([open.from, i + 1]);
      open = null;
    } else if (!open && Object.hasOwn(PAIRS, c)) open = { close: PAIRS[c]!, from: i };
  }
  return { covers: (from, to) => holds(lines, from, to) || holds(marks, from, to) };
};
