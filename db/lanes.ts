import { read, type Pool, type Tx } from './client.js';

/** Who works on an item: the lane's stable id and which attempt of it. A later attempt takes an earlier one's items back at once. */
export interface Lane {
  id: string;
  attempt: number;
}

/** A lane that has not been heard of for this long has lost its items. */
export const LEASE_MS = 2000;

/** Says that lanes are alive. One statement for all lanes of a process. */
export const beat = async (pool: Pool, lanes: Array<Lane & { run: string; step: string }>): Promise<void> => {
  if (lanes.length === 0) return;
  await read(pool).q(
    `insert into lanes (id, run_id, step, attempt, beat_at)
     select x.id, x.run, x.step, x.attempt, now() from jsonb_to_recordset($1::jsonb) as x (id text, run text, step text, attempt int)
     on conflict (id) do update set beat_at = now(), attempt = greatest(lanes.attempt, excluded.attempt)`,
    [JSON.stringify(lanes)],
  );
};
export const dropLane = async (pool: Pool, lane: Lane): Promise<void> => {
  await read(pool).q(`delete from lanes where id = $1 and attempt = $2`, [lane.id, lane.attempt]);
};

/**
 * How many of `wanted` calls may go out now, for all lanes and workers of a workspace together: none while the provider asked to
 * be left alone, else what the workspace's own rate allows (a bucket of one second, refilled by time). Takes those calls.
 */
export const takeRate = async (
  tx: Tx,
  workspace: string,
  provider: string,
  wanted: number,
): Promise<{ allowed: number; waitMs: number }> => {
  const [limit] = await tx.q<{ per_second: number | null; paused_ms: number | null }>(
    `select w.calls_per_second as per_second, ceil(extract(epoch from l.paused_until - clock_timestamp()) * 1000)::int as paused_ms
     from workspaces w left join provider_limits l on l.workspace_id = w.id and l.provider = $2 where w.id = $1`,
    [workspace, provider],
  );
  if (limit?.paused_ms && limit.paused_ms > 0) return { allowed: 0, waitMs: limit.paused_ms };
  const rate = limit?.per_second ?? null;
  if (rate === null) return { allowed: wanted, waitMs: 0 };
  await tx.q(`insert into provider_limits (workspace_id, provider, tokens) values ($1, $2, $3) on conflict do nothing`, [
    workspace,
    provider,
    rate,
  ]);
  const [taken] = await tx.q<{ allowed: number }>(
    `with b as (
       select least($3::numeric, tokens + $3::numeric * extract(epoch from clock_timestamp() - refilled_at)) as filled
       from provider_limits where workspace_id = $1 and provider = $2 for update),
     t as (select filled, least($4::numeric, floor(filled)) as n from b)
     update provider_limits set tokens = t.filled - t.n, refilled_at = clock_timestamp() from t where workspace_id = $1 and provider = $2 returning t.n::int as allowed`,
    [workspace, provider, rate, wanted],
  );
  const allowed = taken?.allowed ?? 0;
  return { allowed, waitMs: allowed > 0 ? 0 : Math.ceil(1000 / rate) };
};

/** Leaves the provider alone for a while, for all lanes and workers: what its `Retry-After` asked, or a short rest. */
export const pauseProvider = async (tx: Tx, workspace: string, provider: string, ms: number): Promise<void> => {
  await tx.q(
    `insert into provider_limits (workspace_id, provider, paused_until, limited_at, limited_ms) values ($1, $2, now() + make_interval(secs => $3::double precision / 1000), now(), ceil($3::double precision)::bigint)
     on conflict (workspace_id, provider) do update set paused_until = greatest(provider_limits.paused_until, excluded.paused_until), limited_at = excluded.limited_at, limited_ms = excluded.limited_ms`,
    [workspace, provider, ms],
  );
};
