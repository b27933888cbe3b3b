import type { SkillUsed } from './gate/belt.js';

/** What a turn adds to the counters of a skill and version. Nothing is ever deleted because of them. */
export interface UsageCount {
  skill: string;
  version: string;
  viewed: number;
  used: number;
  helped: number;
  omitted: number;
}

/**
 * `viewed`: its body was in the prompt. `used`: one of its tools ran, or its references were read. `helped`: it was used and the turn closed the way
 * the skill says it closes. `omitted`: the router was sure of it and it stayed closed.
 */
export const countTurn = (turn: {
  skills: readonly SkillUsed[];
  worked: ReadonlySet<string>;
  closedAsDeclared: ReadonlySet<string>;
  omitted: ReadonlyArray<{ name: string; version: string }>;
}): UsageCount[] => [
  ...turn.skills.map(({ name, version }) => ({
    skill: name,
    version,
    viewed: 1,
    used: turn.worked.has(name) ? 1 : 0,
    helped: turn.worked.has(name) && turn.closedAsDeclared.has(name) ? 1 : 0,
    omitted: 0,
  })),
  ...turn.omitted.map(({ name, version }) => ({ skill: name, version, viewed: 0, used: 0, helped: 0, omitted: 1 })),
];

export interface UsageRow extends UsageCount {
  last_at: string | null;
}
export interface StaleSkill {
  skill: string;
  reason: 'never_viewed' | 'not_viewed_lately' | 'viewed_never_helps' | 'often_omitted';
  lastAt: string | null;
}

const DAY_MS = 86_400_000;

/** Skills worth a look: a report for a person, never an action. Versions of a skill count together. */
export const staleReport = (skills: readonly string[], rows: readonly UsageRow[], now: number, days = 60, enough = 20): StaleSkill[] =>
  [...skills].sort().flatMap((skill): StaleSkill[] => {
    const own = rows.filter((row) => row.skill === skill);
    const sum = (key: 'viewed' | 'helped' | 'omitted'): number => own.reduce((total, row) => total + row[key], 0);
    const lastAt =
      own
        .map((row) => row.last_at)
        .filter((at) => at !== null)
        .sort()
        .at(-1) ?? null;
    if (sum('viewed') === 0) return [{ skill, reason: sum('omitted') >= enough ? 'often_omitted' : 'never_viewed', lastAt }];
    if (lastAt !== null && now - Date.parse(lastAt) > days * DAY_MS) return [{ skill, reason: 'not_viewed_lately', lastAt }];
    if (sum('viewed') >= enough && sum('helped') === 0) return [{ skill, reason: 'viewed_never_helps', lastAt }];
    if (sum('omitted') >= enough && sum('omitted') > sum('viewed')) return [{ skill, reason: 'often_omitted', lastAt }];
    return [];
  });
