import type { Decision } from '../../contracts/decision.js';
import type { Progress } from '../../contracts/progress.js';
import type { Balances } from '../../ada/types.js';
import type { Facts, ModelAttempt, Stage, TurnAnswer } from '../../contracts/turn.js';

/** What a run leaves behind. Everything the meters and blocking evals look at is here, so that they can be run again over a file. */

/**
 * `con_receta`: as it ships. `sin_receta`: every recipe denied. `solo_herramientas`: the read tools without any recipe. `sin_manual`: one line in the
 * manual's place.
 */
export const ARMS = ['con_receta', 'sin_receta', 'solo_herramientas', 'sin_manual'] as const;
export type Arm = (typeof ARMS)[number];

/** A tool that was called, with everything it was asked. */
export interface Called {
  tool: string;
  args: unknown;
  ok: boolean;
  error: string | null;
  refs: string[];
  ms: number;
  /** Of its result: the universe, the page, every figure in it; null when it had none or is no read. */
  total: number | null;
  shown: number | null;
  figures: number[];
}
/** What was known when the turn began, and what could be said without looking. */
export interface Before {
  facts: Facts;
  board: { selection: number; list: number; pending: number; runs: number; contacts: number };
  figures: number[];
  balances: Balances;
  mailbox: boolean | null;
  counted: Array<{ tool: string; args: Record<string, unknown>; total: number | null }>;
}

export interface TurnRecord {
  message: string;
  stage: Stage | null;
  before: Before;
  tools: Called[];
  /** Exactly one of these, or neither when the run itself broke. */
  answer: TurnAnswer | null;
  refused: { status: number; code: string; params: Record<string, unknown> } | null;
  error: string | null;
  /** Types of events in order, deltas counted as one. */
  events: string[];
  /** What a recipe asked for, of those that were open. */
  requires: string[];
  /** Every attempt's text and the answer that was taken, to compare repairs. */
  attempts: Array<{ anchors: number; intent: string | null; narration: number; text: string }>;
  /** What was metered at the end; null when `finally` did not get there. */
  metered: { queries: number; micros: number | null; attempts: ModelAttempt[] } | null;
  duration_ms: number;
  ttft_ms: number | null;
  prompt_characters: number;
  /** Writes through the campaigns' port, with what came of them. */
  campaigns: Array<{
    action: 'start' | 'pause' | 'resume' | 'cancel' | 'replan';
    body: unknown;
    refused: string | null;
    decision: Decision | null;
    progress: Progress | null;
  }>;
  folded: boolean;
  judged: Judged | null;
}
/** The three points of usefulness. */
export interface Judged {
  respondio: boolean;
  salidas: boolean;
  no_invento: boolean;
  by: 'checks' | 'model';
  why: string[];
}

export interface RunRecord {
  brief: string;
  arm: Arm;
  k: number;
  /** `errored`: the rig, the tool server or the model's connection broke: kept apart from answers that miss. */
  outcome: 'finished' | 'refused' | 'errored';
  error: string | null;
  turns: TurnRecord[];
}

/** `wanted`: accounts that were to be saved. */
export interface UndoProbe {
  case: string;
  wanted: number;
  saved: number;
  undo_token: boolean;
  undo_until: string | null;
  window_ms: number;
  card_undo_until: string | null;
  removed: number | null;
  left: number;
  refused_after_edit: string | null;
  error: string | null;
}
export interface SourceFinding {
  file: string;
  line: number;
  text: string;
  rule: string;
}

export interface Dump {
  version: 1;
  at: string;
  model: string;
  kind: 'deterministic' | 'openai' | 'scripted';
  judge: string | null;
  node: string;
  digests: { briefs: string; library: string; manual: string };
  deadline_ms: number;
  k: number;
  arms: Arm[];
  probes: { source: { files: number; findings: SourceFinding[] }; undo: UndoProbe[] };
  runs: RunRecord[];
}

/** The turn that a brief is scored by. */
export const lastTurn = (run: RunRecord): TurnRecord | null => run.turns.at(-1) ?? null;
export const arm = (dump: Dump, which: Arm): RunRecord[] => dump.runs.filter((run) => run.arm === which);
/** Runs that can be held against the model. */
export const scored = (dump: Dump, which: Arm = 'con_receta'): RunRecord[] => arm(dump, which).filter((run) => run.outcome !== 'errored');
