import { session } from './http.js';
import { createProgressStore, type Snapshot } from '../progress-client/index.js';
import { useProgress as useStore } from '../progress-client/react.js';

/** The page's one store: every card of a run on a screen shares its poller. Plain polling: browsers open six connections per server, and taps need one. */
export const progress = createProgressStore({
  fetch: async (...asked) => {
    const answer = await fetch(...asked);
    // The session's end is the page's business, not only the card's; a proxy's own 401 is not ours.
    if (answer.status === 401 && answer.headers.get('content-type')?.includes('json')) session.onDenied();
    return answer;
  },
});
export const useProgress = (run: string): Snapshot => useStore(progress, run);
