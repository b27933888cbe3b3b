import { lintSnapshot } from '../lint/index.js';
import { readSources } from '../lint/sources.js';
import { loadSnapshot } from '../read/snapshot.js';
import { POLICY } from '../trust.js';
import type { Problem, Root, Skill, Snapshot } from '../types.js';
import { InstallRefusal } from './refusal.js';

/**
 * Lints skills as they would stand among the others: what they lead to and whose phrases they share is there, and nothing of theirs is
 * trusted for it. Only what concerns them is reported.
 */
export const lintAmong = async (
  own: Snapshot,
  others: readonly Snapshot[],
  names: readonly string[] = [...own.skills.keys()],
): Promise<Problem[]> => {
  const skills = new Map<string, Skill>([...others.flatMap((other) => [...other.skills]), ...own.skills]);
  const among: Snapshot = {
    ...own,
    skills,
    shared: new Map([...own.shared, ...others.flatMap((other) => [...other.shared])]),
    roots: [...own.roots, ...others.flatMap((other) => other.roots)],
  };
  const sources = await readSources(own);
  return names.flatMap((skill) => lintSnapshot(among, { skill, sources }));
};

export interface Passed {
  snapshot: Snapshot;
  skills: Skill[];
  warnings: Problem[];
}

/**
 * Loads what lies in quarantine by itself, under the trust that it would have, and asks the gates: it loads, the linter and the scan find
 * nothing that its trust does not allow. @throws InstallRefusal `gates` with everything found.
 */
export const passGates = async (root: Root, names: readonly string[], others: readonly Snapshot[]): Promise<Passed> => {
  if (typeof root.trust === 'function' || !POLICY[root.trust].installable) throw new InstallRefusal('trust_not_installable');
  const snapshot = await loadSnapshot([root]);
  const skills = names.flatMap((name) => snapshot.skills.get(name) ?? []);
  // One that does not even load has its reasons among the snapshot's own.
  const problems = [
    ...snapshot.problems.filter((p) => p.severity === 'error'),
    ...(await lintAmong(
      snapshot,
      others,
      skills.map((skill) => skill.name),
    )),
  ];
  const unique = [...new Map(problems.map((p) => [JSON.stringify([p.path, p.line, p.code, p.key, p.params]), p])).values()];
  const stops = unique.filter((p) => p.severity === 'error');
  if (stops.length > 0 || skills.length < names.length)
    throw new InstallRefusal('gates', { errors: stops.length, skills: names.length }, unique);
  return { snapshot, skills, warnings: unique };
};
