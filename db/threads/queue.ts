import type { Caller } from '../../contracts/api.js';
import { Refusal } from '../../contracts/problem.js';
import type { Language } from '../../contracts/catalog/index.js';
import type { Turn } from '../../contracts/turn.js';
import { one, read, transaction, type Pool } from '../client.js';
import { newId } from '../ids.js';
import { asTurn, findThread, json, plain, TELL, TURN, type ThreadRef, type TurnRow } from './rows.js';

/** Turns of a conversation: asked for, run one at a time, in order, each under the lease of one process. */

/** More turns than this never wait on one thread. */
export const MAX_QUEUED = 20;
const TITLE = 80;

/** With what rights a turn was asked for, kept with it: whichever process runs it has no others. */
export interface TurnSpeaker {
  roles: Caller['roles'];
  agent: boolean;
  language: Language;
}

/**
 * Puts a message at the end of its thread's queue. The same key with the same message is the same turn.
 * @returns the turn as it is now, and whether it is new
 * @throws Refusal 404 `thread_not_found`; 422 `key_reused` when the key came with another message; 429 `thread_busy` when 20 wait already
 */
export const enqueueTurn = (
  pool: Pool,
  ref: ThreadRef,
  asked: { key: string; message: string; user: string } & TurnSpeaker,
): Promise<{ turn: Turn; fresh: boolean }> =>
  transaction(pool, async (tx) => {
    await findThread(tx, ref, true);
    const message = plain(asked.message);
    const { waiting, ...found } = one(
      await tx.q<{ waiting: number } & (TurnRow | { id: null })>(
        `select n.waiting, ${TURN.split(', ')
          .map((column) => `t.${column}`)
          .join(
            ', ',
          )} from (select count(*)::int as waiting from turns where thread_id = $1 and state = 'queued') n left join turns t on t.thread_id = $1 and t.key = $2`,
        [ref.thread, asked.key],
      ),
      'queue',
    );
    if (found.id !== null) {
      if (found.message !== message) throw new Refusal(422, 'key_reused', {});
      return { turn: asTurn(found), fresh: false };
    }
    if (waiting >= MAX_QUEUED) throw new Refusal(429, 'thread_busy', { waiting }, { retryable: true, retry_after_ms: 5_000 });
    const { roles, agent, language } = asked;
    const [row] = await tx.q<TurnRow>(
      `with t as (update threads set positions = positions + 1, last_turn_at = now(), title = coalesce(title, $7) where id = $2 returning positions)
       insert into turns (id, workspace_id, thread_id, position, key, message, created_by, speaker) select $1, $3, $2, t.positions, $4, $5, $6, $8::jsonb from t returning ${TURN}, ${TELL}`,
      [
        newId('turn'),
        ref.thread,
        ref.workspace,
        asked.key,
        message,
        asked.user,
        plain(message.replace(/\s+/g, ' ').trim().slice(0, TITLE)),
        json({ roles, agent, language }),
      ],
    );
    return { turn: asTurn(one(row ? [row] : [], 'turn')), fresh: true };
  });

/** @throws Refusal 404 `turn_not_found` */
export const readTurn = async (pool: Pool, ref: ThreadRef, turn: string): Promise<Turn> => {
  const [row] = await read(pool).q<TurnRow>(`select ${TURN} from turns where id = $1 and thread_id = $2 and workspace_id = $3`, [
    turn,
    ref.thread,
    ref.workspace,
  ]);
  if (!row) throw new Refusal(404, 'turn_not_found', { turn_id: turn });
  return asTurn(row);
};

/** A turn that a process may run now. */
export interface ClaimedTurn extends ThreadRef, TurnSpeaker {
  turn: string;
  position: number;
  key: string;
  message: string;
  user: string;
  profile: string | null;
}

/**
 * Takes the first waiting turn of a thread; null while another one runs there, or when none waits.
 * @param by.owner names the process; the lease must be renewed with `beatTurn` well before `leaseMs` is over
 */
export const claimNextTurn = (pool: Pool, ref: ThreadRef, by: { owner: string; leaseMs: number }): Promise<ClaimedTurn | null> =>
  transaction(pool, async (tx) => {
    const { profile } = await findThread(tx, ref, true);
    const [row] = await tx.q<{ id: string; position: number; key: string; message: string; created_by: string; speaker: TurnSpeaker }>(
      `update turns set state = 'running', owner = $2, started_at = now(), lease_until = now() + make_interval(secs => $3 / 1000.0)
       where id = (select id from turns where thread_id = $1 and state = 'queued' order by position limit 1) and not exists (select 1 from turns where thread_id = $1 and state = 'running')
       returning id, position, key, message, created_by, speaker, ${TELL}`,
      [ref.thread, by.owner, by.leaseMs],
    );
    return row
      ? {
          ...ref,
          turn: row.id,
          position: row.position,
          key: row.key,
          message: row.message,
          user: row.created_by,
          profile,
          roles: row.speaker.roles,
          agent: row.speaker.agent,
          language: row.speaker.language,
        }
      : null;
  });

/** Whether a turn waits in a thread. */
export const isWaiting = async (pool: Pool, ref: ThreadRef): Promise<boolean> =>
  (
    await read(pool).q(`select 1 from turns where thread_id = $1 and workspace_id = $2 and state = 'queued' limit 1`, [
      ref.thread,
      ref.workspace,
    ])
  ).length > 0;

/** Renews a lease. @returns false when the turn is no longer this process's: it has to stop. */
export const beatTurn = async (pool: Pool, turn: string, by: { owner: string; leaseMs: number }): Promise<boolean> =>
  (
    await read(pool).q(
      `update turns set lease_until = now() + make_interval(secs => $3 / 1000.0) where id = $1 and owner = $2 and state = 'running' returning id`,
      [turn, by.owner, by.leaseMs],
    )
  ).length > 0;

/** Threads where a turn waits and none runs: whoever claims next starts it. */
export const waitingThreads = (pool: Pool, limit = 50): Promise<ThreadRef[]> =>
  read(pool).q<ThreadRef>(
    `select distinct on (q.thread_id) q.workspace_id as workspace, q.thread_id as thread from turns q
     where q.state = 'queued' and not exists (select 1 from turns r where r.thread_id = q.thread_id and r.state = 'running') order by q.thread_id, q.position limit $1`,
    [limit],
  );

/** The same refusal as a turn gives itself when it is told to stop (ada/preflight.ts). */
export const INTERRUPTED: NonNullable<Turn['refused']> = { status: 503, code: 'interrupted', params: {} };

/**
 * Ends turns whose process is gone (its lease ran out; never those of `but`, which whoever asks runs itself) or, with `owner`, those of a
 * process that is going. Each says so to whoever listens; the thread is free for its next turn.
 */
export const interruptStale = (
  pool: Pool,
  options: { owner?: string; but?: readonly string[] } = {},
): Promise<Array<ThreadRef & { turn: string }>> =>
  transaction(pool, (tx) =>
    tx
      .q<ThreadRef & { turn: string }>(
        `with t as (
         update turns set state = 'interrupted', refused = $2, ended_at = now(), lease_until = null, seq = seq + 1
         where id in (select id from turns where state = 'running' and (case when $1::text is null then lease_until < now() else owner = $1 end) and id <> all($3::text[]) for update skip locked)
         returning id, workspace_id, thread_id, seq, ended_at, cost_micros),
       e as (
         insert into turn_events (turn_id, seq, event) select id, seq, jsonb_build_object('type', 'turn.refused', 'turn_id', id, 'cost_micros', cost_micros) || $2::jsonb from t)
       select workspace_id as workspace, thread_id as thread, id as turn, ${TELL} from t`,
        [options.owner ?? null, json(INTERRUPTED), options.but ?? []],
      )
      .then((rows) => rows.map(({ workspace, thread, turn }) => ({ workspace, thread, turn }))),
  );

/** Speaker of the turn that runs in a thread; null when none does. */
export const runningSpeaker = async (pool: Pool, ref: ThreadRef): Promise<(TurnSpeaker & { user: string; turn: string }) | null> => {
  const [row] = await read(pool).q<{ id: string; created_by: string; speaker: TurnSpeaker }>(
    `select id, created_by, speaker from turns where thread_id = $1 and workspace_id = $2 and state = 'running'`,
    [ref.thread, ref.workspace],
  );
  return row ? { turn: row.id, user: row.created_by, ...row.speaker } : null;
};
