import { randomUUID } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Client } from '@temporalio/client';
import { exportSPKI, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import pino from 'pino';
import type { Context } from '../../activities/context.js';
import type { Tools } from '../../activities/mcp.js';
import { startOutbox, type Outbox } from '../../activities/outbox.js';
import { openApi, type OpenOptions } from '../../api/context.js';
import { createMeters, type Meters } from '../../api/metrics.js';
import { buildServer } from '../../api/server.js';
import type { App, ServerContext } from '../../api/types.js';
import type { CreateRun } from '../../contracts/criteria.js';
import type { Decision } from '../../contracts/decision.js';
import { Env } from '../../contracts/env.js';
import { openCard, startCard } from '../../db/cards.js';
import { createAnsweringPool } from '../../db/api-pool.js';
import { transaction, type Pool } from '../../db/client.js';
import { withRun } from '../../db/events.js';
import { applyReading } from '../../db/ledger.js';
import { ensureWorkspace, setPrices } from '../../db/runs.js';
import { createDatabase } from '../support/database.js';
import { listenOn } from '../support/listen.js';
import { until } from '../support/until.js';

const keys = await generateKeyPair('EdDSA', { extractable: true });
const publicKey = await exportSPKI(keys.publicKey);

/** A signed token; `life` in seconds from now, `issued` in seconds since epoch, null for one that does not say. */
export const token = (
  claims: JWTPayload & { ws?: string; roles?: string[] } = {},
  life = 3600,
  key = keys.privateKey,
  issued?: number | null,
): Promise<string> => {
  // One reading of the clock: its second may change between two, and a life of twelve hours would be one second too long.
  const now = Math.floor(Date.now() / 1000);
  const unsigned = new SignJWT({ ws: 'ws_a', roles: ['seller', 'approver', 'operator'], sub: 'ana', ...claims }).setProtectedHeader({
    alg: 'EdDSA',
  });
  if (issued !== null) unsigned.setIssuedAt(issued ?? now);
  return unsigned.setExpirationTime(now + life).sign(key);
};

export const BALANCES = { credits: 100, queries: 200, inference: 5_000_000 };
/** A tool server that answers `usage` and nothing else. */
export const fakeTools = (): Tools => ({
  call: ((_workspace: string, contract: { name: string }) => {
    if (contract.name !== 'usage') throw new Error(`not in this test: ${contract.name}`);
    const until = new Date(Date.now() + 86_400_000).toISOString();
    return Promise.resolve({
      ref: 'usage',
      shown: 1,
      total: 1,
      coverage: '',
      reading_id: randomUUID(),
      read_at: new Date().toISOString(),
      provider: 'test',
      balances: BALANCES,
      prices: [
        { kind: 'credits', unit: 'contact', min: 1, max: 1, valid_until: until },
        { kind: 'queries', unit: 'search', min: 1, max: 1, valid_until: until },
      ],
      honours_idempotency_keys: false,
      topup_url: null,
    });
  }) as unknown as Tools['call'],
  accepts: () => Promise.resolve(true),
  close: () => Promise.resolve(),
});

export interface Sent {
  kind: 'start' | 'signal';
  workflowId: string;
  name: string;
  args: unknown[];
}
/** Temporal as the outbox sees it; `fail` decides what a call throws. */
export const fakeTemporal = (fail: (call: Sent) => Error | null = () => null, delayMs = 0): { client: Client; sent: Sent[] } => {
  const sent: Sent[] = [];
  const act = async (call: Sent): Promise<void> => {
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    const error = fail(call);
    if (error) throw error;
    sent.push(call);
  };
  const client = {
    options: { namespace: 'default' },
    withDeadline: (_deadline: number, work: () => Promise<unknown>) => work(),
    workflow: {
      start: (type: string, options: { workflowId: string; args: unknown[] }) =>
        act({ kind: 'start', workflowId: options.workflowId, name: type, args: options.args }),
      getHandle: (workflowId: string) => ({
        signal: (name: string, ...args: unknown[]) => act({ kind: 'signal', workflowId, name, args }),
      }),
    },
    workflowService: {
      describeTaskQueue: () => Promise.resolve({ pollers: [{ lastAccessTime: { seconds: Math.floor(Date.now() / 1000) } }] }),
    },
  };
  return { client: client as unknown as Client, sent };
};

/** Any answer of the API, as far as these tests look into it; a field that an answer does not have is undefined. */
export interface Seen {
  code: string;
  status: number;
  title: string;
  detail: string;
  decision: { resolved: { option: string } };
  run_id: string;
  state: string;
  version: number;
  decisions: unknown[];
  links: { self: string; progress: string };
  runs: Array<{ run_id: string }>;
  next_cursor: string | null;
  plan_version: number;
  payload_hash: string;
  options: Decision['options'];
  resolved: unknown;
  suppressions: Array<{ id: string; kind: string }>;
  drafts: unknown;
  credits: { granted: number };
  csrf_token: string;
  ready: boolean;
  parts: Record<string, { ok: boolean; detail: string }>;
}
export interface Called {
  status: number;
  headers: Headers;
  body: Seen;
  text: string;
}
export interface TestApi {
  url: string;
  pool: Pool;
  ctx: Context;
  app: App;
  api: ServerContext;
  meters: Meters;
  outbox: Outbox;
  proxy: Proxy | null;
  token: string;
  databaseUrl: string;
  logs: string[];
  call(
    method: string,
    path: string,
    options?: { token?: string | null; key?: string | null; body?: unknown; headers?: Record<string, string> },
  ): Promise<Called>;
  stop(): Promise<void>;
}

export interface Proxy {
  port: number;
  cut(): Promise<void>;
  heal(): Promise<void>;
}
/** A line to a server that a test can cut and mend: PostgreSQL going away and coming back, as its clients see it. */
export const proxyTo = async (target: URL): Promise<Proxy> => {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [a, b] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(a);
      a.pipe(b);
      a.on('error', () => undefined).on('close', () => {
        open.delete(a);
        b.destroy();
      });
    }
  });
  const listen = (port: number): Promise<void> => listenOn(server, port);
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
    heal: () => listen(port),
  };
};

/** The API on a port of its own over a database of its own. Without a Temporal client the outbox delivers nothing. */
export const startApi = async (
  options: {
    temporal?: Client | null;
    env?: Partial<Env>;
    proxied?: boolean;
    open?: OpenOptions;
    databaseUrl?: string;
    tools?: Tools;
    /** How long a request waits for a connection. By default longer than in production: a busy machine is no database in trouble. */
    connectMs?: number;
  } = {},
): Promise<TestApi> => {
  // A second process over the first one's database leaves it there.
  const database = options.databaseUrl ? { url: options.databaseUrl, drop: () => Promise.resolve() } : await createDatabase();
  const proxy = options.proxied ? await proxyTo(new URL(database.url)) : null;
  const through = new URL(database.url);
  if (proxy) through.port = String(proxy.port);
  const env = Env.parse({
    DATABASE_URL: through.href,
    CAMPANA_JWT_PUBLIC_KEY: publicKey,
    NODE_ENV: 'test',
    CAMPANA_SUPPRESSION_KEY: 'test',
    TOOLS_URL: 'http://127.0.0.1:9/mcp',
    ...options.env,
  });
  const logs: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logs.push(line) });
  const pool = createAnsweringPool(through.href, { max: 8, name: 'test-api', connectMs: options.connectMs ?? 20_000 });
  const meters = createMeters();
  const ctx: Context = { pool, tools: options.tools ?? fakeTools(), temporal: options.temporal ?? null, env, log };
  const outbox = startOutbox(ctx);
  const { api, close } = await openApi(ctx, outbox, meters, options.open);
  const app = await buildServer(api);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const usual = await token();
  return {
    url,
    pool,
    ctx,
    app,
    api,
    meters,
    outbox,
    proxy,
    token: usual,
    databaseUrl: database.url,
    logs,
    call: async (method, path, { token: bearer = usual, key, body, headers = {} } = {}) => {
      const changes = method !== 'GET' && key !== null;
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
          ...(changes ? { 'idempotency-key': key ?? randomUUID() } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: text && (response.headers.get('content-type') ?? '').includes('json') ? (JSON.parse(text) as Seen) : ({} as Seen),
      };
    },
    stop: async () => {
      await app.close();
      await outbox.stop();
      await close();
      await pool.end();
      await proxy?.cut();
      await database.drop();
    },
  };
};

export const campaign: CreateRun = {
  criteria: { giro: 'empaque', estado: 'Jalisco', cargo: 'compras' },
  cuentas: 10,
  hasta: 'borradores',
  desde: 's1',
  modo: 'manual',
};

/** A run that waits for its start card, made through the API and the database's own functions. */
export const seedRun = async (api: TestApi, workspace = 'ws_a'): Promise<{ run: string; decision: string }> => {
  await transaction(api.pool, async (tx) => {
    await ensureWorkspace(tx, workspace);
    await applyReading(tx, workspace, { reading_id: 'seed', ...BALANCES, versions: { credits: 0, queries: 0, inference: 0 } });
  });
  const created = await api.call('POST', '/v1/runs', { token: await token({ ws: workspace }), body: campaign });
  if (created.status !== 202) throw new Error(`seed: ${created.text}`);
  const run = created.body.run_id;
  const decision = await withRun(api.pool, workspace, run, async (locked) => {
    await setPrices(locked, {
      credit_min: 1,
      credit_max: 1,
      query: 1,
      draft_max: 0,
      valid_until: new Date(Date.now() + 86_400_000).toISOString(),
      topup_url: null,
      honours_keys: false,
      provider: 'test',
      reading_id: 'seed',
    });
    return openCard(locked, await startCard(locked));
  });
  return { run, decision };
};

/** The body that a tap on this option of a card sends. */
export const tapOf = (
  card: Pick<Decision, 'plan_version' | 'payload_hash' | 'options'>,
  option: 'all' | 'fit_n' | 'decline' | 'approve',
): Record<string, unknown> => ({
  option,
  plan_version: card.plan_version,
  payload_hash: card.payload_hash,
  shown_total: card.options.find((o) => o.id === option)?.totals.credits ?? 0,
});

export { until };
