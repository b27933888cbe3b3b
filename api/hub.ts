import { listen } from '../db/listen.js';
import { endingTold, SESSIONS_CHANNEL, type Ending } from '../db/sessions.js';
import { THREADS_CHANNEL, turnMoved, type TurnMoved } from '../db/threads/rows.js';

export interface RunMoved {
  workspace: string;
  run: string;
  version: number;
}

/** One caller's eye on one run, opened before the row is read so that nothing said in between is missed. */
export interface Watch {
  /** Forgets what was heard; called right before the row is read. */
  reset(): void;
  /** True as soon as the run moved past `version` (or may have), false after `ms` or when the caller goes away. */
  wait(version: number, ms: number, gone: AbortSignal): Promise<boolean>;
  close(): void;
}

/**
 * What moved, from PostgreSQL's notifications. After a reconnection everybody is told to look again, since what was said in
 * between is lost.
 */
export interface Hub {
  connected(): boolean;
  watch(run: string): Watch;
  onMoved(told: (moved: RunMoved) => void): () => void;
  onTurn(told: (moved: TurnMoved) => void): () => void;
  /** A session, or everything of a person, was ended. */
  onEnded(told: (ending: Ending) => void): () => void;
  onResync(told: () => void): () => void;
  watching(): number;
  /** Ends every wait at once and makes later ones end at once: the process is going. */
  release(): void;
  stop(): Promise<void>;
}

class RunWatch implements Watch {
  private heard = 0;
  private pending: { version: number; end(moved: boolean): void } | undefined;
  constructor(
    private readonly left: (watch: RunWatch) => void,
    private readonly released: () => boolean,
  ) {}

  hear(version: number): void {
    this.heard = Math.max(this.heard, version);
    if (this.pending && this.heard > this.pending.version) this.pending.end(true);
  }
  giveUp(): void {
    this.pending?.end(false);
  }
  reset(): void {
    this.heard = 0;
  }
  close(): void {
    this.giveUp();
    this.left(this);
  }

  wait(version: number, ms: number, gone: AbortSignal): Promise<boolean> {
    if (this.released() || gone.aborted) return Promise.resolve(false);
    if (this.heard > version) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (moved: boolean): void => {
        this.pending = undefined;
        clearTimeout(timer);
        gone.removeEventListener('abort', abort);
        resolve(moved);
      };
      const abort = (): void => end(false);
      const timer = setTimeout(() => end(false), ms);
      gone.addEventListener('abort', abort);
      this.pending = { version, end };
    });
  }
}

export const createHub = (databaseUrl: string): Hub => {
  const byRun = new Map<string, Set<RunWatch>>();
  const moved = new Set<(moved: RunMoved) => void>();
  const turns = new Set<(moved: TurnMoved) => void>();
  const ended = new Set<(ending: Ending) => void>();
  const resync = new Set<() => void>();
  let count = 0;
  let released = false;
  const everyWatch = (): RunWatch[] => [...byRun.values()].flatMap((set) => [...set]);

  const listener = listen(databaseUrl, ['campana_runs', THREADS_CHANNEL, SESSIONS_CHANNEL], {
    notify: (channel, payload) => {
      if (channel === THREADS_CHANNEL) {
        for (const told of turns) told(turnMoved(payload));
        return;
      }
      if (channel === SESSIONS_CHANNEL) {
        const ending = endingTold(payload);
        if (ending) for (const told of ended) told(ending);
        return;
      }
      const [workspace = '', run = '', version = ''] = payload.split(' ');
      const event = { workspace, run, version: Number(version) };
      for (const watch of [...(byRun.get(run) ?? [])]) watch.hear(event.version);
      for (const told of moved) told(event);
    },
    connect: () => {
      for (const watch of everyWatch()) watch.hear(Number.MAX_SAFE_INTEGER);
      for (const told of resync) told();
    },
  });

  return {
    connected: listener.connected,
    watch: (run) => {
      const watches = byRun.get(run) ?? new Set<RunWatch>();
      byRun.set(run, watches);
      const left = (watch: RunWatch): void => {
        if (!watches.delete(watch)) return;
        count -= 1;
        if (watches.size === 0 && byRun.get(run) === watches) byRun.delete(run);
      };
      const watch = new RunWatch(left, () => released);
      watches.add(watch);
      count += 1;
      return watch;
    },
    onMoved: (told) => {
      moved.add(told);
      return () => moved.delete(told);
    },
    onTurn: (told) => {
      turns.add(told);
      return () => turns.delete(told);
    },
    onEnded: (told) => {
      ended.add(told);
      return () => ended.delete(told);
    },
    onResync: (told) => {
      resync.add(told);
      return () => resync.delete(told);
    },
    watching: () => count,
    release: () => {
      released = true;
      for (const watch of everyWatch()) watch.giveUp();
    },
    stop: () => listener.stop(),
  };
};
