import type { Company } from '../../contracts/tools/companies.js';
import { PAGE } from '../budget.js';

export interface SearchFilters {
  activity: string;
  state?: string;
  size?: string;
}
export interface SearchPage {
  companies: Company[];
  total: number | null;
  next_cursor: string | null;
}
export interface Dropped {
  dropped: 'size' | 'state';
  value: string;
  found: number;
}
export interface CompaniesResult {
  companies: Company[];
  /** Plan B: the filters left out, one at a time, and how many companies there were without each. */
  dropped: Dropped[];
  /** Why there are fewer than wanted, if so. */
  short: 'no_companies' | 'universe_exhausted' | 'queries_exhausted' | null;
  /** Companies the provider named twice under different ids. */
  duplicates: number;
}
export interface SearchCall {
  tool: 'company_search';
  args: SearchFilters & { limit: number; cursor?: string };
}

/** Everything that tells a company from another: two rows that share one of these are one company. */
const keysOf = (c: Company): string[] => [
  `id ${c.company_id}`,
  ...(c.rfc ? [`rfc ${c.rfc}`] : []),
  ...(c.domain ? [`domain ${c.domain}`] : []),
];

/**
 * Finds up to `wanted` companies, page by page, within `pages` calls. With zero rows it drops one filter at a time, size
 * before state, and says so; it never invents a row. Without side effects: it yields the next call and is given its page.
 */
export function* findCompanies(filters: SearchFilters, wanted: number, pages: number): Generator<SearchCall, CompaniesResult, SearchPage> {
  const found: Company[] = [];
  const known = new Set<string>();
  const dropped: Dropped[] = [];
  let current: SearchFilters = { ...filters };
  let cursor: string | null = null;
  let left = pages;
  let duplicates = 0;
  const done = (short: CompaniesResult['short']): CompaniesResult => ({ companies: found.slice(0, wanted), dropped, short, duplicates });

  while (found.length < wanted) {
    if (left === 0) return done('queries_exhausted');
    left -= 1;
    const page: SearchPage = yield { tool: 'company_search', args: { ...current, limit: PAGE, ...(cursor ? { cursor } : {}) } };
    for (const company of page.companies) {
      const keys = keysOf(company);
      if (keys.some((k) => known.has(k))) duplicates += 1;
      else found.push(company);
      for (const k of keys) known.add(k);
    }
    const lastDrop = dropped.at(-1);
    if (lastDrop && cursor === null) lastDrop.found = page.total ?? page.companies.length;
    if (found.length === 0 && page.companies.length === 0) {
      const next: 'size' | 'state' | null = current.size !== undefined ? 'size' : current.state !== undefined ? 'state' : null;
      if (next === null) return done('no_companies');
      dropped.push({ dropped: next, value: current[next] ?? '', found: 0 });
      current = { ...current };
      delete current[next];
      cursor = null;
      continue;
    }
    if (page.next_cursor === null || page.companies.length === 0) return done(found.length < wanted ? 'universe_exhausted' : null);
    cursor = page.next_cursor;
  }
  return done(null);
}
