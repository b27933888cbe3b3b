import { createChooser, type Chooser } from './library/choose/choose.js';
import type { Snapshot } from './library/types.js';

/** Learning takes about a second; one chooser serves everybody with the same library. */
const KEPT = 16;
const kept = new Map<string, Chooser>();

export const chooserOf = (snapshot: Snapshot): Chooser => {
  const known = kept.get(snapshot.digest);
  if (known) return known;
  const made = createChooser(snapshot);
  kept.set(snapshot.digest, made);
  const oldest = kept.keys().next();
  if (kept.size > KEPT && !oldest.done) kept.delete(oldest.value);
  return made;
};
