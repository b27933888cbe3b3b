import { companySearch, marketScreen, marketSearchSuppliers } from '../../../contracts/tools/index.js';
import type { TurnOutput } from '../../../contracts/turn.js';
import { rowsMeant } from '../../understand/amounts.js';
import { EVERYWHERE } from '../../understand/index.js';
import {
  at,
  close,
  declares,
  inPlace,
  inWords,
  limit,
  listOf,
  needs,
  nextLink,
  nextMessage,
  number,
  oneQuery,
  queriesUsed,
  quoted,
  reply,
  type Turn,
} from '../answer.js';
import { filtersOfTurn, planB, saidFilters, type Filters } from '../filters.js';
import { ask, callOf, notMade, readAs, together, type Steps } from '../follow.js';
import { startCampaign } from '../cards.js';
import { suppliersNamed } from '../suppliers.js';

const SUPPLIERS =
  /\b(?:prove+dor[ea]s?|proveedor[ea]?s?|provedor[ea]?s?|proveeodres|licitan|padron|competidores|competencia|compit\w*|compet\w*|gobierno|suppliers?|vendors?|subcontrat|quien(?:es)? (?:me )?(?:surte|vende))/;
const COMPANIES =
  /\b(?:empresas?|companias?|fabric|clientes?|prospectos?|cuentas|maquiladoras?|plantas?|negocios?|talleres|tiendas?|companies|firms|leads|a quien (?:le )?(?:puedo )?vend|distribuidor)/;
/** Who won something, and not long ago: only suppliers are known for that. */
const WON_LATELY =
  /\b(?:gan\w+|adjudic\w+|contratos?|won)\b.{0,30}\b(?:hace poco|recient\w*|ultimamente|ultim\w+|lately|recently)\b|\b(?:recient\w*|ultim\w+)\b.{0,30}\b(?:gan\w+|adjudic\w+|contratos?)\b/;
/** More than this does not fit the searches of a turn. */
const IN_A_TURN = 75;
const PAGE = 25;
/** Suppliers that are shown where nobody says how many, and that one page holds. */
const FEW = 10;
const MOST = 50;

/** Companies to sell to, or suppliers of public bodies: which of the two, with the same filters as the count before. */
export const buscarEmpresasYProveedores = function* (turn: Turn): Steps<TurnOutput> {
  const { reading, say } = turn;
  if (reading.rfcs.length > 0) return yield* screen(turn, reading.rfcs);
  if (SANCTIONED.test(reading.flat)) {
    const { rfcs, name, ref } = yield* rfcsMeant(turn);
    if (rfcs.length > 0) return yield* screen(turn, rfcs);
    if (name !== null)
      return close({
        partial: true,
        narration: [say('quien.supplier_unknown', { ref: ref ? at(ref) : '', name: quoted(name) })],
        refs: ref ? [ref] : [],
        siguiente: nextMessage(say('quien.example_label'), say('quien.example')),
      });
  }
  const filters = filtersOfTurn(turn);
  if (!filters.giro && !filters.text && reading.subject && filters.inherited === null) filters.giro = reading.subject;
  const says = { suppliers: SUPPLIERS.test(reading.flat), companies: COMPANIES.test(reading.flat) };
  const wonLately = WON_LATELY.test(reading.flat);
  const companies = wonLately
    ? false
    : filters.inherited && says.suppliers === says.companies
      ? filters.inherited.tool === 'company_search'
      : says.companies && !says.suppliers;
  if (!filters.giro && !filters.text && !(filters.estado && !companies)) {
    return needs('giro', say('buscar.ask'), null, {
      narration: [say('buscar.need')],
      siguiente: nextMessage(say('buscar.example_label'), say('buscar.example')),
    });
  }
  const combos = combinations(turn, filters);
  if (combos.length > 1) return yield* searchSeveral(turn, companies, combos);
  const wanted = reading.cantidad ?? 25;
  if (companies && wanted > IN_A_TURN && filters.giro) {
    return yield* startCampaign(
      turn,
      {
        criteria: {
          giro: filters.giro,
          cargo: turn.known('cargo') ?? 'compras',
          ...(filters.estado ? { estado: filters.estado } : {}),
          ...sizeOf(filters.tamano),
        },
        cuentas: wanted,
        desde: 's1',
        hasta: 'cuentas',
      },
      say('buscar.too_many'),
    );
  }
  return companies ? yield* searchCompanies(turn, filters) : yield* searchSuppliers(turn, filters, say('buscar.free_source'));
};

/** As many searches as a turn has. */
const SEARCHES = 3;
/** One search for each trade in each place, where a message names several. */
const combinations = ({ reading }: Turn, filters: Filters): Filters[] => {
  const trades = reading.giros.length > 1 ? reading.giros : [filters.giro];
  const places = reading.estados.length > 1 ? reading.estados : [filters.estado];
  return trades.flatMap((giro) => places.map((estado) => ({ ...filters, giro, estado })));
};

/** Several trades or places: one search each, three in a turn; the rest is said and is the next step. */
const searchSeveral = function* (turn: Turn, companies: boolean, combos: readonly Filters[]): Steps<TurnOutput> {
  const { say, language, view } = turn;
  const [now, left] = [combos.slice(0, SEARCHES), combos.slice(SEARCHES)];
  const byTrade = new Set(now.map((f) => f.giro)).size > 1;
  const nameOf = (f: Filters): string =>
    [byTrade ? quoted(f.giro ?? '') : '', new Set(now.map((other) => other.estado)).size > 1 || !byTrade ? quoted(f.estado ?? '') : '']
      .filter(Boolean)
      .join(' · ');
  const outcomes = yield* together(
    now.map((f) =>
      companies
        ? callOf(companySearch, { activity: f.giro ?? f.text, state: f.estado, size: f.tamano, limit: 25 })
        : callOf(marketSearchSuppliers, {
            activity: f.giro,
            text: f.giro ? undefined : f.text,
            state: f.estado,
            size: f.tamano,
            sort: WON_LATELY.test(turn.reading.flat) ? 'recent' : 'amount',
            limit: 10,
          }),
    ),
  );
  const found = now.map((f, i) => {
    const outcome = outcomes[i];
    const page = outcome === undefined ? null : companies ? readAs(companySearch, outcome) : readAs(marketSearchSuppliers, outcome);
    const rows = page?.ok ? ('companies' in page.value ? page.value.companies : page.value.suppliers) : [];
    return {
      name: nameOf(f),
      ref: page?.ok ? page.value.ref : null,
      total: page?.ok ? (page.value.total ?? page.value.shown) : 0,
      rows: rows.map((row) => row.ref),
      code: page && !page.ok ? page.code : null,
    };
  });
  const seen = found.flatMap((each) => (each.ref === null ? [] : [{ ...each, ref: each.ref }]));
  if (seen.length === 0) {
    if (companies && (found.some((one) => one.code === 'insufficient_queries') || view.summary.balances.queries <= 0))
      return yield* searchSuppliers(
        turn,
        now[0] ?? combos[0] ?? { giro: null, estado: null, tamano: null },
        say('buscar.no_queries'),
        true,
      );
    return close({
      partial: true,
      narration: [say('common.failed_search')],
      siguiente: nextMessage(say('common.again'), view.message, companies ? oneQuery(view, queriesUsed(view)) : null),
    });
  }
  const failed = found.filter((one) => one.ref === null);
  const cells = seen.map((each) => say('cuantos_hay.cell', { name: each.name, ref: at(each.ref), n: each.total })).join('; ');
  const [one] = now;
  const onePlace = new Set(now.map((f) => f.estado)).size === 1;
  const common = [
    !byTrade && one?.giro ? say('common.of', { giro: quoted(one.giro) }) : '',
    onePlace ? (one?.estado ? inPlace(turn, one.estado) : say('common.everywhere')) : '',
    one?.tamano ? say('common.size', { size: one.tamano }) : '',
  ]
    .filter(Boolean)
    .join(' ');
  const firsts = seen.flatMap((one) => one.rows.slice(0, 1));
  const rest = [...failed.map((one) => one.name), ...left.map((f) => (byTrade ? nameOf(f) : quoted(f.estado ?? '')))];
  const [next] = left;
  return close({
    partial: rest.length > 0 || seen.some((one) => one.total === 0),
    narration: [
      say(companies ? 'buscar.several_companies' : 'buscar.several_suppliers', { common, cells }),
      firsts.length > 0
        ? say('buscar.several_first', { rows: firsts.map(at).join(', '), n: firsts.length, kind: companies ? 'companies' : 'suppliers' })
        : '',
      companies
        ? say('buscar.queries_used', { n: queriesUsed(view), words: inWords(queriesUsed(view), language) })
        : say('buscar.free_source'),
      rest.length > 0 ? say('buscar.several_left', { left: listOf(rest, language) }) : '',
    ],
    refs: [...seen.map((one) => one.ref), ...seen.flatMap((one) => one.rows.slice(0, 5))],
    siguiente: next
      ? nextMessage(
          say('buscar.several_next_label', { place: nameOf(next) || quoted(next.estado ?? '') }),
          say(companies ? 'buscar.companies_message' : 'cuantos_hay.show_message', { filters: saidFilters(turn, next) }),
          companies ? oneQuery(view, queriesUsed(view)) : null,
        )
      : nextMessage(say('buscar.save_label_plain'), say('buscar.save')),
  });
};

const SIZES = ['micro', 'pequena', 'mediana', 'grande'] as const;
export const sizeOf = (size: string | null): { tamano?: (typeof SIZES)[number] } => {
  const known = SIZES.find((one) => one === size);
  return known ? { tamano: known } : {};
};

const searchCompanies = function* (turn: Turn, filters: Filters): Steps<TurnOutput> {
  const { say, language, view } = turn;
  const wanted = turn.reading.cantidad ?? PAGE;
  const argsOf = (f: Filters): Record<string, unknown> => ({
    activity: f.giro ?? f.text,
    state: f.estado ?? undefined,
    size: f.tamano ?? undefined,
    limit: Math.min(PAGE, wanted),
  });
  let got = yield* ask(companySearch, argsOf(filters));
  const tried: string[] = [];
  let used = filters;
  if (got.ok && (got.value.total ?? got.value.shown) === 0) {
    tried.push(say('buscar.zero_companies', { ref: at(got.value.ref), filters: saidFilters(turn, filters) }));
    for (const attempt of planB(filters, got.value.coverage).slice(0, 2)) {
      const again = yield* ask(companySearch, argsOf(attempt.filters));
      if (!again.ok) break;
      const n = again.value.total ?? again.value.shown;
      tried.push(
        say(`buscar.without.${attempt.change}`, {
          ref: at(again.value.ref),
          n,
          dropped: quoted(attempt.dropped),
          now: quoted(attempt.now ?? ''),
        }),
      );
      if (n > 0) {
        got = again;
        used = attempt.filters;
        break;
      }
    }
  }
  if (!got.ok) {
    // Without queries, or where none may be used: the free source, and said so.
    if (got.code === 'insufficient_queries' || (notMade(got) && view.summary.balances.queries <= 0))
      return yield* searchSuppliers(turn, filters, say('buscar.no_queries'), true);
    if (notMade(got)) return yield* searchSuppliers(turn, filters, say('buscar.not_now'));
    return close({
      partial: true,
      narration: [say('common.failed_search')],
      siguiente: nextMessage(say('common.again'), view.message, oneQuery(view, queriesUsed(view))),
    });
  }
  // More than a page holds is asked for: the pages after it, while there are searches.
  const companies = [...got.value.companies];
  for (let page = got.value; companies.length < wanted && page.has_more && page.next_cursor;) {
    const more = yield* ask(companySearch, { ...argsOf(used), limit: Math.min(PAGE, wanted - companies.length), cursor: page.next_cursor });
    if (!more.ok) break;
    companies.push(...more.value.companies);
    page = more.value;
  }
  const total = got.value.total ?? got.value.shown;
  const spent = say('buscar.queries_used', { n: queriesUsed(view), words: inWords(queriesUsed(view), language) });
  if (companies.length === 0) return nothing(turn, filters, tried, spent, got.value.coverage, [got.value.ref]);
  return close({
    narration: [
      ...tried,
      say('buscar.companies', {
        ref: at(got.value.ref),
        total,
        filters: saidFilters(turn, used),
        shown: companies.length < total ? 'part' : 'all',
        page_ref: at(got.value.ref),
        page: companies.length,
      }),
      say('buscar.first', {
        rows: companies
          .slice(0, 3)
          .map((one) => at(one.ref))
          .join(', '),
        n: Math.min(3, companies.length),
      }),
      spent,
    ],
    refs: [got.value.ref, ...companies.slice(0, 15).map((one) => one.ref)],
    siguiente: nextMessage(say('buscar.save_label', { n: companies.length }), say('buscar.save')),
  });
};

const searchSuppliers = function* (turn: Turn, filters: Filters, why: string, short = false): Steps<TurnOutput> {
  const { say, language, view } = turn;
  const argsOf = (f: Filters): Record<string, unknown> => ({
    activity: f.giro ?? undefined,
    text: f.giro ? undefined : (f.text ?? undefined),
    state: f.estado ?? undefined,
    size: f.tamano ?? undefined,
    sort: WON_LATELY.test(turn.reading.flat) ? 'recent' : 'amount',
    limit: Math.min(MOST, turn.reading.cantidad ?? FEW),
  });
  let used = filters;
  const tried: string[] = [];
  let got = yield* ask(marketSearchSuppliers, argsOf(filters));
  if (!got.ok && got.code === 'query_not_selective') {
    // Too wide: add what is known of what it asks for, else the biggest place, and say so.
    const add = Array.isArray(got.params['add']) ? got.params['add'] : ['state'];
    const giro = view.facts.giro.value ?? view.summary.profile.giro ?? null;
    const place = view.summary.profile.estado && view.summary.profile.estado !== EVERYWHERE ? view.summary.profile.estado : 'Jalisco';
    used = add.includes('activity') && giro && !filters.giro ? { ...filters, giro } : { ...filters, estado: filters.estado ?? place };
    tried.push(say('buscar.not_selective', { filters: saidFilters(turn, used) }));
    got = yield* ask(marketSearchSuppliers, argsOf(used));
    if (!got.ok)
      return needs('giro', say('buscar.ask'), null, {
        narration: [say('buscar.not_selective_ask')],
        siguiente: nextMessage(say('buscar.example_label'), say('buscar.example')),
      });
  }
  if (got.ok && (got.value.total ?? got.value.shown) === 0) {
    tried.push(say('buscar.zero_suppliers', { ref: at(got.value.ref), filters: saidFilters(turn, used) }));
    for (const attempt of planB(used, got.value.coverage).slice(0, 2)) {
      const again = yield* ask(marketSearchSuppliers, argsOf(attempt.filters));
      if (!again.ok) break;
      const n = again.value.total ?? again.value.shown;
      tried.push(
        say(`buscar.without.${attempt.change}`, {
          ref: at(again.value.ref),
          n,
          dropped: quoted(attempt.dropped),
          now: quoted(attempt.now ?? ''),
        }),
      );
      if (n > 0) {
        got = again;
        used = attempt.filters;
        break;
      }
    }
  }
  if (!got.ok) {
    if (short)
      return limit('credito', say('buscar.queries_way_out'), {
        narration: [why, say('buscar.queries_way_out')],
        siguiente: nextLink(say('common.plan_label'), '/configuracion/plan'),
      });
    return close({ partial: true, narration: [say('common.failed_search')], siguiente: nextMessage(say('common.again'), view.message) });
  }
  const { suppliers } = got.value;
  const total = got.value.total ?? got.value.shown;
  if (suppliers.length === 0) {
    return short
      ? limit('credito', say('buscar.queries_way_out'), {
          narration: [why, ...tried, say('buscar.queries_way_out')],
          siguiente: nextLink(say('common.plan_label'), '/configuracion/plan'),
        })
      : nothing(turn, filters, tried, '', got.value.coverage, [got.value.ref]);
  }
  const [lead] = suppliers;
  return close({
    partial: short,
    narration: [
      short ? why : '',
      ...tried,
      turn.brief && tried.length === 0
        ? suppliers.length < total
          ? say('buscar.suppliers_brief', { ref: at(got.value.ref), page: suppliers.length })
          : suppliers.length === 1 && lead
            ? say('buscar.first', { rows: at(lead.ref), n: 1 })
            : ''
        : say('buscar.suppliers', {
            ref: at(got.value.ref),
            total,
            filters: saidFilters(turn, used),
            shown: suppliers.length < total ? 'part' : 'all',
            page_ref: at(got.value.ref),
            page: suppliers.length,
          }),
      lead && lead.total_mxn > 0
        ? say('buscar.lead', { row: at(lead.ref), ref: at(got.value.ref), amount: `$${number(lead.total_mxn, language)}` })
        : '',
      suppliers.length > 1
        ? say('buscar.then', {
            rows: suppliers
              .slice(1, 3)
              .map((one) => at(one.ref))
              .join(', '),
            n: Math.min(2, suppliers.length - 1),
          })
        : '',
      short || turn.brief ? '' : why,
    ],
    refs: [got.value.ref, ...suppliers.map((one) => one.ref)],
    siguiente:
      used.giro && view.summary.balances.queries > queriesUsed(view)
        ? nextMessage(
            say('buscar.companies_label'),
            say('buscar.companies_message', { filters: saidFilters(turn, used) }),
            oneQuery(view, queriesUsed(view)),
          )
        : nextMessage(say('buscar.save_label', { n: suppliers.length }), say('buscar.save')),
  });
};

const nothing = (turn: Turn, filters: Filters, tried: string[], spent: string, coverage: string, refs: string[]): TurnOutput => {
  const { say } = turn;
  const outside = /nothing is filed under/i.test(coverage);
  const parts = {
    narration: [...tried, say(outside ? 'buscar.outside' : 'buscar.covered'), spent],
    siguiente: nextMessage(
      say('buscar.count_label'),
      say('buscar.count', { filters: saidFilters(turn, { ...filters, tamano: null, estado: null }) }),
    ),
  };
  return outside && declares(turn.view, 'cobertura')
    ? limit('cobertura', say('buscar.outside_way_out'), parts)
    : close({ ...parts, partial: true, refs });
};

const VERDICTS = ['sanctioned', 'active_supplier', 'registered_without_awards', 'not_in_coverage', 'invalid_rfc'] as const;
/** As many tax ids as one check takes, and as many as a button's message holds. */
const SCREENED = 50;
const IN_A_BUTTON = 18;
const SANCTIONED = /\b(?:sancionad[oa]s?|sanciones|inhabilitad[oa]s?|lista negra|sanctioned|sanctions|blacklist\w*|debarred)\b/;
/** Tax ids of those a message means by what is chosen, by their place, or by name. */
const rfcsMeant = function* (turn: Turn): Steps<{ rfcs: string[]; name: string | null; ref: string | null }> {
  const {
    reading,
    view: { board },
  } = turn;
  const rows = (board.selection.length > 0 ? board.selection : board.list).filter(
    (row) => row.kind === 'supplier' || row.kind === 'company' || row.kind === 'record',
  );
  const places = rowsMeant(reading.flat, rows.length);
  const pointed = places
    ? places.flatMap((i) => rows[i] ?? [])
    : reading.selected || /\b(?:est[ao]s|es[ao]s|alguna|alguno|these|those|them|any)\b/.test(reading.flat)
      ? rows
      : [];
  const own = pointed.flatMap((row) => row.rfc ?? []);
  if (own.length > 0) return { rfcs: own, name: null, ref: null };
  const name = reading.cuenta !== null && /\p{Lu}/u.test(reading.cuenta) ? reading.cuenta : null;
  if (name === null) return { rfcs: [], name: null, ref: null };
  const found = yield* suppliersNamed(name);
  return { rfcs: found.suppliers.slice(0, 3).flatMap((one) => one.rfc ?? []), name, ref: found.ref };
};
const screen = function* (turn: Turn, asked: readonly string[]): Steps<TurnOutput> {
  const { say, language } = turn;
  const rfcs = [...new Set(asked)];
  const got = yield* ask(marketScreen, { rfcs: rfcs.slice(0, SCREENED) });
  if (!got.ok) return reply({ narration: [say('common.failed')], siguiente: nextMessage(say('common.again'), turn.view.message) });
  const { rows } = got.value;
  const groups = VERDICTS.map((verdict) => ({ verdict, some: rows.filter((row) => row.verdict === verdict) })).filter(
    ({ some }) => some.length > 0,
  );
  // The biggest group is what is left over; only the whole has a figure of its own.
  const biggest = Math.max(...groups.map(({ some }) => some.length));
  const parts = [...groups]
    .sort((a, b) => Number(a.some.length === biggest) - Number(b.some.length === biggest))
    .map(({ verdict, some }, i, all) => {
      const names = some
        .filter((row) => row.supplier_id !== null)
        .slice(0, 3)
        .map((row) => at(row.ref));
      const rest = i === all.length - 1;
      const words = rest
        ? say(all.length === 1 ? 'buscar.verdict_all' : 'buscar.verdict_rest', { n: some.length })
        : some.length > 10
          ? say('buscar.verdict_many')
          : inWords(some.length, language);
      return say(`buscar.verdict.${verdict}`, {
        n: rest && some.length === 1 ? 1 : some.length,
        rest: rest ? 'yes' : 'no',
        words,
        rows: names.join(', '),
        codes: some
          .filter((row) => row.supplier_id === null)
          .slice(0, 3)
          .map((row) => quoted(row.rfc, 14))
          .join(', '),
        named: names.length > 0 ? 'yes' : 'no',
      });
    });
  const left = rfcs.slice(SCREENED);
  const winner = rows.find((row) => row.awards > 0)?.rfc ?? rows[0]?.rfc ?? rfcs[0] ?? '';
  return close({
    partial: left.length > 0,
    narration: [
      say('buscar.screened', { ref: at(got.value.ref), n: rows.length, parts: parts.join('; ') }),
      left.length > 0 ? say('buscar.screen_rest') : '',
    ],
    refs: [got.value.ref],
    siguiente:
      left.length > 0
        ? nextMessage(
            say('buscar.screen_next_label'),
            say('buscar.screen_next', {
              rfcs: left
                .slice(0, IN_A_BUTTON)
                .map((rfc) => quoted(rfc, 14))
                .join(', '),
            }),
          )
        : nextMessage(say('buscar.history_label'), say('buscar.history', { rfc: quoted(winner, 14) })),
  });
};
