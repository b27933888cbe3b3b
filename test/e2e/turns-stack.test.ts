import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Decision } from '../../contracts/decision.js';
import type { Thread } from '../../contracts/turn.js';
import type { Stack } from '../../stack/up.js';
import { listen } from '../api/sse-client.js';
import { tapOf, until } from '../api/support.js';
import { answer, calls, scriptedModel, type ScriptedModel } from '../support/scripted-model.js';
import { startTestStack } from '../support/stack.js';

/** Conversations and Ada as a tool of other programs, over every process that there is: API, worker, Temporal, PostgreSQL, the tool server. */

const START_MS = 300_000;
const LONG_MS = 300_000;
const CHAT = 'ws_demo';
const PROGRAMS = 'ws_otro';

let stack: Stack;
let model: ScriptedModel;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let foreign: Awaited<ReturnType<typeof generateKeyPair>>;
beforeAll(async () => {
  [keys, foreign, model] = await Promise.all([generateKeyPair('EdDSA', { extractable: true }), generateKeyPair('EdDSA'), scriptedModel()]);
  // Keys of our own: programs have tokens that the development keys do not give.
  process.env['CAMPANA_JWT_PUBLIC_KEY'] = await exportSPKI(keys.publicKey);
  stack = await startTestStack({ envFor: { api: { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: model.url } } });
}, START_MS);
afterAll(async () => {
  delete process.env['CAMPANA_JWT_PUBLIC_KEY'];
  await stack?.stop();
  await model?.close();
}, START_MS);

const token = (claims: { ws: string; sub?: string; typ?: string; roles?: string[] }, by = keys): Promise<string> =>
  new SignJWT({ roles: ['seller', 'approver'], sub: 'ana', ...claims })
    .setProtectedHeader({ alg: 'EdDSA' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(by.privateKey);
const call = async <T>(
  bearer: string,
  method: string,
  path: string,
  body?: unknown,
  key: string = randomUUID(),
): Promise<{ status: number; body: T }> => {
  const response = await fetch(stack.urls.api + path, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(method === 'GET' ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as T };
};

describe('an API that is killed in the middle of a turn', () => {
  it(
    'has started its campaign once, says that the turn was cut off, and goes on with it',
    async () => {
      const ana = await token({ ws: CHAT });
      const { thread_id: thread } = (await call<{ thread_id: string }>(ana, 'POST', '/v1/threads', {})).body;
      model.play((_, n) =>
        n === 0
          ? calls(
              ['skill_open', { name: 'campana' }],
              ['campana_start', { criteria: { giro: 'empaque', estado: 'Jalisco', cargo: 'compras' }, cuentas: 5, hasta: 'contactos' }],
            )
          : 'hang',
      );
      const key = randomUUID();
      const ask = () =>
        listen({ url: stack.urls.api, token: ana }, `/v1/threads/${thread}/turns`, {
          method: 'POST',
          body: { message: 'quiero llegar a 5 personas de compras de empaque en Jalisco' },
          headers: { 'idempotency-key': key },
        });
      const lost = await ask();
      await until(() => model.requests.length === 2);
      await stack.kill('api');
      await lost.over;
      expect(lost.events.map((one) => one.data.type)).toEqual(expect.arrayContaining(['turn.accepted', 'tool.started', 'tool.finished']));
      expect(lost.events.filter((one) => /^turn\.(?:finished|refused)$/.test(one.data.type))).toEqual([]);
      await stack.restart('api');

      // The same key is the same turn: nobody runs it again.
      const again = await ask();
      await again.over;
      expect(again.headers.get('location')).toBe(lost.headers.get('location'));
      expect(again.events.at(-1)?.data).toMatchObject({ type: 'turn.refused', code: 'interrupted', status: 503 });
      expect(again.events.slice(0, lost.events.length)).toEqual(lost.events);
      expect(model.requests).toHaveLength(2);

      // What it had started goes on, once, and belongs to the conversation.
      const runs = (await call<{ runs: Array<{ run_id: string }> }>(ana, 'GET', '/v1/runs')).body.runs.map((run) => run.run_id);
      expect(runs).toHaveLength(1);
      expect((await call<Thread>(ana, 'GET', `/v1/threads/${thread}`)).body.runs).toEqual(runs);
      model.play((_, n) =>
        n === 0
          ? calls(['skill_open', { name: 'campana' }], ['campana_status', { run_id: runs[0] }])
          : answer({
              intent: { kind: 'responder' },
              narration: `Ahí va [[run:${runs[0] ?? ''}]].`,
              pregunta: null,
              siguiente: { kind: 'campana', label: 'Ver la campaña', target: runs[0] ?? '', cost: null },
            }),
      );
      const next = await listen({ url: stack.urls.api, token: ana }, `/v1/threads/${thread}/turns`, {
        method: 'POST',
        body: { message: '¿cómo va la campaña?' },
        headers: { 'idempotency-key': randomUUID() },
      });
      await next.over;
      expect(next.events.at(-1)?.data).toMatchObject({ type: 'turn.finished', answer: { progress: { run_id: runs[0] } } });
      expect((await call<{ runs: unknown[] }>(ana, 'GET', '/v1/runs')).body.runs).toHaveLength(1);
      await call(ana, 'POST', `/v1/runs/${runs[0] ?? ''}/cancel`, {});
    },
    LONG_MS,
  );
});

type Body = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any
describe('Ada as a tool of another program', () => {
  const open: Client[] = [];
  afterAll(() => Promise.all(open.map((client) => client.close())));
  const connect = async (bearer: string | null): Promise<Client> => {
    const client = new Client({ name: 'another-program', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${stack.urls.api}/mcp`), {
        requestInit: { headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` } },
      }),
    );
    open.push(client);
    return client;
  };
  const run = async (client: Client, name: string, args: Body = {}, options: Parameters<Client['callTool']>[2] = {}): Promise<Body> =>
    (await client.callTool({ name, arguments: args }, undefined, { timeout: LONG_MS, ...options })).structuredContent as Body;
  const balances = async (bearer: string): Promise<Body> => (await call<Body>(bearer, 'GET', '/v1/balances')).body;
  const plan = { criteria: { giro: 'empaque', estado: 'Jalisco', cargo: 'compras' }, cuentas: 4, hasta: 'contactos' };

  it('lets nobody in without a token of ours, and shows each only its own workspace', async () => {
    for (const bearer of [null, 'nonsense', await token({ ws: PROGRAMS, typ: 'agent' }, foreign)])
      await expect(connect(bearer)).rejects.toThrow(/401|Unauthorized|invalid/i);
    const stranger = await connect(await token({ ws: 'ws_nobody', typ: 'agent' }));
    expect(await run(stranger, 'campana_status')).toEqual({ runs: [] });
    expect(await run(stranger, 'decisions_list')).toEqual({ decisions: [] });
  });

  it('tells its tools and its recipes', async () => {
    const client = await connect(await token({ ws: PROGRAMS, typ: 'agent', sub: 'robot' }));
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual([
      'campana_start',
      'campana_status',
      'campana_control',
      'decisions_list',
    ]);
    const uris = (await client.listResources()).resources.map((one) => one.uri);
    expect(uris).toEqual(expect.arrayContaining(['skill://campana/SKILL.md', 'skill://quien-le-ha-vendido/SKILL.md']));
    const [recipe] = (await client.readResource({ uri: 'skill://campana/SKILL.md' })).contents;
    expect(recipe).toMatchObject({ mimeType: 'text/markdown', text: expect.stringMatching(/^---\nname: campana\n/) as unknown });
  });

  it(
    'says what a campaign costs, starts it, waits for a person at a URL, and tells how it moves; it can pay for nothing',
    async () => {
      const [robot, ana] = [await token({ ws: PROGRAMS, typ: 'agent', sub: 'robot' }), await token({ ws: PROGRAMS })];
      const client = await connect(robot);
      const before = await run(client, 'campana_start', { ...plan, dry_run: true });
      expect(before).toMatchObject({
        dry_run: true,
        estimate: { cuentas: 4, max: { credits: expect.any(Number) as unknown }, available: { credits: expect.any(Number) as unknown } },
      });
      expect(before['estimate'].max.credits).toBeGreaterThan(0);
      expect(await run(client, 'campana_status')).toEqual({ runs: [] });

      const started = await run(client, 'campana_start', { ...plan, idempotency_key: 'once' });
      const id = started['run_id'] as string;
      expect(started).toMatchObject({ estimate: before['estimate'], progress: { mode: 'manual' } });
      // The card is there as soon as the campaign has its prices.
      const card = await until(
        async () => (await run(client, 'decisions_list', { run_id: id }))['decisions'][0] as Body | undefined,
        120_000,
      );
      expect(card).toMatchObject({
        kind: 'ajustar_presupuesto',
        state: 'open',
        run_id: id,
        url: `${stack.urls.api}/decisiones/${card['decision_id'] as string}`,
        balance: { credits: expect.any(Number) as unknown },
      });
      expect((await run(client, 'campana_start', { ...plan, idempotency_key: 'once' }))['run_id']).toBe(id);

      // Its token opens no decision, neither here nor at the routes; a mode and a cap are no arguments.
      const shown = (await call<Decision>(robot, 'GET', new URL(card['api_url'] as string).pathname)).body;
      expect((await call<Body>(robot, 'POST', `/v1/decisions/${shown.id}/resolve`, tapOf(shown, 'all'))).body).toMatchObject({
        status: 403,
        code: 'person_needed',
      });
      for (const name of ['decision_resolve', 'people_reveal', 'crm_save_companies'])
        await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(/Unknown tool/);
      for (const more of [{ modo: 'automatico' }, { caps: { credits: 99 } }])
        expect(await run(client, 'campana_start', { ...plan, ...more })).toMatchObject({ error: { code: 'request_invalid' } });
      expect((await balances(ana))['credits']).toMatchObject({ held: 0, spent: 0 });

      // A person taps; the program hears the campaign move until there is something new for a person.
      const heard: Array<{ progress: number; message?: string | undefined }> = [];
      const followed = run(client, 'campana_status', { run_id: id, wait_s: 60 }, { onprogress: (progress) => void heard.push(progress) });
      await until(() => heard.length > 0);
      expect((await call<Body>(ana, 'POST', `/v1/decisions/${shown.id}/resolve`, tapOf(shown, 'all'))).status).toBe(200);
      const moved = await followed;
      expect(moved['decisions'].map((one: Body) => [one['kind'], one['url']])).toEqual([
        ['guardar_en_crm', expect.stringMatching(/\/decisiones\/dec_/)],
      ]);
      expect(heard.length).toBeGreaterThan(1);
      expect(heard.map((one) => one.progress)).toEqual([...heard.map((one) => one.progress)].sort((a, b) => a - b));

      expect(await run(client, 'campana_control', { run_id: id, action: 'pause' })).toMatchObject({ progress: { state: 'paused' } });
      expect((await run(client, 'campana_control', { run_id: id, action: 'resume' }))['progress'].state).not.toBe('paused');
      await run(client, 'campana_control', { run_id: id, action: 'cancel' });
      await until(async () => (await run(client, 'campana_status', { run_id: id }))['progress'].state === 'canceled');
      expect(await run(client, 'campana_status')).toEqual({ runs: [] });
      expect((await balances(ana))['credits']).toMatchObject({ held: 0, spent: 0 });
    },
    LONG_MS,
  );
});
