import { LibraryRefusal } from '../refusal.js';
import { characters } from './escape.js';

/** Characters (code points) of one prompt, by part. The output schema travels as json_schema and the tools' schemas beside it: neither counts here. */
export const BUDGET = { total: 15_000, fixed: 4_500, index: 2_700, bodies: 5_000, context: 2_800 } as const;
/** Bodies open at once, those in state `always` among them. */
export const MAX_OPEN = 2;
/** Tags and limits around the bodies of a full prompt, at most. */
export const AROUND_BODIES = 800;
/** A bundle's words, which come out of the context: what is longer is left out whole, and said. */
export const BUNDLE_INSTRUCTION_MAX = 1_000;

export interface Parts {
  manual: string;
  index: string;
  thread: string;
  state: string;
  loaded: string;
}
export interface Measured {
  fixed: number;
  index: number;
  loaded: number;
  context: number;
  total: number;
  left: number;
}

export const SEPARATOR = '\n\n';

/** The prompt in its fixed order; empty parts leave no trace. */
export const assemble = (parts: Parts): string =>
  [parts.manual, parts.index, parts.thread, parts.state, parts.loaded].filter((part) => part !== '').join(SEPARATOR);

/** What comes before the open recipes: the same bytes whichever are open. */
export const prefixOf = (parts: Parts): string => assemble({ ...parts, loaded: '' });

export const measure = (parts: Parts): Measured => {
  const [fixed, index, loaded] = [characters(parts.manual), characters(parts.index), characters(parts.loaded)];
  const total = characters(assemble(parts));
  return { fixed, index, loaded, context: total - fixed - index - loaded, total, left: BUDGET.total - total };
};

/**
 * Characters that thread and state may take beside these parts. What does not fit is for the caller to leave out by name; nothing is cut
 * here. While a recipe may still be opened (`open` says how many are), its room is kept free: opening only adds to the end, and nothing before it gives
 * way. Throws `budget_exceeded` when not even an empty context fits: a fault of the library that its tests should have found.
 */
export const contextRoom = (parts: Pick<Parts, 'manual' | 'index' | 'loaded'>, open: number = MAX_OPEN, instruction = ''): number => {
  const kept = open < MAX_OPEN ? BUDGET.bodies + AROUND_BODIES + characters(instruction) : 0;
  const before = characters(assemble({ ...parts, loaded: '', thread: '', state: '' }));
  const loaded = Math.max(characters(parts.loaded), kept);
  const taken = before + (loaded > 0 && before > 0 ? SEPARATOR.length : 0) + loaded + 2 * SEPARATOR.length;
  if (taken > BUDGET.total) throw new LibraryRefusal('budget_exceeded', { taken, budget: BUDGET.total });
  return BUDGET.total - taken;
};
