import type { OpsRun } from '../contracts/operations.js';
import type { Progress } from '../contracts/progress.js';
import { FINAL_RUN_STATES, RUN_STATES, type Control, type RunState } from '../contracts/states.js';
import { read, type Pool } from './client.js';

export interface OpsFilter {
  state?: RunState;
  idleMs?: number;
  unconfirmed?: boolean;
  before?: string;
  limit: number;
}

const OPEN_STATES = RUN_STATES.filter((s) => !(FINAL_RUN_STATES as readonly string[]).includes(s));

/** A machine's turn, over `runs r join run_progress p`: not a person's, and not a pause that a person asked for. A start without its card yet is one. */
export const MACHINES_TURN = `(r.state in ('running', 'stopping', 'waiting_external') or (r.state = 'ready' and p.body -> 'decisions' = '[]'::jsonb))`;

type Row = Pick<OpsRun, 'recipe' | 'created_at' | 'workflow_id' | 'idle_ms' | 'outbox_pending' | 'open_effects'> & {
  id: string;
  control: Control;
  body: Progress;
};

/** The list's statement: only conditions that were asked for are in it, so that each form of it has an index of its own. Exported for the test of its plans. */
export const opsRunsQuery = (workspace: string, filter: OpsFilter): { text: string; values: unknown[] } => {
  const values: unknown[] = [workspace];
  const param = (value: unknown): string => `$${values.push(value)}`;
  const where = [
    'r.workspace_id = $1',
    ...(filter.before === undefined ? [] : [`r.id < ${param(filter.before)}`]),
    ...(filter.state === undefined ? [] : [`r.state = ${param(filter.state)}`]),
    ...(filter.idleMs === undefined
      ? []
      : [
          `r.state = any(${param(OPEN_STATES)})`,
          MACHINES_TURN,
          `(p.body ->> 'last_progress_at')::timestamptz < now() - make_interval(secs => ${param(filter.idleMs)}::float8 / 1000)`,
        ]),
    ...(filter.unconfirmed ? [`r.id in (select e.run_id from effects e where e.workspace_id = $1 and e.state = 'unconfirmed')`] : []),
  ];
  return {
    values,
    text: `select r.id, r.recipe, r.created_at, r.workflow_id, r.control, p.body,
       greatest(0, extract(epoch from now() - (p.body ->> 'last_progress_at')::timestamptz) * 1000)::bigint as idle_ms,
       (select count(*)::int from outbox o where o.run_id = r.id and o.delivered_at is null) as outbox_pending,
       (select coalesce(jsonb_agg(jsonb_build_object('effect_id', e.id, 'kind', e.kind, 'state', e.state, 'sent_at', to_char(e.sent_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'reads', jsonb_array_length(e.reads), 'needs_operator', e.needs_operator) order by e.id), '[]')
        from (select * from effects where run_id = r.id and state in ('sent', 'unconfirmed') order by id limit 100) e) as open_effects
     from runs r join run_progress p on p.run_id = r.id where ${where.join(' and ')} order by r.id desc limit ${param(filter.limit + 1)}`,
  };
};

/** Runs as an operator looks for them: by state, without progress for a time, or with outcomes that nobody knows. Newest first. */
export const listOpsRuns = async (
  pool: Pool,
  workspace: string,
  filter: OpsFilter,
): Promise<{ runs: Array<Omit<OpsRun, 'temporal_url'>>; next_cursor: string | null }> => {
  const { text, values } = opsRunsQuery(workspace, filter);
  const rows = await read(pool).q<Row>(text, values);
  const page = rows.slice(0, filter.limit);
  return {
    runs: page.map(({ id, recipe, created_at, workflow_id, control, body, idle_ms, outbox_pending, open_effects }) => ({
      run_id: id,
      objetivo: body.objetivo,
      recipe,
      state: body.state,
      reason: body.reason,
      version: body.version,
      plan_version: body.plan_version,
      counts: body.counts,
      created_at,
      last_progress_at: body.last_progress_at,
      decisions: body.decisions,
      workflow_id,
      idle_ms,
      outbox_pending,
      open_effects,
      held: { credits: body.budget.credits.held, queries: body.budget.queries.held, inference: body.budget.inference.held_micros },
      control,
    })),
    next_cursor: rows.length > filter.limit ? (page.at(-1)?.id ?? null) : null,
  };
};

/** Throws when the database does not answer. */
export const databaseAnswers = async (pool: Pool): Promise<void> => {
  await read(pool).q(`select 1 as x`);
};

export interface Gauges {
  state: string;
  n: number;
}

/** Runs that are not over, by state, and effects nobody knows the outcome of, over all workspaces: for the metrics. */
export const countLive = async (pool: Pool): Promise<{ runs: Gauges[]; unconfirmed: number; idlest_ms: number }> => {
  const [runs, effects, idle] = await Promise.all([
    read(pool).q<Gauges>(`select state, count(*)::int as n from runs where ended_at is null group by state`),
    read(pool).q<{ n: number }>(`select count(*)::int as n from effects where state = 'unconfirmed'`),
    read(pool).q<{ ms: number | null }>(
      `select max(extract(epoch from now() - (p.body ->> 'last_progress_at')::timestamptz) * 1000)::bigint as ms from runs r join run_progress p on p.run_id = r.id where r.ended_at is null and r.state in ('running', 'stopping')`,
    ),
  ]);
  return { runs, unconfirmed: effects[0]?.n ?? 0, idlest_ms: Math.max(0, idle[0]?.ms ?? 0) };
};
