import type { Decision } from '../contracts/decision.js';
import { mainOption, priceOf } from './buttons.js';
import type { Words } from './words.js';

/** What the main option costs, what there is and what is left after it. */
export const priceLine = (d: Decision, words: Words): string[] => {
  const option = mainOption(d) ?? d.options.find((o) => o.id === 'recheck_balance');
  if (!option) return [];
  const cost = priceOf(option);
  if (d.kind === 'guardar_en_crm' || d.kind === 'revisar_secuencia') return [words.say('view.decision.free')];
  if (!cost && option.n > 0) return [words.say('view.decision.free')];
  const left = d.balance.credits - option.totals.credits;
  const elsewhere = d.held_elsewhere.credits > 0 ? [words.say('view.decision.elsewhere', { n: d.held_elsewhere.credits })] : [];
  const balance = [
    words.say('view.decision.balance', { n: d.balance.credits }),
    ...elsewhere,
    ...(cost ? [words.say('view.decision.left', { n: left })] : []),
  ];
  if (d.kind === 'ajustar_presupuesto') {
    const parts = (['credits', 'queries', 'inference'] as const)
      .filter((k) => option.totals[k] > 0)
      .map((k) => words.amount(k, option.totals[k]));
    const most = parts.length > 0 ? [words.say('view.decision.at_most', { parts: parts.join(' + ') })] : [];
    return [[...most, ...balance].join(' · ')];
  }
  const { unit_min: min, unit_max: max } = d.price;
  const unit = min === max ? words.amount('credits', max) : words.say('view.decision.unit_range', { min, max });
  const total = words.amount('credits', option.totals.credits);
  // With one price for all, what it does not explain are contacts that are yours already.
  const paid = min === max && max > 0 && option.totals.credits % max === 0 ? option.totals.credits / max : null;
  const sum =
    paid === null
      ? words.say('view.decision.sum', { n: option.n, unit, total })
      : words.say('view.decision.product', { n: paid, unit, total });
  const yours = paid !== null && option.n > paid ? [words.say('view.decision.n_yours', { n: option.n - paid })] : [];
  return [[...(option.n > 0 ? [sum, ...yours] : []), ...balance].join(' · ')];
};
