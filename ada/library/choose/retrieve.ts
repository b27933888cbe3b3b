import MiniSearch from 'minisearch';
import { fold } from '../text/fold.js';
import { speller, type Speller } from '../text/nearest.js';
import { stem } from '../text/stem.js';
import { words } from '../text/words.js';
import type { Skill } from '../types.js';
import { evenly, phrasesOf } from './phrases.js';
import { vocabulary } from './router.js';

/** The short list. Up to as many visible skills the whole list is shown and nothing is retrieved: a short list could only lose the right one. */
export const TOP = 15;
/** Example phrases that a skill of the short list shows. */
export const SHOWN_PHRASES = 2;

export interface Hit {
  name: string;
  score: number;
  phrases: string[];
}
export interface Retriever {
  search(message: string, visible?: (name: string) => boolean): Hit[];
}

const STOP = new Set(
  (
    'de del la las el los un una unos unas que en y o a al para por con sin se me te le les nos mi mis tu su sus lo es son esta este esto eso esa como mas muy ya si no hay ' +
    'qué cual porfa favor hola oye the to of for in and my is are it this that with'
  )
    .split(' ')
    .map(fold),
);

/** What a text is searched by: words, pairs of neighbours, and pieces of words, which a slip or an unknown form leaves whole. */
interface Terms {
  words: string[];
  pairs: string[];
  pieces: string[];
}
const PIECE = 4;

const termsOf = (text: string, spell?: Speller): Terms => {
  const stems = words(text)
    .map((word) => spell?.correct(word.folded) ?? word.folded)
    .filter((word) => !STOP.has(word))
    .map(stem);
  const pairs = stems.flatMap((one, i) =>
    [stems[i + 1], stems[i + 2]].flatMap((other) => (other === undefined ? [] : [`${one}+${other}`])),
  );
  const pieces = stems
    .filter((one) => one.length > PIECE)
    .flatMap((one) => {
      const padded = `<${one}>`;
      return Array.from({ length: padded.length - PIECE + 1 }, (_, i) => padded.slice(i, i + PIECE));
    });
  return { words: [...new Set(stems)], pairs: [...new Set(pairs)], pieces: [...new Set(pieces)] };
};

/** Phrases of a skill that count: with ten times as many as its neighbours it would be near everything. */
const PHRASES = 60;

/** Weights of the three, and BM25+: many phrases with the word count little more than one, and long lists of phrases are not held against a skill. */
const BOOST = { words: 1, pairs: 0.7, pieces: 0.15 };
const BM25 = { k: 4, b: 0.2, d: 0.5 };
const FIELDS = ['words', 'pairs', 'pieces'] as const;

interface Document {
  id: number;
  words: string;
  pairs: string;
  pieces: string;
}

/**
 * Nearest skills to a message by what people say who want them: all example phrases of a skill, its name and its description are one document.
 * Lexical, in memory, own and platform skills in one space. The phrases of a hit are those nearest to the message.
 */
export const createRetriever = (skills: readonly Skill[]): Retriever => {
  const phrases = skills.map((skill) =>
    evenly(
      phrasesOf(skill).map((phrase) => phrase.text),
      PHRASES,
    ),
  );
  const names = skills.map((skill) => skill.name.replace(/-/g, ' '));
  const spell = speller(vocabulary([...phrases.flat(), ...skills.map((skill) => skill.description)]));
  const known = phrases.map((list) => list.map((text) => ({ text, words: termsOf(text).words })));
  const index = new MiniSearch<Document>({ fields: [...FIELDS], tokenize: (text) => text.split(' '), processTerm: (term) => term });
  index.addAll(
    skills.map((skill, id) => {
      const all = [...(phrases[id] ?? []), `${names[id] ?? ''} ${skill.description}`, names[id] ?? ''].map((text) => termsOf(text));
      const joined = (field: keyof Terms): string => all.flatMap((terms) => terms[field]).join(' ');
      return { id, words: joined('words'), pairs: joined('pairs'), pieces: joined('pieces') };
    }),
  );

  /** Phrases that share most words with the message; the first ones where none does. */
  const nearest = (id: number, wanted: ReadonlySet<string>): string[] =>
    (known[id] ?? [])
      .map((phrase, at) => ({
        ...phrase,
        at,
        shared: phrase.words.filter((word) => wanted.has(word)).length / Math.sqrt(phrase.words.length || 1),
      }))
      .sort((a, b) => b.shared - a.shared || a.at - b.at)
      .slice(0, SHOWN_PHRASES)
      .map(({ text }) => text);

  return {
    search: (message, visible = () => true) => {
      const terms = termsOf(message, spell);
      if (terms.words.length === 0) return [];
      const found = index.search(
        {
          combineWith: 'OR',
          queries: FIELDS.filter((field) => terms[field].length > 0).map((field) => ({
            fields: [field],
            queries: [terms[field].join(' ')],
          })),
        },
        { boost: BOOST, bm25: BM25 },
      );
      const wanted = new Set(terms.words);
      return found
        .flatMap((hit) => {
          const name = skills[Number(hit.id)]?.name;
          return name !== undefined && visible(name) ? [{ id: Number(hit.id), name, score: hit.score }] : [];
        })
        .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
        .map(({ id, name, score }, place) => ({ name, score, phrases: place < TOP ? nearest(id, wanted) : [] }));
    },
  };
};
