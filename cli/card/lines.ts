/** A piece of a line: plain text, and how it looks where there is colour. */
export interface Span {
  text: string;
  style?: (text: string) => string;
}

export const width = (text: string): number => [...text].length;

/** Cuts to `max` columns, with an ellipsis for what is gone. */
export const fit = (text: string, max: number): string =>
  width(text) <= max ? text : `${[...text].slice(0, Math.max(0, max - 1)).join('')}…`;

/**
 * Wraps styled text at blanks to `max` columns; later lines start with `indent` blanks. Styling comes last, so that colour
 * never counts as width. A word longer than the line is cut: every line returned is one row of the terminal.
 */
export const wrap = (spans: Span[], max: number, indent = 0): string[] => {
  const lines: Span[][] = [[]];
  let used = 0;
  for (const span of spans) {
    for (const piece of span.text.split(/( +)/)) {
      if (piece === '') continue;
      const blank = piece.trim() === '';
      if (used + width(piece) > max && (blank || used > indent)) {
        // The blank at which a line breaks disappears; one row ends here.
        const last = lines.at(-1)?.at(-1);
        if (last && last.text.trim() === '') lines.at(-1)?.pop();
        lines.push(indent > 0 ? [{ text: ' '.repeat(indent) }] : []);
        used = indent;
        if (blank) continue;
      }
      const shown = fit(piece, Math.max(1, max - used));
      lines.at(-1)?.push({ ...span, text: shown });
      used += width(shown);
    }
  }
  return lines.map((line) =>
    line
      .map((s) => (s.style ? s.style(s.text) : s.text))
      .join('')
      .trimEnd(),
  );
};
