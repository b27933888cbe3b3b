import { mean } from '../figures.js';
import { allTurns, miss, type Meter } from './meter.js';

/** Attempts that surely used nothing. */
const USED_NOTHING = new Set(['unreachable', 'rate_limited', 'quota', 'unauthorized', 'not_capable']);

/** Mean over turns with a price; those without one are counted beside it, never as 0. */
export const cost: Meter = {
  id: 'costo',
  title: 'Cost per turn, with price',
  measure: (dump, _briefs, arm) => {
    const turns = allTurns(dump, arm);
    const priced = turns.flatMap(({ turn }) => (typeof turn.metered?.micros === 'number' ? [turn.metered.micros] : []));
    const unpriced = turns.filter(({ turn }) => turn.metered !== null && turn.metered.micros === null).length;
    const misses = turns.flatMap(({ run, turn }) => {
      if (turn.metered === null) return [miss(run, 'not metered')];
      const hidden =
        turn.metered.micros !== null &&
        turn.metered.attempts.some((attempt) => attempt.cost_micros === null && !USED_NOTHING.has(attempt.outcome));
      if (hidden) return [miss(run, `an attempt has no price and the turn says ${turn.metered.micros}`)];
      return turn.answer && turn.answer.usage.cost_micros !== turn.metered.micros
        ? [miss(run, `the answer says ${turn.answer.usage.cost_micros}, the book ${turn.metered.micros}`)]
        : [];
    });
    const value = priced.length === 0 ? null : mean(priced);
    return {
      id: 'costo',
      title: 'Cost per turn, with price',
      aim: 'every turn metered, no made-up 0',
      seen: `${value === null ? '–' : `${(value / 1e6).toFixed(5)} USD`} over ${priced.length}, ${unpriced} without price`,
      value,
      ok: misses.length === 0,
      misses,
      detail: { priced: priced.length, unpriced },
    };
  },
};
