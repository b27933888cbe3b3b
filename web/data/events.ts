import { NoAnswer } from './problem.js';

export interface ServerEvent { id: string | null; data: string }

const MAX = 4_000_000;

/**
 * The server-sent events of an answer, as they come. EventSource cannot post, so this reads the body itself.
 * @param alive told of every piece, heartbeats too
 * @throws NoAnswer when the connection breaks
 */
export async function* serverEvents(response: Response, alive: () => void = () => undefined): AsyncGenerator<ServerEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let rest = '';
  let id: string | null = null;
  let data: string[] = [];
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => {
        throw new NoAnswer();
      });
      if (done) return;
      alive();
      rest += value;
      if (rest.length > MAX) throw new NoAnswer();
      for (let at = rest.indexOf('\n'); at >= 0; at = rest.indexOf('\n')) {
        const line = rest.slice(0, at).replace(/\r$/, '');
        rest = rest.slice(at + 1);
        if (line === '') {
          if (data.length > 0) yield { id, data: data.join('\n') };
          data = [];
          continue;
        }
        const colon = line.indexOf(':');
        const name = colon < 0 ? line : line.slice(0, colon);
        const field = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
        if (name === 'data') data.push(field);
        else if (name === 'id') id = field;
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
