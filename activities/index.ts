import type { Context } from './context.js';
import { operatorDesk } from './operator.js';
import { bookkeeping } from './steps/index.js';
import type { Activities, Bookkeeping } from './types.js';
import { draftLane } from './work/drafts.js';
import { peopleLanes } from './work/people.js';
import { quotePeople, readBack, revealLane } from './work/reveal.js';
import { searchCompanies } from './work/search.js';
import { saveCompanies, storeApproved, storeSequences, undoSave } from './work/writes.js';

/** All activities over one context. Which queue runs which is said by the workflows' profiles and `workers/`. */
export const createActivities = (
  ctx: Context,
): { rows: Bookkeeping; tools: Omit<Activities, 'draftLane'>; model: Pick<Activities, 'draftLane'> } => {
  const books = bookkeeping(ctx);
  return {
    rows: { ...books, ...operatorDesk(ctx) },
    tools: {
      openRun: (ref) => books.openRun(ref),
      searchCompanies: (ref) => searchCompanies(ctx, ref),
      saveCompanies: (ref) => saveCompanies(ctx, ref),
      undoSave: (ref) => undoSave(ctx, ref),
      peopleLane: peopleLanes(ctx),
      quotePeople: (ref) => quotePeople(ctx, ref),
      revealLane: (args) => revealLane(ctx, args),
      readBack: (args) => readBack(ctx, args),
      storeSequences: (ref) => storeSequences(ctx, ref),
      storeApproved: (ref) => storeApproved(ctx, ref),
    },
    model: { draftLane: (args) => draftLane(ctx, args) },
  };
};
