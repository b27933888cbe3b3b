import { fold } from './fold.js';

export interface Word {
  /** As written, and folded. */
  raw: string;
  folded: string;
  /** Index of its first character in the text. */
  at: number;
  /** It starts with a capital; whether it is all capitals. */
  capital: boolean;
  capitals: boolean;
  /** A sentence or the message starts here. */
  first: boolean;
  /** What stands between it and the word before: '' for a space, a new line for one, else its marks. */
  before: string;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[.'’&@_+-](?=[\p{L}\p{N}])[\p{L}\p{N}\p{M}]+)*/gu;

/** No word is longer than this; what is, is no word, and reading it letter by letter would take minutes. */
const LONGEST = 64;

/** Words of a text with what capitals and marks say about them. Never more than `max` words, each cut at `LONGEST`. */
export const words = (text: string, max = 400): Word[] => {
  const found: Word[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const raw = match[0].slice(0, LONGEST);
    const between = text.slice(end, match.index);
    // A new line parts as a full stop does, and trimming would lose it.
    const before = between.trim() || (/[\n\r]/.test(between) && found.length > 0 ? '\n' : '');
    found.push({
      raw,
      folded: fold(raw),
      at: match.index,
      before,
      capital: /^\p{Lu}/u.test(raw),
      capitals: raw.length > 1 && /^[\p{Lu}\p{N}.&-]+$/u.test(raw) && /\p{Lu}/u.test(raw),
      first: found.length === 0 || /[.!?¿¡\n:]/.test(before),
    });
    end = match.index + match[0].length;
    if (found.length === max) break;
  }
  return found;
};
