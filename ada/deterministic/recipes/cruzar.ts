import {
  collectionQuery,
  marketGetSupplierHistory,
  marketScreen,
  marketSearchOpportunities,
  marketSearchSuppliers,
  type Opportunity,
  type Supplier,
} from '../../../contracts/tools/index.js';
import type { TurnOutput } from '../../../contracts/turn.js';
import { EVERYWHERE } from '../../understand/index.js';
import { tradeOf } from '../../understand/trades.js';
import { at, close, inPlace, inWords, needs, nextMessage, pesos, quoted, type Turn } from '../answer.js';
import { ask, callOf, readAs, together, type Steps } from '../follow.js';
import { opened } from '../open.js';
import { recordOf } from './como-va-mi-pipeline.js';

/** Suppliers that are looked at one by one. */
const CLOSELY = 3;
/** As many figures as an answer may narrate. */
const FIGURES = 5;
const SCREENED = 50;

/** Two sources side by side: suppliers of a trade with what is open in it, each with why; or the accounts of the CRM with the register of suppliers. */
export const cruzar = function* (turn: Turn): Steps<TurnOutput> {
  const {
    reading: { flat },
  } = turn;
  const own = /\b(?:mi|mis|nuestr[oa]s?|el|my|our) (?:crm|pipeline|embudo|cuentas|clientes|prospectos|funnel|accounts)\b/.test(flat);
  return own && !/\b(?:licitacion\w*|abiert[oa]s?|convocatorias?|concursos?|tenders?)\b/.test(flat)
    ? yield* crmWithRegister(turn)
    : yield* suppliersWithTenders(turn);
};

const suppliersWithTenders = function* (turn: Turn): Steps<TurnOutput> {
  const { reading, say, view } = turn;
  const giro = reading.giro ?? reading.producto ?? view.facts.giro.value ?? view.summary.profile.giro ?? null;
  if (giro === null)
    return needs('giro', say('cruzar.ask'), null, {
      narration: [say('cruzar.need')],
      siguiente: nextMessage(say('cruzar.example_label'), say('cruzar.example')),
    });
  yield* opened(turn, 'senales-y-oportunidades');
  yield* opened(turn, 'quien-le-ha-vendido');
  const activity = tradeOf(giro) ?? giro;
  const estado = reading.everywhere ? null : (reading.estado ?? (view.facts.estado.value === EVERYWHERE ? null : view.facts.estado.value));
  const tenders = (state: string | null): Record<string, unknown> => ({ activity, state: state ?? undefined, limit: 10 });
  let offers = yield* ask(marketSearchOpportunities, tenders(estado));
  const tried: string[] = [];
  if (offers.ok && offers.value.opportunities.length === 0 && estado) {
    tried.push(say('cruzar.none_there', { ref: at(offers.value.ref), estado: quoted(estado) }));
    offers = yield* ask(marketSearchOpportunities, tenders(null));
  }
  const suppliers = yield* ask(marketSearchSuppliers, { activity, state: estado ?? undefined, sort: 'amount', limit: 10 });
  const again = nextMessage(say('common.again'), view.message);
  if (!offers.ok || !suppliers.ok) return close({ partial: true, narration: [say('common.failed_search')], siguiente: again });
  const where = estado ? inPlace(turn, estado) : say('common.everywhere');
  const won = suppliers.value.suppliers.filter((one) => one.awards > 0);
  const total = suppliers.value.total ?? suppliers.value.shown;
  const openTotal = offers.value.total ?? offers.value.opportunities.length;
  const next = nextMessage(
    say('cruzar.tenders_label', { giro: quoted(giro, 50) }),
    say('quien.open_product_message', { product: quoted(giro, 80) }),
  );
  const head = say('cruzar.found', {
    suppliers_ref: at(suppliers.value.ref),
    suppliers: total,
    giro: quoted(activity),
    where,
    tenders_ref: at(offers.value.ref),
    tenders: openTotal,
  });
  if (won.length === 0)
    return close({
      partial: true,
      narration: [...tried, head, say('cruzar.none_won')],
      refs: [suppliers.value.ref, offers.value.ref],
      siguiente: next,
    });
  // Whom each has sold to before, against who has something open now.
  const histories = yield* together(
    won.slice(0, CLOSELY).map((one) => callOf(marketGetSupplierHistory, { supplier_id: one.supplier_id, limit: 50 })),
  );
  const lines = won.slice(0, CLOSELY).map((supplier, i) => {
    const history = histories[i] ? readAs(marketGetSupplierHistory, histories[i]) : null;
    // Two figures open the answer, one tells that there is nothing in the state: the others are for the suppliers.
    return why(
      turn,
      supplier,
      i < FIGURES - 2 - tried.length,
      history?.ok ? history.value.awards.map((award) => award.buyer) : [],
      offers.ok ? offers.value.opportunities : [],
      suppliers.value.ref,
    );
  });
  return close({
    partial: tried.length > 0,
    narration: [...tried, head, ...lines],
    refs: [
      suppliers.value.ref,
      offers.value.ref,
      ...won.slice(0, CLOSELY).map((one) => one.ref),
      ...offers.value.opportunities.slice(0, 5).map((one) => one.ref),
    ],
    siguiente: nextMessage(say('buscar.save_label', { n: suppliers.value.suppliers.length }), say('buscar.save')),
  });
};

/** Why this one: it has sold to who has something open now, else how much it has won. */
const why = (
  turn: Turn,
  supplier: Supplier,
  withAmount: boolean,
  buyers: readonly string[],
  offered: readonly Opportunity[],
  ref: string,
): string => {
  const match = offered.find((one) => buyers.includes(one.buyer));
  const amount = withAmount ? pesos(supplier.total_mxn, turn.language) : '';
  return match
    ? turn.say('cruzar.why_buyer', {
        row: at(supplier.ref),
        ref: at(ref),
        amount,
        buyer: quoted(match.buyer),
        tender: at(match.ref),
        told: withAmount ? 'yes' : 'no',
      })
    : turn.say('cruzar.why_amount', {
        row: at(supplier.ref),
        ref: at(ref),
        amount,
        words: inWords(supplier.awards, turn.language),
        few: supplier.awards <= 10 ? 'yes' : 'no',
        told: withAmount ? 'yes' : 'no',
      });
};

/** The accounts with a tax id, in the register of suppliers: who sells to public bodies already, and who is sanctioned. */
const crmWithRegister = function* (turn: Turn): Steps<TurnOutput> {
  const { say, view } = turn;
  yield* opened(turn, 'como-va-mi-pipeline');
  yield* opened(turn, 'buscar-empresas-y-proveedores');
  const collection =
    view.summary.collections.find((one) => one.name === 'pipeline')?.name ?? view.summary.collections[0]?.name ?? 'pipeline';
  const page = yield* ask(collectionQuery, { op: 'query', collection, limit: 100 });
  const again = nextMessage(say('common.again'), view.message);
  if (!page.ok) return close({ partial: true, narration: [say('common.failed')], siguiente: again });
  const records = page.value.rows.flatMap((row) => recordOf(row) ?? []);
  const total = page.value.total ?? records.length;
  const rfcs = [...new Set(records.flatMap((one) => one.rfc ?? []))];
  if (rfcs.length === 0)
    return close({
      partial: true,
      narration: [say('cruzar.no_rfc', { ref: at(page.value.ref), n: total })],
      refs: [page.value.ref],
      siguiente: nextMessage(say('pipeline.label'), say('pipeline.message')),
    });
  const got = yield* ask(marketScreen, { rfcs: rfcs.slice(0, SCREENED) });
  if (!got.ok) return close({ partial: true, narration: [say('common.failed')], siguiente: again });
  const { rows } = got.value;
  const of = (verdict: string): typeof rows => rows.filter((row) => row.verdict === verdict);
  const [sellers, sanctioned] = [of('active_supplier').sort((a, b) => b.total_mxn - a.total_mxn), of('sanctioned')];
  const firstOf = (some: typeof rows): string =>
    some
      .slice(0, 3)
      .map((row) => at(row.ref))
      .join(', ');
  return close({
    partial: rfcs.length > SCREENED || rfcs.length < records.length,
    narration: [
      say('cruzar.crm', { ref: at(page.value.ref), n: total, screen: at(got.value.ref), looked: rows.length }),
      sanctioned.length > 0 ? say('cruzar.sanctioned', { n: sanctioned.length, rows: firstOf(sanctioned) }) : say('cruzar.none_sanctioned'),
      sellers.length > 0 ? say('cruzar.sellers', { n: sellers.length, rows: firstOf(sellers) }) : say('cruzar.none_sells'),
      say('cruzar.rest'),
    ],
    refs: [page.value.ref, got.value.ref],
    siguiente: nextMessage(say('pipeline.label'), say('pipeline.message')),
  });
};
