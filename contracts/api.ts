import { z } from 'zod';
import { ACCOUNT_STATES, CONTACT_STATES, HASTA, MODES, MONEY_KINDS, RUN_STATES } from './states.js';
import { Counts, Reason } from './progress.js';
import { Decision, Totals } from './decision.js';
import { Criteria } from './criteria.js';
import { Caps } from './budget.js';

export const RunAccepted = z.object({ run_id: z.string(), state: z.enum(RUN_STATES), version: z.int(), plan_version: z.int(), links: z.object({ self: z.string(), progress: z.string() }) }).meta({ id: 'RunAccepted' });
export type RunAccepted = z.infer<typeof RunAccepted>;

/** What a run would cost at most, before anything is started (`POST /v1/runs?dry_run=true`). */
export const PlanEstimate = z.object({
  cuentas: z.int(), fits: z.int(), requested: Totals, max: Totals, expected: Totals, available: Totals, held_elsewhere: Totals,
  limited_by: z.array(z.object({ kind: z.enum(MONEY_KINDS), by: z.enum(['balance', 'cap']) })),
}).meta({ id: 'PlanEstimate' });
export type PlanEstimate = z.infer<typeof PlanEstimate>;

export const RunSummary = z.object({
  run_id: z.string(), objetivo: z.string(), recipe: z.string(), state: z.enum(RUN_STATES), reason: Reason.nullable(), version: z.int(), plan_version: z.int(),
  counts: Counts, created_at: z.iso.datetime(), last_progress_at: z.iso.datetime(), decisions: z.array(z.string()),
}).meta({ id: 'RunSummary' });
export type RunSummary = z.infer<typeof RunSummary>;
export const RunPage = z.object({ runs: z.array(RunSummary), next_cursor: z.string().nullable() }).meta({ id: 'RunPage' });

/** One run with what it was asked to do. */
export const Run = RunSummary.extend({
  criteria: Criteria, cuentas: z.int(), desde: z.string(), hasta: z.enum(HASTA), modo: z.enum(MODES), caps: Caps.nullable(), plan_max: Totals.nullable(),
  linked_run_id: z.string().nullable(), created_by: z.string(), channel: z.string(), started_at: z.iso.datetime().nullable(), ended_at: z.iso.datetime().nullable(),
  workflow_id: z.string(), links: z.object({ self: z.string(), progress: z.string(), items: z.string(), receipt: z.string().nullable() }),
}).meta({ id: 'Run' });
export type Run = z.infer<typeof Run>;
export const DecisionPage = z.object({ decisions: z.array(Decision), next_cursor: z.string().nullable() }).meta({ id: 'DecisionPage' });

export const ItemContact = z.object({ contact_id: z.string(), person_id: z.string(), title: z.string().nullable(), state: z.enum(CONTACT_STATES), price: z.int(), name: z.string().nullable(), email: z.string().nullable() });
export const Item = z.object({
  item_id: z.string(), position: z.int(), state: z.enum(ACCOUNT_STATES), reason: Reason.nullable(),
  company: z.object({ ref: z.string(), name: z.string() }).nullable(),
  /** Why this person: role match, seniority and freshness, 0–100 each, and the total. */
  choice: z.object({ person_id: z.string(), title: z.string(), score: z.int(), role: z.int(), seniority: z.int(), freshness: z.int() }).nullable(),
  contact: ItemContact.nullable(),
  /** The way out of a missing item, as a catalog code. */
  exit: z.string().nullable(),
}).meta({ id: 'Item' });
export type Item = z.infer<typeof Item>;
export const ItemPage = z.object({ items: z.array(Item), next_cursor: z.string().nullable() }).meta({ id: 'ItemPage' });

export const BalanceLine = z.object({ granted: z.int(), available: z.int(), held: z.int(), spent: z.int(), expired: z.int() });
export const Balances = z.object({
  version: z.int(), credits: BalanceLine, queries: BalanceLine, inference: BalanceLine,
  read_at: z.iso.datetime().nullable(), topup_url: z.string().nullable(),
}).meta({ id: 'Balances' });
export type Balances = z.infer<typeof Balances>;

export const ControlAccepted = z.object({ run_id: z.string(), state: z.enum(RUN_STATES), version: z.int(), plan_version: z.int() }).meta({ id: 'ControlAccepted' });
export type ControlAccepted = z.infer<typeof ControlAccepted>;

export const ReplanImpact = z.object({
  run_id: z.string(), dry_run: z.boolean(), plan_version: z.int(),
  kept: z.object({ chosen: z.int(), captured: z.int(), drafted: z.int() }),
  dropped: z.int(), freed: Totals, superseded: z.array(z.string()), steps_removed: z.array(z.string()), steps_added: z.array(z.string()),
}).meta({ id: 'ReplanImpact' });
export type ReplanImpact = z.infer<typeof ReplanImpact>;

export const Suppression = z.object({ id: z.string(), kind: z.enum(['rfc', 'domain', 'person', 'email']), created_at: z.iso.datetime() }).meta({ id: 'Suppression' });
export type Suppression = z.infer<typeof Suppression>;
export const SuppressionPage = z.object({ suppressions: z.array(Suppression), next_cursor: z.string().nullable() }).meta({ id: 'SuppressionPage' });
export const CreateSuppressions = z.object({ entries: z.array(z.object({ kind: z.enum(['rfc', 'domain', 'person', 'email']), value: z.string().trim().min(1).max(320) })).min(1).max(1000) }).strict().meta({ id: 'CreateSuppressions' });
const Named = z.array(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)).max(100);
export const Settings = z.object({ zone: z.string().max(60), language: z.enum(['es-MX', 'en']), concurrency: z.int().min(1).max(50), second_approver_above: z.int().min(0).max(1_000_000_000).nullable(), calls_per_second: z.int().min(1).max(1000).nullable().default(null),
  /** Connections that work (`buzon`) and what the account includes, for skills that need them; null: nobody has said, so none is missing. Left out, they stay. */
  integrations: Named.nullable().optional(), capabilities: Named.nullable().optional(),
}).meta({ id: 'Settings' });
export type Settings = z.infer<typeof Settings>;

export const Sequence = z.object({
  sequence_id: z.string(), run_id: z.string(), state: z.enum(['draft', 'approved', 'declined']), decision_id: z.string().nullable(),
  drafts: z.array(z.object({ draft_id: z.string(), contact_id: z.string(), to_name: z.string().nullable(), subject: z.string(), body: z.string(), written_by: z.enum(['model', 'template']) })),
}).meta({ id: 'Sequence' });
export type Sequence = z.infer<typeof Sequence>;
export const PatchDraft = z.object({ subject: z.string().min(1).max(300).optional(), body: z.string().min(1).max(10_000).optional() }).strict().meta({ id: 'PatchDraft' });

export const OpsAction = z.object({ reason: z.string().min(3).max(300), effect_id: z.string().optional(), outcome: z.enum(['captured', 'voided']).optional() }).strict().meta({ id: 'OpsAction' });
export const OpsDone = z.object({ run_id: z.string(), changed: z.int() }).meta({ id: 'OpsDone' });
export type OpsDone = z.infer<typeof OpsDone>;
/** An outcome nobody knows yet, as an operator needs it to settle it. */
export const OpenEffect = z.object({ effect_id: z.string(), kind: z.string(), state: z.enum(['sent', 'unconfirmed']), sent_at: z.iso.datetime().nullable(), reads: z.int(), needs_operator: z.boolean() });
export const OpsRun = RunSummary.extend({ workflow_id: z.string(), idle_ms: z.int(), outbox_pending: z.int(), open_effects: z.array(OpenEffect) }).meta({ id: 'OpsRun' });
export type OpsRun = z.infer<typeof OpsRun>;
export const OpsRunPage = z.object({ runs: z.array(OpsRun), next_cursor: z.string().nullable() }).meta({ id: 'OpsRunPage' });
export const Invariants = z.object({ ok: z.boolean(), invariants: z.array(z.object({ id: z.string(), ok: z.boolean(), detail: z.string() })) }).meta({ id: 'Invariants' });

export const Health = z.object({ alive: z.boolean(), ready: z.boolean(), parts: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })) }).meta({ id: 'Health' });

/** Who is calling, from the token and nowhere else. */
export interface Caller { sub: string; workspace: string; roles: Array<'seller' | 'approver' | 'operator'>; channel: string }
