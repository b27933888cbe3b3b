import type { Snapshot } from '../types.js';
import { characters } from './escape.js';

export const LIMITS = 'references/limites.md';
/** Of the limits at most this much enters the prompt; the whole is one `skill_reference` away. */
export const LIMITS_MAX = 400;

interface Limit {
  text: string;
  skills: string[];
}

const cells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim().replace(/`/g, ''));

/** Rows of the table in limites.md: code, limit, how much, where to send the person, and the recipes it concerns. */
export const limitRows = (text: string): Array<{ code: string; limit: string; amount: string; exit: string; skills: string[] }> => {
  const lines = text.split('\n').filter((line) => line.trim().startsWith('|'));
  return lines
    .slice(2)
    .map(cells)
    .filter((row) => row.length >= 5)
    .map(([code = '', limit = '', amount = '', exit = '', skills = '']) => ({
      code,
      limit,
      amount,
      exit,
      skills: skills.split(/[\s,]+/).filter(Boolean),
    }));
};

/** The limits that concern the open skills, as many whole rows as fit; those that do not fit are counted, never cut. */
export const limitsExcerpt = (snapshot: Snapshot, open: readonly string[]): string => {
  const file = snapshot.shared.get(LIMITS)?.text;
  if (!file || open.length === 0) return '';
  const mine: Limit[] = limitRows(file)
    .filter((row) => row.skills.some((name) => open.includes(name)))
    .map((row) => ({ text: `${row.limit}: ${row.amount} → ${row.exit}`, skills: row.skills }))
    // What concerns fewest recipes says most about this one.
    .sort((a, b) => a.skills.length - b.skills.length);
  const chosen: string[] = [];
  const render = (): string =>
    [...chosen, ...(chosen.length < mine.length ? [`(+${mine.length - chosen.length}: skill_reference ${LIMITS})`] : [])].join('\n');
  for (const limit of mine) {
    chosen.push(limit.text);
    if (characters(render()) > LIMITS_MAX) chosen.pop();
  }
  // None fits: that there are some is said all the same.
  return render();
};
