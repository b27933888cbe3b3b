import type { Decision, DecisionOption, ResolveDecision } from '../contracts/decision.js';
import { shownTotal } from './buttons.js';

/** A lot that a person picked: the option with its own number and price, and what the tap says beside it. */
export interface Lot {
  option: DecisionOption;
  more: { n?: number; items?: string[] };
}
export type Picked = { lot: Lot } | { refused: string; params: Record<string, number | string> };

/** The tap itself: bound to the card as it was shown. */
export const tapOf = (
  d: Decision,
  option: DecisionOption,
  more: Partial<Pick<ResolveDecision, 'items' | 'n' | 'then'>> = {},
): ResolveDecision => {
  if (option.id === 'recheck_balance') throw new Error('recheck_balance is not a tap');
  return { option: option.id, plan_version: d.plan_version, payload_hash: d.payload_hash, shown_total: shownTotal(option), ...more };
};

/**
 * The `choose` option narrowed to what was picked: by number on the start card (its first `n`, with its share of the maximum),
 * by item on the others. Refused, as a catalog code, when the picked ones are not on the card or there are more than it offers.
 */
export const pickLot = (d: Decision, pick: { n?: number; refs?: readonly string[] }): Picked => {
  const offered = d.options.find((o) => o.id === 'choose');
  if (!offered) return { refused: 'option_not_offered', params: { option: 'choose' } };
  if (d.kind === 'ajustar_presupuesto') {
    const n = pick.n ?? 0;
    if (n < 1 || n > offered.n) return { refused: 'n_out_of_range', params: { max: offered.n } };
    // The server counts the dearest price per contact; so do we, or the total would not be the one it compares.
    const credits = offered.totals.credits === 0 ? 0 : n * d.price.unit_max;
    return { lot: { option: { id: 'choose', n, totals: { ...offered.totals, credits } }, more: { n } } };
  }
  const refs = [...new Set(pick.refs ?? d.items.slice(0, pick.n ?? 0).map((i) => i.ref))];
  const wanted = new Set(refs);
  const items = d.items.filter((i) => wanted.has(i.ref));
  if (items.length === 0 || items.length !== refs.length) return { refused: 'items_not_on_card', params: {} };
  const credits = d.kind === 'revelar_contactos' ? items.reduce((sum, i) => sum + i.price, 0) : 0;
  if (credits > offered.totals.credits) return { refused: 'more_than_fits', params: { total: credits, fits: offered.totals.credits } };
  return { lot: { option: { id: 'choose', n: items.length, totals: { credits, queries: 0, inference: 0 } }, more: { items: refs } } };
};
