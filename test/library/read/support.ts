import { expect } from 'vitest';
import { hasText } from '../../../contracts/catalog/index.js';
import { memoryStore } from '../../../ada/library/read/memory-store.js';
import { problemText } from '../../../ada/library/read/problem-text.js';
import { loadSnapshot } from '../../../ada/library/read/snapshot.js';
import type { Problem, Root, Skill, Snapshot, Store } from '../../../ada/library/types.js';

export const root = (store: Store, over: Partial<Root> = {}): Root => ({
  id: 'platform',
  store,
  trust: 'plataforma',
  shell: false,
  directory: null,
  ...over,
});
export const load = (files: Record<string, string | Uint8Array>): Promise<Snapshot> => loadSnapshot([root(memoryStore(files))]);

/** A file with these lines of front matter and a body. */
export const file = (matter: string, body = '# Uno\n\n## Pasos\n\n1. Haz algo.\n'): string => `---\n${matter}\n---\n\n${body}`;
export const skillFile = (name: string, description = 'Hace algo.', more = ''): string =>
  file(`name: ${name}\ndescription: ${description}\nmetadata:\n  version: "1.0.0"${more}`);

export interface One {
  skill: Skill | undefined;
  problems: readonly Problem[];
  codes: string[];
}
/** One skill called `uno` in a root of its own. */
export const one = async (content: string | Uint8Array): Promise<One> => {
  const { skills, problems } = await load({ 'uno/SKILL.md': content });
  for (const problem of problems) expectExplained(problem);
  return { skill: skills.get('uno'), problems, codes: problems.map((p) => p.code) };
};

/** Every problem says where it is, and has a text and a way out in both languages whose parameters are all there. */
export const expectExplained = (problem: Problem): void => {
  expect(problem.code).toMatch(/^[a-z][a-z0-9_]*$/);
  expect(hasText(`library.${problem.code}`), problem.code).toBe(true);
  for (const language of ['es-MX', 'en'] as const) {
    const { message, fix } = problemText(problem, language);
    expect(`${message} ${fix}`, problem.code).not.toMatch(/library\.\w|\{\w+[,}]/);
    expect(fix.length).toBeGreaterThan(5);
  }
};
