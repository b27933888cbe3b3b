import { z } from 'zod';
import { CONTROLS, MONEY_KINDS, RUN_STATES } from './states.js';
import { Totals } from './decision.js';
import { RunSummary } from './api.js';

/** How long something has been there, in four buckets. */
export const AGES = ['under_1h', 'h1_to_24', 'd1_to_3', 'over_3d'] as const;
export type Age = (typeof AGES)[number];
const perAge = <S extends z.ZodType>(of: S) => z.object({ under_1h: of, h1_to_24: of, d1_to_3: of, over_3d: of });

/** A reason as people write one: three characters that are not spaces. */
const Why = z.string().trim().min(3).max(300);
export const OpsAction = z
  .object({ reason: Why, effect_id: z.string().max(100).optional(), outcome: z.enum(['captured', 'voided']).optional() })
  .strict()
  .meta({ id: 'OpsAction' });
export type OpsAction = z.infer<typeof OpsAction>;
/** `changed`: how many accounts, effects or rows; 0 when it was so already. */
export const OpsDone = z.object({ run_id: z.string(), changed: z.int() }).meta({ id: 'OpsDone' });
export type OpsDone = z.infer<typeof OpsDone>;

/** An outcome nobody knows yet, as an operator needs it to settle it. */
export const OpenEffect = z.object({
  effect_id: z.string(),
  kind: z.string(),
  state: z.enum(['sent', 'unconfirmed']),
  sent_at: z.iso.datetime().nullable(),
  reads: z.int(),
  needs_operator: z.boolean(),
});
export const OpsRun = RunSummary.extend({
  workflow_id: z.string(),
  idle_ms: z.int(),
  outbox_pending: z.int(),
  open_effects: z.array(OpenEffect),
  /** Where Temporal's UI shows its workflow; null where no UI is configured. */
  temporal_url: z.string().nullable(),
  held: Totals,
  control: z.enum(CONTROLS),
}).meta({ id: 'OpsRun' });
export type OpsRun = z.infer<typeof OpsRun>;
export const OpsRunPage = z.object({ runs: z.array(OpsRun), next_cursor: z.string().nullable() }).meta({ id: 'OpsRunPage' });

export const Invariants = z
  .object({
    ok: z.boolean(),
    invariants: z.array(z.object({ id: z.string(), ok: z.boolean(), detail: z.string() })),
    checked_at: z.iso.datetime(),
    duration_ms: z.int(),
  })
  .meta({ id: 'Invariants' });
export type Invariants = z.infer<typeof Invariants>;

const Sum = z.object({ n: z.int(), amount: z.int() });
const Waiting = OpenEffect.extend({
  run_id: z.string(),
  objetivo: z.string(),
  next_read_at: z.iso.datetime().nullable(),
  /** What stays apart until it is known. */
  credits_held: z.int(),
  workflow_id: z.string(),
  temporal_url: z.string().nullable(),
});

/** Everything an operator looks at first, of one workspace. */
export const OpsOverview = z
  .object({
    at: z.iso.datetime(),
    runs: z.object({
      open: z.int(),
      /** Every state that has runs; age since the run was made. */
      by_state: z.array(z.object({ state: z.enum(RUN_STATES), n: z.int(), ages: perAge(z.int()) })),
      /** Runs where it is a machine's turn and nothing has moved for `over_ms`. */
      idle: z.object({ n: z.int(), over_ms: z.int(), longest_ms: z.int(), link: z.string() }),
    }),
    /** Live holds by what they hold: credits, queries, micro-USD. */
    holds: z.array(Sum.extend({ kind: z.enum(MONEY_KINDS), ages: perAge(Sum) })),
    /** Outcomes nobody knows; the oldest fifty of them. */
    unconfirmed: z.object({
      n: z.int(),
      needs_operator: z.int(),
      credits_held: z.int(),
      oldest_sent_at: z.iso.datetime().nullable(),
      link: z.string(),
      queue: z.array(Waiting),
    }),
    /** Calls to the provider: how many may go out, go out now, and wait. */
    limiter: z.object({
      calls_per_second: z.int().nullable(),
      concurrency: z.int(),
      in_use: z.int(),
      waiting: z.int(),
      providers: z.array(
        z.object({
          provider: z.string(),
          /** Calls that may go out at this moment; null where no rate is set. */
          permits: z.int().nullable(),
          paused_until: z.iso.datetime().nullable(),
          paused_ms: z.int(),
          /** When the provider last asked to be left alone, and for how long. */
          limited_at: z.iso.datetime().nullable(),
          limited_ms: z.int().nullable(),
        }),
      ),
    }),
    /** The ledger's own; `ok` null: they could not be checked in time. */
    invariants: z.object({
      ok: z.boolean().nullable(),
      broken: z.array(z.object({ id: z.string(), detail: z.string() })),
      checked: z.int(),
      checked_at: z.iso.datetime(),
      duration_ms: z.int(),
      link: z.string(),
    }),
    outbox: z.object({ pending: z.int(), oldest_ms: z.int(), failing: z.int() }),
    /** Comparing runs with their workflows, over all workspaces. */
    reconcile: z.object({ last_at: z.iso.datetime().nullable(), took_ms: z.int().nullable(), rounds: z.int(), settled: z.int() }),
    temporal_ui: z.string().nullable(),
  })
  .meta({ id: 'OpsOverview' });
export type OpsOverview = z.infer<typeof OpsOverview>;

export const AuditEntry = z
  .object({
    id: z.int(),
    at: z.iso.datetime(),
    actor: z.string(),
    channel: z.string(),
    action: z.string(),
    run_id: z.string().nullable(),
    reason: z.string().nullable(),
    result: z.enum(['done', 'unchanged', 'refused']),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;
export const AuditPage = z.object({ entries: z.array(AuditEntry), next_cursor: z.string().nullable() }).meta({ id: 'AuditPage' });
