import { percentile } from '../figures.js';
import { allTurns, miss, type Meter } from './meter.js';

/** Time to the first token as the adapter saw it, and the whole turn against its deadline: a tail near it is a turn about to be lost. */
export const time: Meter = {
  id: 'tiempo',
  title: 'Duration p50 / p90 of the deadline',
  measure: (dump, _briefs, arm) => {
    const turns = allTurns(dump, arm);
    const durations = turns.map(({ turn }) => turn.duration_ms);
    const ttft = turns.flatMap(({ turn }) => (turn.ttft_ms === null ? [] : [turn.ttft_ms]));
    const [p50, p90] = [percentile(durations, 0.5), percentile(durations, 0.9)];
    const limit = dump.deadline_ms * 0.8;
    return {
      id: 'tiempo',
      title: 'Duration p50 / p90 of the deadline',
      aim: 'p90 ≤ 80 %',
      seen: `${Math.round(p50)} / ${Math.round(p90)} of ${dump.deadline_ms} ms; ttft p50 ${ttft.length > 0 ? `${Math.round(percentile(ttft, 0.5))} ms` : '–'}`,
      value: p50,
      ok: p90 <= limit,
      misses: turns
        .filter(({ turn }) => turn.duration_ms > limit)
        .map(({ run, turn }) => miss(run, `${turn.duration_ms} ms, ${turn.tools.length} tools`)),
      detail: { p50, p90, max: Math.max(0, ...durations), ttft_p50: ttft.length > 0 ? percentile(ttft, 0.5) : null },
    };
  },
};
