export { csvLine } from '../contracts/csv.js';

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
