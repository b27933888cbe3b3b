import type { FactKey } from '../../../contracts/turn.js';
import { asksAtTheEnd } from '../figures.js';
import { miss, turnsOf } from '../meters/meter.js';
import { checked, type Blocking } from './check.js';

export const asksNotTheKnown: Blocking = {
  id: 3,
  title: 'Does not ask for what is known',
  check: (dump, briefs) => {
    const turns = turnsOf(dump, briefs).filter(({ turn }) => turn.answer);
    const misses = turns.flatMap(({ run, turn, expect }) => {
      const asked = turn.answer?.pregunta ?? null;
      const encuadre = turn.answer?.intent.kind === 'encuadre' ? turn.answer.intent.falta : null;
      const field = asked?.campo ?? encuadre;
      if (!field) return [];
      if (expect.forbid_question && !asksAtTheEnd(turn)) return [miss(run, `asked for ${field} where nothing is to be asked`)];
      const fact = field in turn.before.facts ? turn.before.facts[field as FactKey] : null;
      if (fact && fact.status !== 'faltante') return [miss(run, `${field} was known (${fact.status}): ${fact.value}`)];
      if (field === 'seleccion' && turn.before.board.selection > 0) return [miss(run, 'there is a selection')];
      if (field === 'contactos' && turn.before.board.contacts > 0) return [miss(run, 'there are contacts')];
      return [];
    });
    return checked(3, 'Does not ask for what is known', turns.length, misses);
  },
};
