import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAID, READ, TestKitchen, type Caller, type CompanyPage, type PeoplePage, type Usage } from './harness.js';
import { until } from '../support/until.js';

let kitchen: TestKitchen;
beforeAll(async () => {
  kitchen = await TestKitchen.start();
});
afterAll(() => kitchen.stop());

const PACKAGING = { activity: 'empaque', state: 'Jalisco' };
const args = (n: number): Record<string, unknown> => ({
  person_id: `per-${String(n).padStart(6, '0')}`,
  quote_id: 'q',
  max_credits: 1,
  idempotency_key: `key-${n}`,
});
const credits = async (caller: Caller): Promise<number> => (await caller.get<Usage>('usage')).balances.credits;
const clear = (): Promise<unknown> => kitchen.control('DELETE', '/faults');
/** How many calls a fault holds. */
const holding = async (id: string): Promise<number> => {
  const { faults } = await kitchen.control<{ faults: { id: string; holding: unknown[] }[] }>('GET', '/faults');
  return faults.find((f) => f.id === id)?.holding.length ?? 0;
};

describe('replies that do not come', () => {
  it('loses the reply after the charge: the effect is there and the key reads it back', async () => {
    const caller = await kitchen.fresh(0);
    await kitchen.fault({ kind: 'lost_reply_after_effect', tool: 'people_reveal', times: 1 });
    await expect(caller.call('people_reveal', args(1))).rejects.toThrow();
    expect(await credits(caller)).toBe(499);
    const { acquired } = await caller.get<{ acquired: { key: string }[] }>('people_acquired', { person_ids: ['per-000001'] });
    expect(acquired.map((a) => a.key)).toEqual(['key-1']);
    expect((await caller.call('people_reveal', args(1))).ok).toBe(true);
    const log = await kitchen.log('ws_0', 'people_reveal');
    expect(log.charges).toHaveLength(1);
    expect(log.calls.map((c) => [c.outcome, c.delivery, c.key])).toEqual([
      ['ok', 'destroyed', 'key-1'],
      ['ok', 'sent', 'key-1'],
    ]);
  });
  it('loses the reply before the charge: nothing happened', async () => {
    const caller = await kitchen.fresh(1);
    await kitchen.fault({ kind: 'lost_reply_before_effect', tool: 'people_reveal', times: 1 });
    await expect(caller.call('people_reveal', args(2))).rejects.toThrow();
    expect(await credits(caller)).toBe(500);
    expect((await kitchen.log('ws_1', 'people_reveal')).charges).toEqual([]);
  });
  it('times out with and without the effect', async () => {
    const caller = await kitchen.fresh(2);
    await kitchen.fault({ kind: 'timeout', tool: 'people_reveal', times: 1 });
    await expect(caller.call('people_reveal', args(3), 150)).rejects.toThrow(/timed out/i);
    expect(await credits(caller)).toBe(500);
    await clear();
    await kitchen.fault({ kind: 'timeout', tool: 'people_reveal', effect: true, times: 1 });
    const late = caller.call('people_reveal', args(3), 3_000).catch((error: unknown) => error);
    await until(async () => (await credits(caller)) === 499);
    expect(String(await late)).toMatch(/timed out/i);
    expect(await credits(caller)).toBe(499);
    await clear();
  });
  it('breaks the JSON after the effect, and delivers a reply twice', async () => {
    const caller = await kitchen.fresh(3);
    await kitchen.fault({ kind: 'malformed_json', tool: 'people_reveal', times: 1 });
    const garbled = caller.call('people_reveal', args(4), 3_000).catch((error: unknown) => error);
    await until(async () => (await credits(caller)) === 499);
    expect(await garbled).toBeInstanceOf(Error);
    await clear();
    await kitchen.fault({ kind: 'duplicate_reply', tool: 'company_search', mode: 'both', times: 1 });
    const twice = await caller.get<CompanyPage>('company_search', { ...PACKAGING, limit: 5 });
    expect(twice.companies).toHaveLength(10);
    expect(new Set(twice.companies.map((c) => c.company_id)).size).toBe(5);
    expect((await caller.get<CompanyPage>('company_search', { ...PACKAGING, limit: 5 })).companies).toHaveLength(5);
    await clear();
  });
});

describe('limits', () => {
  it('says 429 as a tool error and as HTTP, and 5xx; none is counted', async () => {
    const caller = await kitchen.fresh(4);
    await kitchen.fault({ kind: 'rate_limit', tool: 'people_search', retry_after_ms: 700, times: 1 });
    const limited = await caller.call('people_search', { company_id: 'emp-000004', role: 'compras' });
    expect(limited.error).toMatchObject({ code: 'rate_limited', retry_after_ms: 700, counted: false });
    await kitchen.fault({ kind: 'http_429', tool: 'people_search', retry_after_s: 3, times: 1 });
    const raw = await fetch(kitchen.running.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer any-kind-of-token-4' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 9,
        method: 'tools/call',
        params: { name: 'people_search', arguments: { company_id: 'emp-000004', role: 'compras' } },
      }),
    });
    expect([raw.status, raw.headers.get('retry-after')]).toEqual([429, '3']);
    await kitchen.fault({ kind: 'http_5xx', tool: 'people_search', status: 502, times: 1 });
    await expect(caller.call('people_search', { company_id: 'emp-000004', role: 'compras' })).rejects.toThrow(/502/);
    expect((await caller.get<Usage>('usage')).balances.queries).toBe(10_000);
    expect((await caller.call('people_search', { company_id: 'emp-000004', role: 'compras' })).ok).toBe(true);
    await clear();
  });
  it('holds a real limit of calls at once', async () => {
    const caller = await kitchen.fresh(5);
    const id = await kitchen.fault({ kind: 'hold', tool: 'people_search' });
    await kitchen.fault({ kind: 'limit', tool: 'people_search', concurrency: 3 });
    const asked = Promise.all(Array.from({ length: 8 }, () => caller.call('people_search', { company_id: 'emp-000004', role: 'compras' })));
    await until(async () => (await holding(id)) === 8);
    await kitchen.control('POST', '/release', { fault_id: id, count: 8 });
    const answers = await asked;
    expect(answers.filter((a) => a.ok)).toHaveLength(3);
    expect(answers.filter((a) => a.code === 'rate_limited')).toHaveLength(5);
    const { tools } = await kitchen.control<{ tools: Record<string, { received: number; ok: number }> }>('GET', '/counters?workspace=ws_5');
    expect(tools['people_search']).toMatchObject({ received: 8, ok: 3, errors: 5, in_flight: 0, max_in_flight: 8 });
    await clear();
  });
});

describe('selectors', () => {
  it('stops exactly at the third reveal until released', async () => {
    const caller = await kitchen.fresh(6);
    const id = await kitchen.fault({ kind: 'hold', tool: 'people_reveal', workspace: 'ws_6', after: 2 });
    await caller.call('people_reveal', args(10));
    await caller.call('people_reveal', args(11));
    const third = caller.call('people_reveal', args(12));
    await until(async () => (await holding(id)) === 1);
    expect(await credits(caller)).toBe(498);
    expect((await kitchen.log('ws_6', 'people_reveal')).calls.map((c) => c.outcome)).toEqual(['ok', 'ok', 'in_flight']);
    expect(await kitchen.control('POST', '/release', { fault_id: id, count: 1 })).toEqual({ released: 1 });
    expect((await third).ok).toBe(true);
    const fourth = caller.call('people_reveal', args(13));
    await until(async () => (await holding(id)) === 1);
    await clear();
    expect((await fourth).ok).toBe(true);
  });
  it('meets one contact only, and draws by seed the same way every time', async () => {
    const caller = await kitchen.fresh(7);
    await kitchen.fault({ kind: 'rate_limit', tool: '*', match: { person_id: 'per-000021' } });
    expect((await caller.call('people_reveal', args(20))).ok).toBe(true);
    expect((await caller.call('people_reveal', args(21))).code).toBe('rate_limited');
    await clear();
    const draw = async (): Promise<string> => {
      await kitchen.fault({ id: 'draw', kind: 'rate_limit', tool: 'usage', probability: 0.5, seed: 42 });
      let seen = '';
      for (let i = 0; i < 20; i++) seen += (await caller.call('usage')).ok ? '.' : 'x';
      return seen;
    };
    const first = await draw();
    expect(await draw()).toBe(first);
    expect(first).toMatch(/x/);
    expect(first).toMatch(/\./);
    await clear();
  });
});

describe('a provider that changes', () => {
  it('moves price and balance under a call', async () => {
    const caller = await kitchen.fresh(8);
    await kitchen.fault({ kind: 'changed_price', tool: 'people_reveal', min: 4, times: 1 });
    expect((await caller.call('people_reveal', args(30))).code).toBe('price_changed');
    await kitchen.fault({ kind: 'changed_balance', tool: 'people_quote', credits: 3, times: 1 });
    const quote = await caller.get<{ prices: { credits: number }[] }>('people_quote', { person_ids: ['per-000030'] });
    expect([quote.prices[0]?.credits, await credits(caller)]).toEqual([4, 3]);
    expect((await caller.call('people_reveal', { ...args(30), max_credits: 9 })).code).toBe('insufficient_credits');
    await clear();
  });
  it('loses a tool, and the read-back', async () => {
    const caller = await kitchen.connect(READ);
    await kitchen.fault({ kind: 'tool_missing', tool: 'people_quote' });
    expect((await caller.client.listTools()).tools.map((t) => t.name)).not.toContain('people_quote');
    expect((await caller.call('people_quote', { person_ids: ['per-000001'] })).code).toBe('tool_not_found');
    await kitchen.fault({ kind: 'no_read_back' });
    expect((await caller.call('people_acquired')).code).toBe('read_back_unavailable');
    await clear();
    expect((await caller.call('people_acquired')).ok).toBe(true);
    expect((await caller.client.listTools()).tools.map((t) => t.name)).toContain('people_quote');
  });
  it('writes hostile names and nothing else changes', async () => {
    const caller = await kitchen.connect(PAID);
    const plain = await caller.get<CompanyPage>('company_search', PACKAGING);
    await kitchen.fault({ kind: 'hostile_text', tool: 'company_search' });
    const hostile = await caller.get<CompanyPage>('company_search', PACKAGING);
    expect(hostile.companies.map((c) => c.company_id)).toEqual(plain.companies.map((c) => c.company_id));
    expect(hostile.companies.every((c, i) => c.name !== plain.companies[i]?.name)).toBe(true);
    const names = new Set<string>();
    for (let cursor: string | null = null; ;) {
      const page: CompanyPage = await caller.get('company_search', { ...PACKAGING, ...(cursor ? { cursor } : {}) });
      for (const c of page.companies) names.add(c.name);
      cursor = page.next_cursor;
      if (cursor === null) break;
    }
    expect([...names].some((n) => n.length === 10_000)).toBe(true);
    expect([...names].some((n) => n.includes('<script>'))).toBe(true);
    // They can be saved like any other name.
    const companies = [...names].map((name, i) => ({ company_id: `hostile-${i}`, name, rfc: null, domain: null }));
    expect(await caller.get('crm_save_companies', { client_key: 'hostile', companies })).toMatchObject({ saved: names.size });
    await clear();
  });
});

describe('control', () => {
  it('answers nobody without its token, and is not a tool', async () => {
    const url = kitchen.running.controlUrl ?? '';
    expect((await fetch(`${url}/faults`)).status).toBe(401);
    expect((await fetch(`${url}/faults`, { headers: { authorization: `Bearer ${PAID}` } })).status).toBe(401);
    await expect(kitchen.control('POST', '/faults', { kind: 'nonsense' })).rejects.toThrow(/400/);
    await expect(kitchen.control('GET', '/nothing')).rejects.toThrow(/404/);
    const quiet = await TestKitchen.start({ controlToken: undefined });
    try {
      expect(quiet.running.controlUrl).toBeNull();
    } finally {
      await quiet.stop();
    }
  });
  it('resets one workspace', async () => {
    const caller = await kitchen.fresh(9);
    await caller.call('people_reveal', args(40));
    await caller.get<PeoplePage>('people_search', { company_id: 'emp-000004', role: 'compras' });
    expect(await kitchen.control('POST', '/reset', { workspace: 'ws_9' })).toMatchObject({ credits: 500, queries: 10_000 });
    expect(await kitchen.log('ws_9', 'people_reveal')).toEqual({ calls: [], charges: [] });
    expect(await caller.get('people_acquired')).toMatchObject({ total: 0 });
    expect(
      (await caller.get<{ rows: unknown[] }>('collection_query', { op: 'query', collection: 'pipeline', limit: 100 })).rows,
    ).toHaveLength(40);
  });
});
