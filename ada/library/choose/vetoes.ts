import { fold } from '../text/fold.js';
import { stem } from '../text/stem.js';
import { words } from '../text/words.js';
import type { Token } from './features.js';

/** Most words that may stand between two of a phrase. */
const GAP = 1;

/** A phrase of `excluye`, as stems. */
export const vetoPhrase = (phrase: string): string[] => words(phrase).map((word) => stem(fold(word.raw)));

/** Whether the words of the phrase stand in the message in order, nearly side by side. */
export const says = (list: readonly Token[], phrase: readonly string[]): boolean => {
  if (phrase.length === 0) return false;
  const own = list.map((token) => (token.name ? '' : token.stem));
  for (let start = own.indexOf(phrase[0] ?? ''); start !== -1; start = own.indexOf(phrase[0] ?? '', start + 1)) {
    let at = start;
    let k = 1;
    for (; k < phrase.length; k++) {
      const next = own.indexOf(phrase[k] ?? '', at + 1);
      if (next === -1 || next - at > GAP + 1) break;
      at = next;
    }
    if (k === phrase.length) return true;
  }
  return false;
};
