import type { FactKey } from '../../../contracts/turn.js';
import { asksAtTheEnd, share } from '../figures.js';
import { miss, percent, turnsOf, type Meter } from './meter.js';

/** Asked where it had to, and only for something the recipe needs and nobody has said; never twice. */
export const rightQuestion: Meter = {
  id: 'pregunta_correcta',
  title: 'Questions: where due, about what is missing',
  measure: (dump, briefs, arm) => {
    const turns = turnsOf(dump, briefs, arm).filter(
      ({ turn, expect }) => expect.must_ask !== undefined || (turn.answer?.pregunta ?? null) !== null,
    );
    const misses = turns.flatMap(({ run, turn, expect }) => {
      const asked = turn.answer?.pregunta ?? null;
      if (!asked) return [miss(run, `should have asked for ${expect.must_ask}`)];
      if (expect.must_ask && asked.campo !== expect.must_ask) return [miss(run, `asked for ${asked.campo}, not ${expect.must_ask}`)];
      if (expect.forbid_question && !asksAtTheEnd(turn)) return [miss(run, `asked for ${asked.campo}: ${asked.texto}`)];
      const fact = asked.campo in turn.before.facts ? turn.before.facts[asked.campo as FactKey] : null;
      if (fact && fact.status !== 'faltante') return [miss(run, `${asked.campo} was known: ${fact.value}`)];
      if (turn.requires.length > 0 && !turn.requires.includes(asked.campo) && expect.must_ask !== asked.campo)
        return [miss(run, `${asked.campo} is not needed by ${turn.requires.join(' ')}`)];
      return (asked.texto.match(/\?/g) ?? []).length > 1 ? [miss(run, `more than one: ${asked.texto}`)] : [];
    });
    const value = share(turns.length - misses.length, turns.length);
    return {
      id: 'pregunta_correcta',
      title: 'Questions: where due, about what is missing',
      aim: '≥ 90 %',
      seen: `${percent(value)} of ${turns.length}`,
      value,
      ok: value >= 0.9,
      misses,
      detail: {
        'at the end, where none was wanted': turns.filter(({ turn, expect }) => expect.forbid_question && asksAtTheEnd(turn)).length,
      },
    };
  },
};
