import type { Progress, ProgressOptions, RunState, Snapshot } from './types.js';

export type * from './types.js';

const FINAL: ReadonlySet<RunState> = new Set<RunState>(['completed', 'completed_partial', 'canceled', 'failed']);
export const isFinal = (state: RunState): boolean => FINAL.has(state);

const REQUEST_MS = 10_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;
/** However long a server asks to wait: it may have meant a date, and a timer of months fires at once. */
const LONGEST_WAIT_MS = 300_000;
/** Runs that nobody watches and of which something is still known. */
const REMEMBERED = 100;
/** One lost reply is no outage: a person hears of it when a second try failed as well. */
const FAILURES_BEFORE_OFFLINE = 2;
/** Nobody looks at a hidden page; it stays roughly right for when it is looked at again. */
const HIDDEN_PAUSE_MS = 60_000;

export interface ProgressStore {
  /** What is known of a run now. The same object until something changes. */
  get(run: string): Snapshot;
  /** Watches a run until the returned function is called; several watchers of one run share one poller. */
  subscribe(run: string, changed: () => void): () => void;
  /** Asks at once: after a tap, say. */
  refresh(run: string): void;
  /** The moment it is at the server, ms: ages and expiries hold where this device's clock is wrong. */
  serverNow(): number;
  /** Forgets everything that is known and asks anew for what is watched: somebody else is asking now. */
  forget(): void;
  /** Stops every poller. */
  close(): void;
}

const NOTHING: Snapshot = Object.freeze({ progress: null, connection: 'loading', confirmedAt: null, offlineSince: null });

const isProgress = (body: unknown): body is Progress => {
  const p = body as Partial<Progress> | null;
  return (
    typeof p === 'object' &&
    p !== null &&
    typeof p.run_id === 'string' &&
    Number.isInteger(p.version) &&
    typeof p.state === 'string' &&
    Array.isArray(p.pasos) &&
    typeof p.counts?.total === 'number' &&
    Array.isArray(p.decisions) &&
    typeof p.budget?.credits === 'object'
  );
};

/** Follows runs by polling with ETag. Versions never go backwards, failures back off, a hidden page asks rarely. */
export const createProgressStore = (options: ProgressOptions = {}): ProgressStore => {
  const { baseUrl = '', language, waitMs = 0, minPauseMs = 250, maxPauseMs = 30_000 } = options;
  const call = options.fetch ?? fetch;
  const runs = new Map<string, Poller>();
  let skewMs = 0;

  const bearer = async (): Promise<Record<string, string>> => {
    const { token } = options;
    const value = typeof token === 'function' ? await token() : token;
    return value ? { authorization: `Bearer ${value}` } : {};
  };

  /** One run: what is known of it, who watches, and the next question. */
  class Poller {
    snapshot: Snapshot = NOTHING;
    readonly watchers = new Set<() => void>();
    private etag: string | null = null;
    private timer: ReturnType<typeof setTimeout> | undefined;
    private asking: AbortController | null = null;
    private again = false;
    private failures = 0;
    private firstFailure: number | null = null;
    private events: EventSource | null = null;

    constructor(private readonly run: string) {}

    start(): void {
      if (options.stream && typeof EventSource !== 'undefined') {
        this.events = new EventSource(`${baseUrl}/v1/events?run_id=${encodeURIComponent(this.run)}`, { withCredentials: baseUrl !== '' });
        for (const kind of ['run.progress', 'reset', 'message']) this.events.addEventListener(kind, () => this.now());
      }
      this.now();
    }

    /** From nothing, for another person. */
    restart(): void {
      this.stop();
      this.etag = null;
      this.failures = 0;
      this.firstFailure = null;
      this.set(NOTHING);
      this.start();
    }

    stop(): void {
      clearTimeout(this.timer);
      this.again = false;
      this.asking?.abort();
      this.asking = null;
      this.events?.close();
    }

    /** Asks at once, or right after the question that is under way: its answer may be older than what made us ask. */
    now(): void {
      clearTimeout(this.timer);
      if (this.asking) this.again = true;
      else void this.ask();
    }

    private async ask(): Promise<void> {
      const asking = new AbortController();
      this.asking = asking;
      // The first question of all is answered at once; a hidden page does not hold a connection.
      const wait = waitMs > 0 && this.etag !== null && this.failures === 0 && !hidden() ? Math.min(waitMs, 25_000) : 0;
      const limit = setTimeout(() => asking.abort(), REQUEST_MS + wait);
      let pause: number | null;
      try {
        pause = await this.answer(
          await call(`${baseUrl}/v1/runs/${encodeURIComponent(this.run)}/progress${wait > 0 ? `?wait=${Math.ceil(wait / 1000)}s` : ''}`, {
            signal: asking.signal,
            credentials: baseUrl === '' ? 'same-origin' : 'include',
            cache: 'no-store',
            headers: {
              accept: 'application/json',
              ...(language ? { 'accept-language': language } : {}),
              ...(this.etag ? { 'if-none-match': this.etag } : {}),
              ...(await bearer()),
            },
          }),
          wait > 0,
        );
      } catch {
        // Stopped on purpose, or no answer.
        if (this.asking !== asking) return;
        pause = this.failed(null);
      } finally {
        clearTimeout(limit);
      }
      if (this.asking !== asking) return;
      this.asking = null;
      if (this.again) {
        this.again = false;
        this.timer = setTimeout(() => void this.ask(), minPauseMs);
      } else if (pause !== null) this.timer = setTimeout(() => void this.ask(), hidden() ? Math.max(pause, HIDDEN_PAUSE_MS) : pause);
    }

    /** Takes an answer in. @returns the pause before the next question, ms; null when there is nothing more to ask */
    private async answer(response: Response, waited: boolean): Promise<number | null> {
      const at = Date.parse(response.headers.get('date') ?? '');
      if (Number.isFinite(at)) {
        const skew = at - Date.now();
        // `Date` has whole seconds: less than that is no difference.
        if (Math.abs(skew - skewMs) > 1_500) skewMs = skew;
      }
      // Only the API itself can say so: a proxy or a portal that answers instead knows nothing of the run.
      const ours = response.headers.get('content-type')?.includes('json') === true;
      if (response.status === 401 || (ours && response.status === 403)) return this.ended('denied');
      if (ours && (response.status === 404 || response.status === 410)) return this.ended('gone');
      if (response.status !== 304 && !response.ok) {
        const seconds = Number(response.headers.get('retry-after'));
        return this.failed(Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null);
      }
      let progress = this.snapshot.progress;
      if (response.status !== 304) {
        const body: unknown = await response.json();
        if (!isProgress(body)) return this.failed(null);
        this.etag = response.headers.get('etag');
        // A slow reply that was overtaken shows an older version: what a person has seen does not go back.
        if (!progress || body.version >= progress.version) progress = body;
      }
      this.failures = 0;
      this.firstFailure = null;
      const over = progress !== null && isFinal(progress.state);
      this.set({ progress, connection: over ? 'over' : 'live', confirmedAt: Date.now(), offlineSince: null });
      if (over) return null;
      const after = progress?.poll_after_ms;
      return waited ? minPauseMs : Math.min(maxPauseMs, Math.max(minPauseMs, Number.isFinite(after) ? Number(after) : 2_000));
    }

    private ended(connection: 'denied' | 'gone'): null {
      this.set({ ...this.snapshot, connection });
      return null;
    }

    private failed(retryAfter: number | null): number {
      this.failures += 1;
      this.firstFailure ??= Date.now();
      if (this.failures >= FAILURES_BEFORE_OFFLINE || (typeof navigator !== 'undefined' && navigator.onLine === false))
        this.set({ ...this.snapshot, connection: 'offline', offlineSince: this.firstFailure });
      const backoff = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(10, this.failures - 1));
      // Jitter: pages that lost the same server do not come back in the same moment.
      return Math.max(Math.min(retryAfter ?? 0, LONGEST_WAIT_MS), backoff * (0.5 + Math.random() / 2));
    }

    private set(next: Snapshot): void {
      const before = this.snapshot;
      if (
        before.progress === next.progress &&
        before.connection === next.connection &&
        before.offlineSince === next.offlineSince &&
        before.confirmedAt === next.confirmedAt
      )
        return;
      this.snapshot = next;
      for (const changed of [...this.watchers]) changed();
    }
  }

  const hidden = (): boolean => typeof document !== 'undefined' && document.visibilityState === 'hidden';
  const wake = (): void => {
    if (hidden()) return;
    for (const poller of runs.values()) {
      const { connection } = poller.snapshot;
      if (poller.watchers.size > 0 && connection !== 'over' && connection !== 'gone') poller.now();
    }
  };
  const heard = typeof window === 'undefined' ? null : window;
  heard?.addEventListener('online', wake);
  if (heard) document.addEventListener('visibilitychange', wake);

  return {
    get: (run) => runs.get(run)?.snapshot ?? NOTHING,
    subscribe: (run, changed) => {
      const known = runs.get(run);
      const poller = known ?? new Poller(run);
      runs.set(run, poller);
      poller.watchers.add(changed);
      if (poller.watchers.size === 1) poller.start();
      return () => {
        poller.watchers.delete(changed);
        // What is known stays: whoever watches again starts from it.
        if (poller.watchers.size > 0) return;
        poller.stop();
        // Last in line: of many, those seen longest ago are forgotten.
        if (runs.get(run) === poller) {
          runs.delete(run);
          runs.set(run, poller);
        }
        const idle = [...runs].filter(([, one]) => one.watchers.size === 0);
        for (const [old] of idle.slice(0, -REMEMBERED)) runs.delete(old);
      };
    },
    // One that nobody watches is asked anew when somebody does.
    refresh: (run) => {
      const poller = runs.get(run);
      if (poller && poller.watchers.size > 0) poller.now();
    },
    serverNow: () => Date.now() + skewMs,
    forget: () => {
      for (const [run, poller] of runs) {
        if (poller.watchers.size === 0) runs.delete(run);
        else poller.restart();
      }
    },
    close: () => {
      heard?.removeEventListener('online', wake);
      if (heard) document.removeEventListener('visibilitychange', wake);
      for (const poller of runs.values()) poller.stop();
      runs.clear();
    },
  };
};
