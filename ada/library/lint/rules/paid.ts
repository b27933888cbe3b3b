import { fold, toolsIn } from '../../read/body.js';
import { report, type Rule, TOOLS } from '../rule.js';

const PRICE = /\b(?:precios?|costos?|cuestan?|cotiza\w*|cobra\w*|creditos?)\b/;
const BALANCE = /\b(?:saldos?|alcanzan?|quedan?|disponibles?)\b/;

/** Nothing is spent or written without a decision, shown with its price and the balance. */
export const paid: Rule = {
  codes: ['paid_without_decision', 'paid_without_price'],
  check: (skill, library) => {
    const found = report(skill, library);
    const writes = skill.backgroundTools.some((name) => TOOLS.get(name)?.scope === 'paid');
    if (skill.costo !== 'creditos' && !writes) return [];
    const named = toolsIn(skill.body);
    if (!named.includes('proponer_decision') && !named.includes('campana_start')) found.error('paid_without_decision');
    const text = fold(skill.body);
    if (skill.costo === 'creditos' && !(PRICE.test(text) && (BALANCE.test(text) || named.includes('usage'))))
      found.error('paid_without_price');
    return found.problems;
  },
};
