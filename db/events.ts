import type { Progress, ProgressPatch, Reason } from '../contracts/progress.js';
import { isFinal, type AccountState, type Control, type Hasta, type Mode, type RunState, type StepId } from '../contracts/states.js';
import type { Criteria } from '../contracts/criteria.js';
import { applyPatch, moveCounts } from '../workflows/progress.js';
import { Refusal } from '../contracts/problem.js';
import { transaction, type Pool, type Tx } from './client.js';

export interface RunPrices {
  credit_min: number;
  credit_max: number;
  query: number;
  draft_max: number;
  valid_until: string;
  topup_url: string | null;
  honours_keys: boolean;
  provider: string;
  reading_id: string;
}
export interface RunRow {
  id: string;
  workspace_id: string;
  recipe: string;
  linked_run_id: string | null;
  objetivo: string;
  criteria: Criteria;
  cuentas: number;
  desde: StepId;
  hasta: Hasta;
  mode: Mode;
  caps: { credits?: number; queries?: number; inference_micros?: number } | null;
  prices: RunPrices | null;
  plan_max: { credits: number; queries: number; inference: number } | null;
  state: RunState;
  control: Control;
  control_reason: Reason | null;
  plan_version: number;
  workflow_id: string;
  created_by: string;
  channel: string;
  undo: { decision_id: string; by: string; state: 'asked' | 'done' | 'refused' } | null;
  plan_b: Array<{ dropped: string; value: string; found: number }>;
  history_events: { total: number; people_step: number } | null;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
}

/** A step's own workflow. */
export const stepWorkflowId = (run: { workspace_id: string; id: string }, step: StepId): string =>
  `campana/${run.workspace_id}/${run.id}/${step}`;
export const runWorkflowId = (workspace: string, run: string, recipe: string): string =>
  `${recipe === 'campana' ? 'campana' : 'receta'}/${workspace}/${run}`;

/** States in which nothing moves until somebody or something outside acts; the parent workflow is told when a run enters one. */
const RESTS: RunState[] = ['waiting_decision', 'paused', 'waiting_external'];

/**
 * A run locked for change. Every change of an item, decision or step is said through `emit`, in the same transaction; the
 * version grows by one per event and the projection stays their fold.
 */
export class LockedRun {
  private readonly events: Array<{ version: number; kind: string; params: Reason['params']; patch: ProgressPatch; at: string }> = [];
  private stateBefore: RunState;

  constructor(
    readonly tx: Tx,
    readonly row: RunRow,
    public body: Progress,
  ) {
    this.stateBefore = body.state;
  }

  get id(): string {
    return this.row.id;
  }
  get workspace(): string {
    return this.row.workspace_id;
  }
  get final(): boolean {
    return isFinal(this.body.state);
  }

  emit(kind: string, params: Reason['params'], patch: ProgressPatch): void {
    if (isFinal(this.body.state) && patch.state !== undefined && patch.state !== this.body.state) {
      throw new Error(`run ${this.id} is final (${this.body.state}); it cannot become ${patch.state}`);
    }
    const version = this.body.version + 1;
    const at = new Date().toISOString();
    this.body = applyPatch(this.body, patch, version, at);
    this.events.push({ version, kind, params, patch, at });
  }

  /** Moves accounts between counts, with s3's own count following. */
  moves(moves: Array<{ from: AccountState; to: AccountState; n?: number }>): ProgressPatch {
    const counts = moveCounts(this.body.counts, moves);
    const s3 = this.body.pasos.find((p) => p.id === 's3');
    return { counts, ...(s3 ? { pasos: [{ id: 's3', conteo: { done: counts.done, total: counts.total, unit: 'account' } }] } : {}) };
  }

  /** Adds to a budget line; amounts may be negative (a hold let go). */
  budget(change: {
    credits?: [held: number, spent: number];
    queries?: [held: number, spent: number];
    inference?: [held: number, used: number | null];
  }): ProgressPatch {
    const b = structuredClone(this.body.budget);
    if (change.credits) {
      b.credits.held += change.credits[0];
      b.credits.spent += change.credits[1];
    }
    if (change.queries) {
      b.queries.held += change.queries[0];
      b.queries.spent += change.queries[1];
    }
    if (change.inference) {
      b.inference.held_micros += change.inference[0];
      const used = change.inference[1];
      b.inference.used_micros = used === null || b.inference.used_micros === null ? null : b.inference.used_micros + used;
    }
    return { budget: b };
  }

  paso(id: StepId): Progress['pasos'][number] | undefined {
    return this.body.pasos.find((p) => p.id === id);
  }

  async flush(): Promise<void> {
    if (this.events.length === 0) return;
    const { tx, row, body } = this;
    await tx.q(
      `with e as (
         insert into run_events (run_id, version, workspace_id, kind, params, patch, at)
         select $1, e.version, $2, e.kind, e.params, e.patch, e.at from jsonb_to_recordset($3::jsonb) as e (version bigint, kind text, params jsonb, patch jsonb, at timestamptz)),
       p as (update run_progress set version = $4, body = $5 where run_id = $1)
       select pg_notify('campana_runs', $6)`,
      [
        row.id,
        row.workspace_id,
        JSON.stringify(this.events),
        body.version,
        JSON.stringify(body),
        `${row.workspace_id} ${row.id} ${body.version}`,
      ],
    );
    if (body.state !== this.stateBefore) {
      await tx.q(`update runs set state = $2, ended_at = case when $3 then coalesce(ended_at, now()) else null end where id = $1`, [
        row.id,
        body.state,
        isFinal(body.state),
      ]);
      row.state = body.state;
      if (RESTS.includes(body.state)) await wake(tx, row, row.workflow_id, 'progress.changed', {});
      this.stateBefore = body.state;
    }
    this.events.length = 0;
  }
}

/** Puts a signal into the outbox, in the transaction that makes it true. The signal only wakes; the row is what is read. */
export const wake = async (
  tx: Tx,
  run: { id: string; workspace_id: string },
  workflowId: string,
  name: string,
  payload: Record<string, unknown>,
): Promise<void> => {
  await tx.q(`insert into outbox (workspace_id, run_id, kind, workflow_id, payload) values ($1, $2, 'signal', $3, $4)`, [
    run.workspace_id,
    run.id,
    workflowId,
    JSON.stringify({ signal: name, args: [payload] }),
  ]);
  await tx.q(`select pg_notify('campana_outbox', '')`);
};

/** Everything of a run but the accounts it was given, which may be thousands and are read once. */
const RUN_COLUMNS = [
  'id',
  'workspace_id',
  'recipe',
  'linked_run_id',
  'objetivo',
  'criteria',
  'cuentas',
  'desde',
  'hasta',
  'mode',
  'caps',
  'prices',
  'plan_max',
  'state',
  'control',
  'control_reason',
  'plan_version',
  'workflow_id',
  'created_by',
  'channel',
  'undo',
  'plan_b',
  'history_events',
  'created_at',
  'started_at',
  'ended_at',
];
/** Both rows are locked, so that after waiting for another change both are read as that change left them. */
const LOCK = `select p.body as progress_body, ${RUN_COLUMNS.map((c) => `r.${c}`).join(', ')} from run_progress p join runs r on r.id = p.run_id where p.run_id = $1 and p.workspace_id = $2 for update of p, r`;

export const lockRun = async (tx: Tx, workspace: string, runId: string): Promise<LockedRun> => {
  const [found] = await tx.q<RunRow & { progress_body: Progress }>(LOCK, [runId, workspace]);
  if (!found) throw new Refusal(404, 'run_not_found', { run_id: runId });
  const { progress_body: body, ...row } = found;
  return new LockedRun(tx, row, body);
};

/** Locks a run, lets `fn` change it, and writes events, projection and notification before the commit. */
export const withRun = <T>(pool: Pool, workspace: string, runId: string, fn: (run: LockedRun) => Promise<T>): Promise<T> =>
  transaction(pool, async (tx) => {
    const run = await lockRun(tx, workspace, runId);
    const result = await fn(run);
    await run.flush();
    return result;
  });

export const auditRow = async (
  tx: Tx,
  entry: {
    workspace: string;
    run?: string | null;
    actor: string;
    channel: string;
    action: string;
    reason?: string | null;
    result?: 'done' | 'unchanged' | 'refused';
    detail?: Record<string, unknown>;
  },
): Promise<void> => {
  await tx.q(
    `insert into audit (workspace_id, run_id, actor, channel, action, reason, detail, result) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      entry.workspace,
      entry.run ?? null,
      entry.actor,
      entry.channel,
      entry.action,
      entry.reason ?? null,
      JSON.stringify(entry.detail ?? {}),
      entry.result ?? 'done',
    ],
  );
};
