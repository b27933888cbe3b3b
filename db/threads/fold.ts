import { Refusal } from '../../contracts/problem.js';
import type { Turn, TurnAnswer, TurnState } from '../../contracts/turn.js';
import { read, transaction, type Pool, type Tx } from '../client.js';
import { addUsage, type UsageEntry } from '../skills.js';
import { findThread, json, plain, TELL, type StoredState, type ThreadRef } from './rows.js';
import { attach } from './threads.js';

/** What a turn leaves behind: its answer or its refusal, what it changed in the thread, what it used. */

/** The last finished turns of a thread, oldest first. */
export const pastTurns = async (pool: Pool, ref: ThreadRef, limit: number): Promise<Array<{ message: string; narration: string }>> =>
  (
    await read(pool).q<{ message: string; narration: string }>(
      `select message, answer ->> 'narration' as narration from turns where thread_id = $1 and workspace_id = $2 and state = 'finished' order by position desc limit $3`,
      [ref.thread, ref.workspace, limit],
    )
  ).reverse();

export interface Fold {
  state: StoredState;
  answer: TurnAnswer;
  usage: readonly UsageEntry[];
  together: readonly string[];
  runs: readonly string[];
}

/**
 * Ends a turn with its answer and writes what it changed, all in one transaction. Once: a repeat changes nothing.
 * @throws Refusal 404 `turn_not_found`, 409 `turn_interrupted` when its lease had run out
 */
export const foldTurn = (pool: Pool, ref: ThreadRef, turn: string, change: Fold): Promise<void> =>
  transaction(pool, async (tx) => {
    await findThread(tx, ref, true);
    const { state, answer } = change;
    const ended = await tx.q(
      `update turns set state = 'finished', answer = $3, cost_micros = $4, attempts = $5, ended_at = now(), lease_until = null where id = $1 and thread_id = $2 and state = 'running' returning ${TELL}`,
      [turn, ref.thread, json(answer), answer.usage.cost_micros, json(answer.attempts)],
    );
    if (ended.length === 0) return refuseEnded(tx, ref, turn, 'finished');
    await tx.q(
      `update threads set facts = $2, board = $3, stage = $4, skills = $5, asked = $6, declined = $7, last_turn_at = now() where id = $1`,
      [
        ref.thread,
        json(state.facts),
        json(state.board),
        state.stage,
        json(state.skills),
        state.asked === null ? null : plain(state.asked),
        json(state.declined),
      ],
    );
    await addUsage(tx, ref.workspace, change.usage, change.together);
    await attach(tx, ref, change.runs);
  });

/** Ends a turn with a refusal; its thread stays as it was. Once, like `foldTurn`. */
export const refuseTurn = (
  pool: Pool,
  ref: ThreadRef,
  turn: string,
  refused: NonNullable<Turn['refused']>,
  costMicros: number | null,
): Promise<void> =>
  transaction(pool, async (tx) => {
    const ended = await tx.q(
      `update turns set state = 'refused', refused = $4, cost_micros = $5, ended_at = now(), lease_until = null where id = $1 and thread_id = $2 and workspace_id = $3 and state in ('queued', 'running') returning ${TELL}`,
      [turn, ref.thread, ref.workspace, json(refused), costMicros],
    );
    if (ended.length === 0) await refuseEnded(tx, ref, turn, 'refused');
  });

/** A turn that could not be ended now: because it already was, in the same way (fine), or otherwise. */
const refuseEnded = async (tx: Tx, ref: ThreadRef, turn: string, as: TurnState): Promise<void> => {
  const [row] = await tx.q<{ state: TurnState }>(`select state from turns where id = $1 and thread_id = $2 and workspace_id = $3`, [
    turn,
    ref.thread,
    ref.workspace,
  ]);
  if (!row) throw new Refusal(404, 'turn_not_found', { turn_id: turn });
  if (row.state !== as) throw new Refusal(409, 'turn_interrupted', { state: row.state });
};

/** What a turn used, whatever became of it. Kept with its row; the ledger is `activities/`' business. */
export const noteCost = async (
  pool: Pool,
  workspace: string,
  turn: string,
  used: { queries: number; micros: number | null; attempts: readonly unknown[] },
): Promise<void> => {
  await read(pool).q(`update turns set queries = $3, cost_micros = $4, attempts = $5 where id = $1 and workspace_id = $2`, [
    turn,
    workspace,
    used.queries,
    used.micros,
    json(used.attempts),
  ]);
};
