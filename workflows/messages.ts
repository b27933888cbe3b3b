import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Progress } from '../contracts/progress.js';
import type { BoardPlan } from './progress.js';

/** Signals only wake: the workflow asks its rows what is true. */
export const decisionResolved = defineSignal<[{ decision_id: string }?]>('decision.resolved');
export const controlChanged = defineSignal<[unknown?]>('control.changed');
export const progressChanged = defineSignal<[unknown?]>('progress.changed');
export const stepBegin = defineSignal<[unknown?]>('step.begin');
/** What the Temporal UI says of them. */
export const WAKES = 'Wakes the workflow, which then asks its rows what is true. Changes nothing by itself.';

export const runProgress = defineQuery<Progress | null>('run.progress');
export const plan = defineQuery<BoardPlan | null>('plan');

export interface OperatorDecline {
  decision_id: string;
  then: 'skip' | 'wait' | 'cancel';
  operator?: string;
}
export interface OperatorApproval {
  decision_id: string;
  plan_version: number;
  payload_hash: string;
  total: number;
  operator: string;
  reason: string;
}
export interface OperatorReply {
  ok: boolean;
  code: string;
}

/** What a person in the Temporal UI may send. Validators are synchronous; what they let through is checked again by the rows. */
export const resolveDecision = defineUpdate<OperatorReply, [OperatorDecline | OperatorApproval]>('resolve_decision');
export const pause = defineUpdate<OperatorReply, [{ reason: string }?]>('pause');
export const resume = defineUpdate<OperatorReply, [{ reason: string }?]>('resume');
export const cancelRun = defineUpdate<OperatorReply, [{ reason: string }?]>('cancel_run');
export const replan = defineUpdate<OperatorReply, [{ cuentas?: number; cargo?: string; hasta?: string; reason?: string }]>('replan');
