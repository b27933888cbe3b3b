import { z } from 'zod';
import { SIZE, type Reference, type Snapshot } from '../types.js';
import { visibility, type Access } from '../choose/states.js';
import { escapeText } from '../disclose/escape.js';
import { lookUpReference, lookUpSkill } from '../read/guard.js';
import { LibraryRefusal } from '../refusal.js';
import type { Belt, Opened } from './belt.js';

/** The three doors to the library that a model has. Small on purpose: they are in every request. */
export const SkillList = z.object({ category: z.string().max(64).optional() });
export const SkillOpen = z.object({ name: z.string().max(200) });
export const SkillReference = z.object({ skill: z.string().max(200), ref: z.string().max(200), offset: z.int().min(0).default(0) });

export interface LibraryTool {
  name: 'skill_list' | 'skill_open' | 'skill_reference';
  description: string;
  input: z.ZodType;
}
export const LIBRARY_TOOLS: readonly LibraryTool[] = [
  { name: 'skill_list', description: 'Recipes by category: name and when to use it.', input: SkillList },
  { name: 'skill_open', description: 'Opens a recipe: its instructions enter the prompt and its tools become callable.', input: SkillOpen },
  { name: 'skill_reference', description: 'A reference of an open recipe, or the shared limits, from an offset.', input: SkillReference },
];

export type Refused = { error: { code: string; params: Readonly<Record<string, string | number>>; suggestions?: readonly string[] } };
export interface Listed {
  skills: Array<{ name: string; category: string | null; description: string; open: boolean }>;
  hidden: Array<{ name: string; code: string; params: Record<string, string> }>;
}
/** A page of a reference: at most `SIZE.reference` characters, and where to go on; nothing is cut without saying so. */
export interface Page {
  skill: string;
  ref: string;
  digest: string;
  text: string;
  offset: number;
  total: number;
  next_offset: number | null;
}

const page = (skill: string, reference: Reference, offset: number): Page => {
  if (reference.text === null) throw new LibraryRefusal('reference_unreadable', { skill, ref: reference.name });
  const all = [...reference.text];
  const end = Math.min(all.length, offset + SIZE.reference);
  return {
    skill,
    ref: reference.name,
    digest: reference.digest,
    text: escapeText(all.slice(offset, end).join('')),
    offset,
    total: all.length,
    next_offset: end < all.length ? end : null,
  };
};

/** Name, description and category of what is there; what lacks a connection is listed apart with the reason, what is denied not at all. */
export const listSkills = (snapshot: Snapshot, access: Access, belt: Pick<Belt, 'isOpen'>, category?: string): Listed => {
  const listed: Listed = { skills: [], hidden: [] };
  for (const skill of [...snapshot.skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (category !== undefined && skill.category !== category) continue;
    const { hidden } = visibility(skill, access);
    if (!hidden)
      listed.skills.push({ name: skill.name, category: skill.category, description: skill.description, open: belt.isOpen(skill.name) });
    else if (hidden.code === 'skill_needs_integration' || hidden.code === 'skill_needs_capability')
      listed.hidden.push({ name: skill.name, code: hidden.code, params: hidden.params });
  }
  return listed;
};

export const readReference = (
  snapshot: Snapshot,
  belt: Pick<Belt, 'isOpen' | 'check'>,
  skillName: string,
  ref: string,
  offset = 0,
): Page => {
  // The belt knows who may see what, so that a misspelling does not bring up the name of what is denied.
  belt.check(skillName);
  const skill = lookUpSkill(snapshot, skillName);
  // Depth belongs to the procedure: without it, a reference is a fact without its use.
  if (!belt.isOpen(skill.name)) throw new LibraryRefusal('skill_not_open', { skill: skill.name });
  return page(skill.name, lookUpReference(snapshot, skill, ref), offset);
};

/**
 * Runs a library tool of the model with whatever arguments it sent. Everything that is refused comes back as a value that the model can
 * read and act on.
 */
export const runLibraryTool = (
  name: LibraryTool['name'],
  args: unknown,
  context: { snapshot: Snapshot; access: Access; belt: Belt },
): Listed | Opened | Page | Refused => {
  const { snapshot, access, belt } = context;
  try {
    const tool = LIBRARY_TOOLS.find((one) => one.name === name);
    const parsed = tool?.input.safeParse(args);
    if (!parsed?.success)
      throw new LibraryRefusal('arguments_invalid', {
        tool: name,
        reason: (parsed?.error.issues ?? [])
          .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
          .join('; ')
          .slice(0, 500),
      });
    switch (name) {
      case 'skill_list':
        return listSkills(snapshot, access, belt, (parsed.data as z.infer<typeof SkillList>).category);
      case 'skill_open':
        return belt.open((parsed.data as z.infer<typeof SkillOpen>).name, 'model');
      case 'skill_reference': {
        const { skill, ref, offset } = parsed.data as z.infer<typeof SkillReference>;
        return readReference(snapshot, belt, skill, ref, offset);
      }
    }
  } catch (error) {
    if (!(error instanceof LibraryRefusal)) throw error;
    return {
      error: { code: error.code, params: error.params, ...(error.suggestions.length > 0 ? { suggestions: error.suggestions } : {}) },
    };
  }
};
