import { proxyActivities, proxyLocalActivities, type ActivityOptions } from '@temporalio/workflow';
import type { Activities, Bookkeeping } from '../activities/types.js';

/**
 * Every activity profile, and the only place that makes proxies. `cancellationType` is always said: left out it means
 * TRY_CANCEL, and a run would settle while its paid calls are still under way.
 */

/** Asks and changes rows: a few ms, one marker in the history, safe to repeat. Runs in the workflow's own worker. */
export const rows = proxyLocalActivities<Bookkeeping>({
  startToCloseTimeout: '15s',
  localRetryThreshold: '20s',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s', nonRetryableErrorTypes: ['Refusal', 'TypeError'] },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
});

/** Reads the tool server (prices, quotes, read-backs): retried by Temporal until it answers. */
const READ: ActivityOptions = {
  taskQueue: 'herramientas',
  startToCloseTimeout: '60s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '15s', nonRetryableErrorTypes: ['Refusal', 'TypeError'] },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  allowEagerDispatch: false,
};

/** A reading, named for people in the Temporal UI. */
export const readsFor = (summary: string) => proxyActivities<Activities>({ ...READ, summary });

/**
 * Works through item rows until none is left. May be retried freely, also after a crash in the middle: at-most-once lives in the
 * effect rows, not in Temporal's attempts. The heartbeat timeout is what a dead worker costs.
 */
const LANE: ActivityOptions = {
  startToCloseTimeout: '7 days',
  heartbeatTimeout: '1500ms',
  retry: { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '5s', nonRetryableErrorTypes: ['Refusal', 'TypeError'] },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  allowEagerDispatch: false,
};

/** A lane on the tools' queue, named for people in the Temporal UI. */
export const toolLane = (summary: string) => proxyActivities<Activities>({ ...LANE, taskQueue: 'herramientas', summary });
/** A lane on the model's queue. */
export const modelLane = (summary: string) => proxyActivities<Activities>({ ...LANE, taskQueue: 'modelo', summary });
