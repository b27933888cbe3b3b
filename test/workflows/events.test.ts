import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receiptOf } from '../../db/close.js';
import { LONG_MS, World } from './world.js';

/** Events that a history may have, whatever the number of accounts. */
const PARENT = 60;
const PEOPLE_STEP = 90;
const TOTAL = 300;

describe('a campaign takes the same room in Temporal for any number of accounts', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  it.each([50, 500, 5_000])(
    '%i accounts: people step and whole within their budget of events, every count and every query exact',
    async (n) => {
      const balance = { ...world.provider.balances };
      const asked = world.provider.count('people_search');
      const run = await world.automatic({ cuentas: n, hasta: 'personas' });
      const end = await run.ended(LONG_MS);
      const pages = n / 25;
      expect(end).toMatchObject({
        state: 'completed',
        counts: { total: n, done: n, running: 0, pending: 0 },
        budget: { queries: { held: 0, spent: n + pages }, credits: { held: 0, spent: 0 } },
      });
      expect(world.provider.count('people_search') - asked).toBe(n);
      expect(balance.queries - world.provider.balances.queries).toBe(n + pages);
      const [ledger] = await world.rows<{ available: number; held: number }>(
        `select available, held from ledger_accounts where workspace_id = $1 and kind = 'queries'`,
        [world.workspace],
      );
      expect(ledger).toEqual({ available: world.provider.balances.queries, held: 0 });

      const events = await run.histories();
      const total = Object.values(events).reduce((sum, e) => sum + e, 0);
      expect(events['campana']).toBeLessThanOrEqual(PARENT);
      expect(events['s3']).toBeLessThanOrEqual(PEOPLE_STEP);
      expect(total).toBeLessThanOrEqual(TOTAL);
      const { history_events: told } = await receiptOf(world.pool, world.workspace, run.id);
      expect(Math.abs(told.total - total), `the receipt says ${told.total}, there are ${total}`).toBeLessThanOrEqual(10);
      expect(Math.abs(told.people_step - (events['s3'] ?? 0))).toBeLessThanOrEqual(3);
      expect(await world.broken()).toEqual([]);
    },
    600_000,
  );

  it('a whole campaign with contacts and drafts for 500 accounts stays within the budget too', async () => {
    const run = await world.automatic({ cuentas: 500 });
    const end = await run.ended(LONG_MS);
    expect(end).toMatchObject({
      state: 'completed',
      counts: { done: 500 },
      contacts: { captured: 500, drafted: 500 },
      budget: { credits: { spent: 500, held: 0 } },
    });
    const total = Object.values(await run.histories()).reduce((sum, e) => sum + e, 0);
    expect(total).toBeLessThanOrEqual(TOTAL);
    expect(await world.broken()).toEqual([]);
  }, 600_000);
});
