import { at } from './api.js';
import type { ServerEvent } from '../../view/server-events.js';
import { serverEvents } from './events.js';
import { send } from './http.js';
import { NoAnswer } from './problem.js';

/** The server says something at least every 15 s; after this long without a word the line is dead, ms. */
const SILENCE_MS = 40_000;
/** Longer than any turn, ms. */
const STREAM_MS = 1_800_000;

/** A turn as it happens, from the event after `after` on, to its end. @throws NoAnswer when the line is lost, ApiProblem for a refusal */
export async function* turnEvents(thread: string, turn: string, after: string | null, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), SILENCE_MS);
  try {
    const response = await send(at`/v1/threads/${thread}/turns/${turn}/events`, {
      headers: { accept: 'text/event-stream', ...(after === null ? {} : { 'last-event-id': after }) },
      signal: AbortSignal.any([signal, silent.signal]),
      timeoutMs: STREAM_MS,
    });
    yield* serverEvents(response, () => {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE_MS);
    });
  } catch (error) {
    // Our own watch gave up, not the caller.
    throw silent.signal.aborted && !signal.aborted ? new NoAnswer() : error;
  } finally {
    clearTimeout(timer);
  }
}
