import { allTurns, miss, type Meter } from './meter.js';

/** Defects by rule over all attempts: the unit is the defect, not the turn. */
export const defects: Meter = {
  id: 'defectos',
  title: 'Defects per turn, by rule',
  measure: (dump, _briefs, arm) => {
    const turns = allTurns(dump, arm);
    const byRule: Record<string, number> = {};
    let total = 0;
    const misses = turns.flatMap(({ run, turn }) => {
      const validation = turn.answer?.validation ?? [];
      const refused = turn.refused?.code === 'answer_invalid' ? ((turn.refused.params['tags'] as string[] | undefined) ?? []) : [];
      const tags = [
        ...validation.flatMap((attempt) =>
          attempt.problems.length > 0
            ? attempt.problems.map((_, i) => attempt.tags[Math.min(i, attempt.tags.length - 1)] ?? '?')
            : attempt.tags,
        ),
        ...refused,
      ];
      for (const tag of tags) byRule[tag] = (byRule[tag] ?? 0) + 1;
      total += tags.length;
      return tags.length > 0
        ? [
            miss(
              run,
              validation
                .flatMap((attempt) => attempt.problems)
                .join(' · ')
                .slice(0, 300) || refused.join(' '),
            ),
          ]
        : [];
    });
    const value = turns.length === 0 ? 0 : total / turns.length;
    return {
      id: 'defectos',
      title: 'Defects per turn, by rule',
      aim: '≤ 0.5',
      seen: `${value.toFixed(2)} (${total} in ${turns.length} turns)`,
      value,
      ok: value <= 0.5,
      misses,
      detail: byRule,
    };
  },
};
