import { fit, width } from '../card/lines.js';
import { clean } from '../words.js';

/** Columns as wide as their longest cell; the last one takes what is left of the terminal. Without a terminal nothing is cut. */
export const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>, columns: number | undefined): string[] => {
  const cells = [head, ...rows].map((row) => row.map(clean));
  const widths = head.map((_, i) => Math.max(...cells.map((row) => width(row[i] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, w) => sum + w + 2, 0);
  return cells.map((row) =>
    row
      .map((cell, i) => {
        if (i < row.length - 1) return cell + ' '.repeat((widths[i] ?? 0) - width(cell));
        return columns === undefined ? cell : fit(cell, Math.max(20, columns - before));
      })
      .join('  ')
      .trimEnd(),
  );
};
