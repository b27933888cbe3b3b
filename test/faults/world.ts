import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import type { RunAccepted } from '../../contracts/api.js';
import type { CreateRun } from '../../contracts/criteria.js';
import type { Decision } from '../../contracts/decision.js';
import { dataConverterOf } from '../../activities/codec/index.js';
import type { PartName, Stack } from '../../stack/up.js';
import { Api } from './api.js';
import { Kitchen } from './kitchen.js';

/** Lanes of a workspace that set nothing else: at most so many calls are out when a process dies. */
export const CONCURRENCY = 10;
export type Order = Partial<Omit<CreateRun, 'criteria'>> & { criteria?: Partial<CreateRun['criteria']> };

/** What all scenarios of a stack share: one connection each to Temporal and PostgreSQL. */
export interface Ground {
  stack: Stack;
  temporal: Client;
  db: pg.Pool;
  long: boolean;
  say: (line: string) => void;
  close(): Promise<void>;
}

export const openGround = async (stack: Stack, options: { long?: boolean; say?: (line: string) => void } = {}): Promise<Ground> => {
  const connection = Connection.lazy({
    address: stack.urls.temporal,
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.min_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 },
  });
  const db = new pg.Pool({ connectionString: stack.databases.campana, max: 3, application_name: 'faults' });
  // PostgreSQL is killed on purpose; the next query connects again.
  db.on('error', () => undefined);
  return {
    stack,
    db,
    temporal: new Client({ connection, namespace: 'default', dataConverter: dataConverterOf(stack.env) }),
    long: options.long ?? false,
    say: options.say ?? (() => undefined),
    close: async () => {
      await Promise.allSettled([connection.close(), db.end()]);
    },
  };
};

/**
 * A scenario's world: a workspace of its own on the shared stack, with the person's API, the provider's control, and the means to
 * break things. What it broke is counted, because the checks afterwards allow for it and for nothing else.
 */
export class World {
  readonly stack: Stack;
  readonly temporal: Client;
  readonly long: boolean;
  /** Deaths of a process that had calls out. */
  deaths = 0;
  private readonly down = new Set<PartName>();
  private readonly logsBefore = new Map<string, number>();

  private constructor(
    private readonly ground: Ground,
    readonly workspace: string,
    readonly api: Api,
    readonly kitchen: Kitchen,
  ) {
    this.stack = ground.stack;
    this.temporal = ground.temporal;
    this.long = ground.long;
  }

  static async open(ground: Ground, workspace: string): Promise<World> {
    const { stack } = ground;
    const { toolsControl } = stack.urls;
    assert.ok(toolsControl, 'the stack has to be started with faults');
    const kitchen = new Kitchen(toolsControl, stack.env['KITCHEN_CONTROL_TOKEN'] ?? '', workspace);
    const world = new World(ground, workspace, new Api(stack.urls.api, await stack.mintToken({ workspace })), kitchen);
    for (const file of await world.logFiles()) world.logsBefore.set(file, statSync(file).size);
    await kitchen.reset();
    return world;
  }

  say(line: string): void {
    this.ground.say(`    ${line}`);
  }
  get db(): pg.Pool {
    return this.ground.db;
  }

  async rows<T extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<T[]> {
    return (await this.ground.db.query<T>(sql, values)).rows;
  }

  async logFiles(): Promise<string[]> {
    const folder = join(this.stack.stateDir, 'logs');
    return (await readdir(folder)).filter((name) => name.includes('.log')).map((name) => join(folder, name));
  }
  /** Where this scenario's part of a log begins. */
  logStart(file: string): number {
    return this.logsBefore.get(file) ?? 0;
  }

  async kill(part: PartName, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.say(`${signal} ${part}`);
    if (part === 'worker' || part === 'postgres' || part === 'temporal') this.deaths += 1;
    this.down.add(part);
    await this.stack.kill(part, signal);
  }
  async restart(part: PartName, env?: Record<string, string>): Promise<void> {
    await this.stack.restart(part, env);
    this.down.delete(part);
  }
  async bounce(part: PartName): Promise<void> {
    await this.kill(part);
    await this.restart(part);
  }
  /** Brings back what a scenario that failed left down, and ends its faults, so that the next one starts on firm ground. */
  async recover(): Promise<void> {
    for (const part of ['postgres', 'temporal', 'kitchen', 'worker', 'api'] as const) if (this.down.has(part)) await this.restart(part);
    await this.kitchen.clear();
  }

  /** Starts a campaign over the packaging companies of Jalisco, up to given caps; without caps it shows its start card. */
  async start(order: Order = {}): Promise<string> {
    const body = { cuentas: 50, ...order, criteria: { giro: 'empaque', estado: 'Jalisco', cargo: 'compras', ...order.criteria } };
    return (await this.api.send<RunAccepted>('POST', '/v1/runs', body)).run_id;
  }
  /** One that answers its own cards inside the caps. */
  automatic(order: Order = {}): Promise<string> {
    return this.start({ modo: 'automatico', caps: { credits: 100, queries: 200, inference_micros: 0 }, ...order });
  }
  /** One that a person started up to caps and whose save is approved: it comes to its reveal card. */
  async toReveal(order: Order = {}): Promise<{ run: string; card: Decision }> {
    const run = await this.start({ caps: { credits: 100, queries: 200, inference_micros: 0 }, ...order });
    await this.api.approve(await this.api.card(run, 'guardar_en_crm'), { option: 'approve' });
    return { run, card: await this.api.card(run, 'revelar_contactos') };
  }
  /** How many calls are out at once. */
  async lanes(concurrency: number): Promise<void> {
    await this.api.send('PUT', '/v1/settings', {
      zone: 'America/Mexico_City',
      language: 'es-MX',
      concurrency,
      second_approver_above: null,
    });
  }
  workflowId(run: string, step?: string): string {
    return `campana/${this.workspace}/${run}${step ? `/${step}` : ''}`;
  }
}
