import { randomBytes } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import pg from 'pg';
import type { FaultInput } from '../../kitchen/faults.js';
import { startKitchen, type KitchenOptions, type RunningKitchen } from '../../kitchen/start.js';

export const READ = 'read-token-of-tests';
export const PAID = 'paid-token-of-tests';
export const OTHER = 'other-workspace-token';
const CONTROL = 'control-token-of-tests';
const ANY = 'any-kind-of-token-';

const admin = async (sql: string): Promise<void> => {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

/** An empty database of one's own. */
export const freshDatabase = async (): Promise<{ url: string; drop: () => Promise<void> }> => {
  const name = `kitchen_${process.pid}_${randomBytes(4).toString('hex')}`;
  await admin(`CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
};

export interface Answer {
  ok: boolean;
  data: Record<string, unknown>;
  code: string | null;
  error: Record<string, unknown>;
}

/** Calls of one token. */
export class Caller {
  constructor(readonly client: Client) {}
  async call(name: string, args: Record<string, unknown> = {}, timeout = 20_000): Promise<Answer> {
    const result = await this.client.callTool({ name, arguments: args }, undefined, { timeout });
    const data = (result.structuredContent ?? {}) as Record<string, unknown>;
    const error = (data['error'] ?? {}) as Record<string, unknown>;
    return { ok: result.isError !== true, data, code: typeof error['code'] === 'string' ? error['code'] : null, error };
  }
  /** The result of a call that must succeed. */
  async get<T>(name: string, args: Record<string, unknown> = {}): Promise<T> {
    const answer = await this.call(name, args);
    if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`);
    return answer.data as T;
  }
}

export interface ChargeEntry {
  kind: string;
  tool: string;
  target: string;
  key: string | null;
  amount: number;
}
export interface CallRow {
  tool: string;
  key: string | null;
  target: string | null;
  outcome: string;
  delivery: string;
}

/** A server with its database, the clients of two workspaces and the control endpoint. */
export class TestKitchen {
  private readonly clients: Client[] = [];
  private constructor(
    readonly running: RunningKitchen,
    private readonly drop: () => Promise<void>,
    readonly databaseUrl: string,
  ) {}

  static async start(options: Partial<KitchenOptions> = {}): Promise<TestKitchen> {
    const database = await freshDatabase();
    const running = await startKitchen({
      databaseUrl: database.url,
      port: 0,
      controlPort: 0,
      controlToken: CONTROL,
      tokens: [
        { token: READ, workspace: 'ws_demo', scopes: ['read'] },
        { token: PAID, workspace: 'ws_demo', scopes: ['read', 'paid'] },
        { token: OTHER, workspace: 'ws_other', scopes: ['read', 'paid'] },
        ...Array.from({ length: 10 }, (_, i) => ({
          token: `${ANY}${i}`,
          workspace: `ws_${i}`,
          scopes: ['read', 'paid'] as ('read' | 'paid')[],
        })),
      ],
      ...options,
    });
    return new TestKitchen(running, database.drop, database.url);
  }

  async connect(token = PAID, listTools = true): Promise<Caller> {
    const client = new Client({ name: 'kitchen-tests', version: '1.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(this.running.url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
    );
    // Listing makes the client check every structured answer against its schema, errors too.
    if (listTools) await client.listTools();
    this.clients.push(client);
    return new Caller(client);
  }
  /** A client of one of ten workspaces that nothing else uses. */
  fresh(n: number): Promise<Caller> {
    return this.connect(`${ANY}${n}`);
  }

  async control<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.running.controlUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${CONTROL}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as T;
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }
  async fault(fault: FaultInput): Promise<string> {
    const { ids } = await this.control<{ ids: string[] }>('POST', '/faults', fault);
    return ids[0] ?? '';
  }
  log(workspace: string, tool: string): Promise<{ calls: CallRow[]; charges: ChargeEntry[] }> {
    return this.control('GET', `/log?workspace=${workspace}&tool=${tool}`);
  }

  async stop(): Promise<void> {
    for (const client of this.clients) await client.close();
    await this.running.close();
    await this.drop();
  }
}

export interface CompanyPage {
  companies: { company_id: string; name: string; rfc: string | null; domain: string | null }[];
  total: number;
  has_more: boolean;
  next_cursor: string | null;
  shown: number;
  coverage: string;
  ref: string;
}
export interface PeoplePage {
  people: { person_id: string; area: string; seniority: string; seen_at: string; title: string }[];
  total: number;
}
export interface Usage {
  balances: { credits: number; queries: number; inference: number };
  prices: { kind: string; min: number; max: number }[];
  honours_idempotency_keys: boolean;
}
export interface Revealed {
  contact: { person_id: string; name: string; email: string; charge_id: string; credits: number; acquired_at: string };
}
