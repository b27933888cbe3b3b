/** Rows of a CSV text with quoted fields ("" inside quotes is one), comma or semicolon by its first line. */
export const parseCsv = (text: string): string[][] => {
  const body = text.replace(/^\uFEFF/, '');
  const head = body.slice(0, body.indexOf('\n') < 0 ? undefined : body.indexOf('\n'));
  const separator = head.split(';').length > head.split(',').length ? ';' : ',';
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let quoted = false;
  const endField = (): void => {
    row.push(field.trim());
    field = '';
  };
  const endRow = (): void => {
    endField();
    if (row.some((f) => f !== '')) rows.push(row);
    row = [];
  };
  for (let i = 0; i < body.length; i++) {
    const c = body[i] ?? '';
    if (quoted) {
      if (c !== '"') field += c;
      else if (body[i + 1] === '"') {
        field += '"';
        i += 1;
      } else quoted = false;
    } else if (c === '"' && field.trim() === '') {
      field = '';
      quoted = true;
    } else if (c === separator) endField();
    else if (c === '\n') endRow();
    else if (c !== '\r') field += c;
  }
  endRow();
  return rows;
};

/** One CSV line. What a spreadsheet would run as a formula gets an apostrophe in front. */
export const csvLine = (fields: Array<string | number | null>): string =>
  fields.map((value) => {
    const text = value === null ? '' : String(value);
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }).join(',');
