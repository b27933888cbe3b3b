import type { TurnEvent } from '../contracts/turn.js';
import type { Pool } from '../db/client.js';
import { turnsFrom } from '../db/threads/controls.js';
import { replayEvents } from '../db/threads/events.js';
import { runsOfThread } from '../db/threads/threads.js';
import type { ThreadRef } from '../db/threads/rows.js';
import type { Hub } from './hub.js';
import type { ProgressReader } from './progress-reader.js';
import { formatEvent, type EventStream } from './sse.js';

/** Events read at once. */
const ROUND = 500;
/** When the database was away: look again after this long, ms. */
const RETRY_MS = 1_000;

/** Reads on whenever it is poked, one reading at a time; what moved meanwhile is read next. */
abstract class Listener {
  private dirty = false;
  private working = false;
  private retry: NodeJS.Timeout | undefined;
  protected stream: EventStream | null = null;

  /** @returns true when there is nothing more to come */
  protected abstract readOn(): Promise<boolean>;

  open(stream: EventStream): void {
    this.stream = stream;
    this.poke();
  }
  poke(): void {
    this.dirty = true;
    void this.work();
  }
  close(): void {
    clearTimeout(this.retry);
    this.stream?.end();
  }

  private async work(): Promise<void> {
    if (this.working) return;
    this.working = true;
    try {
      while (this.dirty && this.stream?.isOpen) {
        this.dirty = false;
        if (await this.readOn()) this.close();
      }
    } catch {
      clearTimeout(this.retry);
      this.retry = setTimeout(() => this.poke(), RETRY_MS);
    } finally {
      this.working = false;
    }
  }

  protected write(event: TurnEvent, id: string): void {
    this.stream?.write(formatEvent(event.type, id, event));
  }
}

/** One turn, from an event on to its end. */
class TurnListener extends Listener {
  constructor(
    private readonly pool: Pool,
    private readonly ref: ThreadRef,
    readonly turn: string,
    private after: number,
  ) {
    super();
  }

  /** The last event that was told. */
  heard(): number {
    return this.after;
  }

  protected async readOn(): Promise<boolean> {
    for (;;) {
      const { events, over } = await replayEvents(this.pool, this.ref, this.turn, this.after, ROUND);
      for (const { seq, event } of events) {
        this.write(event, String(seq));
        this.after = seq;
      }
      if (over) return true;
      if (events.length < ROUND) return false;
    }
  }
}

/** A whole thread: its turns as they happen and the progress of its campaigns. */
class ThreadListener extends Listener {
  private readonly turns = new Map<string, number>();
  private readonly moved = new Set<string>();
  /** Campaigns of the thread and the version of each that was shown. */
  private readonly runs = new Map<string, number>();
  private readonly movedRuns = new Set<string>();
  private begun = false;

  constructor(
    private readonly pool: Pool,
    private readonly reader: ProgressReader,
    readonly ref: ThreadRef,
    private readonly last: { turn: string; seq: number } | null,
  ) {
    super();
  }

  /** The last event of a turn that was told; 0 when none was. */
  heard(turn: string): number {
    return this.turns.get(turn) ?? 0;
  }

  turnMoved(turn: string): void {
    this.moved.add(turn);
    this.poke();
  }
  runMoved(run: string): void {
    // Before the first reading nobody knows whose campaigns these are.
    if (this.begun && !this.runs.has(run)) return;
    this.movedRuns.add(run);
    this.poke();
  }
  everythingMoved(): void {
    for (const turn of this.turns.keys()) this.moved.add(turn);
    for (const run of this.runs.keys()) this.movedRuns.add(run);
    this.begun = false;
    this.poke();
  }

  protected async readOn(): Promise<boolean> {
    if (!this.begun) await this.begin();
    await this.each(this.moved, (turn) => this.readTurn(turn));
    await this.each(this.movedRuns, async (run) => {
      if (this.runs.has(run)) await this.readRun(run);
    });
    return false;
  }

  /** What could not be read is read again. */
  private async each(from: Set<string>, work: (id: string) => Promise<void>): Promise<void> {
    for (const id of from) {
      from.delete(id);
      try {
        await work(id);
      } catch (error) {
        from.add(id);
        throw error;
      }
    }
  }

  private async begin(): Promise<void> {
    const [latest] = [...this.turns.keys()].slice(-1);
    const from = latest ?? this.last?.turn ?? null;
    const turns = await turnsFrom(this.pool, this.ref, from);
    if (turns === null) this.stream?.write(formatEvent('reset', null, { reason: 'unknown_event' }));
    for (const { id } of turns ?? []) this.moved.add(id);
    if (this.last && turns !== null && !this.turns.has(this.last.turn)) this.turns.set(this.last.turn, this.last.seq);
    await this.readRuns();
    this.begun = true;
  }

  private async readTurn(turn: string): Promise<void> {
    for (;;) {
      const { events, over } = await replayEvents(this.pool, this.ref, turn, this.turns.get(turn) ?? 0, ROUND);
      for (const { seq, event } of events) {
        this.write(event, `${turn}:${seq}`);
        this.turns.set(turn, seq);
      }
      // A turn that is over may have begun a campaign.
      if (over && events.length > 0) await this.readRuns();
      if (over || events.length < ROUND) return;
    }
  }

  private async readRuns(): Promise<void> {
    for (const run of await runsOfThread(this.pool, this.ref))
      if (!this.runs.has(run)) {
        this.runs.set(run, 0);
        this.movedRuns.add(run);
      }
  }

  private async readRun(run: string): Promise<void> {
    const shown = this.runs.get(run) ?? 0;
    const row = await this.reader.read(run, shown === 0 ? null : shown);
    if (!row || row.body === null || row.version <= shown || row.workspace_id !== this.ref.workspace) return;
    this.runs.set(run, row.version);
    // Without an id: the place in the turns is what is taken up again; progress is sent as it is then.
    this.stream?.write(`event: run.progress\ndata: {"type":"run.progress","progress":${row.body}}\n\n`);
  }
}

/** Streams of turns and threads, fed by notifications and read from rows. */
export class TurnFeed {
  private readonly turns = new Map<string, Set<TurnListener>>();
  private readonly threads = new Map<string, Set<ThreadListener>>();
  private readonly byWorkspace = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly pool: Pool,
    private readonly reader: ProgressReader,
    hub: Pick<Hub, 'onTurn' | 'onMoved' | 'onResync'>,
  ) {
    hub.onTurn(({ thread, turn, seq, over = false }) => {
      for (const one of this.turns.get(turn) ?? []) if (over || seq > one.heard()) one.poke();
      for (const one of this.threads.get(thread) ?? []) if (over || seq > one.heard(turn)) one.turnMoved(turn);
    });
    hub.onMoved(({ workspace, run }) => {
      for (const set of this.threads.values()) for (const one of set) if (one.ref.workspace === workspace) one.runMoved(run);
    });
    hub.onResync(() => {
      for (const set of this.turns.values()) for (const one of set) one.poke();
      for (const set of this.threads.values()) for (const one of set) one.everythingMoved();
    });
  }

  count(workspace?: string): number {
    return workspace === undefined ? this.total : (this.byWorkspace.get(workspace) ?? 0);
  }

  /** One turn from the event after `after` on. @param make opens the stream */
  followTurn(ref: ThreadRef, turn: string, after: number, make: (closed: () => void) => EventStream): void {
    const listener = new TurnListener(this.pool, ref, turn, after);
    listener.open(make(this.add(this.turns, turn, ref.workspace, listener)));
  }

  /** A thread from now on (what runs in it from its beginning), or from the event after `last`. */
  followThread(ref: ThreadRef, last: { turn: string; seq: number } | null, make: (closed: () => void) => EventStream): void {
    const listener = new ThreadListener(this.pool, this.reader, ref, last);
    listener.open(make(this.add(this.threads, ref.thread, ref.workspace, listener)));
  }

  private add<L extends Listener>(to: Map<string, Set<L>>, key: string, workspace: string, listener: L): () => void {
    const set = to.get(key) ?? new Set<L>();
    to.set(key, set.add(listener));
    this.total += 1;
    this.byWorkspace.set(workspace, this.count(workspace) + 1);
    return () => {
      if (!set.delete(listener)) return;
      listener.close();
      this.total -= 1;
      const left = this.count(workspace) - 1;
      if (left > 0) this.byWorkspace.set(workspace, left);
      else this.byWorkspace.delete(workspace);
      if (set.size === 0 && to.get(key) === set) to.delete(key);
    };
  }

  /** Ends every stream: the process is going. */
  end(): void {
    for (const set of [...this.turns.values(), ...this.threads.values()]) for (const one of [...set]) one.close();
  }
}
