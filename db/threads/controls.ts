import type { Caller } from '../../contracts/api.js';
import { Refusal } from '../../contracts/problem.js';
import { EMPTY_BOARD, type Board, type BoardRow, type Facts, type Stage, type Turn, type TurnState } from '../../contracts/turn.js';
import { read, type Pool, type Tx } from '../client.js';
import { newId } from '../ids.js';
import { THREADS_CHANNEL, type ThreadRef } from './rows.js';

/** What a person does to a conversation besides talking: begin one, choose rows, stop a turn. */

/** The same as `createThread`, inside a transaction of the caller's. @returns its id */
export const beginThread = async (
  tx: Tx,
  caller: Pick<Caller, 'workspace' | 'sub'>,
  options: { title?: string | undefined; profile?: string | undefined },
): Promise<string> => {
  const thread = newId('thr');
  await tx.q(`insert into threads (id, workspace_id, title, profile, created_by) values ($1, $2, $3, $4, $5)`, [
    thread,
    caller.workspace,
    options.title ?? null,
    options.profile ?? null,
    caller.sub,
  ]);
  return thread;
};

/**
 * Chooses rows of the list at hand (or of what was chosen before). A turn that runs would write its own board over it, so it is waited for.
 * @throws Refusal 404 `thread_not_found`, 409 `turn_running`, 422 `refs_unknown`
 */
export const setSelection = async (
  tx: Tx,
  ref: ThreadRef,
  refs: readonly string[],
  stageOf: (facts: Facts, board: Board) => Stage,
): Promise<{ selection: BoardRow[]; stage: Stage }> => {
  const [row] = await tx.q<{ facts: Facts; board: Partial<Board> }>(
    `select facts, board from threads where id = $1 and workspace_id = $2 for update`,
    [ref.thread, ref.workspace],
  );
  if (!row) throw new Refusal(404, 'thread_not_found', { thread_id: ref.thread });
  const running = await tx.q(`select 1 from turns where thread_id = $1 and state = 'running'`, [ref.thread]);
  if (running.length > 0) throw new Refusal(409, 'turn_running', {}, { retryable: true, retry_after_ms: 1_000 });
  const board: Board = { ...EMPTY_BOARD, ...row.board };
  const known = new Map([...board.selection, ...board.list].map((one) => [one.ref, one]));
  const unknown = refs.filter((one) => !known.has(one));
  if (unknown.length > 0) throw new Refusal(422, 'refs_unknown', { n: unknown.length, refs: unknown.slice(0, 20) });
  const selection = [...new Set(refs)].flatMap((one) => known.get(one) ?? []);
  const stage = stageOf(row.facts, { ...board, selection });
  await tx.q(`update threads set board = $2, stage = $3 where id = $1`, [ref.thread, JSON.stringify({ ...board, selection }), stage]);
  return { selection, stage };
};

/**
 * Stops a turn that waits or runs; its process notices and lets go. One that is over stays as it is.
 * @throws Refusal 404 `turn_not_found`
 */
export const stopTurn = async (pool: Pool, ref: ThreadRef, turn: string): Promise<void> => {
  const refused: NonNullable<Turn['refused']> = { status: 503, code: 'interrupted', params: { by: 'person' } };
  const [row] = await read(pool).q<{ found: boolean }>(
    `with t as (
       update turns set state = 'interrupted', refused = $4, ended_at = now(), lease_until = null, seq = seq + 1 where id = $1 and thread_id = $2 and workspace_id = $3 and state in ('queued', 'running')
       returning id, workspace_id, thread_id, seq, cost_micros),
     e as (insert into turn_events (turn_id, seq, event) select id, seq, jsonb_build_object('type', 'turn.refused', 'turn_id', id, 'cost_micros', cost_micros) || $4::jsonb from t),
     told as (select pg_notify('${THREADS_CHANNEL}', workspace_id || ' ' || thread_id || ' ' || id || ' ' || seq || ' over') from t)
     select exists (select 1 from turns where id = $1 and thread_id = $2 and workspace_id = $3) as found, (select count(*) from told) as told`,
    [turn, ref.thread, ref.workspace, JSON.stringify(refused)],
  );
  if (!row?.found) throw new Refusal(404, 'turn_not_found', { turn_id: turn });
};

/**
 * Turns of a thread that whoever listens has not heard to the end: those after `turn`, and itself; without one, those that wait or run.
 * @returns null when `turn` is not one of this thread's
 */
export const turnsFrom = async (
  pool: Pool,
  ref: ThreadRef,
  turn: string | null,
): Promise<Array<{ id: string; state: TurnState }> | null> => {
  if (turn === null)
    return read(pool).q(
      `select id, state from turns where thread_id = $1 and workspace_id = $2 and state in ('queued', 'running') order by position`,
      [ref.thread, ref.workspace],
    );
  const rows = await read(pool).q<{ id: string; state: TurnState }>(
    `select t.id, t.state from turns t join turns l on l.id = $3 and l.thread_id = t.thread_id where t.thread_id = $1 and t.workspace_id = $2 and t.position >= l.position order by t.position`,
    [ref.thread, ref.workspace, turn],
  );
  return rows.length > 0 ? rows : null;
};
