import { text, type Language } from '../contracts/catalog/index.js';

/** What was looked at, for the foot of a card: the source's own words where they are in the reader's language, else ours. */

const WHAT: Readonly<Record<string, string>> = {
  company_search: 'companies',
  market_search_suppliers: 'suppliers',
  market_count_suppliers: 'suppliers',
  market_screen: 'suppliers',
  market_compare: 'awards',
  market_search_awards: 'awards',
  market_aggregate_awards: 'awards',
  market_get_supplier_history: 'awards',
  market_search_opportunities: 'tenders',
  market_get_opportunity: 'tenders',
  people_search: 'people',
  people_acquired: 'contacts',
  collection_query: 'records',
  context_retrieve: 'topics',
};
const WORDS: Record<Language, RegExp> = {
  'es-MX': /\b(?:de|del|la|el|los|las|en|por|con|para|desde|hasta|empresas|contratos|proveedores)\b/giu,
  en: /\b(?:of|the|in|by|with|for|from|to|at|this|every|companies|awards|suppliers)\b/giu,
};
const count = (line: string, language: Language): number => line.match(WORDS[language])?.length ?? 0;
const reads = (line: string, language: Language): boolean => count(line, language) > count(line, language === 'en' ? 'es-MX' : 'en');

const MONTH = '((?:January|February|March|April|May|June|July|August|September|October|November|December) \\d{4})';
const PERIOD = new RegExp(`${MONTH} to ${MONTH}`);
const monthOf = (said: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`1 ${said} UTC`));
/** «nothing is filed under activity "x", state "y"» */
const NOT_FILED = /nothing is filed under (.{1,200})$/;
const FIELDS = new Set(['activity', 'state', 'size', 'buyer', 'product', 'supplier']);
const listOf = (parts: readonly string[], language: Language): string =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(parts);

export const coverageLine = (tool: string, result: unknown, language: Language): string | null => {
  const what = Object.hasOwn(WHAT, tool) ? WHAT[tool] : undefined;
  const { coverage, synonyms_used: synonyms } = (result ?? {}) as { coverage?: unknown; synonyms_used?: unknown };
  if (!what || typeof coverage !== 'string' || coverage.trim() === '') return null;
  if (reads(coverage, language)) return coverage;
  const [, from, to] = PERIOD.exec(coverage) ?? [];
  const unknown = NOT_FILED.exec(coverage)?.[1];
  const words = Array.isArray(synonyms) ? synonyms.filter((one): one is string => typeof one === 'string' && one !== '') : [];
  return [
    text(language, `ada.coverage.${what}`) +
      (from && to ? text(language, 'ada.coverage.period', { from: monthOf(from, language), to: monthOf(to, language) }) : ''),
    unknown
      ? text(language, 'ada.coverage.unknown', {
          what: unknown.replace(/(\p{L}+) ("[^"]*")/gu, (all, field: string, value: string) =>
            FIELDS.has(field) ? `${text(language, `ada.coverage.field.${field}`)} ${value}` : all,
          ),
        })
      : '',
    words.length > 0 ? text(language, 'ada.coverage.synonyms', { words: listOf(words.slice(0, 6), language) }) : '',
  ]
    .filter(Boolean)
    .join('; ');
};
