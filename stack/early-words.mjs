// Texts for people before the packages are there: the same catalog, read without the message formatter.
import { readFileSync } from 'node:fs';

const given =
  process.argv.find((a) => a.startsWith('--idioma='))?.slice('--idioma='.length) ?? process.argv[process.argv.indexOf('--idioma') + 1];
const language = (process.argv.some((a) => a.startsWith('--idioma')) ? given : process.env.CAMPANA_IDIOMA) === 'en' ? 'en' : 'es-MX';
let catalog;

/**
 * The text of `stack.early.` and the code. Plain parameters only.
 * @param {string} code
 * @param {Record<string, string | number>} params
 * @returns {string}
 */
export const early = (code, params = {}) => {
  catalog ??= JSON.parse(readFileSync(new URL(`../contracts/catalog/${language}.json`, import.meta.url), 'utf8'));
  return (catalog[`stack.early.${code}`] ?? code).replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole));
};
