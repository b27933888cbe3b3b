import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { Problem } from '../contracts/problem.js';
import type { Language } from '../contracts/catalog/index.js';
import type { Connection } from './connection.js';
import { CliExit, EXIT, exitForProblem } from './exit.js';
import type { ServerEvent } from '../view/server-events.js';
import { serverEvents } from './chat/events.js';

export interface ClientOptions {
  connect: () => Promise<Connection>;
  language: Language;
  /** How long a call may go on trying after lost replies and 503, ms. */
  patienceMs: number;
  /** Ends every wait and request (Ctrl-C). */
  signal?: AbortSignal;
  /** Told once per call that no answer came and it is tried again. */
  slow?: (url: string, why: string) => void;
}

export interface Answer<T> {
  status: number;
  body: T;
  etag: string | null;
}
interface Call {
  method: string;
  path: string;
  body?: unknown;
  key?: string;
  etag?: string;
  timeoutMs?: number | null;
  signal?: AbortSignal;
  accept?: string;
  lastEventId?: string;
}
export interface StreamCall {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  key?: string;
  lastEventId?: string;
  signal?: AbortSignal;
}
export interface OpenStream {
  events: AsyncGenerator<ServerEvent>;
  location: string | null;
}

/** No reply came, or the server said "later": trying again may help. */
class Unreachable extends Error {
  constructor(
    readonly why: string,
    readonly retryAfterMs: number | null,
  ) {
    super(why);
  }
}

const LATER = new Set([408, 429, 502, 503, 504]);
const REQUEST_MS = 15_000;
/** A part that starts anew is back after a few attempts; whoever waits longer wants to know for what. */
const SILENT_ATTEMPTS = 2;
/** A stream in which nothing came for this long is dead: the server sends a heartbeat every 15 s. */
const SILENCE_MS = 45_000;

const retryAfter = (response: Response, problem: Problem | null): number | null => {
  if (problem?.retry_after_ms !== undefined) return problem.retry_after_ms;
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
};

/** The HTTP API as this command uses it: typed bodies, bounded retries, one idempotency key per change. */
export class Client {
  private connection: Connection | null = null;
  /** Server clock minus ours, ms: ages and expiries follow the server also where our clock is wrong. */
  private skewMs = 0;

  constructor(private readonly options: ClientOptions) {}

  /** The moment it is at the server. */
  now = (): Date => new Date(Date.now() + this.skewMs);

  async where(): Promise<Connection> {
    return (this.connection ??= await this.options.connect());
  }

  /** Looks the address and the token up again at the next call: a stack may come back with a new token, or elsewhere. */
  forget(): void {
    this.connection = null;
  }

  /** Reads. Lost connections are tried again within the patience. */
  async get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return (await this.persist({ method: 'GET', path }, schema)).body;
  }

  /**
   * Changes something. The key is made once per call and sent again with every retry, so that a reply lost on the way is
   * answered by what the first request did. @throws CliExit with the exit code of the refusal.
   */
  async change<T>(path: string, body: unknown, schema: z.ZodType<T>, method = 'POST', key: string = randomUUID()): Promise<T> {
    return (await this.persist({ method, path, body, key }, schema)).body;
  }

  /** One conditional read without retries, for following: null when nothing changed. What it throws when no reply came, `isUnreachable` knows. */
  async poll<T>(path: string, schema: z.ZodType<T>, etag: string | null, waitMs: number, signal: AbortSignal): Promise<Answer<T> | null> {
    const answer = await this.once({ method: 'GET', path, ...(etag ? { etag } : {}), timeoutMs: waitMs + REQUEST_MS, signal }, schema);
    return answer.status === 304 ? null : answer;
  }

  /** Opens a stream of events, without retries. What it and the events throw when the connection is lost, `isUnreachable` knows. */
  async stream(call: StreamCall): Promise<OpenStream> {
    for (let refreshed = false; ; refreshed = true) {
      const { url, token } = await this.where();
      const own = new AbortController();
      let timer = setTimeout(() => own.abort(), REQUEST_MS);
      const alive = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => own.abort(), SILENCE_MS);
      };
      try {
        const response = await this.send(url, token, {
          ...call,
          accept: 'text/event-stream',
          timeoutMs: null,
          signal: call.signal ? AbortSignal.any([own.signal, call.signal]) : own.signal,
        });
        alive();
        if (response.ok && response.body)
          return { events: this.heard(response.body, alive, () => clearTimeout(timer)), location: response.headers.get('location') };
        const raw = await this.read(response);
        clearTimeout(timer);
        if (response.status === 401 && !refreshed && (await this.newToken(token))) continue;
        throw this.refused(response, raw, call.path, token);
      } catch (error) {
        clearTimeout(timer);
        throw error;
      }
    }
  }

  private async *heard(body: ReadableStream<Uint8Array>, alive: () => void, over: () => void): AsyncGenerator<ServerEvent> {
    try {
      yield* serverEvents(body, alive);
    } catch (error) {
      throw this.lost(error);
    } finally {
      over();
    }
  }

  static isUnreachable(error: unknown): boolean {
    return error instanceof Unreachable;
  }

  private async persist<T>(call: Call, schema: z.ZodType<T>): Promise<Answer<T>> {
    const until = Date.now() + this.options.patienceMs;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.once(call, schema);
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        const pause = error.retryAfterMs ?? Math.min(3000, 200 * 2 ** attempt);
        if (Date.now() + pause > until)
          throw new CliExit(EXIT.unavailable, 'cli.error.unreachable', { url: this.connection?.url ?? '', why: error.why });
        if (attempt === SILENT_ATTEMPTS) this.options.slow?.(this.connection?.url ?? '', error.why);
        await sleep(pause, undefined, this.options.signal ? { signal: this.options.signal } : {});
        this.forget();
      }
    }
  }

  private async once<T>(call: Call, schema: z.ZodType<T>, refreshed = false): Promise<Answer<T>> {
    const { url, token } = await this.where();
    const response = await this.send(url, token, call);
    const date = Date.parse(response.headers.get('date') ?? '');
    // The header has whole seconds: smaller differences are not a wrong clock.
    if (Number.isFinite(date)) this.skewMs = Math.abs(date - Date.now()) > 2000 ? date - Date.now() : 0;
    if (response.status === 304) return { status: 304, body: null as T, etag: call.etag ?? null };
    const raw = await this.read(response);
    if (response.ok) return { status: response.status, body: this.checked(raw, schema, call.path), etag: response.headers.get('etag') };
    if (response.status === 401 && !refreshed && (await this.newToken(token))) return this.once(call, schema, true);
    throw this.refused(response, raw, call.path, token);
  }

  /** A restarted stack signs with new keys: its token file is read once more before giving up. */
  private async newToken(old: string): Promise<boolean> {
    this.connection = null;
    return (await this.where()).token !== old;
  }

  private refused(response: Response, raw: unknown, path: string, token: string): Error {
    const parsed = Problem.safeParse(raw);
    if (LATER.has(response.status))
      return new Unreachable(parsed.success ? parsed.data.code : `HTTP ${response.status}`, retryAfter(response, parsed.data ?? null));
    if (response.status === 401)
      return new CliExit(EXIT.usage, token ? 'cli.error.token_refused' : 'cli.error.token_missing', {}, parsed.data ?? null);
    if (parsed.success) return exitForProblem(parsed.data);
    return new CliExit(response.status >= 500 ? EXIT.unavailable : EXIT.usage, 'cli.error.http', { status: response.status, path });
  }

  private async send(url: string, token: string, call: Call): Promise<Response> {
    const timeout = call.timeoutMs === null ? undefined : AbortSignal.timeout(call.timeoutMs ?? REQUEST_MS);
    const ends = [timeout, this.options.signal, call.signal].filter((s) => s !== undefined);
    try {
      return await fetch(url + call.path, {
        method: call.method,
        headers: {
          accept: call.accept ?? 'application/json',
          'accept-language': this.options.language,
          'user-agent': 'campana-cli',
          'x-campana-channel': 'cli',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(call.key ? { 'idempotency-key': call.key } : {}),
          ...(call.etag ? { 'if-none-match': call.etag } : {}),
          ...(call.lastEventId ? { 'last-event-id': call.lastEventId } : {}),
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        signal: AbortSignal.any(ends),
        redirect: 'error', // a token follows no redirect
      });
    } catch (error) {
      throw this.lost(error);
    }
  }

  private async read(response: Response): Promise<unknown> {
    let body: string;
    try {
      body = await response.text();
    } catch (error) {
      throw this.lost(error);
    }
    if (body === '') return null;
    try {
      return JSON.parse(body) as unknown;
    } catch {
      return null;
    }
  }

  private lost(error: unknown): Error {
    if (this.options.signal?.aborted) return new CliExit(EXIT.interrupted, null);
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = (cause as NodeJS.ErrnoException).code;
    return new Unreachable(code ?? (cause instanceof Error ? cause.message || cause.name : String(cause)), null);
  }

  /** The body as it came, once it is known to have the shape we rely on: `--json` prints all of it. */
  private checked<T>(raw: unknown, schema: z.ZodType<T>, path: string): T {
    const parsed = schema.safeParse(raw);
    if (parsed.success) return raw as T;
    const where = parsed.error.issues
      .slice(0, 3)
      .map((i) => i.path.join('.') || '(body)')
      .join(', ');
    throw new CliExit(EXIT.unavailable, 'cli.error.shape', { path, where });
  }
}
