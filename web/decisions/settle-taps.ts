import { getDecision } from '../data/api.js';
import { ApiProblem } from '../data/problem.js';
import { forgetTap, pendingTaps, type Tapper } from './tap-store.js';

/**
 * Taps that a former page left behind and whose decision has been answered since: nothing shows their card any more, so nobody else would
 * forget them. One whose decision is still open is sent again by its card.
 */
export const settleTaps = async (who: Tapper): Promise<void> => {
  for (const decision of pendingTaps(who)) {
    try {
      if ((await getDecision(decision)).state !== 'open') forgetTap(who, decision);
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) forgetTap(who, decision);
    }
  }
};
