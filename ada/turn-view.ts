import type { Board, Facts, Stage } from '../contracts/turn.js';
import type { Language } from '../contracts/catalog/index.js';
import type { RunSummary } from '../contracts/api.js';
import type { Blocked } from './blocked.js';
import type { WorkspaceSummary } from './types.js';
import type { Skill } from './library/types.js';

/** A tool call of this turn and what came of it. */
export interface Worked {
  name: string;
  args: Record<string, unknown>;
  ok: boolean;
  result: unknown;
  error: string | null;
}

/** The state of a turn as data: what the deterministic model follows recipes with, and what validation knows. */
export interface TurnView {
  message: string;
  language: Language;
  facts: Facts;
  board: Board;
  stage: Stage;
  summary: WorkspaceSummary;
  /** Campaigns that are not over, newest first. */
  runs: RunSummary[];
  /** Open recipes, in order of opening, and what the router thought. */
  open: Skill[];
  routed: { decision: 'inject' | 'suggest' | 'none' | 'clarify'; candidates: string[]; options: Array<{ name: string; label: string }> };
  /** A recipe that was asked for and is not there, since a connection is missing: with `whole`, that is the answer. */
  blocked?: Blocked | null;
  /** What was asked in the turn before, if the person now answers it. */
  asked: string | null;
  past: Array<{ message: string; narration: string }>;
  worked: Worked[];
  /** Tools that may be called now. */
  allowed: readonly string[];
  searchesLeft: number;
  stepsLeft: number;
  /** A repair: what was wrong with the attempt before. */
  problems: string[];
}
