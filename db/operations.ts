import type { OpsRun } from '../contracts/api.js';
import type { Progress } from '../contracts/progress.js';
import { FINAL_RUN_STATES, type RunState } from '../contracts/states.js';
import { read, type Pool } from './client.js';

export interface OpsFilter { state?: RunState; idleMs?: number; unconfirmed?: boolean; before?: string; limit: number }

/** Runs as an operator looks for them: by state, without progress for a time, or with outcomes that nobody knows. Newest first. */
export const listOpsRuns = async (pool: Pool, workspace: string, filter: OpsFilter): Promise<{ runs: OpsRun[]; next_cursor: string | null }> => {
  const rows = await read(pool).q<{ id: string; recipe: string; created_at: string; workflow_id: string; body: Progress; idle_ms: number; outbox_pending: number; open_effects: OpsRun['open_effects'] }>(
    `select r.id, r.recipe, r.created_at, r.workflow_id, p.body,
       (extract(epoch from now() - (p.body ->> 'last_progress_at')::timestamptz) * 1000)::bigint as idle_ms,
       (select count(*)::int from outbox o where o.run_id = r.id and o.delivered_at is null) as outbox_pending,
       (select coalesce(jsonb_agg(jsonb_build_object('effect_id', e.id, 'kind', e.kind, 'state', e.state, 'sent_at', to_char(e.sent_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'reads', jsonb_array_length(e.reads), 'needs_operator', e.needs_operator) order by e.id), '[]')
        from (select * from effects where run_id = r.id and state in ('sent', 'unconfirmed') order by id limit 100) e) as open_effects
     from runs r join run_progress p on p.run_id = r.id
     where r.workspace_id = $1 and ($2::text is null or r.id < $2) and ($3::text is null or r.state = $3)
       and ($4::bigint is null or (not (r.state = any($5)) and (p.body ->> 'last_progress_at')::timestamptz < now() - make_interval(secs => $4::float8 / 1000)))
       and ($6::bool is not true or exists (select 1 from effects e where e.run_id = r.id and e.state = 'unconfirmed'))
     order by r.id desc limit $7`,
    [workspace, filter.before ?? null, filter.state ?? null, filter.idleMs ?? null, [...FINAL_RUN_STATES], filter.unconfirmed ?? null, filter.limit + 1],
  );
  const page = rows.slice(0, filter.limit);
  return {
    runs: page.map(({ id, recipe, created_at, workflow_id, body, idle_ms, outbox_pending, open_effects }) => ({
      run_id: id, objetivo: body.objetivo, recipe, state: body.state, reason: body.reason, version: body.version, plan_version: body.plan_version, counts: body.counts,
      created_at, last_progress_at: body.last_progress_at, decisions: body.decisions, workflow_id, idle_ms: Math.max(0, idle_ms), outbox_pending, open_effects,
    })),
    next_cursor: rows.length > filter.limit ? (page.at(-1)?.id ?? null) : null,
  };
};

/** Throws when the database does not answer. */
export const databaseAnswers = async (pool: Pool): Promise<void> => {
  await read(pool).q(`select 1 as x`);
};

export interface Gauges { state: string; n: number }

/** Runs that are not over, by state, and effects nobody knows the outcome of, over all workspaces: for the metrics. */
export const countLive = async (pool: Pool): Promise<{ runs: Gauges[]; unconfirmed: number; idlest_ms: number }> => {
  const [runs, effects, idle] = await Promise.all([
    read(pool).q<Gauges>(`select state, count(*)::int as n from runs where ended_at is null group by state`),
    read(pool).q<{ n: number }>(`select count(*)::int as n from effects where state = 'unconfirmed'`),
    read(pool).q<{ ms: number | null }>(`select max(extract(epoch from now() - (p.body ->> 'last_progress_at')::timestamptz) * 1000)::bigint as ms from runs r join run_progress p on p.run_id = r.id where r.ended_at is null and r.state in ('running', 'stopping')`),
  ]);
  return { runs, unconfirmed: effects[0]?.n ?? 0, idlest_ms: Math.max(0, idle[0]?.ms ?? 0) };
};
