import type { Caller } from '../contracts/api.js';
import type { RunEvent } from '../contracts/progress.js';
import { refold } from './invariants.js';
import { auditRow, stepWorkflowId, wake, type LockedRun } from './events.js';
import { Refusal } from '../contracts/problem.js';
import { canonicalJson } from './ids.js';
import { hold } from './ledger.js';

/**
 * Puts failed accounts of an open run back to be searched again: a fresh query is held for each, inside the plan's maximum.
 * @returns how many go again. @throws Refusal 409 when the run is over or the maximum leaves no room.
 */
export const retryFailed = async (run: LockedRun, caller: Caller, reason: string): Promise<number> => {
  if (run.final || run.row.control === 'cancel') throw new Refusal(409, 'run_final', { state: run.body.state });
  if (['done', 'partial', 'skipped'].includes(run.paso('s3')?.status ?? 'skipped')) throw new Refusal(409, 'search_over', {});
  const failed = await run.tx.q<{ position: number }>(
    `select position from accounts where run_id = $1 and state = 'failed' order by position for update`,
    [run.id],
  );
  const { queries } = run.body.budget;
  const per = run.row.prices?.query ?? 1;
  const room = Math.floor(((queries.plan_max ?? 0) - queries.held - queries.spent) / per);
  const again = failed.slice(0, Math.max(0, room));
  if (failed.length > 0 && again.length === 0)
    throw new Refusal(409, 'plan_max_exceeded', { plan_max: queries.plan_max, spent: queries.spent, held: queries.held });
  if (again.length > 0) {
    const [start] = await run.tx.q<{ id: string }>(
      `select id from decisions where run_id = $1 and kind = 'ajustar_presupuesto' and state = 'approved' limit 1`,
      [run.id],
    );
    const ids = await hold(
      run.tx,
      run.workspace,
      'queries',
      run.id,
      start?.id ?? '',
      again.map((a) => ({ amount: per, step: 's3', item: `account:${a.position}:again` })),
    );
    await run.tx.q(
      `update accounts a set state = 'pending', reason = null, hold_id = x.hold_id, lane_id = null, updated_at = now() from jsonb_to_recordset($2::jsonb) as x (position int, hold_id text) where a.run_id = $1 and a.position = x.position`,
      [run.id, JSON.stringify(again.map((a, i) => ({ position: a.position, hold_id: ids[i] })))],
    );
    const s3 = run.paso('s3');
    const moved = run.moves([{ from: 'failed', to: 'pending', n: again.length }]);
    run.emit(
      'accounts.again',
      { n: again.length },
      {
        ...moved,
        ...run.budget({ queries: [again.length * per, 0] }),
        ...(s3
          ? {
              pasos: [
                { id: 's3', conteo: moved.pasos?.[0]?.conteo ?? s3.conteo, cost: { ...s3.cost, held: s3.cost.held + again.length * per } },
              ],
            }
          : {}),
      },
    );
    await wake(run.tx, run.row, stepWorkflowId(run.row, 's3'), 'control.changed', {});
  }
  await auditRow(run.tx, {
    workspace: run.workspace,
    run: run.id,
    actor: caller.sub,
    channel: caller.channel,
    action: 'ops.retry-failed',
    reason,
    result: again.length > 0 ? 'done' : 'unchanged',
    detail: { n: again.length },
  });
  return again.length;
};

/** Writes the projection anew from the events, under the run's lock. @returns whether it had differed. */
export const repairProjection = async (run: LockedRun, caller: Caller, reason: string): Promise<boolean> => {
  const events = await run.tx.q<RunEvent>(`select version, kind, params, patch, at from run_events where run_id = $1 order by version`, [
    run.id,
  ]);
  const body = refold(events);
  const differed = body !== null && canonicalJson(body) !== canonicalJson(run.body);
  if (body && differed) {
    run.body = body;
    // An event of its own, so that the version moves and everybody who polls sees the repaired body.
    run.emit('projection.repaired', {}, {});
  }
  await auditRow(run.tx, {
    workspace: run.workspace,
    run: run.id,
    actor: caller.sub,
    channel: caller.channel,
    action: 'ops.repair-projection',
    reason,
    result: differed ? 'done' : 'unchanged',
    detail: { differed },
  });
  return differed;
};
