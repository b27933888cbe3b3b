import type { DecisionListed } from '../../../contracts/api.js';

export interface HeldEntry {
  decision: DecisionListed;
  /** It has left the list since it was shown; it keeps its place. */ gone: boolean;
}
export interface Held {
  entries: readonly HeldEntry[];
  /** Came in above something that is shown: they wait until somebody asks for them. */ fresh: readonly DecisionListed[];
}

/**
 * What a list shows after it was read again. Nothing that is shown moves: what changed changes in its place, what left stays there
 * as gone, and what would push a card down (under somebody's finger, say) waits. What comes below everything pushes nothing.
 */
export const hold = (before: Held | null, latest: readonly DecisionListed[]): Held => {
  if (!before || before.entries.length === 0) return { entries: latest.map((decision) => ({ decision, gone: false })), fresh: [] };
  const now = new Map(latest.map((decision) => [decision.id, decision]));
  const shown = before.entries.map(({ decision }): HeldEntry => {
    const still = now.get(decision.id);
    return still ? { decision: still, gone: false } : { decision, gone: true };
  });
  const known = new Set(before.entries.map(({ decision }) => decision.id));
  const last = latest.reduce((at, { id }, i) => (known.has(id) ? i : at), -1);
  const fresh = latest.filter(({ id }, i) => i < last && !known.has(id));
  return { entries: [...shown, ...latest.slice(last + 1).map((decision) => ({ decision, gone: false }))], fresh };
};

/** The list as it is now, for somebody who asked for it. */
export const release = (latest: readonly DecisionListed[]): Held => hold(null, latest);
