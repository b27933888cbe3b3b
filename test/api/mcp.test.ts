import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openCard, startCard } from '../../db/cards.js';
import { transaction } from '../../db/client.js';
import { withRun } from '../../db/events.js';
import { applyReading } from '../../db/ledger.js';
import { ensureWorkspace, setPrices } from '../../db/runs.js';
import { BALANCES, seedRun, startApi, tapOf, token, until, type TestApi } from './support.js';

const skill = (name: string, integrations = ''): string => `---
name: ${name}
description: >-
  Sirve para probar ${name}. Úsala cuando pruebes; no la uses para otra cosa.
metadata:
  version: "1.2.0"
  reasoning: "bajo"
  cierra_con: "lista"
  costo: "gratis"
${integrations ? `  integrations: "${integrations}"\n` : ''}---

# ${name}

## Pasos

1. Lee el tablero con \`board_read\`. Con cero filas, dilo. Sus archivos están en \${SKILL_DIR}.
`;

let api: TestApi;
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'campana-mcp-'));
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(join(home, path, '..'), { recursive: true });
    await writeFile(join(home, path), text);
  };
  const lock = (names: string[]): string =>
    JSON.stringify({
      version: 1,
      skills: Object.fromEntries(
        names.map((name) => [
          name,
          {
            source: '/x',
            resolved: 'a'.repeat(64),
            trust: 'propia',
            version: '1.2.0',
            digest: 'a'.repeat(64),
            path: name,
            installed_at: '2026-01-01T00:00:00.000Z',
          },
        ]),
      ),
    });
  await put('ws_a/mi-receta/SKILL.md', skill('mi-receta'));
  await put('ws_a/mi-receta/references/notas.md', '# Notas\n\nAlgo que recordar.\n');
  await put('ws_a/con-buzon/SKILL.md', skill('con-buzon', 'buzon'));
  await put('ws_a/skills.lock.json', lock(['mi-receta', 'con-buzon']));
  api = await startApi({ env: { CAMPANA_SKILLS_HOME: home }, open: { cardWithinMs: 30_000 } });
  for (const workspace of ['ws_a', 'ws_b'])
    await transaction(api.pool, async (tx) => {
      await ensureWorkspace(tx, workspace);
      await applyReading(tx, workspace, { reading_id: 'seed', ...BALANCES, versions: { credits: 0, queries: 0, inference: 0 } });
    });
});
const open: Client[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});
afterAll(async () => {
  await api.stop();
  await rm(home, { recursive: true });
});

const connect = async (bearer: string): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${bearer}`, 'accept-language': 'en' } },
    }),
  );
  open.push(client);
  return client;
};
const agent = (more: Parameters<typeof token>[0] = {}) => token({ typ: 'agent', roles: ['seller'], sub: 'robot', ...more });
type Body = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any
const call = async (
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  options: Parameters<Client['callTool']>[2] = {},
): Promise<Body> => (await client.callTool({ name, arguments: args }, undefined, options)).structuredContent as Body;
const plan = { criteria: { giro: 'empaque', estado: 'Jalisco', cargo: 'compras' }, cuentas: 10 };

/** What the workflow of a new campaign does first: its start card. */
const showCard = async (workspace: string): Promise<string> => {
  const run = await until(
    async () =>
      (
        await api.pool.query<{ id: string }>(
          `select id from runs where workspace_id = $1 and not exists (select 1 from decisions d where d.run_id = runs.id) order by created_at desc limit 1`,
          [workspace],
        )
      ).rows[0]?.id,
  );
  await withRun(api.pool, workspace, run, async (locked) => {
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
  return run;
};

describe('Ada over MCP', () => {
  it('tells its tools and nothing that resolves', async () => {
    const client = await connect(await agent());
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['campana_start', 'campana_status', 'campana_control', 'decisions_list']);
    expect(JSON.stringify(tools.map((tool) => tool.inputSchema))).not.toMatch(/"(modo|caps|option|payload_hash|shown_total|credits)"/);
    expect(client.getInstructions()).toMatch(/waits for a person/);
    for (const name of ['decision_resolve', 'decisions_resolve', 'resolve', 'crm_save_companies', 'people_reveal', '__proto__'])
      await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(/Unknown tool/);
  });

  it('says what a campaign would cost, starts it once per key, and waits for a tap', async () => {
    const client = await connect(await agent());
    const before = (await api.call('GET', '/v1/runs')).body.runs.length;
    const dry = await call(client, 'campana_start', { ...plan, dry_run: true });
    expect(dry).toMatchObject({ dry_run: true, estimate: { cuentas: 10, max: { credits: 10 }, available: { credits: 100 } } });
    expect((await api.call('GET', '/v1/runs')).body.runs.length).toBe(before);

    const starting = call(client, 'campana_start', { ...plan, idempotency_key: 'once' });
    const run = await showCard('ws_a');
    const started = await starting;
    expect(started).toMatchObject({
      run_id: run,
      waits_for: 'person',
      estimate: { max: { credits: 10 } },
      progress: { state: 'ready', state_label: 'Ready to start', mode: 'manual' },
      decisions: [{ kind: 'ajustar_presupuesto', state: 'open' }],
    });
    const [card] = started['decisions'] as Body[];
    expect(card?.['url']).toBe(`${api.url}/decisiones/${card?.['decision_id']}`);
    expect((await api.call('GET', new URL(card?.['api_url']).pathname)).body).toMatchObject({ state: 'open' });
    expect((await call(client, 'campana_start', { ...plan, idempotency_key: 'once' }))['run_id']).toBe(run);
    const list = await call(client, 'decisions_list');
    expect(list['decisions'][0]).toMatchObject({
      decision_id: card?.['decision_id'],
      url: card?.['url'],
      options: expect.arrayContaining([expect.objectContaining({ id: 'all', credits: 10 })]) as unknown,
    });
    // A tap is a person's: the same token is refused by the route, too.
    const tap = await api.call('POST', `/v1/decisions/${card?.['decision_id']}/resolve`, {
      token: await agent({ roles: ['seller', 'approver'] }),
      body: tapOf((await api.call('GET', `/v1/decisions/${card?.['decision_id']}`)).body, 'all'),
    });
    expect(tap.body).toMatchObject({ status: 403, code: 'person_needed' });
    expect((await api.call('GET', '/v1/balances')).body).toMatchObject({ credits: { held: 0, spent: 0 } });
  });

  it('takes neither a mode nor a cap', async () => {
    const client = await connect(await agent({ roles: ['seller', 'approver', 'operator'] }));
    for (const more of [{ modo: 'automatico' }, { caps: { credits: 50 } }, { approve: true }]) {
      const refused = await client.callTool({ name: 'campana_start', arguments: { ...plan, ...more } });
      expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: 'request_invalid' } } });
    }
  });

  it('shows, pauses, resumes, shortens and cancels', async () => {
    const client = await connect(await agent());
    const { run } = await seedRun(api);
    expect(await call(client, 'campana_status', { run_id: `run:${run}` })).toMatchObject({
      run_id: run,
      progress: { state: 'ready' },
      decisions: [{ kind: 'ajustar_presupuesto' }],
    });
    expect((await call(client, 'campana_status'))['runs'].map((one: Body) => one['run_id'])).toContain(run);
    expect((await call(client, 'campana_control', { action: 'pause' }))['error']).toMatchObject({ code: 'which_run', status: 409 });
    expect(await call(client, 'campana_control', { run_id: run, action: 'pause' })).toMatchObject({ progress: { state: 'paused' } });
    expect(await call(client, 'campana_control', { run_id: run, action: 'resume' })).toMatchObject({ progress: { state: 'ready' } });
    expect(await call(client, 'campana_control', { run_id: run, action: 'replan', cuentas: 6, dry_run: true })).toMatchObject({
      dry_run: true,
      impact: { plan_version: 1 },
    });
    expect((await call(client, 'campana_control', { run_id: run, action: 'replan' }))['error']).toMatchObject({
      code: 'nothing_to_change',
    });
    expect(await call(client, 'campana_control', { run_id: run, action: 'replan', cuentas: 6 })).toMatchObject({
      progress: { plan_version: 2, counts: { total: 6 } },
    });
    expect(await call(client, 'campana_control', { run_id: run, action: 'cancel' })).toMatchObject({
      progress: { state: expect.stringMatching(/stopping|canceled/) as unknown },
    });
    expect((await call(client, 'campana_status', { run_id: 'run_none' }))['error']).toMatchObject({
      code: 'run_not_found',
      status: 404,
      detail: expect.any(String) as unknown,
    });
    const reader = await connect(await agent({ roles: [] }));
    expect((await call(reader, 'campana_control', { run_id: run, action: 'pause' }))['error']).toMatchObject({ code: 'role_missing' });
    expect((await call(reader, 'campana_start', plan))['error']).toMatchObject({ code: 'role_missing' });
  });

  it('sends progress to whoever asks for it, until there is something for a person', async () => {
    const client = await connect(await agent());
    const { run, decision } = await seedRun(api);
    const heard: Array<{ progress: number; message?: string | undefined }> = [];
    const held = call(client, 'campana_status', { run_id: run, wait_s: 20 }, { onprogress: (p) => void heard.push(p) });
    await until(() => heard.length === 1);
    await api.call('POST', `/v1/runs/${run}/pause`, { body: {} });
    expect(await held).toMatchObject({ progress: { state: 'paused' } });
    expect(heard.length).toBeGreaterThan(1);
    expect(heard.map((one) => one.progress)).toEqual([...heard.map((one) => one.progress)].sort((a, b) => a - b));
    expect(heard.at(-1)?.message).toMatch(/^Paused/);

    await api.call('POST', `/v1/runs/${run}/resume`, { body: {} });
    // Without a token nothing is sent and nobody waits.
    const since = Date.now();
    await call(client, 'campana_status', { run_id: run });
    expect(Date.now() - since).toBeLessThan(15_000);
    // A card that was open before does not end the wait; the tap on it is heard.
    const more: number[] = [];
    const enough = new AbortController();
    const tapped = call(
      client,
      'campana_status',
      { run_id: run, wait_s: 60 },
      { onprogress: (p) => void more.push(p.progress), signal: enough.signal, timeout: 90_000 },
    ).catch((error: unknown) => error);
    await until(() => more.length > 0);
    const open = (await api.call('GET', `/v1/runs/${run}/progress`)).body.decisions[0] as string;
    await api.call('POST', `/v1/decisions/${open}/resolve`, { body: tapOf((await api.call('GET', `/v1/decisions/${open}`)).body, 'all') });
    await until(() => more.length > 1);
    enough.abort();
    // It was still following.
    expect(await tapped).toBeInstanceOf(Error);
    expect(decision).toBeTruthy();
  });

  it('a call that is held ends with its client and with the server', async () => {
    const { run } = await seedRun(api);
    const client = await connect(await agent());
    // What earlier tests followed ends a moment after them.
    await until(() => api.api.hub.watching() === 0);
    let heard = 0;
    const held = call(
      client,
      'campana_status',
      { run_id: run, wait_s: 60 },
      { onprogress: () => void (heard += 1), timeout: 90_000 },
    ).catch((error: unknown) => error);
    await until(() => heard > 0 && api.api.hub.watching() === 1);
    await client.close();
    expect(await held).toBeInstanceOf(Error);
    await until(() => api.api.hub.watching() === 0);
  });
});

describe('skills as resources', () => {
  it('are those that the workspace may see, with their references', async () => {
    const client = await connect(await agent());
    const uris = (await client.listResources()).resources.map((one) => one.uri);
    expect(uris).toEqual(
      expect.arrayContaining([
        'skill://mi-receta/SKILL.md',
        'skill://mi-receta/references/notas.md',
        'skill://campana/SKILL.md',
        'skill://campana/references/pasos.md',
      ]),
    );
    expect(uris.some((uri) => uri.includes('/assets/'))).toBe(false);
    const [text] = (await client.readResource({ uri: 'skill://mi-receta/SKILL.md' })).contents;
    expect(text).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringMatching(/^---\nname: mi-receta\ndescription: [\s\S]+version: 1\.2\.0[\s\S]+# mi-receta/) as unknown,
    });
    expect(JSON.stringify(text)).not.toContain(home);
    expect((await client.readResource({ uri: 'skill://mi-receta/references/notas.md' })).contents[0]).toMatchObject({
      text: '# Notas\n\nAlgo que recordar.\n',
    });
    const stranger = await connect(await agent({ ws: 'ws_b' }));
    expect((await stranger.listResources()).resources.map((one) => one.uri)).not.toContain('skill://mi-receta/SKILL.md');
    await expect(stranger.readResource({ uri: 'skill://mi-receta/SKILL.md' })).rejects.toThrow(/No such resource/);
  });

  it('a denied one, and one whose connection is missing, are not there', async () => {
    const client = await connect(await agent());
    await api.call('PUT', '/v1/skills/mi-receta/state?scope=account', { body: { state: 'never' } });
    await api.call('PUT', '/v1/settings', { body: { ...(await api.call('GET', '/v1/settings')).body, integrations: [] } });
    const uris = (await client.listResources()).resources.map((one) => one.uri);
    expect(uris.filter((uri) => /mi-receta|con-buzon/.test(uri))).toEqual([]);
    for (const uri of [
      'skill://mi-receta/SKILL.md',
      'skill://mi-receta/references/notas.md',
      'skill://con-buzon/SKILL.md',
      'skill://nada/SKILL.md',
      'skill://campana/../mi-receta/SKILL.md',
      'skill://campana/references/%2e%2e/SKILL.md',
      'file:///etc/passwd',
    ]) {
      await expect(client.readResource({ uri })).rejects.toThrow(/No such resource/);
    }
    await api.call('PUT', '/v1/skills/mi-receta/state?scope=account', { body: { state: null } });
    expect((await client.listResources()).resources.map((one) => one.uri)).toContain('skill://mi-receta/SKILL.md');
  });
});

describe('who may come in', () => {
  it('is whoever has a token of the API, and sees their own workspace', async () => {
    for (const bearer of [
      '',
      'nonsense',
      await token({}, -10),
      await token({ ws: 'ws_a' }, 3600, (await import('jose').then((jose) => jose.generateKeyPair('EdDSA'))).privateKey),
    ])
      await expect(connect(bearer)).rejects.toThrow(/401|Unauthorized|invalid|expired/i);
    const response = await fetch(`${api.url}/mcp`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await api.call('GET', '/mcp')).status).toBe(405);
    const { run } = await seedRun(api);
    const stranger = await connect(await agent({ ws: 'ws_b' }));
    expect(await call(stranger, 'campana_status')).toEqual({ runs: [] });
    expect((await call(stranger, 'campana_status', { run_id: run }))['error']).toMatchObject({ code: 'run_not_found' });
    expect((await call(stranger, 'campana_status', { run_id: run, wait_s: 5 }))['error']).toMatchObject({ code: 'run_not_found' });
    expect((await call(stranger, 'campana_control', { run_id: run, action: 'cancel' }))['error']).toMatchObject({ code: 'run_not_found' });
    expect(await call(stranger, 'decisions_list', { run_id: run })).toEqual({ decisions: [] });
    const person = await connect(await token({ sub: 'ana' }));
    expect((await call(person, 'campana_status'))['runs'].map((one: Body) => one['run_id'])).toContain(run);
  });
});

describe('links', () => {
  it('lead to where people open the page, not to what stands between says of itself', async () => {
    const behind = await startApi({ databaseUrl: api.databaseUrl, env: { CAMPANA_PAGE_URL: 'https://campana.example.com/ventas/' } });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${behind.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${await agent()}` } },
      }),
    );
    const { decision } = await seedRun(behind);
    const { decisions } = (await call(client, 'decisions_list')) as { decisions: Body[] };
    const card = decisions.find((d) => d['decision_id'] === decision);
    expect(card?.['url']).toBe(`https://campana.example.com/ventas/decisiones/${decision}`);
    expect(card?.['api_url']).toBe(`https://campana.example.com/ventas/v1/decisions/${decision}`);
    await client.close();
    await behind.stop();
  });
});
