import type { Decision, DecisionOption } from '../contracts/decision.js';
import type { Words } from './words.js';

/** What an option commits: the kind of money a person has to name before it, or null when it is free. */
export const priceOf = (option: DecisionOption): { kind: 'credits' | 'queries' | 'inference'; total: number } | null => {
  for (const kind of ['credits', 'queries', 'inference'] as const) if (option.totals[kind] > 0) return { kind, total: option.totals[kind] };
  return null;
};

/** The total that the API compares with what was shown: credits, 0 on cards that cost none. */
export const shownTotal = (option: DecisionOption): number => option.totals.credits;

/** The option that a plain "approve" means: all of it, else the lot that fits. */
export const mainOption = (decision: Decision): DecisionOption | null =>
  decision.options.find((o) => o.id === 'approve' || o.id === 'all') ?? decision.options.find((o) => o.id === 'fit_n') ?? null;

/** Whether there are words for what an option does; a newer server may offer what this page has none for. */
export const canName = (words: Words, decision: Decision, option: DecisionOption): boolean => {
  if (!words.has(`decision.kind.${decision.kind}`)) return false;
  return ['approve', 'all', 'fit_n'].includes(option.id)
    ? words.has(`view.button.${decision.kind}.${option.id === 'fit_n' ? 'fit' : 'all'}`)
    : ['choose', 'recheck_balance', 'decline'].includes(option.id);
};

const price = (words: Words, option: DecisionOption): string => {
  const cost = priceOf(option);
  return cost ? words.amount(cost.kind, cost.total) : words.say('cost.gratis');
};

/** What stands on the button: what it does and its price. */
export const buttonLabel = (words: Words, decision: Decision, option: DecisionOption): string => {
  switch (option.id) {
    case 'approve':
    case 'all':
    case 'fit_n':
      return words.say(`view.button.${decision.kind}.${option.id === 'fit_n' ? 'fit' : 'all'}`, {
        n: option.n,
        price: price(words, option),
      });
    case 'choose':
      return words.say(decision.kind === 'ajustar_presupuesto' ? 'view.button.choose_n' : 'view.button.choose', { n: option.n });
    case 'recheck_balance':
      return words.say('view.button.recheck');
    case 'decline':
      return words.say(decision.kind === 'ajustar_presupuesto' ? 'view.button.not_start' : 'view.button.decline');
  }
};

/** The same for a lot that was chosen: its own number and price. */
export const lotLabel = (words: Words, decision: Decision, lot: DecisionOption): string =>
  buttonLabel(words, decision, lot.id === 'choose' ? { ...lot, id: 'all' } : lot);
