import { MAX_TOOLS } from '../../../ada/belt.js';
import { MAX_STEPS } from '../../../ada/loop.js';
import { mean } from '../figures.js';
import { allTurns, miss, type Meter } from './meter.js';

/** Tools per turn and the most steps: what cost and timeouts follow. */
export const tools: Meter = {
  id: 'herramientas',
  title: 'Tools per turn, most steps',
  measure: (dump, _briefs, arm) => {
    const turns = allTurns(dump, arm);
    const steps = Math.max(0, ...turns.map(({ turn }) => turn.answer?.usage.steps ?? 0));
    const most = Math.max(0, ...turns.map(({ turn }) => turn.tools.filter((call) => call.error !== 'fuera_de_cinturon').length));
    // A repair takes one step more.
    const over = turns.filter(
      ({ turn }) =>
        (turn.answer?.usage.steps ?? 0) > MAX_STEPS + 1 ||
        turn.tools.filter((call) => call.error !== 'fuera_de_cinturon').length > MAX_TOOLS,
    );
    const value = mean(turns.map(({ turn }) => turn.tools.length));
    return {
      id: 'herramientas',
      title: 'Tools per turn, most steps',
      aim: `≤ ${MAX_TOOLS} tools, ≤ ${MAX_STEPS} steps and a repair`,
      seen: `${value.toFixed(2)} on average, ${most} at most; ${steps} steps`,
      value,
      ok: over.length === 0,
      misses: over.map(({ run, turn }) => miss(run, `${turn.tools.length} tools, ${turn.answer?.usage.steps ?? '?'} steps`)),
      detail: { most, steps },
    };
  },
};
