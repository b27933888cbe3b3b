import { z } from 'zod';
import { Price } from '../budget.js';
import { resultOf, tool } from './common.js';

/**
 * The three balances and the price list. `credits` and `queries` are what is left at the provider; `inference` is the plan's
 * monthly entitlement in micro-USD (what was used of it is metered by the orchestrator).
 */
export const usage = tool({
  name: 'usage',
  description: 'Balances (credits, monthly queries, inference entitlement in micro-USD) and prices.',
  costo: 'gratis',
  scope: 'read',
  readOnly: true,
  input: z.object({}),
  output: resultOf({
    reading_id: z.string(),
    read_at: z.iso.datetime(),
    provider: z.string(),
    balances: z.object({ credits: z.int(), queries: z.int(), inference: z.int() }),
    prices: z.array(Price),
    /** Whether `people_reveal` answers a repeated idempotency key with the first result instead of charging again. */
    honours_idempotency_keys: z.boolean(),
    topup_url: z.string().nullable(),
  }),
});
export type Usage = z.infer<typeof usage.output>;
