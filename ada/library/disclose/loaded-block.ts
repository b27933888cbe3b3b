import type { Skill, Snapshot } from '../types.js';
import { substitute, type Substitution } from '../read/variables.js';
import { escapeAttribute, escapeText } from './escape.js';
import { limitsExcerpt } from './limits.js';

export interface Loaded {
  skill: Skill;
  by: 'router' | 'model' | 'person' | 'always';
}

/**
 * The open recipes, as one system block, last in the prompt: opening one only adds to the end, so nothing before it is read anew.
 * Somebody else's recipe says so in its tag. `instruction` is a bundle's, before the bodies. `bodies` are those whose snippets were run
 * (shell/inline-shell.ts), by name; the others get their variables here.
 */
export const loadedBlock = (
  snapshot: Snapshot,
  loaded: readonly Loaded[],
  variables: Substitution,
  instruction = '',
  bodies: ReadonlyMap<string, string> = new Map(),
): string => {
  if (loaded.length === 0) return '';
  const blocks = loaded.map(
    ({ skill }) =>
      `<skill name="${escapeAttribute(skill.name)}" version="${escapeAttribute(skill.version)}"${skill.trust === 'tercero' ? ' origin="third-party"' : ''}>\n${escapeText((bodies.get(skill.name) ?? substitute(skill.body, skill, variables)).trim())}\n</skill>`,
  );
  const limits = limitsExcerpt(
    snapshot,
    loaded.map(({ skill }) => skill.name),
  );
  return [
    '<loaded_skills>',
    ...(instruction ? [`<instruction>\n${escapeText(instruction.trim())}\n</instruction>`] : []),
    ...blocks,
    ...(limits ? [`<limits>\n${escapeText(limits)}\n</limits>`] : []),
    '</loaded_skills>',
  ].join('\n');
};
