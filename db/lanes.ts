import { read, type Pool, type Tx } from './client.js';

/** Who works on an item: the lane's stable id and which attempt of it. A later attempt takes an earlier one's items back at once. */
export interface Lane { id: string; attempt: number }

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

/** How long the provider asked to be left alone, and how many calls its rate allows now. Takes those calls. */
export const takeRate = async (tx: Tx, workspace: string, provider: string, wanted: number): Promise<{ allowed: number; waitMs: number }> => {
  const [row] = await tx.q<{ paused_ms: number | null; per_second: number | null; tokens: number; wait_ms: number }>(
    `select greatest(0, extract(epoch from paused_until - now()) * 1000)::int as paused_ms, per_second, tokens,
       least(per_second, tokens + per_second * extract(epoch from now() - refilled_at)) as filled, 0 as wait_ms
     from provider_limits where workspace_id = $1 and provider = $2`, [workspace, provider],
  );
  if (!row) return { allowed: wanted, waitMs: 0 };
  if (row.paused_ms) return { allowed: 0, waitMs: row.paused_ms };
  if (row.per_second === null) return { allowed: wanted, waitMs: 0 };
  const [taken] = await tx.q<{ allowed: number }>(
    `update provider_limits set tokens = least(per_second, tokens + per_second * extract(epoch from now() - refilled_at)) - least($3, floor(least(per_second, tokens + per_second * extract(epoch from now() - refilled_at)))),
       refilled_at = now()
     where workspace_id = $1 and provider = $2
     returning least($3, floor(least(per_second, tokens)))::int as allowed`, [workspace, provider, wanted],
  );
  const allowed = Math.max(0, taken?.allowed ?? 0);
  return { allowed, waitMs: allowed > 0 ? 0 : Math.ceil(1000 / row.per_second) };
};

/** Leaves the provider alone for a while, for all lanes and workers: what its `Retry-After` asked, or a short rest. */
export const pauseProvider = async (tx: Tx, workspace: string, provider: string, ms: number): Promise<void> => {
  await tx.q(
    `insert into provider_limits (workspace_id, provider, paused_until) values ($1, $2, now() + make_interval(secs => $3::double precision / 1000))
     on conflict (workspace_id, provider) do update set paused_until = greatest(provider_limits.paused_until, excluded.paused_until)`,
    [workspace, provider, ms],
  );
};
