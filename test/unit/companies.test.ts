import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Company } from '../../contracts/tools/companies.js';
import { PAGE } from '../../workflows/budget.js';
import {
  findCompanies,
  type CompaniesResult,
  type SearchCall,
  type SearchFilters,
  type SearchPage,
} from '../../workflows/recipes/companies.js';

const company = (n: number, over: Partial<Company> = {}): Company => ({
  ref: `r${n}`,
  company_id: `c${n}`,
  name: `Empresa ${n}`,
  rfc: `RFC${n}`,
  domain: `e${n}.mx`,
  activity: 'empaque',
  state: 'Jalisco',
  size: 'grande',
  ...over,
});

/** Drives the recipe against a provider; the driver stops a recipe that would not end. */
const drive = (
  filters: SearchFilters,
  wanted: number,
  pages: number,
  answer: (call: SearchCall['args'], n: number) => SearchPage,
): { result: CompaniesResult; calls: Array<SearchCall['args']>; given: Company[] } => {
  const calls: Array<SearchCall['args']> = [];
  const given: Company[] = [];
  const recipe = findCompanies(filters, wanted, pages);
  let step = recipe.next();
  while (!step.done) {
    if (calls.length > pages + 5) throw new Error('asks for ever');
    calls.push(step.value.args);
    const page = answer(step.value.args, calls.length);
    given.push(...page.companies);
    step = recipe.next(page);
  }
  return { result: step.value, calls, given };
};

const filters: fc.Arbitrary<SearchFilters> = fc.record(
  { activity: fc.constant('empaque'), state: fc.constantFrom('Jalisco', 'Nuevo León'), size: fc.constantFrom('grande', 'micro') },
  { requiredKeys: ['activity'] },
);
/** Anything a provider could answer: repeated companies, the same one under several ids, empty pages that go on, totals that are wrong. */
const anyCompany = fc
  .record({
    company_id: fc.nat({ max: 40 }).map((n) => `c${n}`),
    rfc: fc.option(
      fc.nat({ max: 25 }).map((n) => `RFC${n}`),
      { nil: null },
    ),
    domain: fc.option(
      fc.nat({ max: 25 }).map((n) => `d${n}.mx`),
      { nil: null },
    ),
  })
  .map((c) => company(0, c));
const anyPage: fc.Arbitrary<SearchPage> = fc.record({
  companies: fc.array(anyCompany, { maxLength: PAGE }),
  total: fc.option(fc.nat({ max: 100 }), { nil: null }),
  next_cursor: fc.option(fc.string({ minLength: 1 }), { nil: null }),
});
const NOTHING: SearchPage = { companies: [], total: 0, next_cursor: null };

/** An honest provider over a list of companies, in pages. */
const over =
  (all: Company[], size = PAGE) =>
  (call: SearchCall['args']): SearchPage => {
    const hits = all.filter(
      (c) => (call.state === undefined || c.state === call.state) && (call.size === undefined || c.size === call.size),
    );
    const from = Number(call.cursor ?? 0);
    return {
      companies: hits.slice(from, from + size),
      total: hits.length,
      next_cursor: from + size < hits.length ? String(from + size) : null,
    };
  };

describe('finding companies', () => {
  it('ends within its pages whatever the provider answers, and gives no more than wanted', () => {
    fc.assert(
      fc.property(filters, fc.nat({ max: 120 }), fc.nat({ max: 8 }), fc.array(anyPage, { maxLength: 10 }), (f, wanted, pages, answers) => {
        const { result, calls } = drive(f, wanted, pages, (_, n) => answers[n - 1] ?? NOTHING);
        expect(calls.length).toBeLessThanOrEqual(pages);
        expect(result.companies.length).toBeLessThanOrEqual(wanted);
        expect(result.short === null).toBe(result.companies.length === wanted);
      }),
    );
  });

  it('never invents a row, and counts every repeat', () => {
    fc.assert(
      fc.property(filters, fc.nat({ max: 120 }), fc.nat({ max: 8 }), fc.array(anyPage, { maxLength: 10 }), (f, wanted, pages, answers) => {
        const { result, given } = drive(f, wanted, pages, (_, n) => answers[n - 1] ?? NOTHING);
        expect(result.companies.every((c) => given.includes(c))).toBe(true);
        if (result.companies.length < wanted) expect(result.companies.length + result.duplicates).toBe(given.length);
      }),
    );
  });

  it('never gives the same company twice: not the same RFC, and not the same id', () => {
    fc.assert(
      fc.property(
        filters,
        fc.integer({ min: 1, max: 120 }),
        fc.nat({ max: 8 }),
        fc.array(anyPage, { maxLength: 10 }),
        (f, wanted, pages, answers) => {
          const { companies } = drive(f, wanted, pages, (_, n) => answers[n - 1] ?? NOTHING).result;
          const rfcs = companies.map((c) => c.rfc).filter((r) => r !== null);
          expect(new Set(rfcs).size).toBe(rfcs.length);
          const ids = companies.map((c) => c.company_id);
          expect(new Set(ids).size).toBe(ids.length);
        },
      ),
    );
  });

  it('leaves filters out one at a time, size before state, only while there is nothing, and says so', () => {
    fc.assert(
      fc.property(
        filters,
        fc.integer({ min: 1, max: 120 }),
        fc.nat({ max: 8 }),
        fc.array(anyPage, { maxLength: 10 }),
        (f, wanted, pages, answers) => {
          const { result, calls } = drive(f, wanted, pages, (_, n) => answers[n - 1] ?? NOTHING);
          const order = (['size', 'state'] as const).filter((k) => f[k] !== undefined);
          expect(result.dropped.map((d) => d.dropped)).toEqual(order.slice(0, result.dropped.length));
          expect(result.dropped.every((d) => d.value === f[d.dropped])).toBe(true);
          for (const [i, call] of calls.entries()) {
            expect(call.activity).toBe(f.activity);
            expect(call.limit).toBe(PAGE);
            const before = calls[i - 1] ?? { ...f, limit: PAGE };
            const gone = (['size', 'state'] as const).filter((k) => before[k] !== undefined && call[k] === undefined);
            expect(gone.length).toBeLessThanOrEqual(1);
            if (gone.length === 1) {
              expect(call.cursor).toBeUndefined();
              expect(answers.slice(0, i).every((a) => a.companies.length === 0)).toBe(true);
              if (gone[0] === 'state') expect(call.size).toBeUndefined();
            }
          }
        },
      ),
    );
  });

  it('follows the cursor of the page before, and starts anew without a filter', () => {
    fc.assert(
      fc.property(
        filters,
        fc.integer({ min: 1, max: 120 }),
        fc.nat({ max: 8 }),
        fc.array(anyPage, { maxLength: 10 }),
        (f, wanted, pages, answers) => {
          const { calls } = drive(f, wanted, pages, (_, n) => answers[n - 1] ?? NOTHING);
          for (const [i, call] of calls.entries()) {
            if (call.cursor !== undefined) expect(call.cursor).toBe(answers[i - 1]?.next_cursor);
            else if (i > 0) expect(answers[i - 1]?.companies ?? []).toEqual([]);
          }
        },
      ),
    );
  });

  it('finds everybody an honest provider has, up to what is wanted, when the pages are enough', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 130 }), fc.integer({ min: 1, max: 120 }), (there, wanted) => {
        const all = Array.from({ length: there }, (_, i) => company(i));
        const { result, calls } = drive({ activity: 'empaque', state: 'Jalisco' }, wanted, 10, over(all));
        expect(result.companies).toEqual(all.slice(0, wanted));
        if (there >= wanted) expect(calls).toHaveLength(Math.ceil(wanted / PAGE));
        expect(result.short).toBe(there >= wanted ? null : there === 0 ? 'no_companies' : 'universe_exhausted');
      }),
    );
  });

  it('says how many there were without each filter it left out', () => {
    const all = [company(1, { state: 'Jalisco', size: 'micro' }), company(2, { state: 'Jalisco', size: 'micro' })];
    const { result, calls } = drive({ activity: 'empaque', state: 'Jalisco', size: 'grande' }, 5, 5, over(all));
    expect(result).toMatchObject({ dropped: [{ dropped: 'size', value: 'grande', found: 2 }], short: 'universe_exhausted' });
    expect(calls.map((c) => [c.size, c.state])).toEqual([
      ['grande', 'Jalisco'],
      [undefined, 'Jalisco'],
    ]);
    const nowhere = drive({ activity: 'empaque', state: 'Jalisco', size: 'grande' }, 5, 5, () => NOTHING);
    expect(nowhere.result).toEqual({
      companies: [],
      dropped: [
        { dropped: 'size', value: 'grande', found: 0 },
        { dropped: 'state', value: 'Jalisco', found: 0 },
      ],
      short: 'no_companies',
      duplicates: 0,
    });
  });

  it('asks nothing without pages or without a wish', () => {
    expect(drive({ activity: 'a' }, 5, 0, () => NOTHING)).toMatchObject({ calls: [], result: { short: 'queries_exhausted' } });
    expect(drive({ activity: 'a' }, 0, 5, () => NOTHING)).toMatchObject({ calls: [], result: { short: null } });
  });
});
