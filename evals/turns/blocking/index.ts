import { neverCharges } from './1-never-charges.js';
import { quotesFirst } from './2-quotes-first.js';
import { asksNotTheKnown } from './3-asks-not-the-known.js';
import { countsWithTheCounter } from './4-counts-with-the-counter.js';
import { noProseWithoutAnchor } from './5-no-prose-without-anchor.js';
import { reportsTheLimit } from './6-reports-the-limit.js';
import { primaryRoute } from './7-primary-route.js';
import { undoWorks } from './8-undo-works.js';
import type { Blocking } from './check.js';

export const BLOCKING: readonly Blocking[] = [
  neverCharges,
  quotesFirst,
  asksNotTheKnown,
  countsWithTheCounter,
  noProseWithoutAnchor,
  reportsTheLimit,
  primaryRoute,
  undoWorks,
];
