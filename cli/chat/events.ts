import { EventParser, type ServerEvent } from '../../view/server-events.js';

/**
 * The events of a stream as they come.
 * @param alive told of every piece, heartbeats too
 * @throws EventTooLong, and whatever the body throws when the connection breaks
 */
export async function* serverEvents(body: AsyncIterable<Uint8Array>, alive: () => void = () => undefined): AsyncGenerator<ServerEvent> {
  const parser = new EventParser();
  for await (const piece of body) {
    alive();
    yield* parser.push(piece);
  }
}
