import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const CATALOG = join(import.meta.dirname, '..', '..', 'contracts', 'catalog');
/** Texts of the terminal, of the library's commands and of prompts to models: nothing that a page shows. */
const ELSEWHERE =
  /^(cli\.(help|job|skills|error|usage|doctor|ask|said|ops|change|missing|estimate|cancel|balance|card|decision)\.|draft\.instructions)/;
const PARTS = ['', 'web.'];

/** One language of the texts that the page shows, as `virtual:catalog/<language>`. */
export const catalog = (): Plugin => ({
  name: 'catalog',
  resolveId: (id) => (id.startsWith('virtual:catalog/') ? `\0${id}` : undefined),
  load(id) {
    const language = /^\0virtual:catalog\/(es-MX|en)$/.exec(id)?.[1];
    if (!language) return undefined;
    const files = PARTS.map((part) => join(CATALOG, `${part}${language}.json`));
    for (const file of files) this.addWatchFile(file);
    const all = Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)) as Record<
      string,
      string
    >;
    return `export default ${JSON.stringify(Object.fromEntries(Object.entries(all).filter(([code]) => !ELSEWHERE.test(code))))}`;
  },
});
