import { collectionQuery, peopleAcquired, peopleQuote, peopleSearch, usage } from '../../../contracts/tools/index.js';
import type { z } from 'zod';
import type { BoardRow, TurnOutput } from '../../../contracts/turn.js';
import { rowsMeant } from '../../understand/amounts.js';
import { fitOf, labelOfArea, neighbourOf } from '../../understand/roles.js';
import { accountMeant, findRecords } from '../accounts.js';
import {
  at,
  close,
  inPlace,
  inWords,
  limit,
  needs,
  nextLink,
  nextMessage,
  oneQuery,
  queriesUsed,
  question,
  quoted,
  type Turn,
} from '../answer.js';
import { closeStart, faultText, showPending, startCampaign, type StartBody } from '../cards.js';
import { lastMarketRun } from '../filters.js';
import { ask, call, callOf, readAs, together, type Steps } from '../follow.js';
import { opened } from '../open.js';
import { recordOf } from './como-va-mi-pipeline.js';

/** Accounts whose people are looked for inside a turn; more of them are a campaign. */
const IN_A_TURN = 3;
type Candidate = z.infer<typeof peopleSearch.output>['people'][number];
interface Target {
  company: string;
  name: string;
  ref: string;
  rfc: string | null;
  domain: string | null;
}

/** People at a few accounts: who, at what price, and the tap that reveals them. */
export const conseguirContactos = function* (turn: Turn): Steps<TurnOutput> {
  const { reading, say, view } = turn;
  if (view.board.pending.some((one) => one.kind === 'revelar_contactos') && /\b(?:revela|desbloquea|reveal)/.test(reading.flat))
    return yield* showPending(turn, say('card.text_is_no_tap'));
  const cargo = turn.known('cargo');
  const role = cargo ?? 'compras';
  const asked = cargo === null ? question('cargo', say('contactos.ask_role'), labelOfArea('compras', turn.language)) : null;
  if (/\b(?:cuanto|precio|costo|cuesta|price|cost)\b/.test(reading.flat) && targetsInSight(turn).length === 0 && reading.cuenta === null)
    return yield* price(turn);
  if (/\b(?:ya tengo|tenemos ya|ya revel|revelados|already have)\b/.test(reading.flat)) return yield* owned(turn);

  const seen = targetsInSight(turn);
  const own = OWN_ACCOUNTS.test(reading.flat) && !reading.selected && (seen.length === 0 || view.board.selection.length === 0);
  const sellers = own || seen.length > 0 ? [] : sellersInSight(turn);
  if (sellers.length > 0) return ofSellers(turn, sellers);
  const targets = own ? yield* fromCrm(turn) : seen.length > 0 ? seen : yield* byName(turn);
  if (typeof targets === 'string')
    return close({
      partial: true,
      narration: [say('contactos.no_account', { name: quoted(targets) }), say('cuenta.search_offer')],
      siguiente: nextMessage(say('buscar.example_label'), say('buscar.example')),
    });
  if (targets.length === 0)
    return needs('cuenta', say('contactos.ask_account'), null, {
      narration: [say('contactos.need')],
      siguiente: nextMessage(say('pipeline.label'), say('pipeline.message')),
    });
  if (targets.length > IN_A_TURN) {
    return yield* startCampaign(
      turn,
      bodyOf(turn, targets, role, 'contactos'),
      say('contactos.many', { n: targets.length, cargo: quoted(labelOfArea(role, turn.language)) }),
      asked,
    );
  }

  // Balance and people in one step; then one neighbour role where nobody is, then the price.
  const [balanceOutcome, ...searches] = yield* together([
    callOf(usage, {}),
    ...targets.map((one) => callOf(peopleSearch, { company_id: one.company, role, limit: 10 })),
  ]);
  const balance = balanceOutcome ? readAs(usage, balanceOutcome) : null;
  const chosen: Array<{ target: Target; person: Candidate; role: string }> = [];
  const notes: string[] = [];
  for (const [i, target] of targets.entries()) {
    const outcome = searches[i];
    let found = outcome ? readAs(peopleSearch, outcome) : null;
    let as = role;
    if (found && !found.ok && found.code === 'rate_limited')
      found = yield* ask(peopleSearch, { company_id: target.company, role, limit: 10 });
    if (found && !found.ok && found.code === 'insufficient_queries')
      return limit('credito', say('contactos.queries_way_out'), {
        narration: [say('contactos.no_queries')],
        siguiente: nextLink(say('common.plan_label'), '/configuracion/plan'),
      });
    if (!found?.ok) {
      notes.push(
        say(`contactos.failed.${found && ['not_found', 'rate_limited'].includes(found.code) ? found.code : 'other'}`, {
          row: at(target.ref),
        }),
      );
      continue;
    }
    const next = neighbourOf(role);
    if (found.value.people.length === 0 && next) {
      const again = yield* ask(peopleSearch, { company_id: target.company, role: next, limit: 10 });
      if (again.ok && again.value.people.length > 0) {
        notes.push(
          say('contactos.neighbour', {
            row: at(target.ref),
            ref: at(found.value.ref),
            cargo: quoted(labelOfArea(role, turn.language)),
            now: quoted(labelOfArea(next, turn.language)),
          }),
        );
        found = again;
        as = next;
      }
    }
    const best = [...found.value.people].sort(
      (a, b) => fitOf(b, as, turn.now.getTime()) - fitOf(a, as, turn.now.getTime()) || (a.person_id < b.person_id ? -1 : 1),
    )[0];
    if (!best) {
      notes.push(say('contactos.zero', { row: at(target.ref), ref: at(found.value.ref), cargo: quoted(labelOfArea(role, turn.language)) }));
      continue;
    }
    chosen.push({ target, person: best, role: as });
  }
  const spent =
    queriesUsed(view) > 0 ? say('buscar.queries_used', { n: queriesUsed(view), words: inWords(queriesUsed(view), turn.language) }) : '';
  if (chosen.length === 0) {
    return close({
      partial: true,
      narration: [...notes, spent],
      pregunta: asked,
      refs: targets.map((one) => one.ref),
      siguiente: nextMessage(
        say('contactos.other_role_label'),
        say('contactos.other_role', { name: quoted(targets[0]?.name ?? '', 80) }),
        oneQuery(view, queriesUsed(view)),
      ),
    });
  }
  const quote = yield* ask(peopleQuote, { person_ids: chosen.map((one) => one.person.person_id) });
  const who = say('contactos.choose', {
    people: chosen.map(({ target, person }) => say('contactos.who', { person: at(person.ref), row: at(target.ref) })).join('; '),
  });
  if (!quote.ok)
    return close({
      partial: true,
      narration: [who, ...notes, say('contactos.no_price')],
      refs: chosen.map((one) => one.person.ref),
      siguiente: nextMessage(say('common.again'), view.message, oneQuery(view, queriesUsed(view), chosen.length)),
    });
  const prices = new Map(quote.value.prices.map((one) => [one.person_id, one]));
  const mine = chosen.filter((one) => prices.get(one.person.person_id)?.already_acquired);
  const payable = chosen.filter((one) => {
    const cost = prices.get(one.person.person_id);
    return cost?.available && !cost.already_acquired;
  });
  const gone = chosen.length - mine.length - payable.length;
  const credits = balance?.ok ? balance.value.balances.credits : view.summary.balances.credits;
  const balanceRef = balance?.ok ? at(balance.value.ref) : at(quote.value.ref);
  const ref = at(quote.value.ref);
  if (payable.length === 0) {
    const contacts = mine.length > 0 ? yield* ask(peopleAcquired, { person_ids: mine.map((one) => one.person.person_id) }) : null;
    return close({
      narration: [
        contacts?.ok && contacts.value.acquired.length > 0
          ? say('contactos.yours', {
              rows: contacts.value.acquired.map((one) => at(one.ref)).join(', '),
              n: contacts.value.acquired.length,
            })
          : who,
        gone > 0 ? say('contactos.gone') : '',
        ...notes,
      ],
      partial: gone > 0 || notes.length > 0,
      refs: chosen.map((one) => one.person.ref),
      siguiente: nextMessage(say('cuenta.write_label'), say('secuencia.message')),
    });
  }
  // The lot that fits, best first.
  const ranked = [...payable].sort((a, b) => fitOf(b.person, b.role, turn.now.getTime()) - fitOf(a.person, a.role, turn.now.getTime()));
  const costOf = (one: { person: Candidate }): number => prices.get(one.person.person_id)?.credits ?? 0;
  const total = payable.reduce((sum, one) => sum + costOf(one), 0);
  const lot: typeof ranked = [];
  let price1 = 0;
  for (const one of ranked)
    if (price1 + costOf(one) <= credits) {
      lot.push(one);
      price1 += costOf(one);
    }
  if (lot.length === 0) {
    return limit('credito', say('card.top_up'), {
      narration: [
        who,
        ...notes,
        say('contactos.none_fits', { ref, price: total, balance_ref: balanceRef, balance: credits, n: payable.length }),
      ],
      siguiente: nextLink(say('common.top_up_label'), '/configuracion/creditos'),
    });
  }
  const short = lot.length < payable.length;
  const priced = say(short ? 'contactos.fits' : 'contactos.price', {
    ref,
    n: lot.length,
    words: inWords(lot.length, turn.language),
    of: inWords(payable.length, turn.language),
    price: price1,
    balance_ref: balanceRef,
    balance: credits,
    left: credits - price1,
  });
  const cost = { kind: 'credits' as const, price: price1, balance: credits, left: credits - price1 };
  if (view.board.pending.length > 0) {
    return close({
      partial: true,
      narration: [who, ...notes, priced, say('card.first_this')],
      refs: lot.map((one) => one.person.ref),
      siguiente: nextLink(say('card.open_label'), `/decisiones/${view.board.pending[0]?.decision_id ?? ''}`),
    });
  }
  const made = yield* call(
    'campana_start',
    bodyOf(
      turn,
      lot.map((one) => one.target),
      lot[0]?.role ?? role,
      'contactos',
    ),
  );
  const started = closeStart(turn, made, lot.length, '');
  if (!made.ok)
    return close({
      partial: true,
      narration: [who, ...notes, priced, faultText(turn, made.code)],
      refs: lot.map((one) => one.person.ref),
      siguiente: nextMessage(say('common.again'), view.message, oneQuery(view, queriesUsed(view), lot.length)),
    });
  return close({
    partial: short || notes.length > 0,
    narration: [who, ...notes, priced, say('contactos.no_undo'), say('card.only_a_tap_short')],
    pregunta: asked,
    refs: lot.map((one) => one.person.ref),
    siguiente: started.siguiente ? { ...started.siguiente, cost } : null,
  });
};

const bodyOf = (turn: Turn, targets: readonly Target[], role: string, hasta: StartBody['hasta']): StartBody => {
  const giro = turn.view.facts.giro.value ?? turn.view.facts.producto.value ?? 'general';
  return {
    criteria: { giro: [...giro].slice(0, 120).join(''), cargo: role },
    cuentas: targets.length,
    desde: 's3',
    hasta,
    accounts: targets.map((one) => ({
      ref: one.company,
      name: [...one.name].slice(0, 300).join('') || one.company,
      ...(one.rfc ? { rfc: one.rfc } : {}),
      ...(one.domain ? { domain: one.domain } : {}),
    })),
  };
};

const targetOf = (row: BoardRow): Target | null =>
  row.kind === 'company' ? { company: row.id, name: row.name, ref: row.ref, rfc: row.rfc ?? null, domain: row.domain ?? null } : null;
const POINTS =
  /\b(?:est[ao]s|es[ao]s|sus|ellas|ellos|las que (?:elegi|marque|seleccione|guarde|guardamos)|cada una|seleccion\w*|these|those|them|selected|de la lista|las cuentas|de las \w+)\b/;
/** Companies in sight that the message points at: the selection, rows by their place or name. */
const targetsInSight = (turn: Turn): Target[] => {
  const {
    view: { board },
    reading,
  } = turn;
  const rows = (board.selection.length > 0 ? board.selection : board.list).flatMap((row) => targetOf(row) ?? []);
  if (rows.length === 0) return [];
  const meant = accountMeant(turn);
  const byRow = meant?.row ? targetOf(meant.row) : null;
  const places = rowsMeant(reading.flat, rows.length);
  if (places) return places.flatMap((i) => rows[i] ?? []);
  if (byRow && !POINTS.test(reading.flat) && !reading.selected) return [byRow];
  if (reading.selected || POINTS.test(reading.flat) || (meant?.name ?? null) === null)
    return reading.cantidad !== null && reading.cantidad < rows.length ? rows.slice(0, reading.cantidad) : rows;
  return [];
};
/** Public bodies' sellers in sight that the message points at: their people are in no source by that number. */
const sellersInSight = (turn: Turn): BoardRow[] => {
  const {
    view: { board },
    reading,
  } = turn;
  const rows = (board.selection.length > 0 ? board.selection : board.list).filter((row) => row.kind === 'supplier');
  const meant = accountMeant(turn)?.row;
  const places = rowsMeant(reading.flat, rows.length);
  if (places) return places.flatMap((i) => rows[i] ?? []);
  return meant?.kind === 'supplier' ? [meant] : reading.selected || POINTS.test(reading.flat) ? rows : [];
};
/** The same companies among the private ones of their trade and place, where they are there, with what that costs. */
const ofSellers = (turn: Turn, rows: readonly BoardRow[]): TurnOutput => {
  const { say, view } = turn;
  const last = lastMarketRun(turn);
  const giro = typeof last?.args['activity'] === 'string' ? last.args['activity'] : view.facts.giro.value;
  const estado = typeof last?.args['state'] === 'string' ? last.args['state'] : null;
  const filters = [giro ? say('common.of', { giro: quoted(giro) }) : '', estado ? inPlace(turn, estado) : ''].filter(Boolean).join(' ');
  return close({
    partial: true,
    narration: [
      say('contactos.sellers', {
        rows: rows
          .slice(0, 3)
          .map((row) => at(row.ref))
          .join(', '),
        n: rows.length,
      }),
      say('contactos.sellers_way'),
    ],
    refs: rows.slice(0, 5).map((row) => row.ref),
    siguiente: giro
      ? nextMessage(say('buscar.companies_label'), say('buscar.companies_message', { filters }), oneQuery(view, queriesUsed(view)))
      : nextMessage(say('pipeline.label'), say('pipeline.message')),
  });
};

/** "De mis cuentas", "de las de mi pipeline": those of the CRM. */
export const OWN_ACCOUNTS =
  /\b(?:de|en|a|con|para)\s+(?:todas\s+)?(?:mis|nuestras)\s+(?:cuentas|clientes|prospectos|empresas)\b|\b(?:de|en|con|para)\s+(?:las\s+(?:cuentas\s+)?(?:de|del)\s+)?(?:mi|nuestro|el)\s+(?:crm|pipeline|embudo)\b|\b(?:of|at|with|for) my (?:accounts|crm|pipeline)\b/;
/** Accounts of one collection that can be looked up. */
const CRM_PAGE = 100;
export const fromCrm = function* (turn: Turn): Steps<Target[]> {
  if (!turn.view.allowed.includes('collection_query')) yield* opened(turn, 'como-va-mi-pipeline');
  for (const collection of ['pipeline', 'prospectos']) {
    const got = yield* ask(collectionQuery, { op: 'query', collection, limit: CRM_PAGE });
    const targets = got.ok
      ? got.value.rows.flatMap((row) => {
          const record = recordOf(row);
          return record?.company_id
            ? [{ company: record.company_id, name: record.name, ref: record.ref, rfc: record.rfc, domain: record.domain }]
            : [];
        })
      : [];
    if (targets.length > 0)
      return turn.reading.cantidad !== null && turn.reading.cantidad < targets.length ? targets.slice(0, turn.reading.cantidad) : targets;
  }
  return [];
};
/** Accounts by name from the CRM; the name itself when it is nowhere. */
const byName = function* (turn: Turn): Steps<Target[] | string> {
  const meant = accountMeant(turn);
  if (meant === null) return [];
  if (meant.row?.kind === 'company') return [targetOf(meant.row)].flatMap((one) => one ?? []);
  const found = yield* findRecords(meant, ['prospectos', 'pipeline']);
  const [record] = found.records.filter((one) => one.company_id !== null);
  return record
    ? [{ company: record.company_id ?? '', name: record.name, ref: record.ref, rfc: record.rfc, domain: record.domain }]
    : (meant.name ?? meant.id ?? '');
};

const price = function* (turn: Turn): Steps<TurnOutput> {
  const { say } = turn;
  const got = yield* ask(usage, {});
  const list = got.ok ? got.value.prices.find((one) => one.kind === 'credits') : undefined;
  if (!got.ok || !list)
    return close({ partial: true, narration: [say('common.failed')], siguiente: nextMessage(say('common.again'), turn.view.message) });
  const n = turn.reading.cantidad ?? 1;
  const { credits } = got.value.balances;
  // As many as the balance covers, at the highest price of the list.
  const fits = list.max > 0 ? Math.min(n, Math.floor(credits / list.max)) : n;
  const price = fits * list.max;
  const ref = at(got.value.ref);
  return close({
    partial: fits < n,
    narration: [
      list.min === list.max && fits >= 1
        ? say('contactos.unit', { ref, price: list.max, balance: credits })
        : say('contactos.list_range', { ref, min: list.min, max: list.max, balance: credits }),
      fits < n ? say('contactos.not_all') : '',
      say('contactos.when_chosen'),
    ],
    siguiente: nextMessage(
      say('contactos.pick_label'),
      say('pipeline.message'),
      fits >= 1 ? { kind: 'credits', price, balance: credits, left: credits - price } : null,
    ),
  });
};
const owned = function* (turn: Turn): Steps<TurnOutput> {
  const { say, view } = turn;
  const got = yield* ask(peopleAcquired, { limit: 100 });
  if (!got.ok)
    return close({ partial: true, narration: [say('cuenta.contacts_unread')], siguiente: nextMessage(say('common.again'), view.message) });
  const { acquired } = got.value;
  const total = got.value.total ?? acquired.length;
  return close({
    narration: [
      say('contactos.owned', { ref: at(got.value.ref), n: total }),
      acquired.length > 0
        ? say('contactos.owned_some', {
            rows: acquired
              .slice(0, 3)
              .map((one) => at(one.ref))
              .join(', '),
            n: Math.min(3, acquired.length),
          })
        : '',
    ],
    refs: [got.value.ref, ...acquired.slice(0, 10).map((one) => one.ref)],
    siguiente:
      acquired.length > 0
        ? nextMessage(say('cuenta.write_label'), say('secuencia.message'))
        : nextMessage(say('pipeline.label'), say('pipeline.message')),
  });
};
