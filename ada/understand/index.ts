import { FACT_KEYS, type Board, type FactKey, type Facts } from '../../contracts/turn.js';
import { amountIn, countIn, periodIn, type Amount } from './amounts.js';
import { abroadIn } from './abroad.js';
import { buyersIn } from './buyers.js';
import { beyondIn, type Beyond } from './limits.js';
import { once, tradesOf } from './lists.js';
import { EVERYWHERE, everywhereIn, placesIn } from './places.js';
import { selectionIn } from './pointers.js';
import { areaIn } from './roles.js';
import { mended } from './spelling.js';
import { isEnglish, plain, same, tidy, written } from './text.js';
import { fromEnglish, tradeOf, tradeWordIn } from './trades.js';
import { unresolvedIn, type Unresolved } from './unresolved.js';
import { ACCOUNT, ASKING, COMPANIES, CONTRACTS, PEOPLE, remains, TOPIC, type Chunk } from './words.js';

export { EVERYWHERE } from './places.js';

/** What a message says, by fixed rules: for the facts of a turn and for the model without a key. Nothing here knows any case by its text. */
export interface Reading {
  /** The message on one line, and the same without accents and capitals, letter under letter. */
  given: string;
  flat: string;
  giro: string | null;
  giros: string[];
  estado: string | null;
  estados: string[];
  everywhere: boolean;
  /** Cities that stand for their state, as they were said. */
  cities: ReadonlyArray<{ said: string; estado: string }>;
  tamano: 'micro' | 'pequena' | 'mediana' | 'grande' | null;
  /** Several where a message names several; the first stands alone in the singular. */
  comprador: string | null;
  compradores: string[];
  producto: string | null;
  productos: string[];
  cargo: string | null;
  cuenta: string | null;
  tema: string | null;
  cantidad: number | null;
  periodo: string | null;
  /** What something is to be worth at least or at most. */
  amount: Amount | null;
  oferta: string | null;
  /** What remains when the words of asking are gone: the likeliest subject where no trade is known. */
  subject: string | null;
  rfcs: string[];
  /** Ranges that were read as a place, a buyer, a pointer, or what is to be left out. */
  cuts: ReadonlyArray<{ from: number; to: number }>;
  /** It means what was chosen on the board. */
  selected: boolean;
  /** The text without what is to be left out. */
  asked: string;
  /** Places outside Mexico that it names; '' for a people. */
  abroad: string[];
  /** What it wants left out or checked that no source can. */
  unresolved: Unresolved[];
  /** What it asks for that nobody does here. */
  beyond: Beyond | null;
  english: boolean;
}

const SIZES: Record<string, NonNullable<Reading['tamano']>> = {
  micro: 'micro',
  micros: 'micro',
  microempresas: 'micro',
  pequenas: 'pequena',
  pequena: 'pequena',
  chicas: 'pequena',
  chica: 'pequena',
  chicos: 'pequena',
  pymes: 'pequena',
  pyme: 'pequena',
  small: 'pequena',
  medianas: 'mediana',
  mediana: 'mediana',
  medianos: 'mediana',
  medium: 'mediana',
  grandes: 'grande',
  grande: 'grande',
  large: 'grande',
  big: 'grande',
};
const SIZE = new RegExp(
  `\\b(?:empresas?|companias?|negocios?|fabricas?|fabricantes?|plantas?|proveedores?|companies|suppliers|solo|nomas|unicamente|puras?|puros?|las|los|only|filtra|just|de tamano|tamano|talleres|que sean|sean)\\s+(?:muy\\s+|las\\s+|los\\s+|the\\s+|solo\\s+)?(${Object.keys(SIZES).join('|')})\\b(?!\\s+del?\\s+(?:mercado|giro))|\\b(${Object.keys(SIZES).join('|')})\\s+(?:y\\s+\\w+\\s+)?(?:empresas|companias|companies|suppliers|proveedores|negocios|de\\b|del\\b|en\\b)|^(?:mejor\\s+|ahora\\s+|y\\s+)?(?:las\\s+|los\\s+)?(micro|microempresas|chicas|pequenas|medianas|grandes|pymes|large|small|big)\\b`,
);
const COMPANY =
  '(?:empresas?|companias?|negocios?|fabricas?|fabricantes?|plantas?|industrias?|prove+edor[ea]?s?|provedores?|tiendas?|despachos?|distribuidor[ea]?s?|productores|talleres|maquiladoras?|comercializadoras?|mayoristas|clientes?|prospectos?|competidores|leads|suppliers?|companies|firms|vendors|manufacturers|makers)';
const STOP = `(?=\\s+(?:en|por|para|que|con|dentro|hay|ay|existen?|habra|habria|son|operan|operen|trabajan|trabajen|participan|compiten|siguen|sigan|le|les|registrad[oa]s|(?:y|and)\\s+(?:cu[aá]l\\w*|cu[aá]n\\w*|qu[ei]\\w*|mu[eé]s\\w*|ens[eé]\\w*|su|sus|dime|dame|luego|despues|tambien|de\\s+paso|aparte|consig\\w*|con|guard\\w*|met[ea]\\w*|agreg\\w*|pas[ae]\\w*|sub[ei]\\w*|export\\w*|llev\\w*|prepar\\w*|escrib\\w*|redact\\w*|mand\\w*|arm[ae]\\w*|arranc\\w*|busc\\w*|sac\\w*|compar\\w*|cruz\\w*|tra[ei]\\w*|show|list|save|find|who|how|which|get|write|compare|en|los|las)|xfa|porfa|por|pa|sino|but|ahi|aca|alla|de\\s+(?:tamano|gobierno|mas|los|las|la)|del|medianas?|grandes?|chicas?|pequenas?|micros?|in|from|are|that|there|please|a\\s+(?:nivel|los|las)|hasta|sin|nomas|no)\\b|\\s*[.,;:!?¿()"«»]|\\s*$)`;
const AFTER_COMPANY = new RegExp(
  `\\b${COMPANY}\\s+(?:(?:muy\\s+)?(?:${Object.keys(SIZES).join('|')})\\s+)?(?:(?:de|del)\\s+gobierno\\s+)?(?:(?:registrad[oa]s|privad[oa]s|mexican[oa]s|potenciales|locales)\\s+)?(?:(?:de|del|en)\\s+(?:el\\s+)?(?:giro|sector|ramo|rubro|industria|segmento)\\s+(?:del?\\s+)?(?:la\\s+)?|(?:del?|of)\\s+(?:la\\s+|los\\s+|las\\s+)?|que\\s+(?:se\\s+)?(?:hacen|hagan|fabrican|fabriquen|venden|vendan|producen|rentan|distribuyen|surten|ofrecen|implementan|instalan|reparan|manejan|maquilan|dedican\\s+a|dediquen\\s+a)\\s+(?:la\\s+|los\\s+|las\\s+|el\\s+)?|doing\\s+)(?!(?:ese|esa|eso|este|esta|gobierno|la\\s+lista|mi|mis|nuestro)\\b)(.+?)${STOP}`,
);
const OTHER_WAYS = [
  new RegExp(
    `\\b(?:giro|ramo|sector|rubro|segmento|mercado|industria|competencia)\\s+(?:(?:de|del|en|para)\\s+)(?:la\\s+|los\\s+|las\\s+|el\\s+)?(?!(?:ese|esa|eso|este|esta|mi|gobierno)\\b)(.+?)${STOP}`,
  ),
  new RegExp(`\\b(?:segmento|sector|giro|ramo|industria)\\s+(?!(?:de|del|en|para|y|o|que|privado|publico)\\b)(.+?)${STOP}`),
  new RegExp(
    `\\bquien(?:es)?\\s+(?:me\\s+)?(?:fabrica|vende|hace|surte|produce|renta|distribuye)n?\\s+(?!(?:a|al|le|eso)\\b)(?:la\\s+|los\\s+|las\\s+|el\\s+)?(.+?)${STOP}`,
  ),
  new RegExp(
    `\\b(?:market\\s+(?:size\\s+)?(?:for|of)|suppliers\\s+of|companies\\s+(?:in|that\\s+(?:make|sell))\\s+(?:the\\s+)?)\\s*(.+?)${STOP}`,
  ),
  new RegExp(
    `\\b(?:how\\s+many|many|find\\s+(?:me\\s+)?|show\\s+me\\s+|list\\s+|the\\s+|at\\s+|of\\s+|for\\s+|to\\s+|with\\s+|in\\s+)\\s*(?!(?:the|these|those|them|which|what|each|some|all|me)\\b)((?:\\w+\\s+){0,2}\\w+)\\s+(?:suppliers?|companies|firms|manufacturers|vendors|makers)\\b`,
  ),
];
/** What is no trade by itself. */
const HOLLOW =
  /^(?:decision|ese|esa|eso|esos|esas|este|esta|estos|estas|todo|todos|tipo|gobierno|empresas?|proveedores?|alguna?|cosas?|lo que sea|distintas?|diferentes?|varias?|otras?|mas|clientes?|nuevos?|buen[oa]s?|ese tipo|mi|mis|una?|la|el|los|las|me|the|all|new|private|potential)\b/;
const TRAILING =
  /\s+(?:hay|existen|son|registrad[oa]s?|por favor|porfa|xfa|tambien|ahi|aca|nuevas?|privadas?|de gobierno|de el|de la|de|del|en|y|o|que|para|con|a|entre|contra|segun|durante|desde|hasta|mexican[oa]s)$/;

const clean = (value: string): string | null => {
  let text = value
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\d[\d,.]*\s+(?=\p{L})/u, '')
    .replace(/^(?:de(?:l)?|la|las|los|el|lo|the|todos?|todas?)\s+/i, '')
    .trim();
  for (let before = ''; before !== text;) {
    before = text;
    const flat = same(text);
    const cut = TRAILING.exec(flat);
    if (cut) text = text.slice(0, cut.index).trim();
  }
  text = text.replace(/[\s.,;:¿?¡!"«»]+$/u, '');
  // Shouted words are words.
  if (text.length > 5 && text === text.toUpperCase()) text = text.toLowerCase();
  return text.length < 2 || HOLLOW.test(plain(text)) ? null : [...text].slice(0, 80).join('');
};

const set = (text: string): Set<string> => new Set(text.split(' '));
const RFC = /(?<![A-Za-z0-9&Ññ])([A-Za-z&Ññ]{3,4})[ -]?(\d{6})[ -]?([A-Za-z0-9]{3})(?![A-Za-z0-9])/g;

/** Text with some ranges blanked, every letter in its place. */
const blank = (text: string, ranges: ReadonlyArray<{ from: number; to: number }>): string =>
  ranges.reduce((now, { from, to }) => now.slice(0, from) + ' '.repeat(to - from) + now.slice(to), text);
const withPreposition = (flat: string, from: number): number => {
  const before = /(?:\b(?:en|de|del|por|para|in|from|of)\s+)?(?:el\s+estado\s+de\s+|la\s+zona\s+de\s+|el\s+|la\s+)?$/.exec(
    flat.slice(0, from),
  );
  return from - (before?.[0].length ?? 0);
};

const OFFER = new RegExp(
  `\\b(?:nosotros\\s+)?(?:vendo|vendemos|ofrecemos|ofrezco|fabricamos|producimos|distribuimos|we\\s+sell|we\\s+make)\\s+(?:la\\s+|los\\s+|las\\s+)?(.+?)${STOP}`,
);
/** A list of tax ids may be longer than a message that is read. */
const RFC_TEXT = 8_000;

export const read = (message: string): Reading => {
  const given = mended(tidy(message));
  const flat = same(given);
  const rfcs = [...message.slice(0, RFC_TEXT).normalize('NFC').matchAll(RFC)].map((m) => `${m[1]}${m[2]}${m[3]}`.toUpperCase());
  // What is to be left out is no trade, place or buyer of what is asked.
  const unresolved = unresolvedIn(given, flat);
  const [shown, plainText] = [blank(given, unresolved), blank(flat, unresolved)];
  const abroad = abroadIn(shown, plainText);
  // The government of another country is no buyer here.
  const buyers = buyersIn(shown, plainText).filter((one) => !abroad.some((other) => one.from < other.to && one.to > other.from));
  const unbought = blank(plainText, buyers);
  const places = placesIn(blank(unbought, abroad));
  // "En Tabasco, ¿quién le vende al gobierno del estado?"
  const ofState =
    buyers.length === 0 && places.length === 1 && /\b(?:al|el|del|con el) gobierno (?:del estado(?! de)|estatal)\b/.test(plainText)
      ? [`Gobierno de ${places[0]?.name ?? ''}`]
      : [];
  const named = once([...buyers.filter((one) => one.value !== '').map((one) => one.value), ...ofState]);
  const whole = places.length === 0 ? everywhereIn(unbought) : null;
  const everywhere = whole !== null;
  const cutPlaces = [...places, ...abroad, ...(whole ? [whole] : [])].map(({ from, to }) => ({ from: withPreposition(flat, from), to }));
  const selection = selectionIn(plainText);
  const period = periodIn(flat);
  const amount = amountIn(flat);
  const cut = [...unresolved, ...buyers, ...cutPlaces, ...(selection ? [selection] : []), ...(amount ? [amount] : [])];
  const rest = blank(flat, cut);
  const text = blank(given, cut);
  const sizeWord = SIZE.exec(rest)
    ?.slice(1)
    .find((one) => one !== undefined);

  // What they sell themselves is no trade of whom they look for, unless nothing else is said.
  const offer = written(given, flat, OFFER);
  const told = offer ? [{ from: flat.lastIndexOf(' ', offer.from - 2) + 1, to: offer.to }] : [];
  const giros = girosIn(blank(text, told), blank(rest, told));
  const trade = tradeWordIn(blank(text, told)) ?? tradeWordIn(text);
  // A trade alone ("cuántos transportistas") takes the words that belong to it ("uniformes deportivos").
  const chunks = remains(given, [ASKING, COMPANIES, CONTRACTS], cut);
  const several = giros.length > 0 || !trade ? [] : tradesOf(listFrom(text, rest, trade.from)).map(fromEnglish);
  const byTrade = trade
    ? clean(chunks.find((one) => one.from <= trade.from && one.to >= trade.to)?.value ?? given.slice(trade.from, trade.to))
    : null;
  const about =
    /\b(?:vend[eio]|bend|surt|prove[eyi]|compr[aoó]|gan[aoó]|adjudic|contrat|licita|lisita|convoca|concurso|sold|sells?|suppl|award|won|bought|tender|opportunit|fallo|oportunidad|gast|spen[dt])/.test(
      flat,
    );
  const productChunk = chunks.find((one) => tradeOf(one.value) !== null) ?? chunks.find((one) => !one.capital) ?? chunks[0];
  const asked = buyers.length > 0 || about;
  const productos = asked ? productsIn(chunks) : [];
  const producto = productos[0] ?? (asked && productChunk ? clean(productChunk.value) : null);

  return {
    given,
    flat,
    rfcs,
    everywhere,
    subject: chunks.map((one) => clean(one.value)).find((one) => one !== null) ?? null,
    giro:
      giros[0] ??
      several[0] ??
      (byTrade ? fromEnglish(byTrade) : null) ??
      /\b(maquiladoras|despachos|agencias|talleres|distribuidoras|comercializadoras)\b/.exec(rest)?.[1] ??
      null,
    giros: giros.length > 0 ? giros : several,
    estado: places[0]?.name ?? (everywhere ? EVERYWHERE : null),
    estados: [...new Set(places.map((one) => one.name))],
    cities: places.flatMap((one) =>
      one.city === null ? [] : [{ said: given.slice(one.from, one.to).trim() || one.city, estado: one.name }],
    ),
    tamano: sizeWord ? (SIZES[sizeWord] ?? null) : null,
    comprador: named[0] ?? null,
    compradores: named,
    producto: producto ? fromEnglish(producto) : null,
    productos: productos.map(fromEnglish),
    cargo: areaIn(rest),
    cuenta: accountIn(given, flat, cut, selection !== null),
    tema: null,
    cantidad: countIn(blank(plainText, amount ? [amount] : [])),
    periodo: period,
    amount,
    oferta: offer?.value ?? null,
    cuts: cut,
    selected: selection !== null,
    asked: blank(flat, unresolved).replace(/\s+/g, ' ').trim(),
    abroad: abroad.map((one) => one.name),
    unresolved,
    beyond: beyondIn(given, flat, places.length > 0 || everywhere),
    english: isEnglish(flat),
  };
};

/** Products of several trades that a message names one after the other; empty when it is one. */
const productsIn = (chunks: readonly Chunk[]): string[] => {
  const parts = chunks.flatMap((one) => {
    const some = tradesOf(one.value);
    return some.length > 0 ? some : tradeOf(one.value) === null ? [] : [one.value];
  });
  const values = parts.flatMap((part) => clean(part) ?? []);
  const trades = new Set(values.map(tradeOf));
  return trades.size > 1 && trades.size === values.length ? values : [];
};

const LIST_END = /\s+(?:en|por|para|que|con|hay|ay|existen?|son|le|les|in|from|are|that|there)\b|[.:?!¿¡()"«»]|$/;
/** The text from a place on to where a list of trades ends, commas and all. */
const listFrom = (given: string, rest: string, from: number): string => {
  const end = rest.slice(from).search(LIST_END);
  return given.slice(from, end < 0 ? given.length : from + end).replace(/\s+/g, ' ');
};

const COMPARED = set(
  'compara comparame comparar compare comparemos comparacion comparativa comparativo contrasta contrastame mercado mercados precio promedio entre versus vs opciones giro giros',
);
const AGAINST = /\s+(?:contra|vs\.?|versus|frente\s+a|comparad[oa]s?\s+con|against)\s+/;
/** Both sides of a comparison, or all of a list to compare: "acero contra herrería", "compara empaque, acero y textil". */
const comparedIn = (given: string, rest: string): string[] => {
  const verb = /\b(?:compar\w*|contrasta\w*)\b/.exec(rest);
  if (!verb && !AGAINST.test(rest)) return [];
  const from = verb ? verb.index + verb[0].length : 0;
  const tail = rest.slice(from);
  const end = tail.search(/[:?;]|\.\s|\b(?:cuant[oa]s?|cual(?:es)?|quien(?:es)?|donde|how|which|where|en terminos|a ver)\b/);
  // "Compara cuánto se ha adjudicado a limpieza contra vigilancia": what is asked of both stands before them.
  const asksFirst = end >= 0 && tail.slice(0, end).trim() === '';
  const stop = asksFirst ? tail.search(/[:?;]|\.\s/) : end;
  const stretch = stop < 0 ? tail : tail.slice(0, stop);
  const sides = [
    ...stretch.matchAll(/(?:\s+(?:contra|vs\.?|versus|frente\s+a|comparad[oa]s?\s+con|against|y|e|o|con|and|or|with)\s+|[,;/])/g),
  ];
  const cuts = [0, ...sides.map((m) => m.index + m[0].length)];
  const parts = cuts.flatMap((at, i) => {
    const to = sides[i]?.index ?? stretch.length;
    const chunks = remains(given.slice(from + at, from + to), [ASKING, COMPANIES, CONTRACTS, COMPARED], []);
    // Without the word, the first side is what stands nearest to the mark.
    const chunk = chunks.find((one) => tradeOf(one.value) !== null) ?? (verb || i > 0 ? chunks[0] : chunks.at(-1));
    const value = chunk ? clean(chunk.value) : null;
    return value ? [value] : [];
  });
  const known = parts.filter((part) => tradeOf(part) !== null);
  if (known.length > 1) return once(known.map(fromEnglish));
  return AGAINST.test(stretch) && verb !== null && parts.length === 2 ? once(parts.map(fromEnglish)) : [];
};

const girosIn = (given: string, rest: string): string[] => {
  const compared = comparedIn(given, rest);
  if (compared.length > 1) return compared;
  for (const pattern of [AFTER_COMPANY, ...OTHER_WAYS]) {
    const match = written(given, rest, pattern);
    const value = match ? clean(match.value) : null;
    if (!match || !value) continue;
    const several = tradesOf(listFrom(given, rest, match.from));
    return (several.length > 0 ? several : [value]).map(fromEnglish);
  }
  return [];
};

const LEGAL =
  /,?\s+(?:S\.?\s?A\.?(?:\s?P\.?\s?I\.?)?(?:\s?B\.?)?(?:\s+de\s+C\.?\s?V\.?)?|S\.?\s+de\s+R\.?\s?L\.?(?:\s+de\s+C\.?\s?V\.?)?|S\.?\s?C\.?)(?![\p{L}])\.?/iu;
/** The company that a message is about: quoted, with its legal form, or (unless it points at the board) what remains when the words of asking are gone. */
export const accountIn = (
  given: string,
  flat: string,
  cut: ReadonlyArray<{ from: number; to: number }> = [],
  onlyNamed = false,
): string | null => {
  const quoted = /["«“]([^"»”]{2,80})["»”]/u.exec(given)?.[1]?.trim();
  if (quoted) return quoted;
  const legal = LEGAL.exec(given);
  const sets = [ASKING, PEOPLE, ACCOUNT];
  const head = legal ? remains(given.slice(0, legal.index), sets, []).at(-1) : undefined;
  if (head) return head.value;
  if (onlyNamed) return null;
  const chunks = remains(given, sets, cut);
  return pickName(chunks, flat);
};
const NAMED_AFTER =
  /\b(?:de|con|en|a|para|sobre|about|at|with|for|on|the|cuenta|grupo)\s+(?:la\s+|el\s+|los\s+de\s+|las\s+de\s+|cuenta\s+de\s+|empresa\s+)?$/;
const pickName = (chunks: readonly Chunk[], flat: string): string | null => {
  const after = chunks.filter((one) => NAMED_AFTER.test(flat.slice(0, one.from)));
  const best =
    after.findLast((one) => one.capital) ??
    chunks.find((one) => one.capital && one.from > 0) ??
    after.at(-1) ??
    chunks.find((one) => one.capital) ??
    chunks[0];
  const value = best?.value.replace(/^(?:la|el|los|las)\s+/i, '').trim() ?? '';
  return value.length >= 2 ? [...value].slice(0, 80).join('') : null;
};

/** Words of a topic that a message asks the team's playbook about. */
export const topicIn = (message: string): string | null => {
  const given = tidy(message);
  const chunks = remains(given, [ASKING, TOPIC], []);
  const value = chunks
    .map((one) => one.value)
    .join(' ')
    .trim();
  return value.length >= 3 ? [...value].slice(0, 120).join('') : null;
};

/** A message that changes what was asked before it: "mejor en Puebla", "solo grandes", "no, 50 son muchos". */
export const corrects = (flat: string): boolean =>
  /^(?:no[,.\s]|mejor\b|perdon|digo\b|quise decir|corrijo|corrige|cambia|ahora\b|y\s+(?:en|de|si|los|las|para|con|al|a)\b|solo\b|nomas\b|unicamente\b|que sean\b|l[oa]s mism[oa]s\b|filtra|quita|sin\b|instead|rather|actually|only\b|and in\b|make it|what about)|\b(?:en vez de|en lugar de|mejor (?:en|de|que|solo|con|para)|me equivoque|quise decir|instead of)\b/.test(
    flat.trim(),
  );

/** Short, and only about a filter: it says how to change the last request, not a new one. */
export const isRefinement = (reading: Reading): boolean => {
  const { flat } = reading;
  const words = flat.split(/\s+/).filter(Boolean).length;
  const says =
    reading.estado !== null || reading.tamano !== null || reading.comprador !== null || reading.periodo !== null || reading.giro !== null;
  return (
    words <= 9 &&
    says &&
    (corrects(flat) || (words <= 4 && !/\b(?:hola|gracias|busca|dame|cuant|quien|campana|guarda|correo|contacto)/.test(flat)))
  );
};
/** "Muéstramelos", "a ver cuáles son", "show me those": what was counted before, as rows. */
export const asksToShow = (flat: string): boolean =>
  /\b(?:muestra|ensena|manda|pasa|da|trae|lista|di)(?:me)?l[oa]s\b(?!\s+al?\b)|\bmuestramel[oa]s|ensenamel[oa]s|\b(?:a ver|dime)?\s*(?:cuales|quienes) son\b|\bshow (?:me )?(?:them|those)|list them|see them\b|\b(?:ver|verl[oa]s|quiero verl[oa]s)\s*(?:[.!?]|$)|\bver l[oa]s \d+|^(?:orale[, ]*)?(?:dame|pasame|muestrame|ver) (?:la )?lista\b|^(?:who|which ones) are they/.test(
    flat.trim(),
  );

export interface MessageContext {
  facts: Facts;
  board: Board;
  asked: string | null;
}
/**
 * What this message itself says of the facts. `corrects`: it replaces what was said before, because the person says so or asks anew with
 * another value; a bare mention fills gaps only.
 */
export const factsFromMessage = (
  message: string,
  context: MessageContext,
): { said: Partial<Record<FactKey, string>>; corrects: boolean } => {
  const reading = read(message);
  const said: Partial<Record<FactKey, string>> = {};
  const put = (key: FactKey, value: string | number | null): void => {
    if (value !== null && value !== '') said[key] = [...String(value)].slice(0, 300).join('');
  };
  const { flat } = reading;
  const aboutPeople =
    /\b(?:contactos?|correos?|telefonos?|decide|gerentes?|director|compradores|mails?|emails?|personas|quien\s+(?:ve|lleva|firma|compra)|contacts?|phones?|managers?|buyers?|decides|who\s+(?:handles|runs|buys|signs))\b/.test(
      flat,
    );
  const aboutAccount =
    /\b(?:que (?:se|sabemos|sigue|hago)|proximo paso|siguiente paso|cuenta de|ficha|historial de|en que (?:va|quedamos|etapa)|junta con|next step|account|know about|where are we with|meeting with)\b/.test(
      flat,
    );
  put('giro', reading.giro ?? (reading.comprador !== null ? reading.producto : null));
  put('estado', reading.estado);
  put('tamano', reading.tamano);
  put('comprador', reading.comprador);
  if (reading.comprador !== null || /\b(?:vendid|surt|gan[oó]|adjudic|award|sold)/.test(flat)) put('producto', reading.producto);
  put('periodo', reading.periodo);
  put('oferta', reading.oferta);
  if (aboutPeople || /\bcampa[nñ]a|llegar a|prospect/.test(flat)) put('cargo', reading.cargo);
  if (
    (aboutPeople || aboutAccount) &&
    reading.giro === null &&
    reading.comprador === null &&
    !/\b(?:est[aeo]s?|es[aeo]s?|ellos|ellas)\s+(?:cuentas?|empresas?)\b/.test(flat)
  )
    put('cuenta', reading.cuenta);
  if (/\b(?:playbook|equipo|objecion|sabemos de|vendemos)\b/.test(flat)) put('tema', topicIn(message));
  put('cantidad', reading.cantidad);
  const except =
    /\b(?:sin|excepto|menos|salvo|no quiero|quita(?:ndo)?|except|without)\s+(?:a\s+|los\s+de\s+|las\s+de\s+|el\s+|la\s+)?(.{3,60}?)(?=[,.;]|$)/.exec(
      flat,
    )?.[1];
  if (except && !/^(?:estado|campana|secuencia|guardar|gastar|costo|pagar)/.test(except)) put('exclusiones', except);

  // A short reply to the one thing that was asked is that thing.
  const asked = FACT_KEYS.find((key) => key === context.asked);
  if (
    asked &&
    said[asked] === undefined &&
    flat.split(/\s+/).length <= 6 &&
    !/^(?:si|no|ok|dale|claro|sale|va|yes|gracias|ninguno|no se)\b/.test(flat.trim())
  )
    put(asked, reading.given.replace(/^(?:de|del|en|a|al|para|con|los?|las?|el|pues|mmm|es)\s+/i, '').replace(/[.!?¡¿]+$/u, ''));
  const differs = FACT_KEYS.some(
    (key) => said[key] !== undefined && context.facts[key]?.status === 'dicho' && context.facts[key].value !== said[key],
  );
  return { said, corrects: differs || corrects(flat) };
};
