import type { Skill } from '../../contracts/states.js';
import type { BoardRun, TurnOutput } from '../../contracts/turn.js';
import { asksForMore } from '../next-page.js';
import { rowsOf } from '../rows.js';
import { at, close, inWords, limit, nextLink, nextMessage, oneQuery, queriesUsed, type Turn } from './answer.js';
import { call, type Steps } from './follow.js';
import { opened } from './open.js';

/** Lists that go on, and the recipe that reads each. */
const LISTS: Readonly<Record<string, Skill>> = {
  company_search: 'buscar-empresas-y-proveedores',
  market_search_suppliers: 'buscar-empresas-y-proveedores',
  market_search_opportunities: 'senales-y-oportunidades',
  market_search_awards: 'quien-le-ha-vendido',
  collection_query: 'como-va-mi-pipeline',
};

/** The list that "los siguientes" means: the last that was read, where the message names nothing of its own; null where it does. */
export const listThatGoesOn = ({ reading, view }: Turn): BoardRun | null => {
  const own =
    reading.giro !== null ||
    reading.estado !== null ||
    reading.comprador !== null ||
    reading.tamano !== null ||
    (reading.cuenta !== null && /^\p{Lu}/u.test(reading.cuenta));
  // "No me busques más, guárdalos" asks for none.
  if (/^\W*(?:no|ya no|don't)\s+(?:me\s+|nos\s+)?\w+s\b/.test(reading.flat)) return null;
  if (own || reading.flat.split(/\s+/).length > 9 || !asksForMore(view.message)) return null;
  return (
    [...view.board.runs]
      .reverse()
      .find(
        (run) => Object.hasOwn(LISTS, run.tool) && (run.total ?? 0) > 0 && run.args['op'] !== 'aggregate' && run.args['op'] !== 'list',
      ) ?? null
  );
};

/** The next page of a list, and how much of it is still to come; where there is none, that this was all. */
export const nextPage = function* (turn: Turn, run: BoardRun): Steps<TurnOutput> {
  const { say, view, language } = turn;
  const name = LISTS[run.tool];
  if (name) yield* opened(turn, name);
  const kept = run.tool === 'company_search' || run.tool === 'market_search_suppliers';
  const save = (n: number): NonNullable<TurnOutput['siguiente']> => nextMessage(say('buscar.save_label', { n }), say('buscar.save'));
  const elsewhere = nextMessage(say('talk.example_label'), say('talk.example'));
  if (!run.next_cursor)
    return close({
      narration: [say('page.all', { ref: at(run.ref), n: run.total ?? run.shown })],
      refs: [run.ref],
      siguiente: kept && view.board.list.length > 0 ? save(view.board.list.length) : elsewhere,
    });
  const priced = run.tool === 'company_search';
  const got = yield* call(run.tool, { ...run.args, cursor: run.next_cursor });
  if (!got.ok) {
    if (priced && (got.code === 'insufficient_queries' || view.summary.balances.queries <= 0))
      return limit('credito', say('buscar.queries_way_out'), {
        narration: [say('buscar.no_queries'), say('buscar.queries_way_out')],
        siguiente: nextLink(say('common.plan_label'), '/configuracion/plan'),
      });
    return close({
      partial: true,
      narration: [say('common.failed_search')],
      siguiente: nextMessage(say('common.again'), view.message, priced ? oneQuery(view, queriesUsed(view)) : null),
    });
  }
  const rows = rowsOf({ name: run.tool, ok: true, result: got.result });
  const meta = got.result as { ref?: unknown; total?: unknown; next_cursor?: unknown };
  const ref = typeof meta.ref === 'string' ? meta.ref : run.ref;
  const total = typeof meta.total === 'number' ? meta.total : (run.total ?? rows.length);
  const more = typeof meta.next_cursor === 'string' && meta.next_cursor !== '';
  if (rows.length === 0)
    return close({
      narration: [say('page.all', { ref: at(run.ref), n: total })],
      refs: [run.ref],
      siguiente: kept ? save(Math.max(1, view.board.list.length)) : elsewhere,
    });
  return close({
    narration: [
      say('page.next', { ref: at(ref), n: rows.length, total, more: more ? 'yes' : 'no' }),
      say('page.first', {
        rows: rows
          .slice(0, 3)
          .map((row) => at(row.ref))
          .join(', '),
        n: Math.min(3, rows.length),
      }),
      priced ? say('buscar.queries_used', { n: queriesUsed(view), words: inWords(queriesUsed(view), language) }) : '',
    ],
    refs: [ref, ...rows.slice(0, 15).map((row) => row.ref)],
    siguiente: more
      ? nextMessage(say(priced ? 'page.label_query' : 'page.label'), say('page.message'), priced ? oneQuery(view, queriesUsed(view)) : null)
      : kept
        ? save(rows.length)
        : elsewhere,
  });
};
