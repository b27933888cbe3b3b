import { z } from 'zod';
import { SESSION_TOOLS } from '../contracts/profiles/index.js';
import { CATALOGUE } from '../contracts/tools/catalogue.js';
import { hasText, text, type Language } from '../contracts/catalog/index.js';
import type { Stage } from '../contracts/turn.js';
import type { Belt } from './library/gate/belt.js';
import { LibraryRefusal } from './library/refusal.js';
import { characters } from './library/disclose/escape.js';
import type { ToolSpec } from './ports/model.js';
import { SESSION } from './session-tools.js';

/** Tools that look for rows: three of them in a turn at most. */
export const isSearch = (name: string): boolean => /_search(_|$)|^company_search$|^people_search$/.test(name);
export const MAX_SEARCHES = 3;
export const MAX_TOOLS = 12;
export const RESULT_MAX = 4_500;

const READ = CATALOGUE.filter((tool) => tool.scope === 'read' && tool.readOnly);
const parameters = (schema: z.ZodType): Record<string, unknown> => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

/** All tools that any turn could have, in one fixed order: sent every time, so that a provider's cache holds them; which may be called is said apart. */
export const TOOL_SPECS: readonly ToolSpec[] = [
  ...SESSION_TOOLS.map((name) => ({ name, description: SESSION[name].description, parameters: parameters(SESSION[name].input) })),
  ...READ.map((tool) => ({ name: tool.name, description: tool.description, parameters: parameters(tool.input) })),
];

/**
 * 4 · What may be called now: the session's tools and those of the open recipes. With a decision pending nothing that would propose another;
 * without a criterion nothing that uses a monthly query; without queries left none of those either.
 */
export const allowedNow = (belt: Belt, stage: Stage, left: { searches: number; queries: number }): string[] => {
  const costs = new Map(CATALOGUE.map((tool) => [tool.name, tool.costo]));
  return belt.callable().filter((name) => {
    if (stage === 'decision_pendiente' && (name === 'campana_start' || name === 'proponer_decision')) return false;
    if (isSearch(name) && left.searches <= 0) return false;
    if (costs.get(name) === 'externo' && (left.queries <= 0 || stage === 'sin_criterio')) return false;
    return true;
  });
};

/** What the belt says no to before anything is called. */
export const notAllowed = (name: string, belt: Belt, stage: Stage, left: { searches: number; queries: number }): LibraryRefusal | null => {
  if (allowedNow(belt, stage, left).includes(name)) return null;
  if (!belt.callable().includes(name)) return null; // the belt's own executor says why
  return new LibraryRefusal('fuera_de_cinturon', {
    tool: name,
    reason: isSearch(name) && left.searches <= 0 ? 'searches' : left.queries <= 0 ? 'queries' : 'stage',
  });
};

export const labelOfTool = (name: string, language: Language): string =>
  hasText(`ada.tool.${name}`) ? text(language, `ada.tool.${name}`) : name;

const STANDING = new Set(['coverage', 'next_action', 'warnings', 'disclaimer']);

export interface Projected {
  text: string;
  footer: string[];
  stubbed: boolean;
}

/**
 * A result as the model reads it: without what stands in every result (kept for the card's footer), without empty fields, and never longer than
 * `RESULT_MAX`: whole rows leave from the end and are counted.
 */
export const project = (result: unknown): Projected => {
  const footer: string[] = [];
  const clean = (value: unknown, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((one) => clean(one, depth + 1));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => {
        // What was looked at is told in the reader's language (coverage.ts).
        if (depth === 0 && STANDING.has(key)) {
          if (key !== 'coverage' && typeof inner === 'string' && inner !== '') footer.push(inner);
          return [];
        }
        return inner === null || inner === undefined ? [] : [[key, clean(inner, depth + 1)]];
      }),
    );
  };
  const cleaned = clean(result, 0);
  const whole = JSON.stringify(cleaned);
  if (whole === undefined || characters(whole) <= RESULT_MAX) return { text: whole ?? 'null', footer, stubbed: false };
  return { text: stub(cleaned), footer, stubbed: true };
};

const stub = (value: unknown): string => {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    const arrays = Object.entries(value)
      .filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
      .sort((a, b) => JSON.stringify(b[1]).length - JSON.stringify(a[1]).length);
    const [longest] = arrays;
    if (longest) {
      const [key, rows] = longest;
      for (let keep = rows.length - 1; keep >= 0; keep--) {
        const text = JSON.stringify({ ...value, [key]: rows.slice(0, keep), omitted: { [key]: rows.length - keep } });
        if (characters(text) <= RESULT_MAX) return text;
      }
    }
  }
  const text = JSON.stringify(value);
  return JSON.stringify({ omitted: { characters: characters(text) }, beginning: [...text].slice(0, RESULT_MAX - 200).join('') });
};
