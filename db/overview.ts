import { AGES, type Age, type OpsOverview } from '../contracts/operations.js';
import { FINAL_RUN_STATES, MONEY_KINDS, RUN_STATES, type MoneyKind, type RunState } from '../contracts/states.js';
import { MACHINES_TURN } from './operations.js';
import { read, transaction, type Pool, type Tx } from './client.js';

/** Outcomes that the overview lists; the rest is counted. */
const QUEUE = 50;
const OPEN_STATES = RUN_STATES.filter((s) => !(FINAL_RUN_STATES as readonly string[]).includes(s));

/** An age bucket of a moment, as SQL: its number in `AGES`. */
const bucket = (at: string): string =>
  `case when ${at} > now() - interval '1 hour' then 0 when ${at} > now() - interval '24 hours' then 1 when ${at} > now() - interval '3 days' then 2 else 3 end`;

const perAge = <V>(empty: () => V, rows: Array<{ age: number }>, take: (row: number) => V): Record<Age, V> =>
  Object.fromEntries(
    AGES.map((age, i) => {
      const at = rows.findIndex((r) => r.age === i);
      return [age, at < 0 ? empty() : take(at)];
    }),
  ) as Record<Age, V>;

/** Exported for the test of their plans. */
export const OVERVIEW_QUERIES = {
  runs: `select state, ${bucket('created_at')} as age, count(*)::int as n from runs where workspace_id = $1 group by 1, 2`,
  idle: `select count(*)::int as n, coalesce(max(extract(epoch from now() - (p.body ->> 'last_progress_at')::timestamptz) * 1000), 0)::bigint as longest_ms
     from runs r join run_progress p on p.run_id = r.id
     where r.workspace_id = $1 and r.state = any($2) and ${MACHINES_TURN} and (p.body ->> 'last_progress_at')::timestamptz < now() - make_interval(secs => $3::float8 / 1000)`,
  holds: `select kind, ${bucket('created_at')} as age, count(*)::int as n, sum(amount)::bigint as amount from holds where workspace_id = $1 and state = 'live' group by 1, 2`,
  unknown: `select count(*)::int as n, (count(*) filter (where e.needs_operator))::int as needs_operator, min(e.sent_at) as oldest_sent_at,
       coalesce(sum(h.amount), 0)::bigint as credits_held
     from effects e left join holds h on h.id = e.hold_id and h.state = 'live' and h.kind = 'credits' where e.workspace_id = $1 and e.state = 'unconfirmed'`,
  queue: `select e.id as effect_id, e.run_id, r.objetivo, r.workflow_id, e.kind, e.state, e.sent_at, jsonb_array_length(e.reads) as reads, e.next_read_at, e.needs_operator, coalesce(h.amount, 0) as credits_held
     from (select * from effects where workspace_id = $1 and state = 'unconfirmed' order by sent_at, id limit ${QUEUE}) e
     join runs r on r.id = e.run_id left join holds h on h.id = e.hold_id and h.state = 'live' and h.kind = 'credits' order by e.sent_at, e.id`,
  searching: `select coalesce(sum((p.body #>> '{counts,running}')::int), 0)::int as running, coalesce(sum((p.body #>> '{counts,pending}')::int) filter (where p.body -> 'pasos' @> '[{"id":"s3","status":"running"}]'), 0)::int as pending
     from runs r join run_progress p on p.run_id = r.id where r.workspace_id = $1 and r.state = any($2) and r.control = 'run'`,
  revealing: `select (count(*) filter (where c.state = 'sent'))::int as sent, (count(*) filter (where c.state = 'held'))::int as held
     from runs r join contacts c on c.run_id = r.id and c.state in ('sent', 'held') where r.workspace_id = $1 and r.state = any($2)`,
  providers: `select w.calls_per_second, w.concurrency, l.provider,
       case when w.calls_per_second is null then null when l.paused_until > now() then 0
         else floor(least(w.calls_per_second, l.tokens + w.calls_per_second * extract(epoch from now() - l.refilled_at)))::int end as permits,
       case when l.paused_until > now() then l.paused_until end as paused_until, greatest(0, ceil(coalesce(extract(epoch from l.paused_until - now()), 0) * 1000))::bigint as paused_ms,
       l.limited_at, l.limited_ms
     from workspaces w left join provider_limits l on l.workspace_id = w.id where w.id = $1 order by l.provider`,
  outbox: `select count(*)::int as pending, coalesce(extract(epoch from now() - min(created_at)) * 1000, 0)::bigint as oldest_ms, (count(*) filter (where attempts >= 3))::int as failing
     from outbox where workspace_id = $1 and delivered_at is null`,
  reconcile: `select last_at, took_ms, rounds, settled from reconciliations`,
} as const;

type Read = Omit<OpsOverview, 'invariants' | 'temporal_ui' | 'unconfirmed'> & {
  unconfirmed: Omit<OpsOverview['unconfirmed'], 'queue'> & {
    queue: Array<Omit<OpsOverview['unconfirmed']['queue'][number], 'temporal_url'>>;
  };
};

/** What an operator looks at first, of one workspace, over one connection. @param idleMs how long without progress is too long */
export const readOverview = (pool: Pool, workspace: string, idleMs: number): Promise<Read> =>
  transaction(pool, async (tx): Promise<Read> => ({
    at: new Date().toISOString(),
    runs: await runsByAge(tx, workspace, idleMs),
    holds: await holdsByAge(tx, workspace),
    unconfirmed: await unknownOutcomes(tx, workspace),
    limiter: await limits(tx, workspace),
    outbox: (await tx.q<Read['outbox']>(OVERVIEW_QUERIES.outbox, [workspace]))[0] ?? { pending: 0, oldest_ms: 0, failing: 0 },
    reconcile: (await tx.q<Read['reconcile']>(OVERVIEW_QUERIES.reconcile))[0] ?? { last_at: null, took_ms: null, rounds: 0, settled: 0 },
  }));

const runsByAge = async (tx: Tx, workspace: string, idleMs: number): Promise<Read['runs']> => {
  const rows = await tx.q<{ state: RunState; age: number; n: number }>(OVERVIEW_QUERIES.runs, [workspace]);
  const [idle] = await tx.q<{ n: number; longest_ms: number }>(OVERVIEW_QUERIES.idle, [workspace, OPEN_STATES, idleMs]);
  const sum = (of: typeof rows): number => of.reduce((total, r) => total + r.n, 0);
  return {
    open: sum(rows.filter((r) => OPEN_STATES.includes(r.state))),
    by_state: RUN_STATES.flatMap((state) => {
      const of = rows.filter((r) => r.state === state);
      return of.length === 0
        ? []
        : [
            {
              state,
              n: sum(of),
              ages: perAge(
                () => 0,
                of,
                (i) => of[i]?.n ?? 0,
              ),
            },
          ];
    }),
    idle: { n: idle?.n ?? 0, over_ms: idleMs, longest_ms: idle?.longest_ms ?? 0, link: '/v1/ops/runs?idle=true' },
  };
};

const holdsByAge = async (tx: Tx, workspace: string): Promise<Read['holds']> => {
  const rows = await tx.q<{ kind: MoneyKind; age: number; n: number; amount: number }>(OVERVIEW_QUERIES.holds, [workspace]);
  return MONEY_KINDS.map((kind) => {
    const of = rows.filter((r) => r.kind === kind);
    return {
      kind,
      n: of.reduce((sum, r) => sum + r.n, 0),
      amount: of.reduce((sum, r) => sum + r.amount, 0),
      ages: perAge(
        () => ({ n: 0, amount: 0 }),
        of,
        (i) => ({ n: of[i]?.n ?? 0, amount: of[i]?.amount ?? 0 }),
      ),
    };
  });
};

const unknownOutcomes = async (tx: Tx, workspace: string): Promise<Read['unconfirmed']> => {
  const [all] = await tx.q<Pick<Read['unconfirmed'], 'n' | 'needs_operator' | 'credits_held' | 'oldest_sent_at'>>(
    OVERVIEW_QUERIES.unknown,
    [workspace],
  );
  const queue = await tx.q<Read['unconfirmed']['queue'][number]>(OVERVIEW_QUERIES.queue, [workspace]);
  return { ...(all ?? { n: 0, needs_operator: 0, credits_held: 0, oldest_sent_at: null }), link: '/v1/ops/runs?unconfirmed=true', queue };
};

const limits = async (tx: Tx, workspace: string): Promise<Read['limiter']> => {
  const rows = await tx.q<{
    calls_per_second: number | null;
    concurrency: number;
    provider: string | null;
    permits: number | null;
    paused_until: string | null;
    paused_ms: number;
    limited_at: string | null;
    limited_ms: number | null;
  }>(OVERVIEW_QUERIES.providers, [workspace]);
  const [searching] = await tx.q<{ running: number; pending: number }>(OVERVIEW_QUERIES.searching, [workspace, ['running']]);
  const [revealing] = await tx.q<{ sent: number; held: number }>(OVERVIEW_QUERIES.revealing, [workspace, OPEN_STATES]);
  return {
    calls_per_second: rows[0]?.calls_per_second ?? null,
    concurrency: rows[0]?.concurrency ?? 10,
    in_use: (searching?.running ?? 0) + (revealing?.sent ?? 0),
    waiting: (searching?.pending ?? 0) + (revealing?.held ?? 0),
    providers: rows.flatMap(({ provider, permits, paused_until, paused_ms, limited_at, limited_ms }) =>
      provider === null ? [] : [{ provider, permits, paused_until, paused_ms, limited_at, limited_ms }],
    ),
  };
};

/** Notes that runs were compared with their workflows, by whichever process it was. @param round.after the last run that was looked at; the next round goes on there */
export const noteReconciled = async (pool: Pool, round: { settled: number; tookMs: number; after: string }): Promise<void> => {
  await read(pool).q(
    `insert into reconciliations as r (last_at, took_ms, rounds, settled, after_run) values (now(), $1, 1, $2, $3)
     on conflict (one) do update set last_at = now(), took_ms = excluded.took_ms, rounds = r.rounds + 1, settled = r.settled + excluded.settled, after_run = excluded.after_run`,
    [Math.round(round.tookMs), round.settled, round.after],
  );
};
