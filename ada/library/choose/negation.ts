import type { Token } from './features.js';

/** What a message asks for, and what it says it does not want: "no quiero una secuencia, solo los contactos". */
export interface Polarity {
  asked: Token[];
  refused: Token[][];
}

/** After "no" these say that something is not wanted; "no sé", "no encuentro", "no tengo" are needs, not refusals. */
const WANT = new Set([
  'quiero',
  'queremos',
  'quiera',
  'necesito',
  'necesitamos',
  'ocupo',
  'ocupamos',
  'busco',
  'buscamos',
  'pedi',
  'interesa',
  'interesan',
  'hace',
  'hacen',
  'want',
  'need',
  'son',
  'es',
]);
/** Orders not to: "no busques", "no me mandes", "no los guardes", "don't send". */
const FORBID = /^(?:.{2,}(?:es|as)|haga|hagas|den|des|busque|mande|send|write|save|search|show|draft|give)$/;
const CLITIC = new Set(['me', 'te', 'se', 'nos', 'le', 'les', 'lo', 'la', 'los', 'las', 'ya', 'mas', 'to']);
/** Where the refusal ends and what is wanted begins. */
const TURN = new Set([
  'solo',
  'sino',
  'mejor',
  'pero',
  'nomas',
  'unicamente',
  'quiero',
  'dame',
  'dime',
  'just',
  'only',
  'but',
  'instead',
  'mas',
  'asi',
  'puro',
  'pura',
  'puros',
  'puras',
  'primero',
  'porque',
  'nadamas',
  'namas',
  'solamente',
  'simplemente',
  'sólo',
  'que',
]);
/** Words that look like "-es/-as" forms and are not orders. */
const NOT_ORDERS = new Set([
  'mas',
  'tienes',
  'sabes',
  'puedes',
  'has',
  'antes',
  'empresas',
  'hubieras',
  'estas',
  'seas',
  'contactos',
  'ves',
  'vas',
  'eres',
  'debes',
  'quieres',
  'crees',
  'entiendes',
  'todas',
  'hablas',
]);

/** What is asked after all: an order of the kind that "no" does not take. */
const ORDER =
  /^(?:busca|da|di|muestra|ensena|enseña|consigue|saca|trae|pasa|haz|arma|lista|guarda|escribe|revisa|checa|show|find|give|list|get)(?:me|nos|melos|melas|los|las)?$/;
const ENGLISH_ORDER = /^(?:show|find|give|list)$/;

const startsRefusal = (list: readonly Token[], i: number): number => {
  const word = (k: number): string => list[k]?.word.folded ?? '';
  const at = word(i);
  if (at === 'sin' || at === 'without') return 1;
  if (
    (at === 'nada' && word(i + 1) === 'de') ||
    (at === 'en' && (word(i + 1) === 'vez' || word(i + 1) === 'lugar') && word(i + 2) === 'de')
  )
    return at === 'nada' ? 2 : 3;
  if (at === 'instead' && word(i + 1) === 'of') return 2;
  if (at === 'olvida' || at === 'olvidate' || at === 'olvidalo') return 1;
  if (at === 'deja' && (word(i + 1) === 'de' || word(i + 1) === 'los' || word(i + 1) === 'las' || word(i + 1) === 'la')) return 1;
  if (at !== 'no' && at !== 'tampoco' && at !== "don't" && at !== 'dont' && at !== 'not' && at !== 'ni') return 0;
  // "Ni idea de cuántos hay" refuses nothing; "ni contactos ni correos" does.
  if (at === 'ni') return i > 0 || list.slice(i + 1).some((other) => other.word.folded === 'ni') ? 1 : 0;
  if ((at === 'not' || at === 'no') && word(i + 1) === 'the') return 1;
  // "Quiero empresas, no contactos": a bare thing in the plural.
  if (
    at === 'no' &&
    i > 0 &&
    /[,;:.—–(-]$/.test(list[i]?.word.before ?? '') &&
    (list[i + 1]?.concepts.length ?? 0) > 0 &&
    list[i + 1]?.word.before === '' &&
    /.{4}[oa]s$/.test(word(i + 1)) &&
    !/mos$/.test(word(i + 1))
  )
    return 1;
  let k = i + 1;
  while (CLITIC.has(word(k)) && k - i <= 3) k++;
  if (WANT.has(word(k))) return word(k) === 'es' || word(k) === 'son' ? (word(k + 1) === 'para' ? k - i + 1 : 0) : k - i + 1;
  if (FORBID.test(word(k)) && !NOT_ORDERS.has(word(k))) return k - i;
  // "no la secuencia", "no contactos": a bare thing refused, with an article or after a comma.
  if (
    (at === 'not' || at === 'no') &&
    k > i + 1 &&
    word(i + 1) !== 'me' &&
    word(i + 1) !== 'se' &&
    word(i + 1) !== 'te' &&
    word(i + 1) !== 'nos' &&
    /^(?:el|la|los|las)$/.test(word(i + 1)) &&
    (list[k]?.concepts.length ?? 0) > 0 &&
    !/[?]/.test(list[k]?.word.before ?? '')
  )
    return 1;
  return 0;
};

/** Splits a message where it says no. A refusal reaches to the next comma, full stop, or word that turns it around. */
export const polarity = (list: readonly Token[]): Polarity => {
  const asked: Token[] = [];
  const refused: Token[][] = [];
  for (let i = 0; i < list.length; i++) {
    const token = list[i];
    if (!token) continue;
    // "Las del CRM no, oportunidades nuevas": a bare no after what it refuses. With a comma before it, it asks for a yes.
    const after = list[i + 1];
    if (
      token.word.folded === 'no' &&
      asked.length > 0 &&
      token.word.before === '' &&
      (after === undefined || /^[,;.]/.test(after.word.before))
    ) {
      let start = asked.length - 1;
      while (start > 0 && !/[,.;:!?]/.test(asked[start]?.word.before ?? '')) start--;
      refused.push(asked.splice(start));
      continue;
    }
    const skip = startsRefusal(list, i);
    if (skip === 0) {
      asked.push(token);
      continue;
    }
    const part: Token[] = [];
    let k = i + skip;
    // The verb of a forbidding order tells what is forbidden ("no guardes").
    for (; k < list.length; k++) {
      const next = list[k];
      if (!next) break;
      if (part.length > 0 && (/[,.;:!?—–(\n-]/.test(next.word.before) || (TURN.has(next.word.folded) && next.word.folded !== 'que'))) break;
      const before = list[k - 1]?.word.folded ?? '';
      if (
        part.length > 0 &&
        (next.word.folded === 'ni' ||
          ENGLISH_ORDER.test(next.word.folded) ||
          (/^(?:y|e|and)$/.test(before) && ORDER.test(next.word.folded)))
      )
        break;
      // "En lugar de 50 que sean 35".
      if (part.length > 0 && next.word.folded === 'que' && /^(?:sean?|haya|quede[ns]?)$/.test(list[k + 1]?.word.folded ?? '')) break;
      if (part.length === 0 && TURN.has(next.word.folded) && next.word.folded !== 'que' && /[,.;]/.test(next.word.before)) break;
      part.push(next);
    }
    refused.push(part);
    i = k - 1;
  }
  return { asked, refused };
};
