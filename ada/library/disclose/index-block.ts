import type { Skill } from '../types.js';
import { escapeAttribute, escapeText } from './escape.js';

/** From this size on the whole list gives way to the nearest few (choose/retrieve.ts). */
export const WHOLE_UP_TO = 11;

/**
 * What the model always sees of skills that are not open: name, when to use them, sorted by name; so the bytes change only when the
 * library or somebody's access does. `phrases` are shown in a short list only, where one phrase tells more than a definition.
 */
export const indexBlock = (skills: readonly Skill[], phrases: ReadonlyMap<string, readonly string[]> = new Map()): string => {
  const sorted = [...skills].sort((a, b) => (a.name < b.name ? -1 : 1));
  const rows = sorted.map((skill) => {
    const said = phrases.get(skill.name) ?? [];
    return `<skill name="${escapeAttribute(skill.name)}">${escapeText(skill.description)}${said.length > 0 ? ` Ej.: ${escapeText(said.join(' / '))}` : ''}</skill>`;
  });
  return ['<available_skills>', ...rows, '</available_skills>'].join('\n');
};
