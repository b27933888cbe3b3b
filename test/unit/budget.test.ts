import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Amounts, CapPlanInput } from '../../contracts/budget.js';
import { capPlan, fitContacts, PAGE, searchPages } from '../../workflows/budget.js';

const KINDS = ['credits', 'queries', 'inference'] as const;
const amount = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 6000 }), fc.integer({ min: 0, max: 2_000_000 }));
const cap = fc.option(amount, { nil: null });
const amounts = fc.record({ credits: amount, queries: amount, inference: amount });
const input: fc.Arbitrary<CapPlanInput> = fc.record({
  accounts: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 5000 })),
  prices: fc
    .tuple(
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 1, max: 3 }),
      fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5000 })),
    )
    .map(([a, b, query, draft_max]) => ({ credit_min: Math.min(a, b), credit_max: Math.max(a, b), query, draft_max })),
  available: amounts,
  heldElsewhere: amounts,
  caps: fc.record({ credits: cap, queries: cap, inference: cap }),
  steps: fc.record({ search: fc.boolean(), people: fc.boolean(), reveal: fc.boolean(), drafts: fc.boolean() }),
});
const room = (i: CapPlanInput, kind: (typeof KINDS)[number]): number =>
  Math.min(i.available[kind], i.caps[kind] ?? Number.POSITIVE_INFINITY);
const within = (a: Amounts, b: Amounts): boolean => KINDS.every((k) => a[k] <= b[k]);

describe('what a plan costs at most, and how much of it fits', () => {
  it('has a maximum that never exceeds a balance or a cap', () => {
    fc.assert(
      fc.property(input, (i) => {
        const plan = capPlan(i);
        for (const kind of KINDS) expect(plan.cost.max[kind]).toBeLessThanOrEqual(room(i, kind));
        for (const option of plan.options) for (const kind of KINDS) expect(option.totals[kind]).toBeLessThanOrEqual(room(i, kind));
      }),
    );
  });

  it('requests at least the maximum and expects at most it, in whole numbers that are not negative', () => {
    fc.assert(
      fc.property(input, (i) => {
        const { requested, cost, fits, accounts, options } = capPlan(i);
        expect(within(cost.max, requested)).toBe(true);
        expect(within(cost.expected, cost.max)).toBe(true);
        const numbers = [
          fits,
          accounts,
          ...[requested, cost.max, cost.expected, ...options.map((o) => o.totals)].flatMap((a) => KINDS.map((k) => a[k])),
          ...options.map((o) => o.n),
        ];
        expect(numbers.every((n) => Number.isSafeInteger(n) && n >= 0)).toBe(true);
        expect(fits).toBeLessThanOrEqual(accounts);
        expect(accounts).toBeLessThanOrEqual(i.accounts);
      }),
    );
  });

  it('never fits less when there is more of a balance', () => {
    fc.assert(
      fc.property(input, fc.constantFrom(...KINDS), fc.nat({ max: 5000 }), (i, kind, more) => {
        const before = capPlan(i);
        const after = capPlan({ ...i, available: { ...i.available, [kind]: i.available[kind] + more } });
        expect(after.fits).toBeGreaterThanOrEqual(before.fits);
        expect(after.accounts).toBeGreaterThanOrEqual(before.accounts);
      }),
    );
  });

  it('never fits less when a cap is raised or taken away', () => {
    fc.assert(
      fc.property(input, fc.constantFrom(...KINDS), fc.option(fc.nat({ max: 5000 }), { nil: null }), (i, kind, more) => {
        const before = capPlan(i);
        const now = i.caps[kind];
        const after = capPlan({ ...i, caps: { ...i.caps, [kind]: more === null || now === null ? null : now + more } });
        expect(after.fits).toBeGreaterThanOrEqual(before.fits);
      }),
    );
  });

  it('offers all of it exactly when all of it fits, and never together with a smaller lot', () => {
    fc.assert(
      fc.property(input, (i) => {
        const plan = capPlan(i);
        const ids = plan.options.map((o) => o.id);
        const everythingFits = KINDS.every((k) => plan.requested[k] <= room(i, k));
        expect(ids.includes('all')).toBe(everythingFits);
        expect(plan.limitedBy.length === 0).toBe(everythingFits);
        expect(ids.includes('all') && ids.includes('fit_n')).toBe(false);
        expect(ids.includes('recheck_balance')).toBe(!everythingFits);
        expect(ids.at(-1)).toBe('decline');
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it('says which kind limits it, and whether the cap or the balance does', () => {
    fc.assert(
      fc.property(input, (i) => {
        const plan = capPlan(i);
        for (const kind of KINDS) {
          const said = plan.limitedBy.find((l) => l.kind === kind);
          if (plan.requested[kind] <= room(i, kind)) expect(said).toBeUndefined();
          else expect(said?.by).toBe((i.caps[kind] ?? Number.POSITIVE_INFINITY) <= i.available[kind] ? 'cap' : 'balance');
        }
      }),
    );
  });

  it('takes the largest lot: one account more would not fit', () => {
    fc.assert(
      fc.property(
        input.filter((i) => i.steps.reveal),
        (i) => {
          const plan = capPlan(i);
          if (plan.fits === i.accounts) return;
          const n = plan.fits + 1;
          const overCredits = n * i.prices.credit_max > room(i, 'credits');
          const overInference = i.steps.drafts && n * i.prices.draft_max > room(i, 'inference');
          const overQueries = i.prices.query * ((i.steps.search ? searchPages(n) : 0) + (i.steps.people ? n : 0)) > room(i, 'queries');
          expect(overCredits || overInference || overQueries).toBe(true);
        },
      ),
    );
  });

  it('offers 32 of 50 for a balance of 32 at one credit each', () => {
    const plan = capPlan({
      accounts: 50,
      prices: { credit_min: 1, credit_max: 1, query: 1, draft_max: 0 },
      available: { credits: 32, queries: 200, inference: 0 },
      heldElsewhere: { credits: 0, queries: 0, inference: 0 },
      caps: { credits: null, queries: null, inference: null },
      steps: { search: true, people: true, reveal: true, drafts: true },
    });
    expect(plan).toMatchObject({
      fits: 32,
      accounts: 50,
      requested: { credits: 50, queries: 53 },
      cost: { max: { credits: 32, queries: 53 } },
      limitedBy: [{ kind: 'credits', by: 'balance' }],
    });
    expect(plan.options.map((o) => [o.id, o.n])).toEqual([
      ['fit_n', 32],
      ['choose', 32],
      ['recheck_balance', 0],
      ['decline', 0],
    ]);
  });

  it('holds a page for every 25 accounts, one for plan B, and three at least', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), (n) => {
        expect(searchPages(n)).toBe(Math.max(3, Math.ceil(n / PAGE) + 1));
        expect(searchPages(n + 1)).toBeGreaterThanOrEqual(searchPages(n));
      }),
    );
  });
});

describe('the contacts that fit a sum', () => {
  const contacts = fc.uniqueArray(fc.record({ price: fc.nat({ max: 6 }), rank: fc.nat({ max: 10_000 }) }), {
    selector: (c) => c.rank,
    maxLength: 60,
  });

  it('never cost more than the sum, and their total is the sum of their prices', () => {
    fc.assert(
      fc.property(contacts, fc.nat({ max: 200 }), (all, sum) => {
        const { fitting, total } = fitContacts(all, sum);
        expect(total).toBe(fitting.reduce((s, c) => s + c.price, 0));
        expect(total).toBeLessThanOrEqual(sum);
      }),
    );
  });

  it('are the best ranked that cost something, and everybody that costs nothing, in any order given', () => {
    fc.assert(
      fc.property(
        contacts.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        fc.nat({ max: 200 }),
        ([all, shuffled], sum) => {
          const { fitting } = fitContacts(shuffled, sum);
          expect(fitting).toEqual(fitContacts(all, sum).fitting);
          expect(fitting.map((c) => c.rank)).toEqual(fitting.map((c) => c.rank).sort((a, b) => a - b));
          const left = all.filter((c) => !fitting.includes(c));
          expect(left.every((c) => c.price > 0)).toBe(true);
          const worst = Math.max(-1, ...fitting.filter((c) => c.price > 0).map((c) => c.rank));
          expect(left.every((c) => c.rank > worst)).toBe(true);
        },
      ),
    );
  });

  it('never become fewer when the sum grows, and are everybody when it covers them', () => {
    fc.assert(
      fc.property(contacts, fc.nat({ max: 200 }), fc.nat({ max: 50 }), (all, sum, more) => {
        const few = fitContacts(all, sum).fitting;
        const many = fitContacts(all, sum + more).fitting;
        expect(few.every((c) => many.includes(c))).toBe(true);
        expect(
          fitContacts(
            all,
            all.reduce((s, c) => s + c.price, 0),
          ).fitting,
        ).toHaveLength(all.length);
      }),
    );
  });

  it('leave the list they were given as it was', () => {
    const all = [
      { price: 2, rank: 3 },
      { price: 1, rank: 1 },
    ];
    fitContacts(all, 1);
    expect(all).toEqual([
      { price: 2, rank: 3 },
      { price: 1, rank: 1 },
    ]);
  });
});
