import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ApiCaller } from './auth.js';
import type { ApiContext } from './types.js';

/** A reader that is this far behind is let go; it comes back with the id of its last event. */
const MAX_BUFFERED_BYTES = 1_000_000;
const HEARTBEAT_MS = 15_000;

/** One open event stream: writes whole events, keeps proxies awake, lets slow readers go. */
export class EventStream {
  private readonly heartbeat: NodeJS.Timeout;
  private readonly ends: NodeJS.Timeout | undefined;
  private open = true;

  /**
   * @param endsAt ms since epoch when the stream has to end: nobody listens longer than their token lasts
   * @param closed told once, however it ended
   */
  constructor(
    private readonly response: ServerResponse,
    endsAt: number,
    private readonly closed: () => void,
  ) {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'keep-alive',
      // nginx would hold events back.
      'x-accel-buffering': 'no',
      ...(response.getHeaders() as Record<string, string>),
    });
    response.write('retry: 2000\n: open\n\n');
    this.heartbeat = setInterval(() => this.write(': \n\n'), HEARTBEAT_MS);
    const left = endsAt - Date.now();
    this.ends = left < 2 ** 31 ? setTimeout(() => this.end(), Math.max(0, left)) : undefined;
    response.on('close', () => this.done());
    response.on('error', () => this.done());
  }

  get isOpen(): boolean {
    return this.open;
  }

  /** Writes text that is already in the format of an event. */
  write(text: string): void {
    if (!this.open) return;
    this.response.write(text);
    if (this.response.writableLength > MAX_BUFFERED_BYTES) {
      this.response.destroy();
      this.done();
    }
  }

  end(): void {
    if (!this.open) return;
    this.response.end();
    this.done();
  }

  private done(): void {
    if (!this.open) return;
    this.open = false;
    clearInterval(this.heartbeat);
    clearTimeout(this.ends);
    this.closed();
  }
}

/** An event as it goes over the wire. The data is one line of JSON, so it needs no splitting. */
export const formatEvent = (event: string, id: string | null, data: unknown): string =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Takes the answer out of fastify's hands, keeps the headers that its plugins set, counts the stream while it is open, and ends it when what its reader holds is ended. */
export const openStream = (
  reply: FastifyReply,
  caller: ApiCaller,
  { meters, sessions }: Pick<ApiContext, 'meters' | 'sessions'>,
  closed: () => void,
  extra: Record<string, string> = {},
): EventStream => {
  const headers = { ...reply.getHeaders(), ...extra };
  reply.hijack();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) reply.raw.setHeader(name, value);
  meters.streams.inc();
  let forget = (): void => undefined;
  const stream = new EventStream(reply.raw, caller.expires, () => {
    meters.streams.dec();
    forget();
    closed();
  });
  forget = sessions.whileOpen(caller, () => stream.end());
  return stream;
};
