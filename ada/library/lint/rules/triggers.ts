import { type Skill, type Snapshot } from '../../types.js';
import { report, type Rule } from '../rule.js';

const FEWEST = 5;
const said = (phrase: string): string =>
  phrase
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const indexes = new WeakMap<Snapshot, Map<string, Set<string>>>();
/** Which skills claim a phrase. */
const claims = (snapshot: Snapshot): Map<string, Set<string>> => {
  const known = indexes.get(snapshot);
  if (known) return known;
  const index = new Map<string, Set<string>>();
  for (const skill of snapshot.skills.values())
    for (const g of skill.gatillos) index.set(said(g), (index.get(said(g)) ?? new Set()).add(skill.name));
  indexes.set(snapshot, index);
  return index;
};

/** Phrases that fire a skill: enough of them, claimed by one skill only, and not vetoed by its own exclusions. */
export const triggers: Rule = {
  codes: ['triggers_few', 'trigger_shared', 'trigger_vetoed', 'trigger_shadowed'],
  check: (skill: Skill, library) => {
    const found = report(skill, library);
    const key = 'metadata.gatillos';
    if (skill.gatillos.length < FEWEST) found.error('triggers_few', { key, params: { count: skill.gatillos.length, least: FEWEST } });
    const vetoes = skill.excluye.map((phrase) => ({ phrase, text: said(phrase) })).filter((v) => v.text !== '');
    for (const phrase of skill.gatillos) {
      const text = said(phrase);
      const others = [...(claims(library.snapshot).get(text) ?? [])].filter((name) => name !== skill.name);
      if (others.length > 0) found.error('trigger_shared', { key, params: { phrase, skill: others.join(', ') } });
      const veto = vetoes.find((v) => v.text === text) ?? vetoes.find((v) => ` ${text} `.includes(` ${v.text} `));
      if (veto?.text === text) found.error('trigger_vetoed', { key: 'metadata.excluye', params: { phrase } });
      else if (veto) found.warn('trigger_shadowed', { key: 'metadata.excluye', params: { phrase, veto: veto.phrase } });
    }
    return found.problems;
  },
};
