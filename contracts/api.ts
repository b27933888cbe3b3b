import { z } from 'zod';
import { ACCOUNT_STATES, CONTACT_STATES, HASTA, MODES, MONEY_KINDS, RUN_STATES } from './states.js';
import { Counts, Reason } from './progress.js';
import { Decision, DecisionItem, Totals } from './decision.js';
import { Problem } from './problem.js';
import { Criteria } from './criteria.js';
import { Caps } from './budget.js';

export const RunAccepted = z
  .object({
    run_id: z.string(),
    state: z.enum(RUN_STATES),
    version: z.int(),
    plan_version: z.int(),
    links: z.object({ self: z.string(), progress: z.string() }),
  })
  .meta({ id: 'RunAccepted' });
export type RunAccepted = z.infer<typeof RunAccepted>;

/** What a run would cost at most, before anything is started (`POST /v1/runs?dry_run=true`). */
export const PlanEstimate = z
  .object({
    cuentas: z.int(),
    fits: z.int(),
    requested: Totals,
    max: Totals,
    expected: Totals,
    available: Totals,
    held_elsewhere: Totals,
    limited_by: z.array(z.object({ kind: z.enum(MONEY_KINDS), by: z.enum(['balance', 'cap']) })),
  })
  .meta({ id: 'PlanEstimate' });
export type PlanEstimate = z.infer<typeof PlanEstimate>;

export const RunSummary = z
  .object({
    run_id: z.string(),
    objetivo: z.string(),
    recipe: z.string(),
    state: z.enum(RUN_STATES),
    reason: Reason.nullable(),
    version: z.int(),
    plan_version: z.int(),
    counts: Counts,
    created_at: z.iso.datetime(),
    last_progress_at: z.iso.datetime(),
    decisions: z.array(z.string()),
  })
  .meta({ id: 'RunSummary' });
export type RunSummary = z.infer<typeof RunSummary>;
export const RunPage = z.object({ runs: z.array(RunSummary), next_cursor: z.string().nullable() }).meta({ id: 'RunPage' });

/** One run with what it was asked to do. */
export const Run = RunSummary.extend({
  criteria: Criteria,
  cuentas: z.int(),
  desde: z.string(),
  hasta: z.enum(HASTA),
  modo: z.enum(MODES),
  caps: Caps.nullable(),
  plan_max: Totals.nullable(),
  linked_run_id: z.string().nullable(),
  created_by: z.string(),
  channel: z.string(),
  started_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
  workflow_id: z.string(),
  links: z.object({ self: z.string(), progress: z.string(), items: z.string(), receipt: z.string().nullable() }),
}).meta({ id: 'Run' });
export type Run = z.infer<typeof Run>;
export const DecisionPage = z.object({ decisions: z.array(Decision), next_cursor: z.string().nullable() }).meta({ id: 'DecisionPage' });

/** A decision among others of all runs. */
export const DecisionListed = Decision.extend({
  objetivo: z.string(),
  run_state: z.enum(RUN_STATES),
  /** Credits: what was approved, else what the main button would take. */
  amount: z.int(),
}).meta({ id: 'DecisionListed' });
export type DecisionListed = z.infer<typeof DecisionListed>;
export const DECISION_TABS = ['open', 'resolved', 'expired', 'superseded'] as const;
export type DecisionTab = (typeof DECISION_TABS)[number];
export const DecisionList = z
  .object({
    decisions: z.array(DecisionListed),
    next_cursor: z.string().nullable(),
    /** Of all that the filter by run leaves, whatever the tab. */
    counts: z.object({ open: z.int(), resolved: z.int(), expired: z.int(), superseded: z.int() }),
    /** The workspace's open cards that cost something (`paid` of them), together: what their main buttons add up to beside what is available now. */
    net: z.object({ paid: z.int(), totals: Totals, balance: Totals, short: Totals, exceeds: z.boolean() }),
  })
  .meta({ id: 'DecisionList' });
export type DecisionList = z.infer<typeof DecisionList>;
export const DecisionItems = z
  .object({
    /** In the order of the ranking; `in_lot`: part of what the main button takes. */
    items: z.array(DecisionItem.extend({ position: z.int(), in_lot: z.boolean() })),
    total: z.int(),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'DecisionItems' });
export type DecisionItems = z.infer<typeof DecisionItems>;

/** Cards that a person does not want, at once. There is no such thing for approving. */
export const RejectDecisions = z
  .object({
    ids: z
      .array(z.string().regex(/^[A-Za-z0-9_-]{1,100}$/))
      .min(1)
      .max(100),
    then: z.enum(['skip', 'wait', 'cancel']).optional(),
  })
  .strict()
  .meta({ id: 'RejectDecisions' });
export type RejectDecisions = z.infer<typeof RejectDecisions>;
export const DecisionsRejected = z
  .object({
    rejected: z.int(),
    refused: z.int(),
    results: z.array(z.object({ id: z.string(), ok: z.boolean(), decision: Decision.nullable(), problem: Problem.nullable() })),
  })
  .meta({ id: 'DecisionsRejected' });
export type DecisionsRejected = z.infer<typeof DecisionsRejected>;

export const ItemContact = z.object({
  contact_id: z.string(),
  person_id: z.string(),
  title: z.string().nullable(),
  state: z.enum(CONTACT_STATES),
  price: z.int(),
  name: z.string().nullable(),
  email: z.string().nullable(),
});
export const Item = z
  .object({
    item_id: z.string(),
    position: z.int(),
    state: z.enum(ACCOUNT_STATES),
    reason: Reason.nullable(),
    company: z.object({ ref: z.string(), name: z.string() }).nullable(),
    /** Why this person: role match, seniority and freshness, 0–100 each, and the total. */
    choice: z
      .object({ person_id: z.string(), title: z.string(), score: z.int(), role: z.int(), seniority: z.int(), freshness: z.int() })
      .nullable(),
    contact: ItemContact.nullable(),
    /** The way out of a missing item, as a catalog code. */
    exit: z.string().nullable(),
  })
  .meta({ id: 'Item' });
export type Item = z.infer<typeof Item>;
export const ItemPage = z.object({ items: z.array(Item), next_cursor: z.string().nullable() }).meta({ id: 'ItemPage' });
export type ItemPage = z.infer<typeof ItemPage>;

/** What a run did not get, by why: accounts without a person, persons not revealed, contacts without a draft. */
export const Missing = z
  .object({
    run_id: z.string(),
    version: z.int(),
    /** Accounts: all, those with a chosen person. */
    total: z.int(),
    done: z.int(),
    missing: z.int(),
    groups: z.array(
      z.object({
        reason: z.string(),
        params: Reason.shape.params,
        count: z.int(),
        of: z.enum(['account', 'contact', 'draft']),
        /** The way out, as a catalog code. */
        exit: z.string(),
        link: z.string(),
        first: z.array(Item),
      }),
    ),
  })
  .meta({ id: 'Missing' });
export type Missing = z.infer<typeof Missing>;

/** A run's way so far, for a plot: what it had reached and used at a moment, and what happened then. */
export const TimelinePoint = z.object({
  version: z.int(),
  at: z.iso.datetime(),
  done: z.int(),
  credits_held: z.int(),
  credits_spent: z.int(),
  queries_held: z.int(),
  queries_spent: z.int(),
  /** micro-USD; null when a call had no known price. */
  inference_micros: z.int().nullable(),
});
export const Timeline = z
  .object({
    run_id: z.string(),
    version: z.int(),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    total: z.int(),
    /** The plan's maxima; null while there is none. */
    limits: z.object({ credits: z.int().nullable(), queries: z.int().nullable(), inference_micros: z.int().nullable() }),
    events: z.int(),
    /** Fewer points than events: the last one of each stretch. */
    sampled: z.boolean(),
    /** False once the events are gone, 90 days after the run ended. */
    kept: z.boolean(),
    points: z.array(TimelinePoint),
    markers: z.array(z.object({ version: z.int(), at: z.iso.datetime(), kind: z.string(), params: Reason.shape.params })),
  })
  .meta({ id: 'Timeline' });
export type Timeline = z.infer<typeof Timeline>;

export const BalanceLine = z.object({ granted: z.int(), available: z.int(), held: z.int(), spent: z.int(), expired: z.int() });
export const Balances = z
  .object({
    version: z.int(),
    credits: BalanceLine,
    queries: BalanceLine,
    inference: BalanceLine,
    /** When the provider was last asked. null: never, so that the figures say nothing yet. */
    read_at: z.iso.datetime().nullable(),
    topup_url: z.string().nullable(),
  })
  .meta({ id: 'Balances' });
export type Balances = z.infer<typeof Balances>;

export const ControlAccepted = z
  .object({ run_id: z.string(), state: z.enum(RUN_STATES), version: z.int(), plan_version: z.int() })
  .meta({ id: 'ControlAccepted' });
export type ControlAccepted = z.infer<typeof ControlAccepted>;

export const ReplanImpact = z
  .object({
    run_id: z.string(),
    dry_run: z.boolean(),
    plan_version: z.int(),
    kept: z.object({ chosen: z.int(), captured: z.int(), drafted: z.int() }),
    dropped: z.int(),
    freed: Totals,
    superseded: z.array(z.string()),
    steps_removed: z.array(z.string()),
    steps_added: z.array(z.string()),
  })
  .meta({ id: 'ReplanImpact' });
export type ReplanImpact = z.infer<typeof ReplanImpact>;

export const Suppression = z
  .object({ id: z.string(), kind: z.enum(['rfc', 'domain', 'person', 'email']), created_at: z.iso.datetime() })
  .meta({ id: 'Suppression' });
export type Suppression = z.infer<typeof Suppression>;
export const SuppressionPage = z
  .object({ suppressions: z.array(Suppression), next_cursor: z.string().nullable() })
  .meta({ id: 'SuppressionPage' });
export const CreateSuppressions = z
  .object({
    entries: z
      .array(z.object({ kind: z.enum(['rfc', 'domain', 'person', 'email']), value: z.string().trim().min(1).max(320) }))
      .min(1)
      .max(1000),
  })
  .strict()
  .meta({ id: 'CreateSuppressions' });
const Named = z.array(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)).max(100);
export const Settings = z
  .object({
    zone: z.string().max(60),
    language: z.enum(['es-MX', 'en']),
    concurrency: z.int().min(1).max(50),
    second_approver_above: z.int().min(0).max(1_000_000_000).nullable(),
    calls_per_second: z.int().min(1).max(1000).nullable().default(null),
    /** Connections that work (`buzon`) and what the account includes, for skills that need them; null: nobody has said, so none is missing. Left out, they stay. */
    integrations: Named.nullable().optional(),
    capabilities: Named.nullable().optional(),
  })
  .meta({ id: 'Settings' });
export type Settings = z.infer<typeof Settings>;

export const Sequence = z
  .object({
    sequence_id: z.string(),
    run_id: z.string(),
    state: z.enum(['draft', 'approved', 'declined']),
    decision_id: z.string().nullable(),
    /** The open card's hash as these texts stand: a tap with it approves what was read here, and no correction that came later. */
    decision_hash: z.string().nullable(),
    objetivo: z.string(),
    /** What the provider's check found in the texts. */
    problems: z.array(z.object({ code: z.string(), count: z.int() })),
    /**
     * What the provider has; null before it was stored there. `edited`: it was stored anew after the approval, with the texts as people had
     * corrected them. `left`: an earlier sequence that the provider could not be told to replace, and still has.
     */
    stored: z.object({ sequence_id: z.string(), at: z.iso.datetime(), edited: z.boolean(), left: z.string().nullable() }).nullable(),
    /**
     * How far the approval got; null before it. `stored`: the provider has the texts as they were approved. `hindered`: the run that carries it
     * out is paused, and `reason` says why. `not_stored`: it is over, and the provider has the texts as they were before they were corrected;
     * `unknown`: it is over, and nobody knows what a call that was sent did.
     */
    approval: z
      .object({
        state: z.enum(['under_way', 'stored', 'hindered', 'not_stored', 'unknown']),
        run_id: z.string().nullable(),
        reason: Reason.nullable(),
      })
      .nullable(),
    drafts: z.array(
      z.object({
        draft_id: z.string(),
        contact_id: z.string(),
        to_name: z.string().nullable(),
        title: z.string().nullable(),
        company: z.string().nullable(),
        subject: z.string(),
        body: z.string(),
        written_by: z.enum(['model', 'template']),
        /** Grows with every change; a change names the one it was made from. */
        version: z.int(),
        edited_by: z.string().nullable(),
        edited_at: z.iso.datetime().nullable(),
        /** The draft in what the provider has now. */
        stored_draft_id: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Sequence' });
export type Sequence = z.infer<typeof Sequence>;
export const PatchDraft = z
  .object({ version: z.int().min(1), subject: z.string().min(1).max(300).optional(), body: z.string().min(1).max(10_000).optional() })
  .strict()
  .meta({ id: 'PatchDraft' });
export type PatchDraft = z.infer<typeof PatchDraft>;

/** Who is calling, and how they like to read. */
export const Session = z
  .object({
    sub: z.string(),
    workspace: z.string(),
    roles: z.array(z.enum(['seller', 'approver', 'operator'])),
    agent: z.boolean(),
    expires_at: z.iso.datetime(),
    language: z.enum(['es-MX', 'en']),
    zone: z.string(),
    /** To be sent back as `X-CSRF-Token` with every change; null where the call came with a bearer token. */
    csrf_token: z.string().nullable(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;
export const LoginCode = z
  .object({
    code: z.string(),
    expires_at: z.iso.datetime(),
    /** Of the page, with the code in the fragment, which no server and no log ever sees. */
    path: z.string(),
  })
  .meta({ id: 'LoginCode' });
export type LoginCode = z.infer<typeof LoginCode>;

export const Health = z
  .object({ alive: z.boolean(), ready: z.boolean(), parts: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })) })
  .meta({ id: 'Health' });

/** Who is calling, from the token and nowhere else. */
export interface Caller {
  sub: string;
  workspace: string;
  roles: Array<'seller' | 'approver' | 'operator'>;
  channel: string;
}
