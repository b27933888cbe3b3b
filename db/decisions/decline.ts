import type { Caller } from '../../contracts/api.js';
import type { ResolveDecision } from '../../contracts/decision.js';
import type { DecisionKind } from '../../contracts/states.js';
import { applyCancel } from '../controls.js';
import { wake, type LockedRun } from '../events.js';
import type { DecisionRow } from './decision.js';
import { afterUndo, closed, goesOn, store } from './answer.js';

/** A card that was declined: the step is skipped, the run waits, or it is cancelled. */

/** What declining means when the person did not say: the start has nothing to wait for, a review nothing to stop. */
export const thenOf = (kind: DecisionKind, said: ResolveDecision['then']): 'skip' | 'wait' | 'cancel' =>
  kind === 'ajustar_presupuesto' ? 'cancel' : kind === 'revisar_secuencia' ? 'skip' : (said ?? 'wait');

/** Writes a no, and what the person wants then. */
export const decline = async (run: LockedRun, row: DecisionRow, tap: ResolveDecision, caller: Caller): Promise<DecisionRow> => {
  const then = thenOf(row.kind, tap.then);
  const decided = await store(run, row, 'declined', { option: 'decline', n: 0, then, total: 0, items: null }, caller);
  run.emit('decision.declined', { decision_id: row.id, then }, closed(run, row.id));
  if (row.kind === 'revisar_secuencia')
    await run.tx.q(`update sequences set state = 'declined' where run_id = $1 and state = 'draft'`, [run.id]);
  else if (then === 'cancel')
    await applyCancel(run, {
      code: row.kind === 'ajustar_presupuesto' ? 'start_declined' : 'canceled_by_person',
      params: { by: caller.sub },
    });
  else if (then === 'wait') {
    await run.tx.q(`update runs set control = 'pause' where id = $1`, [run.id]);
    run.row.control = 'pause';
    run.emit(
      'run.paused',
      { why: 'declined' },
      { state: 'paused', reason: { code: 'declined_wait', params: { kind: row.kind } }, pasos: [{ id: row.step, status: 'paused' }] },
    );
  } else {
    if (row.kind === 'revelar_contactos')
      await run.tx.q(
        `update contacts set reason = '{"code":"declined_skip","params":{}}' where run_id = $1 and state = 'quoted' and reason is null`,
        [run.id],
      );
    // A declined card after an undo: the campaign goes on without the save.
    if (run.row.undo?.state === 'done') await afterUndo(run);
    run.emit(
      'step.skipping',
      { step: row.step },
      { ...goesOn(run), pasos: [{ id: row.step, status: 'running', reason: { code: 'declined_skip', params: {} } }] },
    );
  }
  if (row.kind !== 'revisar_secuencia') await wake(run.tx, run.row, row.target_workflow_id, 'decision.resolved', { decision_id: row.id });
  if (then === 'cancel' && row.target_workflow_id !== run.row.workflow_id)
    await wake(run.tx, run.row, run.row.workflow_id, 'control.changed', {});
  return decided;
};
