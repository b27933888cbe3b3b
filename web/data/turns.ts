import type { Selection, Thread, Turn, TurnEvent } from '../../contracts/turn.js';
import type { ServerEvent } from '../../view/server-events.js';
import { isTransient, newKey, serverNow } from './http.js';
import { ApiProblem } from './problem.js';
import type { Kept, Outbox } from './turns-outbox.js';
import { applyEvent, eventOf, isOver, mergeTurns, type ConversationState, type Live, type Outgoing } from './turns-state.js';

/** Keeps a conversation going: sends what is said, hears turns to their end, and looks again at what happened elsewhere. */

/** What a conversation asks of the API. */
export interface ConversationCalls {
  begin(key: string): Promise<Thread>;
  read(thread: string, turns: number): Promise<Thread>;
  say(thread: string, message: string, key: string): Promise<Turn>;
  turn(thread: string, turn: string): Promise<Turn>;
  events(thread: string, turn: string, after: string | null, signal: AbortSignal): AsyncIterable<Pick<ServerEvent, 'id' | 'data'>>;
  stop(thread: string, turn: string): Promise<Turn>;
  select(thread: string, refs: string[]): Promise<Selection>;
}
export interface ConversationHooks {
  /** It has begun and has an id. */
  named?: (thread: string) => void;
  /** A turn ended while somebody looked. */
  ended?: (turn: Turn) => void;
}

const TURNS = 100;
/** What may have happened elsewhere since the last look. */
const LATEST = 5;
const LOOK_MS = 15_000;
const HIDDEN_MS = 120_000;
const FIRST_RETRY_MS = 400;
const LAST_RETRY_MS = 10_000;
/** One lost reply is no outage. */
const FAILURES_BEFORE_OFFLINE = 2;
/** Taps on several rows go together. */
const GATHER_MS = 250;
const NOTHING: Live = { tools: [], text: '' };

const hidden = (): boolean => typeof document !== 'undefined' && document.visibilityState === 'hidden';
const backoff = (failures: number): number =>
  Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(8, failures - 1)) * (0.75 + Math.random() / 4);

/**
 * One conversation as this page knows it. Messages are kept until the server has them and are sent in order, each under its own key; turns that
 * run are heard to their end, over lost connections, from the event heard last; what happened elsewhere is looked up now and then.
 */
export class Conversation {
  private state: ConversationState;
  private readonly watchers = new Set<() => void>();
  private readonly places = new Map<string, string>();
  private life: AbortController | null = null;
  private sending = false;
  private following = false;
  private failures = 0;
  private chosen: string[] | null = null;
  private choosing = false;
  private readonly woken = new Set<() => void>();

  constructor(
    private readonly calls: ConversationCalls,
    private readonly outbox: Outbox,
    thread: string | null,
    private readonly hooks: ConversationHooks = {},
  ) {
    this.state = {
      thread,
      status: thread === null ? 'new' : 'loading',
      problem: null,
      title: null,
      runs: [],
      list: [],
      selection: [],
      turns: [],
      live: {},
      outgoing: outbox.messages(thread).map((one) => ({ ...one, state: 'held', problem: null })),
      offlineSince: null,
      heard: null,
    };
  }

  /** The same object until something changes. */
  get = (): ConversationState => this.state;

  subscribe = (changed: () => void): (() => void) => {
    this.watchers.add(changed);
    if (this.watchers.size === 1) this.open();
    return () => {
      this.watchers.delete(changed);
      if (this.watchers.size === 0) this.close();
    };
  };

  /** Says something: kept first, then sent. */
  say(text: string): void {
    const message: Kept = { key: newKey(), text, at: serverNow() };
    this.outbox.keep(this.state.thread, message);
    this.set({ outgoing: [...this.state.outgoing, { ...message, state: 'sending', problem: null }] });
    void this.send();
  }

  /** Takes back a message that was not sent. @returns its text */
  takeBack(key: string): string {
    const text = this.state.outgoing.find((one) => one.key === key)?.text ?? '';
    this.forget(key);
    return text;
  }

  /** Tries at once what would be tried later by itself. */
  retry(): void {
    this.set({ outgoing: this.state.outgoing.map((one) => (one.state === 'refused' ? { ...one, state: 'held', problem: null } : one)) });
    if (this.state.status === 'failed') {
      this.set({ status: 'loading', problem: null });
      if (this.life) void this.look(this.life.signal);
    }
    this.wake();
    void this.send();
  }

  /** @throws NoAnswer, ApiProblem */
  async stop(turn: string): Promise<void> {
    if (this.state.thread === null) return;
    const stopped = await this.calls.stop(this.state.thread, turn);
    this.set({ turns: mergeTurns(this.state.turns, [stopped]) });
  }

  /** Chooses rows of the list at hand, by their refs; shown at once (it costs nothing), saved a moment later. */
  select(refs: readonly string[]): void {
    const known = new Map([...this.state.selection, ...this.state.list].map((one) => [one.ref, one]));
    this.chosen = refs.filter((one) => known.has(one));
    this.set({ selection: this.chosen.flatMap((one) => known.get(one) ?? []) });
    void this.saveSelection();
  }

  private open(): void {
    this.life = new AbortController();
    if (typeof window !== 'undefined') {
      window.addEventListener('online', this.wake);
      document.addEventListener('visibilitychange', this.wakeIfSeen);
    }
    void this.look(this.life.signal);
    void this.follow();
    void this.send();
    void this.saveSelection();
  }

  private close(): void {
    this.life?.abort();
    this.life = null;
    this.wake();
    if (typeof window !== 'undefined') {
      window.removeEventListener('online', this.wake);
      document.removeEventListener('visibilitychange', this.wakeIfSeen);
    }
  }

  /** Reads the conversation, and again every so often. */
  private async look(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.state.thread !== null && !(await this.read(signal))) return;
      await this.rest(this.failures > 0 ? backoff(this.failures) : hidden() ? HIDDEN_MS : LOOK_MS, signal);
    }
  }

  /** @returns false when there is nothing more to look for */
  private async read(signal: AbortSignal): Promise<boolean> {
    const { thread, status, turns } = this.state;
    if (thread === null) return true;
    try {
      let fresh = await this.calls.read(thread, status === 'ready' ? LATEST : TURNS);
      // More happened elsewhere than was asked for.
      const [first] = fresh.turns;
      if (status === 'ready' && first && first.position > (turns.at(-1)?.position ?? 0) + 1) fresh = await this.calls.read(thread, TURNS);
      if (signal.aborted) return false;
      this.reached();
      this.take(fresh);
    } catch (error) {
      if (signal.aborted) return false;
      if (!isTransient(error)) {
        this.set({ status: error instanceof ApiProblem && error.status === 404 ? 'gone' : 'failed', problem: error });
        return false;
      }
      this.missed();
    }
    return true;
  }

  private take(fresh: Thread): void {
    const choosing = this.chosen !== null || this.choosing;
    this.set({
      status: 'ready',
      problem: null,
      title: fresh.title,
      runs: fresh.runs,
      list: fresh.board.list,
      turns: mergeTurns(this.state.turns, fresh.turns),
      ...(choosing ? {} : { selection: fresh.board.selection }),
    });
    void this.follow();
  }

  /** Sends what waits, one after the other. */
  private async send(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    try {
      while (this.life && !this.life.signal.aborted) {
        const next = this.state.outgoing.find((one) => one.state !== 'refused');
        if (!next) return;
        const { signal } = this.life;
        try {
          const thread = this.state.thread ?? (await this.begin());
          this.mark(next.key, 'sending');
          const turn = await this.calls.say(thread, next.text, next.key);
          this.reached();
          this.set({ turns: mergeTurns(this.state.turns, [turn]) });
          this.forget(next.key);
          void this.follow();
        } catch (error) {
          if (isTransient(error)) {
            this.mark(next.key, 'held');
            // A full queue is no lost line.
            if (!(error instanceof ApiProblem && error.status === 429)) this.missed();
            await this.rest(
              Math.max(error instanceof ApiProblem && error.status === 429 ? 2_000 : 0, backoff(Math.max(1, this.failures))),
              signal,
            );
          } else if (error instanceof ApiProblem && error.status === 401) {
            // Whoever logs in again finds it waiting.
            this.mark(next.key, 'held');
            return;
          } else this.mark(next.key, 'refused', error);
        }
      }
    } finally {
      this.sending = false;
    }
  }

  private async begin(): Promise<string> {
    const { thread_id: thread } = await this.calls.begin(this.outbox.threadKey(newKey));
    this.outbox.begun(thread);
    this.set({ thread, status: 'ready' });
    this.hooks.named?.(thread);
    return thread;
  }

  /** Hears turns to their end, the one that runs first. */
  private async follow(): Promise<void> {
    if (this.following) return;
    this.following = true;
    try {
      while (this.life && !this.life.signal.aborted) {
        const turn = this.state.turns.find((one) => !isOver(one));
        if (!turn || this.state.thread === null) return;
        await this.hear(this.state.thread, turn.turn_id, this.life.signal);
      }
    } finally {
      this.following = false;
    }
  }

  private async hear(thread: string, turn: string, signal: AbortSignal): Promise<void> {
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        for await (const { id, data } of this.calls.events(thread, turn, this.places.get(turn) ?? null, signal)) {
          this.reached();
          tries = 1;
          if (id !== null) this.places.set(turn, id);
          const event = eventOf(data);
          if (event && this.heardOf(turn, event)) return void (await this.read(signal));
        }
        // The server let go before the end: it restarts, or the session is renewed.
      } catch (error) {
        if (signal.aborted) return;
        if (!isTransient(error)) return void (await this.lookUp(thread, turn, signal));
        this.missed();
      }
      // Stopped meanwhile, by us or elsewhere.
      if (this.state.turns.some((one) => one.turn_id === turn && isOver(one))) return;
      await this.rest(backoff(tries), signal);
    }
  }

  /** @returns true when that was its end */
  private heardOf(id: string, event: TurnEvent): boolean {
    const turn = this.state.turns.find((one) => one.turn_id === id);
    if (!turn) return true;
    const over =
      event.type === 'turn.finished'
        ? { state: 'finished' as const, answer: event.answer, refused: null }
        : event.type === 'turn.refused'
          ? {
              state: event.code === 'interrupted' ? ('interrupted' as const) : ('refused' as const),
              answer: null,
              refused: { status: event.status, code: event.code, params: event.params },
            }
          : null;
    if (over) {
      const ended: Turn = { ...turn, ...over, ended_at: new Date(serverNow()).toISOString() };
      this.set({ turns: mergeTurns(this.state.turns, [ended]), heard: id });
      this.hooks.ended?.(ended);
      return true;
    }
    this.set({
      turns: turn.state === 'queued' ? mergeTurns(this.state.turns, [{ ...turn, state: 'running' }]) : this.state.turns,
      live: { ...this.state.live, [id]: applyEvent(this.state.live[id] ?? NOTHING, event) },
    });
    return false;
  }

  /** The stream is refused; the turn itself says how it is. One that cannot be read any more is not waited for. */
  private async lookUp(thread: string, turn: string, signal: AbortSignal): Promise<void> {
    try {
      const now = await this.calls.turn(thread, turn);
      this.set({ turns: mergeTurns(this.state.turns, [now]) });
      if (!isOver(now)) await this.rest(LOOK_MS, signal);
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) this.set({ turns: this.state.turns.filter((one) => one.turn_id !== turn) });
      else await this.rest(LAST_RETRY_MS, signal);
    }
  }

  private async saveSelection(): Promise<void> {
    const { thread } = this.state;
    if (this.choosing || thread === null) return;
    this.choosing = true;
    try {
      for (let failures = 0; this.chosen !== null && this.life;) {
        await this.rest(failures === 0 ? GATHER_MS : backoff(failures), this.life.signal);
        const refs: string[] = this.chosen;
        try {
          const { selection } = await this.calls.select(thread, refs);
          failures = 0;
          // Another tap came meanwhile: it is saved next.
          if (this.chosen !== refs) continue;
          this.chosen = null;
          this.set({ selection });
        } catch (error) {
          failures += 1;
          if (isTransient(error)) continue;
          // The list is another one by now.
          this.chosen = null;
          if (this.life) await this.read(this.life.signal);
        }
      }
    } finally {
      this.choosing = false;
    }
  }

  private forget(key: string): void {
    this.outbox.drop(this.state.thread, key);
    this.set({ outgoing: this.state.outgoing.filter((one) => one.key !== key) });
  }
  private mark(key: string, state: Outgoing['state'], problem: unknown = null): void {
    this.set({ outgoing: this.state.outgoing.map((one) => (one.key === key ? { ...one, state, problem } : one)) });
  }

  private reached(): void {
    this.failures = 0;
    if (this.state.offlineSince !== null) {
      this.set({ offlineSince: null });
      // Whatever rests after a failure need not any longer.
      this.wake();
    }
  }
  private missed(): void {
    this.failures += 1;
    const away = typeof navigator !== 'undefined' && navigator.onLine === false;
    if (this.state.offlineSince === null && (away || this.failures >= FAILURES_BEFORE_OFFLINE)) this.set({ offlineSince: serverNow() });
  }

  private rest(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.woken.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.woken.add(done);
      if (signal.aborted) done();
      else signal.addEventListener('abort', done);
    });
  }
  private wake = (): void => {
    for (const one of [...this.woken]) one();
  };
  private wakeIfSeen = (): void => {
    if (!hidden()) this.wake();
  };

  private set(part: Partial<ConversationState>): void {
    this.state = { ...this.state, ...part };
    for (const changed of [...this.watchers]) changed();
  }
}
