import { Refusal } from '../../contracts/problem.js';
import {
  EMPTY_BOARD,
  FACT_KEYS,
  type Board,
  type Facts,
  type SkillUsed as SkillUsedSchema,
  type Stage,
  type Turn,
  type TurnAnswer,
  type TurnState,
} from '../../contracts/turn.js';
import type { z } from 'zod';
import type { Tx } from '../client.js';

/**
 * Threads and turns as they are kept, and how whoever listens is told that a turn moved. Every statement of
 * this folder is one that Ada's own role may run (`campana_ada`, migration 0003), but those of `controls.ts`, which are a person's.
 */

type SkillUsed = z.infer<typeof SkillUsedSchema>;

/** Says `<workspace> <thread> <turn> <seq>` whenever a turn moved, and ` over` behind it for one that has ended: look at its row and events again. */
export const THREADS_CHANNEL = 'campana_threads';
/** `seq`: the last event so far. Whoever has heard it and is not told that the turn is over has nothing to look for. */
export interface TurnMoved {
  workspace: string;
  thread: string;
  turn: string;
  seq: number;
  over?: true;
}

/** Reads what the channel said. */
export const turnMoved = (payload: string): TurnMoved => {
  const [workspace = '', thread = '', turn = '', seq = '', over] = payload.split(' ');
  return { workspace, thread, turn, seq: Number(seq), ...(over ? { over: true } : {}) };
};
export const TELL = `pg_notify('${THREADS_CHANNEL}', workspace_id || ' ' || thread_id || ' ' || id || ' ' || seq || case when ended_at is null then '' else ' over' end)`;

/** JSON as PostgreSQL can keep it: no NUL, no half of a surrogate pair (a text that was cut in the middle of a character). */
export const plain = (text: string): string => text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\uFFFD');
export const json = (value: unknown): string => JSON.stringify(value, (_key, v: unknown) => (typeof v === 'string' ? plain(v) : v));

/** A thread of a workspace; every read and change names both, so that another workspace's thread is as good as missing. */
export interface ThreadRef {
  workspace: string;
  thread: string;
}

/** What a thread keeps from turn to turn. */
export interface StoredState {
  facts: Facts;
  board: Board;
  stage: Stage;
  skills: SkillUsed[];
  asked: string | null;
  declined: string[];
}

export interface ThreadRow {
  id: string;
  workspace_id: string;
  title: string | null;
  profile: string | null;
  created_by: string;
  stage: Stage;
  facts: Partial<Facts>;
  board: Partial<Board>;
  skills: SkillUsed[];
  asked: string | null;
  declined: string[];
  created_at: string;
  last_turn_at: string | null;
}
export interface TurnRow {
  id: string;
  thread_id: string;
  position: number;
  state: TurnState;
  message: string;
  answer: TurnAnswer | null;
  refused: Turn['refused'];
  created_at: string;
  ended_at: string | null;
}
export const TURN = 'id, thread_id, position, state, message, answer, refused, created_at, ended_at';

/** A turn as the API shows it. */
export const asTurn = (r: TurnRow): Turn => ({
  turn_id: r.id,
  thread_id: r.thread_id,
  position: r.position,
  state: r.state,
  message: r.message,
  answer: r.answer,
  refused: r.refused,
  created_at: r.created_at,
  ended_at: r.ended_at,
});

/** Facts with every key; what nobody said is missing. */
const whole = (facts: Partial<Facts>): Facts =>
  Object.fromEntries(FACT_KEYS.map((key) => [key, facts[key] ?? { status: 'faltante', value: null }])) as Facts;

/** What a thread keeps, with every key. */
export const stateOf = (r: ThreadRow): StoredState => ({
  facts: whole(r.facts),
  board: { ...EMPTY_BOARD, ...r.board },
  stage: r.stage,
  skills: r.skills,
  asked: r.asked,
  declined: r.declined,
});

const noThread = (thread: string): Refusal => new Refusal(404, 'thread_not_found', { thread_id: thread });

/** @throws Refusal 404 `thread_not_found` */
export const findThread = async (tx: Tx, { workspace, thread }: ThreadRef, lock = false): Promise<ThreadRow> => {
  const [row] = await tx.q<ThreadRow>(`select * from threads where id = $1 and workspace_id = $2${lock ? ' for update' : ''}`, [
    thread,
    workspace,
  ]);
  if (!row) throw noThread(thread);
  return row;
};
