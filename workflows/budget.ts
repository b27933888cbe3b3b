import type { Amounts, CapPlan, CapPlanInput } from '../contracts/budget.js';

/** Rows per page of `company_search`. */
export const PAGE = 25;

/** Pages held for the search: what the accounts need and one more for plan B, three at least. */
export const searchPages = (accounts: number): number => Math.max(3, Math.ceil(accounts / PAGE) + 1);

const KINDS = ['credits', 'queries', 'inference'] as const;
const least = (...values: Array<number | null>): number => Math.max(0, Math.min(...values.filter((v): v is number => v !== null)));

/**
 * What a whole plan costs at most and how much of it fits the balances and the caps. Pure; integers in, integers out.
 *
 * Credits pay one contact per account, queries one search per account and one per page, inference one draft per contact. The
 * accounts that are searched are limited by queries; the contacts that are revealed by credits, and both are said.
 */
export const capPlan = (input: CapPlanInput): CapPlan => {
  const { accounts, prices, available, caps, steps } = input;
  const cost = (searched: number, revealed: number, price: number): Amounts => ({
    credits: steps.reveal ? revealed * price : 0,
    queries: prices.query * ((steps.search && searched > 0 ? searchPages(searched) : 0) + (steps.people ? searched : 0)),
    inference: steps.drafts ? revealed * prices.draft_max : 0,
  });
  const requested = cost(accounts, accounts, prices.credit_max);
  const room: Amounts = {
    credits: least(available.credits, caps.credits),
    queries: least(available.queries, caps.queries),
    inference: least(available.inference, caps.inference),
  };

  // Pages grow in steps with the accounts, so the largest number that fits is searched from above: at most 5,000 tries of integers.
  let searched = accounts;
  while (searched > 0 && cost(searched, 0, 0).queries > room.queries) searched -= 1;
  const perDraft = steps.drafts ? prices.draft_max : 0;
  const perContact = steps.reveal ? prices.credit_max : 0;
  const fits = least(
    searched,
    perContact > 0 ? Math.floor(room.credits / perContact) : null,
    perDraft > 0 ? Math.floor(room.inference / perDraft) : null,
  );
  const max = cost(searched, fits, prices.credit_max);
  const limitedBy = KINDS.filter((kind) => requested[kind] > room[kind]).map((kind) => {
    const cap = caps[kind];
    return { kind, by: cap !== null && cap <= available[kind] ? ('cap' as const) : ('balance' as const) };
  });
  const complete = fits === accounts && searched === accounts;
  const n = steps.reveal || steps.drafts ? fits : searched;
  const none: Amounts = { credits: 0, queries: 0, inference: 0 };
  return {
    fits,
    accounts: searched,
    requested,
    limitedBy,
    cost: { expected: cost(searched, fits, prices.credit_min), max },
    options: [
      ...(complete ? [{ id: 'all' as const, n: accounts, totals: max }] : []),
      ...(!complete && n > 0 ? [{ id: 'fit_n' as const, n, totals: max }] : []),
      ...(n > 1 ? [{ id: 'choose' as const, n, totals: max }] : []),
      ...(complete ? [] : [{ id: 'recheck_balance' as const, n: 0, totals: none }]),
      { id: 'decline' as const, n: 0, totals: none },
    ],
  };
};

/** The contacts that fit a sum, in order of rank; those that cost nothing always do. Pure. */
export const fitContacts = <C extends { price: number; rank: number }>(contacts: C[], room: number): { fitting: C[]; total: number } => {
  const fitting: C[] = [];
  let total = 0;
  let full = false;
  for (const contact of [...contacts].sort((a, b) => a.rank - b.rank)) {
    if (contact.price === 0) fitting.push(contact);
    else if (!full && total + contact.price <= room) {
      fitting.push(contact);
      total += contact.price;
    } else full = true; // strictly by rank: a cheaper contact further down never overtakes
  }
  return { fitting, total };
};
