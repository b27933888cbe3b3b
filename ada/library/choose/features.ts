import { stem } from '../text/stem.js';
import { words, type Word } from '../text/words.js';
import type { Speller } from '../text/nearest.js';
import { LEXICON } from './lexicon.js';
import { nameWords } from './names.js';

/** Words that carry nothing between two that do. */
const ARTICLES = new Set([
  'el',
  'la',
  'los',
  'las',
  'un',
  'una',
  'unos',
  'unas',
  'lo',
  'the',
  'a',
  'an',
  'porfa',
  'xfa',
  'favor',
  'pls',
  'please',
  'oye',
  'hola',
  'ada',
  'ahorita',
  'ps',
  'pues',
  'wey',
  'güey',
]);
const SHORT = new Map<string, string>(
  Object.entries({
    q: 'que',
    k: 'que',
    ke: 'que',
    qe: 'que',
    xq: 'porque',
    pq: 'porque',
    x: 'por',
    tmb: 'tambien',
    tb: 'tambien',
    d: 'de',
    dnd: 'donde',
    kien: 'quien',
    qien: 'quien',
    kienes: 'quien',
    cnts: 'cuantos',
    ctos: 'cuantos',
    kuantos: 'cuantos',
    kuantas: 'cuantas',
    ahi: 'hay',
    ai: 'hay',
    msj: 'mensaje',
    emp: 'empresa',
    prov: 'proveedor',
    provs: 'proveedores',
    lic: 'licitacion',
    lics: 'licitaciones',
    cont: 'contacto',
    pa: 'para',
    nomas: 'solo',
    namas: 'solo',
    nadamas: 'solo',
    solamente: 'solo',
    just: 'solo',
    only: 'solo',
  }),
);

export interface Token {
  word: Word;
  stem: string;
  /** Concepts that start here, and whether it is part of a proper name. */
  concepts: string[];
  name: boolean;
  /** What stands for it in sequences: its concept if it has one, else its stem. */
  symbol: string;
}

/** Words of a message with spelling mended, stems, concepts and names. */
export const tokens = (text: string, speller?: Speller): Token[] => {
  const all = words(text);
  const names = nameWords(all);
  const mended = all.map((word, i) => (names[i] ? word.folded : (SHORT.get(word.folded) ?? speller?.correct(word.folded) ?? word.folded)));
  const stems = mended.map((word, i) => (names[i] ? `#${word}` : /^\d+([.,]\d+)*$/.test(word) ? '#num' : stem(word)));
  return all.map((word, i) => {
    const name = names[i] ?? false;
    const concepts = name ? [] : [...new Set(LEXICON.at(stems, i).map(({ concept }) => concept))];
    return { word, stem: stems[i] ?? '', concepts, name, symbol: name ? '#nombre' : concepts[0] ? `=${concepts[0]}` : (stems[i] ?? '') };
  });
};

/** A word that no two example phrases share: a product, a town, a company in small letters. */
const RARE = '#rara';
export type Familiar = (stem: string) => boolean;

/** Names in a row count as one, and so do rare words. */
const symbolsOf = (list: readonly Token[], familiar: Familiar): string[] => {
  const out: string[] = [];
  for (const token of list) {
    if (!token.name && ARTICLES.has(token.word.folded)) continue;
    const symbol = token.name || token.concepts.length > 0 || familiar(token.stem) ? token.symbol : RARE;
    if ((symbol === '#nombre' || symbol === RARE) && out.at(-1) === symbol) continue;
    out.push(symbol);
  }
  return out;
};

/** Letters of a piece of a word: what a slip leaves whole. */
const GRAM = 4;

/** What a message is made of, as features: words, concepts, pairs near each other, pieces of words, how it begins. */
export const features = (list: readonly Token[], states: readonly string[] = [], familiar: Familiar = () => true): string[] => {
  const found = new Set<string>();
  const symbols = symbolsOf(list, familiar);
  for (const token of list) {
    if (token.name) {
      found.add('u:#nombre');
      continue;
    }
    if (!ARTICLES.has(token.word.folded)) found.add(`u:${token.stem}`);
    if (token.concepts.length === 0 && !familiar(token.stem)) found.add(`u:${RARE}`);
    for (const concept of token.concepts) found.add(`c:${concept}`);
    const padded = `<${token.stem}>`;
    if (token.stem.length >= 5) for (let i = 0; i + GRAM <= padded.length; i++) found.add(`g:${padded.slice(i, i + GRAM)}`);
  }
  symbols.forEach((symbol, i) => {
    const [next, after, third] = [symbols[i + 1], symbols[i + 2], symbols[i + 3]];
    if (next) found.add(`b:${symbol} ${next}`);
    if (after) found.add(`s:${symbol} ${after}`);
    if (third) found.add(`s:${symbol} ${third}`);
    if (next && after) found.add(`t:${symbol} ${next} ${after}`);
  });
  const conceptSet = [...new Set(list.flatMap((token) => token.concepts))].sort();
  for (let i = 0; i < conceptSet.length; i++)
    for (let j = i + 1; j < conceptSet.length; j++) found.add(`p:${conceptSet[i]} ${conceptSet[j]}`);
  if (symbols[0]) found.add(`f:${symbols[0]}`);
  found.add(symbols.length <= 3 ? 'l:short' : symbols.length <= 8 ? 'l:mid' : 'l:long');
  const plain = [...found];
  for (const state of states) {
    found.add(`u:${state}`);
    for (const feature of plain) if (/^[ucfl]:/.test(feature)) found.add(`${state}&${feature}`);
  }
  return [...found];
};
