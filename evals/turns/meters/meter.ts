import type { Brief, Expect } from '../brief.js';
import { expectedOf } from '../brief.js';
import { scored, type Arm, type Dump, type RunRecord, type TurnRecord } from '../dump.js';

export interface Miss {
  brief: string;
  k: number;
  why: string;
}
export interface Measured {
  id: string;
  title: string;
  aim: string;
  seen: string;
  /** The figure that two dumps are compared by; null where there was nothing to measure. */
  value: number | null;
  ok: boolean | null;
  misses: Miss[];
  /** More figures of the same, by name. */
  detail?: Record<string, number | string | null>;
}
export interface Meter {
  id: string;
  title: string;
  measure(dump: Dump, briefs: readonly Brief[], arm?: Arm): Measured;
}

/** A turn that counts, with what is expected of it. */
export interface Scored {
  run: RunRecord;
  brief: Brief;
  turn: TurnRecord;
  expect: Expect;
  last: boolean;
}
export const turnsOf = (dump: Dump, briefs: readonly Brief[], arm: Arm = 'con_receta'): Scored[] => {
  const byId = new Map(briefs.map((brief) => [brief.id, brief]));
  return scored(dump, arm).flatMap((run) => {
    const brief = byId.get(run.brief);
    if (!brief) return [];
    const expected = expectedOf(brief);
    return run.turns.flatMap((turn, i) => {
      const expect = expected[i];
      return expect ? [{ run, brief, turn, expect, last: i === run.turns.length - 1 }] : [];
    });
  });
};
/** Every turn of the runs, scored or leading up. */
export const allTurns = (dump: Dump, arm: Arm = 'con_receta'): Array<{ run: RunRecord; turn: TurnRecord }> =>
  scored(dump, arm).flatMap((run) => run.turns.map((turn) => ({ run, turn })));
export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
export const miss = (run: RunRecord, why: string): Miss => ({ brief: run.brief, k: run.k, why });
