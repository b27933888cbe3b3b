/** Edits between two words, a swap of neighbours counting as one; `max + 1` once it is more than `max`. */
export const edits = (a: string, b: string, max: number): number => {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      const value = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1), swap);
      next.push(value);
      best = Math.min(best, value);
    }
    if (best > max) return max + 1;
    before = row;
    row = next;
  }
  return Math.min(row[b.length] ?? max + 1, max + 1);
};

/** Every form of a word with up to `depth` letters left out. */
const shorter = (word: string, depth: number, into: Set<string>): void => {
  into.add(word);
  if (depth > 0) for (let i = 0; i < word.length; i++) shorter(word.slice(0, i) + word.slice(i + 1), depth - 1, into);
};

const allowed = (length: number): number => (length < 5 ? 0 : length < 9 ? 1 : 2);
/** A long word is told apart by its beginning; this many letters are enough and keep the table small. */
const PREFIX = 8;

export interface Speller {
  correct(word: string): string | null;
}

/** A word seen this seldom may be somebody's slip that got into the examples; one seen this often is a word. */
const SELDOM = 2;
const OFTEN = 8;
/** A slip of the fingers keeps the letters or loses or doubles one; another letter in its place may be another word ("correas"). */
const slipped = (word: string, other: string): boolean =>
  word.length !== other.length || [...word].sort().join('') === [...other].sort().join('');

/**
 * Finds the known word that a misspelt one stands for: one edit from five letters, two from nine, the same first letter or
 * the first two swapped; in words of three or four letters two neighbours swapped. Null when it is known and not rare, or like nothing.
 */
export const speller = (known: ReadonlyMap<string, number>): Speller => {
  const table = new Map<string, string[]>();
  for (const word of known.keys()) {
    if (word.length < 5 || /\d/.test(word)) continue;
    const forms = new Set<string>();
    shorter(word.slice(0, PREFIX), Math.min(allowed(word.length), 2), forms);
    for (const form of forms) {
      const list = table.get(form);
      if (list) list.push(word);
      else table.set(form, [word]);
    }
  }
  return {
    correct: (word) => {
      if (word.length < 3 || word.length > 24 || /\d/.test(word)) return null;
      const own = known.get(word) ?? 0;
      if (own > SELDOM) return null;
      if (word.length <= 4) {
        for (let i = 0; own === 0 && i + 1 < word.length; i++) {
          const swapped = word.slice(0, i) + (word[i + 1] ?? '') + (word[i] ?? '') + word.slice(i + 2);
          if ((known.get(swapped) ?? 0) >= OFTEN) return swapped;
        }
        if (word.length < 4 || own > 0) return null;
      }
      const max = Math.max(1, allowed(word.length));
      const forms = new Set<string>();
      shorter(word.slice(0, PREFIX), max, forms);
      const candidates = new Set<string>();
      for (const form of forms) for (const candidate of table.get(form) ?? []) candidates.add(candidate);
      let best: { word: string; distance: number; weight: number } | null = null;
      for (const candidate of candidates) {
        const sameStart = candidate[0] === word[0] || (candidate[0] === word[1] && candidate[1] === word[0]);
        if (!sameStart) continue;
        const distance = edits(word, candidate, Math.min(max, Math.max(1, allowed(candidate.length))));
        if (distance > max) continue;
        const weight = known.get(candidate) ?? 0;
        if (candidate === word || (own > 0 && (distance > 1 || weight < OFTEN || !slipped(word, candidate)))) continue;
        if (
          !best ||
          distance < best.distance ||
          (distance === best.distance && (weight > best.weight || (weight === best.weight && candidate < best.word)))
        )
          best = { word: candidate, distance, weight };
      }
      return best?.word ?? null;
    },
  };
};
