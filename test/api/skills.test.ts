import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SkillDetail, SkillList, SkillStateSet, SkillSummary, SkillUsage } from '../../contracts/skills.js';
import { transaction } from '../../db/client.js';
import { addUsage } from '../../db/skills.js';
import { campaign, seedRun, startApi, tapOf, token, type Called, type TestApi } from './support.js';

const skill = (name: string, metadata: Record<string, string> = {}): string => `---
name: ${name}
description: >-
  Sirve para probar ${name}. Úsala cuando pruebes; no la uses para otra cosa.
metadata:
${Object.entries({ version: '1.2.0', reasoning: 'bajo', cierra_con: 'lista', costo: 'gratis', ...metadata })
  .map(([k, v]) => `  ${k}: "${v}"`)
  .join('\n')}
---

# ${name}

## Pasos

1. Lee el tablero con \`board_read\`. Con cero filas, dilo.
`;

let api: TestApi;
let home: string;
const put = async (workspace: string, path: string, text: string): Promise<void> => {
  const file = join(home, workspace, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
};
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'campana-skills-'));
  await put('ws_a', 'mercado/mi-receta/SKILL.md', skill('mi-receta', { costo: 'externo', siguiente: 'con-buzon' }));
  await put('ws_a', 'mercado/mi-receta/references/notas.md', '# Notas\n\nAlgo que recordar.\n');
  await put('ws_a', 'con-buzon/SKILL.md', skill('con-buzon', { integrations: 'buzon', capabilities: 'correo' }));
  await put('ws_a', 'rota/SKILL.md', '---\nname: rota\ndescription: [sin cerrar\n---\n');
  await put('ws_b', 'solo-de-b/SKILL.md', skill('solo-de-b'));
  // As an installation leaves it; what it does not name is left out.
  const own = (path: string): object => ({
    source: '/mis-recetas',
    resolved: 'a'.repeat(64),
    trust: 'propia',
    version: '1.2.0',
    digest: 'a'.repeat(64),
    path,
    installed_at: '2026-01-01T00:00:00.000Z',
  });
  await put(
    'ws_a',
    'skills.lock.json',
    JSON.stringify({ version: 1, skills: { 'mi-receta': own('mercado/mi-receta'), 'con-buzon': own('con-buzon') } }),
  );
  await put('ws_b', 'skills.lock.json', JSON.stringify({ version: 1, skills: { 'solo-de-b': own('solo-de-b') } }));
  await put('ws_c', 'skills.lock.json', JSON.stringify({ version: 1, skills: { una: own('una') } }));
  api = await startApi({ env: { CAMPANA_SKILLS_HOME: home } });
});
afterAll(async () => {
  await api.stop();
  await rm(home, { recursive: true });
});

const list = async (query = '', options: { token?: string } = {}): Promise<SkillList> =>
  (await api.call('GET', `/v1/skills${query}`, options)).body as unknown as SkillList;
const one = async (name: string, query = '', options: { token?: string } = {}): Promise<SkillSummary | undefined> =>
  (await list(query, options)).skills.find((s) => s.name === name);
const say = (
  name: string,
  at: string,
  state: string | null,
  options: { token?: string; key?: string; reason?: string } = {},
): Promise<Called> =>
  api.call('PUT', `/v1/skills/${name}/state?${at}`, { ...options, body: { state, ...(options.reason ? { reason: options.reason } : {}) } });
const seller = () => token({ roles: ['seller'], sub: 'beto' });
const agent = () => token({ typ: 'agent' });

describe('the list', () => {
  it("has a workspace's own skills with what they are, and never another's", async () => {
    expect(await one('mi-receta')).toMatchObject({
      version: '1.2.0',
      category: 'mercado',
      costo: 'externo',
      cierra_con: 'lista',
      siguiente: ['con-buzon'],
      trust: 'propia',
      state: { value: 'available', from: 'default', denied: false },
      hidden_because: null,
      usage: { viewed: 0, used: 0, helped: 0, omitted: 0, last_at: null },
    });
    expect((await one('mi-receta'))?.digest).toMatch(/^[0-9a-f]{64}$/);
    const names = (await list()).skills.map((s) => s.name);
    expect(names).toEqual([...names].sort());
    expect(names).not.toContain('solo-de-b');
    expect((await list('', { token: await token({ ws: 'ws_b' }) })).skills.map((s) => s.name)).toContain('solo-de-b');
    expect((await api.call('GET', '/v1/skills/solo-de-b')).body).toMatchObject({ status: 404, code: 'skill_not_found' });
  });

  it('says what is wrong with a file instead of dropping it in silence', async () => {
    expect((await list()).problems).toContainEqual(
      expect.objectContaining({ severity: 'error', path: expect.stringContaining('rota/SKILL.md') as unknown }),
    );
  });

  it('sees a file that was changed', async () => {
    await put('ws_c', 'una/SKILL.md', skill('una'));
    const as = await token({ ws: 'ws_c' });
    const before = await one('una', '', { token: as });
    // Of another length: some file systems' clocks go by steps of milliseconds.
    await put('ws_c', 'una/SKILL.md', skill('una', { version: '2.10.10' }));
    const after = await one('una', '', { token: as });
    expect([before?.version, after?.version]).toEqual(['1.2.0', '2.10.10']);
    expect(after?.digest).not.toBe(before?.digest);
  });

  it('hides what lacks a connection or a capability, with the reason, once somebody has said what there is', async () => {
    const settings = {
      zone: 'America/Mexico_City',
      language: 'es-MX',
      concurrency: 10,
      second_approver_above: null,
      calls_per_second: null,
    };
    expect((await one('con-buzon'))?.hidden_because).toBeNull();
    const set = (extra: object, as?: string): Promise<Called> =>
      api.call('PUT', '/v1/settings', { body: { ...settings, ...extra }, ...(as ? { token: as } : {}) });
    expect((await set({ integrations: [], capabilities: [] })).body).toMatchObject({ integrations: [], capabilities: [] });
    expect((await one('con-buzon'))?.hidden_because).toEqual({
      code: 'skill_needs_integration',
      params: { skill: 'con-buzon', missing: 'buzon' },
    });
    // A person may read what it would do; a program is not told of it.
    expect((await api.call('GET', '/v1/skills/con-buzon')).status).toBe(200);
    expect((await api.call('GET', '/v1/skills/con-buzon', { token: await agent() })).body).toMatchObject({
      status: 403,
      code: 'skill_needs_integration',
    });
    expect(await one('con-buzon', '', { token: await agent() })).toBeUndefined();
    const approver = await token({ roles: ['approver'] });
    expect((await set({ integrations: ['buzon'] }, approver)).body).toMatchObject({ integrations: ['buzon'], capabilities: [] });
    expect((await one('con-buzon'))?.hidden_because).toEqual({
      code: 'skill_needs_capability',
      params: { skill: 'con-buzon', missing: 'correo' },
    });
    expect((await set({ capabilities: ['correo'] }, approver)).body).toMatchObject({ status: 403, code: 'role_missing' });
    // A client that does not know of them leaves them as they are.
    expect((await set({})).body).toMatchObject({ integrations: ['buzon'], capabilities: [] });
    await set({ integrations: null, capabilities: null });
    expect((await one('con-buzon'))?.hidden_because).toBeNull();
  });
});

describe('one skill', () => {
  it('comes with its text and the names of what can be read beside it', async () => {
    const detail = (await api.call('GET', '/v1/skills/mi-receta')).body as unknown as SkillDetail;
    expect(detail.body).toContain('## Pasos');
    expect(detail.body).not.toContain('description:');
    expect(detail.references).toEqual([expect.objectContaining({ name: 'references/notas.md', readable: true })]);
    for (const name of ['..', '%2e%2e%2fetc', 'a%00b', 'mi-receta.md', '-x', 'á'])
      expect([400, 404]).toContain((await api.call('GET', `/v1/skills/${name}`)).status);
    expect((await api.call('GET', '/v1/skills/no-hay')).body).toMatchObject({
      status: 404,
      code: 'skill_not_found',
      detail: expect.stringContaining('no-hay') as unknown,
    });
  });
});

describe('what is said about a skill', () => {
  it('counts narrowest first, but a deny holds wherever it was said', async () => {
    const narrow = async (query: string) => (await one('mi-receta', query))?.state;
    expect((await say('mi-receta', 'scope=thread&scope_id=t1', 'always')).body).toMatchObject({
      scope: 'thread',
      scope_id: 't1',
      state: 'always',
      effective: { value: 'always', from: 'thread', denied: false },
    });
    await say('mi-receta', 'scope=profile&scope_id=p1', 'available');
    expect(await narrow('')).toEqual({ value: 'available', from: 'default', denied: false });
    expect(await narrow('?thread=t1&profile=p1')).toEqual({ value: 'always', from: 'thread', denied: false });
    expect(await narrow('?thread=t2&profile=p1')).toEqual({ value: 'available', from: 'profile', denied: false });
    await say('mi-receta', 'scope=profile&scope_id=p1', 'never');
    expect(await narrow('?thread=t1&profile=p1')).toEqual({ value: 'never', from: 'profile', denied: true });
    expect((await one('mi-receta', '?profile=p1'))?.hidden_because).toEqual({
      code: 'skill_denied',
      params: { skill: 'mi-receta', scope: 'profile' },
    });
    // Somebody else's thread is not concerned.
    expect(await narrow('?thread=t1&profile=p2')).toMatchObject({ value: 'always' });
    await say('mi-receta', 'scope=account', 'never', { reason: 'la revisamos' });
    expect((await say('mi-receta', 'scope=turn&scope_id=u1', 'always')).body).toMatchObject({
      state: 'always',
      effective: { value: 'never', from: 'account', denied: true },
    });
    const refused = await api.call('GET', '/v1/skills/mi-receta?turn=u1');
    expect(refused.body).toMatchObject({
      status: 403,
      code: 'skill_denied',
      params: { skill: 'mi-receta', scope: 'account' },
      detail: expect.stringContaining('quien aprueba') as unknown,
    });
    expect((await api.call('GET', '/v1/skills/mi-receta', { headers: { 'accept-language': 'en' } })).body.detail).toContain(
      'an approver or an operator',
    );
    expect(await one('mi-receta', '', { token: await agent() })).toBeUndefined();
    expect(await one('mi-receta', '', { token: await token({ ws: 'ws_b' }) })).toBeUndefined();
    expect((await say('mi-receta', 'scope=account', null)).body).toMatchObject({
      state: null,
      effective: { value: 'available', from: 'default', denied: false },
    });
    expect((await api.call('GET', '/v1/skills/mi-receta')).status).toBe(200);
    const { rows } = await api.pool.query<{ detail: Record<string, unknown>; reason: string | null }>(
      `select actor, channel, reason, detail from audit where workspace_id = 'ws_a' and action = 'skill.state' and detail ->> 'scope' = 'account' order by id`,
    );
    expect(rows).toEqual([
      {
        actor: 'ana',
        channel: 'api',
        reason: 'la revisamos',
        detail: { skill: 'mi-receta', scope: 'account', scope_id: 'ws_a', before: null, after: 'never' },
      },
      {
        actor: 'ana',
        channel: 'api',
        reason: null,
        detail: { skill: 'mi-receta', scope: 'account', scope_id: 'ws_a', before: 'never', after: null },
      },
    ]);
  });

  it('may be said by sellers for less than the account, and never by a program', async () => {
    expect((await say('mi-receta', 'scope=account', 'always', { token: await seller() })).body).toMatchObject({
      status: 403,
      code: 'role_missing',
    });
    expect((await say('mi-receta', 'scope=account', null, { token: await seller() })).body).toMatchObject({
      status: 403,
      code: 'role_missing',
    });
    expect((await say('mi-receta', 'scope=thread&scope_id=t9', 'always', { token: await seller() })).status).toBe(200);
    for (const state of ['always', 'available', 'never', null])
      expect((await say('mi-receta', 'scope=thread&scope_id=t9', state, { token: await agent() })).body).toMatchObject({
        status: 403,
        code: 'person_needed',
      });
    for (const role of ['approver', 'operator'])
      expect((await say('mi-receta', 'scope=account', null, { token: await token({ roles: [role] }) })).status).toBe(200);
    expect((await say('mi-receta', 'scope=thread&scope_id=t9', 'never', { token: await token({ roles: [] }) })).body).toMatchObject({
      status: 403,
      code: 'role_missing',
    });
  });

  it('needs a scope with its id, a skill that is there, and a key', async () => {
    expect((await say('mi-receta', 'scope=thread', 'never')).body).toMatchObject({ status: 400, code: 'scope_id_missing' });
    for (const at of ['', 'scope=planet&scope_id=x', 'scope=thread&scope_id=', `scope=turn&scope_id=${'x'.repeat(201)}`])
      expect((await say('mi-receta', at, 'never')).body).toMatchObject({ status: 400, code: 'request_invalid' });
    expect((await say('mi-receta', 'scope=account&scope_id=ws_b', 'never')).body).toMatchObject({ status: 404, code: 'scope_not_found' });
    expect((await say('mi-receta', 'scope=account&scope_id=ws_a', 'available')).status).toBe(200);
    expect((await say('no-hay', 'scope=account', 'never')).body).toMatchObject({ status: 404, code: 'skill_not_found' });
    expect((await say('solo-de-b', 'scope=account', 'never')).body).toMatchObject({ status: 404, code: 'skill_not_found' });
    expect((await say('no-hay', 'scope=account', null)).status).toBe(200);
    expect((await say('mi-receta', 'scope=account', 'sometimes')).status).toBe(400);
    expect((await api.call('PUT', '/v1/skills/mi-receta/state?scope=account', { body: { state: 'never' }, key: null })).body.code).toBe(
      'idempotency_key_missing',
    );
    const first = await say('mi-receta', 'scope=account', 'always', { key: 'one' });
    expect((await say('mi-receta', 'scope=account', 'always', { key: 'one' })).body).toEqual(first.body);
    expect((await say('mi-receta', 'scope=account', 'never', { key: 'one' })).body).toMatchObject({ status: 422, code: 'key_reused' });
    expect((await say('mi-receta', 'scope=thread&scope_id=t1', 'always', { key: 'one' })).body).toMatchObject({
      status: 422,
      code: 'key_reused',
    });
    expect((first.body as unknown as SkillStateSet).effective).toEqual({ value: 'always', from: 'account', denied: false });
    await say('mi-receta', 'scope=account', null);
  });
});

describe('a campaign whose skill is denied', () => {
  it('is neither made nor started, for operators and programs alike, and starts once it is set back', async () => {
    const as = { token: await token({ ws: 'ws_d' }) };
    const { run, decision } = await seedRun(api, 'ws_d');
    const card = (await api.call('GET', `/v1/decisions/${decision}`, as)).body;
    expect((await say('armar-secuencia', 'scope=account', 'never', as)).status).toBe(200);
    for (const who of [as.token, await token({ ws: 'ws_d', roles: ['seller'] }), await token({ ws: 'ws_d', typ: 'agent' })]) {
      expect((await api.call('POST', '/v1/runs', { token: who, body: campaign })).body).toMatchObject({
        status: 403,
        code: 'skill_denied',
        params: { skill: 'armar-secuencia', scope: 'account' },
      });
      expect((await api.call('POST', '/v1/runs?dry_run=true', { token: who, body: campaign, key: null })).body).toMatchObject({
        status: 403,
        code: 'skill_denied',
      });
    }
    expect(
      (await api.call('POST', `/v1/decisions/${decision}/resolve`, { ...as, key: 'tap', body: tapOf(card, 'all') })).body,
    ).toMatchObject({ status: 403, code: 'skill_denied', detail: expect.stringContaining('armar-secuencia') as unknown });
    expect((await api.call('GET', `/v1/decisions/${decision}`, as)).body).toEqual(card);
    expect((await api.call('GET', `/v1/runs/${run}/progress`, as)).body).toMatchObject({ state: 'ready', decisions: [decision] });
    await say('armar-secuencia', 'scope=account', null, as);
    // The same key, since a refusal is not an answer.
    expect(
      (await api.call('POST', `/v1/decisions/${decision}/resolve`, { ...as, key: 'tap', body: tapOf(card, 'all') })).body,
    ).toMatchObject({ state: 'approved' });
    // Now it runs: a deny of the step at work pauses it.
    await api.pool.query(`update run_progress set body = jsonb_set(body, '{pasos,1,status}', '"running"') where run_id = $1`, [run]);
    await say('buscar-empresas-y-proveedores', 'scope=account', 'never', as);
    expect((await api.call('GET', `/v1/runs/${run}/progress`, as)).body).toMatchObject({
      state: 'paused',
      reason: { code: 'skill_denied', params: { skill: 'buscar-empresas-y-proveedores', scope: 'account' } },
    });
  });
});

describe('usage', () => {
  it('says how often, since when, per version, and what is stale', async () => {
    await transaction(api.pool, (tx) =>
      addUsage(
        tx,
        'ws_a',
        [
          { skill: 'mi-receta', version: '1.0.0', viewed: 2, used: 1 },
          { skill: 'mi-receta', version: '1.2.0', viewed: 1, helped: 1 },
          { skill: 'ya-no-esta', version: '1.0.0', used: 4 },
        ],
        ['mi-receta', 'ya-no-esta'],
      ),
    );
    expect((await one('mi-receta'))?.usage).toMatchObject({
      viewed: 3,
      used: 1,
      helped: 1,
      omitted: 0,
      last_at: expect.any(String) as unknown,
    });
    const usage = (await api.call('GET', '/v1/skills/usage')).body as unknown as SkillUsage;
    expect(usage.stale_after_days).toBe(60);
    expect(usage.together).toEqual([{ a: 'mi-receta', b: 'ya-no-esta', times: 1 }]);
    const of = (name: string) => usage.skills.find((s) => s.skill === name);
    expect(of('mi-receta')).toMatchObject({
      viewed: 3,
      in_library: true,
      stale: null,
      versions: [
        { version: '1.0.0', viewed: 2 },
        { version: '1.2.0', viewed: 1 },
      ],
    });
    expect(of('con-buzon')).toMatchObject({
      viewed: 0,
      first_at: null,
      last_at: null,
      in_library: true,
      stale: 'never_viewed',
      versions: [],
    });
    expect(of('ya-no-esta')).toMatchObject({ used: 4, in_library: false, stale: null });
    await api.pool.query(`update skill_usage set last_at = now() - interval '8 days' where workspace_id = 'ws_a'`);
    expect(
      ((await api.call('GET', '/v1/skills/usage?stale_after_days=7')).body as unknown as SkillUsage).skills.find(
        (s) => s.skill === 'mi-receta',
      )?.stale,
    ).toBe('not_viewed_lately');
    expect((await api.call('GET', '/v1/skills/usage?stale_after_days=0')).status).toBe(400);
    expect(
      ((await api.call('GET', '/v1/skills/usage', { token: await token({ ws: 'ws_b' }) })).body as unknown as SkillUsage).together,
    ).toEqual([]);
  });
});
