import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Progress } from '../../contracts/progress.js';
import { campaign, fakeTemporal, seedRun, startApi, tapOf, token, until, type TestApi } from './support.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

describe('starting a run', () => {
  it('answers 202 with where to look, and the run is durable', async () => {
    const made = await api.call('POST', '/v1/runs', { body: campaign });
    expect(made.status).toBe(202);
    expect(made.headers.get('location')).toBe(`/v1/runs/${made.body.run_id}`);
    expect(made.headers.get('retry-after')).toBe('1');
    const rows = await api.pool.query('select kind, workflow_id from outbox where run_id = $1', [made.body.run_id]);
    expect(rows.rows).toEqual([{ kind: 'start', workflow_id: `campana/ws_a/${made.body.run_id}` }]);
    const progress = await api.call('GET', made.body.links.progress);
    expect(Progress.parse(progress.body)).toMatchObject({ run_id: made.body.run_id, version: 1, state: 'ready' });
    expect(progress.headers.get('cache-control')).toBe('private, no-cache');
    expect(progress.headers.get('date')).toBeTruthy();
    const run = await api.call('GET', made.body.links.self);
    expect(run.body).toMatchObject({ criteria: campaign.criteria, cuentas: 10, modo: 'manual', created_by: 'ana' });
    const list = await api.call('GET', '/v1/runs?limit=1');
    expect(list.body.runs).toHaveLength(1);
    expect((await api.call('GET', `${made.body.links.self}/receipt`)).body.code).toBe('run_not_final');
  });

  it('lists those under way and those that ended apart, page by page', async () => {
    const made = [];
    for (let i = 0; i < 3; i++) made.push(await api.call('POST', '/v1/runs', { body: campaign }));
    const [, ended] = made.map((m) => String(m.body.run_id));
    await api.pool.query(`update runs set ended_at = now() where id = $1`, [ended]);
    const idsOf = async (phase: string): Promise<string[]> => {
      const ids: string[] = [];
      for (let cursor = ''; ;) {
        const { body } = await api.call('GET', `/v1/runs?limit=2${phase && `&phase=${phase}`}${cursor && `&cursor=${cursor}`}`);
        ids.push(...body.runs.map((r: { run_id: string }) => r.run_id));
        if (!body.next_cursor) return ids;
        cursor = String(body.next_cursor);
      }
    };
    const [all, open, over] = [await idsOf(''), await idsOf('open'), await idsOf('ended')];
    expect(over).toContain(ended);
    expect(open).not.toContain(ended);
    expect([...open, ...over].sort().reverse()).toEqual(all);
    expect((await api.call('GET', '/v1/runs?phase=closed')).body.code).toBe('request_invalid');
  });

  it('says what it would cost without making anything', async () => {
    const before = await api.pool.query('select count(*)::int as n from runs');
    const estimate = await api.call('POST', '/v1/runs?dry_run=true', { body: campaign, key: null });
    expect(estimate.status).toBe(200);
    expect(estimate.body).toMatchObject({ cuentas: 10, limited_by: [] });
    expect((await api.pool.query('select count(*)::int as n from runs')).rows).toEqual(before.rows);
  });

  it('takes a cap or the automatic mode only from a person who may approve', async () => {
    const agent = await token({ typ: 'agent' });
    const seller = await token({ roles: ['seller'] });
    for (const extra of [{ caps: { credits: 5 } }, { modo: 'automatico' as const }]) {
      expect((await api.call('POST', '/v1/runs', { token: agent, body: { ...campaign, ...extra } })).body.code).toBe('person_needed');
      expect((await api.call('POST', '/v1/runs', { token: seller, body: { ...campaign, ...extra } })).body.code).toBe('role_missing');
    }
    expect((await api.call('POST', '/v1/runs', { token: agent, body: campaign })).status).toBe(202);
    expect((await api.call('POST', '/v1/runs', { body: { ...campaign, caps: { credits: 5 } } })).status).toBe(202);
  });
});

describe('idempotency', () => {
  it('is asked of every change', async () => {
    expect((await api.call('POST', '/v1/runs', { body: campaign, key: null })).body).toMatchObject({
      status: 400,
      code: 'idempotency_key_missing',
    });
    expect((await api.call('PUT', '/v1/settings', { body: {}, key: null })).body.code).toBe('idempotency_key_missing');
  });
  it('gives the same answer for the same key, and refuses the key with another body', async () => {
    const first = await api.call('POST', '/v1/runs', { body: campaign, key: 'k1' });
    const again = await api.call('POST', '/v1/runs', { body: campaign, key: 'k1' });
    expect(again.body).toEqual(first.body);
    expect(again.status).toBe(202);
    const other = await api.call('POST', '/v1/runs', { body: { ...campaign, cuentas: 11 }, key: 'k1' });
    expect(other.body).toMatchObject({ status: 422, code: 'key_reused' });
  });
  it('makes one run of fifty requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.call('POST', '/v1/runs', { body: campaign, key: 'k50' })));
    expect(new Set(answers.map((a) => a.status))).toEqual(new Set([202]));
    expect(new Set(answers.map((a) => a.body.run_id)).size).toBe(1);
  });
});

describe('taps', () => {
  it('has one winner among fifty with two outcomes', async () => {
    const { run, decision } = await seedRun(api, 'ws_taps');
    const bearer = await token({ ws: 'ws_taps' });
    const card = (await api.call('GET', `/v1/decisions/${decision}?full=true`, { token: bearer })).body;
    const taps = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const option = i % 2 === 0 ? ('all' as const) : ('decline' as const);
        return {
          option,
          ...(await api.call('POST', `/v1/decisions/${decision}/resolve`, {
            token: bearer,
            key: `tap-${i}`,
            body: { ...tapOf(card, option), ...(option === 'decline' ? { then: 'cancel' } : {}) },
          })),
        };
      }),
    );
    const won = taps.filter((t) => t.status === 200);
    const outcome = won[0]?.option;
    expect(won.length).toBe(25);
    expect(new Set(won.map((t) => t.option))).toEqual(new Set([outcome]));
    expect(new Set(won.map((t) => JSON.stringify(t.body.resolved))).size).toBe(1);
    const lost = taps.filter((t) => t.status !== 200);
    expect(new Set(lost.map((t) => `${t.status} ${t.body.code}`))).toEqual(new Set(['409 already_resolved']));
    expect(lost.every((t) => t.body.decision.resolved.option === outcome)).toBe(true);
    expect((await api.pool.query('select * from ledger_violations()')).rows).toEqual([]);
    const state = (await api.call('GET', `/v1/runs/${run}/progress`, { token: bearer })).body.state;
    expect(state).toBe(outcome === 'all' ? 'running' : 'stopping');
  });

  it('needs the role, a person, and the channel as a word we know', async () => {
    const { decision } = await seedRun(api);
    const card = (await api.call('GET', `/v1/decisions/${decision}`)).body;
    const tap = (options: Parameters<TestApi['call']>[2]) =>
      api.call('POST', `/v1/decisions/${decision}/resolve`, { body: tapOf(card, 'decline'), ...options });
    expect((await tap({ token: await token({ roles: ['seller'] }) })).body).toMatchObject({ status: 403, code: 'role_missing' });
    expect((await tap({ token: await token({ typ: 'agent' }) })).body).toMatchObject({ status: 403, code: 'person_needed' });
    expect((await tap({ headers: { 'x-campana-channel': 'temporal-ui' } })).body.code).toBe('channel_unknown');
    const done = await tap({ headers: { 'x-campana-channel': 'cli' } });
    expect(done.body.resolved).toMatchObject({ by: 'ana', channel: 'cli', option: 'decline' });
  });
});

describe('controls', () => {
  it('pauses, resumes and cancels, each answered at once and put into the outbox', async () => {
    const { run } = await seedRun(api);
    for (const [action, state] of [
      ['pause', 'paused'],
      ['resume', 'ready'],
      ['cancel', 'stopping'],
    ] as const) {
      const answer = await api.call('POST', `/v1/runs/${run}/${action}`, { body: { reason: 'prueba' } });
      expect(answer.status).toBe(202);
      expect(answer.body.state).toBe(state);
    }
    expect((await api.call('POST', `/v1/runs/${run}/pause`)).body.code).toBe('run_stopping');
    const signals = await api.pool.query(`select count(*)::int as n from outbox where run_id = $1 and kind = 'signal'`, [run]);
    expect(signals.rows[0].n).toBeGreaterThanOrEqual(3);
  });
  it('says what a replan would do before doing it', async () => {
    const { run } = await seedRun(api);
    const dry = await api.call('POST', `/v1/runs/${run}/replan?dry_run=true`, { body: { cuentas: 5 }, key: null });
    expect(dry).toMatchObject({ status: 200, body: { dry_run: true, plan_version: 1 } });
    const done = await api.call('POST', `/v1/runs/${run}/replan`, { body: { cuentas: 5 } });
    expect(done).toMatchObject({ status: 202, body: { dry_run: false, plan_version: 2 } });
  });
});

describe('health', () => {
  it('is ready only with everything a campaign needs, and says what is missing', async () => {
    const without = await api.call('GET', '/healthz', { token: null });
    expect(without.status).toBe(503);
    expect(without.body).toMatchObject({
      alive: true,
      ready: false,
      parts: { database: { ok: true }, temporal: { ok: false }, tools: { ok: false } },
    });
    const tools = createServer((_request, response) => response.writeHead(401).end()).listen(0, '127.0.0.1');
    await once(tools, 'listening');
    const whole = await startApi({
      temporal: fakeTemporal().client,
      env: { TOOLS_URL: `http://127.0.0.1:${(tools.address() as AddressInfo).port}/mcp` },
    });
    const answer = await until(async () => {
      const health = await whole.call('GET', '/healthz', { token: null });
      return health.body.ready && health;
    });
    expect(answer.status).toBe(200);
    await whole.stop();
    tools.close();
  });
  it('counts what an operator would ask', async () => {
    const { text } = await api.call('GET', '/metrics', { token: null });
    for (const name of [
      'campana_runs{state="ready"}',
      'campana_outbox_pending',
      'campana_effects_unconfirmed 0',
      'campana_http_request_seconds_count',
      'campana_run_idle_ms',
    ])
      expect(text).toContain(name);
    expect(text).not.toMatch(/ws_a|run_01/);
  });
});
