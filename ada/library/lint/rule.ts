import { CATALOGUE } from '../../../contracts/tools/catalogue.js';
import { SESSION_TOOLS } from '../../../contracts/profiles/index.js';
import { type ToolContract } from '../../../contracts/tools/common.js';
import { type Body, readBody } from '../read/body.js';
import { type Problem, type Skill, type Snapshot } from '../types.js';
import { type Source, type Sources } from './sources.js';

export const TOOLS: ReadonlyMap<string, ToolContract> = new Map(CATALOGUE.map((t) => [t.name, t]));
export const IN_SESSION: ReadonlySet<string> = new Set(SESSION_TOOLS);
/** The reference that tells what a campaign does with the skill; the only place that may name its paid tools. */
export const BACKGROUND = 'references/en-segundo-plano.md';

/** What a rule may look at beside the skill itself. */
export interface Library {
  snapshot: Snapshot;
  sources: Sources;
}

/** One thing that can be wrong with a skill. Codes are stable; their text and fix are in the catalog under `library.<code>`. */
export interface Rule {
  codes: readonly string[];
  check(skill: Skill, library: Library): Problem[];
}
/** One thing that can be wrong with a library as a whole. */
export interface LibraryRule {
  codes: readonly string[];
  checkAll(library: Library): Problem[];
}

type Where = Pick<Problem, 'key' | 'params'> & {
  /** Line of the body, from 1. */
  at?: number;
  /** A file beside the skill, and its line. */
  reference?: string;
  line?: number;
};

/** Problems of one skill, with the line in the file where it is known. */
export interface Report {
  error(code: string, where?: Where): void;
  warn(code: string, where?: Where): void;
  problems: Problem[];
}

export const pathBeside = (skill: Skill, name: string): string => `${skill.path.slice(0, skill.path.lastIndexOf('/') + 1)}${name}`;

export const report = (skill: Skill, library: Library): Report => {
  const problems: Problem[] = [];
  const source: Source | undefined = library.sources.get(skill);
  const add = (severity: Problem['severity'], code: string, { at, reference, line, ...where }: Where = {}): void => {
    const found =
      line ??
      (at !== undefined ? source && source.bodyLine + at - 1 : where.key !== undefined ? source?.matter.get(where.key)?.line : undefined);
    problems.push({
      severity,
      code,
      path: reference === undefined ? skill.path : pathBeside(skill, reference),
      root: skill.root,
      ...where,
      ...(found === undefined ? {} : { line: found }),
    });
  };
  return { error: (code, where) => add('error', code, where), warn: (code, where) => add('warning', code, where), problems };
};

const bodies = new WeakMap<Skill, Body>();
/** The body by its template, read once per skill. */
export const bodyOf = (skill: Skill): Body => {
  const known = bodies.get(skill);
  if (known) return known;
  const body = readBody(skill.body);
  bodies.set(skill, body);
  return body;
};

/** Line of the body at which step `number` begins. */
export const stepLine = (skill: Skill, number: number): number | undefined => {
  const from = bodyOf(skill).sections.find((s) => s.heading === 'Pasos')?.line ?? 0;
  const index = skill.body.split('\n').findIndex((line, i) => i >= from && new RegExp(`^ {0,3}${number}[.)]\\s`).test(line));
  return index < 0 ? undefined : index + 1;
};
