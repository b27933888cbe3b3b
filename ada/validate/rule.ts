import type { RunSummary } from '../../contracts/api.js';
import type { Language } from '../../contracts/catalog/index.js';
import type { Decision } from '../../contracts/decision.js';
import type { Progress } from '../../contracts/progress.js';
import type { Board, Facts, LIMIT_KINDS, TurnOutput } from '../../contracts/turn.js';
import type { Blocked } from '../blocked.js';
import type { Known } from '../harvest.js';
import type { Skill } from '../library/types.js';
import type { Worked } from '../turn-view.js';
import type { Balances } from '../types.js';
import type { Narration } from './narration.js';

/** Stable names of the rules, in the order in which they are read. */
export const TAGS = [
  'parse',
  'schema',
  'refs',
  'pregunta',
  'lexico',
  'cifra',
  'fila',
  'busquedas',
  'costo',
  'limite',
  'siguiente',
  'solo_resultados',
  'instruccion',
  'aprobacion',
  'vacio',
] as const;
export type Tag = (typeof TAGS)[number];
export type LimitKind = (typeof LIMIT_KINDS)[number];

export interface Defect {
  tag: Tag;
  /** What is wrong: a key under `ada.problem.` of the catalog. */
  code: string;
  /** The words it is about, as the model wrote them. */
  quote: string;
  /** Where in the narration; null when it lies elsewhere. */
  at: number | null;
  field: 'text' | 'intent' | 'narration' | 'pregunta' | 'siguiente' | 'turn';
}

/** What an answer is held against. */
export interface Context {
  known: Known;
  compiled: {
    facts: Facts;
    board: Board;
    balances: Balances;
    /** Campaigns that are not over. */
    runs?: ReadonlyArray<Pick<RunSummary, 'run_id'>>;
  };
  open: ReadonlyArray<Pick<Skill, 'name' | 'requiere' | 'costo' | 'siguiente' | 'body'>>;
  worked: readonly Worked[];
  /** Cards of this turn. */
  tabled: { decision: Decision | null; progress: Progress | null };
  searches: number;
  message: string;
  language: Language;
  /** Recipes between which the person was to choose: then any one question may be asked. */
  clarify: readonly unknown[];
  /** Limits that a step or the harness declared in this turn. */
  limits?: readonly LimitKind[];
  /** What the message asked for and a connection is missing for: then the answer is that limit, by name. */
  blocked?: Pick<Blocked, 'what'>;
  /** Now, for days that are left. */
  now?: number;
  /** The first attempt, when this one repairs it. */
  first?: TurnOutput;
}

export interface Answer {
  output: TurnOutput;
  narration: Narration;
}
export type Rule = (answer: Answer, context: Context) => Defect[];

const QUOTE_MAX = 160;
export const quoteOf = (text: string): string => {
  const one = text.replace(/\s+/g, ' ').trim();
  return one.length <= QUOTE_MAX ? one : `${one.slice(0, QUOTE_MAX - 1)}…`;
};
export const defect = (
  tag: Tag,
  code: string,
  quote: string,
  at: number | null = null,
  field: Defect['field'] = at === null ? 'turn' : 'narration',
): Defect => ({ tag, code, quote: quoteOf(quote), at, field });

/** `worked` calls of some tools that came back. */
export const done = (context: Context, names: RegExp): Worked[] => context.worked.filter((call) => call.ok && names.test(call.name));
/** Rows of a result: its own count, or its longest list. */
export const rowsOf = (result: unknown): number => {
  if (result === null || typeof result !== 'object') return 0;
  const { total, shown } = result as { total?: unknown; shown?: unknown };
  if (typeof shown === 'number') return Math.max(shown, typeof total === 'number' ? total : 0);
  return Math.max(0, ...Object.values(result).map((one) => (Array.isArray(one) ? one.length : 0)));
};
