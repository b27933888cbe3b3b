import type { Run } from '../contracts/api.js';
import type { Progress } from '../contracts/progress.js';
import { read, type Pool } from './client.js';
import { findRun } from './runs.js';

/** One run with what it was asked to do and where it is. @throws Refusal 404 `run_not_found` */
export const readRun = async (pool: Pool, workspace: string, id: string): Promise<Run> => {
  const row = await findRun(read(pool), workspace, id);
  const [progress] = await read(pool).q<{ body: Progress }>(`select body from run_progress where run_id = $1`, [id]);
  if (!progress) throw new Error(`run ${id} has no progress row`);
  const { body } = progress;
  const self = `/v1/runs/${id}`;
  return {
    run_id: id,
    objetivo: body.objetivo,
    recipe: row.recipe,
    state: body.state,
    reason: body.reason,
    version: body.version,
    plan_version: body.plan_version,
    counts: body.counts,
    created_at: row.created_at,
    last_progress_at: body.last_progress_at,
    decisions: body.decisions,
    criteria: row.criteria,
    cuentas: row.cuentas,
    desde: row.desde,
    hasta: row.hasta,
    modo: row.mode,
    caps: row.caps,
    plan_max: row.plan_max,
    linked_run_id: row.linked_run_id,
    created_by: row.created_by,
    channel: row.channel,
    started_at: row.started_at,
    ended_at: row.ended_at,
    workflow_id: row.workflow_id,
    links: { self, progress: `${self}/progress`, items: `${self}/items`, receipt: row.ended_at ? `${self}/receipt` : null },
  };
};
