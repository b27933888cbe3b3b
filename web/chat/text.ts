import { clean } from '../../view/words.js';

/** Text from outside with its lines, harmless in a page. */
export const cleanLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : line.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' ')))
    .join('\n')
    .trim();

/** The beginning of a text, whole characters and not in the middle of a word where that is near. */
export const beginning = (text: string, max: number): string => {
  const characters = [...text.slice(0, max * 2)];
  if (characters.length <= max && text.length <= max * 2) return text;
  const cut = characters.slice(0, max).join('');
  const space = cut.lastIndexOf(' ');
  return `${(space > max * 0.8 ? cut.slice(0, space) : cut).trimEnd()}…`;
};

export interface Piece {
  text: string;
  name: boolean;
}

/** Longer than any name that is worth setting apart, and more than a text can have. */
const NAME_MAX = 300;
const NAMES_MAX = 60;

/** The text in pieces, so that names of rows keep their own direction and stand out. */
export const withNames = (text: string, names: ReadonlyArray<string | null>): Piece[] => {
  const wanted = [...new Set(names.flatMap((one) => (one === null ? [] : [clean(one)])))]
    .filter((one) => one.length >= 2 && one.length <= NAME_MAX)
    .sort((a, b) => b.length - a.length)
    .slice(0, NAMES_MAX);
  if (wanted.length === 0) return text === '' ? [] : [{ text, name: false }];
  const pattern = new RegExp(`(${wanted.map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'gu');
  return text.split(pattern).flatMap((part, i) => (part === '' ? [] : [{ text: part, name: i % 2 === 1 }]));
};

/** A path of the product as an address of this page; null for anything that would lead elsewhere. */
export const ownPath = (target: string, origin: string): string | null => {
  if (!/^\/(?![/\\])[^\s\\]*$/u.test(target) || /[\p{Cc}]/u.test(target)) return null;
  try {
    const url = new URL(target, origin);
    return url.origin === new URL(origin).origin && /^\/(?!\/|v1\b|mcp\b)/.test(url.pathname) ? url.pathname + url.search + url.hash : null;
  } catch {
    return null;
  }
};
