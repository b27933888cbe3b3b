import { escapeText } from '../disclose/escape.js';
import { SIZE, type Problem, type Reference, type Skill, type Trust } from '../types.js';
import { readText, utf8OrNull } from './bytes.js';
import { readContract } from './contract.js';
import { lengthOf, sha256Of } from './digest.js';
import { splitFence } from './fence.js';
import { findingsOf, type Findings } from './findings.js';
import { readMatter } from './front-matter.js';

/** One file as read; `bytes` null when it could not be, with the code of why. */
export interface FileRead {
  path: string;
  bytes: Uint8Array | null;
  digest: string;
  refused?: string;
}

/** A folder that holds a SKILL.md, with everything in it. */
export interface Folder {
  root: string;
  trust: Trust;
  path: string;
  name: string;
  category: string | null;
  main: FileRead;
  files: readonly FileRead[];
}

/** `usable` false: left out of the snapshot, and `problems` tells why. The skill is there all the same when it could be read, for the linter. */
export interface SkillRead {
  skill: Skill | null;
  usable: boolean;
  problems: readonly Problem[];
}

const READABLE = ['references/', 'templates/', 'assets/'];

/** A file beside a recipe, or a shared one. A text that hides something is listed and not readable. */
export const readReference = (file: FileRead, name: string, findings: Findings): Reference | null => {
  if (file.bytes === null) {
    findings.error(file.refused ?? 'file_unreadable');
    return null;
  }
  const utf8 = utf8OrNull(file.bytes) !== null;
  if (!utf8 && name.startsWith('references/')) findings.warn('reference_not_text');
  const binary = !utf8 || (!name.startsWith('references/') && file.bytes.includes(0));
  const text = binary ? null : readText(file.bytes, findings);
  const size = text === null ? 0 : lengthOf(text);
  if (name.startsWith('references/') && size > SIZE.reference) findings.warn('reference_long', { params: { size, limit: SIZE.reference } });
  return { name, text: findings.usable ? text : null, bytes: file.bytes.length, digest: file.digest };
};

export const readSkill = (folder: Folder): SkillRead => {
  const { root, trust, path, name: folderName, category, main, files } = folder;
  const findings = findingsOf(main.path, root);
  const beside: Problem[] = [];
  const references: Reference[] = [];
  let scripts = false;
  for (const file of files) {
    if (file === main) continue;
    const inner = file.path.slice(path.length + 1);
    const about = findingsOf(file.path, root);
    if (READABLE.some((prefix) => inner.startsWith(prefix))) {
      const reference = readReference(file, inner, about);
      if (reference) references.push(reference);
    } else if (file.bytes === null && file.refused) about.error(file.refused);
    else if (inner.startsWith('scripts/') && !scripts) {
      scripts = true;
      about.warn('scripts_unused');
    }
    beside.push(...about.problems);
  }
  const all = (): Problem[] => [...findings.problems, ...beside];
  if (!main.path.endsWith('/SKILL.md')) findings.warn('skill_file_name');
  if (main.bytes === null) {
    findings.refuse(main.refused ?? 'file_unreadable');
    return { skill: null, usable: false, problems: all() };
  }
  const fenced = splitFence(readText(main.bytes, findings), findings);
  if (!fenced) return { skill: null, usable: false, problems: all() };
  const contract = readContract(readMatter(fenced.matter, fenced.matterLine, findings), folderName, findings);
  const body = fenced.body.trim();
  // As the prompt shows it: a body of brackets is longer there.
  const size = lengthOf(escapeText(body));
  if (size === 0) findings.refuse('body_empty', { line: fenced.bodyLine });
  else if (size > SIZE.body) findings.warn('body_long', { line: fenced.bodyLine, params: { size, limit: SIZE.body } });
  if (!contract) return { skill: null, usable: false, problems: all() };

  references.sort((a, b) => (a.name < b.name ? -1 : 1));
  const digest = sha256Of(files.map((file) => [file.path.slice(path.length + 1), file.digest]));
  const skill: Skill = { ...contract, category, body, references, digest, trust, root, path: main.path };
  return { skill, usable: findings.usable, problems: all() };
};
