import { type Meter } from './finding.js';
import { type Word } from './normalise.js';

/**
 * Phrases as data, matched in one pass without backtracking over the text. A pattern is words in order:
 * `ignora|ignore ~4 instrucciones|reglas ~3 anterior* !a` — alternatives with `|`, `~n` at most n words in between (a sentence
 * end costs three), a prefix with `*`, and at the end `!x|y`: not when one of these follows. Lower case, without accents.
 */
export interface Phrase {
  rule: string;
  elements: Element[];
  notBefore: ReadonlySet<string>;
  /** The phrase itself begins with a negation, or is one that no negation excuses. */
  negationCounts: boolean;
}
interface Element {
  words: ReadonlySet<string>;
  prefixes: readonly string[];
  gap: number;
}

export interface PhraseMatch {
  rule: string;
  from: number;
  to: number;
  disguised: boolean;
}

const NEGATIONS = new Set([
  'no',
  'ni',
  'nunca',
  'jamas',
  'tampoco',
  'evita',
  'evitar',
  'prohibido',
  'sin',
  'nadie',
  'nada',
  'never',
  'not',
  'dont',
  'doesnt',
  'cannot',
  'cant',
  'wont',
  'avoid',
  'without',
  'nobody',
]);
/** After one of these a negation turns round: "no dudes en", "do not forget to". */
const TURNS_ROUND = new Set([
  'dudes',
  'dude',
  'olvides',
  'olvide',
  'dejes',
  'deje',
  'solo',
  'importa',
  'hesitate',
  'forget',
  'fail',
  'only',
  'just',
  'matter',
  'tengas',
  'temas',
]);
const NEGATIVE_START = new Set(['no', 'nunca', 'never', 'dont', 'ya']);
const SENTENCE_COST = 3;
const NEGATION_REACH = 3;

export const phrase = (rule: string, pattern: string, options: { negationCounts?: boolean } = {}): Phrase => {
  const elements: Element[] = [];
  let gap = 0;
  let notBefore: ReadonlySet<string> = new Set();
  for (const part of pattern.split(' ').filter((p) => p !== '')) {
    if (part.startsWith('~')) gap = Number(part.slice(1));
    else if (part.startsWith('!')) notBefore = new Set(part.slice(1).split('|'));
    else {
      const all = part.split('|');
      elements.push({
        words: new Set(all.filter((w) => !w.endsWith('*'))),
        prefixes: all.filter((w) => w.endsWith('*')).map((w) => w.slice(0, -1)),
        gap,
      });
      gap = 0;
    }
  }
  const first = elements[0];
  if (!first) throw new Error(`empty pattern: ${rule}`);
  const negationCounts = options.negationCounts ?? [...first.words].some((w) => NEGATIVE_START.has(w));
  return { rule, elements, notBefore, negationCounts };
};

const holds = (e: Element, w: Word): 'plain' | 'alt' | null => (hit(e, w.text) ? 'plain' : w.alt !== null && hit(e, w.alt) ? 'alt' : null);
const hit = (e: Element, text: string): boolean => e.words.has(text) || e.prefixes.some((p) => text.startsWith(p));

export interface Matcher {
  match(words: readonly Word[], meter?: Meter): PhraseMatch[];
  vocabulary: ReadonlySet<string>;
}

export const matcher = (phrases: readonly Phrase[]): Matcher => {
  const byFirst = new Map<string, Phrase[]>();
  const byPrefix: Phrase[] = [];
  const vocabulary = new Set<string>();
  for (const p of phrases) {
    for (const e of p.elements) {
      for (const w of e.words) if (w.length > 1) vocabulary.add(w);
      for (const w of e.prefixes) vocabulary.add(w);
    }
    for (const w of p.elements[0]!.words) byFirst.set(w, [...(byFirst.get(w) ?? []), p]);
    if (p.elements[0]!.prefixes.length > 0) byPrefix.push(p);
  }
  const match = (words: readonly Word[], meter: Meter = { steps: 0 }): PhraseMatch[] => {
    const found: PhraseMatch[] = [];
    words.forEach((w, i) => {
      meter.steps++;
      const candidates = new Set(byFirst.get(w.text));
      if (w.alt !== null) for (const p of byFirst.get(w.alt) ?? []) candidates.add(p);
      for (const p of byPrefix) if (holds(p.elements[0]!, w)) candidates.add(p);
      for (const p of candidates) {
        if (!p.negationCounts && negated(words, i)) continue;
        const end = follow(p, words, i, meter);
        if (end === null) continue;
        const span = words.slice(i, end + 1);
        const disguised = span.some((s) => s.disguised || (s.alt !== null && !vocabulary.has(s.text) && vocabulary.has(s.alt)));
        found.push({ rule: p.rule, from: w.from, to: words[end]!.to, disguised });
      }
    });
    return found;
  };
  return { match, vocabulary };
};

/**
 * Index of the last word of the phrase that starts at `i`, or null. All places where an element may stand are followed at once: one
 * pass over the words within reach for each element.
 */
const follow = (p: Phrase, words: readonly Word[], i: number, meter: Meter): number | null => {
  let ends: ReadonlySet<number> = new Set([i]);
  let last = i;
  for (const e of p.elements.slice(1)) {
    const next = new Set<number>();
    let skipped = Infinity;
    for (let j = [...ends][0]! + 1; j < words.length && (j <= last + 1 || skipped <= e.gap); j++) {
      meter.steps++;
      skipped = ends.has(j - 1) ? 0 : skipped + 1;
      if (words[j]!.sentence) skipped += SENTENCE_COST;
      if (skipped <= e.gap && holds(e, words[j]!)) next.add(j);
    }
    if (next.size === 0) return null;
    ends = next;
    last = [...next].at(-1)!;
  }
  return [...ends].find((end) => !p.notBefore.has(words[end + 1]?.text ?? '')) ?? null;
};

const negated = (words: readonly Word[], i: number): boolean => {
  for (let k = i; k > 0 && k > i - NEGATION_REACH; k--) {
    if (words[k]!.pause) return false;
    const before = words[k - 1]!.text;
    if (TURNS_ROUND.has(before)) return false;
    if (NEGATIONS.has(before)) return true;
  }
  return false;
};
