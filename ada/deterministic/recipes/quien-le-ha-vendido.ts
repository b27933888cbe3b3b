import {
  marketAggregateAwards,
  marketGetSupplierHistory,
  marketSearchAwards,
  marketSearchSuppliers,
} from '../../../contracts/tools/index.js';
import type { BoardRow, TurnOutput } from '../../../contracts/turn.js';
import { daysOf, rowsMeant } from '../../understand/amounts.js';
import { accountIn, isRefinement } from '../../understand/index.js';
import { plain, stems } from '../../understand/text.js';
import { tradeOf, widerThan } from '../../understand/trades.js';
import { at, close, dayOf, inPlace, inWords, listOf, needs, nextMessage, pesos, question, quoted, type Turn } from '../answer.js';
import { fewFigures } from '../figures.js';
import { ask, callOf, readAs, together, type Steps } from '../follow.js';
import { periodSaid } from '../period.js';
import { suppliersNamed } from '../suppliers.js';

interface Scope {
  comprador: string | null;
  producto: string | null;
  giro?: string | null;
  estado: string | null;
  from: string | null;
  to: string | null;
  /** What each contract is worth at least, in pesos. */
  min?: number | null;
}
const DEFAULT_PERIOD = 'últimos 2 años';
const args = (s: Scope): Record<string, unknown> => ({
  buyer: s.comprador ?? undefined,
  product: s.producto ?? undefined,
  activity: s.giro ?? undefined,
  state: s.estado ?? undefined,
  from: s.from ?? undefined,
  to: s.to ?? undefined,
  min_amount_mxn: s.min ?? undefined,
});

/** Who has sold what to a public buyer, how much and how often; else who could, marked as that. */
export const quienLeHaVendido = function* (turn: Turn): Steps<TurnOutput> {
  const { reading, say, view, language } = turn;
  const supplier = supplierMeant(turn);
  if (reading.rfcs[0] || supplier) return yield* history(turn, reading.rfcs[0] ?? null, supplier);
  const chosen = chosenSellers(turn);
  const [only] = chosen;
  if (only?.kind === 'supplier' && chosen.length === 1) return yield* history(turn, null, only.name);
  if (chosen.length > 0) return yield* historiesOf(turn, chosen);
  const leans = isRefinement(reading) || (reading.comprador === null && reading.producto === null);
  const said = { comprador: reading.comprador, producto: reading.producto ?? (reading.comprador ? null : reading.giro) };
  const comprador = said.comprador ?? view.facts.comprador.value;
  const producto =
    said.producto ?? (leans || said.comprador !== null ? (view.facts.producto.value ?? (leans ? view.facts.giro.value : null)) : null);
  const ranking = /\b(?:ranking|los que mas|quien(?:es)? mas|top|who (?:sells|wins) (?:the )?most)\b/.test(reading.flat);
  if (!comprador && !producto && !ranking) {
    return needs('comprador', say('quien.ask_buyer'), null, {
      narration: [say('quien.need')],
      siguiente: nextMessage(say('quien.example_label'), say('quien.example')),
    });
  }
  const period = reading.periodo ?? (leans ? view.facts.periodo.value : null) ?? DEFAULT_PERIOD;
  const pairs = pairsOf(turn, comprador, producto);
  if (pairs.length > 1) return yield* severalPairs(turn, pairs, period);
  const scope: Scope = {
    comprador,
    producto,
    estado: reading.estado && !reading.everywhere && !sameWords(reading.estado, comprador) ? reading.estado : null,
    ...daysOf(period, turn.now),
    min: leastIn(turn),
  };
  const when = periodSaid(turn, period);

  const first = yield* ask(marketSearchAwards, { ...args(scope), sort: 'amount', limit: 25 });
  if (!first.ok)
    return close({ partial: true, narration: [say('common.failed_search')], siguiente: nextMessage(say('common.again'), view.message) });
  let found = first.value;
  let used = scope;
  let whenUsed = when;
  const tried: string[] = [];
  if (found.awards.length === 0) {
    tried.push(say('quien.zero', { ref: at(found.ref), what: whatOf(turn, scope), when }));
    // Totals tell which change finds something, without using up the searches: one change more at a time.
    const variants = wider(scope);
    const totals = yield* together(
      variants.map((one) => callOf(marketAggregateAwards, { ...args(one.scope), group_by: 'supplier', limit: 5 })),
    );
    for (const [i, variant] of variants.entries()) {
      const outcome = totals[i];
      const total = outcome ? readAs(marketAggregateAwards, outcome) : null;
      if (!total?.ok) continue;
      const n = total.value.overall.awards.value;
      if (n === 0) {
        tried.push(say(`quien.still.${variant.change}`, { ref: at(total.value.overall.awards.ref), dropped: quoted(variant.dropped) }));
        continue;
      }
      tried.push(
        say(`quien.without.${variant.change}`, {
          ref: at(total.value.overall.awards.ref),
          n,
          dropped: quoted(variant.dropped),
          now: quoted(variant.now ?? ''),
        }),
      );
      const again = yield* ask(marketSearchAwards, { ...args(variant.scope), sort: 'amount', limit: 25 });
      if (again.ok && again.value.awards.length > 0) {
        found = again.value;
        used = variant.scope;
        if (!variant.scope.from) whenUsed = '';
        break;
      }
    }
    if (found.awards.length === 0) return yield* candidates(turn, scope, when, tried.slice(0, 3), found.ref);
  }

  if (comprador === null && BUYERS.test(reading.flat)) return yield* buyersOf(turn, used, whenUsed, tried, found.ref);

  // Who weighs: the first three by amount, with their years, and the totals; one step.
  const byAmount = new Map<string, { name: string; sum: number }>();
  for (const award of found.awards) {
    const one = byAmount.get(award.supplier_id);
    byAmount.set(award.supplier_id, { name: award.supplier_name, sum: (one?.sum ?? 0) + award.amount_mxn });
  }
  const top = [...byAmount]
    .sort((a, b) => b[1].sum - a[1].sum)
    .slice(0, 3)
    .map(([id]) => id);
  const [totals, ...histories] = yield* together([
    callOf(marketAggregateAwards, { ...args(used), group_by: 'supplier', limit: 5 }),
    ...(turn.brief ? top.slice(0, 1) : top).map((supplier_id) => callOf(marketGetSupplierHistory, { supplier_id, limit: 10 })),
  ]);
  const sums = totals ? readAs(marketAggregateAwards, totals) : null;
  const known = new Map(
    histories.flatMap((outcome) => {
      const got = readAs(marketGetSupplierHistory, outcome);
      return got.ok ? [[got.value.supplier.name, got.value] as const] : [];
    }),
  );
  const head = sums?.ok
    ? say('quien.found', {
        ref: at(sums.value.overall.awards.ref),
        n: sums.value.overall.awards.value,
        what: whatOf(turn, used),
        when: whenUsed,
        sum_ref: at(sums.value.overall.total.ref),
        sum: pesos(sums.value.overall.total.value, language),
      })
    : say('quien.found_only', { ref: at(found.ref), n: found.total ?? found.awards.length, what: whatOf(turn, used), when: whenUsed });
  // A supplier by its own record where that was opened, else by one of its contracts.
  const rowOf = (name: string): string | null =>
    known.get(name)?.supplier.ref ?? found.awards.find((award) => award.supplier_name === name)?.ref ?? null;
  const groups = sums?.ok
    ? sums.value.groups.filter((group) => rowOf(group.group) !== null).slice(0, turn.brief ? 1 : tried.length > 0 ? 2 : 3)
    : [];
  const lines = groups.map((group, i) => {
    const supplierRef = rowOf(group.group) ?? group.ref;
    return say(i === 0 ? 'quien.first' : 'quien.next', {
      row: at(supplierRef),
      ref: at(group.total.ref),
      amount: pesos(group.total.value, language),
    });
  });
  const related = producto !== null && found.synonyms_used.length > 0 ? relatedProducts(found.awards, producto) : [];
  const synonyms =
    related.length > 0
      ? say('quien.related', {
          product: quoted(producto ?? ''),
          related: listOf(
            related.map((one) => quoted(one, 60)),
            language,
          ),
        })
      : '';
  const others =
    comprador === null
      ? []
      : [...new Set(found.awards.map((award) => award.buyer))].filter(
          (buyer) => plain(buyer) !== plain(comprador) && plain(buyer).startsWith(plain(comprador)),
        );
  const [leader] = groups;
  const repeats = leader
    ? say(leader.awards.value >= 2 ? 'quien.repeats' : 'quien.no_repeat', {
        n: leader.awards.value,
        words: inWords(leader.awards.value, language),
        few: leader.awards.value <= 10 ? 'yes' : 'no',
      })
    : '';
  return close({
    partial: tried.length > 0,
    narration: [
      ...(turn.brief ? tried.slice(0, 1).concat(tried.slice(1).slice(-1)) : tried),
      head,
      lines.length > 0 ? `${lines.join('; ')}.` : say('quien.in_card'),
      repeats,
      synonyms,
      others.length > 0
        ? say('quien.other_buyers', {
            others: listOf(
              others.slice(0, 2).map((one) => quoted(one)),
              language,
            ),
            buyer: quoted(comprador ?? ''),
          })
        : '',
      !comprador ? say('quien.all_buyers') : '',
      !producto ? say('quien.all_products') : '',
      reading.periodo ? '' : say('quien.period_assumed'),
    ],
    pregunta: !comprador ? question('comprador', say('quien.ask_buyer_after'), say('quien.all_buyers_assumed')) : null,
    refs: [found.ref, ...groups.flatMap((group) => rowOf(group.group) ?? [])],
    siguiente: comprador
      ? nextMessage(say('quien.open_label', { buyer: quoted(comprador, 50) }), say('quien.open_message', { buyer: quoted(comprador, 80) }))
      : nextMessage(
          say('quien.open_product_label', { product: quoted(producto ?? '', 50) }),
          say('quien.open_product_message', { product: quoted(producto ?? '', 80) }),
        ),
  });
};

/** Who buys, not who sells. */
const BUYERS =
  /\b(?:que|cual(?:es)?|which|what)\b.{0,20}\b(?:dependencias?|instituciones|organismos|gobiernos?|compradores|agencies|public bodies|buyers)\b.*\b(?:compra\w*|gasta\w*|adquier\w*|contrata\w*|licita\w*|buy\w*|spend\w*|purchase\w*)\b|\bquien(?:es)? (?:le |les |me |nos |mas |es el que mas )?compran?\b(?! (?:el|la)\b)|\bwho (?:buys|spends)\b/;
const buyersOf = function* (turn: Turn, scope: Scope, when: string, tried: readonly string[], listRef: string): Steps<TurnOutput> {
  const { say, language, reading, view } = turn;
  const got = yield* ask(marketAggregateAwards, { ...args(scope), group_by: 'buyer', limit: 5 });
  if (!got.ok)
    return close({ partial: true, narration: [say('common.failed_search')], siguiente: nextMessage(say('common.again'), view.message) });
  const { overall, groups } = got.value;
  const top = [...groups].sort((a, b) => b.total.value - a.total.value).slice(0, tried.length > 0 ? 2 : 3);
  const [first] = top;
  return close({
    partial: tried.length > 0,
    narration: [
      ...tried,
      say('quien.found', {
        ref: at(overall.awards.ref),
        n: overall.awards.value,
        what: whatOf(turn, scope),
        when,
        sum_ref: at(overall.total.ref),
        sum: pesos(overall.total.value, language),
      }),
      `${top.map((group, i) => say(i === 0 ? 'quien.buyer_first' : 'quien.buyer_next', { buyer: quoted(group.group, 60), ref: at(group.total.ref), amount: pesos(group.total.value, language) })).join('; ')}.`,
      reading.periodo ? '' : say('quien.period_assumed'),
    ],
    refs: [listRef, got.value.ref],
    siguiente: first
      ? nextMessage(
          say('quien.open_label', { buyer: quoted(first.group, 50) }),
          say('quien.open_message', { buyer: quoted(first.group, 80) }),
        )
      : nextMessage(say('quien.example_label'), say('quien.example')),
  });
};

/** Products of these contracts that do not say the words that were asked for: what the source took for the same. */
const relatedProducts = (awards: ReadonlyArray<{ product: string }>, asked: string): string[] => {
  const wanted = stems(asked);
  return [...new Set(awards.map((award) => award.product))]
    .filter((product) => !wanted.every((word) => stems(product).includes(word)))
    .slice(0, 3);
};

interface Pair {
  comprador: string | null;
  producto: string | null;
}
/** Every buyer with every product, where a message names several of one. */
const pairsOf = ({ reading }: Turn, comprador: string | null, producto: string | null): Pair[] => {
  const buyers = reading.compradores.length > 1 ? reading.compradores : [comprador];
  const products = reading.productos.length > 1 ? reading.productos : [producto];
  return buyers.flatMap((buyer) => products.map((product) => ({ comprador: buyer, producto: product })));
};
/** As many searches as a turn has. */
const SEARCHES = 3;

/** Several buyers or products: for each how many contracts, who leads and who repeats; three in a turn, the rest is the next step. */
const severalPairs = function* (turn: Turn, pairs: readonly Pair[], period: string): Steps<TurnOutput> {
  const { reading, say, view, language } = turn;
  const [now, left] = [pairs.slice(0, SEARCHES), pairs.slice(SEARCHES)];
  const days = daysOf(period, turn.now);
  const estado = reading.estado && !reading.everywhere ? reading.estado : null;
  const scopes = now.map((pair): Scope => ({
    ...pair,
    estado: estado && !sameWords(estado, pair.comprador) ? estado : null,
    ...days,
    min: leastIn(turn),
  }));
  const outcomes = yield* together(
    scopes.flatMap((scope) => [
      callOf(marketSearchAwards, { ...args(scope), sort: 'amount', limit: 25 }),
      callOf(marketAggregateAwards, { ...args(scope), group_by: 'supplier', limit: 5 }),
    ]),
  );
  const read = scopes.map((scope, i) => {
    const [search, sums] = [outcomes[2 * i], outcomes[2 * i + 1]];
    return { scope, page: search ? readAs(marketSearchAwards, search) : null, sums: sums ? readAs(marketAggregateAwards, sums) : null };
  });
  const known = read.flatMap(({ scope, page, sums }) =>
    sums?.ok
      ? [{ scope, awards: page?.ok ? page.value.awards : [], ref: page?.ok ? page.value.ref : sums.value.ref, sums: sums.value }]
      : [],
  );
  if (known.length === 0)
    return close({ partial: true, narration: [say('common.failed_search')], siguiente: nextMessage(say('common.again'), view.message) });
  const lines = known.map(({ scope, awards, sums }) => {
    const n = sums.overall.awards.value;
    const what = whatOf(turn, scope);
    if (n === 0) return say('quien.pair_zero', { ref: at(sums.overall.awards.ref), what });
    const rowOf = (name: string): string | null => awards.find((award) => award.supplier_name === name)?.ref ?? null;
    const shown = sums.groups.flatMap((group) => {
      const row = rowOf(group.group);
      return row ? [{ group, row }] : [];
    });
    const [lead] = shown;
    const repeating = shown
      .filter(({ group }) => group.awards.value >= 2)
      .slice(0, 3)
      .map(({ row }) => at(row));
    return [
      say('quien.pair', { ref: at(sums.overall.awards.ref), n, what }),
      lead
        ? say('quien.pair_lead', { row: at(lead.row), ref: at(lead.group.total.ref), amount: pesos(lead.group.total.value, language) })
        : '',
      repeating.length > 0
        ? say('quien.pair_repeat', { rows: listOf(repeating, language), n: repeating.length })
        : say('quien.pair_nobody_repeats'),
    ]
      .filter(Boolean)
      .join(' ');
  });
  const rest = [
    ...read.filter(({ sums }) => !sums?.ok).map(({ scope }) => scope),
    ...left.map((pair): Scope => ({ ...pair, estado: null, ...days })),
  ].map((scope) => whatOf(turn, scope));
  const [next] = left;
  const buyer = known.find(({ sums }) => sums.overall.awards.value > 0)?.scope.comprador ?? now[0]?.comprador ?? null;
  return close({
    partial: rest.length > 0 || known.some(({ sums }) => sums.overall.awards.value === 0),
    narration: [
      ...fewFigures(lines),
      reading.periodo ? '' : say('quien.period_assumed'),
      rest.length > 0 ? say('quien.pairs_left', { left: listOf(rest, language) }) : '',
    ],
    refs: known.flatMap(({ ref, awards }) => [ref, ...awards.slice(0, 3).map((award) => award.ref)]),
    siguiente: next
      ? nextMessage(say('quien.pairs_next_label'), say('quien.pairs_next', { what: whatOf(turn, { ...next, estado: null, ...days }) }))
      : buyer
        ? nextMessage(say('quien.open_label', { buyer: quoted(buyer, 50) }), say('quien.open_message', { buyer: quoted(buyer, 80) }))
        : nextMessage(
            say('quien.open_product_label', { product: quoted(now[0]?.producto ?? '', 50) }),
            say('quien.open_product_message', { product: quoted(now[0]?.producto ?? '', 80) }),
          ),
  });
};

/** The least that each contract is to be worth, where it is said in pesos. */
const leastIn = ({ reading: { amount } }: Turn): number | null => (amount?.currency === 'mxn' ? amount.min : null);
const sameWords = (estado: string, comprador: string | null): boolean =>
  comprador !== null && comprador.toLowerCase().includes(estado.toLowerCase());
const whatOf = (turn: Turn, s: Scope): string =>
  [
    s.producto ? turn.say('quien.of', { product: quoted(s.producto) }) : s.giro ? turn.say('quien.of_trade', { giro: quoted(s.giro) }) : '',
    s.comprador ? turn.say('quien.with', { buyer: quoted(s.comprador) }) : '',
    s.estado ? inPlace(turn, s.estado) : '',
    s.min ? turn.say('quien.over', { amount: pesos(s.min, turn.language) }) : '',
  ]
    .filter(Boolean)
    .join(' ');

interface Variant {
  scope: Scope;
  change: 'monto' | 'estado' | 'periodo' | 'producto';
  dropped: string;
  now: string | null;
}
/** Plan B: without the least amount, then without the state, then without the period, then the trade instead of the product. */
const wider = (scope: Scope): Variant[] => {
  const variants: Variant[] = [];
  let now = scope;
  if (now.min) {
    now = { ...now, min: null };
    variants.push({ scope: now, change: 'monto', dropped: '', now: null });
  }
  if (now.estado) {
    now = { ...now, estado: null };
    variants.push({ scope: now, change: 'estado', dropped: scope.estado ?? '', now: null });
  }
  if (now.from || now.to) {
    now = { ...now, from: null, to: null };
    variants.push({ scope: now, change: 'periodo', dropped: '', now: null });
  }
  const trade = now.producto ? (tradeOf(now.producto) ?? widerThan(now.producto)) : null;
  if (trade) {
    now = { ...now, producto: null, giro: trade };
    variants.push({ scope: now, change: 'producto', dropped: scope.producto ?? '', now: trade });
  }
  return variants;
};

/** Nobody has sold it there: those who could, and never as those who do. */
const candidates = function* (turn: Turn, scope: Scope, when: string, tried: string[], ref: string): Steps<TurnOutput> {
  const { say } = turn;
  const next = scope.comprador
    ? nextMessage(
        say('quien.open_label', { buyer: quoted(scope.comprador, 50) }),
        say('quien.open_message', { buyer: quoted(scope.comprador, 80) }),
      )
    : nextMessage(say('quien.example_label'), say('quien.example'));
  const word = scope.producto ?? scope.giro ?? null;
  if (!word)
    return close({
      partial: true,
      narration: [...tried, say('quien.covered', { what: whatOf(turn, scope), when })],
      refs: [ref],
      siguiente: next,
    });
  const got = yield* ask(marketSearchSuppliers, { text: word, state: scope.estado ?? undefined, limit: 5 });
  const again =
    got.ok && got.value.suppliers.length === 0 && (scope.estado || widerThan(word))
      ? yield* ask(marketSearchSuppliers, { text: widerThan(word) ?? word, limit: 5 })
      : got;
  // Nobody looked for candidates: nothing is said of them.
  if (!got.ok)
    return close({
      partial: true,
      narration: [...tried, say('quien.covered', { what: whatOf(turn, scope), when })],
      refs: [ref],
      siguiente: next,
    });
  if (!again.ok || again.value.suppliers.length === 0) {
    return close({
      partial: true,
      narration: [...tried, say('quien.no_candidates', { ref: at(again.ok ? again.value.ref : ref), what: whatOf(turn, scope), when })],
      refs: [ref],
      siguiente: next,
    });
  }
  const { suppliers } = again.value;
  return close({
    partial: true,
    narration: [
      ...tried,
      say('quien.candidates', {
        n: Math.min(3, suppliers.length),
        rows: suppliers
          .slice(0, 3)
          .map((one) => at(one.ref))
          .join(', '),
        product: quoted(word),
        buyer: quoted(scope.comprador ?? ''),
        known: scope.comprador ? 'yes' : 'no',
      }),
    ],
    refs: [ref, again.value.ref, ...suppliers.slice(0, 3).map((one) => one.ref)],
    siguiente: next,
  });
};

const HISTORY =
  /\b(?:historial|que (?:le )?ha vendido|que contratos|cuanto (?:le )?ha (?:vendido|ganado|facturado)|cuantas veces|esta empresa|contratos que|le ha vendido \S+ (?:algo|a)|history of|how much has)\b/;
/** The supplier that a message asks about instead of the buyer; null when it asks who. */
const supplierMeant = (turn: Turn): string | null => {
  const { reading, view } = turn;
  // "¿Cuánto le ha comprado la CFE a Transformadores del Norte?"
  const bought =
    reading.comprador !== null && /\bcuant[oa]s?\b.*\b(?:comprado|pagado|adjudicado|contratado|compro|pago|adjudico)\b/.test(reading.flat);
  if ((!HISTORY.test(reading.flat) && !bought) || /^\W*(?:a )?(?:quien|qien|who)\b/.test(reading.flat)) return null;
  const named = accountIn(
    reading.given,
    reading.flat.replace(/gobierno(?: federal)?/g, (m) => ' '.repeat(m.length)),
    reading.comprador === null ? [] : reading.cuts.filter((one) => !/\d/.test(reading.given.slice(one.from, one.to))),
  );
  if (bought && (named === null || !reading.given.includes(` a ${named}`))) return null;
  const shown = view.board.list.find(
    (row) => row.kind === 'supplier' && named !== null && row.name.toLowerCase().includes(named.toLowerCase()),
  );
  if (shown) return shown.name;
  if (!named || named === reading.comprador) return null;
  // Two words with a capital are a name, whatever trade they sound like.
  const capitals = named.split(/\s+/).filter((word) => /^\p{Lu}/u.test(word)).length;
  return /["«“]/.test(reading.given) || capitals >= 2 || (capitals === 1 && tradeOf(named) === null) ? named : null;
};

/** What the chosen or shown companies won, where the message points at them and names no buyer or product. */
const chosenSellers = ({ reading, view: { board } }: Turn): BoardRow[] => {
  if (reading.comprador !== null || reading.producto !== null || reading.giro !== null) return [];
  const rows = (board.selection.length > 0 ? board.selection : board.list).filter(
    (row) => row.kind === 'supplier' || (row.kind === 'company' && typeof row.rfc === 'string'),
  );
  const places = rowsMeant(reading.flat, rows.length);
  if (places) return places.flatMap((i) => rows[i] ?? []);
  return reading.selected || /\b(?:est[ao]s|es[ao]s|ell[ao]s|these|those|them)\b/.test(reading.flat) ? rows : [];
};
/** As many histories as one turn reads. */
const HISTORIES = 5;
const historiesOf = function* (turn: Turn, rows: readonly BoardRow[]): Steps<TurnOutput> {
  const { say, language, view } = turn;
  const some = rows.slice(0, HISTORIES);
  const outcomes = yield* together(
    some.map((row) =>
      callOf(marketGetSupplierHistory, row.kind === 'supplier' ? { supplier_id: row.id, limit: 10 } : { rfc: row.rfc, limit: 10 }),
    ),
  );
  const read = outcomes.map((outcome) => readAs(marketGetSupplierHistory, outcome));
  const won = read
    .flatMap((one) => (one.ok && one.value.supplier.awards > 0 ? [one.value] : []))
    .sort((a, b) => b.supplier.total_mxn - a.supplier.total_mxn);
  const none = some.filter((_, i) => {
    const one = read[i];
    return one !== undefined && (one.ok ? one.value.supplier.awards === 0 : one.code === 'not_found');
  });
  if (won.length === 0 && none.length === 0)
    return close({ partial: true, narration: [say('common.failed')], siguiente: nextMessage(say('common.again'), view.message) });
  const [last] = won[0]?.awards ?? [];
  const left = rows.length - some.length;
  return close({
    partial: left > 0 || won.length + none.length < some.length,
    narration: [
      ...won
        .slice(0, 2)
        .map(({ supplier, ref }) =>
          say('quien.history', { row: at(supplier.ref), ref: at(ref), n: supplier.awards, amount: pesos(supplier.total_mxn, language) }),
        ),
      won.length > 2
        ? say('quien.histories_rest', {
            rows: won
              .slice(2)
              .map(({ supplier }) => at(supplier.ref))
              .join(', '),
          })
        : '',
      none.length > 0 ? say('quien.histories_none', { n: none.length, rows: none.map((row) => at(row.ref)).join(', ') }) : '',
      left > 0 ? say('quien.histories_left', { words: inWords(HISTORIES, language) }) : '',
    ],
    refs: [...won.map(({ supplier }) => supplier.ref), ...none.map((row) => row.ref)],
    siguiente: last
      ? nextMessage(
          say('quien.open_label', { buyer: quoted(last.buyer, 50) }),
          say('quien.open_message', { buyer: quoted(last.buyer, 80) }),
        )
      : nextMessage(say('quien.example_label'), say('quien.example')),
  });
};

const history = function* (turn: Turn, rfc: string | null, name: string | null): Steps<TurnOutput> {
  const { say, language, view } = turn;
  let id: string | null = null;
  let row: string | null = null;
  if (!rfc && name) {
    const listed = [...view.board.selection, ...view.board.list].find((row) => row.kind === 'supplier' && row.name === name);
    const search = listed ? null : yield* suppliersNamed(name);
    const [known] = search?.suppliers ?? [];
    id = listed?.id ?? known?.supplier_id ?? null;
    row = listed?.ref ?? known?.ref ?? null;
    if (!id)
      return close({
        partial: true,
        narration: [say('quien.supplier_unknown', { ref: search?.ref ? at(search.ref) : '', name: quoted(name) })],
        siguiente: nextMessage(say('quien.example_label'), say('quien.example')),
      });
  }
  const { comprador } = turn.reading;
  if (id !== null && row !== null && comprador !== null) {
    // What one of them sold to one buyer.
    const between = yield* ask(marketAggregateAwards, { supplier_id: id, buyer: comprador, group_by: 'product', limit: 5 });
    if (!between.ok)
      return close({ partial: true, narration: [say('common.failed')], siguiente: nextMessage(say('common.again'), view.message) });
    const { overall } = between.value;
    return close({
      narration: [
        say('quien.between', {
          row: at(row),
          buyer: quoted(comprador),
          ref: at(overall.awards.ref),
          n: overall.awards.value,
          sum:
            overall.awards.value > 0
              ? say('quien.between_sum', { sum_ref: at(overall.total.ref), sum: pesos(overall.total.value, language) })
              : '',
        }),
        overall.awards.value === 0 ? say('quien.between_none') : '',
      ],
      refs: [between.value.ref],
      siguiente: nextMessage(
        say('quien.open_label', { buyer: quoted(comprador, 50) }),
        say('quien.open_message', { buyer: quoted(comprador, 80) }),
      ),
    });
  }
  const got = yield* ask(marketGetSupplierHistory, { supplier_id: id ?? undefined, rfc: id ? undefined : (rfc ?? undefined), limit: 10 });
  if (!got.ok)
    return close({
      partial: true,
      narration: [say(got.code === 'not_found' ? 'quien.rfc_unknown' : 'common.failed', { rfc: quoted(rfc ?? '', 14) })],
      siguiente: nextMessage(say('quien.screen_label'), say('quien.screen', { rfc: quoted(rfc ?? name ?? '', 40) })),
    });
  const { supplier, awards, years } = got.value;
  if (supplier.awards === 0)
    return close({
      narration: [say('quien.history_none', { row: at(supplier.ref), ref: at(got.value.ref) })],
      refs: [got.value.ref],
      siguiente: nextMessage(say('quien.example_label'), say('quien.example')),
    });
  const [last] = awards;
  return close({
    narration: [
      say('quien.history', {
        row: at(supplier.ref),
        ref: at(got.value.ref),
        n: supplier.awards,
        amount: pesos(supplier.total_mxn, language),
      }),
      say('quien.history_years', { words: inWords(years.length, language), n: years.length }),
      last
        ? say('quien.history_last', {
            row: at(last.ref),
            ref: at(got.value.ref),
            buyer: quoted(last.buyer),
            product: quoted(last.product),
            amount: pesos(last.amount_mxn, language),
            date: dayOf(last.awarded_on, language),
          })
        : '',
    ],
    refs: [got.value.ref, supplier.ref, ...awards.slice(0, 10).map((one) => one.ref)],
    siguiente: last
      ? nextMessage(
          say('quien.open_label', { buyer: quoted(last.buyer, 50) }),
          say('quien.open_message', { buyer: quoted(last.buyer, 80) }),
        )
      : nextMessage(say('quien.example_label'), say('quien.example')),
  });
};
