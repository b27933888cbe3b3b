import { hasText, text, type Language } from '../contracts/catalog/index.js';
import type { Item } from '../contracts/api.js';
import { csvLine } from '../contracts/csv.js';
import { Words } from '../view/words.js';

const COLUMNS = ['position', 'company', 'state', 'title', 'contact_state', 'name', 'email', 'price', 'reason', 'exit', 'code'] as const;
/** Says that the bytes are UTF-8: spreadsheets otherwise guess. */
const BOM = '\uFEFF';

/** Items as a spreadsheet that a person opens, in their language, page after page as it is read; `code` is what a program would look at. */
export const itemsCsv = async function* (language: Language, pages: AsyncIterable<Item[]>): AsyncGenerator<string> {
  const words = new Words(language, { has: hasText, text: (code, params) => text(language, code, params) });
  yield BOM + csvLine(COLUMNS.map((column) => words.say(`csv.items.${column}`))) + '\r\n';
  for await (const items of pages) {
    yield items
      .map(({ position, company, state, choice, contact, reason, exit }) => {
        const code = reason?.code ?? (exit === null ? null : (contact?.state ?? state));
        return (
          csvLine([
            position,
            company?.name ?? null,
            words.say(`account.state.${state}`),
            contact?.title ?? choice?.title ?? null,
            contact ? words.say(`contact.state.${contact.state}`) : null,
            contact?.name ?? null,
            contact?.email ?? null,
            contact?.price ?? null,
            code === null ? null : words.missing(code, reason?.params),
            exit === null ? null : words.say(exit),
            code,
          ]) + '\r\n'
        );
      })
      .join('');
  }
};

/** True when the caller would rather have CSV than JSON. */
export const wantsCsv = (accept: string | undefined): boolean => {
  const quality = (type: string): number => {
    const part = accept
      ?.split(',')
      .map((p) => p.trim().toLowerCase())
      .find((p) => p.split(';')[0]?.trim() === type);
    if (part === undefined) return 0;
    const q = /;\s*q=([\d.]+)/.exec(part)?.[1];
    return q === undefined ? 1 : Number(q) || 0;
  };
  return quality('text/csv') > quality('application/json');
};
