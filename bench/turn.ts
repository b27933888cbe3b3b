/**
 * `npm run bench -- --turn [--json]`: what the harness of a chat turn costs by itself. The model is the one without a key and tools answer at once with
 * what the real ones answered before, in process; PostgreSQL, the API, HTTP and the event stream are real.
 */
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Session, type Profiler } from 'node:inspector';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import pino from 'pino';
import type { Context } from '../activities/context.js';
import type { Tools } from '../activities/mcp.js';
import { startOutbox } from '../activities/outbox.js';
import { deterministicModel } from '../ada/deterministic/index.js';
import { readTools } from '../ada/ports/tools.js';
import type { ReadTools } from '../ada/types.js';
import { openApi } from '../api/context.js';
import { createMeters } from '../api/metrics.js';
import { buildServer } from '../api/server.js';
import { Env } from '../contracts/env.js';
import type { TurnAnswer } from '../contracts/turn.js';
import { createAnsweringPool } from '../db/api-pool.js';
import type { Pool } from '../db/client.js';
import { migrate } from '../db/migrate.js';
import { startKitchen } from '../kitchen/start.js';
import { withClient } from '../stack/databases.js';
import { startStack } from '../stack/up.js';
import { percentile } from './measures.js';
import { cpuOf } from './rig.js';

/** Eight people ask for the same kinds of things, each about something else. */
const WORLDS = [
  ['limpieza', 'Jalisco', 'IMSS', 'uniformes', 'Higiene Tavira Express'],
  ['muebles', 'Guanajuato', 'SEP', 'mobiliario escolar', 'Moldeados Miravela Premier'],
  ['papelería', 'Puebla', 'ISSSTE', 'papelería', 'Papelera Wirikal Prima'],
  ['transporte', 'Nuevo León', 'CFE', 'transformadores', 'Químicos Ixtlara del Norte'],
  ['alimentos', 'Sinaloa', 'SEDENA', 'llantas', 'Comestibles Piedra Lisa'],
  ['construcción', 'Sonora', 'PEMEX', 'tubería', 'Invernaderos Esmeril Uno'],
  ['software', 'Querétaro', 'INEGI', 'equipo de cómputo', 'Higiene Tavira'],
  ['seguridad privada', 'Yucatán', 'Guardia Nacional', 'vigilancia', 'Papelera Wirikal'],
] as const;
/** One conversation: every recipe, what follows from it, and small talk. */
const conversation = ([trade, state, buyer, product, account]: (typeof WORLDS)[number]): Array<[recipe: string, message: string]> => [
  ['cuantos-hay', `¿Cuántos proveedores de ${trade} hay en ${state}?`],
  ['buscar', 'Muéstramelos'],
  ['quien-le-ha-vendido', `¿Quién le ha vendido ${product} a ${buyer} en los últimos dos años?`],
  ['senales', `licitaciones abiertas de ${product}`],
  ['pipeline', 'Dame un análisis de mi CRM'],
  ['cuenta', `qué sé de ${account}`],
  ['contactos', `contactos de ${account}`],
  ['equipo', 'qué dice el playbook de seguimiento'],
  ['secuencia', 'ármame una secuencia'],
  ['charla', 'gracias'],
  ['buscar', `búscame empresas de ${trade} en ${state}`],
  ['guardar', 'guárdalas en el CRM'],
  ['campana', '¿cómo va la campaña?'],
  ['campana', `quiero llegar a 50 personas de compras en empresas de ${trade} de ${state}`],
];
const ROUNDS = 3;
const BALANCES = { credits: 500, queries: 10_000, inference: 50_000_000 };

export interface TurnFigures {
  turns: number;
  /** From the request to `turn.finished` at the client; and what the turn says of itself. */
  wall_ms: { p50: number; p90: number; p99: number; max: number };
  turn_ms: { p50: number; p90: number; p99: number };
  /** Shares of the wall: waiting for PostgreSQL (the process has nothing to do); choosing recipes and holding the answer against the rules (of a second, profiled pass). */
  shares: { database: number; router: number; validation: number };
  statements: { mean: number; max: number };
  /** Processor time of a turn, which does not depend on who else uses the machine: our process with its client, and PostgreSQL's. */
  cpu_ms: { process_p50: number; process_p99: number; postgres: number };
  by_recipe_p50: Record<string, number>;
  prompt: { characters: number; saved_characters: number; saved_tokens: number };
  /** One small row committed by itself, p50 before and after: how quick disk and PostgreSQL were meanwhile, ms. */
  commit_ms: { before: number; after: number };
  live_tool_calls: number;
  refused: number;
}

/** Counts the statements of pools. */
class Statements {
  private count = 0;

  watch(pool: Pool): void {
    pool.on('connect', (client) => {
      const target = client as unknown as { query: (...args: unknown[]) => unknown };
      const query = target.query.bind(client);
      target.query = (...args) => {
        this.count += 1;
        return query(...args);
      };
    });
  }
  /** Those since the last time. */
  take(): number {
    const taken = this.count;
    this.count = 0;
    return taken;
  }
}

const frozen = <T>(value: T): T => {
  if (value !== null && typeof value === 'object') {
    for (const inner of Object.values(value)) frozen(inner);
    Object.freeze(value);
  }
  return value;
};

/** What the real tools answered, by what they were asked; asked for something new, they are. */
const canned = (real: ReadTools): ReadTools & { live: number } => {
  const known = new Map<string, unknown>();
  const port = {
    live: 0,
    call: async (...[, name, args, options]: Parameters<ReadTools['call']>) => {
      const key = `${name} ${JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)))}`;
      if (!known.has(key)) {
        port.live += 1;
        // Handed out as it is, so that copying it is not counted; nothing of ours writes into a result.
        known.set(key, frozen(await real.call('ws_bench', name, args, options)));
      }
      return known.get(key);
    },
  };
  return port;
};

const usage = (): Tools => ({
  call: ((_workspace: string, contract: { name: string }) => {
    if (contract.name !== 'usage') throw new Error(`not in this bench: ${contract.name}`);
    const until = new Date(Date.now() + 86_400_000).toISOString();
    return Promise.resolve({
      ref: 'usage',
      shown: 1,
      total: 1,
      coverage: '',
      reading_id: randomUUID(),
      read_at: new Date().toISOString(),
      provider: 'bench',
      balances: BALANCES,
      honours_idempotency_keys: false,
      topup_url: null,
      prices: [
        { kind: 'credits', unit: 'contact', min: 1, max: 1, valid_until: until },
        { kind: 'queries', unit: 'search', min: 1, max: 1, valid_until: until },
      ],
    });
  }) as unknown as Tools['call'],
  accepts: () => Promise.resolve(true),
  close: () => Promise.resolve(),
});

/** Where the processor was, by our folders; whatever is called from one belongs to it. */
const PARTS: ReadonlyArray<[part: string, path: RegExp]> = [
  ['router', /\/ada\/(?:choosers|library\/(?:choose|text)\/)/],
  ['validation', /\/ada\/(?:validate\/|harvest|repair|anchors)/],
  ['prompt', /\/ada\/(?:manual|library\/disclose\/)/],
  ['model', /\/ada\/(?:deterministic|understand)\//],
  ['database client', /node_modules\/(?:pg|pg-pool|pg-protocol|pg-types)\//],
  ['library files', /\/ada\/library\/read\//],
];
const profiled = async <T>(work: () => Promise<T>): Promise<{ value: T; parts: Map<string, number>; top: Array<[string, number]> }> => {
  const session = new Session();
  session.connect();
  const post = <R>(method: string, params: object = {}): Promise<R> =>
    new Promise((resolve, reject) => session.post(method, params, (error, result) => (error ? reject(error) : resolve(result as R))));
  await post('Profiler.enable');
  await post('Profiler.setSamplingInterval', { interval: 250 });
  await post('Profiler.start');
  const value = await work();
  const { profile } = await post<{ profile: Profiler.Profile }>('Profiler.stop');
  session.disconnect();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parent = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((child): [number, number] => [child, node.id])));
  const own = new Map<number, number>();
  (profile.samples ?? []).forEach((id, i) => own.set(id, (own.get(id) ?? 0) + (profile.timeDeltas?.[i] ?? 0) / 1000));
  const parts = new Map<string, number>();
  const top = new Map<string, number>();
  for (const [id, ms] of own) {
    const frame = nodes.get(id)?.callFrame;
    if (!frame || frame.functionName === '(idle)' || frame.functionName === '(program)' || frame.functionName === 'dispatch') continue; // the last: the profiler itself
    let part = frame.functionName === '(garbage collector)' ? 'garbage collector' : 'rest';
    for (let at: number | undefined = id; at !== undefined && part === 'rest'; at = parent.get(at))
      part = PARTS.find(([, path]) => path.test(nodes.get(at ?? 0)?.callFrame.url ?? ''))?.[0] ?? 'rest';
    parts.set(part, (parts.get(part) ?? 0) + ms);
    const where = `${frame.functionName || '(anonymous)'} ${frame.url.replace(/^.*\/(?=(?:ada|api|db|contracts|bench|node_modules)\/)/, '')}:${frame.lineNumber + 1}`;
    top.set(where, (top.get(where) ?? 0) + ms);
  }
  return { value, parts, top: [...top].sort((a, b) => b[1] - a[1]).slice(0, 15) };
};

interface Measured {
  recipe: string;
  wall: number;
  answer: TurnAnswer | null;
  database: number;
  statements: number;
  cpu: number;
}

export const turnFigures = async (
  say: (line: string) => void,
): Promise<{ figures: TurnFigures; parts: Record<string, number>; top: Array<[string, number]> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'campana-bench-turn-'));
  await chmod(folder, 0o755);
  const stack = await startStack({ stateDir: folder, ports: 'random', parts: ['postgres'], ui: false, quiet: true });
  const closing: Array<() => Promise<unknown>> = [() => stack.stop(), () => rm(folder, { recursive: true, force: true })];
  const later = (close: () => Promise<unknown>): void => void closing.unshift(close);
  try {
    const { admin = '', campana, ada = '' } = stack.databases;
    await migrate(campana);
    await withClient(admin, (client) => client.query('create database bench_kitchen'));
    const kitchen = await startKitchen({
      databaseUrl: Object.assign(new URL(admin), { pathname: '/bench_kitchen' }).href,
      port: 0,
      tokens: [{ token: 'bench-read-token', workspace: 'ws_bench', scopes: ['read'] }],
    });
    later(() => kitchen.close());
    const real = readTools({ url: kitchen.url, token: () => 'bench-read-token', timeoutMs: 20_000 });
    later(() => real.close());

    const keys = await generateKeyPair('EdDSA', { extractable: true });
    const env = Env.parse({
      DATABASE_URL: campana,
      ADA_DATABASE_URL: ada,
      CAMPANA_JWT_PUBLIC_KEY: await exportSPKI(keys.publicKey),
      NODE_ENV: 'test',
      CAMPANA_SUPPRESSION_KEY: 'bench',
      TOOLS_URL: kitchen.url,
    });
    const pool = createAnsweringPool(campana, { max: 12, name: 'bench-api' });
    later(() => pool.end());
    const ctx: Context = { pool, tools: usage(), temporal: null, env, log: pino({ level: 'silent' }) };
    const outbox = startOutbox(ctx);
    later(() => outbox.stop());
    const tools = canned(real);
    const { api, close } = await openApi(ctx, outbox, createMeters(), { model: deterministicModel(), tools, cardWithinMs: 0 });
    later(close);
    const counted = new Statements();
    for (const one of [pool, api.ada.pool, api.pollPool]) counted.watch(one);
    const app = await buildServer(api);
    later(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });

    let people = 0;
    const begin = async (): Promise<(message: string) => Promise<Omit<Measured, 'recipe'>>> => {
      const n = (people += 1);
      const token = await new SignJWT({ ws: `ws_${n}`, roles: ['seller', 'approver', 'operator'], sub: `persona-${n}` })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setIssuedAt()
        .setExpirationTime('2h')
        .sign(keys.privateKey);
      const post = (path: string, body: unknown, accept: string): Promise<Response> =>
        fetch(url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': randomUUID(), accept },
          body: JSON.stringify(body),
        });
      const { thread_id: thread } = (await (await post('/v1/threads', {}, 'application/json')).json()) as { thread_id: string };
      return async (message) => {
        counted.take();
        const before = process.cpuUsage();
        const loop = performance.eventLoopUtilization();
        const since = performance.now();
        const response = await post(`/v1/threads/${thread}/turns`, { message }, 'text/event-stream');
        const text = await response.text();
        const wall = performance.now() - since;
        const used = process.cpuUsage(before);
        // Nobody else answers from outside this process: while it has nothing to do, PostgreSQL has.
        const { idle } = performance.eventLoopUtilization(loop);
        const statements = counted.take();
        const finished = /event: turn\.finished\ndata: (.*)\n/.exec(text)?.[1];
        if (!finished && !text.includes('event: turn.refused')) throw new Error(`${message}: ${response.status} ${text.slice(0, 300)}`);
        return {
          wall,
          answer: finished ? (JSON.parse(finished) as { answer: TurnAnswer }).answer : null,
          database: Math.min(idle, wall),
          statements,
          cpu: (used.user + used.system) / 1_000,
        };
      };
    };
    interface Opened {
      speak: (message: string) => Promise<Omit<Measured, 'recipe'>>;
      script: Array<[recipe: string, message: string]>;
    }
    /** Conversations that have begun: the first turn of a workspace reads its balances, collections and recipes, as it does once in a while. */
    const open = async (rounds: number): Promise<Opened[]> => {
      const opened: Opened[] = [];
      for (let round = 0; round < rounds; round += 1)
        for (const world of WORLDS) {
          const speak = await begin();
          await speak('hola');
          opened.push({ speak, script: conversation(world) });
        }
      return opened;
    };
    const pass = async (opened: readonly Opened[]): Promise<Measured[]> => {
      const measured: Measured[] = [];
      for (const { speak, script } of opened) for (const [recipe, message] of script) measured.push({ recipe, ...(await speak(message)) });
      return measured;
    };

    await withClient(campana, (client) => client.query('create table bench_commits (at timestamptz)'));
    const commit = (): Promise<number> =>
      withClient(campana, async (client) => {
        const took: number[] = [];
        for (let i = 0; i < 100; i += 1) {
          const since = performance.now();
          await client.query('insert into bench_commits values (now())');
          took.push(performance.now() - since);
        }
        return Number(percentile(took, 0.5).toFixed(2));
      });

    say('warming up: every message once, with the real tools');
    await pass(await open(1));
    tools.live = 0;
    const expected = ROUNDS * WORLDS.length * conversation(WORLDS[0]).length;
    say(`${expected} turns, one at a time`);
    const opened = await open(ROUNDS);
    const commitBefore = await commit();
    const postgresBefore = cpuOf(stack.pids.postgres ?? 0);
    const turns = await pass(opened);
    const postgres = cpuOf(stack.pids.postgres ?? 0) - postgresBefore;
    const commitAfter = await commit();
    say('the same again under the profiler, for the parts');
    const others = await open(1);
    const again = await profiled(() => pass(others));

    const walls = turns.map((turn) => turn.wall);
    const wallSum = walls.reduce((sum, ms) => sum + ms, 0);
    const profiledWall = again.value.reduce((sum, turn) => sum + turn.wall, 0);
    const answers = turns.flatMap((turn) => turn.answer ?? []);
    const mean = (values: number[]): number => Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
    const ms = (value: number): number => Number(value.toFixed(1));
    const share = (value: number): number => Number(value.toFixed(3));
    const figures: TurnFigures = {
      turns: turns.length,
      wall_ms: {
        p50: ms(percentile(walls, 0.5)),
        p90: ms(percentile(walls, 0.9)),
        p99: ms(percentile(walls, 0.99)),
        max: ms(Math.max(...walls)),
      },
      turn_ms: {
        p50: percentile(
          answers.map((a) => a.usage.duration_ms),
          0.5,
        ),
        p90: percentile(
          answers.map((a) => a.usage.duration_ms),
          0.9,
        ),
        p99: percentile(
          answers.map((a) => a.usage.duration_ms),
          0.99,
        ),
      },
      shares: {
        database: share(turns.reduce((sum, turn) => sum + turn.database, 0) / wallSum),
        router: share((again.parts.get('router') ?? 0) / profiledWall),
        validation: share((again.parts.get('validation') ?? 0) / profiledWall),
      },
      statements: { mean: mean(turns.map((turn) => turn.statements)), max: Math.max(...turns.map((turn) => turn.statements)) },
      cpu_ms: {
        process_p50: ms(
          percentile(
            turns.map((turn) => turn.cpu),
            0.5,
          ),
        ),
        process_p99: ms(
          percentile(
            turns.map((turn) => turn.cpu),
            0.99,
          ),
        ),
        postgres: ms(postgres / turns.length),
      },
      by_recipe_p50: Object.fromEntries(
        [...new Set(turns.map((turn) => turn.recipe))].map((recipe) => [
          recipe,
          ms(
            percentile(
              turns.filter((turn) => turn.recipe === recipe).map((turn) => turn.wall),
              0.5,
            ),
          ),
        ]),
      ),
      prompt: {
        characters: mean(answers.map((a) => a.usage.prompt.characters)),
        saved_characters: mean(answers.map((a) => a.usage.prompt.saved_characters)),
        saved_tokens: mean(answers.map((a) => a.usage.prompt.saved_tokens)),
      },
      commit_ms: { before: commitBefore, after: commitAfter },
      live_tool_calls: tools.live,
      refused: turns.length - answers.length,
    };
    return {
      figures,
      parts: Object.fromEntries(
        [...again.parts].sort((a, b) => b[1] - a[1]).map(([part, value]) => [part, ms(value / again.value.length)]),
      ),
      top: again.top.map(([where, value]) => [where, ms(value / again.value.length)]),
    };
  } finally {
    for (const close of closing) await close().catch(() => undefined);
  }
};
