import { LibraryRefusal } from '../refusal.js';
import { fold } from '../text/fold.js';
import { edits } from '../text/nearest.js';
import type { Reference, Skill, Snapshot } from '../types.js';

export { LibraryRefusal };

/**
 * Names and references are looked up in a snapshot, never joined into a path: nothing here touches a file. A text that tries to be a path is
 * told apart from a misspelling, since only the latter deserves suggestions.
 */
export const PATH_REASONS = [
  'empty',
  'long',
  'control',
  'encoded',
  'backslash',
  'drive',
  'absolute',
  'dots',
  'lookalike',
  'trailing',
  'link',
  'unlisted',
] as const;
export type PathReason = (typeof PATH_REASONS)[number];

const MAX_LENGTH = 200;
// Characters that look like a dot or a slash, or become one when a file system folds them.
const DOTS_OR_SLASHES = new RegExp(
  `[${[
    '\u2024-\u2026\u3002\uFE52\uFE30\uFE19\uFF0E\uFF61\u0701\u0702\uA4F8\u00B7',
    '\u2044\u2215\u29F8\u27CB\uFF0F\u1735\u2571',
    '\u2216\u29F5\u29F9\uFE68\uFF3C\u2572',
  ].join('')}]`,
  'u',
);
const hasControl = (text: string): boolean => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);

/** Why a text may not even be looked up; null when it may. */
export const pathReason = (text: string): PathReason | null => {
  if (text.trim() === '') return 'empty';
  if (text.length > MAX_LENGTH) return 'long';
  if (hasControl(text)) return 'control';
  if (/%[0-9a-f]{2}|%u[0-9a-f]{4}|&#|\\[ux][0-9a-f]{2}/i.test(text)) return 'encoded';
  if (text.includes('\\')) return 'backslash';
  if (text.includes(':')) return 'drive'; // also streams (`a.md::$DATA`) and URLs
  if (text.startsWith('/') || text.startsWith('~')) return 'absolute';
  if (DOTS_OR_SLASHES.test(text) || [...text].some((char) => !'./'.includes(char) && /[./\\]/.test(char.normalize('NFKC'))))
    return 'lookalike';
  const segments = text.split('/');
  if (segments.some((s) => s === '' || s === '.' || s === '..' || /^\.+\s*$/.test(s))) return 'dots';
  if (segments.some((s) => /[. ]$|^ /.test(s))) return 'trailing'; // Windows drops them, so two names would be one file
  return null;
};

const plain = (text: string): string => fold(text).replace(/[\s_-]+/g, '-');

/** Up to three names near a misspelt one. */
export const suggest = (text: string, names: Iterable<string>): string[] => {
  const wanted = plain(text.slice(0, MAX_LENGTH));
  const limit = Math.max(1, Math.min(4, Math.floor(wanted.length / 3)));
  const near = [...names].map((name) => {
    const candidate = plain(name);
    const inside = wanted.length >= 4 && (candidate.includes(wanted) || wanted.includes(candidate));
    return { name, far: inside ? 0.5 : edits(wanted, candidate, limit) };
  });
  return near
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
};

/** Shown in messages: never more than a line, never something that would break out of it. */
const shown = (text: string): string =>
  [...text]
    .filter((char) => !hasControl(char))
    .slice(0, 80)
    .join('');
const check = (text: string): void => {
  const reason = pathReason(text);
  if (reason) throw new LibraryRefusal('path_refused', { name: shown(text), reason });
};

/** What the caller may see; a skill that is denied must not show up in suggestions either. */
export type Visible = (name: string) => boolean;
const all: Visible = () => true;

export const lookUpSkill = (snapshot: Snapshot, name: string, visible: Visible = all): Skill => {
  check(name);
  const skill = snapshot.skills.get(name);
  if (skill && visible(name)) return skill;
  throw new LibraryRefusal('skill_unknown', { skill: shown(name) }, suggest(name, [...snapshot.skills.keys()].filter(visible)));
};

/**
 * A file of the skill, or a shared reference; `text` null when it is not text. `limites` and `limites.md` find `references/limites.md`; a
 * skill's own file comes first.
 */
export const lookUpReference = (snapshot: Snapshot, skill: Skill, reference: string): Reference => {
  check(reference);
  const own = new Map(skill.references.map((r) => [r.name, r]));
  const names = [reference, `references/${reference}`, `${reference}.md`, `references/${reference}.md`];
  const found = names.map((n) => own.get(n) ?? snapshot.shared.get(n)).find((r) => r !== undefined);
  if (found) return found;
  throw new LibraryRefusal(
    'reference_unknown',
    { skill: skill.name, ref: shown(reference) },
    suggest(reference, new Set([...own.keys(), ...snapshot.shared.keys()])),
  );
};
