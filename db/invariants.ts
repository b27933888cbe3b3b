import type { Progress, RunEvent } from '../contracts/progress.js';
import { CORRECTED } from './approved.js';
import { applyPatch, countsSum } from '../workflows/progress.js';
import { read, type Pool } from './client.js';

export interface Invariant {
  id: string;
  ok: boolean;
  detail: string;
}
const LISTED = 5;
const ids = (rows: Array<{ id: string }>): string =>
  `${rows.length}: ${rows
    .slice(0, LISTED)
    .map((r) => r.id)
    .join(', ')}`;

/** Invariants that one query each can tell: the query returns what violates it. Exported for the test of their plans. */
export const QUERIES: Array<[id: string, sql: string]> = [
  ['I1 conservation', `select workspace_id || ' ' || account || ' ' || problem as id from ledger_violations($1)`],
  [
    'I2 available',
    `select workspace_id || ' ' || kind as id from ledger_accounts where available < 0 and ($1::text is null or workspace_id = $1)`,
  ],
  [
    'I3 captures equal reveals',
    `select r.id from runs r where ($1::text is null or r.workspace_id = $1) and
     (select count(*) from effects e where e.run_id = r.id and e.kind = 'people_reveal' and e.state = 'captured')
     <> (select count(*) from contacts c where c.run_id = r.id and c.acquired_at is not null and not c.already_yours)`,
  ],
  [
    'I3 one per contact',
    `select workspace_id || ' ' || subject as id from effects where kind = 'people_reveal' and state in ('sent', 'unconfirmed', 'captured') and ($1::text is null or workspace_id = $1) group by workspace_id, provider, subject having count(*) > 1`,
  ],
  [
    'I3 capture has its transfer',
    `select e.id from effects e where e.kind = 'people_reveal' and e.state = 'captured' and ($1::text is null or e.workspace_id = $1)
     and not exists (select 1 from transfers t where t.hold_id = e.hold_id and t.kind = 'capture')`,
  ],
  [
    'I4 capture traces to an approval',
    `select h.id from holds h left join decisions d on d.id = h.decision_id where h.state = 'captured' and h.kind = 'credits' and ($1::text is null or h.workspace_id = $1) and (d.state is distinct from 'approved' or d.run_id <> h.run_id)`,
  ],
  [
    'I4 total within what was shown',
    `select d.id from decisions d join (select decision_id, sum(coalesce(captured, 0)) as taken from holds where kind = 'credits' group by 1) h on h.decision_id = d.id
     where d.kind = 'revelar_contactos' and d.state = 'approved' and ($1::text is null or d.workspace_id = $1) and h.taken > (d.outcome ->> 'total')::bigint`,
  ],
  [
    'I4 what was shown fits the plan',
    `select d.id from decisions d join runs r on r.id = d.run_id where d.kind = 'revelar_contactos' and d.state = 'approved' and ($1::text is null or d.workspace_id = $1)
     and (d.outcome ->> 'total')::bigint > (r.plan_max ->> 'credits')::bigint`,
  ],
  [
    'I4 within the plan',
    `select r.id from runs r where r.plan_max is not null and ($1::text is null or r.workspace_id = $1)
     and exists (select 1 from unnest(array['credits', 'queries', 'inference']) k where (select coalesce(sum(amount), 0) from transfers t where t.run_id = r.id and t.account = k and t.kind = 'capture')
       + (select coalesce(sum(amount), 0) from holds h where h.run_id = r.id and h.kind = k and h.state = 'live') > (r.plan_max ->> k)::bigint)`,
  ],
  [
    'I5 final run holds nothing',
    `select r.id from runs r where r.ended_at is not null and ($1::text is null or r.workspace_id = $1)
     and exists (select 1 from holds h where h.run_id = r.id and h.state = 'live' and not exists (select 1 from effects e where e.hold_id = h.id and e.state in ('sent', 'unconfirmed')))`,
  ],
  [
    'I5 final run says what it holds',
    `select r.id from runs r join run_progress p on p.run_id = r.id where r.ended_at is not null and ($1::text is null or r.workspace_id = $1)
     and exists (select 1 from (values ('credits', p.body #>> '{budget,credits,held}'), ('queries', p.body #>> '{budget,queries,held}'), ('inference', p.body #>> '{budget,inference,held_micros}')) as x (k, said)
       where x.said::bigint <> (select coalesce(sum(amount), 0) from holds h where h.run_id = r.id and h.kind = x.k and h.state = 'live'))`,
  ],
  [
    'I5 final run leaves nobody waiting',
    `select a.run_id || ':' || a.position as id from accounts a join runs r on r.id = a.run_id where r.ended_at is not null and a.state in ('pending', 'running') and ($1::text is null or r.workspace_id = $1)`,
  ],
  [
    'I6 one outcome',
    `select d.id from decisions d where ($1::text is null or d.workspace_id = $1) and ((d.state in ('approved', 'declined')) <> (d.outcome is not null)
     or (d.outcome is not null and d.state = 'approved' and (d.outcome ->> 'option') = 'decline'))`,
  ],
  [
    'I6 audited once',
    `select detail ->> 'decision_id' as id from audit where action in ('decision.approved', 'decision.declined') and ($1::text is null or workspace_id = $1) group by 1 having count(*) > 1`,
  ],
  [
    'I7 no effect under a stale plan',
    `select e.id from effects e join decisions d on d.id = e.decision_id where e.kind = 'people_reveal' and ($1::text is null or e.workspace_id = $1) and e.plan_version <> d.plan_version`,
  ],
  [
    'I8 versions are a sequence',
    `select run_id as id from run_events where ($1::text is null or workspace_id = $1) group by run_id having count(*) <> max(version) or min(version) <> 1`,
  ],
  [
    'I8 counts are the rows',
    `select p.run_id as id from run_progress p join runs r on r.id = p.run_id where r.plan_max is not null and r.recipe = 'campana' and ($1::text is null or r.workspace_id = $1)
     and exists (select 1 from (values ('done', 'chosen'), ('pending', 'pending'), ('running', 'running'), ('not_found', 'not_found'), ('suppressed', 'suppressed'), ('skipped', 'skipped'), ('failed', 'failed')) as x (said, state)
       where (p.body -> 'counts' ->> x.said)::int <> (select count(*) from accounts a where a.run_id = r.id and a.state = x.state))`,
  ],
  // Where it is a machine's turn, something moves: waiting for a person, a pause or a provider's own wait are said as such.
  [
    'I9 no run stands still',
    `select r.id from runs r join run_progress p on p.run_id = r.id where r.ended_at is null and r.state in ('running', 'stopping') and ($1::text is null or r.workspace_id = $1)
     and (p.body ->> 'last_progress_at')::timestamptz < now() - interval '10 minutes' and not exists (select 1 from provider_limits l where l.workspace_id = r.workspace_id and l.paused_until > now())`,
  ],
  [
    'I11 suppressed never revealed or drafted',
    `select c.id from contacts c where c.state = 'suppressed' and c.draft_id is not null and ($1::text is null or c.workspace_id = $1)
     union all select a.run_id || ':' || a.position from accounts a join contacts c on c.run_id = a.run_id and c.position = a.position where a.state = 'suppressed' and ($1::text is null or a.workspace_id = $1)`,
  ],
  [
    'I11 suppressed never held',
    `select c.id from contacts c join holds h on h.id = c.hold_id and h.state = 'live' where c.state = 'suppressed' and ($1::text is null or c.workspace_id = $1)
     union all select a.run_id || ':' || a.position from accounts a join holds h on h.id = a.hold_id and h.state = 'live' where a.state = 'suppressed' and ($1::text is null or a.workspace_id = $1)`,
  ],
  [
    'I12 run row is the projection',
    `select r.id from runs r join run_progress p on p.run_id = r.id where ($1::text is null or r.workspace_id = $1)
     and (r.state <> p.body ->> 'state' or r.plan_version <> (p.body ->> 'plan_version')::int or p.version <> (p.body ->> 'version')::bigint
       or (r.ended_at is not null) <> (r.state in ('completed', 'completed_partial', 'canceled', 'failed')))`,
  ],
  [
    'I13 one draft per contact',
    `select run_id || ' ' || person_id as id from contacts where draft_id is not null and ($1::text is null or workspace_id = $1) group by run_id, person_id having count(*) > 1`,
  ],
  [
    'I13 what was approved is what is stored',
    `select s.id from runs r join sequences s on s.run_id = r.linked_run_id where r.linked_run_id is not null and r.recipe = 'armar-secuencia' and r.state = 'completed'
     and s.state = 'approved' and not s.stored_edited and ($1::text is null or s.workspace_id = $1) and ${CORRECTED}`,
  ],
  [
    'I14 one workspace per run',
    `select r.id from runs r where ($1::text is null or r.workspace_id = $1) and (
     exists (select 1 from decisions d where d.run_id = r.id and d.workspace_id <> r.workspace_id) or exists (select 1 from effects e where e.run_id = r.id and e.workspace_id <> r.workspace_id)
     or exists (select 1 from holds h where h.run_id = r.id and h.workspace_id <> r.workspace_id) or exists (select 1 from contacts c where c.run_id = r.id and c.workspace_id <> r.workspace_id)
     or exists (select 1 from accounts a where a.run_id = r.id and a.workspace_id <> r.workspace_id) or exists (select 1 from transfers t where t.run_id = r.id and t.workspace_id <> r.workspace_id)
     or exists (select 1 from run_progress p where p.run_id = r.id and p.workspace_id <> r.workspace_id) or exists (select 1 from run_events e where e.run_id = r.id and e.workspace_id <> r.workspace_id)
     or exists (select 1 from sequences s where s.run_id = r.id and s.workspace_id <> r.workspace_id))`,
  ],
  [
    'I16 history stays short',
    `select id from runs where (history_events ->> 'total')::int >= 10000 and ($1::text is null or workspace_id = $1)`,
  ],
];

const checkQueries = async (pool: Pool, workspace: string | null, queries: typeof QUERIES): Promise<Invariant[]> => {
  const results: Invariant[] = [];
  for (const [id, sql] of queries) {
    const rows = await read(pool).q<{ id: string }>(sql, [workspace]);
    results.push({ id, ok: rows.length === 0, detail: rows.length === 0 ? '' : ids(rows) });
  }
  return results;
};

/** Runs the invariants over one workspace, or all. Those that need Temporal or the provider are checked by who has them. */
export const checkInvariants = async (pool: Pool, workspace: string | null): Promise<Invariant[]> => [
  ...(await checkQueries(pool, workspace, QUERIES)),
  ...(await foldChecks(pool, workspace)),
];

/** What is about money: conservation, captures, approvals, holds of runs that are over. */
const LEDGER = /^I[1-5] /;
/** The ledger's invariants of a workspace: a query each, nothing that reads a run's events. */
export const checkLedger = (pool: Pool, workspace: string): Promise<Invariant[]> =>
  checkQueries(
    pool,
    workspace,
    QUERIES.filter(([id]) => LEDGER.test(id)),
  );

/** Events read at once, whichever runs they belong to: a workspace has thousands of runs, and one run may have thousands of events. */
const EVENTS = 5_000;

/** I12: the projection is the fold of the events; I8: on the way, counts sum to the total and done never falls within a plan version. */
const foldChecks = async (pool: Pool, workspace: string | null): Promise<Invariant[]> => {
  const tx = read(pool);
  const unequal: Array<{ id: string }> = [];
  const sums: Array<{ id: string }> = [];
  const falls: Array<{ id: string }> = [];
  const step = (run: string, body: Progress, e: Pick<RunEvent, 'version' | 'patch' | 'at'>): Progress => {
    const next = applyPatch(body, e.patch, e.version, e.at);
    if (countsSum(next.counts) !== next.counts.total) sums.push({ id: `${run} v${e.version}` });
    if (next.plan_version === body.plan_version && next.counts.done < body.counts.done) falls.push({ id: `${run} v${e.version}` });
    return next;
  };
  let folding = null as { run: string; body: Progress } | null;
  const folded: Array<{ run: string; body: Progress }> = [];
  const compare = async (): Promise<void> => {
    // With what happened to a living run since its events were read, in the same statement: it would look broken otherwise.
    const rows = await tx.q<{ run_id: string; body: Progress; since: Array<Pick<RunEvent, 'version' | 'patch' | 'at'>> }>(
      `select p.run_id, p.body, coalesce((select jsonb_agg(jsonb_build_object('version', e.version, 'patch', e.patch, 'at', to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by e.version)
         from run_events e where e.run_id = p.run_id and e.version > f.version), '[]') as since
       from unnest($1::text[], $2::bigint[]) as f (run_id, version) join run_progress p on p.run_id = f.run_id`,
      [folded.map((f) => f.run), folded.map((f) => f.body.version)],
    );
    const kept = new Map(rows.map((r) => [r.run_id, r]));
    for (const { run, body } of folded) {
      const now = kept.get(run);
      const whole = (now?.since ?? []).reduce((so, e) => step(run, so, e), body);
      if (canonical(whole) !== canonical(now?.body ?? null)) unequal.push({ id: run });
    }
    folded.length = 0;
  };
  for (let last = { run: '', version: 0 }; ;) {
    const events: Array<RunEvent & { run_id: string }> = await tx.q<RunEvent & { run_id: string }>(
      `select run_id, version, patch, at from run_events where ($1::text is null or workspace_id = $1) and (run_id, version) > ($2, $3) order by run_id, version limit ${EVENTS}`,
      [workspace, last.run, last.version],
    );
    for (const e of events) {
      if (folding?.run === e.run_id) folding.body = step(e.run_id, folding.body, e);
      else {
        if (folding) folded.push(folding);
        folding = { run: e.run_id, body: e.patch as unknown as Progress };
      }
    }
    const end = events.at(-1);
    if (!end || events.length < EVENTS) break;
    await compare();
    last = { run: end.run_id, version: end.version };
  }
  if (folding) folded.push(folding);
  await compare();
  const result = (id: string, bad: Array<{ id: string }>): Invariant => ({
    id,
    ok: bad.length === 0,
    detail: bad.length === 0 ? '' : ids(bad),
  });
  return [result('I8 counts sum to the total', sums), result('I8 done never falls', falls), result('I12 projection is the fold', unequal)];
};
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_k, v: unknown) =>
    v && typeof v === 'object' && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1))) : v,
  );

/** Rewrites a run's projection from its events. @returns whether it differed. */
export const refold = (events: RunEvent[]): Progress | null => {
  const [first, ...rest] = events;
  if (!first) return null;
  return rest.reduce((body, e) => applyPatch(body, e.patch, Number(e.version), e.at), first.patch as unknown as Progress);
};
