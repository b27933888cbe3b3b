import { allTurns, miss, type Meter } from './meter.js';

/** Anchors in a finished answer that nothing stands behind. When it rises, what validates and what resolves no longer agree. */
export const unresolvedRefs: Meter = {
  id: 'refs',
  title: 'Anchors that resolve to nothing',
  measure: (dump, _briefs, arm) => {
    const turns = allTurns(dump, arm).filter(({ turn }) => turn.answer);
    const misses = turns.flatMap(({ run, turn }) =>
      (turn.answer?.usage.unresolved_refs ?? 0) > 0
        ? [miss(run, `${turn.answer?.usage.unresolved_refs}: ${turn.answer?.narration.slice(0, 120)}`)]
        : [],
    );
    const value = turns.reduce((sum, { turn }) => sum + (turn.answer?.usage.unresolved_refs ?? 0), 0);
    return { id: 'refs', title: 'Anchors that resolve to nothing', aim: '0', seen: String(value), value, ok: value === 0, misses };
  },
};
