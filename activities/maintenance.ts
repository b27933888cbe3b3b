import { WorkflowNotFoundError, type WorkflowExecutionStatusName } from '@temporalio/client';
import { closeRun, type Closing } from '../db/close.js';
import { withRun } from '../db/events.js';
import { comparison, exclusively, forgetOld, keepHolds, openRuns } from '../db/maintenance.js';
import { noteReconciled } from '../db/overview.js';
import { unconfirmedOfFinalRuns } from '../db/readback.js';
import type { Context } from './context.js';
import { readOne } from './work/reveal.js';

/** How often runs are compared with their workflows, ms. A third of them is looked at per round, so a disagreement is settled within a minute. */
const EVERY_MS = 10_000;
const ROUNDS_FOR_ALL = 3;
/** Up to this many are looked at in every round. */
const AT_LEAST = 500;
/** Describes under way at once, and how long a round may take, ms: a server that does not answer must not keep the rest from being done. */
const AT_ONCE = 16;
const ROUND_MS = 8_000;
const HOUSEKEEPING_MS = 600_000;

export interface Maintenance {
  stop(): Promise<void>;
  state(): { rounds: number; settled: number; last: string | null };
}

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
      state.settled += await reconcile(ctx);
      for (const effect of await unconfirmedOfFinalRuns(ctx.pool, 50)) {
        // One that cannot be read must not keep the others from it.
        await readOne(ctx, effect.workspace_id, effect, Date.now()).catch((error: unknown) => {
          ctx.log.error(
            { run_id: effect.run_id, failure: error instanceof Error ? error.name : 'unknown' },
            'an unconfirmed call could not be read back',
          );
        });
      }
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
    running = round().catch((error: unknown) => {
      ctx.log.warn({ failure: error instanceof Error ? error.name : 'unknown' }, 'maintenance round failed');
    });
    void running.then(() => {
      if (!stopped) timer = setTimeout(loop, EVERY_MS);
    });
  };
  timer = setTimeout(loop, 1000);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
    state: () => ({ ...state }),
  };
};

/**
 * One round: goes on after the run where the last one ended, and from the oldest again after the newest.
 * @param atLeast how many are looked at, or a third of all where that is more
 * @returns how many runs were settled
 */
export const reconcile = async (ctx: Context, atLeast = AT_LEAST): Promise<number> => {
  if (!ctx.temporal) return 0;
  const since = performance.now();
  const { open, after } = await comparison(ctx.pool);
  const limit = Math.max(atLeast, Math.ceil(open / ROUNDS_FOR_ALL));
  const runs = await openRuns(ctx.pool, after, limit);
  if (after !== '' && runs.length < limit)
    runs.push(...(await openRuns(ctx.pool, '', limit - runs.length)).filter((run) => run.id <= after));
  let settled = 0;
  let last = after;
  for (let i = 0; i < runs.length && performance.now() - since < ROUND_MS; i += AT_ONCE) {
    const some = runs.slice(i, i + AT_ONCE);
    const done = await Promise.all(some.map((run) => settle(ctx, run)));
    settled += done.filter(Boolean).length;
    last = some.at(-1)?.id ?? last;
  }
  await noteReconciled(ctx.pool, { settled, tookMs: performance.now() - since, after: last });
  return settled;
};

/** @returns whether the run had to be settled, and was. */
const settle = async (ctx: Context, run: Awaited<ReturnType<typeof openRuns>>[number]): Promise<boolean> => {
  const found = await look(ctx, run.workflow_id);
  if (found === 'unreachable' || found.status === 'RUNNING') return false;
  try {
    await withRun(ctx.pool, run.workspace_id, run.id, (locked) => closeRun(locked, closingOf(found.status, found.events)));
  } catch (error) {
    // One that cannot be closed must not keep the others open; it is tried again when its turn comes.
    ctx.log.error(
      { run_id: run.id, workflow: found.status, failure: error instanceof Error ? error.name : 'unknown' },
      'run could not be settled',
    );
    return false;
  }
  ctx.log.warn({ run_id: run.id, workflow: found.status }, 'run settled: its workflow is over');
  return true;
};

const look = async (
  ctx: Context,
  workflowId: string,
): Promise<'unreachable' | { status: WorkflowExecutionStatusName | 'NOT_FOUND'; events: number }> => {
  try {
    const d = await ctx.temporal?.withDeadline(
      Date.now() + 3000,
      () => ctx.temporal?.workflow.getHandle(workflowId).describe() ?? Promise.reject(new Error('no client')),
    );
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
