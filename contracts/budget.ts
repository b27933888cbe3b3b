import { z } from 'zod';
import { MONEY_KINDS } from './states.js';

/** A price as the provider lists it, per unit: `credits` per contact revealed, `queries` per search, `inference` micro-USD per draft. */
export const Price = z.object({
  kind: z.enum(MONEY_KINDS),
  unit: z.string(),
  min: z.int().min(0),
  max: z.int().min(0),
  valid_until: z.iso.datetime(),
});
export type Price = z.infer<typeof Price>;

export type Amounts = { credits: number; queries: number; inference: number };

/** Input of `capPlan`. Everything is an integer in its own unit; `null` cap means "the plan's maximum". */
export interface CapPlanInput {
  accounts: number;
  /** Highest price per contact in credits, queries per page and per account, micro-USD per draft. */
  prices: { credit_max: number; credit_min: number; query: number; draft_max: number };
  /** What can still be held now: granted − held − spent. */
  available: Amounts;
  /** Already held by other runs, shown beside the balance. */
  heldElsewhere: Amounts;
  caps: { credits: number | null; queries: number | null; inference: number | null };
  steps: { search: boolean; people: boolean; reveal: boolean; drafts: boolean };
}

export interface StartOption {
  id: 'fit_n' | 'all' | 'choose' | 'recheck_balance' | 'decline';
  n: number;
  totals: Amounts;
}

export interface CapPlan {
  /** Contacts that fit the balance and caps. */
  fits: number;
  /** Accounts whose search fits the queries. */
  accounts: number;
  cost: { expected: Amounts; max: Amounts };
  requested: Amounts;
  limitedBy: Array<{ kind: keyof Amounts; by: 'balance' | 'cap' }>;
  options: StartOption[];
}

export const Caps = z
  .object({
    credits: z.int().min(0).max(1_000_000).optional(),
    queries: z.int().min(0).max(1_000_000).optional(),
    inference_micros: z.int().min(0).max(1_000_000_000).optional(),
  })
  .meta({ id: 'Caps' });
export type Caps = z.infer<typeof Caps>;
