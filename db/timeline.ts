import type { Timeline } from '../contracts/api.js';
import type { Progress, Reason } from '../contracts/progress.js';
import { findRun } from './runs.js';
import { read, type Pool } from './client.js';

/** Points of a plot at most, and what happened beside them. */
const POINTS = 300;
const MARKERS = 200;
/** What a person wants to see beside the curve. */
const MARKED = [
  'decision.proposed',
  'decision.approved',
  'decision.declined',
  'decision.expired',
  'decision.superseded',
  'quote.expired',
  'run.paused',
  'run.resumed',
  'run.replanned',
  'run.stopping',
  'run.closed',
  'step.blocked',
  'provider.waiting',
  'undo.asked',
  'save.undone',
  'undo.refused',
];

/**
 * Every event that moved a number, with the numbers as they stood after it: a patch has only what it changed, so each value is carried on from
 * the last event that had one. Then as many stretches as there may be points, and the last event of each; the first event is always one.
 */
export const TIMELINE_POINTS = `with moved as (
    select version, at, patch -> 'counts' -> 'done' as done, patch -> 'budget' as budget from run_events where run_id = $1 and (patch ? 'counts' or patch ? 'budget')),
  carried as (
    select version, at, done, budget, count(done) over (order by version) as done_of, count(budget) over (order by version) as budget_of,
      case when version = (select min(version) from moved) then 0 else ntile(${POINTS - 1}) over (order by version) end as stretch, count(*) over () as n from moved),
  filled as (
    select version, at, stretch, n, first_value(done) over (partition by done_of order by version) as done, first_value(budget) over (partition by budget_of order by version) as budget from carried)
  select distinct on (stretch) version, at, n::int, coalesce(done::int, 0) as done,
    coalesce((budget #>> '{credits,held}')::int, 0) as credits_held, coalesce((budget #>> '{credits,spent}')::int, 0) as credits_spent,
    coalesce((budget #>> '{queries,held}')::int, 0) as queries_held, coalesce((budget #>> '{queries,spent}')::int, 0) as queries_spent,
    (budget #>> '{inference,used_micros}')::bigint as inference_micros
  from filled order by stretch, version desc`;

/** A run's way so far; from its events, which are kept 90 days after its end. @throws Refusal 404 `run_not_found` */
export const readTimeline = async (pool: Pool, workspace: string, run: string): Promise<Timeline> => {
  const tx = read(pool);
  const row = await findRun(tx, workspace, run);
  const [progress] = await tx.q<{ body: Progress }>(`select body from run_progress where run_id = $1`, [run]);
  if (!progress) throw new Error(`run ${run} has no progress row`);
  const { body } = progress;
  const points = await tx.q<Timeline['points'][number] & { n: number }>(TIMELINE_POINTS, [run]);
  const markers = await tx.q<{ version: number; at: string; kind: string; params: Reason['params'] }>(
    `select version, at, kind, params from run_events where run_id = $1 and kind = any($2) order by version desc limit ${MARKERS}`,
    [run, MARKED],
  );
  const moved = points[0]?.n ?? 0;
  return {
    run_id: run,
    version: body.version,
    from: row.created_at,
    to: body.last_progress_at,
    total: body.counts.total,
    limits: {
      credits: body.budget.credits.plan_max,
      queries: body.budget.queries.plan_max,
      inference_micros: body.budget.inference.cap_micros,
    },
    events: moved,
    sampled: moved > points.length,
    kept: points.length > 0,
    points: points.map(({ n: _n, ...point }) => point),
    markers: markers.reverse(),
  };
};
