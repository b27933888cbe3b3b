import { z } from 'zod';
import { Counts, Reason } from './progress.js';
import { RUN_STATES } from './states.js';

const Line = z.object({ plan_max: z.int().nullable(), held: z.int(), spent: z.int() });

/** What a run ended with. `captured` counts every contact ever captured, drafted ones included. */
export const Receipt = z
  .object({
    run_id: z.string(),
    state: z.enum(RUN_STATES),
    counts: Counts,
    contacts: z.object({ captured: z.int(), drafted: z.int(), unconfirmed: z.int() }),
    budget: z.object({ credits: Line, queries: Line, inference: Line }),
    decisions: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        state: z.string(),
        option: z.string().nullable(),
        n: z.int().nullable(),
        total: z.int().nullable(),
        by: z.string().nullable(),
        channel: z.string().nullable(),
      }),
    ),
    history_events: z.object({ total: z.int(), people_step: z.int() }),
    seconds: z.number(),
    reason: Reason.nullable(),
    /** Accounts and contacts that did not make it, grouped by reason, each with a way out as a catalog code. */
    missing: z.array(z.object({ reason: z.string(), count: z.int(), exit: z.string() })),
    freed: z.object({ credits: z.int(), queries: z.int() }),
    plan_b: z.array(z.object({ dropped: z.string(), value: z.string(), found: z.int() })),
    drafts_by: z.enum(['model', 'template', 'none']),
  })
  .meta({ id: 'Receipt' });
export type Receipt = z.infer<typeof Receipt>;
