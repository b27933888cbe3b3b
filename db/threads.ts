import type { Caller } from '../contracts/api.js';
import { Refusal } from '../contracts/problem.js';
import type { Language } from '../contracts/catalog/index.js';
import type { MoneyKind } from '../contracts/states.js';
import {
  EMPTY_BOARD,
  FACT_KEYS,
  type Board,
  type Facts,
  type SkillUsed as SkillUsedSchema,
  type Stage,
  type Thread,
  type ThreadPage,
  type Turn,
  type TurnAnswer,
  type TurnEvent,
  type TurnState,
} from '../contracts/turn.js';
import type { z } from 'zod';
import { one, read, transaction, type Pool, type Tx } from './client.js';
import { newId } from './ids.js';
import { addUsage, type UsageEntry } from './skills.js';

/** Conversations. Every statement here is one that Ada's own role may run (`campana_ada`, migration 0003). */

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
export const turnMoved = (payload: string): TurnMoved => {
  const [workspace = '', thread = '', turn = '', seq = '', over] = payload.split(' ');
  return { workspace, thread, turn, seq: Number(seq), ...(over ? { over: true } : {}) };
};
const TELL = `pg_notify('${THREADS_CHANNEL}', workspace_id || ' ' || thread_id || ' ' || id || ' ' || seq || case when ended_at is null then '' else ' over' end)`;

/** More turns than this never wait on one thread. */
export const MAX_QUEUED = 20;
const TITLE = 80;
/** What a thread is shown with at most: its latest turns. */
const TURNS_SHOWN = 100;

/** JSON as PostgreSQL can keep it: no NUL, no half of a surrogate pair (a text that was cut in the middle of a character). */
const plain = (text: string): string => text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\uFFFD');
const json = (value: unknown): string => JSON.stringify(value, (_key, v: unknown) => (typeof v === 'string' ? plain(v) : v));

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

interface ThreadRow {
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
interface TurnRow {
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
const TURN = 'id, thread_id, position, state, message, answer, refused, created_at, ended_at';
const asTurn = (r: TurnRow): Turn => ({
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
const stateOf = (r: ThreadRow): StoredState => ({
  facts: whole(r.facts),
  board: { ...EMPTY_BOARD, ...r.board },
  stage: r.stage,
  skills: r.skills,
  asked: r.asked,
  declined: r.declined,
});

const noThread = (thread: string): Refusal => new Refusal(404, 'thread_not_found', { thread_id: thread });
const findThread = async (tx: Tx, { workspace, thread }: ThreadRef, lock = false): Promise<ThreadRow> => {
  const [row] = await tx.q<ThreadRow>(`select * from threads where id = $1 and workspace_id = $2${lock ? ' for update' : ''}`, [
    thread,
    workspace,
  ]);
  if (!row) throw noThread(thread);
  return row;
};

// Threads.

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

// Turns: asked for, run one at a time, in order.

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
const INTERRUPTED: NonNullable<Turn['refused']> = { status: 503, code: 'interrupted', params: {} };

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

// Events.

const isLast = (event: TurnEvent): boolean => event.type === 'turn.finished' || event.type === 'turn.refused';

/**
 * Adds events to a turn, numbered on from the last. Only its own process writes them, in batches (each is one statement and one notification).
 * @returns the number of the last one; null when the turn was interrupted meanwhile, and nothing was kept
 */
export const appendEvents = async (pool: Pool, workspace: string, turn: string, events: readonly TurnEvent[]): Promise<number | null> => {
  if (events.length === 0) return null;
  const [row] = await read(pool).q<{ seq: number }>(
    `with t as (update turns set seq = seq + $3::int where id = $1 and workspace_id = $2 and state <> 'interrupted' returning id, workspace_id, thread_id, seq, ended_at),
     e as (insert into turn_events (turn_id, seq, event) select t.id, t.seq - $3::int + x.n, x.event from t, jsonb_array_elements($4::jsonb) with ordinality as x (event, n))
     select seq, ${TELL} from t`,
    [turn, workspace, events.length, json(events)],
  );
  return row?.seq ?? null;
};

export interface Replay {
  events: Array<{ seq: number; event: TurnEvent }>;
  state: TurnState;
  over: boolean;
}

/**
 * What was said in a turn after `after` (0: everything). `over` means that no more will come. A turn that ended without its last event having been
 * kept (its process died right then, or its events are old) gets it from its row, so that every replay of a turn that is over ends with one.
 * @throws Refusal 404 `turn_not_found`
 */
export const replayEvents = async (pool: Pool, ref: ThreadRef, turn: string, after: number, limit = 1_000): Promise<Replay> => {
  const [row] = await read(pool).q<TurnRow & { seq: number; cost_micros: number | null; events: Replay['events'] }>(
    `select ${TURN}, seq, cost_micros, (select coalesce(jsonb_agg(jsonb_build_object('seq', e.seq, 'event', e.event) order by e.seq), '[]') from (
       select seq, event from turn_events where turn_id = t.id and seq > $4 order by seq limit $5) e) as events from turns t where id = $1 and thread_id = $2 and workspace_id = $3`,
    [turn, ref.thread, ref.workspace, after, limit],
  );
  if (!row) throw new Refusal(404, 'turn_not_found', { turn_id: turn });
  const { events, state } = row;
  if (events.length === limit) return { events, state, over: false };
  if (row.ended_at === null) return { events, state, over: false };
  const last = events.at(-1);
  if (last && isLast(last.event)) return { events, state, over: true };
  if (last === undefined && after > 0 && (await endsKept(pool, turn, after))) return { events, state, over: true };
  const end: TurnEvent = row.answer
    ? { type: 'turn.finished', answer: row.answer }
    : { type: 'turn.refused', turn_id: row.id, ...(row.refused ?? INTERRUPTED), cost_micros: row.cost_micros };
  return { events: [...events, { seq: Math.max(row.seq, after) + 1, event: end }], state, over: true };
};
/** Whether whoever has seen everything up to `after` has seen the end: it was kept, or made up from the row with the number after the last. */
const endsKept = async (pool: Pool, turn: string, after: number): Promise<boolean> =>
  (
    await read(pool).q(
      `select 1 from turns t where t.id = $1 and (t.seq < $2 or exists (select 1 from turn_events e where e.turn_id = t.id and e.seq <= $2 and e.event ->> 'type' in ('turn.finished', 'turn.refused')))`,
      [turn, after],
    )
  ).length > 0;

// What a turn reads and leaves behind.

/** @throws Refusal 404 `thread_not_found` */
export const threadState = async (pool: Pool, ref: ThreadRef): Promise<StoredState> => stateOf(await findThread(read(pool), ref));

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

// Campaigns of a thread.

const attach = async (tx: Tx, ref: ThreadRef, runs: readonly string[]): Promise<void> => {
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

// What a turn is told of its workspace.

export interface WorkspaceFacts {
  balances: Record<MoneyKind, number>;
  sequences: { draft: number; approved: number };
  integrations: string[] | null;
  capabilities: string[] | null;
  read_at: string | null;
}

/** Balances, sequences and connections as our rows know them, in one statement. A workspace that nobody has seen has nothing. */
export const workspaceFacts = async (pool: Pool, workspace: string): Promise<WorkspaceFacts> => {
  const [row] = await read(pool).q<{
    credits: number;
    queries: number;
    inference: number;
    draft: number;
    approved: number;
    integrations: string[] | null;
    capabilities: string[] | null;
    read_at: string | null;
  }>(
    `select b.*, s.*, w.integrations, w.capabilities, w.read_at
     from (select coalesce(sum(available) filter (where kind = 'credits'), 0)::bigint as credits, coalesce(sum(available) filter (where kind = 'queries'), 0)::bigint as queries,
             coalesce(sum(available) filter (where kind = 'inference'), 0)::bigint as inference from ada_balances where workspace_id = $1) b
     cross join (select count(*) filter (where state = 'draft')::int as draft, count(*) filter (where state = 'approved')::int as approved from sequences where workspace_id = $1) s
     left join workspaces w on w.id = $1`,
    [workspace],
  );
  const { credits, queries, inference, draft, approved, ...rest } = one(row ? [row] : [], 'workspace facts');
  return { balances: { credits, queries, inference }, sequences: { draft, approved }, ...rest };
};

/**
 * Makes sure that a login is Ada's and no more.
 * @throws Error when it could hold, spend, answer or start something
 */
export const refuseStrongLogin = async (pool: Pool): Promise<void> => {
  const [row] = await read(pool).q<{ strong: string[] | null }>(
    `select array_agg(x.t order by x.t) as strong from unnest(array['runs', 'run_progress', 'run_events', 'decisions', 'ledger_accounts', 'holds', 'transfers', 'effects', 'contacts', 'accounts', 'outbox', 'idempotency_keys', 'audit', 'workspaces', 'skill_states']) as x (t)
     where has_any_column_privilege(x.t, 'insert, update') or has_table_privilege(x.t, 'delete, truncate, trigger')`,
  );
  if (row?.strong)
    throw new Error(
      `The login of ADA_DATABASE_URL may change ${row.strong.join(', ')}: Ada needs one with the role campana_ada alone. See docs/running.md.`,
    );
};
