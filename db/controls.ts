import type { Caller } from '../contracts/api.js';
import type { ReplanImpact } from '../contracts/api.js';
import type { Replan } from '../contracts/criteria.js';
import { Refusal } from '../contracts/problem.js';
import type { ProgressPatch, Reason } from '../contracts/progress.js';
import { LAST_STEP, type StepId } from '../contracts/states.js';
import { planSteps } from '../workflows/progress.js';
import { supersedeOpen } from './cards.js';
import { auditRow, stepWorkflowId, wake, type LockedRun } from './events.js';
import { release } from './ledger.js';
import { objectiveAfter } from './objective.js';

const CHILD_STEPS: StepId[] = ['s1', 's2', 's3', 's4', 's5'];

const atWork = (run: LockedRun): StepId[] =>
  run.body.pasos
    .filter((p) => CHILD_STEPS.includes(p.id) && ['running', 'waiting_decision', 'paused', 'blocked', 'unconfirmed'].includes(p.status))
    .map((p) => p.id);

/** Wakes the campaign and the steps that are not over yet; they read the run row. */
const wakeAll = async (run: LockedRun, steps: StepId[] = atWork(run)): Promise<void> => {
  await wake(run.tx, run.row, run.row.workflow_id, 'control.changed', {});
  for (const step of steps) await wake(run.tx, run.row, stepWorkflowId(run.row, step), 'control.changed', {});
};
const refuseFinal = (run: LockedRun): void => {
  if (run.final) throw new Refusal(409, 'run_final', { state: run.body.state });
  if (run.row.control === 'cancel') throw new Refusal(409, 'run_stopping', {});
};
const current = (run: LockedRun): StepId | undefined =>
  run.body.pasos.find((p) => ['running', 'waiting_decision', 'unconfirmed', 'blocked'].includes(p.status))?.id;

/** Pause holds at the next item: lanes read the row at every claim. A repeat changes nothing. */
export const pauseRun = async (run: LockedRun, caller: Caller, reason?: string, as: 'run' | 'ops' = 'run'): Promise<void> => {
  refuseFinal(run);
  if (run.row.control === 'pause') return;
  const why: Reason = { code: 'paused_by_person', params: { by: caller.sub } };
  await run.tx.q(`update runs set control = 'pause', control_reason = $2 where id = $1`, [run.id, JSON.stringify(why)]);
  run.row.control = 'pause';
  const step = current(run);
  run.emit(
    'run.paused',
    { by: caller.sub },
    { state: 'paused', reason: why, ...(step && run.paso(step)?.status === 'running' ? { pasos: [{ id: step, status: 'paused' }] } : {}) },
  );
  await auditRow(run.tx, {
    workspace: run.workspace,
    run: run.id,
    actor: caller.sub,
    channel: caller.channel,
    action: `${as}.pause`,
    reason: reason ?? null,
  });
  await wakeAll(run);
};

/** Goes on where it stopped. An open card goes back to waiting for its tap. */
export const resumeRun = async (run: LockedRun, caller: Caller, reason?: string, as: 'run' | 'ops' = 'run'): Promise<void> => {
  refuseFinal(run);
  if (run.row.control === 'run') return;
  if (run.row.undo?.state === 'asked') throw new Refusal(409, 'undo_in_progress', {}, { retryable: true, retry_after_ms: 1000 });
  await run.tx.q(`update runs set control = 'run', control_reason = null where id = $1`, [run.id]);
  run.row.control = 'run';
  const open = run.body.pasos.find((p) => p.status === 'waiting_decision' && p.id !== 's6');
  const paused = run.body.pasos.filter((p) => p.status === 'paused');
  const state = open ? (open.id === 's0' ? ('ready' as const) : ('waiting_decision' as const)) : ('running' as const);
  run.emit(
    'run.resumed',
    { by: caller.sub },
    { state, reason: open?.reason ?? null, pasos: paused.map((p) => ({ id: p.id, status: 'running', reason: null })) },
  );
  await auditRow(run.tx, {
    workspace: run.workspace,
    run: run.id,
    actor: caller.sub,
    channel: caller.channel,
    action: `${as}.resume`,
    reason: reason ?? null,
  });
  await wakeAll(run);
};

/** Stops the run: what is sent is settled, what is not is let go, the receipt says both. */
export const applyCancel = async (run: LockedRun, reason: Reason): Promise<void> => {
  await run.tx.q(`update runs set control = 'cancel', control_reason = $2 where id = $1`, [run.id, JSON.stringify(reason)]);
  run.row.control = 'cancel';
  run.row.control_reason = reason;
  await supersedeOpen(run);
  run.emit('run.stopping', {}, { state: 'stopping', reason });
};
export const cancelRun = async (run: LockedRun, caller: Caller, reason?: string, as: 'run' | 'ops' = 'run'): Promise<void> => {
  if (run.body.state === 'canceled' || run.row.control === 'cancel') return;
  refuseFinal(run);
  await applyCancel(run, { code: 'canceled_by_person', params: { by: caller.sub } });
  await auditRow(run.tx, {
    workspace: run.workspace,
    run: run.id,
    actor: caller.sub,
    channel: caller.channel,
    action: `${as}.cancel`,
    reason: reason ?? null,
  });
  await wakeAll(run);
};

/**
 * Changes the plan: fewer accounts, another role for those still to be searched, another end. Finished items stay; open cards
 * become superseded; the plan's maximum is never raised here. With `dryRun` it only says what would happen.
 */
export const replanRun = async (run: LockedRun, change: Replan, caller: Caller, dryRun: boolean): Promise<ReplanImpact> => {
  refuseFinal(run);
  const { row, tx } = run;
  // The run of an approval is one step, and its texts are fixed.
  if (row.desde === 's6') throw new Refusal(422, 'replan_one_step', {});
  if (change.cuentas !== undefined && change.cuentas > row.cuentas)
    throw new Refusal(422, 'replan_only_less', { cuentas: row.cuentas, asked: change.cuentas });
  const hasta = change.hasta ?? row.hasta;
  if (LAST_STEP[hasta] > LAST_STEP[row.hasta]) throw new Refusal(422, 'replan_only_shorter', { hasta: row.hasta, asked: hasta });
  const ended = run.body.pasos
    .filter((p) => p.id !== 's0' && ['done', 'partial', 'skipped', 'unconfirmed'].includes(p.status))
    .map((p) => p.id);
  const target = change.cuentas ?? row.cuentas;
  const counts = run.body.counts;
  const finished = counts.total - counts.pending - counts.running;
  // Accounts over the new number go, the last ones first; finished and running ones stay.
  const toDrop = Math.max(0, Math.min(counts.pending, counts.total - counts.skipped - Math.max(target, finished - counts.skipped)));
  const steps = planSteps(row.desde, hasta);
  const removed = run.body.pasos.map((p) => p.id).filter((id) => !steps.includes(id) && !ended.includes(id));
  const droppedRows =
    row.plan_max === null
      ? []
      : await tx.q<{ position: number; hold_id: string | null }>(
          `select position, hold_id from accounts where run_id = $1 and state = 'pending' order by position desc limit $2`,
          [run.id, toDrop],
        );
  const open = await tx.q<{ id: string }>(`select id from decisions where run_id = $1 and state = 'open' and kind <> 'revisar_secuencia'`, [
    run.id,
  ]);
  const perAccount = row.prices?.query ?? 1;
  const impact: ReplanImpact = {
    run_id: run.id,
    dry_run: dryRun,
    plan_version: row.plan_version + (dryRun ? 0 : 1),
    kept: { chosen: counts.done, captured: run.body.contacts.captured, drafted: run.body.contacts.drafted },
    dropped: row.plan_max === null ? counts.total - target : droppedRows.length,
    freed: { credits: run.body.budget.credits.held, queries: droppedRows.filter((r) => r.hold_id).length * perAccount, inference: 0 },
    superseded: open.map((o) => o.id),
    steps_removed: removed,
    steps_added: [],
  };
  // Holds on contacts that were approved but not sent yet belong to the old plan version: they are let go and offered again.
  const unsent = await tx.q<{ id: string; hold_id: string | null }>(
    `select c.id, c.hold_id from contacts c where c.run_id = $1 and c.state = 'held' and not exists
       (select 1 from effects e where e.contact_id = c.id and e.state in ('sent', 'unconfirmed'))`,
    [run.id],
  );
  impact.freed.credits =
    unsent.length === 0
      ? 0
      : ((
          await tx.q<{ n: number }>(`select coalesce(sum(amount), 0)::bigint as n from holds where id = any($1) and state = 'live'`, [
            unsent.map((u) => u.hold_id).filter(Boolean),
          ])
        )[0]?.n ?? 0);
  if (dryRun) return impact;

  const working = atWork(run);
  await supersedeOpen(run);
  const version = row.plan_version + 1;
  const criteria = change.cargo ? { ...row.criteria, cargo: change.cargo } : row.criteria;
  // Under way the row keeps the number it was started with: what the name says is what was asked for last.
  const [last] = await tx.q<{ cuentas: number }>(
    `select (params ->> 'cuentas')::int as cuentas from run_events where run_id = $1 and kind = 'run.replanned' and params ->> 'cuentas' is not null order by version desc limit 1`,
    [run.id],
  );
  const named = last?.cuentas ?? row.cuentas;
  const objetivo = objectiveAfter(
    run.body.objetivo,
    { cuentas: named, criteria: row.criteria },
    { cuentas: change.cuentas ?? named, criteria },
  );
  await tx.q(`update runs set plan_version = $2, cuentas = $3, hasta = $4, criteria = $5, objetivo = $6 where id = $1`, [
    run.id,
    version,
    row.plan_max === null ? target : row.cuentas,
    hasta,
    JSON.stringify(criteria),
    objetivo,
  ]);
  Object.assign(row, { plan_version: version, hasta, criteria, objetivo, ...(row.plan_max === null ? { cuentas: target } : {}) });
  let freedQueries = 0;
  if (droppedRows.length > 0) {
    await tx.q(
      `update accounts set state = 'skipped', reason = '{"code":"replanned","params":{}}', updated_at = now() where run_id = $1 and position = any($2)`,
      [run.id, droppedRows.map((d) => d.position)],
    );
    freedQueries = (
      await release(
        tx,
        droppedRows.map((d) => d.hold_id).filter((h): h is string => h !== null),
      )
    ).queries;
  }
  await tx.q(`update effects set state = 'voided', settled_by = 'replan', updated_at = now() where run_id = $1 and state = 'claimed'`, [
    run.id,
  ]);
  await tx.q(
    `update contacts set state = 'quoted', hold_id = null, decision_id = null, lane_id = null, updated_at = now() where id = any($1)`,
    [unsent.map((u) => u.id)],
  );
  const freedCredits = (
    await release(
      tx,
      unsent.map((u) => u.hold_id).filter((h): h is string => h !== null),
    )
  ).credits;
  const moved = run.moves([{ from: 'pending', to: 'skipped', n: droppedRows.length }]);
  const s3 = run.paso('s3');
  const s4 = run.paso('s4');
  const counting = row.plan_max === null ? { counts: { ...counts, total: target, pending: target } } : { counts: moved.counts ?? counts };
  run.emit(
    'run.replanned',
    { by: caller.sub, cuentas: change.cuentas ?? null, hasta },
    {
      ...counting,
      plan_version: version,
      ...(objetivo === run.body.objetivo ? {} : { objetivo }),
      ...run.budget({ queries: [-freedQueries, 0], credits: [-freedCredits, 0] }),
      ...(run.row.control === 'run' ? { state: row.plan_max === null ? ('ready' as const) : ('running' as const), reason: null } : {}),
      // One entry per step: of two, only the first would count.
      pasos: merged([
        // A start that was asked for is asked for anew, for the fresh plan.
        ...run.body.pasos
          .filter((p) => p.status === 'waiting_decision')
          .map((p) => ({ id: p.id, status: p.id === 's0' ? ('pending' as const) : ('running' as const), reason: null, checkpoint: null })),
        ...(s3
          ? [
              {
                id: 's3' as const,
                conteo: { done: counting.counts.done, total: counting.counts.total, unit: 'account' as const },
                cost: { ...s3.cost, held: s3.cost.held - freedQueries },
              },
            ]
          : []),
        ...(s4 ? [{ id: 's4' as const, cost: { ...s4.cost, held: s4.cost.held - freedCredits } }] : []),
        // What a step in the middle has spent stays on it.
        ...removed.map((id) => ({ id, status: 'skipped' as const, reason: { code: 'replanned', params: {} }, checkpoint: null })),
      ]),
    },
  );
  await auditRow(tx, {
    workspace: run.workspace,
    run: run.id,
    actor: caller.sub,
    channel: caller.channel,
    action: 'run.replan',
    reason: change.reason ?? null,
    detail: { ...change },
  });
  await wakeAll(run, working);
  return impact;
};

const merged = (pasos: NonNullable<ProgressPatch['pasos']>): NonNullable<ProgressPatch['pasos']> =>
  [...new Set(pasos.map((p) => p.id))].map(
    (id) => Object.assign({ id }, ...pasos.filter((p) => p.id === id)) as NonNullable<ProgressPatch['pasos']>[number],
  );
