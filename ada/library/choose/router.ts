import { STEP_SKILL } from '../../../contracts/states.js';
import type { Skill } from '../types.js';
import { speller } from '../text/nearest.js';
import { words } from '../text/words.js';
import { features, tokens, type Familiar, type Token } from './features.js';
import { learn, type Example, type Linear } from './model.js';
import { mended } from '../../understand/spelling.js';
import { LEXICON } from './lexicon.js';
import { polarity } from './negation.js';
import { evenly, nonePhrases, phrasesOf } from './phrases.js';
import { says, vetoPhrase } from './vetoes.js';

/** What the turn knows before the model is asked. */
export interface RouteState {
  stage?: 'sin_criterio' | 'buscando' | 'con_seleccion' | 'con_lista' | 'decision_pendiente';
  /** Rows selected on the board. */
  selection?: number;
  /** Kinds of the decisions that wait for a tap. */
  pending?: readonly string[];
  /** A campaign is open. */
  run?: boolean;
  /** The skill that closed the turn before. */
  last?: string;
}

export interface Candidate {
  name: string;
  confidence: number;
}
export interface Routed {
  /** `inject`: the body comes in. `suggest`: named only. `none`: nothing fits, a valid outcome. */
  decision: 'inject' | 'suggest' | 'none';
  /** Up to two, best first. */
  candidates: Candidate[];
  /** Log-odds that the message means no skill at all, neither one of these nor another of the library. */
  nothing: number;
  /** Log-odds of every visible skill, best first: what the ambiguity gate looks at. */
  scores: Array<{ name: string; score: number }>;
}
export interface Router {
  route(message: string, state?: RouteState, visible?: (name: string) => boolean): Routed;
}

/**
 * Log-odds. A skill is named when it is at least `NAMED` and leads "none of them" by `OVER_NONE`; its body comes in when it is also `SURE` and
 * leads the next skill by `LEAD`, or both are so sure that two things were asked for. Tuned on evals/routing/tuned.jsonl.
 */
export const NAMED = -2;
export const OVER_NONE = 1.7;
export const SURE = 3.2;
export const LEAD = 2.5;
/** Two wishes in one message: both at least this sure, and a word between them that adds one to the other. */
export const BOTH = 2.2;
const ADDS = /^(?:y|e|and|luego|despues|ademas|tambien|then|also|plus)$/;
/** An answer to a card or to Ada, and nothing else: what it answers is not a recipe's business. */
const REPLY =
  /^(?:si|no|ok|okay|va|dale|sale|claro|simon|nel|orale|listo|perfecto|adelante|vale|yes|yep|nope|sure|gracias|please|porfa|ya|esta|bien|de|acuerdo|todavia|aun|mejor)$/;
const REPLY_WORDS = 3;

/** A refusal takes a skill out when what is refused sounds like it at least this much, and the rest not clearly. */
const REFUSED = 0;
const CLEARLY = 1.4;
/** The label of the examples that mean no skill at all, and of those that mean one which retrieval finds. */
const NONE = '';
const OTHERS = '#others';

/** They end in a decision: with one pending, none of them puts a second one on the table. */
const PROPOSES: ReadonlySet<string> = new Set([STEP_SKILL.s2, STEP_SKILL.s4, STEP_SKILL.s6]);

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

export const stateMarks = (state: RouteState): string[] => [
  ...(state.run ? ['#run'] : []),
  ...((state.selection ?? 0) > 0 || state.stage === 'con_seleccion' ? ['#sel'] : []),
  ...((state.pending?.length ?? 0) > 0 || state.stage === 'decision_pendiente' ? ['#pend'] : []),
  ...(state.last ? [`#last:${state.last}`] : []),
];

export const vocabulary = (phrases: readonly string[]): Map<string, number> => {
  const known = new Map<string, number>();
  for (const word of LEXICON.words) known.set(word, 1);
  for (const phrase of phrases) for (const word of words(phrase)) known.set(word.folded, (known.get(word.folded) ?? 0) + 1);
  return known;
};

interface Raw {
  label: string;
  asked: Token[];
  states: readonly string[];
}

/** Phrases of a skill that is not learnt, by which the others learn what they are not. */
const OTHERS_PHRASES = 10;

/**
 * Learns from the phrases of the skills; a twelfth one brings its own. About a second for some thousand phrases. `others` are skills of the same
 * library that retrieval finds: what people say who want those is none of these.
 */
export const createRouter = (skills: readonly Skill[], others: readonly Skill[] = []): Router => {
  const sorted = [...skills].sort((a, b) => (a.name < b.name ? -1 : 1));
  const phrases = [
    ...sorted.flatMap((skill) => phrasesOf(skill).map((phrase) => ({ ...phrase, label: skill.name }))),
    ...nonePhrases().map((phrase) => ({ ...phrase, label: NONE })),
    ...others.flatMap((skill) => evenly(phrasesOf(skill), OTHERS_PHRASES).map((phrase) => ({ ...phrase, label: OTHERS }))),
  ];
  const raw: Raw[] = phrases.map(({ text, states, label }) => ({ label, asked: polarity(tokens(text)).asked, states }));
  const times = new Map<string, number>();
  for (const { asked } of raw) for (const one of new Set(asked.map((token) => token.stem))) times.set(one, (times.get(one) ?? 0) + 1);
  const familiar: Familiar = (one) => (times.get(one) ?? 0) > 1;
  const examples: Example[] = raw.map(({ label, asked, states }) => ({ label, features: features(asked, states, familiar) }));
  const model: Linear = learn(examples, [...sorted.map((skill) => skill.name), NONE, ...(others.length > 0 ? [OTHERS] : [])]);
  const spell = speller(vocabulary(phrases.map((phrase) => phrase.text)));
  const vetoes = new Map(sorted.map((skill) => [skill.name, skill.excluye.map(vetoPhrase)]));

  const scored = (list: readonly Token[], states: readonly string[]): Map<string, number> => {
    const found = model.score(features(list, states, familiar));
    return new Map(model.labels.map((name, i) => [name, found[i] ?? -Infinity]));
  };

  return {
    route: (said, state = {}, visible = () => true) => {
      const message = mended(said);
      const { asked, refused } = polarity(tokens(message, spell));
      const states = stateMarks(state);
      const all = tokens(message);
      if (all.length <= REPLY_WORDS && all.every((token) => REPLY.test(token.word.folded)))
        return { decision: 'none', candidates: [], nothing: Infinity, scores: [] };
      const found = scored(asked, states);
      const nothing = found.get(NONE) ?? 0;
      const elsewhere = found.get(OTHERS) ?? -Infinity;
      const none = Math.max(nothing, elsewhere);
      for (const label of [NONE, OTHERS]) found.delete(label);
      const meaningless = nothing - Math.max(elsewhere, ...found.values());
      for (const part of refused) {
        if (part.length === 0) continue;
        for (const [name, score] of scored(part, []))
          if (name !== NONE && name !== OTHERS && score >= REFUSED && (found.get(name) ?? -Infinity) < CLEARLY) found.set(name, -Infinity);
      }
      for (const [name, excluded] of vetoes) if (excluded.some((phrase) => says(asked, phrase))) found.set(name, -Infinity);
      // What was asked for must wait: nothing that is merely second takes its place.
      let waits = -Infinity;
      if (states.includes('#pend'))
        for (const name of PROPOSES) {
          waits = Math.max(waits, found.get(name) ?? -Infinity);
          found.delete(name);
        }
      const scores = [...found]
        .filter(([name]) => visible(name))
        .map(([name, score]) => ({ name, score }))
        .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
      const [first, second] = scores;
      const fits = (score: number): boolean => score >= NAMED && score - none >= OVER_NONE;
      if (asked.length === 0 || !first || !fits(first.score) || first.score < waits)
        return { decision: 'none', candidates: [], nothing: meaningless, scores };
      const candidate = ({ name, score }: { name: string; score: number }): Candidate => ({
        name,
        confidence: Math.round(sigmoid(Math.min(score, score - none)) * 1000) / 1000,
      });
      const candidates = [first, ...(second && fits(second.score) ? [second] : [])].map(candidate);
      const two =
        second !== undefined &&
        second.score >= BOTH &&
        first.score >= BOTH &&
        asked.some((token) => ADDS.test(token.word.folded) || /[,;.]/.test(token.word.before));
      const sure = first.score >= SURE && (first.score - (second?.score ?? -Infinity) >= LEAD || two);
      if (!sure) return { decision: 'suggest', candidates, nothing: meaningless, scores };
      return { decision: 'inject', candidates: two ? candidates : candidates.slice(0, 1), nothing: meaningless, scores };
    },
  };
};
