import type { Progress, Reason } from '../contracts/progress.js';
import type { Receipt } from '../contracts/receipt.js';
import { AS_CHOSEN, type MoneyKind, type RunState } from '../contracts/states.js';
import { Refusal } from '../contracts/problem.js';
import { openCard, sequenceCard, supersedeOpen } from './cards.js';
import { exitOf, findRun } from './runs.js';
import { markUnconfirmed } from './reveal/settle.js';
import { stepWorkflowId, type LockedRun } from './events.js';
import { sums, voidHolds } from './ledger.js';
import { read, type Pool, type Tx } from './client.js';

export interface Closing {
  /** Why it ends when it did not simply finish: canceled, terminated, failed. */
  as: 'finished' | 'canceled' | 'failed';
  reason: Reason | null;
  events: { total: number; people_step: number } | null;
}

/**
 * Ends a run, whoever asks: its workflow, or the reconciler for a run whose workflow is gone. Holds without a call go back,
 * calls without an answer become unconfirmed and keep theirs, accounts that were not reached say why. A second close changes nothing.
 */
export const closeRun = async (run: LockedRun, closing: Closing): Promise<Progress> => {
  if (run.final) return run.body;
  const { tx } = run;
  const canceled = closing.as === 'canceled' || run.row.control === 'cancel';
  const as = closing.as === 'failed' ? 'failed' : canceled ? 'canceled' : 'finished';
  const why: Reason =
    closing.reason ??
    (canceled ? (run.row.control_reason ?? { code: 'canceled_by_person', params: {} }) : { code: 'finished', params: {} });

  await supersedeOpen(run);
  const sent = await tx.q<{ contact_id: string }>(
    `update effects set state = 'unconfirmed', next_read_at = now(), updated_at = now() where run_id = $1 and kind = 'people_reveal' and state = 'sent' returning contact_id`,
    [run.id],
  );
  await markUnconfirmed(
    run,
    sent.map((s) => s.contact_id),
  );
  await tx.q(`update effects set state = 'voided', settled_by = 'close', updated_at = now() where run_id = $1 and state = 'claimed'`, [
    run.id,
  ]);

  const leftover =
    as === 'finished'
      ? run.row.hasta === 'cuentas'
        ? ONLY_ACCOUNTS
        : 'not_reached'
      : as === 'failed'
        ? 'run_failed'
        : why.code === 'operator_terminated'
          ? 'terminated'
          : 'canceled';
  const accounts = await tx.q<{ was: 'pending' | 'running' }>(
    `with w as (select position, state as was from accounts where run_id = $1 and state in ('pending', 'running') for update)
     update accounts a set state = 'skipped', reason = $2, lane_id = null, updated_at = now() from w where a.run_id = $1 and a.position = w.position returning w.was`,
    [run.id, JSON.stringify({ code: leftover, params: {} })],
  );
  // A run that never got as far as its account rows still counts its goal.
  const unborn = run.row.plan_max === null ? run.body.counts.pending : 0;
  const from = (state: 'pending' | 'running'): number =>
    accounts.filter((a) => a.was === state).length + (state === 'pending' ? unborn : 0);
  await tx.q(
    `update contacts set state = 'voided', hold_id = null, reason = $2, lane_id = null, updated_at = now() where run_id = $1 and state = 'held'`,
    [run.id, JSON.stringify({ code: leftover, params: {} })],
  );
  await tx.q(`update contacts set reason = $2, updated_at = now() where run_id = $1 and state = 'quoted' and reason is null`, [
    run.id,
    JSON.stringify({ code: leftover, params: {} }),
  ]);
  const holds = await tx.q<{ id: string }>(
    `select id from holds h where run_id = $1 and state = 'live' and not exists (select 1 from effects e where e.hold_id = h.id and e.state in ('sent', 'unconfirmed'))`,
    [run.id],
  );
  const freed = sums(
    await voidHolds(
      tx,
      holds.map((h) => h.id),
      'run_closed',
    ),
  );
  const moved = run.moves([
    { from: 'pending', to: 'skipped', n: from('pending') },
    { from: 'running', to: 'skipped', n: from('running') },
  ]);
  // What is still held is what the rows say: a loss at the provider may have let holds go that the run has not heard of.
  const live = await tx.q<{ kind: MoneyKind; n: number }>(
    `select kind, sum(amount)::bigint as n from holds where run_id = $1 and state = 'live' group by kind`,
    [run.id],
  );
  const left = (kind: MoneyKind): number => live.find((l) => l.kind === kind)?.n ?? 0;
  const { credits, queries, inference } = run.body.budget;
  const budget = run.budget({
    credits: [left('credits') - credits.held, 0],
    queries: [left('queries') - queries.held, 0],
    inference: [left('inference') - inference.held_micros, 0],
  });
  run.emit(
    'run.settled',
    { credits_freed: freed.credits.amount, queries_freed: freed.queries.amount },
    {
      ...moved,
      ...budget,
      pasos: run.body.pasos.map((p) => ({
        id: p.id,
        cost: { ...p.cost, held: p.cost.kind === 'creditos' ? (budget.budget?.credits.held ?? 0) : 0 },
        ...(p.id === 's3' ? { conteo: moved.pasos?.[0]?.conteo ?? p.conteo } : {}),
        // The review of a finished draft is what stays open; everything else that had not ended ends here, and waits for nothing any more.
        ...(OPEN_STEPS.has(p.status) && !(p.id === 's6' && as === 'finished' && run.body.contacts.drafted > 0)
          ? {
              status: as === 'failed' ? ('failed' as const) : as === 'canceled' ? ('canceled' as const) : ('skipped' as const),
              reason: null,
            }
          : {}),
      })),
    },
  );

  if (as === 'finished' && run.body.contacts.drafted > 0) {
    const sequences = await tx.q<{ id: string }>(
      `select id from sequences where run_id = $1 and exists (select 1 from contacts c where c.sequence_id = sequences.id and c.state = 'drafted')`,
      [run.id],
    );
    await openCard(
      run,
      await sequenceCard(
        run,
        stepWorkflowId(run.row, 's6'),
        sequences.map((s) => s.id),
      ),
    );
  }
  const state: RunState = as === 'finished' ? ((await complete(run)) ? 'completed' : 'completed_partial') : as;
  const missing = run.body.counts.total - run.body.counts.done;
  run.emit(
    'run.closed',
    { state },
    { state, reason: as === 'finished' ? (state === 'completed' ? null : await partialReason(run, missing)) : why },
  );
  await tx.q(`update runs set history_events = coalesce($2, history_events) where id = $1`, [
    run.id,
    closing.events ? JSON.stringify(closing.events) : null,
  ]);
  return run.body;
};
/** Why the accounts of a plan that ends with them have no person: nobody asked for one, so they are not missing. */
const ONLY_ACCOUNTS = 'only_accounts';
const OPEN_STEPS = new Set(['pending', 'running', 'waiting_decision', 'paused', 'blocked']);

/** Nothing is missing: every account has a person and, as far as the plan goes, everyone is revealed and drafted (suppressed ones apart). */
const complete = async (run: LockedRun): Promise<boolean> => {
  const { counts, contacts } = run.body;
  if (run.row.hasta === 'cuentas')
    return (
      counts.not_found + counts.failed === 0 &&
      run.body.pasos.every((p) => p.id === 's6' || p.status === 'done' || (p.status === 'skipped' && p.reason?.code === 'replanned'))
    );
  if (counts.done < counts.total || contacts.unconfirmed > 0) return false;
  if (run.row.hasta === 'personas') return true;
  const rows = await run.tx.q<{ state: string; n: number }>(
    `select state, count(*)::int as n from contacts where run_id = $1 group by state`,
    [run.id],
  );
  const n = (s: string): number => rows.find((r) => r.state === s)?.n ?? 0;
  return run.row.hasta === 'contactos' ? n('captured') + n('suppressed') === counts.done : n('drafted') + n('suppressed') === counts.done;
};
const partialReason = async (run: LockedRun, missing: number): Promise<Reason> => {
  if (run.body.counts.done === 0 && run.body.counts.not_found === run.body.counts.total) {
    const dropped = run.row.plan_b.map((d) => d.value).join(', ');
    return {
      code: run.paso('s1')?.reason?.code === 'no_companies' ? 'no_companies' : 'nobody_found',
      params: { dropped, total: run.body.counts.total },
    };
  }
  // What a person left out on purpose is not missing: what they chose is the whole.
  const left = (
    await run.tx.q<{ accounts: number; contacts: number; unrevealed: number; undrafted: number }>(
      `select (select count(*)::int from accounts where run_id = $1 and state <> 'chosen' and reason ->> 'code' = 'not_chosen') as accounts,
              (select count(*)::int from contacts where run_id = $1 and state not in ('captured', 'drafted') and reason ->> 'code' = 'not_chosen') as contacts,
              (select count(*)::int from contacts where run_id = $1 and state not in ('captured', 'drafted') and coalesce(reason ->> 'code', '') <> 'not_chosen') as unrevealed,
              (select count(*)::int from contacts where run_id = $1 and state = 'captured') as undrafted`,
      [run.id],
    )
  )[0] ?? { accounts: 0, contacts: 0, unrevealed: 0, undrafted: 0 };
  const gaps = missing - left.accounts;
  const { hasta } = run.row;
  const reveals = hasta === 'contactos' || hasta === 'borradores';
  const chosen = run.body.counts.done - (reveals ? left.contacts : 0);
  const whole = hasta !== 'borradores' || left.undrafted === 0;
  if (
    gaps === 0 &&
    left.unrevealed === 0 &&
    whole &&
    chosen > 0 &&
    left.accounts + left.contacts > 0 &&
    run.body.contacts.unconfirmed === 0
  )
    return { code: AS_CHOSEN, params: { n: chosen } };
  return { code: 'with_gaps', params: { missing: gaps, unrevealed: left.unrevealed, total: run.body.counts.total - left.accounts } };
};

/** The receipt of a run, from its rows: what was kept, what was spent and freed, what is missing and the way out of each. */
export const receiptOf = async (pool: Pool, workspace: string, runId: string): Promise<Receipt> => {
  const tx: Tx = read(pool);
  const row = await findRun(tx, workspace, runId);
  const [progress] = await tx.q<{ body: Progress }>(`select body from run_progress where run_id = $1`, [runId]);
  if (!progress) throw new Refusal(404, 'run_not_found', { run_id: runId });
  const p = progress.body;
  const decisions = await tx.q<Receipt['decisions'][number]>(
    `select id, kind, state, outcome ->> 'option' as option, (outcome ->> 'n')::int as n, (outcome ->> 'total')::int as total, resolved_by as by, channel from decisions where run_id = $1 order by id`,
    [runId],
  );
  const missing = await tx.q<{ reason: string; count: number }>(
    `select reason, count(*)::int as count from (
       select coalesce(a.reason ->> 'code', a.state) as reason from accounts a where a.run_id = $1 and a.state <> 'chosen' and coalesce(a.reason ->> 'code', '') <> '${ONLY_ACCOUNTS}'
       union all
       select coalesce(c.reason ->> 'code', c.state) from contacts c where c.run_id = $1 and c.state not in ('captured', 'drafted') and $2
       union all
       select coalesce(c.reason ->> 'code', 'draft_failed') from contacts c where c.run_id = $1 and c.state = 'captured' and $3
     ) x group by 1 order by 2 desc, 1`,
    [runId, row.hasta === 'contactos' || row.hasta === 'borradores', row.hasta === 'borradores'],
  );
  const freed = await tx.q<{ kind: string; n: number }>(
    `select account as kind, sum(released)::bigint as n from transfers where run_id = $1 and kind in ('void', 'capture') group by account`,
    [runId],
  );
  const written = await tx.q<{ by: string }>(`select distinct written_by as by from contacts where run_id = $1 and draft is not null`, [
    runId,
  ]);
  const unborn = row.plan_max === null ? p.counts.total : 0;
  return {
    run_id: runId,
    state: p.state,
    counts: p.counts,
    contacts: p.contacts,
    budget: {
      credits: { plan_max: p.budget.credits.plan_max, held: p.budget.credits.held, spent: p.budget.credits.spent },
      queries: { plan_max: p.budget.queries.plan_max, held: p.budget.queries.held, spent: p.budget.queries.spent },
      inference: {
        plan_max: p.budget.inference.cap_micros,
        held: p.budget.inference.held_micros,
        spent: p.budget.inference.used_micros ?? 0,
      },
    },
    decisions,
    history_events: row.history_events ?? { total: 0, people_step: 0 },
    seconds: Math.round((Date.parse(row.ended_at ?? new Date().toISOString()) - Date.parse(row.created_at)) / 10) / 100,
    reason: p.reason,
    missing: [...(unborn > 0 ? [{ reason: p.reason?.code ?? 'canceled', count: unborn }] : []), ...missing].map((m) => ({
      ...m,
      exit: exitOf(m.reason, true) ?? 'exit.new_campaign',
    })),
    freed: { credits: freed.find((f) => f.kind === 'credits')?.n ?? 0, queries: freed.find((f) => f.kind === 'queries')?.n ?? 0 },
    plan_b: row.plan_b,
    drafts_by: written.some((w) => w.by === 'model') ? 'model' : written.length > 0 ? 'template' : 'none',
  };
};
