import type { DecisionRow } from '../../db/decisions/decision.js';
import { expireDecision } from '../../db/decisions/lapse.js';
import type { LockedRun } from '../../db/events.js';
import { blockRun } from '../../db/people.js';
import { deniedAtStep } from '../../db/skills.js';
import { markEnded, stepTimes } from '../../db/steps.js';
import type { Awaited, Directive } from '../../workflows/directives.js';
import type { Paso } from '../../contracts/progress.js';
import type { StepId, StepState } from '../../contracts/states.js';

export type ChildStep = Exclude<StepId, 's0' | 's6'>;
const ENDED: StepState[] = ['done', 'partial', 'skipped', 'canceled', 'failed', 'unconfirmed'];

/** Left out by a change of plan. */
export const isCut = (paso: Paso): boolean => paso.status === 'skipped' && paso.reason?.code === 'replanned';

/** What holds for every step before its own logic: is it its turn, is it over, is the run stopped or paused, may its skill be used. */
export const gate = async (run: LockedRun, step: ChildStep): Promise<Directive | null> => {
  if (run.final || run.row.control === 'cancel') return { do: 'end', status: 'canceled' };
  const row = await stepTimes(run, step);
  const paso = run.paso(step);
  if (!paso) return { do: 'end', status: 'skipped' };
  if (row.ended && ENDED.includes(paso.status)) return { do: 'end', status: paso.status };
  // Cut by a replan, also in the middle: nothing more is done here.
  if (isCut(paso)) return endStep(run, step, 'skipped');
  if (!row.begun) return { do: 'wait', why: 'turn', until: null, awaited: null };
  if (run.row.control === 'pause') return { do: 'wait', why: 'control', until: null, awaited: null };
  // An open card goes on waiting: whoever taps it is refused.
  if (paso.status !== 'waiting_decision' && (await blockDenied(run, step)))
    return { do: 'wait', why: 'control', until: null, awaited: null };
  if (paso.status === 'paused')
    run.emit('step.resumed', { step }, { state: 'running', reason: null, pasos: [{ id: step, status: 'running', reason: null }] });
  return null;
};

/** Pauses the run at a step whose skill the account denies; set back, the run is resumed and goes on here. */
export const blockDenied = async (run: LockedRun, step: Exclude<StepId, 's0'>): Promise<boolean> => {
  const skill = await deniedAtStep(run, step);
  if (skill) await blockRun(run, step, { code: 'skill_denied', params: { skill, scope: 'account' } });
  return skill !== null;
};

/** Ends a step: its state, its reason, and the moment. */
export const endStep = async (
  run: LockedRun,
  step: StepId,
  status: StepState,
  reason: { code: string; params: Record<string, string | number | boolean | null> } | null = null,
): Promise<Directive> => {
  await markEnded(run, step);
  if (run.paso(step)?.status !== status || reason)
    run.emit('step.ended', { step, status }, { pasos: [{ id: step, status, ...(reason ? { reason } : {}) }] });
  return { do: 'end', status };
};

/** The wait that an open card means; it expires here when its time is over by the workflow's clock. */
export const awaitTap = async (run: LockedRun, row: DecisionRow, now: number): Promise<Directive> => {
  if (row.expires_at && Date.parse(row.expires_at) <= now) {
    await expireDecision(run, row);
    return { do: 'wait', why: 'control', until: null, awaited: null };
  }
  const lot = row.payload.options.find((o) => o.id === 'all' || o.id === 'fit_n' || o.id === 'approve');
  const awaited: Awaited = {
    decision_id: row.id,
    kind: row.kind,
    total: lot?.totals.credits ?? 0,
    payload_hash: row.payload_hash,
    plan_version: row.plan_version,
    since: row.created_at,
    until: row.expires_at,
  };
  return { do: 'wait', why: 'decision', until: row.expires_at, awaited };
};
