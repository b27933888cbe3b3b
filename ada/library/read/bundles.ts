import type { Bundle, Problem } from '../types.js';
import { readText } from './bytes.js';
import { nameOf, oneLine, tokens } from './contract.js';
import { findingsOf } from './findings.js';
import { readMatter } from './front-matter.js';
import type { FileRead } from './skill.js';

/** `bundles/<name>.yaml`: recipes that are opened together, with what to do with them. */
export const BUNDLE_FILE = /^bundles\/([^/]+)\.ya?ml$/;
const KEYS = new Set(['name', 'description', 'skills', 'instruction']);

export const readBundle = (file: FileRead, root: string): { bundle: Bundle | null; problems: Problem[] } => {
  const findings = findingsOf(file.path, root);
  if (file.bytes === null) {
    findings.refuse(file.refused ?? 'file_unreadable');
    return { bundle: null, problems: findings.problems };
  }
  // A YAML file may begin with `---`; blanking it keeps the lines' numbers.
  const text = readText(file.bytes, findings).replace(/^---[ \t]*(?=\n|$)/, '');
  const matter = readMatter(text, 1, findings, false);
  for (const [key, value] of matter) if (!KEYS.has(key)) findings.warn('key_unknown', { key, line: value.line });
  const name = nameOf(matter.get('name'), BUNDLE_FILE.exec(file.path)?.[1] ?? '', findings);
  const skills = tokens(matter.get('skills'));
  if (skills.length === 0) findings.refuse('bundle_empty', { key: 'skills' });
  if (!name || !findings.usable) return { bundle: null, problems: findings.problems };
  const bundle: Bundle = {
    name,
    description: oneLine(matter.get('description')?.text ?? ''),
    skills,
    instruction: (matter.get('instruction')?.text ?? '').trim(),
    digest: file.digest,
    root,
    path: file.path,
  };
  return { bundle, problems: findings.problems };
};
