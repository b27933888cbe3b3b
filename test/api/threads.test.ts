import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TurnRefusal } from '../../ada/preflight.js';
import type { TurnsOptions } from '../../api/turns.js';
import { Thread, Turn, type BoardRow, type ThreadPage, type TurnAnswer } from '../../contracts/turn.js';
import { attachRun } from '../../db/threads/threads.js';
import { listen, type Heard } from './sse-client.js';
import { seedRun, startApi, token, until, type TestApi } from './support.js';

type Run = NonNullable<TurnsOptions['run']>;

/** Turns that wait until a test lets them go on, by the word behind `espera`. */
const gates = new Map<string, () => void>();
const begun: string[] = [];
const gate = (name: string): void => gates.get(name)?.();

const ROWS: BoardRow[] = ['uno', 'dos', 'tres'].map((name) => ({ ref: `company:${name}`, name, kind: 'company', id: name, detail: null }));
const answerOf = (turn: string, thread: string, text: string): TurnAnswer => ({
  turn_id: turn,
  thread_id: thread,
  intent: { kind: 'responder' },
  text,
  narration: text,
  anchors: [],
  pregunta: null,
  siguiente: null,
  card: null,
  decision: null,
  progress: null,
  stage: 'con_lista',
  skills_used: [],
  skill_omitida: [],
  usage: {
    steps: 1,
    tool_calls: 0,
    searches: 0,
    repairs: 0,
    model_calls: 1,
    tokens_in: 1,
    tokens_out: 1,
    cost_micros: 0,
    ttft_ms: null,
    duration_ms: 1,
    prompt: { characters: 1, saved_characters: 0, saved_tokens: 0 },
    unresolved_refs: 0,
    refs_available: 0,
  },
  attempts: [],
  validation: [],
  model: { name: 'prueba', kind: 'scripted' },
});

/** A turn as `runTurn` runs one, with what it says decided by the message. */
const run: Run = async (ports, speaker, { turnId, message }, emit, { signal }) => {
  begun.push(message);
  emit({ type: 'turn.accepted', turn_id: turnId, thread_id: speaker.thread, stage: 'sin_criterio', model: 'prueba' });
  const waits = /^espera (\S+)/.exec(message)?.[1];
  try {
    if (message === 'falla') throw new TypeError('nobody foresaw this');
    if (waits) {
      await new Promise<void>((resolve, reject) => {
        gates.set(waits, resolve);
        signal.addEventListener('abort', () => reject(new TurnRefusal('interrupted')), { once: true });
      });
    }
    for (const word of ['Hola', ' ', message]) emit({ type: 'narration.delta', text: word });
    const state = await ports.threads.state(speaker);
    await ports.threads.fold(speaker, turnId, {
      state: { ...state, board: { ...state.board, list: ROWS }, stage: 'con_lista' },
      answer: answerOf(turnId, speaker.thread, `Hola ${message}`),
      usage: [],
      together: [],
      runs: [],
    });
    emit({ type: 'turn.finished', answer: answerOf(turnId, speaker.thread, `Hola ${message}`) });
  } catch (error) {
    if (!(error instanceof TurnRefusal)) throw error;
    await ports.threads.refuse(speaker, turnId, { status: error.status, code: error.code, params: {} }, 0);
    emit({ type: 'turn.refused', turn_id: turnId, status: error.status, code: error.code, params: {}, cost_micros: 0 });
  }
};

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ open: { turns: { run } } });
});
afterAll(() => api.stop());

const begin = async (at = api): Promise<string> =>
  ((await at.call('POST', '/v1/threads', { body: {} })).body as unknown as Thread).thread_id;
const say = async (thread: string, message: string, options: { key?: string; at?: TestApi; token?: string } = {}): Promise<Turn> => {
  const { at = api, ...more } = options;
  const called = await at.call('POST', `/v1/threads/${thread}/turns`, { body: { message }, ...more });
  expect([called.status, called.text]).toEqual([202, expect.anything()]);
  return Turn.parse(called.body);
};
const turnOf = async (thread: string, turn: string, at = api): Promise<Turn> =>
  (await at.call('GET', `/v1/threads/${thread}/turns/${turn}`)).body as unknown as Turn;
const ended = (thread: string, turn: string, at = api): Promise<Turn> =>
  until(async () => {
    const now = await turnOf(thread, turn, at);
    return now.ended_at !== null && now;
  });
const hear = (thread: string, message: string, headers: Record<string, string> = {}) =>
  listen(api, `/v1/threads/${thread}/turns`, {
    method: 'POST',
    body: { message },
    headers: { 'idempotency-key': randomUUID(), ...headers },
  });
const types = (events: Heard[]): string[] => events.map((one) => one.data.type);
const WHOLE = ['turn.accepted', 'narration.delta', 'narration.delta', 'narration.delta', 'turn.finished'];

describe('threads', () => {
  it('are begun once per key, listed, read, and of their workspace only', async () => {
    const key = randomUUID();
    const first = await api.call('POST', '/v1/threads', { key, body: { title: 'Empaque' } });
    expect(first.status).toBe(201);
    const thread = Thread.parse(first.body);
    expect(first.headers.get('location')).toBe(`/v1/threads/${thread.thread_id}`);
    expect((await api.call('POST', '/v1/threads', { key, body: { title: 'Empaque' } })).body).toEqual(first.body);
    expect((await api.call('POST', '/v1/threads', { key, body: { title: 'Otra' } })).body.code).toBe('key_reused');
    expect((await api.call('GET', `/v1/threads/${thread.thread_id}`)).body).toMatchObject({
      title: 'Empaque',
      turns: [],
      runs: [],
      stage: 'sin_criterio',
    });
    const other = await token({ sub: 'beto' });
    expect(((await api.call('GET', '/v1/threads?mine=true', { token: other })).body as unknown as ThreadPage).threads).toEqual([]);
    expect(
      ((await api.call('GET', '/v1/threads', { token: other })).body as unknown as ThreadPage).threads.map((t) => t.thread_id),
    ).toContain(thread.thread_id);
    const stranger = await token({ ws: 'ws_b' });
    for (const path of ['', '/events', '/turns/turn_1', '/turns/turn_1/events'])
      expect((await api.call('GET', `/v1/threads/${thread.thread_id}${path}`, { token: stranger })).status).toBe(404);
    expect(
      (await api.call('POST', `/v1/threads/${thread.thread_id}/turns`, { token: stranger, body: { message: 'hola' } })).body.code,
    ).toBe('thread_not_found');
  });

  it('take no turn without a key, a message or a role', async () => {
    const thread = await begin();
    expect((await api.call('POST', `/v1/threads/${thread}/turns`, { key: null, body: { message: 'hola' } })).body.code).toBe(
      'idempotency_key_missing',
    );
    expect((await api.call('POST', `/v1/threads/${thread}/turns`, { body: { message: '  ' } })).status).toBe(400);
    expect((await api.call('POST', `/v1/threads/${thread}/turns`, { body: { message: 'hola', modo: 'automatico' } })).status).toBe(400);
    expect(
      (await api.call('POST', `/v1/threads/${thread}/turns`, { token: await token({ roles: [] }), body: { message: 'hola' } })).body.code,
    ).toBe('role_missing');
    expect((await say(thread, 'de un programa', { token: await token({ typ: 'agent', roles: ['seller'] }) })).state).toMatch(
      /queued|running|finished/,
    );
  });
});

describe('a turn', () => {
  it('is accepted with 202 and runs by itself', async () => {
    const thread = await begin();
    const called = await api.call('POST', `/v1/threads/${thread}/turns`, { body: { message: 'hola' } });
    const turn = Turn.parse(called.body);
    expect([called.status, called.headers.get('location')]).toEqual([202, `/v1/threads/${thread}/turns/${turn.turn_id}`]);
    expect(await ended(thread, turn.turn_id)).toMatchObject({
      state: 'finished',
      position: 1,
      answer: { text: 'Hola hola' },
      refused: null,
    });
    expect((await api.call('GET', `/v1/threads/${thread}`)).body).toMatchObject({
      stage: 'con_lista',
      title: 'hola',
      board: { list: ROWS },
    });
  });

  it('streams its events in order, numbered, and ends', async () => {
    const thread = await begin();
    const heard = await hear(thread, 'hola');
    expect(heard.status).toBe(200);
    expect(heard.headers.get('content-type')).toMatch(/text\/event-stream/);
    expect(heard.headers.get('location')).toMatch(new RegExp(`^/v1/threads/${thread}/turns/turn_`));
    await heard.over;
    expect(types(heard.events)).toEqual(WHOLE);
    expect(heard.events.map((one) => one.id)).toEqual(['1', '2', '3', '4', '5']);
    expect(heard.events.every((one) => one.event === one.data.type)).toBe(true);
  });

  it('goes on without its client, and the client gets the rest with the same key', async () => {
    const thread = await begin();
    const key = randomUUID();
    const first = await hear(thread, 'espera corte', { 'idempotency-key': key });
    await until(() => first.events.length === 1 && gates.has('corte'));
    first.hang();
    await first.over;
    gate('corte');
    const again = await hear(thread, 'espera corte', { 'idempotency-key': key, 'last-event-id': first.events[0]?.id ?? '' });
    await again.over;
    expect(types(again.events)).toEqual(WHOLE.slice(1));
    const path = String(again.headers.get('location'));
    for (const [id, left] of [
      ['', 5],
      ['3', 2],
      ['4', 1],
      ['5', 0],
      ['99', 0],
    ] as const) {
      const later = await listen(api, `${path}/events`, { headers: id ? { 'last-event-id': id } : {} });
      await later.over;
      expect([id, later.events.length]).toEqual([id, left]);
    }
    expect(begun.filter((one) => one === 'espera corte')).toHaveLength(1);
    expect((await api.call('POST', `/v1/threads/${thread}/turns`, { key, body: { message: 'otra cosa' } })).body.code).toBe('key_reused');
    expect((await say(thread, 'espera corte', { key })).state).toBe('finished');
  });

  it('waits for the one before it in its thread, and for no other thread', async () => {
    const [thread, other] = [await begin(), await begin()];
    const first = await say(thread, 'espera cola');
    const second = await hear(thread, 'segundo');
    const third = await say(thread, 'tercero');
    const elsewhere = await say(other, 'aparte');
    await ended(other, elsewhere.turn_id);
    expect([(await turnOf(thread, third.turn_id)).state, second.events.length]).toEqual(['queued', 0]);
    await until(() => gates.has('cola'));
    gate('cola');
    await second.over;
    await ended(thread, third.turn_id);
    expect(begun.filter((one) => ['espera cola', 'segundo', 'tercero'].includes(one))).toEqual(['espera cola', 'segundo', 'tercero']);
    expect((await turnOf(thread, first.turn_id)).state).toBe('finished');
  });

  it('can be stopped while it runs and while it waits; the thread goes on', async () => {
    const thread = await begin();
    const running = await hear(thread, 'espera alto');
    const waiting = await say(thread, 'no llega');
    const last = await say(thread, 'sigue');
    await until(() => gates.has('alto') && running.events.length === 1);
    const path = String(running.headers.get('location'));
    expect((await api.call('DELETE', `/v1/threads/${thread}/turns/${waiting.turn_id}`)).body).toMatchObject({
      state: 'interrupted',
      refused: { code: 'interrupted' },
    });
    expect((await api.call('DELETE', path, { key: null })).body.code).toBe('idempotency_key_missing');
    expect((await api.call('DELETE', path)).body).toMatchObject({ state: 'interrupted' });
    await running.over;
    expect(running.events.at(-1)?.data).toMatchObject({ type: 'turn.refused', code: 'interrupted', status: 503 });
    expect((await ended(thread, last.turn_id)).state).toBe('finished');
    expect(begun).not.toContain('no llega');
    // Once more changes nothing, and what is over cannot be stopped.
    expect((await api.call('DELETE', path)).body.state).toBe('interrupted');
    expect((await api.call('DELETE', `/v1/threads/${thread}/turns/${last.turn_id}`)).body.state).toBe('finished');
    expect((await api.call('DELETE', `/v1/threads/${thread}/turns/turn_none`)).body.code).toBe('turn_not_found');
  });

  it('that fails in a way nobody foresaw is refused, and the thread goes on', async () => {
    const thread = await begin();
    const heard = await hear(thread, 'falla');
    await heard.over;
    expect(types(heard.events)).toEqual(['turn.accepted', 'turn.refused']);
    expect(heard.events.at(-1)?.data).toMatchObject({ status: 500, code: 'internal_error' });
    expect(JSON.stringify(heard.events)).not.toContain('nobody foresaw');
    expect((await ended(thread, (await say(thread, 'después')).turn_id)).state).toBe('finished');
  });
});

describe('two processes', () => {
  it("run one turn of a thread between them, and hear each other's", async () => {
    const other = await startApi({ open: { turns: { run } }, databaseUrl: api.databaseUrl });
    try {
      const thread = await begin();
      const first = await say(thread, 'espera dos');
      const heard = await listen(other, `/v1/threads/${thread}/turns`, {
        method: 'POST',
        body: { message: 'en la otra' },
        headers: { 'idempotency-key': randomUUID() },
      });
      await until(() => gates.has('dos'));
      expect(heard.events).toEqual([]);
      gate('dos');
      await heard.over;
      expect(types(heard.events)).toEqual(WHOLE);
      expect((await turnOf(thread, first.turn_id)).state).toBe('finished');
      // Stopped through the one that does not run it.
      const third = await say(thread, 'espera lejos');
      await until(() => gates.has('lejos'));
      expect((await other.call('DELETE', `/v1/threads/${thread}/turns/${third.turn_id}`)).body).toMatchObject({ state: 'interrupted' });
      await until(() => api.api.turns.running() === 0);
    } finally {
      await other.stop();
    }
  });

  it('a turn whose process is gone is said to be interrupted, and the next one runs', async () => {
    // Never renews its lease: as good as killed.
    const dying = await startApi({ open: { turns: { run, leaseMs: 300, beatMs: 600_000, sweepMs: 600_000 } } });
    let heir: TestApi | undefined;
    try {
      const thread = await begin(dying);
      const lost = await listen(dying, `/v1/threads/${thread}/turns`, {
        method: 'POST',
        body: { message: 'espera muerte' },
        headers: { 'idempotency-key': randomUUID() },
      });
      await until(() => gates.has('muerte') && lost.events.length === 1);
      // Queued in the dead one's hands as well.
      const next = await say(thread, 'vive', { at: dying });
      // Begins only now, so that none of this was ever its own.
      heir = await startApi({ open: { turns: { run } }, databaseUrl: dying.databaseUrl });
      expect((await ended(thread, next.turn_id, heir)).state).toBe('finished');
      await until(() => lost.events.at(-1)?.data['code'] === 'interrupted');
      const path = String(lost.headers.get('location'));
      expect((await heir.call('GET', path)).body).toMatchObject({ state: 'interrupted', refused: { code: 'interrupted' } });
      const again = await listen(heir, `${path}/events`);
      await again.over;
      expect(types(again.events)).toEqual(['turn.accepted', 'turn.refused']);
      await until(() => dying.api.turns.running() === 0);
    } finally {
      await heir?.stop();
      await dying.stop();
    }
  });

  it('one that stood still for longer than its lease takes its own turns for its own', async () => {
    // Never renews by the clock: whatever keeps the turn alive is the look for turns that nobody renews.
    const slow = await startApi({ open: { turns: { run, leaseMs: 300, beatMs: 60_000, sweepMs: 400 } } });
    try {
      const thread = await begin(slow);
      const turn = await say(thread, 'espera pausa', { at: slow });
      await until(() => gates.has('pausa'));
      await until(
        async () => (await slow.pool.query(`select 1 from turns where id = $1 and lease_until < now()`, [turn.turn_id])).rowCount === 1,
      );
      // The one after a look that found it overdue has found it renewed.
      await until(
        async () => (await slow.pool.query(`select 1 from turns where id = $1 and lease_until > now()`, [turn.turn_id])).rowCount === 1,
      );
      gate('pausa');
      await until(() => slow.api.turns.running() === 0);
      const { rows } = await slow.pool.query(`select state from turns where id = $1`, [turn.turn_id]);
      expect(rows).toEqual([{ state: 'finished' }]);
    } finally {
      await slow.stop();
    }
  });

  it('one that has to go lets short turns end and marks the others as interrupted', async () => {
    // Over a database of its own: another process might look for waiting turns just then and take these.
    const going = await startApi({ open: { turns: { run, graceMs: 5_000 } } });
    const [short, long] = [await begin(going), await begin(going)];
    const [a, b] = [await say(short, 'espera corto', { at: going }), await say(long, 'espera largo', { at: going })];
    await until(() => gates.has('corto') && gates.has('largo'));
    const stopped = going.api.turns.stop();
    gate('corto');
    await stopped;
    expect([(await turnOf(short, a.turn_id, going)).state, (await turnOf(long, b.turn_id, going)).state]).toEqual([
      'finished',
      'interrupted',
    ]);
    await going.stop();
  });
});

describe('the events of a thread', () => {
  it('are its turns and the progress of its campaigns, taken up again from the last one', async () => {
    const thread = await begin();
    const { run: campaign } = await seedRun(api);
    await attachRun(api.pool, { workspace: 'ws_a', thread }, campaign);
    const heard = await listen(api, `/v1/threads/${thread}/events`);
    await until(() => heard.events.length === 1);
    expect(heard.events[0]).toMatchObject({
      id: null,
      event: 'run.progress',
      data: { type: 'run.progress', progress: { run_id: campaign } },
    });
    const turn = await say(thread, 'hola');
    await until(() => heard.events.length === 6);
    expect(types(heard.events)).toEqual(['run.progress', ...WHOLE]);
    expect(heard.events.slice(1).map((one) => one.id)).toEqual([1, 2, 3, 4, 5].map((n) => `${turn.turn_id}:${n}`));
    expect((await api.call('POST', `/v1/runs/${campaign}/pause`, { body: {} })).status).toBe(202);
    const paused = await until(() =>
      heard.events.find((one) => (one.data['progress'] as { state?: string } | undefined)?.state === 'paused'),
    );
    expect((paused.data['progress'] as { version: number }).version).toBeGreaterThan(
      (heard.events[0]?.data['progress'] as { version: number }).version,
    );
    heard.hang();
    const missed = await say(thread, 'mientras');
    await ended(thread, missed.turn_id);
    const again = await listen(api, `/v1/threads/${thread}/events`, { headers: { 'last-event-id': `${turn.turn_id}:4` } });
    await until(() => again.events.length === 7);
    const ids = again.events.filter((one) => one.id !== null).map((one) => one.id);
    expect(ids).toEqual([`${turn.turn_id}:5`, ...[1, 2, 3, 4, 5].map((n) => `${missed.turn_id}:${n}`)]);
    again.hang();
    const lost = await listen(api, `/v1/threads/${thread}/events`, { headers: { 'last-event-id': 'turn_of_nobody:3' } });
    await until(() => lost.text().includes('event: reset'));
    lost.hang();
    expect((await api.call('GET', '/metrics', { token: null })).text).not.toMatch(/^campana_temporal_calls_total.* [1-9]/m);
  });
});

describe('the selection', () => {
  it('is rows of the list, and waits for a turn that runs', async () => {
    const thread = await begin();
    const put = (refs: string[], key?: string) =>
      api.call('PUT', `/v1/threads/${thread}/selection`, { body: { refs }, ...(key ? { key } : {}) });
    await ended(thread, (await say(thread, 'hola')).turn_id);
    const chosen = await put(['company:tres', 'company:uno', 'company:tres']);
    expect(chosen.body).toEqual({ selection: [ROWS[2], ROWS[0]], stage: 'con_seleccion' });
    expect((await put(['company:cuatro'])).body).toMatchObject({
      status: 422,
      code: 'refs_unknown',
      params: { n: 1, refs: ['company:cuatro'] },
    });
    expect((await api.call('GET', `/v1/threads/${thread}`)).body).toMatchObject({
      stage: 'con_seleccion',
      board: { selection: [ROWS[2], ROWS[0]], list: ROWS },
    });
    await say(thread, 'espera fila');
    await until(() => gates.has('fila'));
    expect((await put([])).body).toMatchObject({ status: 409, code: 'turn_running', retryable: true });
    gate('fila');
    await until(async () => (await put([])).status === 200);
    expect((await api.call('GET', `/v1/threads/${thread}`)).body).toMatchObject({ stage: 'con_lista', board: { selection: [] } });
  });
});
