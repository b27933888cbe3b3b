import { request as http } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireLocal } from '../../api/login-codes.js';
import { read } from '../../db/client.js';
import { LoginCode, Session } from '../../contracts/api.js';
import { Refusal } from '../../contracts/problem.js';
import { pageLink } from '../../stack/page-link.js';
import { startApi, token, type TestApi } from './support.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** What a browser keeps of an answer. */
const jar = (headers: Headers): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
const login = (code: string, headers: Record<string, string> = {}) =>
  api.call('POST', '/v1/session', { token: null, key: null, body: { code }, headers });
const codeOf = async (bearer = api.token): Promise<LoginCode> => {
  const made = await api.call('POST', '/v1/session/codes', { token: bearer, key: null });
  expect(made.status).toBe(201);
  expect(made.headers.get('cache-control')).toBe('no-store');
  return LoginCode.parse(made.body);
};

describe('a session', () => {
  it('is a token exchanged for a cookie that no script reads and no other site sends', async () => {
    const opened = await api.call('POST', '/v1/session', { key: null });
    expect(opened.status).toBe(200);
    expect(opened.headers.get('set-cookie')).toMatch(/^campana_session=[^;]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=3\d{3}$/);
    expect(opened.headers.get('cache-control')).toBe('no-store');
    expect(Session.parse(opened.body)).toMatchObject({
      sub: 'ana',
      workspace: 'ws_a',
      roles: ['seller', 'approver', 'operator'],
      agent: false,
      language: 'es-MX',
      zone: 'America/Mexico_City',
    });
    expect(opened.text).not.toContain(api.token);
  });

  it('goes on after the page was loaded again: the same identity and the same header value for changes', async () => {
    const opened = await api.call('POST', '/v1/session', { key: null });
    const cookie = jar(opened.headers);
    const again = await api.call('GET', '/v1/session', { token: null, headers: { cookie } });
    expect(Session.parse(again.body)).toEqual(Session.parse(opened.body));
    const settings = { zone: 'America/Tijuana', language: 'en', concurrency: 5, second_approver_above: null };
    expect((await api.call('PUT', '/v1/settings', { token: null, headers: { cookie }, body: settings })).body.code).toBe('csrf_missing');
    expect(
      (await api.call('PUT', '/v1/settings', { token: null, headers: { cookie, 'x-csrf-token': again.body.csrf_token }, body: settings }))
        .status,
    ).toBe(200);
    expect(Session.parse((await api.call('GET', '/v1/session', { token: null, headers: { cookie } })).body)).toMatchObject({
      language: 'en',
      zone: 'America/Tijuana',
    });
  });

  it('ends with the cookie, and only by the page itself', async () => {
    const opened = await api.call('POST', '/v1/session', { key: null });
    const cookie = jar(opened.headers);
    expect((await api.call('DELETE', '/v1/session', { token: null, key: null, headers: { cookie } })).body.code).toBe('csrf_missing');
    const ended = await api.call('DELETE', '/v1/session', {
      token: null,
      key: null,
      headers: { cookie, 'x-csrf-token': opened.body.csrf_token },
    });
    expect(ended.status).toBe(204);
    expect(ended.headers.get('set-cookie')).toMatch(/^campana_session=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/);
    expect((await api.call('GET', '/v1/session', { token: null, headers: { cookie: jar(ended.headers) } })).body).toMatchObject({
      status: 401,
      code: 'token_missing',
    });
  });

  it('does not open with nothing, with a token that is none, or with a body that is not one', async () => {
    expect((await api.call('POST', '/v1/session', { token: null, key: null })).body).toMatchObject({ status: 401, code: 'token_missing' });
    expect((await api.call('POST', '/v1/session', { token: 'none', key: null })).body).toMatchObject({
      status: 401,
      code: 'token_invalid',
    });
    expect((await api.call('POST', '/v1/session', { token: await token({}, -60), key: null })).body).toMatchObject({
      status: 401,
      code: 'token_expired',
    });
    expect((await api.call('POST', '/v1/session', { token: null, key: null, body: { code: 7 } })).body).toMatchObject({
      status: 400,
      code: 'request_invalid',
    });
    expect(
      (await api.call('POST', '/v1/session', { token: null, key: null, body: { code: 'x'.repeat(32), token: 'y' } })).body,
    ).toMatchObject({ status: 400, code: 'request_invalid' });
  });
});

describe('a login code', () => {
  it('opens the session of whoever asked for it, once', async () => {
    const bearer = await token({ sub: 'luis', ws: 'ws_b', roles: ['seller'] });
    const { code, path, expires_at } = await codeOf(bearer);
    expect(path).toBe(`/#code=${code}`);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(600_000);
    const opened = await login(code);
    expect(Session.parse(opened.body)).toMatchObject({ sub: 'luis', workspace: 'ws_b', roles: ['seller'] });
    expect((await api.call('GET', '/v1/session', { token: null, headers: { cookie: jar(opened.headers) } })).status).toBe(200);
    expect((await login(code)).body).toMatchObject({ status: 401, code: 'login_code_invalid' });
    expect((await login('a'.repeat(32))).body).toMatchObject({ status: 401, code: 'login_code_invalid' });
  });

  it('outlives the process that made it, and of many that bring it at once to two of them one gets in', async () => {
    const first = await startApi({ databaseUrl: api.databaseUrl });
    const made = await first.call('POST', '/v1/session/codes', { key: null });
    await first.stop();
    const other = await startApi({ databaseUrl: api.databaseUrl });
    const code = made.body.code;
    const by = (to: TestApi) => to.call('POST', '/v1/session', { token: null, key: null, body: { code } });
    const statuses = (await Promise.all(Array.from({ length: 20 }, (_, n) => by(n % 2 === 0 ? api : other)))).map((r) => r.status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
    await other.stop();
  });

  it('is kept as a hash, without the token', async () => {
    const { code } = await codeOf();
    const rows = JSON.stringify(await read(api.pool).q(`select * from login_codes`));
    expect(rows).toContain('"sub":"ana"');
    expect(rows).not.toContain(code);
    expect(rows).not.toContain(api.token.split('.')[2]);
  });

  it('is worth nothing after ten minutes, nor the oldest when there are too many', async () => {
    const late = await codeOf();
    await read(api.pool).q(`update login_codes set expires_at = expires_at - interval '10 minutes'`);
    expect((await login(late.code)).body).toMatchObject({ status: 401, code: 'login_code_invalid' });
    const many: string[] = [];
    for (let n = 0; n < 101; n += 1) many.push((await codeOf()).code);
    expect((await login(many[0] ?? '')).body).toMatchObject({ status: 401, code: 'login_code_invalid' });
    expect((await login(many[1] ?? '')).status).toBe(200);
  });

  it('is made for a person with a token, and for nobody else', async () => {
    expect((await api.call('POST', '/v1/session/codes', { token: null, key: null })).body).toMatchObject({
      status: 401,
      code: 'token_missing',
    });
    expect((await api.call('POST', '/v1/session/codes', { token: await token({ typ: 'agent' }), key: null })).body).toMatchObject({
      status: 403,
      code: 'person_needed',
    });
  });

  it('is for this machine: no proxy, no other host, no other site, and never in production', async () => {
    const foreign: Array<Record<string, string>> = [
      { 'x-forwarded-for': '203.0.113.7' },
      { forwarded: 'for=203.0.113.7' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ];
    for (const headers of foreign) {
      const { code } = await codeOf();
      expect((await login(code, headers)).body, JSON.stringify(headers)).toMatchObject({ status: 403, code: 'login_codes_off' });
      // Refused before it was looked at: it still works for whom it is meant.
      expect((await login(code, { origin: api.url })).status).toBe(200);
    }
    const { code } = await codeOf();
    expect(await postAs('rebound.example', { code })).toMatchObject({ status: 403, code: 'login_codes_off' });
    const from = (remoteAddress: string) =>
      ({ headers: { host: 'localhost:7400' }, socket: { remoteAddress } }) as unknown as Parameters<typeof requireLocal>[1];
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect(() => requireLocal({ NODE_ENV: 'development' }, from(address))).not.toThrow();
    for (const address of ['10.0.0.5', '::ffff:10.0.0.5', '203.0.113.7'])
      expect(() => requireLocal({ NODE_ENV: 'development' }, from(address))).toThrow(Refusal);
    const production = await startApi({ env: { NODE_ENV: 'production', CAMPANA_CHAT: 'off' } });
    expect((await production.call('POST', '/v1/session/codes', { key: null })).body).toMatchObject({
      status: 403,
      code: 'login_codes_off',
    });
    expect((await production.call('POST', '/v1/session', { token: null, key: null, body: { code } })).body).toMatchObject({
      status: 403,
      code: 'login_codes_off',
    });
    expect((await production.call('POST', '/v1/session', { key: null })).headers.get('set-cookie')).toContain('; Secure');
    await production.stop();
  });

  it('is in no log, and neither are tokens', async () => {
    const { code } = await codeOf();
    await login(code);
    await login(code);
    const log = api.logs.join('');
    expect(log).toContain('/v1/session/codes');
    expect(log).not.toContain(code);
    expect(log).not.toContain(api.token);
  });

  it('comes as a link for the browser, or as the plain address where there is none to be had', async () => {
    const link = await pageLink(api.url, api.token);
    expect(link).toMatch(new RegExp(`^${api.url}/#code=[A-Za-z0-9_-]{32}$`));
    expect((await login(new URL(link).hash.slice('#code='.length))).status).toBe(200);
    expect(await pageLink(api.url, '')).toBe(`${api.url}/`);
    expect(await pageLink(api.url, 'none')).toBe(`${api.url}/`);
    expect(await pageLink('http://127.0.0.1:9', api.token)).toBe('http://127.0.0.1:9/');
  });
});

/** A request whose Host names another machine, as after a name was bound to this one. */
const postAs = (host: string, body: unknown): Promise<{ status: number; code: string }> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(api.url);
    const sent = http(
      { host: '127.0.0.1', port, path: '/v1/session', method: 'POST', headers: { host, 'content-type': 'application/json' } },
      (response) => {
        let text = '';
        response
          .on('data', (chunk: Buffer) => (text += chunk.toString()))
          .on('end', () => resolve(JSON.parse(text) as { status: number; code: string }));
      },
    );
    sent.on('error', reject).end(JSON.stringify(body));
  });
