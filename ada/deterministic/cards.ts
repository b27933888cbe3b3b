import type { DecisionKind } from '../../contracts/states.js';
import type { Siguiente, TurnOutput } from '../../contracts/turn.js';
import { at, close, limit, nextLink, nextMessage, type Turn } from './answer.js';
import { call, type Steps } from './follow.js';

/** A campaign and its cards as the session's tools tell of them. */
interface Option {
  id: string;
  n: number;
  credits: number;
  queries: number;
  inference: number;
}
export interface CardView {
  ref: string;
  kind: DecisionKind;
  state: string;
  items: number;
  options: Option[];
  balance: { credits: number; queries: number; inference: number };
}
export interface RunView {
  ref: string;
  run_id: string;
  objetivo: string;
  state: string;
  reason: string | null;
  counts: { total: number; done: number; not_found: number; failed: number; skipped: number; suppressed: number };
  contacts: { captured: number; drafted: number; unconfirmed: number };
  pasos: Array<{ skill: string; status: string; done?: number; total?: number; unit?: string }>;
  decisions: CardView[];
}
const num = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const str = (value: unknown): string => (typeof value === 'string' ? value : '');
const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const list = (value: unknown): Array<Record<string, unknown>> => (Array.isArray(value) ? value.map(record) : []);

const cardOf = (value: Record<string, unknown>): CardView => {
  const balance = record(value['balance']);
  return {
    ref: str(value['ref']) || `decision:${str(value['id'])}`,
    kind: (str(value['kind']) || 'ajustar_presupuesto') as DecisionKind,
    state: str(value['state']) || 'open',
    items: num(value['items'] ?? value['items_total']),
    options: list(value['options']).map((one) => {
      const totals = record(one['totals']);
      return {
        id: str(one['id']),
        n: num(one['n']),
        credits: num(one['credits'] ?? totals['credits']),
        queries: num(one['queries'] ?? totals['queries']),
        inference: num(one['inference'] ?? totals['inference']),
      };
    }),
    balance: { credits: num(balance['credits']), queries: num(balance['queries']), inference: num(balance['inference']) },
  };
};
/** Reads what `campana_start`, `campana_status`, `campana_control` or `proponer_decision` gave; null when it is no campaign. */
export const runOf = (result: unknown): RunView | null => {
  const outer = record(result);
  // The progress may stand inside.
  const inner = Object.keys(record(outer['progress'])).length > 0 ? record(outer['progress']) : outer;
  const id = str(inner['run_id']) || str(outer['ref']).replace(/^run:/, '');
  if (id === '' || id === 'open') return null;
  const [counts, contacts] = [record(inner['counts']), record(inner['contacts'])];
  const reason = inner['reason'];
  const decisions =
    list(outer['decisions']).length > 0
      ? list(outer['decisions'])
      : Object.keys(record(outer['decision'])).length > 0
        ? [record(outer['decision'])]
        : [];
  return {
    ref: `run:${id}`,
    run_id: id,
    objetivo: str(inner['objetivo']),
    state: str(inner['state']),
    reason: typeof reason === 'string' ? reason : str(record(reason)['code']) || null,
    counts: {
      total: num(counts['total']),
      done: num(counts['done']),
      not_found: num(counts['not_found']),
      failed: num(counts['failed']),
      skipped: num(counts['skipped']),
      suppressed: num(counts['suppressed']),
    },
    contacts: { captured: num(contacts['captured']), drafted: num(contacts['drafted']), unconfirmed: num(contacts['unconfirmed']) },
    pasos: list(inner['pasos']).map((one) => {
      const conteo = record(one['conteo']);
      return {
        skill: str(one['skill']),
        status: str(one['status']),
        done: num(one['done'] ?? conteo['done']),
        total: num(one['total'] ?? conteo['total']),
        unit: str(one['unit'] ?? conteo['unit']),
      };
    }),
    decisions: decisions.map(cardOf),
  };
};

/** What a tap on the card starts: the whole, or as much as fits. */
export const lotOf = (card: CardView): Option | null =>
  card.options.find((one) => one.id === 'all' || one.id === 'approve') ?? card.options.find((one) => one.id === 'fit_n') ?? null;
export const idOf = (card: CardView): string => card.ref.replace(/^decision:/, '');
/** The card as the one next step, with its price, the balance and what is left. */
export const nextCard = (turn: Turn, card: CardView): Siguiente => {
  const lot = lotOf(card);
  const paid = lot !== null && (lot.credits > 0 ? 'credits' : lot.queries > 0 ? 'queries' : lot.inference > 0 ? 'inference' : null);
  // What is free says so with the same three figures.
  const kind = paid || 'credits';
  const price = lot && paid ? lot[paid] : 0;
  return {
    kind: 'decision',
    label: turn.say(paid ? `card.label.${paid}` : 'card.label.free', { price }),
    target: idOf(card),
    cost: { kind, price, balance: card.balance[kind], left: Math.max(0, card.balance[kind] - price) },
  };
};
/** Price, balance and what is left, in a sentence; the lot that fits where the whole does not. */
export const priceOf = (turn: Turn, card: CardView, wanted: number): string => {
  const lot = lotOf(card);
  const ref = at(card.ref);
  if (!lot || lot.n === 0) return turn.say('card.none_fits', { ref, wanted, credits: card.balance.credits, queries: card.balance.queries });
  const short = lot.n < wanted;
  if (lot.credits > 0)
    return turn.say(short ? 'card.fits_credits' : 'card.credits', {
      ref,
      n: lot.n,
      wanted,
      price: lot.credits,
      balance: card.balance.credits,
      left: card.balance.credits - lot.credits,
      queries: lot.queries,
    });
  if (lot.queries > 0)
    return turn.say(short ? 'card.fits_queries' : 'card.queries', {
      ref,
      n: lot.n,
      wanted,
      price: lot.queries,
      balance: card.balance.queries,
      left: card.balance.queries - lot.queries,
    });
  return turn.say('card.free', { ref, n: lot.n });
};

/** Card that waits: nothing is put on top of it, and no text answers it. */
export const showPending = function* (turn: Turn, why: string): Steps<TurnOutput> {
  const { view, say } = turn;
  const [pending] = view.board.pending;
  if (!pending)
    return close({
      partial: true,
      narration: [say('card.no_pending')],
      siguiente: nextMessage(say('campana.status_label'), say('campana.status_message')),
    });
  const status = yield* call('campana_status', { run_id: pending.run_id });
  const run = status.ok ? runOf(status.result) : null;
  const card = run?.decisions.find((one) => idOf(one) === pending.decision_id) ?? run?.decisions.find((one) => one.state === 'open');
  return close({
    narration: [
      why,
      say(`card.waiting.${pending.kind}`, { ref: at(`decision:${pending.decision_id}`) }),
      card ? priceOf(turn, card, Math.max(run?.counts.total ?? 0, lotOf(card)?.n ?? 0)) : '',
      say('card.only_a_tap'),
    ],
    refs: [`decision:${pending.decision_id}`],
    siguiente: card ? nextCard(turn, card) : nextLink(say('card.open_label'), `/decisiones/${pending.decision_id}`),
  });
};

export interface StartBody extends Record<string, unknown> {
  criteria: { giro: string; cargo: string; estado?: string; tamano?: string };
  cuentas: number;
  desde: 's1' | 's2' | 's3';
  hasta: 'cuentas' | 'personas' | 'contactos' | 'borradores';
  accounts?: Array<{ ref: string; name: string; rfc?: string; domain?: string }>;
}
/** Starts a campaign that waits for its tap, and closes with its cost: what it takes at most, what there is, what is left. */
export const startCampaign = function* (
  turn: Turn,
  body: StartBody,
  lead: string,
  asked: TurnOutput['pregunta'] = null,
): Steps<TurnOutput> {
  if (turn.view.board.pending.length > 0) return yield* showPending(turn, turn.say('card.first_this'));
  const made = yield* call('campana_start', body);
  return closeStart(turn, made, body.cuentas, lead, asked);
};
const FAULTS = new Set([
  'accounts_missing',
  'accounts_repeated',
  'accounts_not_needed',
  'selection_empty',
  'one_campaign_a_turn',
  'insufficient_balance',
  'too_many_runs',
  'rate_limited',
  'skill_denied',
  'mailbox_missing',
  'sin_paso',
  'arguments_invalid',
]);
export const faultText = (turn: Turn, code: string | null): string =>
  turn.say(`card.fault.${code !== null && FAULTS.has(code) ? code : 'other'}`);
export const closeStart = (
  turn: Turn,
  made: { ok: boolean; result: unknown; code: string | null },
  wanted: number,
  lead: string,
  asked: TurnOutput['pregunta'] = null,
): TurnOutput => {
  const { say } = turn;
  const run = made.ok ? runOf(made.result) : null;
  if (!run) {
    if (made.code === 'mailbox_missing')
      return limit('conector', say('secuencia.mailbox_way_out'), {
        narration: [say('secuencia.mailbox')],
        siguiente: nextLink(say('common.connections_label'), '/configuracion/conexiones'),
      });
    return close({
      partial: true,
      narration: [lead, faultText(turn, made.code)],
      siguiente: nextMessage(say('common.again'), turn.view.message),
    });
  }
  const card = run.decisions.find((one) => one.state === 'open');
  if (!card)
    return close({
      narration: [lead, say('card.coming', { ref: at(run.ref) })],
      pregunta: asked,
      refs: [run.ref],
      siguiente: { kind: 'campana', label: say('campana.follow_label'), target: run.run_id, cost: null },
    });
  const lot = lotOf(card);
  if (!lot || lot.n === 0)
    return limit('credito', say('card.top_up'), {
      narration: [lead, priceOf(turn, card, wanted), say('card.top_up')],
      pregunta: asked,
      siguiente: nextLink(say('common.top_up_label'), '/configuracion/creditos'),
    });
  return close({
    narration: [lead, priceOf(turn, card, wanted), say('card.only_a_tap_short')],
    pregunta: asked,
    refs: [card.ref, run.ref],
    siguiente: nextCard(turn, card),
  });
};
