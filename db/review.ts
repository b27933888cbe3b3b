import type { Caller } from '../contracts/api.js';
import type { Progress } from '../contracts/progress.js';
import { emptyBudget, emptyCounts, emptyPaso } from '../workflows/progress.js';
import { runWorkflowId, type LockedRun } from './events.js';
import { newId } from './ids.js';

/** The one-step run of `armar-secuencia` that an approved sequence becomes, linked to its campaign. It spends and sends nothing. */
export const createReviewRun = async (from: LockedRun, decision: string, caller: Caller): Promise<string> => {
  const { tx, row, workspace } = from;
  const id = newId('run');
  const at = new Date().toISOString();
  const n = Math.max(1, from.body.contacts.drafted);
  const progress: Progress = {
    run_id: id,
    version: 1,
    plan_version: 1,
    state: 'running',
    reason: null,
    objetivo: from.body.objetivo,
    mode: row.mode,
    last_progress_at: at,
    poll_after_ms: 1000,
    counts: { ...emptyCounts(n), pending: 0, done: n },
    pasos: [{ ...emptyPaso('s6'), status: 'running', checkpoint: decision }],
    budget: emptyBudget({ credits: 0, queries: 0 }),
    decisions: [],
    contacts: { captured: 0, drafted: 0, unconfirmed: 0 },
    links: { self: `/v1/runs/${id}` },
  };
  const workflow = runWorkflowId(workspace, id, 'armar-secuencia');
  await tx.q(
    `insert into runs (id, workspace_id, recipe, linked_run_id, objetivo, criteria, cuentas, desde, hasta, mode, state, plan_max, workflow_id, created_by, channel)
     values ($1, $2, 'armar-secuencia', $3, $4, $5, $6, 's6', 'borradores', $7, 'running', '{"credits":0,"queries":0,"inference":0}', $8, $9, $10)`,
    [id, workspace, from.id, from.body.objetivo, JSON.stringify(row.criteria), n, row.mode, workflow, caller.sub, caller.channel],
  );
  await tx.q(`insert into run_progress (run_id, workspace_id, version, body) values ($1, $2, 1, $3)`, [
    id,
    workspace,
    JSON.stringify(progress),
  ]);
  await tx.q(
    `insert into run_events (run_id, version, workspace_id, kind, params, patch, at) values ($1, 1, $2, 'run.created', '{}', $3, $4)`,
    [id, workspace, JSON.stringify(progress), at],
  );
  await tx.q(`insert into outbox (workspace_id, run_id, kind, workflow_id, payload) values ($1, $2, 'start', $3, $4)`, [
    workspace,
    id,
    workflow,
    JSON.stringify({ workflow_type: 'armar-secuencia', cuentas: n }),
  ]);
  await tx.q(`select pg_notify('campana_outbox', '')`);
  return id;
};
