import { text, type Language } from '../contracts/catalog/index.js';
import type { Decision } from '../contracts/decision.js';
import type { MoneyKind } from '../contracts/states.js';
import type { Siguiente, TurnOutput } from '../contracts/turn.js';
import { flat } from './anchors.js';
import type { Compiled } from './compile.js';
import { lastList } from './rows.js';
import type { Tabled } from './session-calls.js';
import type { Worked } from './turn-view.js';

/** What a turn knows by itself of its next step and of what that would cost. */
export interface Knows {
  compiled: Pick<Compiled, 'cards' | 'summary'>;
  tabled: Tabled;
  worked: readonly Worked[];
  language: Language;
}
type Cost = NonNullable<Siguiente['cost']>;

const KINDS: readonly MoneyKind[] = ['credits', 'queries', 'inference'];
const PAID_SEARCH = /^(?:company|people)_search$/;
const TOP_UP = '/configuracion/creditos';
const link = (language: Language, label: string, target: string): Siguiente => ({
  kind: 'enlace',
  label: text(language, label),
  target,
  cost: null,
});
const topUp = (language: Language): Siguiente => link(language, 'ada.common.top_up_label', TOP_UP);
const say = (language: Language, label: string, message: string): Siguiente => ({
  kind: 'mensaje',
  label: text(language, label),
  target: text(language, message),
  cost: null,
});

/** What a tap on a card takes at most: its whole, or as much as fits. null where nothing of it fits. */
const costOfCard = (card: Decision): Cost | null => {
  const lot = card.options.find(({ id }) => id === 'all' || id === 'approve') ?? card.options.find(({ id, n }) => id === 'fit_n' && n > 0);
  if (!lot) return null;
  const kind = KINDS.find((one) => lot.totals[one] > 0) ?? 'credits';
  const price = lot.totals[kind];
  const balance = card.balance[kind];
  return price > balance ? null : { kind, price, balance, left: balance - price };
};
const cardStep = (card: Decision, language: Language): Siguiente => {
  const cost = costOfCard(card);
  return cost
    ? {
        kind: 'decision',
        label: text(language, `ada.card.label.${cost.price === 0 ? 'free' : cost.kind}`, { price: cost.price }),
        target: card.id,
        cost,
      }
    : topUp(language);
};
/** Cards of this turn and of this conversation that wait for a tap. */
const openCards = ({ tabled, compiled }: Knows): Decision[] =>
  [...(tabled.decision ? [tabled.decision] : []), ...compiled.cards].filter(({ state }) => state === 'open');

/** One concrete step that follows from what is on the table. */
export const nextStep = (knows: Knows, intent: TurnOutput['intent'] | null): Siguiente => {
  const { language, tabled, worked } = knows;
  const [card] = openCards(knows);
  if (card) return cardStep(card, language);
  if (intent?.kind === 'limite' && intent.falta === 'conector')
    return link(language, 'ada.common.connections_label', '/configuracion/conexiones');
  if (intent?.kind === 'limite' && intent.falta === 'credito') return topUp(language);
  if (tabled.progress)
    return { kind: 'campana', label: text(language, 'ada.campana.follow_label'), target: tabled.progress.run_id, cost: null };
  const { rows } = lastList(worked);
  if (rows.some(({ kind }) => kind === 'company' || kind === 'supplier'))
    return say(language, 'ada.buscar.save_label_plain', 'ada.buscar.save');
  return say(language, 'ada.talk.example_label', 'ada.talk.example');
};

interface Quoted {
  ref: string;
  credits: number;
}
/** Prices that the source gave in this turn, for whom a reveal would be paid. */
const quotes = (worked: readonly Worked[]): { ref: string; prices: Quoted[] } | null => {
  const last = [...worked].reverse().find(({ name, ok }) => name === 'people_quote' && ok)?.result as
    { ref?: unknown; prices?: unknown } | undefined;
  const prices = (Array.isArray(last?.prices) ? last.prices : []).flatMap((one: Record<string, unknown>): Quoted[] =>
    typeof one['credits'] === 'number' &&
    one['credits'] > 0 &&
    one['available'] === true &&
    one['already_acquired'] !== true &&
    typeof one['ref'] === 'string'
      ? [{ ref: one['ref'], credits: one['credits'] }]
      : [],
  );
  return prices.length > 0 && typeof last?.ref === 'string' ? { ref: last.ref, prices } : null;
};

/** What a step that is offered in these words would cost, with where that is known from; null where nobody knows. */
export const priceOf = (
  words: string,
  {
    compiled: {
      summary: { balances },
    },
    worked,
  }: Knows,
): { cost: Cost; ref: string | null } | null => {
  const small = flat(words);
  const paid = (kind: MoneyKind, price: number, balance: number, ref: string | null): { cost: Cost; ref: string | null } | null =>
    price > balance ? null : { cost: { kind, price, balance, left: balance - price }, ref };
  const quoted = quotes(worked);
  const [only, ...others] = quoted?.prices ?? [];
  if (quoted && only && !/\bconsultas?\b|\bquer(?:y|ies)\b/.test(small)) {
    const said = Number(/(\d+)\s*(?:creditos?|credits?)/.exec(small)?.[1] ?? Number.NaN);
    const one = others.length === 0 ? only : quoted.prices.find(({ credits }) => credits === said);
    return one
      ? paid('credits', one.credits, balances.credits, one.ref)
      : paid(
          'credits',
          quoted.prices.reduce((sum, { credits }) => sum + credits, 0),
          balances.credits,
          quoted.ref,
        );
  }
  // A search for people or for companies uses one query, whatever it finds.
  const searches =
    /\b(?:consultas?|quer(?:y|ies)|buscar?|busco|search|find|conseguir)\b/.test(small) &&
    !/\b(?:revel|desbloque|reveal|unlock|credit)/.test(small);
  return searches
    ? paid('queries', 1, Math.max(0, balances.queries - worked.filter(({ name }) => PAID_SEARCH.test(name)).length), null)
    : null;
};

/** The step that a model chose, with what it costs by the books; another one where that cannot be told or cannot be paid. */
export const priced = (next: Siguiente, words: string, knows: Knows): Siguiente => {
  const { language } = knows;
  if (next.kind === 'decision') {
    const card = openCards(knows).find(({ id }) => id === next.target.replace(/^decision:/, ''));
    const cost = card ? costOfCard(card) : null;
    return cost ? { ...next, cost } : nextStep(knows, null);
  }
  if (next.kind === 'campana') return { ...next, label: text(language, 'ada.campana.follow_label'), cost: null };
  const known = priceOf(`${next.label} ${next.kind === 'skill' ? next.target.replace(/-/g, ' ') : ''} ${words}`, knows);
  return known ? { ...next, cost: known.cost } : say(language, 'ada.next.price_label', 'ada.next.price');
};
