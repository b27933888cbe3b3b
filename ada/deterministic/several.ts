import type { Skill } from '../../contracts/states.js';
import type { TurnOutput } from '../../contracts/turn.js';
import { lastList } from '../rows.js';
import { same } from '../understand/text.js';
import { read, type Reading } from '../understand/index.js';
import { wishesIn, type Wish, type WishKind } from '../understand/wishes.js';
import { listOf, nextMessage, quoted, turnOf, type Turn } from './answer.js';
import { opened } from './open.js';
import { fewFigures } from './figures.js';
import { within, type Budget, type Steps } from './follow.js';

export const SKILL_OF: Readonly<Record<WishKind, Skill>> = {
  contar: 'cuantos-hay',
  comparar: 'cuantos-hay',
  listar: 'buscar-empresas-y-proveedores',
  vendido: 'quien-le-ha-vendido',
  abiertas: 'senales-y-oportunidades',
  cruzar: 'senales-y-oportunidades',
  pipeline: 'como-va-mi-pipeline',
  cuenta: 'trabajar-una-cuenta',
  equipo: 'que-sabe-el-equipo',
  guardar: 'guardar-en-crm',
  contactos: 'conseguir-contactos',
  escribir: 'armar-secuencia',
  campana: 'campana',
};
/** Made with a search, of which a turn has three. */
const SEARCHES: ReadonlySet<WishKind> = new Set(['listar', 'vendido', 'abiertas', 'cruzar']);
/** They read; of the others one at most is put on the table, after what was read for it. */
const READS: ReadonlySet<WishKind> = new Set(['contar', 'comparar', 'listar', 'vendido', 'abiertas', 'pipeline', 'cuenta', 'equipo']);
const MARKET: ReadonlySet<WishKind> = new Set(['contar', 'comparar', 'listar', 'vendido', 'abiertas', 'campana']);
/** Waits for another message: it needs people, texts or a card that are not there yet. */
const LATER: ReadonlySet<WishKind> = new Set(['contactos', 'escribir']);
const SEARCHES_IN_A_TURN = 3;

const names = (text: string): boolean => {
  const own = read(text);
  return own.giro !== null || own.comprador !== null || own.estado !== null || own.rfcs.length > 0;
};
/** "Pásame las diez con más monto adjudicado": suppliers in that order, where no buyer is named. */
const RANKED =
  /\b(?:dame|pasame|ensen\w+|muestr\w+|list\w+|show|give)\b.*\b(?:con|de|por|with|by) (?:el |la |the )?(?:mas|mayor|most|highest|biggest) (?:monto|importe|adjudicad\w+|ventas?|amount|awards?)\b/;
const ofSuppliers = (wish: Wish): Wish => {
  const own = read(wish.own);
  return wish.kind === 'vendido' && RANKED.test(own.flat) && own.comprador === null ? { ...wish, kind: 'listar' } : wish;
};
/** What a message wants, where it wants more than one thing; empty where it is one. */
export const severalIn = (turn: Turn): Wish[] => {
  // What is counted and kept is listed in between.
  const wishes = wishesIn(turn.reading.given, names)
    .map(ofSuppliers)
    .flatMap((one, i, all): Wish[] =>
      one.kind === 'guardar' && all[i - 1]?.kind === 'contar'
        ? [{ kind: 'listar', text: all[i - 1]?.text ?? '', own: all[i - 1]?.own ?? '' }, one]
        : [one],
    );
  return wishes.length > 1 ? wishes : [];
};

const OF_THE_STATE = /\b(?:gobierno|administracion) (?:del estado|estatal|de alla|local)\b/;
/** A part with what it leaves to the part before it: the trade, and where it only goes on ("enséñame las principales") the place. */
const inherited = (own: Reading, before: Reading | null, kind: WishKind): Reading => {
  if (before === null || !MARKET.has(kind)) return own;
  const leans = own.giro === null && own.comprador === null && own.estado === null;
  const giro = own.giro ?? before.giro ?? before.producto;
  const giros = own.giros.length > 0 ? own.giros : own.giro === null ? before.giros : [];
  // "Al gobierno del estado": of the one that was named before.
  const state =
    own.comprador === null && own.estado === null && before.estado !== null && OF_THE_STATE.test(own.flat)
      ? `Gobierno de ${before.estado}`
      : null;
  return {
    ...own,
    giro,
    giros,
    producto: own.producto ?? before.producto ?? before.giro,
    productos: own.productos.length > 0 || own.producto !== null ? own.productos : before.productos,
    ...(leans
      ? {
          comprador: before.comprador,
          compradores: before.compradores,
          estado: before.estado,
          estados: before.estados,
          everywhere: before.everywhere,
          tamano: own.tamano ?? before.tamano,
        }
      : {}),
    ...(state ? { comprador: state, compradores: [state] } : {}),
  };
};

interface Part {
  wish: Wish;
  output: TurnOutput;
}
const merged = (turn: Turn, parts: readonly Part[], left: readonly Wish[]): TurnOutput => {
  const { say, language } = turn;
  const outputs = parts.map((part) => part.output);
  const [only] = outputs;
  if (only && outputs.length === 1 && left.length === 0) return only;
  const rest =
    left.length > 0
      ? say('several.left', {
          n: left.length,
          what: listOf(
            left.map((one) => `«${quoted(one.own, 70)}»`),
            language,
          ),
        })
      : '';
  const narration = [...fewFigures(outputs.map((one) => one.narration)), rest].filter(Boolean).join(' ');
  const closes = outputs.some((one) => one.intent.kind === 'cierre');
  const whole =
    left.length === 0 &&
    outputs.every((one) => one.intent.kind === 'responder' || (one.intent.kind === 'cierre' && one.intent.variante === 'completo'));
  const shown = new Set([...narration.matchAll(/\[\[([^[\]\n]{1,190})\]\]/g)].map((m) => m[1] ?? ''));
  const salidas = [
    ...new Set([
      ...outputs.flatMap((one) =>
        one.intent.kind === 'cierre' ? one.intent.salidas.filter((ref) => !ref.includes('-n') || shown.has(ref)) : [],
      ),
      ...shown,
    ]),
  ].slice(0, 20);
  const intent: TurnOutput['intent'] =
    closes || !whole ? { kind: 'cierre', variante: whole ? 'completo' : 'parcial', salidas } : { kind: 'responder' };
  const nexts = outputs.flatMap((one) => one.siguiente ?? []);
  const [first] = left;
  const siguiente =
    nexts.find((one) => one.kind === 'decision') ??
    (first ? nextMessage(say('several.left_label'), first.text) : (nexts.find((one) => one.cost !== null) ?? nexts.at(-1) ?? null));
  return { intent, narration, pregunta: null, siguiente };
};

/**
 * Several wishes in one message, in their order: reads while there are searches and room for recipes, then one proposal at most. What does not fit
 * is said, and is the next step.
 */
export const severalWishes = function* (
  turn: Turn,
  wishes: readonly Wish[],
  recipe: (kind: WishKind, turn: Turn) => Steps<TurnOutput>,
): Steps<TurnOutput> {
  const parts: Part[] = [];
  const left: Wish[] = [];
  const budget: Budget = { searches: SEARCHES_IN_A_TURN };
  let before: Reading | null = null;
  let proposed = false;
  for (const [i, wish] of wishes.entries()) {
    const reading = inherited(read(wish.text), before, wish.kind);
    const search = SEARCHES.has(wish.kind);
    if ((LATER.has(wish.kind) && parts.length > 0) || (proposed && (!READS.has(wish.kind) || search)) || (search && budget.searches <= 0)) {
      left.push(wish);
      continue;
    }
    // Counting comes along with the recipe of a later part: room for a third recipe is kept.
    const counts = wish.kind === 'contar' || wish.kind === 'comparar';
    const along = counts ? wishes.slice(i + 1).find((one) => one.kind === 'listar' || one.kind === 'vendido') : undefined;
    if (!(yield* opened(turn, SKILL_OF[(along ?? wish).kind], counts))) {
      left.push(wish);
      continue;
    }
    // A list of this turn is at hand for what comes after it.
    const rows = parts.some((part) => SEARCHES.has(part.wish.kind)) ? lastList(turn.view.worked).rows : [];
    const view = {
      ...turn.view,
      message: wish.text,
      board: rows.length > 0 && !READS.has(wish.kind) ? { ...turn.view.board, list: rows } : turn.view.board,
    };
    // One search stays for each part that still needs one.
    const later = wishes.slice(i + 1).filter((one) => SEARCHES.has(one.kind)).length;
    const own: Budget = { searches: Math.max(1, budget.searches - later) };
    const spare = own.searches;
    const output = yield* within(recipe(wish.kind, turnOf(view, turn.now, reading, true)), own);
    budget.searches -= spare - own.searches;
    parts.push({ wish, output });
    proposed ||= !READS.has(wish.kind);
    before = MARKET.has(wish.kind) ? reading : before;
  }
  return merged(turn, parts, left);
};

/** Find, then contacts, then texts, for more accounts than a turn holds: that is a campaign. */
export const isChain = (wishes: readonly Wish[], reading: Reading, inATurn: number): boolean => {
  const kinds = new Set(wishes.map((one) => one.kind));
  return (
    kinds.has('listar') &&
    kinds.has('contactos') &&
    (kinds.has('escribir') || (reading.cantidad ?? 25) > inATurn) &&
    !kinds.has('vendido') &&
    !kinds.has('abiertas') &&
    !/\b(?:la|el) (?:primer|segund|tercer)/.test(same(reading.given))
  );
};
