import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listedOrigins } from '../../api/cors.js';
import { launchChromium } from '../browser/chromium.js';
import { seedRun, startApi, type TestApi } from './support.js';

const LISTED = 'https://app.example.com';
const OTHER = 'https://other.example.com';

describe('front ends of other origins', () => {
  let api: TestApi;
  let run: string;
  let site: Server;
  let ours: string;
  let theirs: string;
  beforeAll(async () => {
    // Two names of one page: one of them is listed.
    site = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>another front end</title>'),
    );
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const { port } = site.address() as AddressInfo;
    ours = `http://127.0.0.1:${port}`;
    theirs = `http://localhost:${port}`;
    api = await startApi({ env: { CAMPANA_ORIGINS: `${LISTED}, ${ours}` } });
    ({ run } = await seedRun(api));
  });
  afterAll(async () => {
    await api.stop();
    await new Promise((resolve) => site.close(resolve));
  });
  const get = (path: string, origin?: string, headers: Record<string, string> = {}) =>
    api.call('GET', path, { headers: { ...(origin === undefined ? {} : { origin }), ...headers } });
  const preflight = (path: string, origin: string, method = 'GET') =>
    fetch(`${api.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization,if-none-match' },
    });
  const corsOf = (headers: Headers): Record<string, string> =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

  it('a listed one may read progress, runs and balances, with its validators and times, also when nothing changed and when it is refused', async () => {
    const seen = {
      'access-control-allow-origin': LISTED,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'ETag, Date, Retry-After, X-Request-Id',
    };
    for (const path of [`/v1/runs/${run}/progress`, '/v1/runs', `/v1/runs/${run}`, '/v1/balances']) {
      const answer = await get(path, LISTED);
      expect([answer.status, corsOf(answer.headers)]).toEqual([200, seen]);
      expect(answer.headers.get('vary')).toContain('Origin');
    }
    const etag = (await get(`/v1/runs/${run}/progress`, LISTED)).headers.get('etag') ?? '';
    const same = await get(`/v1/runs/${run}/progress`, LISTED, { 'if-none-match': etag });
    expect([same.status, corsOf(same.headers)]).toEqual([304, seen]);
    expect(same.headers.get('vary')).toBe('Accept-Language, Authorization, Cookie, Origin');
    const refused = await api.call('GET', `/v1/runs/${run}/progress`, { token: '', headers: { origin: LISTED } });
    expect([refused.status, corsOf(refused.headers)]).toEqual([401, seen]);
  });

  it('a stream of events is open to it too', async () => {
    const controller = new AbortController();
    const stream = await fetch(`${api.url}/v1/events?run_id=${run}`, {
      headers: { origin: LISTED, authorization: `Bearer ${api.token}` },
      signal: controller.signal,
    });
    expect([stream.status, stream.headers.get('access-control-allow-origin')]).toEqual([200, LISTED]);
    controller.abort();
  });

  it.each([OTHER, 'null', `${LISTED}.evil.example`, 'http://app.example.com', `${LISTED}:8443`])(
    '%s is not told that it may, and what stands between keeps the answers apart',
    async (origin) => {
      for (const path of [`/v1/runs/${run}/progress`, '/v1/balances']) {
        const answer = await get(path, origin);
        expect(corsOf(answer.headers)).toEqual({});
        expect(answer.headers.get('vary')).toContain('Origin');
      }
      expect(corsOf((await preflight('/v1/balances', origin)).headers)).toEqual({});
      expect((await get('/v1/balances')).headers.get('vary')).toContain('Origin');
    },
  );

  it('a preflight says what may be sent, for ten minutes, and reading is all that is allowed', async () => {
    const answer = await preflight(`/v1/runs/${run}/progress`, LISTED);
    expect(answer.status).toBe(204);
    expect(corsOf(answer.headers)).toMatchObject({
      'access-control-allow-origin': LISTED,
      'access-control-allow-methods': 'GET',
      'access-control-max-age': '600',
    });
    for (const name of ['authorization', 'if-none-match', 'idempotency-key', 'x-csrf-token'])
      expect(answer.headers.get('access-control-allow-headers')).toContain(name);
    expect((await preflight('/v1/runs', LISTED, 'POST')).headers.get('access-control-allow-methods')).toBe('GET');
    const made = await api.call('POST', '/v1/runs', { body: {}, headers: { origin: LISTED } });
    expect(corsOf(made.headers)).toEqual({});
  });

  it.each(['/v1/session', '/v1/session/codes', '/v1/decisions', '/v1/settings', '/v1/ops/overview', '/v1/suppressions', '/healthz'])(
    '%s is for our own page alone',
    async (path) => {
      expect(corsOf((await preflight(path, LISTED)).headers)).toEqual({});
      expect(corsOf((await get(path, LISTED)).headers)).toEqual({});
    },
  );

  it('without a list the API sends none of these headers and has no answer to a preflight', async () => {
    const closed = await startApi();
    const answer = await closed.call('GET', '/v1/balances', { headers: { origin: LISTED } });
    expect(corsOf(answer.headers)).toEqual({});
    expect((await fetch(`${closed.url}/v1/balances`, { method: 'OPTIONS', headers: { origin: LISTED } })).status).toBe(405);
    await closed.stop();
  });

  it.each([
    '*',
    'null',
    'app.example.com',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://*.example.com',
    'https://APP.example.com',
    'file:///x',
  ])('the list takes origins as browsers send them, not %s', (entry) => {
    expect(() => listedOrigins({ CAMPANA_ORIGINS: entry })).toThrow(/CAMPANA_ORIGINS: .* is not an origin/);
  });

  it('a page at a listed address follows a run in a real browser; the same page at another address cannot', async () => {
    const browser = await launchChromium();
    try {
      const readFrom = async (origin: string): Promise<unknown> => {
        const page = await browser.newPage();
        await page.goto(origin);
        const seen = await page.evaluate(
          async ({ url, token }) => {
            const ask = (headers: Record<string, string>) =>
              fetch(url, { credentials: 'include', headers: { authorization: `Bearer ${token}`, ...headers } });
            try {
              const first = await ask({});
              const etag = first.headers.get('etag');
              const second = await ask({ 'if-none-match': etag ?? '' });
              return { first: first.status, etag: etag !== null, date: first.headers.get('date') !== null, second: second.status };
            } catch (error) {
              return (error as Error).name;
            }
          },
          { url: `${api.url}/v1/runs/${run}/progress`, token: api.token },
        );
        await page.close();
        return seen;
      };
      expect(await readFrom(ours)).toEqual({ first: 200, etag: true, date: true, second: 304 });
      expect(await readFrom(theirs)).toBe('TypeError');
    } finally {
      await browser.close();
    }
  });
});
