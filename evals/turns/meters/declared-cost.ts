import { share } from '../figures.js';
import { undeclared } from '../price.js';
import { allTurns, miss, percent, type Meter } from './meter.js';

/** Every paid step that is proposed has its price, the balance and what is left. */
export const declaredCost: Meter = {
  id: 'costo_declarado',
  title: 'Paid steps with price, balance and what is left',
  measure: (dump, _briefs, arm) => {
    const proposed = allTurns(dump, arm)
      .map((one) => ({ ...one, lacks: undeclared(one.turn) }))
      .filter((one) => one.lacks !== null);
    const misses = proposed.flatMap(({ run, lacks }) => (lacks && lacks.length > 0 ? [miss(run, `lacks ${lacks.join(', ')}`)] : []));
    const value = share(proposed.length - misses.length, proposed.length);
    return {
      id: 'costo_declarado',
      title: 'Paid steps with price, balance and what is left',
      aim: '100 %',
      seen: `${percent(value)} of ${proposed.length}`,
      value,
      ok: misses.length === 0,
      misses,
    };
  },
};
