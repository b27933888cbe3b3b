import type { Caller } from '../../contracts/api.js';
import { Refusal } from '../../contracts/problem.js';
import { openCard } from '../cards.js';
import { auditRow, wake, type LockedRun } from '../events.js';
import { cardOf, findDecision, type DecisionRow } from './decision.js';
import { closed } from './answer.js';

/** Cards that nobody answered: they expire, and are opened anew at today's price. */

/** After 72 h without a tap: the card expires and the run pauses; nothing is lost and nothing was held. */
export const expireDecision = async (run: LockedRun, row: Pick<DecisionRow, 'id' | 'step' | 'kind'>): Promise<void> => {
  const done = await run.tx.q(`update decisions set state = 'expired' where id = $1 and state = 'open' returning id`, [row.id]);
  if (done.length === 0) return;
  await run.tx.q(`update runs set control = 'pause', control_reason = '{"code":"decision_expired","params":{}}' where id = $1`, [run.id]);
  run.row.control = 'pause';
  run.emit(
    'decision.expired',
    { decision_id: row.id },
    {
      ...closed(run, row.id),
      state: 'paused',
      reason: { code: 'decision_expired', params: { kind: row.kind, decision_id: row.id } },
      pasos: [{ id: row.step, status: 'paused', reason: { code: 'decision_expired', params: {} } }],
    },
  );
};

const ENDED_STEPS = new Set<string>(['done', 'partial', 'skipped', 'canceled', 'failed']);

/** A new card for an expired one (or one declined with `wait`), at today's price; the old row stays as it ended. */
export const reopenDecision = async (run: LockedRun, id: string, caller: Caller): Promise<DecisionRow> => {
  const row = await findDecision(run.tx, run.workspace, id);
  if (!caller.roles.includes('approver')) throw new Refusal(403, 'role_missing', { role: 'approver' });
  if (row.reopened_as) return findDecision(run.tx, run.workspace, row.reopened_as);
  const waits = row.state === 'expired' || (row.state === 'declined' && row.outcome?.then === 'wait');
  // Only a step's last card, and only while its step waits for it: an earlier one was answered by another since.
  const [last] = await run.tx.q<{ id: string }>(
    `select id from decisions where run_id = $1 and step = $2 order by created_at desc, id desc limit 1`,
    [run.id, row.step],
  );
  const over = ENDED_STEPS.has(run.paso(row.step)?.status ?? 'skipped');
  if (!waits || run.final || run.row.control === 'cancel' || last?.id !== row.id || over)
    throw new Refusal(409, 'not_reopenable', { state: row.state, run: run.body.state });
  if (run.row.undo?.state === 'asked') throw new Refusal(409, 'undo_in_progress', {}, { retryable: true, retry_after_ms: 1000 });
  await run.tx.q(`update runs set control = 'run', control_reason = null where id = $1`, [run.id]);
  run.row.control = 'run';
  const fresh = await openCard(run, await cardOf(run, row), { reopens: row.id });
  await auditRow(run.tx, {
    workspace: run.workspace,
    run: run.id,
    actor: caller.sub,
    channel: caller.channel,
    action: 'decision.reopened',
    detail: { decision_id: id, fresh },
  });
  await wake(run.tx, run.row, row.target_workflow_id, 'control.changed', {});
  if (row.target_workflow_id !== run.row.workflow_id) await wake(run.tx, run.row, run.row.workflow_id, 'control.changed', {});
  return findDecision(run.tx, run.workspace, fresh);
};
