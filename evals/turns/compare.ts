import type { Brief } from './brief.js';
import type { Dump } from './dump.js';
import { score, type Scorecard } from './score.js';

export interface Change {
  what: string;
  a: string;
  b: string;
  delta: number | null;
  better: boolean | null;
}
export interface Comparison {
  notes: string[];
  changes: Change[];
  gained: string[];
  lost: string[];
}

/** Where more is worse. */
const LESS = new Set(['refs', 'defectos', 'costo', 'tiempo', 'herramientas', 'reparacion_empeora', 'errores_herramienta']);
const change = (what: string, a: number | null, b: number | null, less: boolean, digits = 3): Change => ({
  what,
  a: a === null ? '–' : a.toFixed(digits),
  b: b === null ? '–' : b.toFixed(digits),
  delta: a === null || b === null ? null : b - a,
  better: a === null || b === null || a === b ? null : less ? b < a : b > a,
});
const useful = (dump: Dump): Map<string, number> => {
  const by = new Map<string, number[]>();
  for (const run of dump.runs) {
    if (run.arm !== 'con_receta' || run.outcome === 'errored') continue;
    const judged = run.turns.at(-1)?.judged;
    by.set(run.brief, [
      ...(by.get(run.brief) ?? []),
      judged ? (Number(judged.respondio) + Number(judged.salidas) + Number(judged.no_invento)) / 3 : 0,
    ]);
  }
  return new Map([...by].map(([id, points]) => [id, points.reduce((sum, one) => sum + one, 0) / points.length]));
};

/** Two dumps over the same briefs: usefulness, tools, cost and p50, every meter, and the briefs that came or went. */
export const compare = (a: Dump, b: Dump, briefs: readonly Brief[]): Comparison => {
  const [x, y]: [Scorecard, Scorecard] = [score(a, briefs), score(b, briefs)];
  const notes = [
    ...(a.digests.briefs === b.digests.briefs ? [] : ['The briefs are not the same: only those of both are compared.']),
    ...(a.digests.library === b.digests.library ? [] : ['The recipes are not the same.']),
    ...(a.digests.manual === b.digests.manual ? [] : ['The manual is not the same.']),
    ...(a.judge === b.judge ? [] : [`Usefulness was judged by ${a.judge ?? 'checks'} and by ${b.judge ?? 'checks'}.`]),
  ];
  const [main, then] = [x.arms.find((one) => one.arm === 'con_receta'), y.arms.find((one) => one.arm === 'con_receta')];
  const changes: Change[] = [
    change('usefulness', main?.utility ?? null, then?.utility ?? null, false),
    change('tools per turn', main?.tools ?? null, then?.tools ?? null, true, 2),
    change('cost, micro-USD', main?.cost ?? null, then?.cost ?? null, true, 0),
    change('p50, ms', main?.p50 ?? null, then?.p50 ?? null, true, 0),
    ...x.meters.map((meter) =>
      change(meter.title, meter.value, y.meters.find((other) => other.id === meter.id)?.value ?? null, LESS.has(meter.id)),
    ),
    ...x.blocking.map((one) =>
      change(
        `blocking ${one.id} (${one.title}), misses`,
        one.misses.length,
        y.blocking.find((other) => other.id === one.id)?.misses.length ?? null,
        true,
        0,
      ),
    ),
  ];
  const [before, after] = [useful(a), useful(b)];
  const moved = [...before].filter(([id]) => after.has(id)).map(([id, points]) => ({ id, by: (after.get(id) ?? 0) - points }));
  return {
    notes,
    changes,
    gained: moved.filter((one) => one.by > 0.01).map((one) => one.id),
    lost: moved.filter((one) => one.by < -0.01).map((one) => one.id),
  };
};
