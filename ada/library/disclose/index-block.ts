import type { Skill } from '../types.js';
import { characters, escapeAttribute, escapeText } from './escape.js';

/** Skills whose index must fit `BUDGET.index`: the platform's own. */
export const WHOLE_UP_TO = 11;

/** Characters of a short list out of a large library; the whole list of the platform's recipes stays under `BUDGET.index` by test. */
export const SHORT_LIST_MAX = 3_600;

const row = (skill: Skill, said: readonly string[]): string =>
  `<skill name="${escapeAttribute(skill.name)}">${escapeText(skill.description)}${said.length > 0 ? ` Ej.: ${escapeText(said.join(' / '))}` : ''}</skill>`;
const block = (rows: readonly string[]): string => ['<available_skills>', ...rows, '</available_skills>'].join('\n');

/**
 * What the model always sees of skills that are not open: name and when to use them, sorted by name; so the bytes change only when the library or
 * somebody's access does.
 */
export const indexBlock = (skills: readonly Skill[]): string =>
  block([...skills].sort((a, b) => (a.name < b.name ? -1 : 1)).map((skill) => row(skill, [])));

/**
 * The nearest skills of a large library with some of their phrases, where one phrase tells more than a definition. Best first is given; whole rows
 * enter until `max`, phrases giving way before rows do; how many more there are is said.
 */
export const shortListBlock = (
  nearest: ReadonlyArray<{ skill: Skill; phrases: readonly string[] }>,
  total: number,
  max = SHORT_LIST_MAX,
): string => {
  const render = (count: number, phrases: number): string => {
    const shown = nearest.slice(0, count);
    const rows = shown
      .map(({ skill, phrases: said }) => ({ name: skill.name, text: row(skill, said.slice(0, phrases)) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ text }) => text);
    return block([...rows, ...(total > count ? [`<more count="${total - count}">skill_list</more>`] : [])]);
  };
  for (let phrases = 2; phrases >= 0; phrases--)
    if (characters(render(nearest.length, phrases)) <= max) return render(nearest.length, phrases);
  // Row by row, best first: one that is too long for what is left is skipped, not the ones after it.
  let shown: Array<{ name: string; text: string }> = [];
  const draw = (rows: typeof shown): string =>
    block([
      ...[...rows].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ text }) => text),
      ...(total > rows.length ? [`<more count="${total - rows.length}">skill_list</more>`] : []),
    ]);
  for (const { skill } of nearest) {
    const wider = [...shown, { name: skill.name, text: row(skill, []) }];
    if (characters(draw(wider)) <= max) shown = wider;
  }
  const drawn = draw(shown);
  return characters(drawn) <= max ? drawn : '';
};
