import type { KnownFigure } from '../harvest.js';
import type { Literal, Reading } from './numbers.js';

/** Arithmetic that an answer may do by itself, looked for among few operands and in few steps. */

export type Operation = 'sum' | 'difference' | 'average' | 'share' | 'ratio' | 'change' | 'product' | 'count';
export interface Operand {
  value: number;
  ref: string | null;
}
export interface Derived {
  text: string;
  value: number;
  operation: Operation;
  operands: Operand[];
}

/** Steps for one figure; a search that is not over by then found nothing. */
export const MAX_STEPS = 6_000;
const MAX_OPERANDS = 48;

/** Equal within the rounding of the last digit shown. */
export const within = (reading: Reading, value: number): boolean =>
  Math.abs(reading.value - value) <= reading.step / 2 + Math.abs(value) * 1e-12;
export const exactly = (reading: Reading, value: number): boolean => Math.abs(reading.value - value) <= Math.abs(value) * 1e-12;

export interface Search {
  /** Figures that the sentence or the answer names, and those under the anchors of the sentence. */
  operands: readonly KnownFigure[];
  /** Columns of results that the sentence anchors: for totals, averages and first-n sums. */
  columns: ReadonlyArray<readonly KnownFigure[]>;
  /** Figures the sentence itself names; sums of more than two are looked for among these. */
  named: readonly KnownFigure[];
  /** Words of the sentence, small and without accents. */
  words: string;
  /** Counts every step of all figures of an answer. */
  steps: { used: number };
}

const RATE = /promedi|averag|\bmean\b|\bpor\b|\bper\b|\bcada\b|\beach\b|ticket|media\b/;
const TIMES = /\bveces\b|\btimes\b|\bdoble|\btriple|\bdouble/;
const SHARE = /%|por ciento|percent|\bde cada\b/;

const distinct = (figures: readonly KnownFigure[], max: number): KnownFigure[] => {
  const seen = new Set<string>();
  const kept: KnownFigure[] = [];
  for (const figure of figures) {
    if (figure.kind === 'date' || figure.quoted) continue;
    const key = `${figure.value} ${figure.kind} ${figure.unit ?? ''}`;
    if (seen.has(key)) continue;
    seen.add(key);
    kept.push(figure);
    if (kept.length === max) break;
  }
  return kept;
};
const alike = (a: KnownFigure, b: KnownFigure): boolean =>
  (a.kind === 'money') === (b.kind === 'money') &&
  (a.kind === 'percent') === (b.kind === 'percent') &&
  // What the person said counts whatever is talked about; other figures only with their own kind.
  (a.unit === b.unit || (a.unit === null && a.ref === null) || (b.unit === null && b.ref === null));
/** «17 in all, 3 shown» are two counts of one thing: they may be told apart, not added. */
const addable = (a: KnownFigure, b: KnownFigure): boolean => a.unit !== null || a.key === b.key || a.ref !== b.ref;
const fits = (literal: Literal, kind: KnownFigure['kind'], unit: string | null): boolean => {
  if (literal.kind === 'percent') return kind === 'percent';
  if (kind === 'percent') return false;
  if (literal.currency === 'usd') return unit === 'usd';
  return literal.currency === null || kind === 'money';
};

/** How a figure comes from known ones, or null. */
export const derive = (literal: Literal, search: Search): Derived | null => {
  const limit = search.steps.used + MAX_STEPS;
  const give = (value: number, operation: Operation, operands: readonly KnownFigure[]): Derived => ({
    text: literal.text.trim(),
    value,
    operation,
    operands: operands.map(({ value: v, ref }) => ({ value: v, ref })),
  });
  const hit = (value: number, kind: KnownFigure['kind'], unit: string | null): boolean => {
    search.steps.used++;
    return Number.isFinite(value) && fits(literal, kind, unit) && literal.readings.some((reading) => within(reading, value));
  };
  const spent = (): boolean => search.steps.used >= limit;
  const precise = literal.readings.some((reading) => reading.step < 1);

  // Columns: all of it, its average, its first n.
  for (const column of search.columns) {
    const [head] = column;
    if (!head || column.length < 2) continue;
    let sum = 0;
    for (const [i, figure] of column.entries()) {
      sum += figure.value;
      if (spent()) return null;
      if (i > 0 && head.kind !== 'percent' && hit(sum, head.kind, head.unit)) return give(sum, 'sum', column.slice(0, i + 1));
    }
    if ((RATE.test(search.words) || precise) && hit(sum / column.length, head.kind, head.unit))
      return give(sum / column.length, 'average', column);
  }
  // All named in the sentence together, and every choice of three or more of the first six.
  const named = distinct(search.named, 6);
  for (let mask = 7; mask < 1 << named.length; mask++) {
    const chosen = named.filter((_, i) => mask & (1 << i));
    const [head] = chosen;
    if (chosen.length < 3 || !head || chosen.some((figure) => !alike(figure, head))) continue;
    if (spent()) return null;
    const sum = chosen.reduce((total, figure) => total + figure.value, 0);
    if (hit(sum, head.kind, head.unit)) return give(sum, 'sum', chosen);
    if (RATE.test(search.words) && hit(sum / chosen.length, head.kind, head.unit)) return give(sum / chosen.length, 'average', chosen);
  }
  const operands = distinct([...search.named, ...search.operands], MAX_OPERANDS);
  for (const [i, a] of operands.entries()) {
    if (a.kind === 'percent' && hit(100 - a.value, 'percent', null)) return give(100 - a.value, 'difference', [a]);
    for (const [j, b] of operands.entries()) {
      if (i === j) continue;
      if (spent()) return null;
      if (alike(a, b)) {
        const unit = a.unit ?? b.unit;
        if (j > i && a.kind !== 'percent' && addable(a, b) && hit(a.value + b.value, a.kind, unit))
          return give(a.value + b.value, 'sum', [a, b]);
        if (a.value > b.value && hit(a.value - b.value, a.kind, unit)) return give(a.value - b.value, 'difference', [a, b]);
        if (j > i && RATE.test(search.words) && hit((a.value + b.value) / 2, a.kind, unit))
          return give((a.value + b.value) / 2, 'average', [a, b]);
        if (b.value !== 0 && literal.kind === 'percent' && SHARE.test(search.words)) {
          if (a.value <= b.value && hit((100 * a.value) / b.value, 'percent', null))
            return give((100 * a.value) / b.value, 'share', [a, b]);
          if (hit((100 * Math.abs(a.value - b.value)) / b.value, 'percent', null))
            return give((100 * (a.value - b.value)) / b.value, 'change', [a, b]);
        }
        if (
          b.value !== 0 &&
          literal.kind === 'number' &&
          (TIMES.test(search.words) || (RATE.test(search.words) && precise)) &&
          hit(a.value / b.value, 'number', null)
        )
          return give(a.value / b.value, 'ratio', [a, b]);
      } else if (a.kind !== 'percent' && b.kind === 'number' && b.value !== 0) {
        // Amount by count: what each is worth; count by price: what all cost.
        if ((a.kind === 'money' || RATE.test(search.words)) && hit(a.value / b.value, a.kind, a.unit))
          return give(a.value / b.value, 'average', [a, b]);
        if ((a.kind === 'money' || a.unit === 'credits' || a.unit === 'queries') && hit(a.value * b.value, a.kind, a.unit))
          return give(a.value * b.value, 'product', [a, b]);
      }
    }
  }
  return null;
};
