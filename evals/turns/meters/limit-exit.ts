import { LIMIT_KINDS } from '../../../contracts/turn.js';
import { share } from '../figures.js';
import { concreteNext } from '../judge.js';
import { allTurns, miss, percent, type Meter } from './meter.js';

/** Every limit names its kind and a way out: in words, and as something to press. */
export const limitExit: Meter = {
  id: 'limite_con_salida',
  title: 'Limits with kind and way out',
  measure: (dump, _briefs, arm) => {
    const limits = allTurns(dump, arm).flatMap(({ run, turn }) =>
      turn.answer?.intent.kind === 'limite' ? [{ run, turn, intent: turn.answer.intent }] : [],
    );
    const misses = limits.flatMap(({ run, turn, intent }) => {
      const why = [
        (LIMIT_KINDS as readonly string[]).includes(intent.falta) ? '' : 'kind',
        intent.salida.trim().length >= 8 && !/^(?:no se puede|no disponible|n\/a|ninguna)\W*$/i.test(intent.salida.trim()) ? '' : 'way out',
        concreteNext(turn) ? '' : 'next step',
      ].filter(Boolean);
      return why.length > 0 ? [miss(run, `no ${why.join(', ')}: ${intent.falta} · ${intent.salida}`)] : [];
    });
    const value = share(limits.length - misses.length, limits.length);
    return {
      id: 'limite_con_salida',
      title: 'Limits with kind and way out',
      aim: '100 %',
      seen: `${percent(value)} of ${limits.length}`,
      value,
      ok: misses.length === 0,
      misses,
    };
  },
};
