import { EventParser, type ServerEvent } from '../../view/server-events.js';
import { NoAnswer } from './problem.js';

/**
 * The server-sent events of an answer, as they come. EventSource cannot post, so this reads the body itself.
 * @param alive told of every piece, heartbeats too
 * @throws NoAnswer when the connection breaks, or what comes is no stream of ours
 */
export async function* serverEvents(response: Response, alive: () => void = () => undefined): AsyncGenerator<ServerEvent> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const parser = new EventParser();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      alive();
      yield* parser.push(value);
    }
  } catch {
    throw new NoAnswer();
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
