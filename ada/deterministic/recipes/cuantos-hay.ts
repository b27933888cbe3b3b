import { marketCompare, marketCountSuppliers } from '../../../contracts/tools/index.js';
import type { TurnOutput } from '../../../contracts/turn.js';
import { asksForAnother, asksToMove } from '../../understand/compare.js';
import { EVERYWHERE, MAIN_STATES } from '../../understand/places.js';
import { at, inPlace, listOf, needs, nextMessage, number, question, quoted, reply, type Turn } from '../answer.js';
import { filtersOfTurn, planB, saidFilters, type Filters } from '../filters.js';
import { ask, type Steps } from '../follow.js';

const args = (f: Filters): Record<string, unknown> => ({
  activity: f.giro ?? undefined,
  text: f.giro ? undefined : (f.text ?? undefined),
  state: f.estado ?? undefined,
  size: f.tamano ?? undefined,
});

/** How big a market is: one figure with its filters in sight, and what to do with it. */
export const cuantosHay = function* (turn: Turn): Steps<TurnOutput> {
  const { reading, say } = turn;
  const filters = filtersOfTurn(turn);
  if (filters.giro === null && !filters.text && reading.subject && filters.inherited === null) filters.giro = reading.subject;
  if (asksToCompare(turn)) return yield* compare(turn, filters);
  if (!filters.giro && !filters.text && !filters.estado) {
    return needs('giro', say('cuantos_hay.ask'), null, {
      narration: [say('cuantos_hay.need')],
      siguiente: nextMessage(say('cuantos_hay.example_label'), say('cuantos_hay.example')),
    });
  }
  const first = yield* ask(marketCountSuppliers, args(filters));
  if (!first.ok) return reply({ narration: [say('common.failed')], siguiente: nextMessage(say('common.again'), turn.view.message) });
  const asked = say('cuantos_hay.show_message', { filters: saidFilters(turn, filters) });
  if (first.value.count.value > 0) {
    const { count, with_awards: won } = first.value;
    return reply({
      narration: [
        say('cuantos_hay.found', {
          ref: at(count.ref),
          n: count.value,
          filters: saidFilters(turn, filters),
          won_ref: at(won.ref),
          won: won.value,
          all: turn.brief ? 'brief' : won.value === count.value ? 'yes' : won.value === 0 ? 'none' : 'no',
        }),
        turn.brief ? '' : reading2(turn, count.value, won.value),
        note(turn),
      ],
      pregunta: filters.giro || filters.text ? null : question('giro', say('cuantos_hay.ask_after'), say('cuantos_hay.all_trades')),
      siguiente: nextMessage(say('cuantos_hay.show', { n: count.value }), asked),
    });
  }
  // 0: one change more at a time, two at most.
  const tried: string[] = [say('cuantos_hay.zero', { ref: at(first.value.count.ref), filters: saidFilters(turn, filters) })];
  for (const attempt of planB(filters, first.value.coverage).slice(0, 2)) {
    const again = yield* ask(marketCountSuppliers, args(attempt.filters));
    if (!again.ok) break;
    const n = again.value.count.value;
    tried.push(
      say(`cuantos_hay.without.${attempt.change}`, {
        ref: at(again.value.count.ref),
        n,
        dropped: quoted(attempt.dropped),
        now: quoted(attempt.now ?? ''),
      }),
    );
    if (n > 0) {
      return reply({
        narration: [...tried, note(turn)],
        siguiente: nextMessage(
          say('cuantos_hay.show', { n }),
          say('cuantos_hay.show_message', { filters: saidFilters(turn, attempt.filters) }),
        ),
      });
    }
  }
  return reply({
    narration: [...tried, say('cuantos_hay.covered')],
    siguiente: filters.giro
      ? nextMessage(say('cuantos_hay.companies_label'), say('cuantos_hay.companies', { filters: saidFilters(turn, filters) }), null)
      : nextMessage(say('cuantos_hay.example_label'), say('cuantos_hay.example')),
  });
};

/** One reading that helps to decide; nothing where the figure is too small to say anything. */
const reading2 = (turn: Turn, n: number, won: number): string =>
  n < 5
    ? turn.say('cuantos_hay.small')
    : won / n >= 0.8
      ? turn.say('cuantos_hay.experienced')
      : won / n <= 0.4
        ? turn.say('cuantos_hay.fresh')
        : '';
/** Who asks for companies hears which of the two figures this is. */
const note = (turn: Turn): string =>
  /\b(?:empresas?|companias?|negocios?|companies|firms|fabricas?|plantas?)\b/.test(turn.reading.flat)
    ? turn.say('cuantos_hay.government_only')
    : '';

const asksToCompare = ({ reading: { flat, estados, giros } }: Turn): boolean =>
  asksToMove(flat) ||
  /\b(?:compar|contra|versus|vs)\b|\bcompara/.test(flat) ||
  giros.length > 1 ||
  /\b(?:donde|que estado|cual estado|en que estado|que plaza|en cual|which state|where)\b.*\b(?:mas|menos|more|most|less|fewest|least)\b/.test(
    flat,
  ) ||
  (estados.length > 1 && /\b(?:o|or|y|and)\b/.test(flat));

/** As many trades and places as one comparison takes. */
const TRADES = 6;
const PLACES = 8;
/** As many as an answer may narrate. */
const FIGURES = 5;

const compare = function* (turn: Turn, filters: Filters): Steps<TurnOutput> {
  const { reading, say, language, view } = turn;
  const trades = reading.giros.length > 0 ? reading.giros : filters.giro ? [filters.giro] : [];
  const segments = trades.slice(0, TRADES);
  if (segments.length === 0)
    return needs('giro', say('cuantos_hay.ask_compare'), null, {
      narration: [say('cuantos_hay.need')],
      siguiente: nextMessage(say('cuantos_hay.example_label'), say('cuantos_hay.example')),
    });
  // "¿A qué otro estado conviene movernos?": where they are is not where they go.
  const moves = asksToMove(reading.flat);
  const here =
    moves && asksForAnother(reading.flat)
      ? [
          ...new Set([
            ...reading.estados,
            ...(view.facts.estado.value && view.facts.estado.value !== EVERYWHERE ? [view.facts.estado.value] : []),
          ]),
        ]
      : [];
  const places = moves
    ? here.length === 0 && reading.estados.length > 1
      ? reading.estados
      : MAIN_STATES.filter((state) => !here.includes(state))
    : reading.estados.length > 0
      ? reading.estados
      : segments.length > 1
        ? [filters.estado ?? 'nacional']
        : [...MAIN_STATES];
  const chosen = places.slice(0, PLACES);
  const got = yield* ask(marketCompare, { segments, geographies: chosen });
  if (!got.ok) return reply({ narration: [say('common.failed')], siguiente: nextMessage(say('common.again'), view.message) });
  const usual = reading.estados.length === 0 && chosen.length > 1;
  const name = (cell: { segment: string; geography: string }): string =>
    segments.length > 1 && chosen.length > 1
      ? `${quoted(cell.segment)} (${quoted(cell.geography)})`
      : segments.length > 1
        ? quoted(cell.segment)
        : quoted(cell.geography);
  // Several trades over the usual places are added up by nobody here: the biggest cells tell it.
  const cells = [...got.value.cells].sort((a, b) => b.suppliers.value - a.suppliers.value || b.awards.value - a.awards.value);
  const [most, second] = cells;
  if (!most || most.suppliers.value === 0) {
    return reply({
      narration: [say('cuantos_hay.compare_zero', { ref: at(most?.suppliers.ref ?? got.value.ref), giro: quoted(segments.join(', ')) })],
      siguiente: nextMessage(say('cuantos_hay.count_all_label'), say('cuantos_hay.count_all', { giro: quoted(segments[0] ?? '') })),
    });
  }
  const see = nextMessage(
    say('cuantos_hay.see_label', { name: name(most) }),
    say('cuantos_hay.show_message', {
      filters: saidFilters(turn, { giro: most.segment, estado: most.geography === 'nacional' ? null : most.geography, tamano: null }),
    }),
  );
  const cellOf = (cell: typeof most): string =>
    say('cuantos_hay.cell', { name: name(cell), ref: at(cell.suppliers.ref), n: cell.suppliers.value });
  const least = cells.at(-1);
  if (moves) {
    return reply({
      narration: [
        say('cuantos_hay.move', {
          giro: quoted(segments[0] ?? ''),
          name: quoted(most.geography),
          ref: at(most.suppliers.ref),
          n: most.suppliers.value,
          tie: second?.suppliers.value === most.suppliers.value ? 'yes' : 'no',
        }),
        second && second.suppliers.value > 0 ? say('cuantos_hay.move_next', { cell: cellOf(second) }) : '',
        most.average.value > 0
          ? say('cuantos_hay.average', {
              name: quoted(most.geography),
              ref: at(most.average.ref),
              amount: `$${number(most.average.value, language)}`,
            })
          : '',
        say('cuantos_hay.move_by', {
          here:
            here.length > 0
              ? listOf(
                  here.map((one) => quoted(one)),
                  language,
                )
              : '',
          known: here.length > 0 ? 'yes' : 'no',
        }),
      ],
      siguiente: see,
    });
  }
  const left = [...trades.slice(TRADES), ...(segments.length > 1 || reading.estados.length > PLACES ? places.slice(PLACES) : [])];
  const amounts = /\b(?:monto|adjudicad\w*|cuanto (?:se|les|le|han?)|facturad\w*|ganad\w*|pesos|dinero|amount|awarded|worth|spent)\b/.test(
    reading.flat,
  );
  const richest = [...cells].sort((a, b) => b.total.value - a.total.value)[0];
  // Five figures in all: as many cells as fit beside the amount, the rest by name.
  const room = FIGURES - (amounts && richest && richest.total.value > 0 ? 1 : 0);
  const shown = cells.slice(0, room);
  const under = cells.slice(room).map(name);
  const averages =
    segments.length > 1 && !amounts ? cells.filter((cell) => cell.average.value > 0).slice(0, Math.min(2, FIGURES - shown.length)) : [];
  return reply({
    narration: [
      say(segments.length > 1 ? 'cuantos_hay.compare_trades' : 'cuantos_hay.compare_places', {
        giro: quoted(segments[0] ?? ''),
        cells: shown.map(cellOf).join('; '),
      }),
      under.length > 0 ? say('cuantos_hay.under', { names: listOf(under, language) }) : '',
      amounts && richest && richest.total.value > 0
        ? say('cuantos_hay.most_awarded', {
            name: name(richest),
            ref: at(richest.total.ref),
            amount: `$${number(richest.total.value, language)}`,
          })
        : '',
      ...averages.map((cell) =>
        say('cuantos_hay.average', { name: name(cell), ref: at(cell.average.ref), amount: `$${number(cell.average.value, language)}` }),
      ),
      usual ? say('cuantos_hay.usual_places') : '',
      least && least.suppliers.value > 0 && least.suppliers.value < most.suppliers.value
        ? say('cuantos_hay.less_competition', { name: name(least) })
        : '',
      left.length > 0
        ? say('cuantos_hay.compare_left', {
            left: listOf(
              left.map((one) => quoted(one)),
              language,
            ),
          })
        : '',
    ],
    siguiente:
      left.length > 0
        ? nextMessage(
            say('cuantos_hay.compare_left_label'),
            say('cuantos_hay.compare_left_message', {
              left: listOf([...(trades.length > TRADES ? [most.segment] : []), ...left], language),
              where: chosen.length === 1 && chosen[0] !== 'nacional' ? inPlace(turn, chosen[0] ?? '') : '',
            }),
          )
        : see,
  });
};
