import type { Reason } from '../contracts/progress.js';
import type { StepId } from '../contracts/states.js';
import type { Choice } from '../workflows/choose.js';
import { withRun, type LockedRun } from './events.js';
import { capture, release, sums, voidHolds } from './ledger.js';
import { LEASE_MS, pauseProvider, takeRate, type Lane } from './lanes.js';
import { suppressedAmong } from './suppressions.js';
import { dropAccounts } from './accounts.js';
import type { Pool } from './client.js';

export interface PeopleItem {
  position: number;
  company_id: string;
  role: string;
}
/** What became of a search. `again` puts the account back; `waitMs` leaves the provider alone for all lanes. */
export type PeopleOutcome =
  | { position: number; state: 'chosen'; choice: Choice; counted: true }
  | { position: number; state: 'not_found'; reason: Reason; counted: true }
  | { position: number; state: 'failed'; reason: Reason; counted: boolean }
  | { position: number; state: 'again'; waitMs: number; reason: Reason }
  | { position: number; state: 'blocked'; reason: Reason };
export interface PeopleEntry {
  lane: Lane;
  outcome: PeopleOutcome | null;
  wants: boolean;
}
export type Stop = 'empty' | 'paused' | 'replanned' | 'canceled';
export type PeopleTurn = { item: PeopleItem } | { waitMs: number } | { stop: Stop };

/** Why no item may be claimed now, as the run row says it at this very claim. */
export const stopReason = (run: LockedRun, step: 's3' | 's4' | 's5', planVersion: number): Stop | null => {
  if (run.final || run.row.control === 'cancel') return 'canceled';
  if (run.row.control === 'pause') return 'paused';
  if (run.row.plan_version !== planVersion) return 'replanned';
  const status = run.paso(step)?.status;
  return status === 'running' ? null : 'empty';
};

/**
 * One turn of a group of lanes: commits the outcomes they bring, captures or lets go their queries, and hands out the next
 * accounts, all in one transaction, so that a finished search is on disk before the next one starts.
 */
export const peopleTick = (
  pool: Pool,
  workspace: string,
  runId: string,
  planVersion: number,
  entries: PeopleEntry[],
): Promise<PeopleTurn[]> =>
  withRun(pool, workspace, runId, async (run) => {
    await commitOutcomes(run, entries);
    const stop = stopReason(run, 's3', planVersion);
    const wanting = entries.filter((e) => e.wants);
    if (stop !== null || wanting.length === 0) return entries.map(() => ({ stop: stop ?? 'empty' }));
    const rate = await takeRate(run.tx, workspace, run.row.prices?.provider ?? 'mcp', wanting.length);
    if (rate.allowed === 0) return entries.map((e) => (e.wants ? { waitMs: rate.waitMs } : { stop: 'empty' }));
    const claimed = await claim(
      run,
      wanting.slice(0, rate.allowed).map((e) => e.lane),
    );
    return entries.map((entry): PeopleTurn => {
      if (!entry.wants) return { stop: 'empty' };
      const item = claimed.get(entry.lane.id);
      if (item) return { item };
      return wanting.indexOf(entry) >= rate.allowed ? { waitMs: rate.waitMs || 20 } : { stop: 'empty' };
    });
  });

const commitOutcomes = async (run: LockedRun, entries: PeopleEntry[]): Promise<void> => {
  const brought = entries.flatMap((e) => (e.outcome ? [{ lane_id: e.lane.id, lane_attempt: e.lane.attempt, ...e.outcome }] : []));
  if (brought.length === 0) return;
  const rows = brought.map((o) => ({
    position: o.position,
    lane_id: o.lane_id,
    lane_attempt: o.lane_attempt,
    said: o.state,
    state: o.state === 'again' || o.state === 'blocked' ? 'pending' : o.state,
    reason: o.state === 'not_found' || o.state === 'failed' ? o.reason : null,
    choice: o.state === 'chosen' ? o.choice : null,
    counted: 'counted' in o ? o.counted : null,
  }));
  // Compare-and-set on the lease: an attempt that lost its item changes nothing.
  const applied = await run.tx.q<{
    position: number;
    hold_id: string | null;
    state: 'chosen' | 'not_found' | 'failed' | 'pending';
    counted: boolean | null;
  }>(
    `update accounts a set state = x.state, reason = x.reason, choice = x.choice, person_id = x.choice ->> 'person_id', person_title = x.choice ->> 'title',
       lane_id = null, lane_attempt = null, updated_at = now()
     from jsonb_to_recordset($2::jsonb) as x (position int, lane_id text, lane_attempt int, state text, reason jsonb, choice jsonb, counted boolean)
     where a.run_id = $1 and a.position = any($3::int[]) and a.position = x.position and a.state = 'running' and a.lane_id = x.lane_id and a.lane_attempt = x.lane_attempt
     returning a.position, a.hold_id, a.state, x.counted`,
    [run.id, JSON.stringify(rows), rows.map((r) => r.position)],
  );
  const ended = applied.filter((a) => a.state !== 'pending');
  const paid = ended.filter((a) => a.counted && a.hold_id).map((a) => a.hold_id ?? '');
  // For what was held: the price may have moved since.
  const captured = sums(
    await capture(
      run.tx,
      paid.length === 0 ? [] : await run.tx.q<{ id: string; amount: number }>(`select id, amount from holds where id = any($1)`, [paid]),
    ),
  ).queries;
  const freed = sums(
    await voidHolds(
      run.tx,
      ended.filter((a) => !a.counted && a.hold_id).map((a) => a.hold_id ?? ''),
      'not_counted',
    ),
  ).queries;
  const again = brought.find((o) => o.state === 'again');
  const blocked = brought.find((o) => o.state === 'blocked');
  if (again && again.state === 'again') await pauseProvider(run.tx, run.workspace, run.row.prices?.provider ?? 'mcp', again.waitMs);
  const moved = run.moves(applied.map((a) => ({ from: 'running' as const, to: a.state })));
  const s3 = run.paso('s3');
  const held = -(captured.amount + freed.amount);
  if (applied.length > 0) {
    run.emit(
      'accounts.searched',
      { n: applied.length, chosen: applied.filter((a) => a.state === 'chosen').length },
      {
        ...moved,
        ...run.budget({ queries: [held, captured.captured] }),
        ...(again && again.state === 'again'
          ? { reason: again.reason }
          : run.body.reason && WAITS.has(run.body.reason.code) && ended.length > 0
            ? { reason: null }
            : {}),
        ...(s3
          ? {
              pasos: [
                {
                  id: 's3',
                  conteo: moved.pasos?.[0]?.conteo ?? s3.conteo,
                  cost: { ...s3.cost, held: s3.cost.held + held, spent: s3.cost.spent + captured.captured },
                },
              ],
            }
          : {}),
      },
    );
  }
  if (blocked && blocked.state === 'blocked') await blockRun(run, 's3', blocked.reason);
};
/** Reasons that say "waiting for the provider" and end by themselves. */
export const WAITS = new Set(['provider_limit', 'provider_unreachable']);

/** Nothing can go on until somebody acts: the run pauses with the reason and stays where it is. One that is paused, stopping or over keeps its own reason. */
export const blockRun = async (run: LockedRun, step: Exclude<StepId, 's0'>, reason: Reason): Promise<void> => {
  if (run.row.control !== 'run' || run.final) return;
  await run.tx.q(`update runs set control = 'pause', control_reason = $2 where id = $1`, [run.id, JSON.stringify(reason)]);
  run.row.control = 'pause';
  run.emit('step.blocked', { step }, { state: 'paused', reason, pasos: [{ id: step, status: 'paused', reason }] });
};

const claim = async (run: LockedRun, lanes: Lane[]): Promise<Map<string, PeopleItem>> => {
  if (lanes.length === 0) return new Map();
  const rows = await run.tx.q<{
    position: number;
    company_id: string;
    was: 'pending' | 'running';
    lane_id: string;
    hold_id: string | null;
    live: boolean;
  }>(
    `with free as (
       select a.position, a.state as was from accounts a left join lanes l on l.id = a.lane_id
       where a.run_id = $1 and a.company_id is not null and (
         a.state = 'pending'
         or (a.state = 'running' and exists (select 1 from jsonb_to_recordset($2::jsonb) as x (id text, attempt int) where x.id = a.lane_id and x.attempt > a.lane_attempt))
         or (a.state = 'running' and (l.id is null or l.beat_at < now() - make_interval(secs => $3::double precision / 1000)) and a.updated_at < now() - make_interval(secs => $3::double precision / 1000)))
       order by a.position limit $4),
     numbered as (select position, was, row_number() over (order by position) as n from free),
     who as (select x.id, x.attempt, x.n from jsonb_to_recordset($2::jsonb) as x (id text, attempt int, n int))
     update accounts a set state = 'running', lane_id = who.id, lane_attempt = who.attempt, updated_at = now()
     from numbered join who on who.n = numbered.n where a.run_id = $1 and a.position = numbered.position
     returning a.position, a.company_id, numbered.was, a.lane_id, a.hold_id, a.hold_id is null or exists (select 1 from holds h where h.id = a.hold_id and h.state = 'live') as live`,
    [run.id, JSON.stringify(lanes.map((l, i) => ({ ...l, n: i + 1 }))), LEASE_MS, lanes.length],
  );
  const fresh = rows.filter((r) => r.was === 'pending').length;
  if (fresh > 0) run.emit('accounts.claimed', { n: fresh }, run.moves([{ from: 'pending', to: 'running', n: fresh }]));
  // A query that the provider took back (its balance fell) cannot pay a search.
  const dead = rows.filter((r) => !r.live);
  if (dead.length > 0) {
    await run.tx.q(
      `update accounts set state = 'skipped', reason = '{"code":"queries_lost","params":{}}', lane_id = null where run_id = $1 and position = any($2)`,
      [run.id, dead.map((d) => d.position)],
    );
    const lost = (
      await release(
        run.tx,
        dead.map((d) => d.hold_id).filter((h): h is string => h !== null),
      )
    ).queries;
    const moved = run.moves([{ from: 'running', to: 'skipped', n: dead.length }]);
    const s3 = run.paso('s3');
    run.emit(
      'accounts.dropped',
      { n: dead.length, to: 'skipped' },
      {
        ...moved,
        ...run.budget({ queries: [-lost, 0] }),
        ...(s3
          ? { pasos: [{ id: 's3', conteo: moved.pasos?.[0]?.conteo ?? s3.conteo, cost: { ...s3.cost, held: s3.cost.held - lost } }] }
          : {}),
      },
    );
  }
  const items = new Map(
    rows
      .filter((r) => r.live)
      .map((r): [string, PeopleItem] => [r.lane_id, { position: r.position, company_id: r.company_id, role: run.row.criteria.cargo }]),
  );
  // A lane whose account could not be paid is given another.
  if (dead.length > 0)
    for (const [id, item] of await claim(
      run,
      lanes.filter((l) => !items.has(l.id)),
    ))
      items.set(id, item);
  return items;
};

/** Takes accounts on the suppression list out before they are searched: by RFC and domain. */
export const suppressAccounts = async (run: LockedRun, key: string): Promise<number> => {
  const rows = await run.tx.q<{ position: number; rfc: string | null; domain: string | null; hold_id: string | null }>(
    `select position, rfc, domain, hold_id from accounts where run_id = $1 and state = 'pending' and company_id is not null`,
    [run.id],
  );
  const listed = await suppressedAmong(
    run.tx,
    run.workspace,
    key,
    rows.map((r) => [
      { kind: 'rfc', value: r.rfc ?? '' },
      { kind: 'domain', value: r.domain ?? '' },
    ]),
  );
  const out = rows.filter((_, i) => listed[i]);
  if (out.length > 0) {
    await run.tx.q(
      `update accounts set state = 'suppressed', reason = '{"code":"suppressed","params":{}}', updated_at = now() where run_id = $1 and position = any($2)`,
      [run.id, out.map((o) => o.position)],
    );
    await dropAccounts(run, out, 'suppressed');
  }
  return out.length;
};

/** What is left of the people step. */
export const peopleLeft = async (run: LockedRun): Promise<{ pending: number; running: number }> => {
  const rows = await run.tx.q<{ state: string; n: number }>(
    `select state, count(*)::int as n from accounts where run_id = $1 and company_id is not null and state in ('pending', 'running') group by state`,
    [run.id],
  );
  return { pending: rows.find((r) => r.state === 'pending')?.n ?? 0, running: rows.find((r) => r.state === 'running')?.n ?? 0 };
};
