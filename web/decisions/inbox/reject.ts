import type { DecisionListed, DecisionsRejected } from '../../../contracts/api.js';
import type { DecisionKind } from '../../../contracts/states.js';

export type Then = 'wait' | 'skip' | 'cancel';
/** Whose no can mean several things; an unstarted campaign is just not started and drafts are just left. */
export const ASKS_THEN = ['guardar_en_crm', 'revelar_contactos'] as const satisfies readonly DecisionKind[];
export type AsksThen = (typeof ASKS_THEN)[number];
export type Thens = Record<AsksThen, Then>;
export const FIXED_THEN: Record<Exclude<DecisionKind, AsksThen>, Then> = { ajustar_presupuesto: 'cancel', revisar_secuencia: 'skip' };
export const asksThen = (kind: DecisionKind): kind is AsksThen => (ASKS_THEN as readonly string[]).includes(kind);
export const thenOf = (kind: DecisionKind, thens: Thens): Then => (asksThen(kind) ? thens[kind] : FIXED_THEN[kind]);

/** One call: cards of one kind and one answer, under a key of their own. */
export interface Batch {
  ids: string[];
  then: Then;
  key: string;
}

/** At most so many cards in one call. */
const MOST = 100;

/** The calls that say no to what was picked: the API takes one answer per call, so each kind has its own. */
export const batchesOf = (picked: ReadonlyArray<Pick<DecisionListed, 'id' | 'kind'>>, thens: Thens, newKey: () => string): Batch[] => {
  const kinds = [...new Set(picked.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const ids = picked.filter((d) => d.kind === kind).map(({ id }) => id);
    return Array.from({ length: Math.ceil(ids.length / MOST) }, (_, i): Batch => ({
      ids: ids.slice(i * MOST, (i + 1) * MOST),
      then: thenOf(kind, thens),
      key: newKey(),
    }));
  });
};

export type Result = DecisionsRejected['results'][number];

/** Sends what has no answer yet, in order. Stops at the first call without one: it is sent again under the same key. */
export const sendBatches = async (
  batches: readonly Batch[],
  known: ReadonlyMap<string, Result>,
  send: (batch: Batch) => Promise<DecisionsRejected>,
  heard: (results: Result[]) => void,
): Promise<void> => {
  for (const batch of batches) {
    if (batch.ids.every((id) => known.has(id))) continue;
    heard((await send(batch)).results);
  }
};
