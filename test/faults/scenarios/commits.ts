import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { option } from '../api.js';
import { cutProxy } from '../cut-proxy.js';
import { eventually } from '../kitchen.js';
import type { Scenario } from '../scenario.js';

const STORES_OUTCOME = 'update decisions set state = $2, outcome = $3';

/** The API commits a tap and never hears of it; whatever it does then, and dying is one thing, the same key gets the one outcome. */
const lostInTap = (name: string, dies: boolean): Scenario => ({
  name,
  covers: dies ? '8' : 'matrix',
  invariants: ['I1', 'I3', 'I4', 'I6', 'I9'],
  async run(world) {
    const direct = world.stack.databases.campana;
    let armed = false;
    const proxy = await cutProxy(direct, (sent) => armed && sent.includes(STORES_OUTCOME) && !(armed = false));
    try {
      const { run, card } = await world.toReveal({ cuentas: 20 });
      // Fresh connections send the text of a statement, by which the tap's transaction is known.
      await world.restart('api', { DATABASE_URL: proxy.url });
      const { api } = world.stack.pids;
      armed = true;
      const key = randomUUID();
      const first = world.api.tap(card, { option: 'all' }, { key }).catch(() => null);
      await eventually('the commit went through and its answer was cut', async () => proxy.cuts() === 1);
      if (dies) await world.kill('api');
      const heard = await first;
      if (!dies) assert.equal(world.stack.pids.api, api, 'a lost connection ends no process');
      world.say(`after the cut the tap was ${heard === null ? 'not answered' : `answered ${heard.status}`}`);
      assert.equal((await world.rows(`select 1 from decisions where id = $1 and state = 'approved'`, [card.id])).length, 1);
      await world.restart('api', { DATABASE_URL: direct });
      const again = await world.api.tap(card, { option: 'all' }, { key });
      assert.equal(again.status, 200, JSON.stringify(again.body));
      if (heard?.status === 200) assert.deepEqual(again.body, heard.body);
      else assert.ok(heard === null || heard.status === 503, JSON.stringify(heard?.body));
      const end = await world.api.ended(run);
      assert.equal(end.contacts.captured, option(card, 'all').n);
      assert.equal(end.budget.credits.spent, option(card, 'all').n);
    } finally {
      await world.restart('api', { DATABASE_URL: direct });
      await proxy.close();
    }
  },
});
export const tapAckLost = lostInTap('commit-ack-lost-in-tap', false);
export const tapAckLostAndKilled = lostInTap('commit-ack-lost-api-dies', true);

const CUTS = 8;
/** The worker loses answers to its commits here and there: bodies run twice and nothing counts twice. */
export const workerAckLost: Scenario = {
  name: 'commit-ack-lost-in-lanes',
  covers: 'matrix',
  invariants: ['I1', 'I3', 'I8', 'I12'],
  async run(world, rng) {
    const direct = world.stack.databases.campana;
    let left = CUTS;
    const proxy = await cutProxy(direct, () => left > 0 && rng.chance(0.06) && left-- > 0);
    try {
      await world.restart('worker', { DATABASE_URL: proxy.url });
      const { worker } = world.stack.pids;
      const run = await world.automatic();
      const end = await world.api.ended(run);
      world.say(`${proxy.cuts()} answers to COMMIT were lost`);
      assert.ok(proxy.cuts() >= 1);
      assert.equal(world.stack.pids.worker, worker, 'a lost connection ends no process');
      // A search whose outcome was committed unheard may be given out again, like after a death.
      world.deaths += 1;
      assert.deepEqual([end.counts.done, end.counts.not_found, end.contacts.captured, end.contacts.drafted], [47, 3, 47, 47]);
      assert.deepEqual([end.budget.credits.spent, end.budget.credits.held], [47, 0]);
    } finally {
      await world.restart('worker', { DATABASE_URL: direct });
      await proxy.close();
    }
  },
};
