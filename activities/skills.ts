import type { StepId } from '../contracts/states.js';
import { withRun } from '../db/events.js';
import { runsAtWork } from '../db/skills.js';
import { read } from '../db/client.js';
import { blockDenied } from './steps/gate.js';
import type { Context } from './context.js';

/**
 * Pauses the running campaigns of a workspace whose step needs a skill that the account denies; their lanes see it at the next item.
 * What it misses (a run between two steps, a crash in the middle) is seen by the step itself when it next asks what to do.
 * @returns how many were looked at and are denied
 */
export const stopDenied = async (ctx: Context, workspace: string): Promise<number> => {
  let stopped = 0;
  for (const id of await runsAtWork(read(ctx.pool), workspace)) {
    const denied = await withRun(ctx.pool, workspace, id, async (run) => {
      const at = run.body.pasos.find((p) => p.id !== 's0' && (p.status === 'running' || p.status === 'unconfirmed'));
      return at ? blockDenied(run, at.id as Exclude<StepId, 's0'>) : false;
    });
    if (denied) stopped += 1;
  }
  return stopped;
};
