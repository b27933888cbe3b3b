import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { Progress as Body } from '../../contracts/progress.js';
import { createProgressStore, type Progress, type ProgressStore } from '../../web/progress-client/index.js';

const body = (version: number, more: Partial<Progress> = {}): Progress => ({
  run_id: 'run_1',
  version,
  plan_version: 1,
  state: 'running',
  reason: null,
  objetivo: '50 personas',
  mode: 'manual',
  last_progress_at: '2026-11-30T10:00:00Z',
  poll_after_ms: 1_000,
  counts: {
    unit: 'account',
    total: 50,
    done: version,
    running: 0,
    pending: 50 - version,
    not_found: 0,
    suppressed: 0,
    skipped: 0,
    failed: 0,
  },
  pasos: [],
  budget: {
    credits: { requested: 50, plan_max: 50, held: 0, spent: 0 },
    queries: { requested: 53, plan_max: 53, held: 0, spent: 0 },
    inference: { cap_micros: null, held_micros: 0, used_micros: 0 },
  },
  decisions: [],
  contacts: { captured: 0, drafted: 0, unconfirmed: 0 },
  links: { self: '/v1/runs/run_1' },
  ...more,
});

type Reply = Progress | number | 'lost' | { status: number; headers?: Record<string, string>; body?: unknown };
/** A server that answers what it is told, in order; the last answer again and again. */
const server = (...replies: Reply[]) => {
  const asked: Array<{ url: string; headers: Headers }> = [];
  const answer = async (url: unknown, init?: RequestInit): Promise<Response> => {
    const reply = replies[Math.min(asked.length, replies.length - 1)];
    asked.push({ url: String(url), headers: new Headers(init?.headers) });
    if (reply === 'lost' || reply === undefined) throw new TypeError('Failed to fetch');
    if (typeof reply === 'number')
      return new Response(null, { status: reply, headers: reply >= 400 ? { 'content-type': 'application/problem+json' } : {} });
    if ('status' in reply)
      return new Response(reply.body === undefined ? null : JSON.stringify(reply.body), {
        status: reply.status,
        headers: reply.headers ?? {},
      });
    return Response.json(reply, { headers: { etag: `W/"${reply.version}-es-MX"` } });
  };
  return { asked, fetch: answer as typeof fetch };
};

describe('progress client', () => {
  let store: ProgressStore | undefined;
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    store?.close();
    store = undefined;
    vi.useRealTimers();
  });
  const watch = (...replies: Reply[]) => {
    const told = server(...replies);
    const made = createProgressStore({ baseUrl: 'https://campana.example.com', token: 'secret', fetch: told.fetch });
    store = made;
    const stop = made.subscribe('run_1', () => undefined);
    return { ...told, made, stop, now: () => made.get('run_1'), pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
  };

  it('has the same shape as what the API sends', () => {
    expectTypeOf<Progress>().toEqualTypeOf<Body>();
  });

  it('sends the tag of what it knows, and an unchanged run keeps its body', async () => {
    const { asked, now, pass } = watch(body(7), 304);
    await pass(0);
    const { progress } = now();
    expect(progress?.version).toBe(7);
    await pass(1_000);
    expect(asked[1]?.headers.get('if-none-match')).toBe('W/"7-es-MX"');
    expect(asked[1]?.headers.get('authorization')).toBe('Bearer secret');
    expect(now().progress).toBe(progress);
    expect(now().connection).toBe('live');
  });

  it('never goes back to an older version', async () => {
    const { now, pass } = watch(body(9), body(8), body(10));
    await pass(0);
    await pass(1_000);
    expect(now().progress?.version).toBe(9);
    await pass(1_000);
    expect(now().progress?.version).toBe(10);
  });

  it('says that it is offline after two lost replies, since the first, and asks less and less often', async () => {
    const { asked, now, pass } = watch(body(1), 'lost');
    await pass(0);
    await pass(1_000);
    expect(now().connection).toBe('live');
    const since = Date.now();
    await pass(500);
    expect(now()).toMatchObject({ connection: 'offline', offlineSince: since });
    expect(now().progress?.version).toBe(1);
    await pass(60_000);
    const after = asked.length;
    await pass(60_000);
    expect(asked.length - after).toBeLessThanOrEqual(8);
    expect(asked.length - after).toBeGreaterThanOrEqual(3);
  });

  it('is live again as soon as the server answers', async () => {
    const { now, pass } = watch(body(1), 'lost', 'lost', body(5));
    await pass(0);
    await pass(10_000);
    expect(now()).toMatchObject({ connection: 'live', offlineSince: null });
    expect(now().progress?.version).toBe(5);
  });

  it('waits as long as a busy server asks for', async () => {
    const { asked, pass } = watch(body(1), { status: 503, headers: { 'retry-after': '7' } }, body(2));
    await pass(0);
    await pass(1_000);
    expect(asked).toHaveLength(2);
    await pass(6_900);
    expect(asked).toHaveLength(2);
    await pass(200);
    expect(asked).toHaveLength(3);
  });

  it.each([
    ['denied', 401],
    ['gone', 404],
  ] as const)('stops asking when it is %s', async (connection, status) => {
    const { asked, now, pass } = watch(body(1), status);
    await pass(0);
    await pass(120_000);
    expect(now().connection).toBe(connection);
    expect(asked).toHaveLength(2);
  });

  it.each(['completed', 'completed_partial', 'canceled', 'failed'] as const)('stops asking when the run is %s', async (state) => {
    const { asked, now, pass } = watch(body(3, { state }));
    await pass(120_000);
    expect(now().connection).toBe('over');
    expect(asked).toHaveLength(1);
  });

  it('takes an answer that is no progress for a lost one', async () => {
    const { now, pass } = watch(body(1), { status: 200, body: { hello: 'captive portal' } });
    await pass(0);
    await pass(5_000);
    expect(now().connection).toBe('offline');
    expect(now().progress?.version).toBe(1);
  });

  it('several watchers of one run share one poller, and it stops with the last of them', async () => {
    const { asked, made, stop, pass } = watch(body(1), 304);
    const second = made.subscribe('run_1', () => undefined);
    await pass(2_000);
    const before = asked.length;
    expect(before).toBe(3);
    stop();
    await pass(1_000);
    expect(asked.length).toBe(before + 1);
    second();
    await pass(60_000);
    expect(asked.length).toBe(before + 1);
  });

  it('asks at once when told that something happened', async () => {
    const { asked, made, pass } = watch(body(1, { poll_after_ms: 10_000 }), body(2));
    await pass(0);
    made.refresh('run_1');
    await pass(0);
    expect(asked).toHaveLength(2);
    expect(made.get('run_1').progress?.version).toBe(2);
  });

  it('keeps to the clock of the server', async () => {
    const ahead = new Date(Date.now() + 2 * 3_600_000).toUTCString();
    const { made, pass } = watch({ status: 200, headers: { date: ahead, etag: 'W/"1-es-MX"' }, body: body(1) });
    await pass(0);
    expect(Math.abs(made.serverNow() - Date.parse(ahead))).toBeLessThan(2_000);
  });

  it('takes neither the end of a session nor of a run from whoever answers instead of the server', async () => {
    const html = { 'content-type': 'text/html' };
    const { asked, now, pass } = watch(
      body(7),
      { status: 404, headers: html },
      { status: 403, headers: html },
      { status: 200, headers: html, body: '<p>Log in to the hotel</p>' },
      body(8),
    );
    await pass(60_000);
    expect(asked.length).toBeGreaterThan(4);
    expect(now()).toMatchObject({ connection: 'live', progress: { version: 8 } });
  });

  it('does not ask in a hurry where the server names a pause that no timer can hold', async () => {
    const { asked, pass } = watch({ status: 503, headers: { 'retry-after': '99999999' } });
    await pass(200_000);
    expect(asked).toHaveLength(1);
    await pass(200_000);
    expect(asked).toHaveLength(2);
  });
  it('does not ask in a hurry where the suggested pause is no number', async () => {
    const { asked, pass } = watch(body(7, { poll_after_ms: 'soon' as unknown as number }));
    await pass(10_000);
    expect(asked.length).toBeLessThanOrEqual(6);
  });

  it('does not follow a run that nobody watches, whatever happens to the page or the run', async () => {
    const { asked, made, stop, pass } = watch(body(7));
    await pass(0);
    stop();
    const before = asked.length;
    made.refresh('run_1');
    await pass(120_000);
    expect(asked).toHaveLength(before);
  });

  it('knows nothing of what another person saw', async () => {
    const { asked, made, now, pass } = watch(body(7), body(3));
    await pass(0);
    const other = made.subscribe('run_2', () => undefined);
    await pass(0);
    other();
    made.forget();
    expect([now(), made.get('run_2')]).toMatchObject([{ progress: null, connection: 'loading' }, { progress: null }]);
    await pass(0);
    expect(asked.at(-1)?.headers.get('if-none-match')).toBeNull();
    // Theirs may be an older version of a run of the same name.
    expect(now().progress?.version).toBe(3);
  });

  it('forgets runs that were seen long ago', async () => {
    const { made, stop, pass } = watch(body(7));
    await pass(0);
    stop();
    for (let i = 2; i < 150; i += 1) {
      const leave = made.subscribe(`run_${i}`, () => undefined);
      await pass(0);
      leave();
    }
    expect(made.get('run_1').progress).toBeNull();
    expect(made.get('run_149').progress).not.toBeNull();
  });
});
