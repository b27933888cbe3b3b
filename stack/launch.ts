import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildEntries, buildPage, bundleWorkflows } from './build.js';
import { keepWhileRunning } from './build-use.js';
import { apiEnv, kitchenEnv, workerEnv, type Wiring } from './child-env.js';
import { openCodec, type StackCodec } from './codec.js';
import { ensureAdaLogin, ensureDatabase } from './databases.js';
import { identify } from './identity.js';
import { Part, PART_NAMES, type PartName, type PartSpec } from './part.js';
import { BUILD_DIR, ROOT } from './paths.js';
import { freePort, releasePorts } from './ports.js';
import { postgresUrl, preparePostgres } from './postgres.js';
import { dropRecord, writeRecord, type StackRecord } from './record.js';
import { readyLine, type Say } from './screen.js';
import { onSignals } from './signals.js';
import { hasPoller, temporalSpec } from './temporal.js';
import { findTemporal } from './temporal-binary.mjs';
import { developmentKeys, lastingSecret, newSecret, newToolTokens, writeSecret, type DevelopmentKeys } from './tokens.js';
import type { Stack, StackDatabases, StackOptions, StackUrls } from './types.js';
import { said } from './words.js';

const ENTRIES: Partial<Record<PartName, string>> = { kitchen: 'kitchen/server.ts', worker: 'workers/main.ts', api: 'api/main.ts' };
const USUAL_PORTS = {
  temporal: 7233,
  temporalHttp: 7243,
  temporalMetrics: 7253,
  temporalUi: 8233,
  api: 7400,
  kitchen: 7411,
  control: 7412,
  postgres: 55_433,
};
type PortName = keyof typeof USUAL_PORTS;

/** The API answers 503 while another part is missing: it runs all the same, and its own start does not hang on theirs. */
const isAlive = (url: string) => async (): Promise<boolean> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  return ((await response.json()) as { alive?: boolean }).alive === true;
};

/** A small young generation: many short-lived objects otherwise let a process grow to twice what it needs. */
const YOUNG = '--max-semi-space-size=4';

const respondsAt = (url: string) => async (): Promise<boolean> => (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;

/** One start of the stack: what has been decided so far and the parts that run. */
class Launch {
  readonly parts = new Map<PartName, Part>();
  readonly timings: Record<string, number> = {};
  readonly ports = {} as Record<PortName, number>;
  readonly logs: string;
  private readonly since = Date.now();
  private readonly tokenFile: string;
  private record: StackRecord | undefined;
  private recording = Promise.resolve();
  private stopping: Promise<void> | undefined;
  private forget: () => void = () => undefined;
  /** Of the built files. */
  private letGo: () => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly options: StackOptions & { stateDir: string },
    private readonly say: Say,
  ) {
    this.logs = join(options.stateDir, 'logs');
    this.tokenFile = join(options.stateDir, 'token');
  }

  async up(): Promise<Stack> {
    this.forget = onSignals({
      handle: this.options.signals ?? false,
      stop: () => this.stop(),
      force: () => this.forceEnd('SIGKILL'),
      abandon: () => this.forceEnd('SIGTERM'),
      say: this.say,
    });
    try {
      return await this.start();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  private wants(part: PartName): boolean {
    return this.options.parts?.includes(part) ?? true;
  }

  /** Parts of ours that are wanted and not replaced by a server of yours. */
  private programs(): PartName[] {
    return (Object.keys(ENTRIES) as PartName[]).filter((part) => this.wants(part) && !(part === 'kitchen' && process.env['TOOLS_URL']));
  }

  private async choosePorts(): Promise<void> {
    for (const [name, usual] of Object.entries(USUAL_PORTS) as [PortName, number][]) {
      this.ports[name] = await freePort(this.options.ports === 'random' ? undefined : usual + (this.options.portOffset ?? 0));
    }
  }

  private async timed<T>(name: string, work: () => Promise<T>, detail?: (value: T) => string): Promise<T> {
    const since = Date.now();
    const value = await work();
    this.timings[name] = Date.now() - since;
    if (detail) this.say(readyLine(name, this.timings[name], detail(value)));
    return value;
  }

  private async run(spec: PartSpec): Promise<void> {
    const extra = this.options.envFor?.[spec.name];
    const part = new Part(extra ? { ...spec, env: { ...spec.env, ...extra } } : spec, this.say, () => this.note());
    this.parts.set(spec.name, part);
    this.timings[spec.name] = await part.start();
    this.note();
  }

  private async start(): Promise<Stack> {
    const { stateDir } = this.options;
    this.say(said('starting', { folder: stateDir }));
    await this.choosePorts();
    this.codec = await openCodec(stateDir, this.options.encrypt ?? false);
    if (this.codec) this.say(`  ${this.codec.detail}`);
    const programs = this.programs();
    const external = {
      temporal: process.env['TEMPORAL_ADDRESS'] ?? (process.env['TEMPORAL_PROFILE'] ? 'by profile' : undefined),
      tools: process.env['TOOLS_URL'],
    };
    const ownTemporal = this.wants('temporal') && !external.temporal;
    const urls: StackUrls = {
      api: `http://127.0.0.1:${this.ports.api}`,
      tools: external.tools ?? `http://127.0.0.1:${this.ports.kitchen}/mcp`,
      ...(this.options.faults ? { toolsControl: `http://127.0.0.1:${this.ports.control}` } : {}),
      temporal: external.temporal ?? `127.0.0.1:${this.ports.temporal}`,
      ...(ownTemporal && this.options.ui !== false ? { temporalUi: `http://127.0.0.1:${this.ports.temporalUi}` } : {}),
    };
    const healthUrl = programs.includes('api')
      ? `${urls.api}/healthz`
      : ownTemporal
        ? `http://127.0.0.1:${this.ports.temporalHttp}/api/v1/namespaces/default`
        : `http://127.0.0.1:${this.ports.kitchen}/healthz`;
    this.record = {
      format: 1,
      startedAt: new Date().toISOString(),
      supervisor: identify(process.pid),
      sample: this.options.sample ?? 'demo',
      urls,
      healthUrl,
      parts: {},
      tokenFile: '',
      logs: this.logs,
      versions: { node: process.version },
    };
    this.note();

    // Everything that needs nothing else starts now; each program starts as soon as what it needs is there.
    const keys = this.keys();
    const built = this.timed(
      'build',
      () => buildEntries(programs.map((part) => ENTRIES[part] ?? '')),
      (all) => said('detail.programs', { n: Object.keys(all).length }),
    );
    const bundle = programs.includes('worker')
      ? this.timed(
          'workflows',
          () => bundleWorkflows({ sealed: this.codec !== undefined }),
          ({ made }) => said(made ? 'detail.bundled' : 'detail.unchanged'),
        )
      : Promise.resolve({ path: '', made: false });
    const page = programs.includes('api')
      ? this.timed('page', buildPage, ({ made }) => said(made ? 'detail.built' : 'detail.unchanged'))
      : Promise.resolve({ path: '', made: false });
    const temporal = ownTemporal
      ? this.startTemporal(urls.temporalUi !== undefined, programs.includes('api') ? urls.api : undefined)
      : Promise.resolve();
    const databases = this.startDatabases(programs.includes('kitchen'));
    // One may fail (or be stopped) before anybody waits for it: whoever waits hears of it, the process does not end of it.
    for (const early of [keys, built, bundle, page, databases]) early.catch(() => undefined);
    const wiring = async (): Promise<Wiring> => {
      const data = await databases;
      return {
        stateDir,
        databaseUrl: data.campana,
        adaDatabaseUrl: data.ada,
        kitchenDatabaseUrl: data.kitchen ?? '',
        toolsUrl: urls.tools,
        toolTokens: this.toolTokens,
        temporalAddress: urls.temporal === 'by profile' ? undefined : urls.temporal,
        temporalUi: urls.temporalUi,
        apiPort: this.ports.api,
        kitchenPort: this.ports.kitchen,
        codec: this.codec,
        control: this.options.faults ? { port: this.ports.control, token: this.controlToken } : undefined,
        publicKeyPem: (await keys)?.publicKeyPem ?? '',
        suppressionKey: await this.suppressionKey(),
        workflowBundle: (await bundle).path,
        pageDir: (await page).path,
        sample: this.options.sample ?? 'demo',
      };
    };
    const migrated = databases.then((data) => this.migrate(data.campana));
    const program = async (
      name: PartName,
      env: (w: Wiring) => NodeJS.ProcessEnv,
      isReady: PartSpec['isReady'],
      needs: Promise<unknown>[],
      detail: string,
    ): Promise<void> => {
      if (!programs.includes(name)) return;
      await Promise.all(needs);
      const file = (await built)[ENTRIES[name] ?? ''] ?? '';
      await this.run({
        name,
        command: process.execPath,
        args: ['--enable-source-maps', ...(name === 'kitchen' ? [] : [YOUNG]), file],
        env: { ...env(await wiring()), ...this.options.env },
        cwd: ROOT,
        logFile: join(this.logs, `${name}.log`),
        detail,
        isReady,
        readyWithinMs: 60_000,
        retryStartMs: 0,
        stopSignal: 'SIGTERM',
        stopWithinMs: 8_000,
      });
    };
    const all = [
      keys,
      temporal,
      migrated,
      program('kitchen', kitchenEnv, respondsAt(`http://127.0.0.1:${this.ports.kitchen}/healthz`), [databases], urls.tools),
      program('worker', workerEnv, this.workerIsReady(ownTemporal), [temporal, migrated, bundle], said('detail.polling')),
      program('api', apiEnv, isAlive(`${urls.api}/healthz`), [temporal, migrated, keys], urls.api),
    ];
    try {
      await Promise.all(all);
    } catch (error) {
      // The others may still be starting: end them before the caller hears of it, and swallow what that makes them say.
      await this.stop();
      await Promise.allSettled([...all, built, bundle, page, databases]);
      await this.stop();
      throw error;
    }
    // A part that dies is started from its file again, however many builds there were since.
    const files = [...Object.values(await built), (await bundle).path, (await page).path].filter((path) => path !== '');
    if (files.length > 0) this.letGo = keepWhileRunning(BUILD_DIR, stateDir, files);
    if (programs.includes('api') && programs.includes('worker') && (programs.includes('kitchen') || external.tools))
      await this.timed('together', () => this.untilReady(`${urls.api}/healthz`));
    this.timings['total'] = Date.now() - this.since;
    return this.stack(urls, await databases, await keys);
  }

  /** Every part runs; now the API has to find that they reach each other. @throws Error with what is missing. */
  private async untilReady(url: string): Promise<void> {
    const until = Date.now() + 30_000;
    for (;;) {
      const health = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
        async (r) => (await r.json()) as { ready?: boolean; parts?: Record<string, { ok: boolean; detail: string }> },
        () => undefined,
      );
      if (health?.ready) return;
      if (Date.now() > until) {
        const missing = Object.entries(health?.parts ?? {}).filter(([, part]) => !part.ok);
        const list = missing.map(([name, part]) => `${name} ${part.detail}`).join('; ') || said('api_silent');
        throw new Error(said('api_not_ready', { missing: list, logs: this.logs }));
      }
      await sleep(60);
    }
  }

  private readonly controlToken = newSecret();
  private codec: StackCodec | undefined;
  private toolTokens: Wiring['toolTokens'] = undefined;
  private token = '';

  private async keys(): Promise<DevelopmentKeys | undefined> {
    if (!process.env['TOOLS_URL']) this.toolTokens = newToolTokens([...new Set(['ws_demo', ...(this.options.workspaces ?? [])])]);
    if (!this.wants('api') || process.env['CAMPANA_JWT_PUBLIC_KEY'] || process.env['CAMPANA_JWKS_URL']) return undefined;
    const keys = await developmentKeys();
    this.token = await keys.sign({ workspace: 'ws_demo' });
    await writeSecret(this.tokenFile, `${this.token}\n`);
    if (this.record) this.record.tokenFile = this.tokenFile;
    return keys;
  }

  private suppressionKey(): Promise<string> {
    const own = process.env['CAMPANA_SUPPRESSION_KEY'];
    return own ? Promise.resolve(own) : lastingSecret(join(this.options.stateDir, 'suppression-key'));
  }

  private async startTemporal(ui: boolean, api: string | undefined): Promise<void> {
    // Where the binary comes from is worth the screen only when it has to be got.
    let quietSteps: string[] | undefined = [];
    const say = (line: string): void => {
      quietSteps?.push(line);
      if (quietSteps && quietSteps.length <= 2) return;
      for (const step of quietSteps ?? [line]) this.say(`    ${step}`);
      quietSteps = undefined;
    };
    const { path } = await findTemporal('server', { say });
    if (this.record) this.record.versions['temporal'] = path;
    const ports = {
      grpc: this.ports.temporal,
      http: this.ports.temporalHttp,
      metrics: this.ports.temporalMetrics,
      ui: ui ? this.ports.temporalUi : undefined,
    };
    const codecEndpoint = api && this.codec?.uiToken ? `${api}/v1/codec/ui/${this.codec.uiToken}` : undefined;
    await this.run(temporalSpec(path, this.options.stateDir, join(this.logs, 'temporal.log'), ports, codecEndpoint));
  }

  private async startDatabases(kitchen: boolean): Promise<StackDatabases> {
    const own = { campana: process.env['DATABASE_URL'], kitchen: process.env['KITCHEN_DATABASE_URL'] };
    if (!this.wants('postgres') || (own.campana && (own.kitchen || !kitchen)))
      return { campana: own.campana ?? '', ...(own.kitchen ? { kitchen: own.kitchen } : {}) };
    const server = await preparePostgres({
      stateDir: this.options.stateDir,
      logFile: join(this.logs, 'postgres.log'),
      port: this.ports.postgres,
      durable: this.options.durable ?? true,
      say: this.say,
    });
    if (this.record) this.record.versions['postgres'] = server.version;
    await this.run(server.spec);
    const { passwords, port } = server;
    const admin = postgresUrl(port, 'postgres', passwords, 'postgres');
    await this.timed('databases', async () => {
      // One after the other: both copy the same template.
      await ensureDatabase(admin, 'campana', passwords.campana);
      await ensureDatabase(admin, 'kitchen', passwords.kitchen);
    });
    // Made anew at every start: nobody needs to keep it.
    const secret = newSecret();
    const ada = own.campana ? undefined : `postgres://${await ensureAdaLogin(admin, secret)}:${secret}@127.0.0.1:${port}/campana`;
    return {
      campana: own.campana ?? postgresUrl(port, 'campana', passwords, 'campana'),
      kitchen: own.kitchen ?? postgresUrl(port, 'kitchen', passwords, 'kitchen'),
      admin,
      ...(ada ? { ada } : {}),
    };
  }

  private async migrate(databaseUrl: string): Promise<void> {
    if (!databaseUrl || !(this.wants('api') || this.wants('worker'))) return;
    await this.timed(
      'migrations',
      async () => (await import('../db/migrate.js')).migrate(databaseUrl),
      () => said('detail.up_to_date'),
    );
  }

  /** With a server of ours: it has seen the new process ask for work. With yours: the process has stayed up. */
  private workerIsReady(ownTemporal: boolean): PartSpec['isReady'] {
    const firstSeen = new Map<number, number>();
    return async (pid) => {
      const since = firstSeen.get(pid) ?? Date.now();
      firstSeen.set(pid, since);
      return ownTemporal ? hasPoller(this.ports.temporalHttp, 'campana', since) : Date.now() - since > 2_000;
    };
  }

  /** Writes the record, one write after the other. */
  private note(): void {
    const record = this.record;
    if (!record || this.stopping) return;
    record.parts = Object.fromEntries([...this.parts].flatMap(([name, part]) => (part.identity ? [[name, part.identity]] : [])));
    const snapshot = structuredClone(record);
    this.recording = this.recording.then(() => writeRecord(this.options.stateDir, snapshot)).catch(() => undefined);
  }

  private forceEnd(signal: NodeJS.Signals): void {
    for (const name of [...PART_NAMES].reverse())
      this.parts.get(name)?.forceEnd(name === 'postgres' && signal === 'SIGTERM' ? 'SIGINT' : signal);
  }

  private stop(): Promise<void> {
    this.stopping ??= (async () => {
      // The programs together, then what they stand on: each in turn would add up their grace times.
      for (const group of [['api', 'worker'], ['kitchen'], ['temporal', 'postgres']] as const) {
        await Promise.all(group.map(async (name) => this.parts.get(name)?.stop()));
      }
      await this.recording;
      await dropRecord(this.options.stateDir);
      await this.letGo();
      // Its key is gone with us; a token that no server accepts only misleads.
      if (this.token) await rm(this.tokenFile, { force: true });
      releasePorts(Object.values(this.ports));
      this.forget();
      // Whoever stopped it, and however: the last line is the same. A start that failed has its own.
      if (this.timings['total'] !== undefined) this.say(said('stopped'));
    })();
    return this.stopping;
  }

  private part(name: PartName): Part {
    const part = this.parts.get(name);
    if (!part) throw new Error(`this stack has no ${name}; it has ${[...this.parts.keys()].join(', ')}`);
    return part;
  }

  private stack(urls: StackUrls, databases: StackDatabases, keys: DevelopmentKeys | undefined): Stack {
    const parts = this.parts;
    this.note();
    return {
      attached: false,
      stateDir: this.options.stateDir,
      urls,
      databases,
      env: {
        CAMPANA_API_URL: urls.api,
        CAMPANA_TOKEN_FILE: keys ? this.tokenFile : '',
        TEMPORAL_ADDRESS: urls.temporal,
        CAMPANA_TEMPORAL_UI: urls.temporalUi ?? '',
        DATABASE_URL: databases.campana,
        ...this.codec?.env,
        ...(databases.kitchen ? { KITCHEN_DATABASE_URL: databases.kitchen } : {}),
        TOOLS_URL: urls.tools,
        ...(this.toolTokens ? { TOOLS_TOKENS: JSON.stringify(this.toolTokens) } : {}),
        ...(urls.toolsControl ? { KITCHEN_CONTROL_URL: urls.toolsControl, KITCHEN_CONTROL_TOKEN: this.controlToken } : {}),
      },
      token: this.token,
      tokenFile: keys ? this.tokenFile : '',
      get pids() {
        return Object.fromEntries([...parts].flatMap(([name, part]) => (part.pid === undefined ? [] : [[name, part.pid]])));
      },
      timings: this.timings,
      mintToken: (claims) => (keys ? keys.sign(claims) : Promise.reject(new Error('the token keys of this stack are not ours'))),
      kill: (name, signal) => this.part(name).kill(signal),
      restart: async (name, env) => {
        const ms = await this.part(name).restart(env);
        this.note();
        return ms;
      },
      stop: async () => {
        await this.stop();
        // A line written while the last part went down would outlive its reader.
        await sleep(0);
      },
    };
  }
}

/** Starts a new stack on a state folder that nobody uses; see `startStack`. */
export const launch = (options: StackOptions & { stateDir: string }, say: Say): Promise<Stack> => new Launch(options, say).up();
