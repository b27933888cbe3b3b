import { same, tidy } from './text.js';
import { mended } from './spelling.js';
import { refused, wishOf } from './wishes.js';

/** From this many words on a message is a story with a wish somewhere in it. */
const STORY = 40;
/** Where somebody comes to the point. */
const POINT = new RegExp(
  "(?:^|[.,;:!?¿¡]\\s*|\\b(?:y|entonces|pero|que|asi que|so|and|but|anything else|nada)\\s+)((?:lo (?:primero )?que (?:yo )?(?:quiero|quisiera|necesito|ocupo|me falta|busco|me interesa)|quiero|quisiera|queremos|necesito|necesitamos|ocupo|ocupamos|me gustaria|nos gustaria|me (?:puedes|podrias|ayudas|das|pasas)|puedes|podrias|dime|dame|pasame|busca(?!\\w*r\\b)\\w*|encuentra(?!\\w*r\\b)\\w*|arranca(?!\\w*r\\b)\\w*|arma(?!\\w*r\\b)\\w*|lanza(?!\\w*r\\b)\\w*|haz(?!\\w*r\\b)\\w*|prepara(?!\\w*r\\b)\\w*|redacta(?!\\w*r\\b)\\w*|escrib\\w+|consigue(?!\\w*r\\b)\\w*|saca(?:me|nos)|recuerda(?!\\w*r\\b)\\w*|refresca(?!\\w*r\\b)\\w*|muestra(?!\\w*r\\b)\\w*|ensena(?!\\w*r\\b)\\w*|guarda(?!\\w*r\\b)\\w*|revisa(?!\\w*r\\b)\\w*|cuant[oa]s?|quien(?:es)?|could you|can you|i need|i want|i'd like|i would like|please|tell me|find|show|how many|who)\\b)|\\s((?:dime|dinos|dame|danos|pasame|muestrame|ensename|buscame|consigueme|hazme|ayudame|tell me|show me|find me|give me)\\b)",
  'dg',
);

/** The part of a long message in which it comes to the point, to the end of its sentence; null where it is short or never does. The last one counts. */
export const heartOf = (message: string): string | null => {
  const given = mended(tidy(message));
  const flat = same(given);
  if (flat.split(/\s+/).length <= STORY) return null;
  let heart: string | null = null;
  let covered = 0;
  for (const match of flat.matchAll(POINT)) {
    const from = (match.indices?.[1] ?? match.indices?.[2])?.[0];
    // Inside the one before it: that one says the whole of it.
    if (from === undefined || from < covered) continue;
    const end = /[.?!](?:\s|$)/.exec(flat.slice(from));
    const to = end ? from + end.index : flat.length;
    const part = flat.slice(from, to);
    if (refused(part) || wishOf(part) === null) continue;
    heart = given.slice(from, to).trim();
    covered = to;
  }
  return heart;
};
