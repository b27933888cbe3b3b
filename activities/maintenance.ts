import { WorkflowNotFoundError, type WorkflowExecutionStatusName } from '@temporalio/client';
import { closeRun, type Closing } from '../db/close.js';
import { withRun } from '../db/events.js';
import { exclusively, forgetOld, keepHolds, openRuns } from '../db/maintenance.js';
import { noteReconciled } from '../db/overview.js';
import { unconfirmedOfFinalRuns } from '../db/readback.js';
import type { Context } from './context.js';
import { readOne } from './work/reveal.js';

/** How often runs are compared with their workflows, ms; a disagreement is settled well within a minute. */
const EVERY_MS = 10_000;
const HOUSEKEEPING_MS = 600_000;
/** Describes under way at once, and runs looked at per round. */
const AT_ONCE = 8;
const RUNS = 500;

export interface Maintenance { stop(): Promise<void>; state(): { rounds: number; settled: number; last: string | null } }

/**
 * Compares open runs with their workflows and settles those that disagree, reads back unknown reveals of runs that are over, and
 * keeps holds. Every process runs it, one at a time does.
 */
export const startMaintenance = (ctx: Context): Maintenance => {
  const state = { rounds: 0, settled: 0, last: null as string | null };
  let stopped = false;
  let nextHousekeeping = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const round = async (): Promise<void> => {
    await exclusively(ctx.pool, async () => {
      const since = performance.now();
      const settled = await reconcile(ctx);
      if (ctx.temporal) await noteReconciled(ctx.pool, { settled, tookMs: performance.now() - since });
      state.settled += settled;
      for (const effect of await unconfirmedOfFinalRuns(ctx.pool, 50)) await readOne(ctx, effect.workspace_id, effect, Date.now());
      if (Date.now() >= nextHousekeeping) {
        nextHousekeeping = Date.now() + HOUSEKEEPING_MS;
        await keepHolds(ctx.pool);
        await forgetOld(ctx.pool);
      }
      state.rounds += 1;
      state.last = new Date().toISOString();
    });
  };
  const loop = (): void => {
    if (stopped) return;
    running = round().catch((error: unknown) => { ctx.log.warn({ failure: error instanceof Error ? error.name : 'unknown' }, 'maintenance round failed'); });
    void running.then(() => { if (!stopped) timer = setTimeout(loop, EVERY_MS); });
  };
  timer = setTimeout(loop, 1000);
  return { stop: async () => { stopped = true; clearTimeout(timer); await running; }, state: () => ({ ...state }) };
};

/** @returns how many runs were settled. */
export const reconcile = async (ctx: Context): Promise<number> => {
  const { temporal } = ctx;
  if (!temporal) return 0;
  const runs = await openRuns(ctx.pool, RUNS);
  let settled = 0;
  for (let i = 0; i < runs.length; i += AT_ONCE) {
    await Promise.all(runs.slice(i, i + AT_ONCE).map(async (run) => {
      const found = await look(ctx, run.workflow_id);
      if (found === 'unreachable' || found.status === 'RUNNING') return;
      const closing = closingOf(found.status, found.events);
      await withRun(ctx.pool, run.workspace_id, run.id, (locked) => closeRun(locked, closing));
      settled += 1;
      ctx.log.warn({ run_id: run.id, workflow: found.status }, 'run settled: its workflow is over');
    }));
  }
  return settled;
};

const look = async (ctx: Context, workflowId: string): Promise<'unreachable' | { status: WorkflowExecutionStatusName | 'NOT_FOUND'; events: number }> => {
  try {
    const d = await ctx.temporal?.withDeadline(Date.now() + 3000, () => ctx.temporal?.workflow.getHandle(workflowId).describe() ?? Promise.reject(new Error('no client')));
    return d ? { status: d.status.name, events: d.historyLength } : 'unreachable';
  } catch (error) {
    return error instanceof WorkflowNotFoundError ? { status: 'NOT_FOUND', events: 0 } : 'unreachable';
  }
};

const closingOf = (status: WorkflowExecutionStatusName | 'NOT_FOUND', events: number): Closing => {
  const history = events > 0 ? { total: events, people_step: 0 } : null;
  if (status === 'TERMINATED') return { as: 'canceled', reason: { code: 'operator_terminated', params: {} }, events: history };
  if (status === 'CANCELLED') return { as: 'canceled', reason: { code: 'operator_canceled', params: {} }, events: history };
  if (status === 'COMPLETED') return { as: 'finished', reason: null, events: history };
  return { as: 'failed', reason: { code: status === 'NOT_FOUND' ? 'workflow_missing' : 'workflow_failed', params: {} }, events: history };
};
