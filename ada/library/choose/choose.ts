import type { Skill, Snapshot } from '../types.js';
import { optionsOf, spreadOf } from './ambiguity.js';
import { tokens, type Token } from './features.js';
import { polarity } from './negation.js';
import { createRetriever, TOP, type Hit, type Retriever } from './retrieve.js';
import { createRouter, type Candidate, type Routed, type Router, type RouteState } from './router.js';
import { visibility, type Access } from './states.js';
import { says, vetoPhrase } from './vetoes.js';

/** A library up to this size is learnt whole; in a larger one the recipes of the platform are, and retrieval finds the others. */
export const LEARN_UP_TO = 24;

export interface Option {
  name: string;
  label: string;
}
export interface Choice {
  decision: 'inject' | 'suggest' | 'none' | 'clarify';
  candidates: Candidate[];
  /** One question, two or three plain options; with `clarify` only. */
  options: Option[];
  /** What the index shows: every visible skill, or the nearest ones with some of their phrases. */
  shortlist: Array<{ skill: Skill; phrases: string[] }>;
  retrieved: boolean;
  /** Every skill that has a score, best first, without those that were vetoed or refused; and the lead of the first over the second, 0 without one. */
  ranked: string[];
  margin: number;
}
export interface Chooser {
  /** `declined`: options of the question before, to which the person said "something else"; they are not offered again. */
  choose(message: string, context: { state?: RouteState; access: Access; declined?: readonly string[] }): Choice;
}

/** Longest label of a button. */
const LABEL_MAX = 60;

/** The heading of a recipe, in plain words: what a person is asked to choose between. One that is markup or too long gives way to the name. */
export const labelOf = (skill: Pick<Skill, 'body' | 'name'>): string => {
  const heading = (/^#[ \t]+(.+)$/m.exec(skill.body)?.[1] ?? '')
    .replace(/[*_`]+/g, '')
    .replace(/\s+#*\s*$/, '')
    .trim();
  return heading === '' || /[<>[\]{}\p{Cc}\p{Cf}]/u.test(heading) || [...heading].length > LABEL_MAX
    ? skill.name.replace(/-/g, ' ')
    : heading;
};

/** Lead of "no skill at all" over everything learnt from which a near hit is not even named: words are near something, whatever is said. */
const NOTHING = 0;

/** From which retrieval score on the best hit is worth naming; below it nothing in the library fits. */
export const HIT_FLOOR = 6;

/**
 * Chooses for one turn, from one snapshot: gates, pre-router, retrieval in a large library, question when the scores are clustered. No model and
 * no call. Building it learns from the phrases; keep it as long as the snapshot's digest holds.
 */
export const createChooser = (
  snapshot: Snapshot,
  make: { router: typeof createRouter; retriever: typeof createRetriever } = { router: createRouter, retriever: createRetriever },
): Chooser => {
  const all = [...snapshot.skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  let router: Router | null = null;
  let retriever: Retriever | null = null;
  const learnt = all.length <= LEARN_UP_TO ? all : all.filter((skill) => skill.trust === 'plataforma');
  // Those the router did not learn have their vetoes too.
  const vetoes = all
    .filter((skill) => !learnt.includes(skill) && skill.excluye.length > 0)
    .map((skill) => ({ name: skill.name, phrases: skill.excluye.map(vetoPhrase) }));

  /** What must not come up however near its words are: vetoed, refused, or a second proposal while one waits. */
  const barred = (routed: Routed, asked: readonly Token[], visible: (name: string) => boolean): ((name: string) => boolean) => {
    const allowed = new Set(routed.scores.filter(({ score }) => score > -Infinity).map(({ name }) => name));
    const out = new Set([
      ...learnt.filter((skill) => visible(skill.name) && !allowed.has(skill.name)).map((skill) => skill.name),
      ...vetoes.filter(({ phrases }) => phrases.some((phrase) => says(asked, phrase))).map(({ name }) => name),
    ]);
    return (name) => out.has(name);
  };

  return {
    choose: (message, { state = {}, access, declined = [] }) => {
      const there = new Map(all.filter((skill) => !visibility(skill, access).hidden).map((skill) => [skill.name, skill]));
      const visible = (name: string): boolean => there.has(name);
      router ??= make.router(
        learnt,
        all.filter((skill) => !learnt.includes(skill)),
      );
      const routed = router.route(message, state, (name) => visible(name) && !declined.includes(name));
      // A list that fits is shown whole: a short list could only lose the right one.
      if (there.size <= TOP) {
        const shortlist = [...there.values()].map((skill) => ({ skill, phrases: [] }));
        return { ...small(routed, there), shortlist, retrieved: false, ...ranking(routed) };
      }
      retriever ??= make.retriever(all);
      const hits = fuse(retriever.search(message, visible), routed);
      const top = hits.slice(0, TOP);
      const shortlist = top.flatMap(({ name, phrases }) => {
        const skill = there.get(name);
        return skill ? [{ skill, phrases }] : [];
      });
      // The index may show what is not wanted; what is proposed comes of what is.
      const { asked, refused } = polarity(tokens(message));
      const wanted =
        refused.length === 0
          ? hits
          : asked.length === 0
            ? []
            : fuse(retriever.search(asked.map((token) => token.word.raw).join(' '), visible), routed);
      const out = barred(routed, asked, visible);
      return {
        ...large(
          routed,
          wanted.filter(({ name }) => !out(name) && !declined.includes(name)),
          there,
        ),
        shortlist,
        retrieved: true,
        ranked: hits.map(({ name }) => name),
        margin: spreadOf(hits.map((hit) => hit.score)).margin,
      };
    },
  };
};

const ranking = ({ scores }: Routed): Pick<Choice, 'ranked' | 'margin'> => {
  const left = scores.filter(({ score }) => score > -Infinity);
  const [first, second] = left;
  return { ranked: left.map(({ name }) => name), margin: first && second ? first.score - second.score : 0 };
};

/** With all recipes in the index the router decides; unsure between two that stand close, it asks. */
const small = (routed: Routed, there: ReadonlyMap<string, Skill>): Pick<Choice, 'decision' | 'candidates' | 'options'> => {
  const [first, second] = routed.candidates;
  if (routed.decision !== 'suggest' || !first || !second || first.confidence - second.confidence > 0.15)
    return { decision: routed.decision, candidates: routed.candidates, options: [] };
  return { decision: 'clarify', candidates: routed.candidates, options: labelled(routed.candidates, there) };
};

const large = (
  routed: Routed,
  hits: readonly Hit[],
  there: ReadonlyMap<string, Skill>,
): Pick<Choice, 'decision' | 'candidates' | 'options'> => {
  if (routed.decision === 'inject') return { decision: 'inject', candidates: routed.candidates, options: [] };
  const [best] = hits;
  if (routed.nothing >= NOTHING) return { decision: 'none', candidates: [], options: [] };
  if (!best || best.score < HIT_FLOOR) return { decision: routed.decision, candidates: routed.candidates, options: [] };
  const total = hits.slice(0, TOP).reduce((sum, hit) => sum + hit.score, 0);
  const candidates = hits.slice(0, 2).map(({ name, score }) => ({ name, confidence: Math.round((score / total) * 1000) / 1000 }));
  if (spreadOf(hits.map((hit) => hit.score)).clustered)
    return { decision: 'clarify', candidates, options: labelled(optionsOf(hits), there) };
  return { decision: 'suggest', candidates: candidates.slice(0, 1), options: [] };
};

const labelled = (found: ReadonlyArray<{ name: string }>, there: ReadonlyMap<string, Skill>): Option[] =>
  found
    .flatMap(({ name }) => {
      const skill = there.get(name);
      return skill ? [{ name, label: labelOf(skill) }] : [];
    })
    // Two buttons that say the same are no question.
    .map((option, i, all) =>
      all.some((other, j) => j !== i && other.label === option.label) ? { ...option, label: option.name.replace(/-/g, ' ') } : option,
    );

/** A sure router lifts its recipe by up to this much of the best hit. */
const SURE_BONUS = 0.8;

/** What the router knows of the recipes it learnt counts for them in the common list. */
const fuse = (hits: readonly Hit[], routed: Routed): Hit[] => {
  const best = hits[0]?.score ?? 1;
  const sure = new Map(routed.candidates.map(({ name, confidence }) => [name, confidence]));
  const found = hits.map((hit) => ({ ...hit, score: hit.score + (sure.get(hit.name) ?? 0) * best * SURE_BONUS }));
  for (const { name } of routed.candidates)
    if (!hits.some((hit) => hit.name === name))
      found.push({ name, score: routed.decision === 'inject' ? best * 1.05 : best * 0.6, phrases: [] });
  return found.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
};
