import type { RunEvent } from '../contracts/progress.js';
import { read, type Pool } from './client.js';

export interface FeedEvent extends RunEvent {
  run_id: string;
}

/** How far back a stream is taken up again beyond its last event: events of other runs may have been committed out of order. */
const OVERLAP_S = 10;

/** The version of every run of a workspace, as a starting point for what is new. */
export const runVersions = (pool: Pool, workspace: string): Promise<Array<{ run_id: string; version: number }>> =>
  read(pool).q(`select p.run_id, p.version from runs r join run_progress p on p.run_id = r.id where r.workspace_id = $1`, [workspace]);

/** Events of several runs after a version each, in order within a run. */
export const eventsOf = (
  pool: Pool,
  workspace: string,
  after: Array<{ run: string; version: number }>,
  limit: number,
): Promise<FeedEvent[]> =>
  read(pool).q<FeedEvent>(
    `select e.run_id, e.version, e.kind, e.params, e.patch, e.at from unnest($2::text[], $3::bigint[]) as a (run_id, version)
     join run_events e on e.run_id = a.run_id and e.version > a.version where e.workspace_id = $1 order by e.at, e.run_id, e.version limit $4`,
    [workspace, after.map((a) => a.run), after.map((a) => a.version), limit],
  );

/**
 * What a workspace's stream missed since an event it had, over all runs; some of it may come a second time. Null when that event
 * is not known (any more): then the caller has to look at everything afresh.
 */
export const missedEvents = async (
  pool: Pool,
  workspace: string,
  last: { run: string; version: number },
  limit: number,
): Promise<FeedEvent[] | null> => {
  const [seen] = await read(pool).q<{ at: string }>(`select at from run_events where run_id = $1 and version = $2 and workspace_id = $3`, [
    last.run,
    last.version,
    workspace,
  ]);
  if (!seen) return null;
  return read(pool).q<FeedEvent>(
    `select run_id, version, kind, params, patch, at from run_events
     where at >= $2::timestamptz - make_interval(secs => $3) and workspace_id = $1 and not (run_id = $4 and version <= $5) order by at, run_id, version limit $6`,
    [workspace, seen.at, OVERLAP_S, last.run, last.version, limit],
  );
};
