import type { Budget, Counts, Paso, Progress, ProgressPatch } from '../contracts/progress.js';
import {
  LAST_STEP,
  STEP_COST,
  STEP_IDS,
  STEP_SKILL,
  type AccountState,
  type Hasta,
  type RunState,
  type StepId,
} from '../contracts/states.js';

/** How long a poller should wait, ms: short while things move, long while a person is awaited, longest at the end. */
const POLL_AFTER_MS: Record<RunState, number> = {
  ready: 2000,
  running: 1000,
  stopping: 1000,
  waiting_external: 5000,
  waiting_decision: 10_000,
  paused: 15_000,
  completed: 60_000,
  completed_partial: 60_000,
  canceled: 60_000,
  failed: 60_000,
};

/** Applies one event's patch: the projection is the fold of all of them in order of version. Pure. */
export const applyPatch = (body: Progress, patch: ProgressPatch, version: number, at: string): Progress => {
  const { pasos, ...rest } = patch;
  const next: Progress = { ...body, ...rest, version, last_progress_at: at };
  if (pasos) {
    const known = new Set(body.pasos.map((p) => p.id));
    next.pasos = body.pasos.map((p) =>
      Object.assign(
        {},
        p,
        pasos.find((c) => c.id === p.id),
      ),
    );
    for (const added of pasos) if (!known.has(added.id)) next.pasos.push(Object.assign(emptyPaso(added.id), added));
    next.pasos.sort((a, b) => a.id.localeCompare(b.id));
  }
  next.poll_after_ms = POLL_AFTER_MS[next.state];
  return next;
};

export const emptyPaso = (id: StepId): Paso => ({
  id,
  skill: STEP_SKILL[id],
  status: 'pending',
  conteo: null,
  cost: { kind: STEP_COST[id], max: null, held: 0, spent: 0 },
  checkpoint: null,
  reason: null,
});

/** The steps of a plan, in order: s0 always, then from `desde` to the last step that `hasta` asks for; s6 follows drafts. */
export const planSteps = (desde: StepId, hasta: Hasta): StepId[] => {
  const last = LAST_STEP[hasta];
  const work = STEP_IDS.filter((s) => s !== 's0' && s !== 's6' && s >= desde && s <= last);
  return last === 's5' ? ['s0', ...work, 's6'] : ['s0', ...work];
};

export const emptyCounts = (total: number): Counts => ({
  unit: 'account',
  total,
  done: 0,
  running: 0,
  pending: total,
  not_found: 0,
  suppressed: 0,
  skipped: 0,
  failed: 0,
});

/** The count an account is counted under; `chosen` is what people read as done. */
const COUNT_OF: Record<AccountState, Exclude<keyof Counts, 'unit' | 'total'>> = {
  pending: 'pending',
  running: 'running',
  chosen: 'done',
  not_found: 'not_found',
  suppressed: 'suppressed',
  skipped: 'skipped',
  failed: 'failed',
};

/** Moves accounts between counts; the sum stays the total. Pure. */
export const moveCounts = (counts: Counts, moves: Array<{ from: AccountState; to: AccountState; n?: number }>): Counts => {
  const next = { ...counts };
  for (const { from, to, n = 1 } of moves) {
    next[COUNT_OF[from]] -= n;
    next[COUNT_OF[to]] += n;
  }
  return next;
};

export const countsOf = (rows: Array<{ state: AccountState; n: number }>): Counts => {
  const counts = emptyCounts(0);
  for (const { state, n } of rows) {
    counts[COUNT_OF[state]] += n;
    counts.total += n;
  }
  return counts;
};

export const countsSum = (c: Counts): number => c.done + c.running + c.pending + c.not_found + c.suppressed + c.skipped + c.failed;

export const emptyBudget = (requested: { credits: number; queries: number }): Budget => ({
  credits: { requested: requested.credits, plan_max: null, held: 0, spent: 0 },
  queries: { requested: requested.queries, plan_max: null, held: 0, spent: 0 },
  inference: { cap_micros: null, held_micros: 0, used_micros: 0 },
});

/** The plan on the board: its goal, and each step with its skill, state and count. */
export interface BoardPlan {
  objetivo: string;
  run_id: string;
  pasos: Array<{ skill: string; status: string; conteo: string | null; checkpoint?: string }>;
}
export const boardPlan = (p: Progress): BoardPlan => ({
  objetivo: p.objetivo,
  run_id: p.run_id,
  pasos: p.pasos.map((s) => ({
    skill: s.skill,
    status: s.status,
    conteo: s.conteo ? `${s.conteo.done}/${s.conteo.total} ${s.conteo.unit}` : null,
    ...(s.checkpoint ? { checkpoint: s.checkpoint } : {}),
  })),
});
