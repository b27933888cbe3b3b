/** One server-sent event. */
export interface ServerEvent { id: string | null; event: string; data: string }

/** Longer than any event of ours; what is longer is not one. */
const MAX = 4_000_000;

/**
 * The events of a stream as they come. Lines end in LF or CRLF, in whatever pieces they arrive.
 * @param alive told of every piece, heartbeats too
 */
export async function* serverEvents(body: AsyncIterable<Uint8Array>, alive: () => void = () => undefined): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  let event: { id: string | null; event: string; data: string[] } = { id: null, event: 'message', data: [] };
  for await (const chunk of body) {
    alive();
    rest += decoder.decode(chunk, { stream: true });
    if (rest.length > MAX) throw new Error('an event without an end');
    for (let at = rest.indexOf('\n'); at >= 0; at = rest.indexOf('\n')) {
      const line = rest.slice(0, at).replace(/\r$/, '');
      rest = rest.slice(at + 1);
      if (line === '') {
        if (event.data.length > 0) yield { id: event.id, event: event.event, data: event.data.join('\n') };
        event = { id: null, event: 'message', data: [] };
        continue;
      }
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (name === 'data') event.data.push(value);
      else if (name === 'id') event.id = value;
      else if (name === 'event') event.event = value;
    }
  }
}
