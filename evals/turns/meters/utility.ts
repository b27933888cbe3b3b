import { mean } from '../figures.js';
import { judgeByChecks } from '../judge.js';
import { miss, percent, turnsOf, type Meter } from './meter.js';

/** Three points: it answered what was asked, gave concrete ways on, and made nothing up. By a model where one judged, else by the checks. */
export const utility: Meter = {
  id: 'utilidad',
  title: 'Usefulness, of three points',
  measure: (dump, briefs, arm) => {
    const turns = turnsOf(dump, briefs, arm).filter(({ last }) => last);
    const points = turns.map(({ turn, expect }) => turn.judged ?? judgeByChecks(turn, expect));
    const score = (one: (typeof points)[number]): number => (Number(one.respondio) + Number(one.salidas) + Number(one.no_invento)) / 3;
    const value = turns.length === 0 ? null : mean(points.map(score));
    const misses = turns.flatMap(({ run }, i) => {
      const one = points[i];
      return one && score(one) < 1
        ? [
            miss(
              run,
              `${one.respondio ? '' : 'not answered '}${one.salidas ? '' : 'no way on '}${one.no_invento ? '' : 'made up '}(${one.why.join('; ')})`,
            ),
          ]
        : [];
    });
    const of = (key: 'respondio' | 'salidas' | 'no_invento'): string => percent(mean(points.map((one) => Number(one[key]))));
    return {
      id: 'utilidad',
      title: 'Usefulness, of three points',
      aim: '≥ 80 %',
      seen:
        value === null
          ? '–'
          : `${percent(value)} (answered ${of('respondio')}, ways on ${of('salidas')}, nothing made up ${of('no_invento')})`,
      value,
      ok: value === null ? null : value >= 0.8,
      misses,
      detail: { by: points.some((one) => one.by === 'model') ? 'model' : 'checks' },
    };
  },
};
