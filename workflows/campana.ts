import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  log,
  ParentClosePolicy,
  setCurrentDetails,
  setDefaultSignalHandler,
  setHandler,
  sleep,
  startChild,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
  type ChildWorkflowHandle,
  type Workflow,
} from '@temporalio/workflow';
import type { Snapshot } from '../activities/steps/index.js';
import { isFinal, STEP_SKILL, type RunState, type StepId } from '../contracts/states.js';
import { attributes } from './attributes.js';
import { operatorDesk } from './desk.js';
import { runDetails } from './details.js';
import type { RunRef } from './directives.js';
import { controlChanged, decisionResolved, plan, progressChanged, runProgress, WAKES } from './messages.js';
import { readsFor, rows, toolLane } from './options.js';
import { boardPlan } from './progress.js';
import type { StepResult } from './step.js';

export interface CampaignResult {
  run: string;
  state: RunState;
  events: number;
}
type Child = ChildWorkflowHandle<Workflow>;

/**
 * A campaign: what it may cost is agreed first, then its recipes run one after the other, each as a child that waits for its own
 * decision. It calls no tool itself, holds no item, and loops over steps, never over people.
 */
export async function campana(ref: RunRef): Promise<CampaignResult> {
  let wakeups = 0;
  /** How many wake-ups the rows have been looked at after: one that comes while they are being read is looked at again. */
  let looked = 0;
  const woken = (): boolean => wakeups !== looked;
  let latest: Snapshot | null = null;
  let shown = '';
  let page: string | undefined;
  const wake = (): void => {
    wakeups += 1;
  };
  setHandler(decisionResolved, wake, { description: WAKES });
  setHandler(controlChanged, wake, { description: WAKES });
  setHandler(progressChanged, wake, { description: WAKES });
  setDefaultSignalHandler((name) => {
    log.warn('unknown signal ignored', { signal: name });
  });
  setHandler(runProgress, () => latest?.progress ?? null, {
    description: 'State, steps, counts and budget, as the workflow last read them.',
  });
  setHandler(plan, () => (latest ? boardPlan(latest.progress) : null), {
    description: 'The plan as the board shows it: each step with its status and count.',
  });
  let asked = 0;
  operatorDesk(ref, () => {
    asked += 1;
    wake();
  });

  const show = (snapshot: Snapshot): Snapshot => {
    latest = snapshot;
    page = snapshot.page ?? page;
    setCurrentDetails(runDetails(snapshot.progress, snapshot.awaited, page));
    const pairs = attributes(snapshot);
    const signature = JSON.stringify(pairs.map((p) => p.value));
    if (signature !== shown) upsertSearchAttributes(pairs);
    shown = signature;
    return snapshot;
  };
  const look = async (): Promise<Snapshot> => {
    looked = wakeups;
    return show(await rows.snapshot({ ...ref, now: Date.now() }));
  };

  const children = new Map<StepId, Child>();
  const idle = new CancellationScope();
  const start = async (steps: StepId[]): Promise<void> => {
    const fresh = steps.filter((s) => !children.has(s));
    const handles = await idle.run(() => Promise.all(fresh.map((step) => startStep(ref, step))));
    fresh.forEach((step, i) => {
      const h = handles[i];
      if (h) children.set(step, h);
    });
  };

  /** Waits for a step; meanwhile keeps what is shown current and does an undo that is asked for. */
  const resultOf = async (child: Child): Promise<StepResult> => {
    let result: StepResult | undefined;
    let failed: Error | undefined;
    const over = child.result().then(
      (r) => {
        result = r as StepResult;
      },
      (e: unknown) => {
        failed = e instanceof Error ? e : new Error('step failed');
      },
    );
    for (;;) {
      await Promise.race([over, condition(woken)]);
      if (result) return result;
      if (failed) throw failed;
      const now = await look();
      if (now.undo) await undo();
    }
  };
  const undo = async (): Promise<void> => {
    await toolLane('deshacer').undoSave(ref);
    const after = await look();
    // Its card may have been tapped already: whatever is not saved any more has to be gone through again.
    if (after.progress.pasos.some((p) => p.id === 's2' && p.status !== 'done')) await resultOf(await startStep(ref, 's2'));
  };

  let events = 0;
  let peopleEvents = 0;
  let closing: Parameters<typeof rows.closeRun>[0]['closing'] = { as: 'finished', reason: null, events: null };
  try {
    let now = await readsFor('precios y saldos').openRun(ref);
    if (!started(now)) show(now);
    while (!started(now) && !stopped(now)) {
      const until = now.awaited?.until;
      if (until && now.control === 'run')
        await condition(woken, Math.max(1, Date.parse(until) - Date.now()), { summary: `card ${now.awaited?.decision_id ?? ''}` });
      else await condition(woken);
      now = await look();
    }
    for (let i = 0; !stopped(now); i += 1) {
      const step = now.steps[i];
      if (!step) break;
      const turn = await rows.beginStep({ ...ref, step, wake: children.has(step) });
      if (!turn.begun) break;
      now = show(turn);
      await start(now.steps.slice(i));
      const child = children.get(step);
      if (!child) throw ApplicationFailure.nonRetryable(`step ${step} was not started`);
      const result = await resultOf(child);
      children.delete(step);
      events += result.events;
      if (step === 's3') peopleEvents = result.events;
      if (result.status === 'canceled') break;
    }
  } catch (error) {
    closing = isCancellation(error)
      ? { as: 'canceled', reason: { code: 'operator_canceled', params: {} }, events: null }
      : { as: 'failed', reason: { code: 'step_failed', params: {} }, events: null };
    log.error('campaign ends early', { error: error instanceof Error ? error.name : 'unknown' });
  }
  await CancellationScope.nonCancellable(async () => {
    // Steps that never had their turn are let go; those that work settle first.
    if (children.size > 0) {
      idle.cancel();
      await Promise.allSettled([...children.values()].map((c) => c.result()));
    }
    // An update answered in the very task that ends the workflow is lost when a signal comes in between; a tick lets the answer out first.
    if (asked > 0) await sleep(1);
    const own = workflowInfo().historyLength + 5;
    const progress = await rows.closeRun({ ...ref, closing: { ...closing, events: { total: own + events, people_step: peopleEvents } } });
    show({ progress, awaited: null, control: 'run', undo: false, steps: [] });
    const { done, not_found, suppressed, skipped, failed, total } = progress.counts;
    upsertMemo({ counts: { done, not_found, suppressed, skipped, failed, total } });
    await condition(allHandlersFinished);
  });
  return { run: ref.run, state: (latest as Snapshot | null)?.progress.state ?? 'failed', events };
}

const started = (s: Snapshot): boolean => s.progress.pasos.some((p) => p.id === 's0' && p.status === 'done');
const stopped = (s: Snapshot): boolean => isFinal(s.progress.state) || s.control === 'cancel';

/** A step's workflow: its type is the skill's name, its id the step's; it settles by itself when the campaign is closed over it. */
const startStep = (ref: RunRef, step: StepId): Promise<Child> =>
  startChild(STEP_SKILL[step], {
    args: [{ ...ref, step }],
    workflowId: `campana/${ref.workspace}/${ref.run}/${step}`,
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    workflowTaskTimeout: '2s',
    staticSummary: `${step} · ${STEP_SKILL[step]}`,
  });
