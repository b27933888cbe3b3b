import { once } from 'node:events';
import { connect } from 'node:net';

/** What the load process is told: many who poll at a pace, or a few who ask again as soon as they are answered. */
export interface LoadOrder {
  mode: 'pollers' | 'loop';
  port: number;
  run: string;
  tokens: string[];
  lines: number;
  hz: number;
  seconds: number;
}
export interface LoadReport {
  replies: number;
  fresh: number;
  failed: number;
  p50: number;
  p99: number;
  max: number;
  perSecond: number;
}

interface Line {
  ask(request: string): Promise<{ status: number; etag: string }>;
  end(): void;
}

/** A connection that asks and waits: far cheaper than an HTTP client, so that the load does not measure itself. */
const openLine = async (port: number): Promise<Line> => {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await once(socket, 'connect');
  let buffered = '';
  let answered: ((answer: { status: number; etag: string }) => void) | undefined;
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    buffered += chunk;
    const head = buffered.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(buffered)?.[1] ?? 0);
    const status = Number(buffered.slice(9, 12));
    if (status !== 304 && buffered.length < head + 4 + length) return;
    const etag = /etag: (\S+)/i.exec(buffered)?.[1] ?? '';
    buffered = '';
    answered?.({ status, etag });
  });
  return {
    ask: (request) =>
      new Promise((resolve) => {
        answered = resolve;
        socket.write(request);
      }),
    end: () => socket.destroy(),
  };
};

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

const work = async (order: LoadOrder): Promise<LoadReport> => {
  const took: number[] = [];
  let fresh = 0;
  let failed = 0;
  const since = performance.now();
  const until = since + order.seconds * 1000;
  await Promise.all(
    Array.from({ length: order.lines }, async (_, i) => {
      const line = await openLine(order.port);
      const token = order.tokens[i % order.tokens.length] ?? '';
      const pause = order.mode === 'pollers' ? 1000 / order.hz : 0;
      // Spread over the first period: people do not poll in step.
      let next = since + (pause * i) / order.lines;
      for (let etag = ''; ; next += pause) {
        if (pause > 0) await sleep(next - performance.now());
        const began = performance.now();
        if (began > until) break;
        const answer = await line.ask(
          `GET /v1/runs/${order.run}/progress HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\naccept-language: es-MX\r\n${etag ? `if-none-match: ${etag}\r\n` : ''}\r\n`,
        );
        took.push(performance.now() - began);
        if (answer.status === 200) fresh += 1;
        else if (answer.status !== 304) failed += 1;
        ({ etag } = answer);
      }
      line.end();
    }),
  );
  took.sort((a, b) => a - b);
  const at = (p: number): number => took[Math.min(took.length - 1, Math.floor(took.length * p))] ?? 0;
  return {
    replies: took.length,
    fresh,
    failed,
    p50: at(0.5),
    p99: at(0.99),
    max: took.at(-1) ?? 0,
    perSecond: (took.length * 1000) / (performance.now() - since),
  };
};

// Forked by the bench: an order in, a report out.
if (process.env['CAMPANA_BENCH_LOAD'] === '1') {
  process.once('message', (order) => {
    void work(order as LoadOrder).then((report) => {
      process.send?.(report);
      process.disconnect();
    });
  });
}
