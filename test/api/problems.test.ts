import { generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '../../contracts/problem.js';
import { campaign, seedRun, startApi, token, until, type Called, type TestApi } from './support.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

describe('problems', () => {
  it("have one shape, in the caller's language, with the request's id", async () => {
    const es = await api.call('GET', '/v1/runs/run_none', { headers: { 'x-request-id': 'request-0001' } });
    expect(es.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(Problem.parse(JSON.parse(es.text))).toEqual({
      type: 'urn:campana:problem:run_not_found',
      title: 'No se encontró',
      status: 404,
      detail: 'No hay ninguna campaña run_none en tu espacio.',
      instance: 'urn:campana:request:request-0001',
      code: 'run_not_found',
      params: { run_id: 'run_none' },
      retryable: false,
    });
    const en = await api.call('GET', '/v1/runs/run_none', { headers: { 'accept-language': 'en-GB,es;q=0.5' } });
    expect(en.body.title).toBe('Not found');
    expect(en.headers.get('content-language')).toBe('en');
  });

  it('say what is wrong with a request', async () => {
    const cases: Array<[number, string, Promise<Called>]> = [
      [400, 'request_invalid', api.call('POST', '/v1/runs', { body: { ...campaign, cuentas: 0 } })],
      [400, 'request_invalid', api.call('POST', '/v1/runs', { body: { ...campaign, extra: 1 } })],
      [400, 'request_invalid', api.call('GET', '/v1/runs?limit=0')],
      [400, 'body_invalid', api.call('POST', '/v1/runs', { body: '{"a":' })],
      [400, 'body_invalid', api.call('POST', '/v1/runs', { body: { ...campaign, objetivo: 'a\u0000b' } })],
      [400, 'body_invalid', api.call('POST', '/v1/runs', { body: '{"objetivo":"\\ud800"}' })],
      [400, 'body_invalid', api.call('POST', '/v1/runs', { body: '{"__proto__":{"x":1}}' })],
      [400, 'idempotency_key_invalid', api.call('POST', '/v1/runs', { body: campaign, key: 'with space' })],
      [413, 'body_too_large', api.call('POST', '/v1/runs', { body: JSON.stringify({ objetivo: 'x'.repeat(2_200_000) }) })],
      [415, 'media_type_unsupported', api.call('POST', '/v1/runs', { body: 'a=1', headers: { 'content-type': 'text/plain' } })],
      [404, 'route_not_found', api.call('GET', '/v2/none')],
      [405, 'method_not_allowed', api.call('PUT', '/v1/runs')],
      [405, 'method_not_allowed', api.call('PROPFIND', '/v1/balances')],
      [405, 'method_not_allowed', api.call('QUERY', '/v1/balances')],
      [
        400,
        'request_invalid',
        api.call('PUT', '/v1/settings', {
          body: { zone: 'America/Mexico_City', language: 'en', concurrency: 1, second_approver_above: 99_999_999_999 },
        }),
      ],
      [
        422,
        'zone_unknown',
        api.call('PUT', '/v1/settings', { body: { zone: 'Marte/Olimpo', language: 'en', concurrency: 1, second_approver_above: null } }),
      ],
      [422, 'accounts_missing', api.call('POST', '/v1/runs', { body: { ...campaign, desde: 's3' } })],
    ];
    for (const [status, code, call] of cases) {
      const { body } = await call;
      expect([body.status, body.code]).toEqual([status, code]);
      Problem.parse(body);
      expect(body.detail).toBeTruthy();
      expect(body.detail).not.toBe(code);
    }
    expect((await api.call('PUT', '/v1/runs')).headers.get('allow')).toBe('GET, POST');
  });

  it('send security headers and keep tokens and addresses out of the log', async () => {
    const { headers } = await api.call('GET', '/v1/balances');
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-request-id')).toBeTruthy();
    await api.call('GET', `/v1/events-none?token=${api.token}&who=ana@example.org`);
    const log = api.logs.join('');
    expect(log).not.toContain(api.token);
    expect(log).not.toContain('ana@example.org');
    expect(log).toContain('"route":"/v1/balances"');
  });

  it('call a database that is away what it is, and go on when it is back', async () => {
    const apart = await startApi({ proxied: true });
    const { run } = await seedRun(apart);
    await apart.proxy?.cut();
    for (const path of [`/v1/runs/${run}/progress`, `/v1/runs/${run}`, '/v1/balances']) {
      const answer = await apart.call('GET', path);
      expect(answer.body).toMatchObject({ status: 503, code: 'database_unavailable', retryable: true, retry_after_ms: 1000 });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect((await apart.call('GET', '/healthz', { token: null })).status).toBe(503);
    await apart.proxy?.heal();
    const etag = (await apart.call('GET', `/v1/runs/${run}/progress`)).headers.get('etag') ?? '';
    const waiting = apart.call('GET', `/v1/runs/${run}/progress?wait=25s`, { headers: { 'if-none-match': etag } });
    expect((await apart.call('POST', `/v1/runs/${run}/pause`)).status).toBe(202);
    expect((await waiting).status).toBe(200);
    await until(async () => (await apart.call('GET', '/metrics', { token: null })).text.includes('\ncampana_listening 1'));
    await apart.stop();
  });
  it('say that there are no connections left instead of letting everybody hang', async () => {
    const apart = await startApi({ connectMs: 500 });
    const held = await Promise.all(Array.from({ length: 8 }, () => apart.pool.connect()));
    expect((await apart.call('GET', '/v1/balances')).body).toMatchObject({ status: 503, code: 'database_unavailable' });
    for (const client of held) client.release();
    expect((await apart.call('GET', '/v1/balances')).status).toBe(200);
    await apart.stop();
  });
});

describe('who may call', () => {
  const status = async (bearer: string | null, path = '/v1/balances'): Promise<string> => {
    const { body, status: code } = await api.call('GET', path, { token: bearer });
    return `${code} ${body.code ?? ''}`.trim();
  };
  it('only with a token that we can verify, for at most twelve hours', async () => {
    const foreign = (await generateKeyPair('EdDSA')).privateKey;
    const b64 = (v: unknown): string => Buffer.from(JSON.stringify(v)).toString('base64url');
    const soon = Math.floor(Date.now() / 1000) + 600;
    expect(await status(null)).toBe('401 token_missing');
    expect(await status('nonsense')).toBe('401 token_invalid');
    expect(await status(await token({}, 3600, foreign))).toBe('401 token_invalid');
    expect(await status(`${b64({ alg: 'none' })}.${b64({ sub: 'ana', ws: 'ws_a', roles: ['approver'], exp: soon })}.`)).toBe(
      '401 token_invalid',
    );
    expect(await status(`${b64({ alg: 'HS256' })}.${b64({ sub: 'ana', ws: 'ws_a', roles: ['approver'], exp: soon })}.AAAA`)).toBe(
      '401 token_invalid',
    );
    expect(await status(await token({}, -60))).toBe('401 token_expired');
    expect(await status(await token({}, 13 * 3600))).toBe('401 token_too_long');
    expect(await status(await token({ ws: '../other' }))).toBe('401 token_invalid');
    expect(await status(await token({}, 12 * 3600))).toBe('200');
  });
  it('forgets a verified token when it expires', async () => {
    // The server allows clocks to differ when it verifies; from then on the token's own time counts.
    const short = await token({}, 1);
    expect(await status(short)).toBe('200');
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await status(short)).toBe('401 token_expired');
  });
  it('only in their role', async () => {
    const { run } = await seedRun(api);
    const none = await token({ roles: [] });
    expect((await api.call('POST', '/v1/runs', { token: none, body: campaign })).body.code).toBe('role_missing');
    expect((await api.call('POST', '/v1/runs', { token: await token({ roles: ['approver'] }), body: campaign })).body.code).toBe(
      'role_missing',
    );
    expect((await api.call('POST', `/v1/runs/${run}/pause`, { token: none })).body.code).toBe('role_missing');
    const seller = await token({ roles: ['seller'] });
    for (const path of ['/v1/ops/runs', '/v1/ops/invariants'])
      expect((await api.call('GET', path, { token: seller })).body.code).toBe('role_missing');
    expect((await api.call('POST', `/v1/ops/runs/${run}/retry-failed`, { token: seller, body: { reason: 'prueba' } })).body.code).toBe(
      'role_missing',
    );
    const ops = await api.call('GET', '/v1/ops/runs?state=ready');
    expect(ops.body.runs.find((r: { run_id: string }) => r.run_id === run)).toMatchObject({
      workflow_id: `campana/ws_a/${run}`,
      open_effects: [],
    });
    expect((await api.call('GET', '/v1/ops/runs?idle=true')).body.runs).toEqual([]);
  });
  it('does not let an approver lift the need for a second one', async () => {
    const body = { zone: 'America/Monterrey', language: 'es-MX', concurrency: 5, second_approver_above: 10 };
    expect((await api.call('PUT', '/v1/settings', { token: await token({ roles: ['approver'] }), body })).body.code).toBe('role_missing');
    expect((await api.call('PUT', '/v1/settings', { body })).body).toMatchObject(body);
    expect(
      (await api.call('PUT', '/v1/settings', { token: await token({ roles: ['approver'] }), body: { ...body, concurrency: 6 } })).status,
    ).toBe(200);
    expect((await api.call('GET', '/v1/settings')).body).toMatchObject({ ...body, concurrency: 6 });
  });
});

describe('sessions of a page', () => {
  it('work by cookie, and change things only with the CSRF header', async () => {
    const made = await api.call('POST', '/v1/session', { key: null });
    const set = made.headers.get('set-cookie') ?? '';
    expect(set).toMatch(/^campana_session=.+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    const cookie = set.split(';', 1)[0] ?? '';
    const by = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
      api.call(method, path, { token: null, headers: { cookie, ...headers }, ...(body ? { body } : {}) });
    expect((await by('GET', '/v1/session')).body).toMatchObject({ sub: 'ana', workspace: 'ws_a', csrf_token: made.body.csrf_token });
    expect((await by('POST', '/v1/runs', {}, campaign)).body.code).toBe('csrf_missing');
    expect((await by('POST', '/v1/runs', { 'x-csrf-token': 'x' }, campaign)).body.code).toBe('csrf_missing');
    expect((await by('POST', '/v1/runs', { 'x-csrf-token': made.body.csrf_token }, campaign)).status).toBe(202);
    const ended = await by('DELETE', '/v1/session', { 'x-csrf-token': made.body.csrf_token });
    expect([ended.status, ended.headers.get('set-cookie')]).toEqual([
      204,
      'campana_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    ]);
  });
});

describe('suppressions', () => {
  it('are kept as hashes only, once each, and can be taken off', async () => {
    const entries = [
      { kind: 'email', value: 'Persona@example.org' },
      { kind: 'domain', value: 'example.org' },
    ];
    const first = await api.call('POST', '/v1/suppressions', { body: { entries } });
    expect(first.status).toBe(201);
    const again = await api.call('POST', '/v1/suppressions', { body: { entries: [{ kind: 'email', value: ' persona@EXAMPLE.org' }] } });
    expect(again.body.suppressions[0]?.id).toBe(first.body.suppressions.find((s) => s.kind === 'email')?.id);
    // One request with the same address in two spellings.
    const twice = await api.call('POST', '/v1/suppressions', {
      body: {
        entries: [
          { kind: 'email', value: 'persona@example.org' },
          { kind: 'email', value: 'PERSONA@example.org ' },
        ],
      },
    });
    expect([twice.status, twice.body.suppressions.length]).toEqual([201, 1]);
    expect((await api.call('POST', '/v1/suppressions', { body: { entries: [{ kind: 'rfc', value: '   ' }] } })).status).toBe(400);
    const list = await api.call('GET', '/v1/suppressions');
    expect(list.body.suppressions).toHaveLength(2);
    const dump = (
      await api.pool.query(
        `select (select json_agg(s) from suppressions s)::text || (select json_agg(k) from idempotency_keys k)::text || (select json_agg(a) from audit a)::text as all`,
      )
    ).rows[0].all as string;
    expect(dump.toLowerCase()).not.toContain('example.org');
    const id = list.body.suppressions[0]?.id ?? '';
    expect((await api.call('DELETE', `/v1/suppressions/${id}`, { key: 'del' })).status).toBe(204);
    expect((await api.call('DELETE', `/v1/suppressions/${id}`, { key: 'del' })).status).toBe(204);
    expect((await api.call('DELETE', `/v1/suppressions/${id}`)).body.code).toBe('suppression_not_found');
  });
});
