import { route } from '../meters/route.js';
import { checked, type Blocking } from './check.js';

export const primaryRoute: Blocking = {
  id: 7,
  title: 'Primary model alone in 95 % of turns',
  check: (dump, briefs) => {
    const { ok, misses } = route.measure(dump, briefs);
    const looked = dump.runs.flatMap((run) => run.turns).length;
    return { ...checked(7, 'Primary model alone in 95 % of turns', looked, ok ? [] : misses), ok: ok === true };
  },
};
