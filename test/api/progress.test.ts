import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withRun } from '../../db/events.js';
import { read } from '../../db/client.js';
import { seedRun, startApi, token, until, type TestApi } from './support.js';

let api: TestApi;
let run: string;
beforeAll(async () => {
  api = await startApi();
  ({ run } = await seedRun(api));
});
afterAll(() => api.stop());

const move = (id = run) => withRun(api.pool, 'ws_a', id, (locked) => Promise.resolve(locked.emit('test.moved', {}, {})));
const poll = (etag?: string, query = '', headers: Record<string, string> = {}) =>
  api.call('GET', `/v1/runs/${run}/progress${query}`, { headers: { ...(etag ? { 'if-none-match': etag } : {}), ...headers } });
const metrics = async (): Promise<string> => (await api.call('GET', '/metrics', { token: null })).text;

describe('polling', () => {
  it('answers 304 until the version moves, and by language', async () => {
    const first = await poll();
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toBe(`W/"${first.body.version}-es-MX"`);
    const same = await poll(etag);
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
    const english = await poll(etag, '', { 'accept-language': 'en' });
    expect([english.status, english.headers.get('etag')]).toEqual([200, `W/"${first.body.version}-en"`]);
    await move();
    const moved = await poll(etag);
    expect(moved.status).toBe(200);
    expect(moved.body.version).toBe(first.body.version + 1);
  });

  it('sees every commit that was there before it asked, however many ask at once', async () => {
    for (let i = 0; i < 20; i += 1) {
      await move();
      const [row] = await read(api.pool).q<{ version: number }>('select version from run_progress where run_id = $1', [run]);
      const answers = await Promise.all(Array.from({ length: 20 }, () => poll()));
      for (const a of answers) expect(a.body.version).toBeGreaterThanOrEqual(row?.version ?? 0);
    }
    const counted = await metrics();
    const value = (name: string): number => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(counted)?.[1]);
    expect(value('campana_progress_statements')).toBeLessThan(value('campana_progress_answers'));
    expect(counted).not.toMatch(/^campana_temporal_calls_total\{/m);
  });
});

describe('waiting', () => {
  it('answers as soon as the run moves', async () => {
    const etag = (await poll()).headers.get('etag') ?? '';
    const waiting = poll(etag, '?wait=30s');
    await until(async () => (await metrics()).includes('\ncampana_progress_waits 1'));
    const began = Date.now();
    await move();
    const answer = await waiting;
    expect(answer.status).toBe(200);
    // Not at the end of the wait, when the row is looked at in any case.
    expect(Date.now() - began).toBeLessThan(20_000);
  });
  it('answers 304 when the time is over', async () => {
    const etag = (await poll()).headers.get('etag') ?? '';
    const began = Date.now();
    expect((await poll(etag, '?wait=300ms')).status).toBe(304);
    expect(Date.now() - began).toBeGreaterThanOrEqual(290);
  });
  it('answers at once what is already new, and what has no ETag', async () => {
    const etag = (await poll()).headers.get('etag') ?? '';
    await move();
    const began = Date.now();
    expect((await poll(etag, '?wait=30s')).status).toBe(200);
    expect((await poll(undefined, '?wait=30s')).status).toBe(200);
    expect(Date.now() - began).toBeLessThan(20_000);
  });
  it('does not miss a move that falls into its own reading', async () => {
    for (let i = 0; i < 30; i += 1) {
      const etag = (await poll()).headers.get('etag') ?? '';
      const began = Date.now();
      const [answer] = await Promise.all([poll(etag, '?wait=30s'), move()]);
      expect(answer.status).toBe(200);
      expect(Date.now() - began).toBeLessThan(20_000);
    }
  });
  it('finds out after its connection for notifications was cut', async () => {
    const etag = (await poll()).headers.get('etag') ?? '';
    const waiting = poll(etag, '?wait=30s');
    await until(async () => (await metrics()).includes('\ncampana_progress_waits 1'));
    await api.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'campana-listen' and datname = current_database()`,
    );
    await move();
    expect((await waiting).status).toBe(200);
    await until(async () => (await metrics()).includes('\ncampana_listening 1'));
  });
  it('keeps nothing of a caller who went away', async () => {
    const etag = (await poll()).headers.get('etag') ?? '';
    const gone = new AbortController();
    const waiting = fetch(`${api.url}/v1/runs/${run}/progress?wait=30s`, {
      signal: gone.signal,
      headers: { authorization: `Bearer ${api.token}`, 'if-none-match': etag },
    }).catch(() => null);
    await until(async () => (await metrics()).includes('\ncampana_progress_waits 1'));
    gone.abort();
    await waiting;
    await until(async () => (await metrics()).includes('\ncampana_progress_waits 0'));
  });
  it('refuses a wait it does not understand', async () => {
    expect((await poll(undefined, '?wait=long')).body.code).toBe('request_invalid');
  });
});

describe('events', () => {
  interface Heard {
    id: string;
    event: string;
    data: { run_id: string; version: number; kind: string };
  }
  const listen = async (
    query = '',
    headers: Record<string, string> = {},
    bearer = api.token,
  ): Promise<{ heard: Heard[]; close(): void; ended: Promise<void> }> => {
    const abort = new AbortController();
    const response = await fetch(`${api.url}/v1/events${query}`, {
      signal: abort.signal,
      headers: { authorization: `Bearer ${bearer}`, ...headers },
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const heard: Heard[] = [];
    const ended = (async () => {
      let rest = '';
      try {
        for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
          rest += chunk;
          for (let at = rest.indexOf('\n\n'); at >= 0; at = rest.indexOf('\n\n')) {
            const fields = Object.fromEntries(
              rest
                .slice(0, at)
                .split('\n')
                .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
            );
            rest = rest.slice(at + 2);
            if (fields['data'])
              heard.push({ id: fields['id'] ?? '', event: fields['event'] ?? '', data: JSON.parse(fields['data']) as Heard['data'] });
          }
        }
      } catch {
        // Closed by the test.
      }
    })();
    return { heard, close: () => abort.abort(), ended };
  };

  it('tells what happens, once each and in order, and goes on from the last id', async () => {
    const first = await listen();
    const other = await listen('', {}, await token({ ws: 'ws_b' }));
    for (let i = 0; i < 5; i += 1) await move();
    await until(() => first.heard.length >= 5);
    const versions = first.heard.map((h) => h.data.version);
    expect(versions).toEqual(Array.from({ length: 5 }, (_, i) => (versions[0] ?? 0) + i));
    expect(first.heard[0]).toMatchObject({ event: 'run.progress', id: `${run}:${versions[0]}`, data: { run_id: run, kind: 'test.moved' } });
    first.close();
    await move();
    const second = await seedRun(api);
    const again = await listen('', { 'last-event-id': first.heard[4]?.id ?? '' });
    await move();
    await until(() => again.heard.some((h) => h.id === `${run}:${(versions[4] ?? 0) + 2}`));
    const ids = again.heard.map((h) => h.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain(`${run}:${(versions[4] ?? 0) + 1}`);
    expect(ids).toContain(`${second.run}:1`);
    expect(other.heard).toEqual([]);
    other.close();
    again.close();
  });
  it('of one run goes on exactly, and says when it cannot', async () => {
    const version = (await poll()).body.version;
    await move();
    const one = await listen(`?run_id=${run}`, { 'last-event-id': `${run}:${version}` });
    await until(() => one.heard.length === 1);
    expect(one.heard[0]?.id).toBe(`${run}:${version + 1}`);
    one.close();
    const lost = await listen('', { 'last-event-id': 'run_unknown:3' });
    await until(() => lost.heard.length === 1);
    expect(lost.heard[0]?.event).toBe('reset');
    lost.close();
  });
  it('goes on after the database cut it off', async () => {
    const stream = await listen();
    await api.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'campana-listen' and datname = current_database()`,
    );
    await move();
    await until(() => stream.heard.length >= 1);
    stream.close();
  });
  it('ends with the token', async () => {
    const short = await listen('', {}, await token({}, 1));
    await short.ended;
    expect(short.heard).toEqual([]);
  });
});
