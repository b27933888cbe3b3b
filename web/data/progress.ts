import { createProgressStore, type Snapshot } from '../progress-client/index.js';
import { useProgress as useStore } from '../progress-client/react.js';

/** The page's one store: every card of a run on a screen shares its poller. Plain polling: browsers open six connections per server, and taps need one. */
export const progress = createProgressStore();
export const useProgress = (run: string): Snapshot => useStore(progress, run);
