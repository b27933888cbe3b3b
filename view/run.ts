import type { Balances } from '../contracts/api.js';
import type { Decision } from '../contracts/decision.js';
import type { Paso, Progress, Reason } from '../contracts/progress.js';
import { AS_CHOSEN, type RunState, type StepState } from '../contracts/states.js';
import type { Words } from './words.js';

/** Icon beside the words of a state: never colour alone. */
export const RUN_ICON: Record<RunState, string> = {
  ready: '○',
  running: '▶',
  waiting_decision: '◆',
  waiting_external: '…',
  paused: '‖',
  stopping: '■',
  completed: '✓',
  completed_partial: '◐',
  canceled: '×',
  failed: '✗',
};
/** How a campaign stands, for people: one that ended short because they chose so has everything they asked for. */
export const standing = (p: { state: RunState; reason: Reason | null }): { icon: string; text: string; tone: RunState } =>
  p.state === 'completed_partial' && p.reason?.code === AS_CHOSEN
    ? { icon: RUN_ICON.completed, text: 'run.state.as_chosen', tone: 'completed' }
    : { icon: RUN_ICON[p.state], text: `run.state.${p.state}`, tone: p.state };
export const STEP_ICON: Record<StepState, string> = {
  pending: '○',
  running: '▶',
  waiting_decision: '◆',
  done: '✓',
  partial: '◐',
  paused: '‖',
  blocked: '!',
  unconfirmed: '?',
  failed: '✗',
  skipped: '–',
  canceled: '×',
};

/** What a step has done, with its denominators; several where accounts ended in several ways. */
export const stepCount = (paso: Paso, p: Progress, words: Words): string[] => {
  if (paso.id === 's6') return [words.say('step.s6.where')];
  if (!paso.conteo) return [];
  const code = ['s1', 's2', 's3', 's4', 's5'].includes(paso.id) ? `step.count.${paso.id}` : `step.count.${paso.conteo.unit}`;
  const parts = [words.say(code, { done: paso.conteo.done, total: paso.conteo.total })];
  if (paso.id === 's3') {
    for (const kind of ['running', 'not_found', 'suppressed', 'skipped', 'failed', 'pending'] as const)
      if (p.counts[kind] > 0) parts.push(words.say(`count.${kind}`, { n: p.counts[kind] }));
  }
  if (paso.id === 's4' && p.contacts.unconfirmed > 0) parts.push(words.say('count.unconfirmed', { n: p.contacts.unconfirmed }));
  return parts;
};

/** The cost lines: what it may cost at most, what is held and what is used, per kind of money. */
export const costLines = (p: Progress, decisions: Decision[], balances: Balances | null, words: Words): string[] => {
  const start = decisions.find((d) => d.kind === 'ajustar_presupuesto' && d.state === 'open');
  const lines: string[] = [];
  for (const kind of ['credits', 'queries'] as const) {
    const b = p.budget[kind];
    const whole = b.plan_max ?? (kind === 'credits' ? start?.price.requested_total : undefined);
    if (kind === 'queries' && b.plan_max === null && b.held === 0 && b.spent === 0) continue;
    const parts = [
      ...(whole === undefined ? [] : [words.say('view.cost.max', { n: whole })]),
      words.say(`view.cost.held.${kind}`, { n: b.held }),
      words.say(`view.cost.spent.${kind}`, { n: b.spent }),
      ...(balances?.read_at ? [words.say('view.cost.balance', { n: balances[kind].available })] : []),
    ];
    lines.push(`${words.say(`money.${kind}`)}: ${parts.join(' · ')}`);
  }
  const i = p.budget.inference;
  if ((i.cap_micros ?? 0) > 0 || (i.used_micros ?? 1) > 0) {
    const used =
      i.used_micros === null
        ? words.say('view.cost.unknown')
        : words.say('view.cost.used', { amount: words.amount('inference', i.used_micros) });
    const cap = i.cap_micros === null ? [] : [words.say('view.cost.cap', { amount: words.amount('inference', i.cap_micros) })];
    lines.push(`${words.say('money.inference')}: ${[...cap, used].join(' · ')}`);
  }
  return lines;
};

/** Why a step is where it is, unless the run says the same; what it waited for is no reason any more once it is over. */
export const stepReason = (paso: Paso, p: Progress): Reason | null => {
  const waited = paso.reason !== null && /_needs_tap$|_short$|_needs_review$/.test(paso.reason.code);
  return paso.reason && paso.reason.code !== p.reason?.code && (!waited || paso.status === 'waiting_decision') ? paso.reason : null;
};

/** What of a campaign is worth telling: a step that ended, a stop, a decision, the end. Equal texts are the same milestone. */
export const milestone = (p: Progress): string =>
  [
    p.state,
    p.reason?.code,
    ...p.decisions,
    ...p.pasos.filter((one) => ['done', 'partial', 'failed', 'skipped'].includes(one.status)).map((one) => `${one.id}${one.status}`),
  ].join();
