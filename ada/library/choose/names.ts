import type { Word } from '../text/words.js';
import { LEXICON } from './lexicon.js';
import { stem } from '../text/stem.js';

/** Ends of company names in Mexico, and heads that only a name has in front of it. */
const SUFFIX = /^(?:sa|s\.a|s\.a\.|s\.a\.b|sab|srl|s\.c|s\.c\.|sapi|sofom|sc|s|s\.a\.p\.i)$/;
const LINK = new Set(['de', 'del', 'la', 'las', 'los', 'el', 'y', 'e', '&']);
const HEAD = new Set(['grupo', 'corporativo']);
/** Written with a capital by habit and no name. */
const HABIT = new Set([
  'crm',
  'ada',
  'excel',
  'ok',
  'gmail',
  'outlook',
  'whatsapp',
  'linkedin',
  'hola',
  'google',
  'rfc',
  'nda',
  'pdf',
  'csv',
  'iva',
  'lead',
  'leads',
  'ceo',
  'cfo',
  'cto',
  'rh',
  'mexico',
]);

/** Words that begin a sentence and no name: orders, questions, verbs of wishing, small words, greetings, jobs. */
const OPENERS = new Set(
  (
    'quiero quisiera necesito necesitamos ocupo busca buscame busco dame dime pasame mandame manda mandale consigue consigueme encuentra arma armame haz hazme muestra muestrame guarda guardame agrega ' +
    'revisa checa checame saca sacame trae traeme escribe escribele prepara cotiza revela abre compara cuenta cuentame investiga averigua que quien quienes cual cuales como cuando cuanto cuantos cuantas cuanta donde por para porque ' +
    'en de del el la los las un una a al y o con si no ya oye hola buenas buenos gracias ada hay tengo tenemos traigo vamos voy ayer hoy manana lunes martes miercoles jueves viernes sobre segun entre desde hasta mi mis nuestro nuestra ' +
    'empresas empresa proveedores proveedor contactos licitaciones ficha historial correo correos telefono gerente director jefe compradores find show get give what who how is are can do i we my the send write save'
  ).split(' '),
);
const opensName = (folded: string): boolean => folded.length > 3 && !OPENERS.has(folded);

/**
 * Which words are part of a proper name: what they say is who, not what is asked ("Grupo Contactos del Bajío"). Public buyers,
 * places and roles are known by the lexicon and stay words. A message all in capitals, or with one on every word, tells nothing.
 */
export const nameWords = (words: readonly Word[]): boolean[] => {
  const isName = words.map(() => false);
  const stems = words.map((word) => stem(word.folded));
  const capitals = words.filter((word) => word.capital && !word.first).length;
  const telling = words.length < 3 || capitals / words.length < 0.6;
  const isKnown = (i: number): boolean =>
    HABIT.has(words[i]?.folded ?? '') || LEXICON.at(stems, i).some(({ concept }) => concept === 'publico' || concept === 'estado_mx');
  // "Dame los CONTACTOS": somebody raises their voice.
  const isLoud = (i: number): boolean => Boolean(words[i]?.capitals) && LEXICON.at(stems, i).length > 0;
  const capitalAt = (i: number): boolean => telling && Boolean(words[i]?.capital) && !isKnown(i) && !isLoud(i);

  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (!word) continue;
    // Backwards from a legal form: everything with a capital, the first word too.
    if (i > 0 && SUFFIX.test(word.folded) && (word.folded !== 's' || words[i + 1]?.folded === 'de')) {
      for (let j = i; j >= 0 && (j === i || capitalAt(j) || (LINK.has(words[j]?.folded ?? '') && capitalAt(j - 1))); j--) isName[j] = true;
      // In small letters at least the word before it.
      if (!isName[i - 1]) isName[i - 1] = true;
      // "de CV", "de RL de CV", dotted or not; a "de" before anything else begins something new.
      while (words[i + 1]?.folded === 'de' && /^(?:cv|rl)$/.test(words[i + 2]?.folded.replace(/\./g, '') ?? '')) {
        isName[i + 1] = isName[i + 2] = true;
        i += 2;
      }
      continue;
    }
    if (HEAD.has(word.folded) && words[i + 1] && !LINK.has(words[i + 1]?.folded ?? '')) {
      isName[i] = isName[i + 1] = true;
      if (LINK.has(words[i + 2]?.folded ?? '') && words[i + 3]) isName[i + 2] = isName[i + 3] = true;
      continue;
    }
    // Every sentence starts with a capital; before another one a noun is part of a name ("Playbook Consultores es cliente"), a verb is not ("Dame Bimbo").
    if (word.first && !(words[i + 1] && capitalAt(i + 1) && !words[i + 1]?.before && (i > 0 || opensName(word.folded)))) continue;
    if (!capitalAt(i)) continue;
    isName[i] = true;
    // "Contactos y Relevadores": the small word between two capitals belongs to the name.
    if (LINK.has(words[i + 1]?.folded ?? '') && capitalAt(i + 2)) isName[i + 1] = true;
    if (LINK.has(words[i + 1]?.folded ?? '') && LINK.has(words[i + 2]?.folded ?? '') && capitalAt(i + 3))
      isName[i + 1] = isName[i + 2] = true;
  }
  return isName;
};
