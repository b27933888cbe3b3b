import { inOrder } from '../read/findings.js';
import { type Problem, type Skill, type Snapshot } from '../types.js';
import { LIBRARY_RULES, RULES } from './rules/index.js';
import { readSources, type Sources } from './sources.js';

export { LINT_CODES } from './rules/index.js';
export { type Sources } from './sources.js';

/**
 * The loader takes these and goes on; here they are errors. What is written in another form, is too long or needs a guess works today in
 * this reader and not in the next one.
 */
export const STRICT: ReadonlySet<string> = new Set([
  'portable_number',
  'portable_bool',
  'portable_null',
  'portable_date',
  'portable_list',
  'portable_unquoted',
  'key_unknown',
  'key_belongs_in_metadata',
  'description_long',
  'body_long',
  'reference_long',
  'version_missing',
  'requires_unknown',
  'skill_file_name',
  'fence_not_first',
  'reference_not_text',
]);

export interface LintOptions {
  /** Only what concerns this skill; rules about the library as a whole are left out. */
  skill?: string;
  /** From `readSources`, for lines of the body and for what loading merges. */
  sources?: Sources;
}

const concerns = (problem: Problem, skill: Skill): boolean =>
  (problem.root === undefined || problem.root === skill.root) &&
  problem.path.startsWith(skill.path.slice(0, skill.path.lastIndexOf('/') + 1));

/** Everything wrong with a library, what loading found included, in one order. Reads nothing. */
export const lintSnapshot = (snapshot: Snapshot, { skill: only, sources = new Map() }: LintOptions = {}): Problem[] => {
  const library = { snapshot, sources };
  const skills = [...snapshot.skills.values()].filter((s) => only === undefined || s.name === only);
  const loaded = snapshot.problems
    .filter((p) => only === undefined || skills.some((s) => concerns(p, s)) || p.path.split('/').includes(only))
    .map((p): Problem => (STRICT.has(p.code) ? { ...p, severity: 'error' } : p));
  const found = [
    ...skills.flatMap((skill) => RULES.flatMap((rule) => rule.check(skill, library))),
    ...(only === undefined ? LIBRARY_RULES.flatMap((rule) => rule.checkAll(library)) : []),
  ];
  return inOrder([...loaded, ...found]);
};

/** The same with lines, which means reading the files again. */
export const lintLibrary = async (snapshot: Snapshot, options: Omit<LintOptions, 'sources'> = {}): Promise<Problem[]> =>
  lintSnapshot(snapshot, { ...options, sources: await readSources(snapshot) });
