import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Refusal } from '../../contracts/problem.js';
import { EMPTY_BOARD, Thread, Turn, TurnEvent, type TurnAnswer } from '../../contracts/turn.js';
import { createPool, read, transaction, type Pool } from '../../db/client.js';
import { listen } from '../../db/listen.js';
import { forgetOld } from '../../db/maintenance.js';
import { createRun, ensureWorkspace } from '../../db/runs.js';
import { usageReport, usedTogether } from '../../db/skills.js';
import { appendEvents, replayEvents } from '../../db/threads/events.js';
import { attachRun, createThread, listThreads, readThread, runsOfThread, threadState } from '../../db/threads/threads.js';
import {
  beatTurn,
  claimNextTurn,
  enqueueTurn,
  interruptStale,
  MAX_QUEUED,
  readTurn,
  runningSpeaker,
  waitingThreads,
  type ClaimedTurn,
} from '../../db/threads/queue.js';
import { foldTurn, noteCost, pastTurns, refuseTurn, type Fold } from '../../db/threads/fold.js';
import { THREADS_CHANNEL, turnMoved, type ThreadRef, type TurnMoved } from '../../db/threads/rows.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { campaign, until } from './support.js';

let database: TestDatabase;
/** The owner's, for what surrounds a conversation; conversations themselves go through Ada's role. */
let owner: Pool;
let ada: Pool;

beforeAll(async () => {
  database = await createDatabase();
  owner = createPool(database.url, { name: 'test-owner' });
  const url = new URL(database.url);
  url.searchParams.set('options', '-c role=campana_ada');
  ada = createPool(url.href, { max: 12, name: 'test-ada' });
});
afterAll(async () => {
  await Promise.all([owner.end(), ada.end()]);
  await database.drop();
});

const LEASE = { owner: 'api-1', leaseMs: 60_000 };
const begin = async (workspace = 'ws_a'): Promise<ThreadRef> => ({
  workspace,
  thread: (await createThread(ada, { workspace, sub: 'ana' })).thread_id,
});
const ask = (ref: ThreadRef, message: string, key: string = randomUUID()) =>
  enqueueTurn(ada, ref, { key, message, user: 'ana', roles: ['seller'], agent: false, language: 'es-MX' });
const claimed = async (ref: ThreadRef, by = LEASE): Promise<ClaimedTurn> => {
  const turn = await claimNextTurn(ada, ref, by);
  if (!turn) throw new Error('nothing to claim');
  return turn;
};
const running = async (message = 'hola', workspace = 'ws_a'): Promise<ThreadRef & { turn: string }> => {
  const ref = await begin(workspace);
  await ask(ref, message);
  return { ...ref, turn: (await claimed(ref)).turn };
};
const answerOf = (at: ThreadRef & { turn: string }, narration = 'Listo.'): TurnAnswer => ({
  turn_id: at.turn,
  thread_id: at.thread,
  intent: { kind: 'responder' },
  text: narration,
  narration,
  anchors: [],
  pregunta: null,
  siguiente: null,
  card: null,
  decision: null,
  progress: null,
  stage: 'con_lista',
  skills_used: [],
  skill_omitida: [],
  usage: {
    steps: 1,
    tool_calls: 0,
    searches: 0,
    repairs: 0,
    model_calls: 1,
    tokens_in: 10,
    tokens_out: 5,
    cost_micros: 12,
    ttft_ms: null,
    duration_ms: 3,
    prompt: { characters: 1, saved_characters: 0, saved_tokens: 0 },
    unresolved_refs: 0,
    refs_available: 0,
  },
  attempts: [{ model: 'm', route: 'primary', mode: 'json_schema', outcome: 'ok', tokens_in: 10, tokens_out: 5, cost_micros: 12, ms: 3 }],
  validation: [],
  model: { name: 'm', kind: 'scripted' },
});
const foldOf = async (at: ThreadRef & { turn: string }, over: Partial<Fold> = {}): Promise<Fold> => {
  const state = await threadState(ada, at);
  return {
    state: {
      ...state,
      facts: { ...state.facts, giro: { status: 'dicho', value: 'empaque' } },
      stage: 'con_lista',
      asked: '¿Cuántas?',
      declined: ['campana'],
    },
    answer: answerOf(at),
    usage: [{ skill: 'contactos', version: '1', viewed: 1, used: 1 }],
    together: ['contactos', 'empresas'],
    runs: [],
    ...over,
  };
};
const delta = (text: string): TurnEvent => ({ type: 'narration.delta', text });
const newRun = (workspace: string): Promise<string> =>
  transaction(owner, async (tx) => {
    await ensureWorkspace(tx, workspace);
    return (await createRun(tx, { sub: 'ana', workspace, roles: ['seller'], channel: 'chat' }, campaign)).run_id;
  });
const refused = (status: number, code: string) => expect.objectContaining({ status, code }) as Refusal;

describe('asking', () => {
  it('is one turn per key; the key with another message is refused', async () => {
    const ref = await begin();
    const first = await ask(ref, 'dame 40 empresas', 'k1');
    const again = await ask(ref, 'dame 40 empresas', 'k1');
    expect(first.fresh).toBe(true);
    expect(again).toEqual({ turn: first.turn, fresh: false });
    await expect(ask(ref, 'dame 50 empresas', 'k1')).rejects.toEqual(refused(422, 'key_reused'));
    // The key is the thread's.
    expect((await ask(await begin(), 'otra cosa', 'k1')).fresh).toBe(true);
    expect(Turn.parse(first.turn)).toMatchObject({ position: 1, state: 'queued' });
    expect((await readThread(ada, ref)).title).toBe('dame 40 empresas');
  });

  it('at the same time with one key makes one turn', async () => {
    const ref = await begin();
    const all = await Promise.all(Array.from({ length: 10 }, () => ask(ref, 'hola', 'same')));
    expect(new Set(all.map((a) => a.turn.turn_id)).size).toBe(1);
    expect(all.filter((a) => a.fresh)).toHaveLength(1);
  });

  it('ten at once queue in one order, without gaps, and only one runs', async () => {
    const ref = await begin();
    const asked = await Promise.all(Array.from({ length: 10 }, (_, i) => ask(ref, `mensaje ${i}`)));
    expect(asked.map((a) => a.turn.position).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const order: number[] = [];
    while (order.length < 10) {
      const got = (await Promise.all(['a', 'b', 'c'].map((name) => claimNextTurn(ada, ref, { owner: name, leaseMs: 60_000 })))).filter(
        (t) => t !== null,
      );
      expect(got).toHaveLength(1);
      const [turn] = got;
      if (!turn) break;
      order.push(turn.position);
      await refuseTurn(ada, ref, turn.turn, { status: 429, code: 'x', params: {} }, 0);
    }
    expect(order).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await claimNextTurn(ada, ref, LEASE)).toBeNull();
  });

  it('is refused when too many wait', async () => {
    const ref = await begin();
    for (let i = 0; i < MAX_QUEUED; i += 1) await ask(ref, `m${i}`);
    await expect(ask(ref, 'una más')).rejects.toEqual(refused(429, 'thread_busy'));
    await claimed(ref);
    expect((await ask(ref, 'una más')).turn.position).toBe(MAX_QUEUED + 1);
  });

  it('keeps what PostgreSQL cannot, without it', async () => {
    const ref = await begin();
    const { turn } = await ask(ref, 'a\u0000b\ud83d');
    expect(turn.message).toBe('ab\ufffd');
    const { turn: id } = await claimed(ref);
    await appendEvents(ada, ref.workspace, id, [delta('mitad \ud83d'), delta('\u0000')]);
    expect((await replayEvents(ada, ref, id, 0)).events.map((e) => e.event)).toEqual([delta('mitad \ufffd'), delta('')]);
  });

  it('keeps with whose rights', async () => {
    const ref = await begin();
    expect(await runningSpeaker(ada, ref)).toBeNull();
    await enqueueTurn(ada, ref, { key: 'k', message: 'hola', user: 'beto', roles: ['approver'], agent: true, language: 'en' });
    expect(await claimed(ref)).toMatchObject({
      ...ref,
      user: 'beto',
      roles: ['approver'],
      agent: true,
      language: 'en',
      message: 'hola',
      position: 1,
      key: 'k',
      profile: null,
    });
    expect(await runningSpeaker(ada, ref)).toMatchObject({ user: 'beto', roles: ['approver'], agent: true });
  });
});

describe('a process that goes away', () => {
  it('leaves a turn that says so; the next one goes on', async () => {
    const ref = await begin();
    const first = (await ask(ref, 'uno')).turn;
    await ask(ref, 'dos');
    const turn = await claimed(ref, { owner: 'dead', leaseMs: 60_000 });
    await appendEvents(ada, ref.workspace, turn.turn, [delta('a medias')]);
    expect(await claimNextTurn(ada, ref, LEASE)).toBeNull();
    expect((await waitingThreads(ada)).map((t) => t.thread)).not.toContain(ref.thread);
    expect((await interruptStale(ada)).map((t) => t.thread)).not.toContain(ref.thread);
    await read(owner).q(`update turns set lease_until = now() - interval '1 ms' where id = $1`, [turn.turn]);
    // Several processes may look at once: it is ended once.
    const ended = (await Promise.all([1, 2, 3, 4].map(() => interruptStale(ada)))).flat().filter((t) => t.thread === ref.thread);
    expect(ended).toEqual([{ ...ref, turn: turn.turn }]);
    expect(await readTurn(ada, ref, first.turn_id)).toMatchObject({
      state: 'interrupted',
      refused: { status: 503, code: 'interrupted' },
      answer: null,
    });
    const replay = await replayEvents(ada, ref, turn.turn, 0);
    expect(replay).toMatchObject({
      state: 'interrupted',
      over: true,
      events: [
        { seq: 1, event: delta('a medias') },
        { seq: 2, event: { type: 'turn.refused', status: 503, code: 'interrupted' } },
      ],
    });
    for (const { event } of replay.events) TurnEvent.parse(event);
    expect((await waitingThreads(ada)).map((t) => t.thread)).toContain(ref.thread);
    expect((await claimed(ref)).message).toBe('dos');
    // What the dead one still says comes to nothing.
    expect(await beatTurn(ada, turn.turn, { owner: 'dead', leaseMs: 1_000 })).toBe(false);
    expect(await appendEvents(ada, ref.workspace, turn.turn, [delta('tarde')])).toBeNull();
    const late = { ...ref, turn: turn.turn };
    await expect(foldTurn(ada, ref, turn.turn, await foldOf(late))).rejects.toEqual(refused(409, 'turn_interrupted'));
    await expect(refuseTurn(ada, ref, turn.turn, { status: 500, code: 'x', params: {} }, null)).rejects.toEqual(
      refused(409, 'turn_interrupted'),
    );
    expect((await threadState(ada, ref)).stage).toBe('sin_criterio');
  });

  it('keeps its turn as long as it beats; going in order it ends its own', async () => {
    const ref = await begin();
    await ask(ref, 'uno');
    const by = { owner: `p-${randomUUID()}`, leaseMs: 60_000 };
    const { turn } = await claimed(ref, by);
    for (let i = 0; i < 4; i += 1) {
      // As if its time had just run out.
      await read(owner).q(`update turns set lease_until = now() - interval '1 ms' where id = $1`, [turn]);
      expect(await beatTurn(ada, turn, by)).toBe(true);
      expect((await interruptStale(ada)).map((t) => t.turn)).not.toContain(turn);
    }
    // What a process runs itself is not lost to it, whatever the clock says when it looks.
    await read(owner).q(`update turns set lease_until = now() - interval '1 ms' where id = $1`, [turn]);
    expect((await interruptStale(ada, { but: [turn] })).map((t) => t.turn)).not.toContain(turn);
    expect(await beatTurn(ada, turn, { ...by, owner: 'another' })).toBe(false);
    expect(await interruptStale(ada, { owner: by.owner })).toEqual([{ ...ref, turn }]);
  });
});

describe('folding', () => {
  it('writes turn, thread, counters and campaigns together, once', async () => {
    const ws = 'ws_fold';
    const run = await newRun(ws);
    const foreign = await newRun('ws_other');
    const at = await running('empresas de empaque', ws);
    const fold = await foldOf(at, { runs: [run, foreign] });
    await foldTurn(ada, at, at.turn, fold);
    await foldTurn(ada, at, at.turn, fold);
    const thread = Thread.parse(await readThread(ada, at));
    expect(thread).toMatchObject({
      stage: 'con_lista',
      facts: { giro: { status: 'dicho', value: 'empaque' }, cargo: { status: 'faltante', value: null } },
      runs: [run],
      board: EMPTY_BOARD,
    });
    expect(thread.turns).toMatchObject([{ state: 'finished', answer: { narration: 'Listo.' } }]);
    expect(await threadState(ada, at)).toMatchObject({ asked: '¿Cuántas?', declined: ['campana'] });
    expect(await pastTurns(ada, at, 12)).toEqual([{ message: 'empresas de empaque', narration: 'Listo.' }]);
    expect(await usageReport(read(owner), ws)).toMatchObject([{ skill: 'contactos', viewed: 1, used: 1 }]);
    expect(await usedTogether(read(owner), ws)).toEqual([{ a: 'contactos', b: 'empresas', times: 1 }]);
    const [row] = await read(owner).q<{ cost_micros: number; attempts: unknown[] }>(
      `select cost_micros, attempts from turns where id = $1`,
      [at.turn],
    );
    expect(row).toMatchObject({ cost_micros: 12, attempts: [{ model: 'm' }] });
  });

  it('that breaks off leaves nothing', async () => {
    const ws = 'ws_broken';
    const run = await newRun(ws);
    const at = await running('hola', ws);
    const before = await readThread(ada, at);
    // A counter below zero is refused by the database after turn and thread were written.
    await expect(
      foldTurn(ada, at, at.turn, await foldOf(at, { runs: [run], usage: [{ skill: 'x', version: '1', viewed: -1 }] })),
    ).rejects.toThrow(/violates check constraint/);
    expect(await readThread(ada, at)).toEqual(before);
    expect(await usedTogether(read(owner), ws)).toEqual([]);
    expect(await runsOfThread(ada, at)).toEqual([]);
  });

  it('whose connection dies in the middle is done again, whole', async () => {
    const ws = 'ws_cut';
    const at = await running('hola', ws);
    const fold = await foldOf(at);
    await read(owner).q(`insert into skill_usage (workspace_id, skill, version) values ($1, 'contactos', '1')`, [ws]);
    const holder = await owner.connect();
    try {
      // Turn and thread are written; the counters' row is in somebody else's hands.
      await holder.query('begin');
      await holder.query(`select 1 from skill_usage where workspace_id = $1 for update`, [ws]);
      const folding = foldTurn(ada, at, at.turn, fold);
      const pid = await until(
        async () =>
          (
            await read(owner).q<{ pid: number }>(
              `select pid from pg_stat_activity where application_name = 'test-ada' and wait_event_type = 'Lock' and datname = current_database()`,
            )
          )[0]?.pid,
      );
      await read(owner).q(`select pg_terminate_backend($1)`, [pid]);
      expect((await readTurn(owner, at, at.turn)).state).toBe('running');
      await holder.query('commit');
      await folding;
    } finally {
      holder.release();
    }
    expect((await readTurn(ada, at, at.turn)).state).toBe('finished');
    expect(await usageReport(read(owner), ws)).toMatchObject([{ viewed: 1, used: 1 }]);
  });

  it('a refusal leaves the thread as it was', async () => {
    const at = await running();
    await refuseTurn(ada, at, at.turn, { status: 402, code: 'queries_over', params: { left: 0 } }, null);
    await refuseTurn(ada, at, at.turn, { status: 402, code: 'queries_over', params: { left: 0 } }, null);
    await expect(foldTurn(ada, at, at.turn, await foldOf(at))).rejects.toEqual(refused(409, 'turn_interrupted'));
    expect(await readThread(ada, at)).toMatchObject({
      stage: 'sin_criterio',
      turns: [{ state: 'refused', refused: { status: 402, code: 'queries_over', params: { left: 0 } } }],
    });
    await noteCost(ada, at.workspace, at.turn, { queries: 2, micros: 7, attempts: [{ model: 'm' }] });
    expect(await read(owner).q(`select queries, cost_micros, attempts from turns where id = $1`, [at.turn])).toEqual([
      { queries: 2, cost_micros: 7, attempts: [{ model: 'm' }] },
    ]);
  });
});

describe('replay', () => {
  it('gives what came after a number, and the end once', async () => {
    const at = await running();
    expect(await appendEvents(ada, at.workspace, at.turn, [delta('a'), delta('b')])).toBe(2);
    expect(await appendEvents(ada, at.workspace, at.turn, [delta('c')])).toBe(3);
    expect(await replayEvents(ada, at, at.turn, 1)).toEqual({
      events: [
        { seq: 2, event: delta('b') },
        { seq: 3, event: delta('c') },
      ],
      state: 'running',
      over: false,
    });
    await foldTurn(ada, at, at.turn, await foldOf(at));
    const end: TurnEvent = { type: 'turn.finished', answer: answerOf(at) };
    // The process died between the answer and its event: the row has it.
    const made = await replayEvents(ada, at, at.turn, 3);
    expect(made).toEqual({ events: [{ seq: 4, event: end }], state: 'finished', over: true });
    expect(await replayEvents(ada, at, at.turn, 4)).toEqual({ events: [], state: 'finished', over: true });
    // It had not died: the same number.
    expect(await appendEvents(ada, at.workspace, at.turn, [end])).toBe(4);
    expect(await replayEvents(ada, at, at.turn, 3)).toEqual(made);
    expect(await replayEvents(ada, at, at.turn, 4)).toEqual({ events: [], state: 'finished', over: true });
    expect((await replayEvents(ada, at, at.turn, 0, 2)).over).toBe(false);
    expect((await replayEvents(ada, at, at.turn, 0)).events.map((e) => e.seq)).toEqual([1, 2, 3, 4]);
    // Long after, only the end is left.
    await read(owner).q(`update turns set ended_at = now() - interval '8 days' where id = $1`, [at.turn]);
    await forgetOld(owner);
    expect(await replayEvents(ada, at, at.turn, 0)).toMatchObject({ events: [{ event: { type: 'turn.finished' } }], over: true });
    expect((await replayEvents(ada, at, at.turn, 2)).events).toHaveLength(1);
  });

  it('is announced', async () => {
    const heard: TurnMoved[] = [];
    let ready = (): void => undefined;
    const up = new Promise<void>((resolve) => (ready = resolve));
    const listener = listen(database.url, [THREADS_CHANNEL], {
      notify: (_c, payload) => heard.push(turnMoved(payload)),
      connect: () => ready(),
    });
    await up;
    const at = await running();
    await appendEvents(ada, at.workspace, at.turn, [delta('a'), delta('b')]);
    await foldTurn(ada, at, at.turn, await foldOf(at));
    const seen = await until(() => {
      const own = heard.filter((h) => h.turn === at.turn);
      return own.length >= 4 && own;
    });
    expect(seen.map((h) => h.seq)).toEqual([0, 0, 2, 2]);
    expect(seen[0]).toEqual({ workspace: at.workspace, thread: at.thread, turn: at.turn, seq: 0 });
    await listener.stop();
  });
});

describe('workspaces', () => {
  it('do not see each other', async () => {
    const at = await running('secreto', 'ws_one');
    const run = await newRun('ws_one');
    await attachRun(ada, at, run);
    const other: ThreadRef = { workspace: 'ws_two', thread: at.thread };
    const gone = refused(404, 'thread_not_found');
    await expect(readThread(ada, other)).rejects.toEqual(gone);
    await expect(threadState(ada, other)).rejects.toEqual(gone);
    await expect(ask(other, 'x')).rejects.toEqual(gone);
    await expect(claimNextTurn(ada, other, LEASE)).rejects.toEqual(gone);
    await expect(foldTurn(ada, other, at.turn, await foldOf(at))).rejects.toEqual(gone);
    await expect(readTurn(ada, other, at.turn)).rejects.toEqual(refused(404, 'turn_not_found'));
    await expect(replayEvents(ada, other, at.turn, 0)).rejects.toEqual(refused(404, 'turn_not_found'));
    await expect(refuseTurn(ada, other, at.turn, { status: 1, code: 'x', params: {} }, 0)).rejects.toEqual(refused(404, 'turn_not_found'));
    expect(await appendEvents(ada, 'ws_two', at.turn, [delta('x')])).toBeNull();
    await noteCost(ada, 'ws_two', at.turn, { queries: 9, micros: 9, attempts: [] });
    expect(await read(owner).q(`select queries from turns where id = $1`, [at.turn])).toEqual([{ queries: 0 }]);
    expect(await pastTurns(ada, other, 5)).toEqual([]);
    expect(await runsOfThread(ada, other)).toEqual([]);
    expect(await runningSpeaker(ada, other)).toBeNull();
    // A run of another workspace does not become part of a thread, not even by hand.
    const mine = await begin('ws_two');
    await attachRun(ada, mine, run);
    expect(await runsOfThread(ada, mine)).toEqual([]);
    await expect(
      read(ada).q(`insert into thread_runs (workspace_id, thread_id, run_id) values ('ws_two', $1, $2)`, [mine.thread, run]),
    ).rejects.toThrow(/foreign key/);
    expect((await listThreads(ada, 'ws_two', { limit: 10 })).threads.map((t) => t.thread_id)).toEqual([mine.thread]);
  });

  it('list their threads newest first, page by page', async () => {
    const made: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      made.push((await begin('ws_list')).thread);
      // Ids are in order by the millisecond.
      const at = Date.now();
      await until(() => Date.now() > at);
    }
    const first = await listThreads(ada, 'ws_list', { limit: 2 });
    expect(first.threads.map((t) => t.thread_id)).toEqual(made.slice(1).reverse());
    const second = await listThreads(ada, 'ws_list', { limit: 2, before: first.next_cursor ?? '' });
    expect(second).toMatchObject({ threads: [{ thread_id: made[0] }], next_cursor: null });
    expect((await listThreads(ada, 'ws_list', { limit: 5, user: 'beto' })).threads).toEqual([]);
  });
});
