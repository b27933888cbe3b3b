import { undeclared } from '../price.js';
import { allTurns, miss } from '../meters/meter.js';
import { checked, type Blocking } from './check.js';

/** No paid step is proposed before its price is known: a quote, a card that has it, or a balance and price beside the button. */
export const quotesFirst: Blocking = {
  id: 2,
  title: 'Quotes before it proposes',
  check: (dump) => {
    const proposed = allTurns(dump).filter(({ turn }) => undeclared(turn) !== null);
    const misses = proposed.flatMap(({ run, turn }) => {
      const lacks = (undeclared(turn) ?? []).filter((what) => !what.endsWith('in words'));
      if (lacks.length > 0) return [miss(run, `lacks ${lacks.join(', ')}`)];
      const card = turn.answer?.decision ?? null;
      const quoted =
        card !== null ||
        turn.tools.some(
          (call) =>
            call.ok &&
            (call.tool === 'people_quote' || call.tool === 'usage' || call.tool.startsWith('campana_') || call.tool === 'board_read'),
        ) ||
        turn.before.figures.length > 0;
      return quoted ? [] : [miss(run, 'proposed without a quote')];
    });
    return checked(2, 'Quotes before it proposes', proposed.length, misses);
  },
};
