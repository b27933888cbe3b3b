import { fold } from './fold.js';

/**
 * How a word sounds in Mexican Spanish, as letters: b and v, c and s and z, k and qu, ll and y, g and j, a silent h, m before p, letters struck
 * twice. Words that sound alike are one word to somebody who writes by ear.
 */
export const soundOf = (word: string): string =>
  fold(word)
    .replace(/ch/g, '1')
    .replace(/ll/g, 'y')
    .replace(/h/g, '')
    .replace(/qu(?=[ei])/g, 'k')
    .replace(/q(?=[ao])/g, 'ku')
    .replace(/q/g, 'k')
    .replace(/x(?=[ei])/g, 's')
    .replace(/gu(?=[ei])/g, 'g')
    .replace(/g(?=[ei])/g, 'j')
    .replace(/c(?=[ei])/g, 's')
    .replace(/c/g, 'k')
    .replace(/z/g, 's')
    .replace(/v/g, 'b')
    .replace(/w/g, 'u')
    .replace(/m(?=[pb])/g, 'n')
    .replace(/(.)\1+/g, '$1');

/** Vowels that are taken for one another by ear; any other letter in a letter's place makes another word ("modelos" is not Morelos). */
const NEAR = new Set(['ou', 'uo', 'ei', 'ie']);
/** Slips between two sounds: a letter too many, one missing, two swapped, a near vowel. `max + 1` once they are more than `max`. */
const slipsBetween = (a: string, b: string, max: number): number => {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const [x, y] = [a[i - 1] ?? '', b[j - 1] ?? ''];
      const swap = i > 1 && j > 1 && x === b[j - 2] && a[i - 2] === y ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          x === y ? (row[j - 1] ?? 0) : NEAR.has(x + y) ? (row[j - 1] ?? 0) + 1 : Infinity,
          swap,
        ),
      );
    }
    if (Math.min(...next) > max) return max + 1;
    before = row;
    row = next;
  }
  return row[b.length] ?? max + 1;
};

/** A word that may be meant. `least`: how long its sound must be for one slip to be forgiven; three letters more bear two. `bends`: it has other endings. */
export interface Meant {
  word: string;
  least: number;
  bends: boolean;
}
export interface Listener {
  /** The word of the table that this one stands for; null when it is one, is like none, or is another word. */
  hear(word: string): string | null;
}

/** Most words whose answer is kept. */
const KEPT = 20_000;

/**
 * A table of words that people mean, to be found by ear and within few slips.
 * @param other words that sound like one of the table and are another ("vota" is not bota).
 * @param isWord words that are known to be right: they may sound like one of the table, but are never a slip of it.
 */
export const listener = (meant: readonly Meant[], other: ReadonlySet<string>, isWord: (word: string) => boolean): Listener => {
  const own = new Set(meant.map(({ word }) => word));
  const bySound = new Map<string, Meant>();
  for (const one of meant) {
    const sound = soundOf(one.word);
    if (!bySound.has(sound)) bySound.set(sound, one);
  }
  const byStart = new Map<string, Array<Meant & { sound: string }>>();
  for (const [sound, one] of bySound) byStart.set(sound[0] ?? '', [...(byStart.get(sound[0] ?? '') ?? []), { ...one, sound }]);

  const find = (word: string): string | null => {
    if (own.has(word) || other.has(word) || /\d/.test(word) || word.length > 24) return null;
    const sound = soundOf(word);
    // Struck twice, an l is one l: "morellos".
    const same = bySound.get(sound) ?? (/ll/.test(word) ? bySound.get(soundOf(word.replace(/ll/g, 'l'))) : undefined);
    if (same !== undefined && sound.length > 2) return same.word;
    if (isWord(word)) return null;
    let best: { word: string; slips: number } | null = null;
    for (const one of byStart.get(sound[0] ?? '') ?? []) {
      const bears = sound.length >= one.least + 3 ? 2 : sound.length >= one.least ? 1 : 0;
      if (bears === 0 || best?.slips === 1) continue;
      // Another ending makes another word: "directo", "restaurantero".
      if (one.bends && (sound.startsWith(one.sound) || one.sound.startsWith(sound))) continue;
      const slips = slipsBetween(sound, one.sound, bears);
      if (slips <= bears && (best === null || slips < best.slips)) best = { word: one.word, slips };
    }
    return best?.word ?? null;
  };
  const answers = new Map<string, string | null>();
  return {
    hear: (word) => {
      const known = answers.get(word);
      if (known !== undefined) return known;
      const found = find(word);
      if (answers.size >= KEPT) answers.clear();
      answers.set(word, found);
      return found;
    },
  };
};
