import { fold } from '../text/fold.js';
import { stem } from '../text/stem.js';
import data from './data/lexicon.json' with { type: 'json' };

/** Concepts by stem sequence: words that mean the same to a seller ("surtir", "vender"), places, roles, public buyers. */
export interface Lexicon {
  /** Concepts of the phrase that starts at a word, longest first, with how many words it takes. */
  at(stems: readonly string[], index: number): Array<{ concept: string; length: number }>;
  /** Every folded word in it, for spelling. */
  words: ReadonlySet<string>;
}

const build = (source: Record<string, string[]>): Lexicon => {
  const byFirst = new Map<string, Array<{ rest: string[]; concept: string }>>();
  const words = new Set<string>();
  for (const [concept, phrases] of Object.entries(source)) {
    for (const phrase of phrases) {
      const parts = fold(phrase).split(/\s+/);
      for (const part of parts) words.add(part);
      const [first = '', ...rest] = parts.map(stem);
      const list = byFirst.get(first) ?? [];
      if (!list.some((e) => e.concept === concept && e.rest.join(' ') === rest.join(' '))) list.push({ rest, concept });
      byFirst.set(
        first,
        list.sort((a, b) => b.rest.length - a.rest.length),
      );
    }
  }
  return {
    words,
    at: (stems, index) =>
      (byFirst.get(stems[index] ?? '') ?? [])
        .filter(({ rest }) => rest.every((part, i) => stems[index + 1 + i] === part))
        .map(({ rest, concept }) => ({ concept, length: rest.length + 1 })),
  };
};

export const LEXICON = build(data);
