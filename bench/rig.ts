import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { dataConverterOf } from '../activities/codec/index.js';
import { createTools, type Tools } from '../activities/mcp.js';
import type { Decision, ResolveDecision } from '../contracts/decision.js';
import type { CreateRun } from '../contracts/criteria.js';
import type { Progress } from '../contracts/progress.js';
import { isFinal } from '../contracts/states.js';
import { createPool, read, type Pool } from '../db/client.js';
import { listen, type Listener } from '../db/listen.js';
import { startStack, type PartName, type Stack } from '../stack/up.js';
import type { LoadOrder, LoadReport } from './load.js';

/** What every call of the workload takes at the provider, ms. */
export const CALL_MS = 50;
export const CONCURRENCY = 10;
/** Tools of the workload that take that long. */
const SLOW = ['company_search', 'crm_save_companies', 'people_search', 'people_reveal', 'sequence_create_draft'];
/** Words of five activities: in the small sample together 1,510 companies, in the big one more than 5,000. */
const GIRO = 'empaque alimentos autopartes textil plasticos';
export const WORKSPACES = ['ws_demo', 'ws_b', 'ws_c', 'ws_d'];

export interface KitchenCall {
  tool: string;
  target: string | null;
  outcome: string;
  at: string;
  ms: number;
}
/** A campaign that was run: wall clock from its POST to its last event, and the calls it made. */
export interface Measured {
  run: string;
  sentAt: number;
  wall: number;
  calls: Record<string, number>;
  ideal: number;
  progress: Progress;
}

/** A stack of one's own with its kitchen slowed down, and the ways to drive and watch it. */
export class Rig {
  private readonly tokens = new Map<string, string>();
  private constructor(
    readonly stack: Stack,
    readonly pool: Pool,
    readonly temporal: Client,
    readonly tools: Tools,
    private readonly listener: Listener,
    private readonly changed: Set<() => void>,
    private readonly folder: string,
  ) {}

  static async start(sample: 'demo' | 'grande', say: (line: string) => void): Promise<Rig> {
    const folder = await mkdtemp(join(tmpdir(), 'campana-bench-'));
    await chmod(folder, 0o755);
    const stack = await startStack({ stateDir: folder, ports: 'random', sample, faults: true, ui: false, workspaces: WORKSPACES, say });
    const pool = createPool(stack.databases.campana, { max: 4, name: 'bench' });
    const connection = await Connection.connect({ address: stack.urls.temporal });
    const secrets = JSON.parse(stack.env['TOOLS_TOKENS'] ?? '{}') as Record<string, { read: string; paid: string }>;
    const tools = createTools({
      url: stack.urls.tools,
      token: (workspace, scope) => secrets[workspace]?.[scope] ?? null,
      timeoutMs: 20_000,
    });
    const changed = new Set<() => void>();
    const look = (): void => {
      for (const fn of changed) fn();
    };
    const listener = listen(stack.databases.campana, ['campana_runs'], { notify: look, connect: look });
    const rig = new Rig(
      stack,
      pool,
      new Client({ connection, dataConverter: dataConverterOf(stack.env) }),
      tools,
      listener,
      changed,
      folder,
    );
    for (const workspace of WORKSPACES)
      await rig.control('POST', '/balances', { workspace, credits: 1_000_000, queries: 1_000_000, inference: 1_000_000_000 });
    return rig;
  }

  async stop(): Promise<void> {
    await this.listener.stop();
    await this.tools.close();
    await this.temporal.connection.close();
    await this.pool.end();
    await this.stack.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Makes the calls of the workload take `ms`; 0 takes the delay away. */
  async slow(ms: number): Promise<void> {
    await this.control('DELETE', '/faults');
    if (ms > 0)
      await this.control(
        'POST',
        '/faults',
        SLOW.map((tool) => ({ kind: 'latency', tool, latency_ms: ms })),
      );
  }

  async control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.stack.env['KITCHEN_CONTROL_URL'] ?? ''}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.stack.env['KITCHEN_CONTROL_TOKEN'] ?? ''}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`kitchen ${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
  async received(workspace = 'ws_demo'): Promise<Record<string, number>> {
    const { tools } = await this.control<{ tools: Record<string, { received: number }> }>('GET', `/counters?workspace=${workspace}`);
    return Object.fromEntries(Object.entries(tools).map(([name, c]) => [name, c.received]));
  }
  async log(tool: string, workspace = 'ws_demo'): Promise<KitchenCall[]> {
    return (await this.control<{ calls: KitchenCall[] }>('GET', `/log?workspace=${workspace}&tool=${tool}`)).calls;
  }

  /** A token of somebody new every few dozen requests, since each person may only ask so often. */
  async token(workspace = 'ws_demo', who = 'ana'): Promise<string> {
    const key = `${workspace} ${who}`;
    const known = this.tokens.get(key) ?? (await this.stack.mintToken({ workspace, sub: who, roles: ['seller', 'approver', 'operator'] }));
    this.tokens.set(key, known);
    return known;
  }
  private requests = 0;
  async api<T>(method: string, path: string, body?: unknown, workspace = 'ws_demo'): Promise<{ status: number; body: T }> {
    const response = await fetch(`${this.stack.urls.api}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await this.token(workspace, `user-${Math.floor((this.requests += 1) / 100)}`)}`,
        ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as T;
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return { status: response.status, body: answer };
  }

  async create(body: Partial<CreateRun>, workspace = 'ws_demo'): Promise<string> {
    const answer = await this.api<{ run_id: string }>(
      'POST',
      '/v1/runs',
      {
        criteria: { giro: GIRO, cargo: 'compras' },
        hasta: 'personas',
        modo: 'automatico',
        caps: { credits: 100_000, queries: 100_000, inference_micros: 100_000_000 },
        ...body,
      },
      workspace,
    );
    return answer.body.run_id;
  }
  async progress(run: string): Promise<Progress | null> {
    return (await read(this.pool).q<{ body: Progress }>(`select body from run_progress where run_id = $1`, [run]))[0]?.body ?? null;
  }

  /** Looks after every change of any run, until `look` gives something. */
  async awaited<T>(look: () => Promise<T | null>, what: string, within = 120_000): Promise<T> {
    const until = Date.now() + within;
    for (;;) {
      let wake: () => void = () => undefined;
      const change = new Promise<void>((resolve) => (wake = resolve));
      this.changed.add(wake);
      const timer = setTimeout(wake, 250);
      try {
        const found = await look();
        if (found !== null) return found;
        if (Date.now() > until) throw new Error(`waited in vain for ${what}`);
        await change;
      } finally {
        clearTimeout(timer);
        this.changed.delete(wake);
      }
    }
  }
  /** Waits for the end without looking at every event: a look costs what is measured. */
  async ended(run: string, within = 180_000): Promise<Progress> {
    const until = Date.now() + within;
    for (;;) {
      const p = await this.progress(run);
      if (p && isFinal(p.state)) return p;
      if (Date.now() > until) throw new Error(`run ${run} does not end: ${JSON.stringify(p)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Runs one campaign to its end; its wall is from the POST to its last event's own moment, so that watching it costs nothing. */
  async campaign(cuentas: number, more: Partial<CreateRun> = {}): Promise<Measured> {
    const before = await this.received();
    const sentAt = Date.now();
    const run = await this.create({ cuentas, ...more });
    const progress = await this.ended(run);
    const [last] = await read(this.pool).q<{ at: string }>(`select at from run_events where run_id = $1 and kind = 'run.closed'`, [run]);
    const after = await this.received();
    const calls = Object.fromEntries(Object.keys(after).map((tool) => [tool, (after[tool] ?? 0) - (before[tool] ?? 0)]));
    if (progress.counts.total !== cuentas || (calls['people_search'] ?? 0) < cuentas)
      throw new Error(`run ${run}: ${JSON.stringify(progress.counts)}, calls ${JSON.stringify(calls)}`);
    return { run, sentAt, wall: Date.parse(last?.at ?? '') - sentAt, calls, ideal: idealOf(calls), progress };
  }

  async card(run: string, kind: Decision['kind']): Promise<Decision> {
    const id = await this.awaited(
      async () =>
        (
          await read(this.pool).q<{ id: string }>(`select id from decisions where run_id = $1 and kind = $2 and state = 'open'`, [
            run,
            kind,
          ])
        )[0]?.id ?? null,
      `${kind} of ${run}`,
      20_000,
    );
    return (await this.api<Decision>('GET', `/v1/decisions/${id}`)).body;
  }
  async resolve(card: Decision, option: ResolveDecision['option']): Promise<void> {
    await this.api('POST', `/v1/decisions/${card.id}/resolve`, {
      option,
      plan_version: card.plan_version,
      payload_hash: card.payload_hash,
      shown_total: card.options.find((o) => o.id === option)?.totals.credits ?? 0,
    });
  }

  /** Load on the API from a process of its own. */
  load(order: Omit<LoadOrder, 'port'>): Promise<LoadReport> {
    return new Promise((resolve, reject) => {
      const child = fork(fileURLToPath(new URL('./load.ts', import.meta.url)), { env: { ...process.env, CAMPANA_BENCH_LOAD: '1' } });
      let report: LoadReport | undefined;
      child.once('message', (message) => (report = message as LoadReport));
      child.once('exit', (code) => (report ? resolve(report) : reject(new Error(`the load process ended with ${code}`))));
      child.send({ ...order, port: Number(new URL(this.stack.urls.api).port) });
    });
  }

  /** CPU that a part has used so far, ms. */
  cpu(part: PartName): number {
    return cpuOf(this.stack.pids[part] ?? 0, part === 'postgres');
  }

  /** Resident memory of a part, MB. */
  memory(part: 'worker' | 'temporal' | 'api'): number {
    const status = readFileSync(`/proc/${this.stack.pids[part] ?? 0}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  }
}

/**
 * What the calls of a campaign must take by themselves, ms: pages one after the other, then the save, then the searches, ten at a
 * time. Counted from the calls that the kitchen really received.
 */
export const idealOf = (calls: Record<string, number>): number =>
  CALL_MS * ((calls['company_search'] ?? 0) + (calls['crm_save_companies'] ?? 0) + Math.ceil((calls['people_search'] ?? 0) / CONCURRENCY));

/** CPU that a process has used so far, ms; with those it started itself, as PostgreSQL works. */
export const cpuOf = (pid: number, children = true): number => {
  const used = (path: string): { parent: number; ms: number } => {
    const fields = readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return { parent: Number(fields[1]), ms: (Number(fields[11]) + Number(fields[12])) * 10 };
  };
  let sum = used(`/proc/${pid}/stat`).ms;
  for (const name of children ? readdirSync('/proc').filter((n) => /^\d+$/.test(n)) : []) {
    try {
      const { parent, ms } = used(`/proc/${name}/stat`);
      if (parent === pid) sum += ms;
    } catch {
      /* it has ended meanwhile */
    }
  }
  return sum;
};
