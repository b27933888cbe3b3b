import { Context as Activity } from '@temporalio/activity';
import { beat, dropLane, type Lane } from '../../db/lanes.js';
import type { StepId } from '../../contracts/states.js';
import type { Context } from '../context.js';

/** How often a lane says it is alive, ms: well under the heartbeat timeout and the lease. */
const BEAT_MS = 500;

/**
 * Runs `work` as one lane: heartbeats to Temporal and to its lease row on a timer of its own, whatever the current call does, and
 * `sleep` that ends at once when the activity is canceled. The lane's id is the same in every attempt, so a retry takes its
 * own items back.
 */
export const asLane = async <T>(
  ctx: Context,
  run: string,
  step: StepId,
  work: (lane: Lane & { signal: AbortSignal; sleep(ms: number): Promise<void>; done(n: number): void }) => Promise<T>,
): Promise<T> => {
  const activity = Activity.current();
  const { info } = activity;
  const lane: Lane = { id: `${info.workflowExecution?.runId ?? ''}:${info.activityId}`, attempt: info.attempt };
  let done = 0;
  const tick = async (): Promise<void> => {
    activity.heartbeat({ done });
    await beat(ctx.pool, [{ ...lane, run, step }]).catch((error: unknown) =>
      ctx.log.warn({ run_id: run, error: error instanceof Error ? error.message : '' }, 'lane lease not renewed'),
    );
  };
  // Not waited for: an item's own claim is a lease until the first beat is there.
  void tick();
  const timer = setInterval(() => void tick(), BEAT_MS);
  try {
    return await work({
      ...lane,
      signal: activity.cancellationSignal,
      done: (n) => {
        done = n;
      },
      sleep: (ms) => activity.sleep(ms),
    });
  } finally {
    clearInterval(timer);
    await dropLane(ctx.pool, lane).catch(() => undefined);
  }
};
