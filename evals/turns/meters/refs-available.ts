import { mean } from '../figures.js';
import { allTurns, miss, type Meter } from './meter.js';

/** Anchors that tools handed over: the denominator of every fault of anchoring. Results without any leave nothing to anchor to. */
export const refsAvailable: Meter = {
  id: 'refs_available',
  title: 'Anchors per turn that read something',
  measure: (dump, _briefs, arm) => {
    const turns = allTurns(dump, arm).filter(({ turn }) => turn.answer && turn.tools.some((call) => call.ok && call.figures.length > 0));
    const misses = turns
      .filter(({ turn }) => (turn.answer?.usage.refs_available ?? 0) === 0)
      .map(({ run, turn }) => miss(run, turn.tools.map((call) => call.tool).join(' ')));
    const value = mean(turns.map(({ turn }) => turn.answer?.usage.refs_available ?? 0));
    return {
      id: 'refs_available',
      title: 'Anchors per turn that read something',
      aim: 'none without',
      seen: `${value.toFixed(1)}; ${misses.length} of ${turns.length} without`,
      value,
      ok: misses.length === 0,
      misses,
    };
  },
};
