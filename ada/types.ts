import type { Decision } from '../contracts/decision.js';
import type { PlanEstimate, RunSummary } from '../contracts/api.js';
import type { CreateRun, Replan } from '../contracts/criteria.js';
import type { Progress } from '../contracts/progress.js';
import type { Language } from '../contracts/catalog/index.js';
import type { Board, Fact, FactKey, Facts, Stage, Turn, TurnAnswer } from '../contracts/turn.js';
import type { Access } from './library/choose/states.js';
import type { Snapshot } from './library/types.js';
import type { UsageCount } from './library/usage.js';
import type { Model } from './ports/model.js';

/** Who speaks: never with more than the person's rights, and never as somebody who can tap. */
export interface Speaker {
  workspace: string;
  user: string;
  thread: string;
  profile: string | null;
  language: Language;
}

export interface Balances {
  credits: number;
  queries: number;
  inference: number;
}
/** About 300 characters of what is in the workspace, read at most once a minute. */
export interface WorkspaceSummary {
  collections: Array<{ name: string; total: number; stages: Array<{ stage: string; n: number }> }>;
  sequences: { draft: number; approved: number };
  mailbox: boolean | null;
  balances: Balances;
  profile: Partial<Record<FactKey, string>>;
}

export interface ThreadState {
  facts: Facts;
  board: Board;
  stage: Stage;
  skills: Array<{ name: string; digest: string; by: 'router' | 'model' | 'person' | 'always'; version: string; score: number | null }>;
  asked: string | null;
  declined: string[];
}
export interface PastTurn {
  message: string;
  narration: string;
}

/** Where threads live. Implemented over PostgreSQL with a role that can write these rows and nothing that spends. */
export interface Threads {
  state(speaker: Speaker): Promise<ThreadState>;
  past(speaker: Speaker, limit: number): Promise<PastTurn[]>;
  /** Writes what a turn changed, with the turn itself, in one transaction. */
  fold(
    speaker: Speaker,
    turnId: string,
    change: { state: ThreadState; answer: TurnAnswer; usage: UsageCount[]; together: string[]; runs: string[] },
  ): Promise<void>;
  refuse(speaker: Speaker, turnId: string, refused: NonNullable<Turn['refused']>, costMicros: number | null): Promise<void>;
}

/** Reads of the tool catalogue, with a token that cannot pay. */
export interface ReadTools {
  /** Result as the contract says. Throws `ToolFailure` of ada/ports/tools.ts. */
  call(
    workspace: string,
    name: string,
    args: Record<string, unknown>,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<unknown>;
}

/** Campaigns as a conversation may touch them: start one that waits for its card, look, steer. Nothing here resolves a decision or sets a cap. */
export interface Campaigns {
  estimate(speaker: Speaker, body: CreateRun): Promise<PlanEstimate>;
  /** Starts it; idempotent by key. The run waits for a tap on its start card, which is returned. */
  start(speaker: Speaker, body: CreateRun, key: string): Promise<{ progress: Progress; decision: Decision | null }>;
  status(speaker: Speaker, runId: string): Promise<{ progress: Progress; decisions: Decision[] }>;
  open(speaker: Speaker): Promise<RunSummary[]>;
  control(speaker: Speaker, runId: string, action: 'pause' | 'resume' | 'cancel', key: string): Promise<Progress>;
  replan(speaker: Speaker, runId: string, change: Pick<Replan, 'cuentas' | 'cargo' | 'hasta'>, key: string): Promise<Progress>;
  decisions(speaker: Speaker): Promise<Decision[]>;
}

/** What the workspace allows and has. */
export interface Workspace {
  summary(speaker: Speaker): Promise<WorkspaceSummary>;
  library(speaker: Speaker): Promise<Snapshot>;
  access(speaker: Speaker, turnId: string): Promise<Access>;
  /** What one turn may still spend: searches on the monthly plan and inference, both ≥ 0. */
  entitlement(speaker: Speaker): Promise<{ enabled: boolean; queriesLeft: number; inferenceLeft: number | null }>;
  /** Meters what the turn used. Called in `finally`. @param used `micros`: what the turn cost, null when not all of it is known; `known`: the part that is, for the books (micro-USD) */
  meter(
    speaker: Speaker,
    turnId: string,
    used: { queries: number; micros: number | null; known: number; attempts: unknown[] },
  ): Promise<void>;
}

export interface AdaPorts {
  threads: Threads;
  tools: ReadTools;
  campaigns: Campaigns;
  workspace: Workspace;
  model: Model;
  escalation: Model | null;
}

export const NO_FACT: Fact = { status: 'faltante', value: null };
