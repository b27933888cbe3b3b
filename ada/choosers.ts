import { createChooser, type Chooser } from './library/choose/choose.js';
import type { Snapshot } from './library/types.js';

/** Learning takes about a second; one chooser serves everybody with the same library. Those unused longest go first. */
const KEPT = 16;
const kept = new Map<string, Chooser>();

export const chooserOf = (snapshot: Snapshot): Chooser => {
  const made = kept.get(snapshot.digest) ?? createChooser(snapshot);
  kept.delete(snapshot.digest);
  kept.set(snapshot.digest, made);
  const oldest = kept.keys().next();
  if (kept.size > KEPT && !oldest.done) kept.delete(oldest.value);
  return made;
};

/** Learns now, for a process that is about to serve others: in the middle of a turn everybody who asks for progress would wait. */
export const warmChooser = (snapshot: Snapshot): void => {
  chooserOf(snapshot).choose('hola', { access: { scopes: { account: 'warm' }, rows: [], integrations: null, capabilities: null } });
};
