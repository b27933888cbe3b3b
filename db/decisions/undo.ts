import type { Caller } from '../../contracts/api.js';
import { Refusal } from '../../contracts/problem.js';
import { auditRow, wake, type LockedRun } from '../events.js';
import { type DecisionRow, findDecision } from './decision.js';

/** The undo of a save, as long as nothing was bought on top of it. */

/** Asks for the undo of a save. The run pauses at the next item; the campaign's workflow does it and shows a fresh card. */
export const askUndo = async (run: LockedRun, id: string, caller: Caller): Promise<DecisionRow> => {
  const row = await findDecision(run.tx, run.workspace, id);
  if (!caller.roles.includes('approver')) throw new Refusal(403, 'role_missing', { role: 'approver' });
  if (row.kind !== 'guardar_en_crm' || row.state !== 'approved')
    throw new Refusal(409, 'nothing_to_undo', { kind: row.kind, state: row.state });
  if (run.row.undo?.decision_id === id && run.row.undo.state !== 'refused') return row;
  if (!row.undo_until) throw new Refusal(409, 'not_saved_yet', {}, { retryable: true, retry_after_ms: 1000 });
  if (Date.parse(row.undo_until) <= Date.now()) throw new Refusal(410, 'undo_window_closed', { undo_until: row.undo_until });
  const [held] = await run.tx.q(`select 1 as x from holds where run_id = $1 and kind = 'credits' limit 1`, [run.id]);
  if (held) throw new Refusal(409, 'reveal_already_held', {});
  if (run.final) throw new Refusal(409, 'run_final', { state: run.body.state });
  if (run.row.control === 'cancel') throw new Refusal(409, 'run_stopping', {});
  const undo = { decision_id: id, by: caller.sub, state: 'asked' as const };
  await run.tx.q(`update runs set control = 'pause', undo = $2 where id = $1`, [run.id, JSON.stringify(undo)]);
  run.row.control = 'pause';
  run.row.undo = undo;
  const gone = await run.tx.q<{ id: string }>(
    `update decisions set state = 'superseded' where run_id = $1 and state = 'open' and kind = 'revelar_contactos' returning id`,
    [run.id],
  );
  run.emit(
    'undo.asked',
    { decision_id: id },
    {
      state: 'paused',
      reason: { code: 'undoing_save', params: {} },
      decisions: run.body.decisions.filter((d) => !gone.some((g) => g.id === d)),
      ...(gone.length > 0 ? { pasos: [{ id: 's4', status: 'paused', reason: null, checkpoint: null }] } : {}),
    },
  );
  await auditRow(run.tx, {
    workspace: run.workspace,
    run: run.id,
    actor: caller.sub,
    channel: caller.channel,
    action: 'save.undo',
    detail: { decision_id: id },
  });
  await wake(run.tx, run.row, run.row.workflow_id, 'control.changed', {});
  return row;
};
