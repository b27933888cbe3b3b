import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Counts, Progress, ProgressPatch, RunEvent } from '../../contracts/progress.js';
import { ACCOUNT_STATES, HASTA, LAST_STEP, RUN_STATES, STEP_IDS, STEP_STATES } from '../../contracts/states.js';
import { refold } from '../../db/invariants.js';
import {
  applyPatch,
  boardPlan,
  countsOf,
  countsSum,
  emptyBudget,
  emptyCounts,
  emptyPaso,
  moveCounts,
  planSteps,
} from '../../workflows/progress.js';

const AT = '2026-11-30T16:42:08.000Z';
const state = fc.constantFrom(...ACCOUNT_STATES);
const moves = fc.array(fc.record({ from: state, to: state, n: fc.nat({ max: 50 }) }), { maxLength: 20 });

describe('counts over accounts', () => {
  it('always sum to the total, whatever moves', () => {
    fc.assert(
      fc.property(fc.nat({ max: 5000 }), moves, (total, steps) => {
        const before = emptyCounts(total);
        const after = moveCounts(before, steps);
        expect(countsSum(after)).toBe(total);
        expect(after.total).toBe(total);
        expect(before).toEqual(emptyCounts(total));
      }),
    );
  });

  it('are the same moved all at once or one by one, and return when moved back', () => {
    fc.assert(
      fc.property(moves, (steps) => {
        const start = emptyCounts(100);
        const there = moveCounts(start, steps);
        expect(steps.reduce((c, m) => moveCounts(c, [m]), start)).toEqual(there);
        expect(
          moveCounts(
            there,
            steps.map(({ from, to, n }) => ({ from: to, to: from, n })),
          ),
        ).toEqual(start);
      }),
    );
  });

  it('follow every account from state to state as a count of the rows would', () => {
    fc.assert(
      fc.property(fc.array(fc.array(state, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 30 }), (lives) => {
        const steps = lives.flatMap((life) =>
          life.map((to, i) => ({ from: i === 0 ? ('pending' as const) : (life[i - 1] ?? 'pending'), to })),
        );
        const ends = lives.map((life) => life.at(-1) ?? 'pending');
        expect(moveCounts(emptyCounts(lives.length), steps)).toEqual(countsOf(ends.map((s) => ({ state: s, n: 1 }))));
      }),
    );
  });
});

const seed = (total = 10): Progress => ({
  run_id: 'run_1',
  version: 1,
  plan_version: 1,
  state: 'ready',
  reason: null,
  objetivo: 'o',
  mode: 'manual',
  last_progress_at: AT,
  poll_after_ms: 1000,
  counts: emptyCounts(total),
  pasos: planSteps('s1', 'borradores').map(emptyPaso),
  budget: emptyBudget({ credits: 0, queries: 0 }),
  decisions: [],
  contacts: { captured: 0, drafted: 0, unconfirmed: 0 },
  links: { self: '/v1/runs/run_1' },
});
const counts: fc.Arbitrary<Counts> = moves.map((m) => moveCounts(emptyCounts(10), m));
const reason = fc.option(
  fc.record({
    code: fc.string(),
    params: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)), { noNullPrototype: true }),
  }),
  { nil: null },
);
const patch: fc.Arbitrary<ProgressPatch> = fc.record(
  {
    state: fc.constantFrom(...RUN_STATES),
    reason,
    counts,
    plan_version: fc.integer({ min: 1, max: 5 }),
    decisions: fc.array(fc.string(), { maxLength: 3 }),
    pasos: fc.uniqueArray(
      fc.record({ id: fc.constantFrom(...STEP_IDS), status: fc.constantFrom(...STEP_STATES), reason }, { requiredKeys: ['id'] }),
      { selector: (p) => p.id, maxLength: 4 },
    ),
  },
  { requiredKeys: [] },
);
const history = fc
  .array(patch, { maxLength: 25 })
  .map((patches) => patches.map((p, i): RunEvent => ({ version: i + 2, kind: 'k', params: {}, patch: p, at: AT })));
const fold = (body: Progress, events: RunEvent[]): Progress => events.reduce((b, e) => applyPatch(b, e.patch, e.version, e.at), body);

describe('the projection', () => {
  it('is the same folded whole or from any point on, also when the point was stored as JSON', () => {
    fc.assert(
      fc.property(history, fc.nat({ max: 25 }), (events, cut) => {
        const whole = fold(seed(), events);
        const middle = JSON.parse(JSON.stringify(fold(seed(), events.slice(0, cut)))) as Progress;
        expect(fold(middle, events.slice(cut))).toEqual(whole);
        expect(refold([{ version: 1, kind: 'run.created', params: {}, patch: seed(), at: AT }, ...events])).toEqual(whole);
      }),
    );
  });

  it('carries the version and moment of its last event and keeps its steps in order', () => {
    fc.assert(
      fc.property(history, (events) => {
        const body = fold(seed(), events);
        expect(body.version).toBe(events.length + 1);
        expect(body.pasos.map((p) => p.id)).toEqual([...body.pasos.map((p) => p.id)].sort());
        expect(new Set(body.pasos.map((p) => p.id)).size).toBe(body.pasos.length);
      }),
    );
  });

  it('changes only what a patch names', () => {
    fc.assert(
      fc.property(history, patch, (events, change) => {
        const before = fold(seed(), events);
        const after = applyPatch(before, change, before.version + 1, AT);
        const named = new Set(change.pasos?.map((p) => p.id) ?? []);
        expect(after.pasos.filter((p) => !named.has(p.id))).toEqual(before.pasos.filter((p) => !named.has(p.id)));
        for (const key of ['state', 'reason', 'counts', 'plan_version', 'decisions', 'budget', 'contacts'] as const)
          expect(after[key]).toEqual(key in change ? change[key as keyof ProgressPatch] : before[key]);
      }),
    );
  });

  it('never touches the body or the patch it was given', () => {
    fc.assert(
      fc.property(history, patch, (events, change) => {
        const before = fold(seed(), events);
        const copies = [structuredClone(before), structuredClone(change)];
        applyPatch(before, change, 99, AT);
        expect([before, change]).toEqual(copies);
      }),
    );
  });

  it('asks pollers to wait less while things move than at the end', () => {
    const wait = (s: Progress['state']): number => applyPatch(seed(), { state: s }, 2, AT).poll_after_ms;
    for (const end of ['completed', 'completed_partial', 'canceled', 'failed'] as const)
      for (const s of ['ready', 'running', 'waiting_decision', 'paused'] as const) expect(wait(s)).toBeLessThan(wait(end));
  });
});

describe('a plan', () => {
  it('starts with its agreement, ends where it was asked to, and is reviewed only when there are drafts', () => {
    fc.assert(
      fc.property(fc.constantFrom('s1' as const, 's2' as const, 's3' as const), fc.constantFrom(...HASTA), (desde, hasta) => {
        const steps = planSteps(desde, hasta);
        expect(steps[0]).toBe('s0');
        expect(steps.includes('s6')).toBe(hasta === 'borradores');
        expect(steps.filter((s) => s !== 's0' && s !== 's6')).toEqual(
          STEP_IDS.filter((s) => s >= desde && s <= LAST_STEP[hasta] && s !== 's0' && s !== 's6'),
        );
      }),
    );
  });

  it('is shown on the board with a count that has its noun and denominator', () => {
    const body = applyPatch(
      seed(),
      { pasos: [{ id: 's3', status: 'running', conteo: { done: 38, total: 50, unit: 'account' }, checkpoint: 'dec_1' }] },
      2,
      AT,
    );
    const shown = boardPlan(body);
    expect(shown).toMatchObject({ objetivo: 'o', run_id: 'run_1' });
    expect(shown.pasos.find((p) => p.skill === 'conseguir-contactos')).toEqual({
      skill: 'conseguir-contactos',
      status: 'running',
      conteo: '38/50 account',
      checkpoint: 'dec_1',
    });
    expect(shown.pasos[0]).toEqual({ skill: 'campana', status: 'pending', conteo: null });
  });
});
