import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { SKILLS } from '../../contracts/states.js';
import { BLOCKING } from './blocking/index.js';
import type { Checked } from './blocking/check.js';
import type { Brief } from './brief.js';
import { arm, type Arm, type Dump } from './dump.js';
import { mean, percentile } from './figures.js';
import { METERS } from './meters/index.js';
import type { Measured } from './meters/meter.js';
import { utility } from './meters/utility.js';

/** What a dump says, and whether it may pass. */

/** Skills whose usefulness may not grow, each with why. */
const Allowed = z.record(z.enum(SKILLS), z.string().min(20)).or(z.object({}).strict());
export const readAllowed = (): Partial<Record<string, string>> =>
  Allowed.parse(JSON.parse(readFileSync(new URL('allowed.json', import.meta.url), 'utf8')));

/**
 * Briefs that a kind of model is known to miss, each with why. The meters count them; in blocking evals 3, 4 and 6, which hang on reading language, they
 * do not block. In what keeps people safe (1, 2, 5, 7, 8) nothing is left out.
 */
const Known = z.strictObject({
  deterministic: z.record(z.string(), z.string().min(10)).default({}),
  openai: z.record(z.string(), z.string().min(10)).default({}),
  scripted: z.record(z.string(), z.string().min(10)).default({}),
});
export const readKnown = (kind: Dump['kind']): Record<string, string> =>
  Known.parse(JSON.parse(readFileSync(new URL('known.json', import.meta.url), 'utf8')))[kind];
export const withoutKnown = (dump: Dump, known: Record<string, string>): Dump => ({
  ...dump,
  runs: dump.runs.filter((run) => !(run.brief in known)),
});
const NEVER_APART: ReadonlySet<number> = new Set([1, 2, 5, 7, 8]);

export interface ArmFigures {
  arm: Arm;
  runs: number;
  errored: number;
  refused: number;
  utility: number | null;
  tools: number;
  cost: number | null;
  p50: number;
}
export interface SkillDelta {
  skill: string;
  briefs: number;
  with: number | null;
  without: number | null;
  utility: number | null;
  tools: number;
  cost: number | null;
  p50: number;
  allowed: string | null;
  ok: boolean;
}
/** `known`: misses that are listed, and do not block. */
export type Judgement = Checked & { known: number };
export interface Scorecard {
  meters: Measured[];
  blocking: Judgement[];
  arms: ArmFigures[];
  baseline: Arm | null;
  skills: SkillDelta[];
  /** Known misses, and those among them that are right now: they can leave the list. */
  apart: { missed: string[]; right: string[] };
  ok: boolean;
  why: string[];
}

/** Meters whose misses mean that the answer was not right. */
const SAYS_WRONG: ReadonlySet<string> = new Set(['intent', 'skill_trigger', 'utilidad', 'pregunta_correcta']);

const figuresOf = (dump: Dump, briefs: readonly Brief[], which: Arm): ArmFigures => {
  const runs = arm(dump, which);
  const turns = runs.filter((run) => run.outcome !== 'errored').flatMap((run) => run.turns);
  const priced = turns.flatMap((turn) => (typeof turn.metered?.micros === 'number' ? [turn.metered.micros] : []));
  return {
    arm: which,
    runs: runs.length,
    errored: runs.filter((run) => run.outcome === 'errored').length,
    refused: runs.filter((run) => run.outcome === 'refused').length,
    utility: utility.measure(dump, briefs, which).value,
    tools: mean(turns.map((turn) => turn.tools.length)),
    cost: priced.length === 0 ? null : mean(priced),
    p50: percentile(
      turns.map((turn) => turn.duration_ms),
      0.5,
    ),
  };
};

/** Against the read tools without a recipe where that was run; else against nothing at all. */
export const baselineOf = (dump: Dump): Arm | null =>
  (['solo_herramientas', 'sin_receta'] as const).find((which) => dump.arms.includes(which)) ?? null;

export const score = (
  dump: Dump,
  briefs: readonly Brief[],
  allowed: Partial<Record<string, string>> = readAllowed(),
  known: Record<string, string> = readKnown(dump.kind),
): Scorecard => {
  const held = withoutKnown(dump, known);
  // The figures are those of everything; only what blocks leaves the known ones out, and says how many.
  const meters = METERS.map((meter) => meter.measure(dump, briefs));
  const blocking = BLOCKING.map((one): Judgement => {
    if (NEVER_APART.has(one.id)) return { ...one.check(dump, briefs), known: 0 };
    const now = one.check(held, briefs);
    return { ...now, known: one.check(dump, briefs).misses.length - now.misses.length };
  });
  const apart = { ...dump, runs: dump.runs.filter((run) => run.brief in known) };
  const wrong = new Set(
    [
      ...METERS.flatMap((meter) => (SAYS_WRONG.has(meter.id) ? meter.measure(apart, briefs).misses : [])),
      ...BLOCKING.flatMap((one) => (NEVER_APART.has(one.id) ? [] : one.check(apart, briefs).misses)),
    ].map((miss) => miss.brief),
  );
  const ids = [...new Set(apart.runs.map((run) => run.brief))];
  const arms = dump.arms.map((which) => figuresOf(dump, briefs, which));
  const baseline = baselineOf(dump);
  const skills =
    baseline === null
      ? []
      : SKILLS.flatMap((skill): SkillDelta[] => {
          // The first is the one that a brief is about.
          const own = briefs.filter((brief) => brief.expect.skill?.[0] === skill && dump.runs.some((run) => run.brief === brief.id));
          if (own.length === 0) return [];
          const [a, b] = [figuresOf(only(dump, own), own, 'con_receta'), figuresOf(only(dump, own), own, baseline)];
          const delta = a.utility === null || b.utility === null ? null : a.utility - b.utility;
          const why = allowed[skill] ?? null;
          return [
            {
              skill,
              briefs: own.length,
              with: a.utility,
              without: b.utility,
              utility: delta,
              tools: a.tools - b.tools,
              cost: a.cost === null || b.cost === null ? null : a.cost - b.cost,
              p50: a.p50 - b.p50,
              allowed: why,
              ok: (delta !== null && delta > 0) || why !== null,
            },
          ];
        });
  const why = [
    ...blocking.filter((one) => !one.ok).map((one) => `blocking eval ${one.id} (${one.title}): ${one.misses.length}`),
    ...skills
      .filter((one) => !one.ok)
      .map(
        (one) =>
          `${one.skill}: usefulness ${one.utility === null ? 'not measured' : `${one.utility >= 0 ? '+' : ''}${one.utility.toFixed(3)}`} against ${baseline ?? '–'}`,
      ),
    ...(dump.runs.every((run) => run.outcome === 'errored') ? ['every run broke'] : []),
  ];
  return {
    meters,
    blocking,
    arms,
    baseline,
    skills,
    apart: { missed: ids.filter((id) => wrong.has(id)), right: ids.filter((id) => !wrong.has(id)) },
    ok: why.length === 0,
    why,
  };
};

const only = (dump: Dump, briefs: readonly Brief[]): Dump => {
  const ids = new Set(briefs.map((brief) => brief.id));
  return { ...dump, runs: dump.runs.filter((run) => ids.has(run.brief)) };
};
