import type { Caller } from '../../contracts/api.js';
import type { Thread, ThreadPage } from '../../contracts/turn.js';
import { read, type Pool, type Tx } from '../client.js';
import { newId } from '../ids.js';
import { asTurn, findThread, plain, stateOf, TURN, type StoredState, type ThreadRef, type ThreadRow, type TurnRow } from './rows.js';

/** Threads: begun, listed and read, with the campaigns that belong to them. */

/** What a thread is shown with at most: its latest turns. */
const TURNS_SHOWN = 100;

/** Begins a conversation for a person. */
export const createThread = async (
  pool: Pool,
  caller: Pick<Caller, 'workspace' | 'sub'>,
  options: { title?: string | undefined; profile?: string | undefined } = {},
): Promise<Thread> => {
  const thread = newId('thr');
  await read(pool).q(`insert into threads (id, workspace_id, title, profile, created_by) values ($1, $2, $3, $4, $5)`, [
    thread,
    caller.workspace,
    options.title === undefined ? null : plain(options.title),
    options.profile ?? null,
    caller.sub,
  ]);
  return readThread(pool, { workspace: caller.workspace, thread });
};

/** Threads of a workspace, newest first; with `user`, only those that this person began. */
export const listThreads = async (
  pool: Pool,
  workspace: string,
  options: { limit: number; before?: string; user?: string },
): Promise<ThreadPage> => {
  const rows = await read(pool).q<ThreadRow>(
    `select id, title, created_at, last_turn_at from threads where workspace_id = $1 and ($2::text is null or id < $2) and ($3::text is null or created_by = $3) order by id desc limit $4`,
    [workspace, options.before ?? null, options.user ?? null, options.limit + 1],
  );
  const page = rows.slice(0, options.limit);
  return {
    threads: page.map((r) => ({ thread_id: r.id, title: r.title, created_at: r.created_at, last_turn_at: r.last_turn_at })),
    next_cursor: rows.length > options.limit ? (page.at(-1)?.id ?? null) : null,
  };
};

/** A thread with its latest turns (oldest first) and its campaigns. @throws Refusal 404 `thread_not_found` */
export const readThread = async (pool: Pool, ref: ThreadRef, options: { turns?: number } = {}): Promise<Thread> => {
  const tx = read(pool);
  const row = await findThread(tx, ref);
  const [turns, runs] = await Promise.all([
    tx.q<TurnRow>(`select ${TURN} from turns where thread_id = $1 order by position desc limit $2`, [row.id, options.turns ?? TURNS_SHOWN]),
    runsOfThread(pool, ref),
  ]);
  const { facts, board, stage } = stateOf(row);
  return { thread_id: row.id, title: row.title, created_at: row.created_at, stage, facts, board, turns: turns.reverse().map(asTurn), runs };
};

/** The profile that a thread was begun with: a scope of skills. @throws Refusal 404 `thread_not_found` */
export const profileOf = async (pool: Pool, ref: ThreadRef): Promise<string | null> => (await findThread(read(pool), ref)).profile;

/** @throws Refusal 404 `thread_not_found` */
export const threadState = async (pool: Pool, ref: ThreadRef): Promise<StoredState> => stateOf(await findThread(read(pool), ref));

/** Makes campaigns a thread's, inside a transaction of the caller's. */
export const attach = async (tx: Tx, ref: ThreadRef, runs: readonly string[]): Promise<void> => {
  if (runs.length === 0) return;
  await tx.q(
    `insert into thread_runs (workspace_id, thread_id, run_id) select $1, t.id, r.id from threads t, runs r where t.id = $2 and t.workspace_id = $1 and r.id = any($3) and r.workspace_id = $1 order by r.id on conflict do nothing`,
    [ref.workspace, ref.thread, runs],
  );
};
/** From here on a campaign's progress is shown in the thread. Runs and threads of other workspaces are passed over. */
export const attachRun = (pool: Pool, ref: ThreadRef, run: string): Promise<void> => attach(read(pool), ref, [run]);

/** Campaigns that belong to a thread, in the order in which they came. */
export const runsOfThread = async (pool: Pool, ref: ThreadRef): Promise<string[]> =>
  (
    await read(pool).q<{ run_id: string }>(
      `select run_id from thread_runs where thread_id = $1 and workspace_id = $2 order by at, run_id`,
      [ref.thread, ref.workspace],
    )
  ).map((r) => r.run_id);
