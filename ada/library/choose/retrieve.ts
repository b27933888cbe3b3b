import MiniSearch from 'minisearch';
import { fold } from '../text/fold.js';
import { speller, type Speller } from '../text/nearest.js';
import { stem } from '../text/stem.js';
import { words } from '../text/words.js';
import type { Skill } from '../types.js';
import { LEXICON } from './lexicon.js';
import { phrasesOf } from './phrases.js';
import { vocabulary } from './router.js';

/** The short list. Up to as many visible skills the whole list is shown and nothing is retrieved: a short list could only lose the right one. */
export const TOP = 15;
/** Example phrases that a skill of the short list shows. */
export const SHOWN_PHRASES = 2;

export interface Hit { name: string; score: number; phrases: string[] }
export interface Retriever { search(message: string, visible?: (name: string) => boolean): Hit[] }
/** Optional second opinion: embeddings of texts, same order. The library makes no calls; whoever has an endpoint passes this in. */
export type Embed = (texts: readonly string[]) => Promise<ReadonlyArray<readonly number[]>>;

const STOP = new Set('de del la las el los un una unos unas que en y o a al para por con sin se me te le les nos mi mis tu su sus lo es son esta este esto eso esa como mas muy ya si no hay qué the to of for in and my is are it this that with como cual porfa favor hola oye ayudame ayuda necesito quiero puedes podrias necesitamos quisiera'.split(' ').map(fold));

const terms = (text: string, spell?: Speller): string[] => {
  const mended = words(text).map((word) => spell?.correct(word.folded) ?? word.folded);
  const content = mended.filter((word) => !STOP.has(word)).map(stem);
  const concepts = mended.map(stem);
  const found = new Set<string>();
  for (let i = 0; i < concepts.length; i++) for (const { concept } of LEXICON.at(concepts, i)) found.add(`=${concept}`);
  return [...content, ...found];
};

interface Row { id: number; skill: string; kind: 'phrase' | 'description'; text: string }

/**
 * Nearest skills to a message, phrase against phrase: each example phrase and the description is a row of its own, a skill is as near as
 * its nearest phrase, helped a little by the others. Lexical, in memory.
 */
export const createRetriever = (skills: readonly Skill[]): Retriever => {
  const rows: Row[] = [];
  const raw = new Map<string, string[]>();
  for (const skill of skills) {
    const phrases = phrasesOf(skill).map((phrase) => phrase.text);
    raw.set(skill.name, phrases);
    for (const text of phrases) rows.push({ id: rows.length, skill: skill.name, kind: 'phrase', text });
    rows.push({ id: rows.length, skill: skill.name, kind: 'description', text: `${skill.name.replace(/-/g, ' ')} ${skill.description}` });
  }
  const spell = speller(vocabulary(rows.map((row) => row.text)));
  const index = new MiniSearch<Row>({ fields: ['text'], storeFields: ['skill', 'kind', 'text'], tokenize: (text) => terms(text), processTerm: (term) => term });
  index.addAll(rows);

  return {
    search: (message, visible = () => true) => {
      const query = terms(message, spell);
      if (query.length === 0) return [];
      const found = index.search(query.join(' '), { tokenize: (text) => text.split(' '), boostTerm: (term) => (term.startsWith('=') ? 0.4 : 1) });
      const bySkill = new Map<string, { scores: number[]; description: number; phrases: string[] }>();
      for (const result of found) {
        const name = String(result['skill']);
        if (!visible(name)) continue;
        const entry = bySkill.get(name) ?? { scores: [], description: 0, phrases: [] };
        if (result['kind'] === 'description') entry.description = result.score;
        else { entry.scores.push(result.score); if (entry.phrases.length < SHOWN_PHRASES) entry.phrases.push(String(result['text'])); }
        bySkill.set(name, entry);
      }
      return [...bySkill]
        .map(([name, { scores, description, phrases }]) => {
          const [first = 0, second = 0, third = 0] = scores;
          return { name, score: first + 0.35 * second + 0.2 * third + 0.5 * description, phrases: phrases.length > 0 ? phrases : (raw.get(name) ?? []).slice(0, SHOWN_PHRASES) };
        })
        .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
    },
  };
};
