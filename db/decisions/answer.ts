import type { Caller } from '../../contracts/api.js';
import { auditRow, stepWorkflowId, wake, type LockedRun } from '../events.js';
import { one } from '../client.js';
import type { DecisionRow, Outcome } from './decision.js';

/** What every answer does, yes or no: it is kept with who gave it, its card is closed and the run goes on. */

/** Writes the outcome onto an open decision and into the audit. */
export const store = async (
  run: LockedRun,
  row: DecisionRow,
  state: 'approved' | 'declined',
  outcome: Outcome,
  caller: Caller,
): Promise<DecisionRow> => {
  const decided = one(
    await run.tx.q<DecisionRow>(
      `update decisions set state = $2, outcome = $3, resolved_by = $4, channel = $5, resolved_at = now() where id = $1 and state = 'open' returning *`,
      [row.id, state, JSON.stringify(outcome), caller.sub, caller.channel],
    ),
    'decision',
  );
  await auditRow(run.tx, {
    workspace: run.workspace,
    run: run.id,
    actor: caller.sub,
    channel: caller.channel,
    action: `decision.${state}`,
    detail: { decision_id: row.id, kind: row.kind, option: outcome.option, n: outcome.n, total: outcome.total },
  });
  return decided;
};

/** Where an answered card leaves the run: going on, or still paused when a person paused it meanwhile. */
export const goesOn = (run: LockedRun): { state: 'running' | 'paused'; reason: LockedRun['body']['reason'] } =>
  run.row.control === 'pause' ? { state: 'paused', reason: run.row.control_reason ?? run.body.reason } : { state: 'running', reason: null };

/** The open cards of the run without the answered one. */
export const closed = (run: LockedRun, id: string): { decisions: string[] } => ({ decisions: run.body.decisions.filter((d) => d !== id) });

/** The run was paused for an undo; the tap on the fresh card lets it go on. */
export const afterUndo = async (run: LockedRun): Promise<void> => {
  await run.tx.q(`update runs set control = 'run', undo = null where id = $1`, [run.id]);
  run.row.control = 'run';
  run.row.undo = null;
  for (const step of ['s3', 's4'] as const) await wake(run.tx, run.row, stepWorkflowId(run.row, step), 'control.changed', {});
};
