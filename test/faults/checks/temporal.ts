import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowExecutionInfo } from '@temporalio/client';
import type { World } from '../world.js';

/** Temporal warns at about ten thousand events. */
const MOST_EVENTS = 10_000;
const DRIFT_MS = 60_000;

/** I10: a run is open here exactly when its workflow is open there; they may differ for a minute. */
export const openProblems = async (world: World, driftMs = DRIFT_MS): Promise<string[]> => {
  const limit = Date.now() + driftMs;
  for (;;) {
    const runs = await world.rows<{ id: string; workflow_id: string; ended_at: Date | null }>(
      `select id, workflow_id, ended_at from runs where workspace_id = $1`,
      [world.workspace],
    );
    const differ: string[] = [];
    for (const run of runs) {
      const status = await world.temporal.workflow
        .getHandle(run.workflow_id)
        .describe()
        .then(
          (d) => d.status.name,
          () => 'NOT_FOUND',
        );
      if ((run.ended_at === null) !== (status === 'RUNNING'))
        differ.push(`I10 run ${run.id} is ${run.ended_at ? 'over' : 'open'} here and ${status} in Temporal`);
    }
    if (differ.length === 0 || Date.now() > limit) return differ;
    await sleep(100);
  }
};

/** All workflow executions of the workspace; the index may lag a moment behind. */
export const executions = async (world: World): Promise<WorkflowExecutionInfo[]> => {
  const runs = await world.rows<{ workflow_id: string }>(`select workflow_id from runs where workspace_id = $1`, [world.workspace]);
  const prefixes = ['campana', 'receta'].map((kind) => `WorkflowId STARTS_WITH "${kind}/${world.workspace}/"`).join(' OR ');
  for (let attempt = 1; ; attempt += 1) {
    const found: WorkflowExecutionInfo[] = [];
    for await (const info of world.temporal.workflow.list({ query: prefixes })) found.push(info);
    const ids = new Set(found.map((f) => f.workflowId));
    if (runs.every((r) => ids.has(r.workflow_id)) || attempt > 100) return found;
    await sleep(100);
  }
};

/** I16, from what the index says of each execution. */
export const historyProblems = (infos: WorkflowExecutionInfo[]): string[] =>
  infos.filter((i) => i.historyLength >= MOST_EVENTS).map((i) => `I16 ${i.workflowId} has ${i.historyLength} events`);
