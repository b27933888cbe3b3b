import { miss, turnsOf } from '../meters/meter.js';
import { readable, flat } from '../figures.js';
import { concreteNext } from '../judge.js';
import { checked, type Blocking } from './check.js';

/** Where something cannot be done the answer says so, of what kind it is, and where it is done; and nothing is called a limit that is none. */
export const reportsTheLimit: Blocking = {
  id: 6,
  title: 'Reports the limit, with kind and way out',
  check: (dump, briefs) => {
    const turns = turnsOf(dump, briefs).filter(
      ({ turn, brief, expect }) =>
        turn.answer && (brief.group === 'limite' || expect.falta !== undefined || turn.answer.intent.kind === 'limite'),
    );
    const misses = turns.flatMap(({ run, turn, expect }) => {
      const { answer } = turn;
      if (!answer) return [];
      const text = readable(turn);
      const { intent } = answer;
      if (intent.kind === 'limite') {
        if (!(expect.intent as readonly string[]).includes('limite'))
          return [miss(run, `a limit where there is none: ${intent.falta} · ${intent.salida}`)];
        if (expect.falta && intent.falta !== expect.falta) return [miss(run, `${intent.falta}, not ${expect.falta}`)];
        if (intent.salida.trim().length < 8 || !concreteNext(turn)) return [miss(run, `no way out: ${intent.salida}`)];
      } else if (expect.intent.length === 1 && expect.intent[0] === 'limite') return [miss(run, `${intent.kind} where there is a limit`)];
      return expect.salida && !new RegExp(expect.salida, 'i').test(text) && !new RegExp(expect.salida, 'i').test(flat(text))
        ? [miss(run, `nothing about ${expect.salida}`)]
        : [];
    });
    return checked(6, 'Reports the limit, with kind and way out', turns.length, misses);
  },
};
