import {
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  log,
  setCurrentDetails,
  setDefaultSignalHandler,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { StepState } from '../contracts/states.js';
import type { Directive, Phase, StepRef } from './directives.js';
import { stepDetails } from './details.js';
import { controlChanged, decisionResolved, stepBegin, WAKES } from './messages.js';
import { rows } from './options.js';

/** What a step's workflow returns: how it ended, and how many events its history took. */
export interface StepResult {
  status: StepState;
  events: number;
}
export type Work = Extract<Directive, { do: 'work' }>;

/**
 * A step: asks its rows what to do, does it, asks again. Waiting is woken by a signal or by the clock. Started ahead of its
 * turn, so that a tap or its predecessor's end wakes it directly.
 */
export const runStep = async (ref: StepRef, work: Partial<Record<Phase, (directive: Work) => Promise<void>>>): Promise<StepResult> => {
  let wakeups = 0;
  const wake = (): void => {
    wakeups += 1;
  };
  setHandler(stepBegin, wake, { description: WAKES });
  setHandler(decisionResolved, wake, { description: WAKES });
  setHandler(controlChanged, wake, { description: WAKES });
  setDefaultSignalHandler((name) => {
    log.warn('unknown signal ignored', { signal: name });
  });

  try {
    for (;;) {
      const seen = wakeups;
      const next = await rows.advance({ ...ref, now: Date.now() });
      setCurrentDetails(stepDetails(ref, next));
      if (next.do === 'end') return { status: next.status, events: workflowInfo().historyLength + 2 };
      if (next.do === 'work') {
        const doIt = work[next.phase];
        if (!doIt) throw new Error(`step ${ref.step} has no ${next.phase}`);
        await doIt(next);
        if (workflowInfo().continueAsNewSuggested) await continueAsNew(ref);
        continue;
      }
      const woken = (): boolean => wakeups !== seen;
      if (next.do === 'sleep') await condition(woken, next.ms, { summary: `read back ${next.item}` });
      else if (next.until === null) await condition(woken);
      else await condition(woken, Math.max(1, Date.parse(next.until) - Date.now()), { summary: `card ${next.awaited?.decision_id ?? ''}` });
    }
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => rows.settleStep(ref));
    throw error;
  }
};

/** Starts as many lanes as the step may have and waits for all of them. */
export const lanes = async (n: number, start: (lane: number) => Promise<unknown>): Promise<void> => {
  await Promise.all(Array.from({ length: n }, (_, i) => start(i + 1)));
};
