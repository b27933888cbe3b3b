import { ApplicationFailure, setHandler } from '@temporalio/workflow';
import type { RunRef } from './directives.js';
import { cancelRun, pause, replan, resolveDecision, resume, type OperatorReply } from './messages.js';
import { rows } from './options.js';

const isText = (v: unknown): v is string => typeof v === 'string' && v.length > 0 && v.length <= 300;
const isThen = (v: unknown): boolean => v === 'skip' || v === 'wait' || v === 'cancel';
const fields = (v: unknown): Record<string, unknown> | null =>
  typeof v === 'object' && v !== null && !Array.isArray(v) ? (v as Record<string, unknown>) : null;
/** Refuses an update before anything of it is stored; the Temporal UI shows the message. */
const refuse = (message: string): never => {
  throw ApplicationFailure.nonRetryable(message, 'bad_request');
};

const DECISION =
  'expected { decision_id, then } with then one of skip, wait, cancel; or, to approve, { decision_id, plan_version, payload_hash, total, operator, reason }';
const REASON = 'expected { reason } with up to 300 characters, or nothing';
const CHANGE = 'expected { cuentas?, cargo?, hasta?, reason? }';

const checkDecision = (given: unknown): void => {
  const o = fields(given);
  if (!o || !isText(o['decision_id'])) return refuse(DECISION);
  if ('then' in o) return isThen(o['then']) && (o['operator'] === undefined || isText(o['operator'])) ? undefined : refuse(DECISION);
  const approves =
    Number.isInteger(o['plan_version']) &&
    isText(o['payload_hash']) &&
    Number.isInteger(o['total']) &&
    isText(o['operator']) &&
    isText(o['reason']);
  if (!approves) refuse(DECISION);
};
const checkReason = (given?: unknown): void => {
  if (given !== undefined && given !== null && !isText(fields(given)?.['reason'])) refuse(REASON);
};
const checkChange = (given: unknown): void => {
  if (!fields(given)) refuse(CHANGE);
};

/** Updates that a person may send from the Temporal UI; what they ask is done and checked by the same code as the API's. */
export const operatorDesk = (ref: RunRef, wake: () => void): void => {
  /** What the rows refuse fails the update: the Temporal UI calls whatever comes back a success. */
  const done = (reply: OperatorReply): OperatorReply => {
    wake();
    if (!reply.ok) throw ApplicationFailure.nonRetryable(`${reply.code}: nothing was changed`, 'refused', reply);
    return reply;
  };
  setHandler(resolveDecision, async (decision) => done(await rows.operatorDecision({ ...ref, decision })), {
    description:
      'Answers the open decision. To decline: {"decision_id":"dec_…","then":"skip"}, or "wait" (pause), or "cancel". Approving needs what the current details print, is off unless configured, and counts as unverified.',
    validator: checkDecision,
  });
  const controls: Array<[typeof pause, 'pause' | 'resume' | 'cancel', string]> = [
    [pause, 'pause', 'Pauses at the next item; nothing is lost: {"reason":"…"}.'],
    [resume, 'resume', 'Goes on after a pause: {"reason":"…"}. An open decision still waits for its answer.'],
    [cancelRun, 'cancel', 'Ends the run: what was sent is settled, the rest is let go: {"reason":"…"}.'],
  ];
  for (const [update, action, description] of controls) {
    setHandler(
      update,
      async (args?: { reason: string } | null) => done(await rows.operatorControl({ ...ref, action, reason: args?.reason ?? '' })),
      { description, validator: checkReason },
    );
  }
  setHandler(replan, async (change) => done(await rows.operatorReplan({ ...ref, change: { ...change } })), {
    description: 'Makes the plan smaller: {"cuentas":30}, {"hasta":"contactos"}. It cannot raise what the run may spend.',
    validator: checkChange,
  });
};
