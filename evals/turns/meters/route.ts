import { allTurns, miss, percent, type Meter } from './meter.js';
import { share } from '../figures.js';

export const route: Meter = {
  id: 'ruta',
  title: 'Turns on the primary model alone',
  measure: (dump, _briefs, arm) => {
    const turns = allTurns(dump, arm).filter(({ turn }) => (turn.metered?.attempts.length ?? 0) > 0);
    const escalated = turns.filter(({ turn }) => turn.metered?.attempts.some((attempt) => attempt.route === 'escalation'));
    const value = share(turns.length - escalated.length, turns.length);
    return {
      id: 'ruta',
      title: 'Turns on the primary model alone',
      aim: '≥ 95 %',
      seen: `${percent(value)}, ${escalated.length} escalated`,
      value,
      ok: value >= 0.95,
      misses: escalated.map(({ run, turn }) =>
        miss(run, turn.metered?.attempts.map((attempt) => `${attempt.model} ${attempt.outcome}`).join(', ') ?? ''),
      ),
    };
  },
};
