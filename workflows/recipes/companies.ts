import type { Company } from '../../contracts/tools/companies.js';
import { PAGE } from '../budget.js';

export interface SearchFilters { activity: string; state?: string; size?: string }
export interface SearchPage { companies: Company[]; total: number | null; next_cursor: string | null }
export interface Dropped { dropped: 'size' | 'state'; value: string; found: number }
export interface CompaniesResult {
  companies: Company[];
  /** Plan B: the filters left out, one at a time, and how many companies there were without each. */
  dropped: Dropped[];
  /** Why there are fewer than wanted, if so. */
  short: 'no_companies' | 'universe_exhausted' | 'queries_exhausted' | null;
  /** Companies the provider named twice under different ids. */
  duplicates: number;
}
export interface SearchCall { tool: 'company_search'; args: SearchFilters & { limit: number; cursor?: string } }

const keyOf = (c: Company): string => c.rfc ?? c.domain ?? c.company_id;

/**
 * Finds up to `wanted` companies, page by page, within `pages` calls. With zero rows it drops one filter at a time, size
 * before state, and says so; it never invents a row. Without side effects: it yields the next call and is given its page.
 */
export function* findCompanies(filters: SearchFilters, wanted: number, pages: number): Generator<SearchCall, CompaniesResult, SearchPage> {
  const found = new Map<string, Company>();
  const dropped: Dropped[] = [];
  let current: SearchFilters = { ...filters };
  let cursor: string | null = null;
  let left = pages;
  let duplicates = 0;
  const done = (short: CompaniesResult['short']): CompaniesResult => ({ companies: [...found.values()].slice(0, wanted), dropped, short, duplicates });

  while (found.size < wanted) {
    if (left === 0) return done('queries_exhausted');
    left -= 1;
    const page: SearchPage = yield { tool: 'company_search', args: { ...current, limit: PAGE, ...(cursor ? { cursor } : {}) } };
    for (const company of page.companies) {
      const key = keyOf(company);
      if (found.has(key)) duplicates += 1;
      else found.set(key, company);
    }
    const lastDrop = dropped.at(-1);
    if (lastDrop && cursor === null) lastDrop.found = page.total ?? page.companies.length;
    if (found.size === 0 && page.companies.length === 0) {
      const next: 'size' | 'state' | null = current.size !== undefined ? 'size' : current.state !== undefined ? 'state' : null;
      if (next === null) return done('no_companies');
      dropped.push({ dropped: next, value: current[next] ?? '', found: 0 });
      current = { ...current };
      delete current[next];
      cursor = null;
      continue;
    }
    if (page.next_cursor === null || page.companies.length === 0) return done(found.size < wanted ? 'universe_exhausted' : null);
    cursor = page.next_cursor;
  }
  return done(null);
}
