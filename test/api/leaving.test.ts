import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { read } from '../../db/client.js';
import { forgetOld } from '../../db/maintenance.js';
import { listen } from './sse-client.js';
import { seedRun, startApi, tapOf, token, until, type TestApi } from './support.js';

/** Two processes of the API over one database. */
let here: TestApi;
let there: TestApi;
beforeAll(async () => {
  here = await startApi();
  there = await startApi({ databaseUrl: here.databaseUrl });
});
afterAll(async () => {
  await there.stop();
  await here.stop();
});

interface Browser {
  cookie: string;
  csrf: string;
  call(at: TestApi, method: string, path: string, body?: unknown): ReturnType<TestApi['call']>;
}
const browser = async (bearer = here.token): Promise<Browser> => {
  const opened = await here.call('POST', '/v1/session', { token: bearer, key: null });
  expect(opened.status).toBe(200);
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const csrf = opened.body.csrf_token;
  return {
    cookie,
    csrf,
    call: (at, method, path, body) =>
      at.call(method, path, { token: null, headers: { cookie, 'x-csrf-token': csrf }, ...(body === undefined ? {} : { body }) }),
  };
};
const ENDED = { status: 401, code: 'session_ended' };
/** A token says no more than its second: one that is issued in a later one. */
const nextSecond = async (): Promise<void> => {
  const now = Math.floor(Date.now() / 1000);
  await until(() => Math.floor(Date.now() / 1000) > now);
};

describe('leaving the page', () => {
  it('ends its session in every process, whoever kept the cookie, and nothing else', async () => {
    const one = await browser();
    const other = await browser();
    for (const at of [here, there]) expect((await one.call(at, 'GET', '/v1/session')).status).toBe(200);
    expect((await one.call(here, 'DELETE', '/v1/session')).status).toBe(204);
    expect((await one.call(here, 'GET', '/v1/session')).body).toMatchObject(ENDED);
    await until(async () => (await one.call(there, 'GET', '/v1/session')).body.code === 'session_ended');
    expect((await one.call(there, 'DELETE', '/v1/session')).body).toMatchObject(ENDED);
    // The command's token and the session of another device go on.
    for (const at of [here, there]) {
      expect((await at.call('GET', '/v1/session')).status).toBe(200);
      expect((await other.call(at, 'GET', '/v1/session')).status).toBe(200);
    }
  });

  it('leaves a cookie of which nothing can be made: it holds no token and is none', async () => {
    const { cookie } = await browser();
    const value = cookie.slice(cookie.indexOf('=') + 1);
    expect(value).toMatch(/^[\w-]{43}$/);
    expect((await here.call('GET', '/v1/session', { token: value })).body).toMatchObject({ status: 401, code: 'token_invalid' });
    expect(
      (await here.call('GET', '/v1/session', { token: null, headers: { cookie: `campana_session=${here.token}` } })).body,
    ).toMatchObject(ENDED);
    expect(
      (await here.call('GET', '/v1/session', { token: null, headers: { cookie: `campana_session=${'x'.repeat(43)}` } })).body,
    ).toMatchObject(ENDED);
    const rows = JSON.stringify(await read(here.pool).q(`select * from page_sessions`));
    expect(rows).not.toContain(value);
    expect(rows).not.toContain(here.token.split('.')[2]);
  });

  it('makes a tap with the session spend nothing, also in a process that was not told', async () => {
    const mine = await browser();
    const { run, decision } = await seedRun(here);
    const card = (await mine.call(there, 'GET', `/v1/decisions/${decision}?full=true`)).body;
    // As if the notification had not arrived there yet.
    await read(here.pool).q(`update page_sessions set ended_at = now() where sub = 'ana' and ended_at is null`);
    expect((await mine.call(there, 'GET', '/v1/session')).status).toBe(200);
    expect((await mine.call(there, 'POST', `/v1/decisions/${decision}/resolve`, tapOf(card, 'all'))).body).toMatchObject(ENDED);
    expect(
      await read(here.pool).q(
        `select d.state, (select count(*) from holds h where h.run_id = d.run_id) as holds from decisions d where id = $1`,
        [decision],
      ),
    ).toEqual([{ state: 'open', holds: 0 }]);
    expect((await here.call('GET', `/v1/runs/${run}`)).status).toBe(200);
  });

  it('ends streams and waits that were opened with it, in the other process too', async () => {
    const mine = await browser();
    const { run } = await seedRun(here);
    const kept = await listen(there, '/v1/events');
    const streams = await Promise.all([here, there].map((at) => fetch(`${at.url}/v1/events`, { headers: { cookie: mine.cookie } })));
    expect(streams.map((one) => one.status)).toEqual([200, 200]);
    const { version } = (await mine.call(there, 'GET', `/v1/runs/${run}/progress`)).body;
    const waits = [here, there].map((at) =>
      at.call('GET', `/v1/runs/${run}/progress?wait=25s`, {
        token: null,
        headers: { cookie: mine.cookie, 'if-none-match': `W/"${version}-es-MX"` },
      }),
    );
    await until(() => here.api.hub.watching() === 1 && there.api.hub.watching() === 1);
    const since = performance.now();
    expect((await mine.call(here, 'DELETE', '/v1/session')).status).toBe(204);
    await Promise.all(streams.map((one) => one.text()));
    for (const waited of await Promise.all(waits)) expect(waited.body).toMatchObject(ENDED);
    // Long before the 25 s for which they would have waited.
    expect(performance.now() - since).toBeLessThan(20_000);
    // One that was opened with the token is not the page's.
    let over = false;
    void kept.over.then(() => (over = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(over).toBe(false);
    kept.hang();
  });
});

describe('leaving everywhere', () => {
  it('ends every session, code and token that was issued until now, programs’ too, and nobody else’s', async () => {
    const bearer = await token({ sub: 'eva' });
    const program = await token({ sub: 'eva', typ: 'agent' });
    const others = [await token({ sub: 'eva', ws: 'ws_b' }), await token({ sub: 'luis' })];
    const pages = [await browser(bearer), await browser(bearer)] as const;
    const { code } = (await here.call('POST', '/v1/session/codes', { token: bearer, key: null })).body;
    const heard = await listen(there, '/v1/events', { token: bearer });
    for (const held of [bearer, program]) expect((await there.call('GET', '/v1/session', { token: held })).status).toBe(200);
    expect((await here.call('DELETE', '/v1/sessions', { token: program, key: null })).body).toMatchObject({
      status: 403,
      code: 'person_needed',
    });

    const left = await pages[0].call(here, 'DELETE', '/v1/sessions');
    expect([left.status, left.headers.get('set-cookie')]).toEqual([204, 'campana_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0']);
    await heard.over;
    for (const at of [here, there]) {
      for (const held of [bearer, program]) expect((await at.call('GET', '/v1/session', { token: held })).body).toMatchObject(ENDED);
      for (const page of pages) expect((await page.call(at, 'GET', '/v1/session')).body).toMatchObject(ENDED);
      for (const held of others) expect((await at.call('GET', '/v1/session', { token: held })).status).toBe(200);
      expect((await at.call('POST', '/v1/session', { token: bearer, key: null })).body).toMatchObject(ENDED);
    }
    expect((await here.call('POST', '/v1/session', { token: null, key: null, body: { code } })).body.code).toBe('login_code_invalid');
    // A process that began afterwards knows it as well.
    const later = await startApi({ databaseUrl: here.databaseUrl });
    expect((await later.call('GET', '/v1/session', { token: bearer })).body).toMatchObject(ENDED);
    await later.stop();

    await nextSecond();
    const fresh = await token({ sub: 'eva' });
    const again = await browser(fresh);
    for (const at of [here, there]) expect((await again.call(at, 'GET', '/v1/session')).status).toBe(200);
  });

  it('ends a token that does not say when it was issued, and takes none from the future, which would outlive it', async () => {
    const silent = await token({ sub: 'pia' }, 3600, undefined, null);
    const future = await token({ sub: 'pia' }, 3600, undefined, Math.floor(Date.now() / 1000) + 600);
    expect((await here.call('GET', '/v1/session', { token: future })).body).toMatchObject({ status: 401, code: 'token_invalid' });
    expect((await there.call('GET', '/v1/session', { token: silent })).status).toBe(200);
    expect((await here.call('DELETE', '/v1/sessions', { token: await token({ sub: 'pia' }), key: null })).status).toBe(204);
    await until(async () => (await there.call('GET', '/v1/session', { token: silent })).body.code === 'session_ended');
  });
});

describe('an issuer whose clock is ahead', () => {
  const ahead = (sub: string): Promise<string> => token({ sub }, 3600, undefined, Math.floor(Date.now() / 1000) + 25);

  it('gives no session that outlives that its person left everywhere', async () => {
    const bearer = await ahead('rita');
    const page = await browser(bearer);
    expect((await page.call(there, 'GET', '/v1/session')).status).toBe(200);
    // Left with another token, which says the time as it is.
    expect((await here.call('DELETE', '/v1/sessions', { token: await token({ sub: 'rita' }), key: null })).status).toBe(204);
    for (const at of [here, there]) await until(async () => (await page.call(at, 'GET', '/v1/session')).body.code === 'session_ended');
  });

  it('gives no token that goes on after it was used to leave everywhere', async () => {
    const bearer = await ahead('rosa');
    expect((await here.call('DELETE', '/v1/sessions', { token: bearer, key: null })).status).toBe(204);
    for (const at of [here, there])
      await until(async () => (await at.call('GET', '/v1/session', { token: bearer })).body.code === 'session_ended');
  });
});

describe('what was ended while nobody listened', () => {
  it('is known again at once: the database is asked while notifications do not arrive, and nobody is let in when it cannot be', async () => {
    const cut = await startApi({ databaseUrl: here.databaseUrl, proxied: true });
    const mine = await browser();
    expect((await mine.call(cut, 'GET', '/v1/session')).status).toBe(200);
    await cut.proxy?.cut();
    expect((await mine.call(here, 'DELETE', '/v1/session')).status).toBe(204);
    await until(() => !cut.api.hub.connected());
    await until(async () => (await mine.call(cut, 'GET', '/v1/skills')).status === 503);
    await cut.proxy?.heal();
    await until(async () => (await mine.call(cut, 'GET', '/v1/skills')).body.code === 'session_ended');
    await cut.stop();
  });
});

describe('maintenance', () => {
  it('forgets what has expired, and keeps what was ended until then', async () => {
    const mine = await browser(await token({ sub: 'old' }));
    await mine.call(here, 'DELETE', '/v1/session');
    const open = () => read(here.pool).q(`select 1 from page_sessions where sub = 'old'`);
    await forgetOld(here.pool);
    expect(await open()).toHaveLength(1);
    await read(here.pool).q(`update page_sessions set expires_at = now() - interval '1 second' where sub = 'old'`);
    await read(here.pool).q(`insert into left_everywhere values ('ws_a', 'old', now() - interval '13 hours', now() - interval '1 second')`);
    await forgetOld(here.pool);
    expect(await open()).toHaveLength(0);
    expect(await read(here.pool).q(`select 1 from left_everywhere where sub = 'old'`)).toHaveLength(0);
  });

  it('is not needed for somebody who opens sessions in a loop: the oldest goes', async () => {
    const bearer = await token({ sub: 'loop' });
    const first = await browser(bearer);
    // Known there before it goes.
    expect((await first.call(there, 'GET', '/v1/session')).status).toBe(200);
    for (let n = 0; n < 200; n += 1) await browser(bearer);
    expect(await read(here.pool).q(`select count(*) as n from page_sessions where sub = 'loop' and ended_at is null`)).toEqual([
      { n: 200 },
    ]);
    for (const at of [here, there]) await until(async () => (await first.call(at, 'GET', '/v1/session')).body.code === 'session_ended');
  });
});
