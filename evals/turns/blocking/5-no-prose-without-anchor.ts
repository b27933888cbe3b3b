import { unfounded } from '../figures.js';
import { allTurns, miss } from '../meters/meter.js';
import { checked, type Blocking } from './check.js';

/** No figure without where it stands, and no anchor that stands nowhere. */
export const noProseWithoutAnchor: Blocking = {
  id: 5,
  title: 'No figure without its anchor',
  check: (dump) => {
    const turns = allTurns(dump).filter(({ turn }) => turn.answer);
    const misses = turns.flatMap(({ run, turn }) => {
      const loose = unfounded(turn);
      const refs = turn.answer?.usage.unresolved_refs ?? 0;
      return [
        ...loose.map((one) => miss(run, `${one.text} ${one.why === 'unknown' ? 'was read nowhere' : 'has no anchor in its sentence'}`)),
        ...(refs > 0 ? [miss(run, `${refs} anchors resolve to nothing`)] : []),
      ];
    });
    return checked(5, 'No figure without its anchor', turns.length, misses);
  },
};
