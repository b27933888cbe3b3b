import { randomUUID } from 'node:crypto';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, makeTelemetryFilterString, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import pino from 'pino';
import { createActivities } from '../../activities/index.js';
import { control, create, recheckBalance, replan } from '../../activities/control.js';
import { reopen, tap, undo } from '../../activities/decide.js';
import { startOutbox } from '../../activities/outbox.js';
import { dataConverter, QUEUES } from '../../activities/temporal.js';
import type { Context } from '../../activities/context.js';
import type { Caller, ControlAccepted, ReplanImpact, Sequence } from '../../contracts/api.js';
import { CreateRun } from '../../contracts/criteria.js';
import type { Decision, ResolveDecision } from '../../contracts/decision.js';
import { Env } from '../../contracts/env.js';
import { Refusal } from '../../contracts/problem.js';
import type { Progress } from '../../contracts/progress.js';
import { isFinal, type DecisionKind } from '../../contracts/states.js';
import { createPool, read, transaction, type Pool } from '../../db/client.js';
import { decisionView, findDecision } from '../../db/decisions/decision.js';
import { checkInvariants } from '../../db/invariants.js';
import { listen } from '../../db/listen.js';
import { readProgress } from '../../db/runs.js';
import { patchDraft, readSequence } from '../../db/sequence-view.js';
import { bundleWorkflows } from '../../stack/build.js';
import { SEARCH_ATTRIBUTES } from '../../stack/temporal.js';
import { createDatabase } from '../support/database.js';
import { RowClock } from './clock.js';
import { Provider, type ProviderOptions } from './provider.js';

/** Same for every history that is recorded: the usual one carries the machine's name. */
const IDENTITY = 'campana';
/** Indexed value types as the operator service numbers them. */
const INDEXED = { Keyword: 2, Int: 3, Bool: 5, Datetime: 6 } as const;
const WORKSPACE = 'ws_test';
/** A condition that does not come true within this is a failure, ms. */
const PATIENCE_MS = 120_000;
/** The same for a campaign of thousands. */
export const LONG_MS = 400_000;

type Activities = ReturnType<typeof createActivities>;
export interface WorldOptions extends ProviderOptions {
  /** `skipping`: the server whose clock tests move. Default: a namespace of one's own on the shared server. */
  server?: 'shared' | 'skipping' | { address: string };
  env?: Partial<Env>;
  /** Changes activities before the workers get them. */
  change?: (activities: Activities) => Activities;
  worker?: Partial<WorkerOptions>;
}

let silenced = false;
/** Keeps Temporal's own log lines out of the way. Once per process, before anything else of Temporal starts. */
export const silence = (): void => {
  if (!silenced)
    Runtime.install({
      logger: new DefaultLogger('ERROR', () => undefined),
      shutdownSignals: [],
      telemetryOptions: { logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) } },
    });
  silenced = true;
};

const openServer = async (
  which: NonNullable<WorldOptions['server']>,
): Promise<{
  client: Client;
  connection: NativeConnection;
  namespace: string;
  skip(ms: number): Promise<number>;
  close(): Promise<void>;
}> => {
  const attributes = Object.fromEntries(Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, INDEXED[type]]));
  if (which === 'skipping') {
    const env = await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path: process.env['TEST_TIME_SKIPPING_PATH'] ?? '' } },
      client: { dataConverter, identity: IDENTITY },
    });
    await env.connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes: attributes });
    return {
      client: env.client,
      connection: env.nativeConnection,
      namespace: 'default',
      skip: async (ms) => {
        await env.sleep(ms);
        return env.currentTimeMs();
      },
      close: () => env.teardown(),
    };
  }
  const address = which === 'shared' ? (process.env['TEST_TEMPORAL_ADDRESS'] ?? '') : which.address;
  const namespace = `world-${randomUUID()}`;
  const [connection, native] = await Promise.all([Connection.connect({ address }), NativeConnection.connect({ address })]);
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: { seconds: 86_400 as never } });
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: attributes });
  return {
    client: new Client({ connection, namespace, dataConverter, identity: IDENTITY }),
    connection: native,
    namespace,
    skip: () => Promise.reject(new Error('this server keeps real time')),
    close: async () => {
      await connection.close();
      await native.close();
    },
  };
};

/** A run in a world: what a person and an operator can do with it, and what can be awaited of it. */
export class TestRun {
  constructor(
    readonly world: World,
    readonly id: string,
    private readonly kind: 'campana' | 'receta' = 'campana',
  ) {}
  get workflowId(): string {
    return `${this.kind}/${WORKSPACE}/${this.id}`;
  }
  workflow(step?: string): WorkflowHandle {
    return this.world.client.workflow.getHandle(step ? `${this.workflowId}/${step}` : this.workflowId);
  }

  async progress(): Promise<Progress> {
    const [body] = await readProgress(this.world.pool, [{ workspace: WORKSPACE, run: this.id }]);
    if (!body) throw new Error(`no run ${this.id}`);
    return body;
  }
  /** Waits until the progress row is as asked; every change is looked at. */
  async until(what: string | ((p: Progress) => boolean), within = PATIENCE_MS): Promise<Progress> {
    const holds = typeof what === 'function' ? what : (p: Progress): boolean => p.state === what;
    return this.world.awaited(
      async () => {
        const p = await this.progress();
        return holds(p) ? p : null;
      },
      async () => `run ${this.id}: ${String(what)}, is ${JSON.stringify(await this.progress())}`,
      within,
    );
  }
  /** Waits until the run is over, its workflow too. */
  async ended(within = PATIENCE_MS): Promise<Progress> {
    const p = await this.until((b) => isFinal(b.state), within);
    await this.workflow().result();
    return p;
  }
  paso(p: Progress, id: string): Progress['pasos'][number] {
    const found = p.pasos.find((s) => s.id === id);
    if (!found) throw new Error(`no step ${id}`);
    return found;
  }

  /** Waits for an open card of a kind. `after`: not this one. */
  async card(kind: DecisionKind, after?: string): Promise<Decision> {
    const id = await this.world.awaited(
      async () =>
        (
          await this.world.rows<{ id: string }>(
            `select id from decisions where run_id = $1 and kind = $2 and state = 'open' and id <> $3`,
            [this.id, kind, after ?? ''],
          )
        )[0]?.id ?? null,
      async () => `${kind} of ${JSON.stringify(await this.progress())}`,
    );
    return this.decision(id);
  }
  async decision(id: string): Promise<Decision> {
    return decisionView(await findDecision(read(this.world.pool), WORKSPACE, id), true);
  }

  /** A tap on the button of a card, with the total that stands on it. */
  async tap(card: Decision, option: ResolveDecision['option'], more: Partial<ResolveDecision> = {}): Promise<Decision> {
    const shown = card.options.find((o) => o.id === option)?.totals.credits ?? 0;
    // A review is answered on the page.
    const caller = card.kind === 'revisar_secuencia' ? { ...this.world.caller, channel: 'web' } : this.world.caller;
    const { body } = await tap(
      this.world.ctx,
      caller,
      card.id,
      { option, plan_version: card.plan_version, payload_hash: card.payload_hash, shown_total: shown, ...more },
      randomUUID(),
    );
    return body as Decision;
  }
  async reopen(id: string): Promise<Decision> {
    return (await reopen(this.world.ctx, this.world.caller, id, randomUUID())).body as Decision;
  }
  /** Sequences as the page reads them. */
  async sequences(): Promise<Sequence[]> {
    const rows = await this.world.rows<{ id: string }>(`select id from sequences where run_id = $1 order by id`, [this.id]);
    return Promise.all(rows.map(({ id }) => readSequence(read(this.world.pool), WORKSPACE, id)));
  }
  /** Corrects the texts of the first drafts of the first sequence, as a person does on the page. */
  async correct(...bodies: string[]): Promise<void> {
    const [sequence] = await this.sequences();
    for (const [i, body] of bodies.entries()) {
      const draft = sequence?.drafts[i];
      if (sequence && draft)
        await transaction(this.world.pool, (tx) =>
          patchDraft(tx, this.world.caller, sequence.sequence_id, draft.draft_id, { version: draft.version, body }),
        );
    }
  }
  /** Approves its drafts. @returns the one-step run that carries the approval out */
  async review(): Promise<TestRun> {
    await this.tap(await this.card('revisar_secuencia'), 'approve');
    return new TestRun(this.world, await this.world.value<string>(`select id from runs where linked_run_id = $1`, [this.id]), 'receta');
  }
  async undo(id: string): Promise<void> {
    await undo(this.world.ctx, this.world.caller, id, randomUUID());
  }
  async control(action: 'pause' | 'resume' | 'cancel'): Promise<ControlAccepted> {
    return (await control(this.world.ctx, this.world.caller, this.id, action, 'a test', randomUUID())).body as ControlAccepted;
  }
  async replan(change: { cuentas?: number; cargo?: string; hasta?: CreateRun['hasta'] }): Promise<ReplanImpact> {
    return (await replan(this.world.ctx, this.world.caller, this.id, change, false, randomUUID())).body as ReplanImpact;
  }
  async recheck(): Promise<void> {
    await recheckBalance(this.world.ctx, this.world.caller, this.id, randomUUID());
  }

  /** Taps the usual option of the cards that come, in order, until the run is over. */
  async approve(...kinds: DecisionKind[]): Promise<Progress> {
    for (const kind of kinds) {
      const card = await this.card(kind);
      await this.tap(card, card.options.find((o) => ['all', 'fit_n', 'approve'].includes(o.id))?.id as 'all');
    }
    return this.ended();
  }

  /** Every workflow of the run with how many events its history has. */
  async histories(): Promise<Record<string, number>> {
    const ids = [this.workflowId, ...['s1', 's2', 's3', 's4', 's5'].map((s) => `${this.workflowId}/${s}`)];
    const counts = await Promise.all(
      ids.map(async (id): Promise<[string, number]> => [
        id.slice(this.workflowId.length + 1) || 'campana',
        await this.world.client.workflow
          .getHandle(id)
          .describe()
          .then(
            (d) => d.historyLength,
            () => 0,
          ),
      ]),
    );
    return Object.fromEntries(counts.filter(([, n]) => n > 0));
  }
}

/** PostgreSQL, Temporal, workers with the real activities, and a provider made of arrays; everything of one's own. */
export class World {
  private constructor(
    readonly ctx: Context,
    readonly provider: Provider,
    readonly client: Client,
    readonly namespace: string,
    private readonly changed: Set<() => void>,
    private readonly close: () => Promise<void>,
    /** Moves the clock of the workflows and the age of the rows. */
    readonly skip: (ms: number) => Promise<void>,
  ) {}
  readonly workspace = WORKSPACE;
  readonly caller: Caller = { sub: 'ana', workspace: WORKSPACE, roles: ['seller', 'approver', 'operator'], channel: 'api' };
  get pool(): Pool {
    return this.ctx.pool;
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    silence();
    const [server, database, bundle] = await Promise.all([openServer(options.server ?? 'shared'), createDatabase(), bundleWorkflows()]);
    const pool = createPool(database.url, { max: 16, name: 'world' });
    const provider = new Provider(options);
    const env = Env.parse({
      DATABASE_URL: database.url,
      NODE_ENV: 'test',
      CAMPANA_SUPPRESSION_KEY: 'tests',
      CAMPANA_LOG_LEVEL: 'silent',
      ...options.env,
    });
    const ctx: Context = { pool, tools: provider.tools, temporal: server.client, env, log: pino({ level: 'silent' }) };
    const made = options.change ? options.change(createActivities(ctx)) : createActivities(ctx);
    const clock = options.server === 'skipping' ? new RowClock(pool) : null;
    const activities = clock ? { ...made, rows: clock.wrap(made.rows), tools: clock.wrap(made.tools) } : made;
    const shared = {
      connection: server.connection,
      namespace: server.namespace,
      dataConverter,
      identity: IDENTITY,
      shutdownGraceTime: '1s',
      shutdownForceTime: '2s',
    } satisfies Partial<WorkerOptions>;
    const throttle = { maxHeartbeatThrottleInterval: '500ms', defaultHeartbeatThrottleInterval: '500ms' } satisfies Partial<WorkerOptions>;
    const workers = await Promise.all([
      Worker.create({
        ...shared,
        taskQueue: QUEUES.campana,
        activities: activities.rows,
        workflowBundle: { codePath: bundle.path },
        maxCachedWorkflows: 100,
        ...options.worker,
      }),
      Worker.create({ ...shared, ...throttle, taskQueue: QUEUES.tools, activities: activities.tools }),
      Worker.create({ ...shared, ...throttle, taskQueue: QUEUES.model, activities: activities.model }),
    ]);
    const running = Promise.allSettled(workers.map((w) => w.run()));
    const outbox = startOutbox(ctx);
    const changed = new Set<() => void>();
    const look = (): void => {
      for (const fn of changed) fn();
    };
    const listener = listen(database.url, ['campana_runs'], { notify: look, connect: look });
    const close = async (): Promise<void> => {
      for (const w of workers) if (w.getState() === 'RUNNING') w.shutdown();
      await running;
      await Promise.allSettled([outbox.stop(), listener.stop()]);
      await server.close();
      await pool.end();
      await database.drop();
    };
    const skip = async (ms: number): Promise<void> => {
      await clock?.catchUp(await server.skip(ms));
    };
    return new World(ctx, provider, server.client, server.namespace, changed, close, skip);
  }

  private runs = 0;
  /** A run as `POST /v1/runs` makes it: 6 accounts of an activity of its own, all the way to drafts, unless said otherwise. */
  async run(body: Partial<CreateRun> = {}): Promise<TestRun> {
    const parsed = CreateRun.parse({
      criteria: { giro: `empaque ${(this.runs += 1)}`, estado: 'Jalisco', cargo: 'compras' },
      cuentas: 6,
      ...body,
    });
    const { body: answer } = await create(this.ctx, this.caller, parsed, randomUUID());
    return new TestRun(this, (answer as { run_id: string }).run_id);
  }
  /** One that answers its own cards, inside caps that leave room. */
  automatic(body: Partial<CreateRun> = {}): Promise<TestRun> {
    return this.run({ modo: 'automatico', caps: { credits: 10_000, queries: 20_000, inference_micros: 10_000_000 }, ...body });
  }

  rows<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return read(this.pool).q<Row>(sql, values);
  }
  async value<T>(sql: string, values: unknown[] = []): Promise<T> {
    return Object.values((await this.rows(sql, values))[0] ?? {})[0] as T;
  }

  /** Looks after every change of any run, until `look` gives something. @throws Error saying `what` did not come. */
  async awaited<T>(look: () => Promise<T | null>, what: () => Promise<string> | string, within = PATIENCE_MS): Promise<T> {
    const until = Date.now() + within;
    for (;;) {
      let wake: () => void = () => undefined;
      // Listened for before looking, so that no change falls in between; the timer serves what changes without a notice.
      const change = new Promise<void>((resolve) => (wake = resolve));
      this.changed.add(wake);
      const timer = setTimeout(wake, 100);
      try {
        const found = await look();
        if (found !== null) return found;
        if (Date.now() > until) throw new Error(`waited in vain for ${await what()}`);
        await change;
      } finally {
        clearTimeout(timer);
        this.changed.delete(wake);
      }
    }
  }

  /** What must hold whatever happened: the invariants, over all rows. @returns those that do not. */
  async broken(): Promise<string[]> {
    return (await checkInvariants(this.pool, null)).filter((i) => !i.ok).map((i) => `${i.id} ${i.detail}`);
  }
  stop(): Promise<void> {
    return this.close();
  }
}

/** The code of the refusal that a call ends with; fails when it does not. */
export const refusal = async (call: Promise<unknown>): Promise<Refusal> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('was not refused');
};
