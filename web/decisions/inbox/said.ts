import type { DecisionListed } from '../../../contracts/api.js';
import type { Decision } from '../../../contracts/decision.js';
import type { DecisionState } from '../../../contracts/states.js';
import { mainOption } from '../../../view/buttons.js';
import type { Words } from '../../../view/words.js';

/** Icon beside the words of a decision's state, and the tone of both. */
export const DECISION_ICON: Record<DecisionState, string> = { open: '◆', approved: '✓', declined: '×', expired: '◷', superseded: '⇄' };
export const DECISION_TONE: Record<DecisionState, string> = {
  open: 'busy',
  approved: 'good',
  declined: '',
  expired: 'warn',
  superseded: '',
};

/** From where somebody answered, in words; a channel nobody has a word for as itself. */
export const channelOf = (words: Words, channel: string): string => {
  const code = `web.channel.${channel.split(':')[0]}`;
  return words.has(code) ? words.say(code) : channel;
};

/** What a card costs: what was agreed to, else what its main button would take. */
export const priceSaid = (words: Words, d: Decision): string => {
  if (d.state === 'declined') return words.say('web.inbox.price.nothing');
  if (d.resolved) {
    if (d.resolved.total === 0) return words.say('cost.gratis');
    const total = words.amount('credits', d.resolved.total);
    return d.kind === 'ajustar_presupuesto' ? words.say('view.decision.at_most', { parts: total }) : total;
  }
  const option = mainOption(d);
  if (!option) return words.say('web.inbox.price.none');
  const parts = (['credits', 'queries', 'inference'] as const)
    .filter((kind) => option.totals[kind] > 0)
    .map((kind) => words.amount(kind, option.totals[kind]));
  if (parts.length === 0) return words.say('cost.gratis');
  return d.kind === 'ajustar_presupuesto' ? words.say('view.decision.at_most', { parts: parts.join(' + ') }) : parts.join(' + ');
};

/** What a card asks for or what came of it. */
export const resultSaid = (words: Words, d: Decision): string => {
  if (d.state === 'declined' && d.resolved) {
    const code = `view.then.${d.resolved.then ?? 'wait'}.${d.kind}`;
    return words.say(words.has(code) ? code : 'view.button.decline');
  }
  if (d.state === 'open' || d.state === 'approved')
    return words.say(`web.inbox.asks.${d.kind}`, { n: d.resolved?.n ?? mainOption(d)?.n ?? d.items_total });
  if (d.state === 'expired') return words.say(d.reopened_as ? 'web.inbox.result.reopened' : 'web.inbox.result.expired');
  return words.say(d.superseded_by ? 'web.inbox.result.superseded' : 'web.inbox.result.gone');
};

/** The sequence that a review card is about. */
export const sequenceOf = (d: Decision): string | null => (d.kind === 'revisar_secuencia' ? (d.items[0]?.ref ?? null) : null);

/** "32 créditos y tienes 50": every kind of money that all open cards together would ask too much of. */
export const shortOf = (
  words: Words,
  net: { totals: DecisionListed['balance']; balance: DecisionListed['balance']; short: DecisionListed['balance'] },
): string[] =>
  (['credits', 'queries', 'inference'] as const)
    .filter((kind) => net.short[kind] > 0)
    .map((kind) =>
      words.say('web.inbox.net.exceeds', {
        asked: words.amount(kind, net.totals[kind]),
        have: kind === 'inference' ? words.amount(kind, net.balance[kind]) : words.count(net.balance[kind]),
      }),
    );
