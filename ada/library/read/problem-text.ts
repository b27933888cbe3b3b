import { text, type Language } from '../../../contracts/catalog/index.js';
import type { Problem } from '../types.js';

/** What is wrong and what to do about it, for a person. */
export const problemText = (problem: Problem, language: Language = 'es-MX'): { message: string; fix: string } => {
  const params = { key: problem.key ?? '', path: problem.path, line: problem.line ?? 0, ...problem.params };
  return { message: text(language, `library.${problem.code}`, params), fix: text(language, `library.${problem.code}.fix`, params) };
};
