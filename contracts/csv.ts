/** What a spreadsheet would run as a formula: its signs, also in full width, also behind spaces or control characters. */
const FORMULA = /^(?:[\s\p{Cc}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** One CSV line (RFC 4180, without its end). Text that a spreadsheet would run as a formula gets an apostrophe in front; numbers stay numbers. */
export const csvLine = (fields: ReadonlyArray<string | number | null>): string =>
  fields
    .map((value) => {
      const text = value === null ? '' : String(value);
      const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
      return /[",;\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    })
    .join(',');
