import { figuresSaid, flat, okCalls } from '../figures.js';
import { allTurns, miss, turnsOf } from '../meters/meter.js';
import { checked, type Blocking } from './check.js';

/** A universe is what the counter says; the length of a page never is one. Held on every turn, not on those alone that ask for a count. */
const TELLS = /(?:hay|existen?|son|suman?|en total|universo|there are|total(?:es)? de|de)\W{0,12}(?:\[\[[^\]]*\]\]\W{0,3})?$/;

export const countsWithTheCounter: Blocking = {
  id: 4,
  title: 'Counts with the counter, never from a page',
  check: (dump, briefs) => {
    const due = turnsOf(dump, briefs).filter(({ turn, expect }) => expect.must_count && turn.answer);
    const misses = due.flatMap(({ run, turn }) => {
      const counted =
        okCalls(turn, /^market_(?:count_suppliers|compare)$/).length > 0 ||
        turn.before.counted.some((one) => one.tool === 'market_count_suppliers');
      return counted ? [] : [miss(run, 'nothing was counted')];
    });
    const all = allTurns(dump).filter(({ turn }) => turn.answer);
    for (const { run, turn } of all) {
      const narration = turn.answer?.narration ?? '';
      const pages = turn.tools.filter(
        (call) => call.ok && call.shown !== null && call.shown > 0 && call.total !== null && call.total > call.shown,
      );
      const totals = new Set(
        turn.tools.flatMap((call) => (call.ok ? [call.total, ...(call.tool === 'collection_query' ? call.figures : [])] : [])),
      );
      for (const said of figuresSaid(narration)) {
        if (totals.has(said.value) || !pages.some((page) => page.shown === said.value)) continue;
        const before = flat(narration.slice(Math.max(0, said.at - 60), said.at));
        const after = flat(narration.slice(said.end, said.end + 30));
        if (
          TELLS.test(before) &&
          !/^\s*(?:de|of)\s+(?:\[\[[^\]]*\]\]\s*)?\d/.test(after) &&
          !/(?:muestr|ense|ves|primer|first|show|revis|lei|de los|de las)\W*(?:\[\[[^\]]*\]\]\W*)?$/.test(before)
        )
          misses.push(miss(run, `${said.text} is the page, not the universe`));
      }
    }
    return checked(4, 'Counts with the counter, never from a page', all.length, misses);
  },
};
