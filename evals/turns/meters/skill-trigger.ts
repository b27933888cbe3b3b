import { share } from '../figures.js';
import { miss, percent, turnsOf, type Meter } from './meter.js';

/** The right recipe was opened, and no other. */
export const skillTrigger: Meter = {
  id: 'skill_trigger',
  title: 'The right recipe, and no other',
  measure: (dump, briefs, arm) => {
    const turns = turnsOf(dump, briefs, arm).filter(({ expect }) => expect.skill !== undefined);
    const misses = turns.flatMap(({ run, turn, expect }) => {
      const used = turn.answer?.skills_used.map((one) => one.name) ?? [];
      const wanted = expect.skill as readonly string[];
      if (!used.some((name) => wanted.includes(name))) return [miss(run, `${wanted.join('|')} → ${used.join(', ') || 'none'}`)];
      // A chain may go on to what the recipe names as next; a stranger that was injected is wrong.
      const strangers = (turn.answer?.skills_used ?? []).filter((one) => one.by === 'router' && !wanted.includes(one.name));
      return strangers.length > 0 ? [miss(run, `also ${strangers.map((one) => one.name).join(', ')}`)] : [];
    });
    const value = share(turns.length - misses.length, turns.length);
    return {
      id: 'skill_trigger',
      title: 'The right recipe, and no other',
      aim: '≥ 90 %',
      seen: `${turns.length - misses.length} of ${turns.length} (${percent(value)})`,
      value,
      ok: value >= 0.9,
      misses,
    };
  },
};
