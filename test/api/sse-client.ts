import type { TestApi } from './support.js';

export interface Heard {
  id: string | null;
  event: string;
  data: Record<string, unknown> & { type: string };
}
export interface Listening {
  status: number;
  headers: Headers;
  events: Heard[];
  over: Promise<void>;
  hang(): void;
  text(): string;
}

/** One event stream of the API, as it comes. */
export const listen = async (
  api: Pick<TestApi, 'url' | 'token'>,
  path: string,
  options: { method?: string; body?: unknown; headers?: Record<string, string>; token?: string } = {},
): Promise<Listening> => {
  const stop = new AbortController();
  const response = await fetch(api.url + path, {
    method: options.method ?? 'GET',
    signal: stop.signal,
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${options.token ?? api.token}`,
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const events: Heard[] = [];
  let all = '';
  const read = async (): Promise<void> => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const text = decoder.decode(chunk, { stream: true });
      all += text;
      rest += text;
      for (let at = rest.indexOf('\n\n'); at >= 0; at = rest.indexOf('\n\n')) {
        const lines = rest.slice(0, at).split('\n');
        rest = rest.slice(at + 2);
        const field = (name: string): string | null => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null;
        const data = field('data');
        if (data !== null) events.push({ id: field('id'), event: field('event') ?? '', data: JSON.parse(data) as Heard['data'] });
      }
    }
  };
  const over = read().catch(() => undefined);
  return { status: response.status, headers: response.headers, events, over, hang: () => stop.abort(), text: () => all };
};
