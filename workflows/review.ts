import {
  allHandlersFinished,
  CancellationScope,
  condition,
  isCancellation,
  log,
  patched,
  setCurrentDetails,
  setDefaultSignalHandler,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import { operatorDesk } from './desk.js';
import type { RunRef, StepRef } from './directives.js';
import { stepDetails } from './details.js';
import { draftsStep } from './drafts.js';
import { controlChanged, progressChanged, WAKES } from './messages.js';
import { rows, toolLane } from './options.js';
import type { StepResult } from './step.js';

/**
 * `armar-secuencia`: as a step of a campaign it drafts; alone, started by the tap that approved a sequence on the dashboard, it
 * brings the provider to the texts as they were approved and ends. Nothing here sends mail.
 */
export const draftsOrReview = async (ref: RunRef | StepRef): Promise<StepResult> => {
  if ('step' in ref) return draftsStep(ref);
  if (patched('approved-texts-stored')) return review(ref);
  // Runs that were under way when the texts were not stored yet: the approval was recorded, and that was all.
  await rows.closeReview(ref);
  return { status: 'done', events: 0 };
};

/** Asks its rows what to do, does it, asks again, as a step does; but it is a run of its own, and closes itself. */
const review = async (ref: RunRef): Promise<StepResult> => {
  let wakeups = 0;
  let asked = 0;
  setHandler(
    controlChanged,
    () => {
      wakeups += 1;
    },
    { description: WAKES },
  );
  // A run at rest tells its workflow so; here that is the workflow which brought it there.
  setHandler(progressChanged, () => undefined, { description: WAKES });
  setDefaultSignalHandler((name) => {
    log.warn('unknown signal ignored', { signal: name });
  });
  operatorDesk(ref, () => {
    asked += 1;
    wakeups += 1;
  });
  try {
    for (;;) {
      const seen = wakeups;
      const next = await rows.advanceReview(ref);
      setCurrentDetails(stepDetails({ ...ref, step: 's6' }, next));
      if (next.do === 'end') {
        // As in a campaign: the answer of an update gets out before the task that ends the workflow.
        if (asked > 0) await sleep(1);
        await condition(allHandlersFinished);
        return { status: next.status, events: 0 };
      }
      if (next.do === 'work') await toolLane('textos aprobados').storeApproved(ref);
      else await condition(() => wakeups !== seen);
    }
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => rows.settleReview(ref));
    throw error;
  }
};
