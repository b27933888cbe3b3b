import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { runTurn } from '../ada/turn.js';
import type { AdaPorts } from '../ada/types.js';
import type { TurnEvent } from '../contracts/turn.js';
import type { Pool } from '../db/client.js';
import { appendEvents } from '../db/threads/events.js';
import { beatTurn, claimNextTurn, interruptStale, isWaiting, waitingThreads, type ClaimedTurn } from '../db/threads/queue.js';
import { refuseTurn } from '../db/threads/fold.js';
import type { ThreadRef } from '../db/threads/rows.js';
import type { Hub } from './hub.js';

/** Turns that one process runs at the same time; the rest wait in their threads. */
const CONCURRENCY = 16;
/** A process that has not renewed for this long is taken for gone. */
const LEASE_MS = 8_000;
const BEAT_MS = 2_000;
/** How often abandoned turns and waiting threads are looked for. */
const SWEEP_MS = 2_000;
/** What a running turn gets to end by itself when the process has to go. */
const GRACE_MS = 3_000;
/** What it gets to let go once it was told to. */
const LET_GO_MS = 1_000;
const BATCH = 200;

export interface TurnsOptions {
  run?: typeof runTurn;
  concurrency?: number;
  leaseMs?: number;
  beatMs?: number;
  sweepMs?: number;
  graceMs?: number;
}

export interface Turns {
  /** A turn was added to this thread: run it now if none runs there. */
  kick(ref: ThreadRef): void;
  /** A turn was ended by somebody: if it runs here, it lets go. */
  letGo(turn: string): void;
  running(): number;
  /** Running turns get a moment to end, then they are marked as interrupted; nothing new is begun. */
  stop(): Promise<void>;
}

/** Events of one turn on their way to the database: whatever came while a batch was being written is the next batch. */
class Journal {
  private waiting: TurnEvent[] = [];
  private writing: Promise<void> | null = null;
  /** The last number that was given to an event of ours, or that one which is on its way may get. */
  seq = 0;
  /** The turn has said how it ended. */
  ended = false;

  constructor(
    private readonly write: (events: TurnEvent[]) => Promise<number | null>,
    private readonly lost: () => void,
  ) {}

  readonly add = (event: TurnEvent): void => {
    this.ended ||= event.type === 'turn.finished' || event.type === 'turn.refused';
    this.waiting.push(event);
    this.writing ??= this.work();
  };

  /** Until everything that was said is kept. */
  async flush(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async work(): Promise<void> {
    // One turn of the event loop, so that what is said in one breath is one statement.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH);
      // Before it is written: its own notification may be here first.
      this.seq += batch.length;
      try {
        if ((await this.write(batch)) === null) this.lost();
      } catch {
        // Lost on the way: how a turn ended stands in its row, and every replay ends with it.
        this.seq -= batch.length;
      }
    }
    this.writing = null;
  }
}

interface Running {
  thread: string;
  abort: AbortController;
  journal: Journal;
  done: Promise<void>;
  beat(): Promise<void>;
}

/**
 * Runs the turns that wait in threads: one at a time in each, whichever process it is, for as long as its lease is renewed. A turn goes on
 * without whoever asked for it.
 */
export const startTurns = (
  of: { pool: Pool; ports: AdaPorts; hub: Pick<Hub, 'onTurn' | 'onResync'>; log: FastifyBaseLogger },
  options: TurnsOptions = {},
): Turns => {
  const { pool, ports, hub, log } = of;
  const {
    run = runTurn,
    concurrency = CONCURRENCY,
    leaseMs = LEASE_MS,
    beatMs = BEAT_MS,
    sweepMs = SWEEP_MS,
    graceMs = GRACE_MS,
  } = options;
  const by = { owner: `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`, leaseMs };
  const running = new Map<string, Running>();
  /** Threads to look at, in the order in which they came up; those being looked at now; and those to look at once more after that. */
  const waiting = new Map<string, ThreadRef>();
  const serving = new Set<string>();
  const again = new Map<string, ThreadRef>();
  let stopped = false;

  const note = (level: 'warn' | 'error', what: string, error: unknown): void => {
    // The message of a database error may quote what a person typed; its code and the stack's frames may not.
    const e = error instanceof Error ? error : new Error('not an error');
    const frames = (e.stack ?? '')
      .split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 8)
      .join('\n');
    log[level]({ name: e.name, code: 'code' in e ? e.code : undefined, frames }, what);
  };

  const work = async (turn: ClaimedTurn): Promise<void> => {
    const abort = new AbortController();
    const letGo = (): void => abort.abort();
    const journal = new Journal((events) => appendEvents(pool, turn.workspace, turn.turn, events), letGo);
    const beat = async (): Promise<void> => {
      try {
        if (!(await beatTurn(pool, turn.turn, by))) letGo();
      } catch (error) {
        note('warn', 'a lease was not renewed', error);
      }
    };
    const beats = setInterval(() => void beat(), beatMs);
    let over: () => void = () => undefined;
    running.set(turn.turn, { thread: turn.thread, abort, journal, beat, done: new Promise((resolve) => (over = resolve)) });
    // Everything that was said is kept before the row says that the turn is over: whoever replays it then misses nothing.
    const threads: AdaPorts['threads'] = {
      ...ports.threads,
      fold: async (...args) => {
        await journal.flush();
        await ports.threads.fold(...args);
      },
      refuse: async (...args) => {
        await journal.flush();
        await ports.threads.refuse(...args);
      },
    };
    const { workspace, user, thread, profile, language } = turn;
    try {
      await run(
        { ...ports, threads },
        { workspace, user, thread, profile, language },
        { turnId: turn.turn, message: turn.message },
        journal.add,
        { signal: abort.signal },
      );
    } catch (error) {
      if (!abort.signal.aborted) await failed(turn, journal, error);
    } finally {
      clearInterval(beats);
      await journal.flush();
      running.delete(turn.turn);
      over();
    }
  };

  /** Whatever nobody foresaw: the thread says so and goes on. */
  const failed = async (turn: ClaimedTurn, journal: Journal, error: unknown): Promise<void> => {
    note('error', 'a turn failed', error);
    if (journal.ended) return;
    const refused = { status: 500, code: 'internal_error', params: {} };
    try {
      await journal.flush();
      await refuseTurn(pool, turn, turn.turn, refused, null);
      journal.add({ type: 'turn.refused', turn_id: turn.turn, ...refused, cost_micros: null });
    } catch (again) {
      // Its lease runs out, and then it is marked as interrupted.
      note('warn', 'a failed turn could not be closed', again);
    }
  };

  const serve = async (ref: ThreadRef): Promise<void> => {
    serving.add(ref.thread);
    try {
      const turn = await claimNextTurn(pool, ref, by);
      if (!turn) return;
      // The process began to go while it was being claimed: it is somebody else's.
      if (stopped) return void (await interruptStale(pool, { owner: by.owner }));
      await work(turn);
      // Asked first: taking the next one locks the thread, which whoever says something now would wait for.
      if (await isWaiting(pool, ref)) again.set(ref.thread, ref);
    } catch (error) {
      note('warn', 'a thread could not be served', error);
    } finally {
      serving.delete(ref.thread);
      const once = again.get(ref.thread);
      again.delete(ref.thread);
      if (once) waiting.set(once.thread, once);
      pump();
    }
  };

  const pump = (): void => {
    for (const [thread, ref] of waiting) {
      if (stopped || serving.size >= concurrency) return;
      waiting.delete(thread);
      if (serving.has(thread)) again.set(thread, ref);
      else void serve(ref);
    }
  };
  const kick = (ref: ThreadRef): void => {
    if (stopped) return;
    waiting.set(ref.thread, { workspace: ref.workspace, thread: ref.thread });
    pump();
  };

  let sweeping = false;
  const sweep = async (): Promise<void> => {
    if (sweeping || stopped) return;
    sweeping = true;
    try {
      // Its own first: after a long stop of this process alone (a busy machine, a lid that was closed) both timers are due, and nobody else is to have them.
      await Promise.all([...running.values()].map((one) => one.beat()));
      // Nor are they lost when it stands still again right here.
      const lost = await interruptStale(pool, { but: [...running.keys()] });
      if (lost.length > 0) log.warn({ turns: lost.map((one) => one.turn) }, 'turns whose process is gone were marked as interrupted');
      for (const ref of lost) kick(ref);
      if (serving.size < concurrency) for (const ref of await waitingThreads(pool)) kick(ref);
    } catch (error) {
      note('warn', 'waiting threads were not looked for', error);
    } finally {
      sweeping = false;
    }
  };
  const sweeps = setInterval(() => void sweep(), sweepMs);
  void sweep();
  const forget = [
    // Only its own process writes a turn's events: a number beyond ours is somebody who ended it.
    hub.onTurn(({ turn, seq }) => {
      const mine = running.get(turn);
      if (mine && seq > mine.journal.seq) void mine.beat();
    }),
    hub.onResync(() => void sweep()),
  ];

  let stopping: Promise<void> | undefined;
  return {
    kick,
    letGo: (turn) => running.get(turn)?.abort.abort(),
    running: () => running.size,
    stop: () =>
      (stopping ??= (async () => {
        stopped = true;
        clearInterval(sweeps);
        for (const one of forget) one();
        const left = [...running.values()];
        const all = Promise.allSettled(left.map((one) => one.done));
        await within(graceMs, all);
        if (running.size === 0) return;
        // Marked first: a turn that is told to stop would otherwise write itself down as refused.
        await interruptStale(pool, { owner: by.owner }).catch((error: unknown) =>
          note('warn', 'running turns were not marked as interrupted', error),
        );
        for (const one of running.values()) one.abort.abort();
        await within(LET_GO_MS, all);
      })()),
  };
};

const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const enough = new AbortController();
  await Promise.race([work.then(() => enough.abort()), sleep(ms, undefined, { signal: enough.signal }).catch(() => undefined)]);
};
