import { z } from 'zod';
import { DECISION_KINDS, DECISION_STATES, STEP_IDS } from './states.js';

export const Totals = z.object({ credits: z.int(), queries: z.int(), inference: z.int() });

export const DecisionOption = z
  .object({
    id: z.enum(['approve', 'fit_n', 'all', 'choose', 'recheck_balance', 'decline']),
    /** How many accounts or contacts the option covers. */
    n: z.int(),
    totals: Totals,
  })
  .meta({ id: 'DecisionOption' });
export type DecisionOption = z.infer<typeof DecisionOption>;

export const DecisionItem = z
  .object({ ref: z.string(), label: z.string(), detail: z.string().nullable(), price: z.int(), already_yours: z.boolean() })
  .meta({ id: 'DecisionItem' });
export type DecisionItem = z.infer<typeof DecisionItem>;

export const Decision = z
  .object({
    id: z.string(),
    run_id: z.string(),
    step: z.enum(STEP_IDS),
    kind: z.enum(DECISION_KINDS),
    state: z.enum(DECISION_STATES),
    plan_version: z.int(),
    payload_hash: z.string(),
    items_total: z.int(),
    items: z.array(DecisionItem),
    options: z.array(DecisionOption),
    price: z.object({
      unit_min: z.int(),
      unit_max: z.int(),
      expected_total: z.int(),
      requested_total: z.int(),
      valid_until: z.iso.datetime().nullable(),
    }),
    balance: z.object({ credits: z.int(), queries: z.int(), inference: z.int() }),
    held_elsewhere: z.object({ credits: z.int(), queries: z.int(), inference: z.int() }),
    suppressed: z.int(),
    /** How the n that fit are picked, as a catalog code. */
    ranking: z.string().nullable(),
    notes: z.array(z.object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])) })),
    expires_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    resolved: z
      .object({
        option: z.string(),
        n: z.int(),
        then: z.string().nullable(),
        by: z.string(),
        channel: z.string(),
        at: z.iso.datetime(),
        total: z.int(),
      })
      .nullable(),
    superseded_by: z.string().nullable(),
    reopened_as: z.string().nullable(),
    undo_until: z.iso.datetime().nullable(),
    links: z.object({ self: z.string(), run: z.string(), provider_topup: z.string().nullable() }),
  })
  .meta({ id: 'Decision' });
export type Decision = z.infer<typeof Decision>;

export const ResolveDecision = z
  .object({
    option: z.enum(['approve', 'fit_n', 'all', 'choose', 'decline']),
    plan_version: z.int(),
    payload_hash: z.string().max(100),
    /** The total on the button that was tapped: credits for paid cards, 0 for free ones. */
    shown_total: z.int().min(0),
    /** For `choose`: the item refs (reveal, save) or, on the start card, `n`. */
    items: z.array(z.string().max(120)).max(5000).optional(),
    n: z.int().min(1).max(5000).optional(),
    then: z.enum(['skip', 'wait', 'cancel']).optional(),
  })
  .strict()
  .meta({ id: 'ResolveDecision' });
export type ResolveDecision = z.infer<typeof ResolveDecision>;
