import { anchorsOf } from '../../../ada/anchors.js';
import { allTurns, miss, type Meter } from './meter.js';

const DELIVERED: Record<string, number> = { cierre: 2, responder: 1, limite: 0, encuadre: 0 };

/** A repair was taken that says less than what it repaired: fewer anchors, no rows, or a lesser intent. */
export const worseRepair: Meter = {
  id: 'reparacion_empeora',
  title: 'Repairs that made it worse and were taken',
  measure: (dump, _briefs, arm) => {
    const repaired = allTurns(dump, arm).filter(({ turn }) => turn.answer && turn.attempts.length > 1);
    const misses = repaired.flatMap(({ run, turn }) => {
      const [first] = turn.attempts;
      const { answer } = turn;
      if (!first || !answer || first.intent === null) return [];
      const anchors = new Set(anchorsOf(answer.narration).map((anchor) => anchor.ref)).size;
      const lost = anchors < Math.ceil(first.anchors / 2);
      const lesser = (DELIVERED[answer.intent.kind] ?? 0) < (DELIVERED[first.intent] ?? 0) && anchors < first.anchors;
      return lost || lesser ? [miss(run, `${first.intent} with ${first.anchors} anchors → ${answer.intent.kind} with ${anchors}`)] : [];
    });
    return {
      id: 'reparacion_empeora',
      title: 'Repairs that made it worse and were taken',
      aim: '0',
      seen: `${misses.length} of ${repaired.length} repairs`,
      value: misses.length,
      ok: misses.length === 0,
      misses,
    };
  },
};
