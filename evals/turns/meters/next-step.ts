import { share } from '../figures.js';
import { concreteNext } from '../judge.js';
import { allTurns, miss, percent, type Meter } from './meter.js';

export const nextStep: Meter = {
  id: 'siguiente_ofrecido',
  title: 'Closes with one concrete next step',
  measure: (dump, _briefs, arm) => {
    const turns = allTurns(dump, arm).filter(({ turn }) => turn.answer && turn.answer.intent.kind !== 'encuadre');
    const misses = turns
      .filter(({ turn }) => !concreteNext(turn))
      .map(({ run, turn }) =>
        miss(
          run,
          turn.answer?.siguiente
            ? `“${turn.answer.siguiente.label}” (${turn.answer.siguiente.kind} ${turn.answer.siguiente.target})`
            : 'none',
        ),
      );
    const value = share(turns.length - misses.length, turns.length);
    return {
      id: 'siguiente_ofrecido',
      title: 'Closes with one concrete next step',
      aim: '≥ 95 %',
      seen: percent(value),
      value,
      ok: value >= 0.95,
      misses,
    };
  },
};
