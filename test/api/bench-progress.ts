/**
 * How the progress route holds up: 200 pollers at 4 Hz on a run that moves, then as many answers as one process gives.
 * `node --import tsx test/api/bench-progress.ts [seconds]`; the API runs in a process of its own, over a real PostgreSQL.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { CreateRun } from '../../contracts/criteria.js';
import { createPool, transaction } from '../../db/client.js';
import { withRun } from '../../db/events.js';
import { migrate } from '../../db/migrate.js';
import { createRun } from '../../db/runs.js';
import { buildEntries } from '../../stack/build.js';
import { freePort } from '../../stack/ports.js';
import { startStack } from '../../stack/up.js';

const seconds = Number(process.argv[2] ?? 10);

/** A connection that asks and waits: far cheaper than an HTTP client, so that the load does not measure itself. */
const openLine = async (port: number): Promise<{ ask(request: string): Promise<{ status: number; etag: string }>; end(): void }> => {
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
    ask: (request) => new Promise((resolve) => {
      answered = resolve;
      socket.write(request);
    }),
    end: () => socket.destroy(),
  };
};
const percentile = (sorted: number[], p: number): string => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? 0).toFixed(1);
const cpuSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
const memoryMb = (pid: number): number => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);

const stateDir = await mkdtemp(join(tmpdir(), 'campana-bench-'));
await chmod(stateDir, 0o755);
const stack = await startStack({ stateDir, ports: 'random', parts: ['postgres'], ui: false, say: () => undefined });
try {
  const url = stack.databases.campana;
  await migrate(url);
  const pool = createPool(url, { max: 4 });
  const caller = { sub: 'bench', workspace: 'ws_demo', roles: ['seller' as const], channel: 'api' };
  const run = (await transaction(pool, (tx) => createRun(tx, caller, CreateRun.parse({ criteria: { giro: 'empaque', cargo: 'compras' }, cuentas: 50 })))).run_id;
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const tokens = await Promise.all(Array.from({ length: 200 }, (_, i) => new SignJWT({ ws: 'ws_demo', roles: ['seller'] }).setProtectedHeader({ alg: 'EdDSA' }).setSubject(`u${i}`).setIssuedAt().setExpirationTime('1h').sign(privateKey)));
  const port = await freePort();
  const file = (await buildEntries(['api/main.ts']))['api/main.ts'] ?? '';
  const api = spawn(process.execPath, [file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'], DATABASE_URL: url, CAMPANA_API_PORT: String(port), CAMPANA_JWT_PUBLIC_KEY: await exportSPKI(publicKey), TEMPORAL_ADDRESS: '127.0.0.1:1', CAMPANA_LOG_LEVEL: 'error' },
  });
  const pid = api.pid ?? 0;
  for (let up = false; !up;) up = await fetch(`http://127.0.0.1:${port}/metrics`).then((r) => r.ok, () => new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 50)));

  const request = (token: string, etag: string): string => `GET /v1/runs/${run}/progress HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\naccept-language: es-MX\r\n${etag ? `if-none-match: ${etag}\r\n` : ''}\r\n`;
  let moving = true;
  const mover = (async () => {
    while (moving) {
      await withRun(pool, 'ws_demo', run, (locked) => Promise.resolve(locked.emit('bench.moved', {}, {})));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();

  const pollers = async (forSeconds: number): Promise<{ took: number[]; fresh: number }> => {
    const took: number[] = [];
    let fresh = 0;
    await Promise.all(tokens.map(async (token, i) => {
      const line = await openLine(port);
      await new Promise((resolve) => setTimeout(resolve, (i * 250) / tokens.length));
      const end = Date.now() + forSeconds * 1000;
      for (let etag = '', next = performance.now(); Date.now() < end; next += 250) {
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
        const began = performance.now();
        const answer = await line.ask(request(token, etag));
        took.push(performance.now() - began);
        if (answer.status === 200) fresh += 1;
        ({ etag } = answer);
      }
      line.end();
    }));
    return { took: took.sort((a, b) => a - b), fresh };
  };
  const asManyAsPossible = async (forSeconds: number, withEtag: boolean): Promise<string> => {
    let count = 0;
    const cpu = cpuSeconds(pid);
    const end = Date.now() + forSeconds * 1000;
    await Promise.all(Array.from({ length: 64 }, async (_, i) => {
      const line = await openLine(port);
      for (let etag = ''; Date.now() < end; count += 1) {
        const answer = await line.ask(request(tokens[i] ?? '', etag));
        if (withEtag) ({ etag } = answer);
      }
      line.end();
    }));
    return `${Math.round(count / forSeconds)} replies/s (API ${Math.round(((cpuSeconds(pid) - cpu) / forSeconds) * 100)} % of a core)`;
  };

  console.log(`API memory at start ${memoryMb(pid)} MB`);
  await pollers(3);
  const cpu = cpuSeconds(pid);
  const { took, fresh } = await pollers(seconds);
  console.log(`200 pollers at 4 Hz, run moving 10/s: ${took.length} replies in ${seconds} s, ${fresh} fresh; ms p50 ${percentile(took, 0.5)} p99 ${percentile(took, 0.99)} max ${percentile(took, 1)}; API ${Math.round(((cpuSeconds(pid) - cpu) / seconds) * 100)} % of a core`);
  console.log(`API memory with pollers ${memoryMb(pid)} MB`);
  console.log(`most, 304 mostly: ${await asManyAsPossible(seconds / 2, true)}`);
  console.log(`most, whole body: ${await asManyAsPossible(seconds / 2, false)}`);
  console.log(`API memory ${memoryMb(pid)} MB`);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  console.log(metrics.split('\n').filter((l) => /^campana_progress_(statements|answers)/.test(l)).join(', '));
  moving = false;
  await mover;
  api.kill('SIGTERM');
  const since = Date.now();
  await once(api, 'exit');
  console.log(`stopped in ${Date.now() - since} ms`);
  await pool.end();
} finally {
  await stack.stop();
  await rm(stateDir, { recursive: true, force: true });
}
