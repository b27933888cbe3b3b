import { ApiProblem, NoAnswer, problemOf } from './problem.js';

const REQUEST_MS = 20_000;

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  /** Idempotency key: the same key is the same act, however often it is sent. */
  key?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** What every call to our own API needs. Set once the session is known, and again when the language changes. */
export const session = {
  csrf: null as string | null,
  language: 'es-MX' as 'es-MX' | 'en',
  onDenied: (): void => undefined,
  /** The session is another than the one this page began with. True when it is the same person's, and `csrf` is that of the new one. */
  renew: (): Promise<boolean> => Promise.resolve(false),
};

let skewMs = 0;
/** The moment it is at the server, ms. */
export const serverNow = (): number => Date.now() + skewMs;
/** Told when the server's clock turns out to be another than was thought. */
export const clock = { learnt: (): void => undefined };
const learnClock = (response: Response): void => {
  const at = Date.parse(response.headers.get('date') ?? '');
  if (!Number.isFinite(at) || Math.abs(at - Date.now() - skewMs) <= 1_500) return;
  skewMs = at - Date.now();
  clock.learnt();
};

export const newKey = (): string => crypto.randomUUID();

const headersOf = (call: Call): Record<string, string> => ({
  accept: 'application/json',
  'accept-language': session.language,
  'x-campana-channel': 'web',
  ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
  ...(session.csrf && call.method && call.method !== 'GET' ? { 'x-csrf-token': session.csrf } : {}),
  ...(call.key ? { 'idempotency-key': call.key } : {}),
  ...call.headers,
});

/**
 * One call, as it is answered.
 * @throws NoAnswer when none came, ApiProblem for a refusal
 */
export const send = async (path: string, call: Call = {}, again = false): Promise<Response> => {
  const limit = AbortSignal.timeout(call.timeoutMs ?? REQUEST_MS);
  let response: Response;
  try {
    response = await fetch(path, {
      method: call.method ?? 'GET',
      headers: headersOf(call),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: call.signal ? AbortSignal.any([call.signal, limit]) : limit,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
  } catch (error) {
    if (call.signal?.aborted) throw error;
    throw new NoAnswer();
  }
  learnClock(response);
  if (response.ok) return response;
  const problem = problemOf(response.status, await response.json().catch(() => null));
  // Not one of ours: something in between answered, and whether the API heard anything is not known.
  if (!problem) throw new NoAnswer();
  if (problem.status === 401) session.onDenied();
  // Somebody logged in anew in another tab. It was refused before it was looked at, so the same call may go again.
  if (problem.code === 'csrf_missing' && !again && (await session.renew())) return send(path, call, true);
  throw problem;
};

/** A call whose answer is JSON (or nothing). */
export const request = async <T>(path: string, call: Call = {}): Promise<T> => {
  const response = await send(path, call);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch {
    throw new NoAnswer();
  }
};

/** Worth asking again by itself. */
export const isTransient = (error: unknown): boolean => error instanceof NoAnswer || (error instanceof ApiProblem && error.retryable);
