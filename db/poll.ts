import { read, type Pool } from './client.js';

export interface Poll {
  run: string;
  /** The version the caller already has; null for none. */
  known: number | null;
}
export interface PolledRun {
  run_id: string;
  workspace_id: string;
  version: number;
  /** The body as JSON text, or null where the caller's version is the current one: then it is not read at all. */
  body: string | null;
}

/** Where several runs are, in one statement; of runs that did not move only the version is read. */
export const pollRuns = (pool: Pool, polls: Poll[]): Promise<PolledRun[]> =>
  read(pool).q<PolledRun>(
    `select p.run_id, p.workspace_id, p.version, case when k.known is distinct from p.version then p.body::text end as body
     from unnest($1::text[], $2::bigint[]) as k (run_id, known) join run_progress p on p.run_id = k.run_id`,
    [polls.map((p) => p.run), polls.map((p) => p.known)],
  );
