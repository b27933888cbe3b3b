import { readFileSync } from 'node:fs';
import type { Skill } from '../types.js';

/** Further example phrases of a skill, one a line: more than belong in front matter. */
export const PHRASES_FILE = 'assets/frases.txt';

/** A phrase, and the states in which it means what it means: `{run} en qué va`. */
export interface Phrase {
  text: string;
  states: string[];
}

const CONDITION = /^\{(run|sel|pend|last:[a-z0-9-]+)\}\s*/;

export const parsePhrase = (line: string): Phrase => {
  const states: string[] = [];
  let text = line.trim();
  for (let match = CONDITION.exec(text); match; match = CONDITION.exec(text)) {
    states.push(`#${match[1] ?? ''}`);
    text = text.slice(match[0].length);
  }
  return { text, states };
};

const lines = (text: string): Phrase[] =>
  text
    .split(/\r?\n/)
    .map(parsePhrase)
    .filter((phrase) => phrase.text !== '');

/** Everything somebody may say who means this skill. */
export const phrasesOf = (skill: Pick<Skill, 'gatillos' | 'references'>): Phrase[] => [
  ...skill.gatillos.map(parsePhrase),
  ...lines(skill.references.find((reference) => reference.name === PHRASES_FILE)?.text ?? ''),
];

let none: Phrase[] | null = null;
/** Messages that mean no skill: greetings, balances, answers to a card, other people's worlds. */
export const nonePhrases = (): Phrase[] => (none ??= lines(readFileSync(new URL('./data/none.txt', import.meta.url), 'utf8')));

/** `n` of a list, from its whole length. */
export const evenly = <T>(list: readonly T[], n: number): T[] =>
  list.length <= n ? [...list] : list.filter((_, i) => Math.floor((i * n) / list.length) !== Math.floor(((i - 1) * n) / list.length));
