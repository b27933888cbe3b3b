import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OTHER, TestKitchen, type Answer, type Caller, type Revealed, type Usage } from './harness.js';

let kitchen: TestKitchen;
beforeAll(async () => {
  kitchen = await TestKitchen.start();
});
afterAll(() => kitchen.stop());

const person = (n: number): string => `per-${String(n).padStart(6, '0')}`;
const reveal = (caller: Caller, n: number, key: string, max = 1): Promise<Answer> =>
  caller.call('people_reveal', { person_id: person(n), quote_id: 'quo-test', max_credits: max, idempotency_key: key });
const credits = async (caller: Caller): Promise<number> => (await caller.get<Usage>('usage')).balances.credits;
const contact = (answer: Answer): Revealed['contact'] => (answer.data as unknown as Revealed).contact;
interface Acquired {
  acquired: { person_id: string; key: string | null; charge_id: string; acquired_at: string; contact: Revealed['contact'] }[];
  total: number;
  next_cursor: string | null;
}

describe('usage and quotes', () => {
  it('reads balances and prices', async () => {
    const caller = await kitchen.fresh(0);
    const usage = await caller.get<Usage>('usage');
    expect(usage.balances).toEqual({ credits: 500, queries: 10_000, inference: 50_000_000 });
    expect(usage.prices.map((p) => [p.kind, p.min, p.max])).toEqual([
      ['credits', 1, 1],
      ['queries', 1, 1],
      ['inference', 4_000, 20_000],
    ]);
  });
  it('prices a list; what is yours costs 0 and a stranger is not available', async () => {
    const caller = await kitchen.fresh(0);
    await reveal(caller, 1, 'q1');
    await kitchen.control('POST', '/prices', { workspace: 'ws_0', min: 2, max: 5 });
    const { prices } = await caller.get<{
      prices: { person_id: string; credits: number; already_acquired: boolean; available: boolean }[];
    }>('people_quote', { person_ids: [1, 2, 3, 999_999].map(person) });
    expect(prices[0]).toMatchObject({ credits: 0, already_acquired: true, available: true });
    expect(prices[3]).toMatchObject({ credits: 0, available: false });
    for (const p of prices.slice(1, 3)) {
      expect(p.credits).toBeGreaterThanOrEqual(2);
      expect(p.credits).toBeLessThanOrEqual(5);
      const done = await caller.get<Revealed>('people_reveal', {
        person_id: p.person_id,
        quote_id: 'q',
        max_credits: p.credits,
        idempotency_key: `q-${p.person_id}`,
      });
      expect(done.contact.credits).toBe(p.credits);
    }
    expect((await caller.get<Usage>('usage')).prices[0]).toMatchObject({ min: 2, max: 5 });
  });
});

describe('reveal, keys honoured', () => {
  it('charges once, gives the same answer to the same key and nothing to pay for what is yours', async () => {
    const caller = await kitchen.fresh(1);
    const first = contact(await reveal(caller, 10, 'a'));
    expect(first).toMatchObject({ person_id: person(10), credits: 1 });
    expect(first.email).toMatch(/@.+\.example$/);
    expect(contact(await reveal(caller, 10, 'a'))).toEqual(first);
    expect(contact(await reveal(caller, 10, 'b'))).toEqual({ ...first, credits: 0 });
    expect((await reveal(caller, 11, 'a')).code).toBe('idempotency_key_reused');
    expect(await credits(caller)).toBe(499);
    expect((await kitchen.log('ws_1', 'people_reveal')).charges).toMatchObject([
      { kind: 'credits', target: person(10), key: 'a', amount: 1 },
    ]);
    const back = await caller.get<Acquired>('people_acquired', { person_ids: [person(10), person(11)] });
    expect(back.acquired).toMatchObject([
      { person_id: person(10), key: 'a', charge_id: first.charge_id, acquired_at: first.acquired_at, contact: first },
    ]);
  });
  it('charges once under twenty calls at the same moment', async () => {
    const caller = await kitchen.fresh(2);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => reveal(caller, 20, i < 10 ? 'same' : `k${i}`)));
    expect(new Set(answers.map((a) => contact(a).charge_id)).size).toBe(1);
    expect((await kitchen.log('ws_2', 'people_reveal')).charges).toHaveLength(1);
    expect(await credits(caller)).toBe(499);
  });
  it('never goes below 0', async () => {
    const caller = await kitchen.fresh(3);
    await kitchen.control('POST', '/balances', { workspace: 'ws_3', credits: 7 });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => reveal(caller, 30 + i, `k${i}`)));
    expect(answers.filter((a) => a.ok)).toHaveLength(7);
    expect(answers.filter((a) => a.code === 'insufficient_credits')).toHaveLength(13);
    expect(await credits(caller)).toBe(0);
    await kitchen.control('POST', '/balances', { workspace: 'ws_3', add: { credits: 5 } });
    expect(await credits(caller)).toBe(5);
  });
  it('refuses a price above the maximum and people nobody knows', async () => {
    const caller = await kitchen.fresh(4);
    await kitchen.control('POST', '/prices', { workspace: 'ws_4', min: 3 });
    const refused = await reveal(caller, 40, 'a', 2);
    expect([refused.code, (refused.error['params'] as Record<string, unknown>)['credits']]).toEqual(['price_changed', 3]);
    expect((await reveal(caller, 40, 'a', 3)).ok).toBe(true);
    expect((await caller.call('people_reveal', { person_id: 'per-x', quote_id: 'q', max_credits: 9, idempotency_key: 'z' })).code).toBe(
      'not_found',
    );
    expect(await credits(caller)).toBe(497);
  });
  it('keeps workspaces apart', async () => {
    const [one, other] = [await kitchen.fresh(5), await kitchen.connect(OTHER)];
    await reveal(one, 50, 'shared-key');
    expect((await other.get<Acquired>('people_acquired', { person_ids: [person(50)] })).total).toBe(0);
    expect(contact(await reveal(other, 50, 'shared-key')).credits).toBe(1);
  });
  it('pages what was acquired', async () => {
    const caller = await kitchen.fresh(6);
    for (let i = 0; i < 7; i++) await reveal(caller, 60 + i, `k${i}`);
    const first = await caller.get<Acquired>('people_acquired', { limit: 5 });
    const rest = await caller.get<Acquired>('people_acquired', { limit: 5, cursor: first.next_cursor });
    expect([...first.acquired, ...rest.acquired].map((a) => a.person_id)).toEqual([60, 61, 62, 63, 64, 65, 66].map(person));
    expect((await caller.call('people_acquired', { cursor: 'x' })).code).toBe('malformed_cursor');
  });
});

describe('reveal, keys ignored', () => {
  it('charges every call, also for what is yours, and the effect log shows it', async () => {
    const caller = await kitchen.fresh(7);
    await kitchen.control('POST', '/settings', { workspace: 'ws_7', honours_idempotency_keys: false });
    expect((await caller.get<Usage>('usage')).honours_idempotency_keys).toBe(false);
    const first = contact(await reveal(caller, 70, 'a'));
    const second = contact(await reveal(caller, 70, 'a'));
    await reveal(caller, 70, 'b');
    expect([first.credits, second.credits]).toEqual([1, 1]);
    expect(second.charge_id).not.toBe(first.charge_id);
    expect(await credits(caller)).toBe(497);
    expect((await kitchen.log('ws_7', 'people_reveal')).charges.map((c) => c.key)).toEqual(['a', 'a', 'b']);
    // Such a provider keeps no key: reading back goes by person and moment.
    const back = await caller.get<Acquired>('people_acquired', { person_ids: [person(70)] });
    expect(back.acquired).toMatchObject([{ key: null, acquired_at: first.acquired_at, charge_id: first.charge_id }]);
  });
});
