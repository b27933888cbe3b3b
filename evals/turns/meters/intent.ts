import { share } from '../figures.js';
import { miss, percent, turnsOf, type Meter } from './meter.js';

export const intent: Meter = {
  id: 'intent',
  title: 'Intent as expected',
  measure: (dump, briefs, arm) => {
    const turns = turnsOf(dump, briefs, arm);
    const table: Record<string, number> = {};
    const misses = turns.flatMap(({ run, turn, expect }) => {
      const got = turn.answer?.intent.kind ?? 'refused';
      const wanted = expect.intent as readonly string[];
      table[`${wanted.join('|')} → ${got}`] = (table[`${wanted.join('|')} → ${got}`] ?? 0) + 1;
      if (!wanted.includes(got)) return [miss(run, `${wanted.join('|')} → ${got}${turn.refused ? ` (${turn.refused.code})` : ''}`)];
      const variante = turn.answer?.intent.kind === 'cierre' ? turn.answer.intent.variante : null;
      return expect.variante && variante !== expect.variante ? [miss(run, `cierre ${variante ?? '–'}, not ${expect.variante}`)] : [];
    });
    const value = share(turns.length - misses.length, turns.length);
    return {
      id: 'intent',
      title: 'Intent as expected',
      aim: '≥ 90 %',
      seen: `${turns.length - misses.length} of ${turns.length} (${percent(value)})`,
      value,
      ok: value >= 0.9,
      misses,
      detail: table,
    };
  },
};
