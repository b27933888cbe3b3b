import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Decision } from '../../../contracts/decision.js';
import { option } from '../api.js';
import { eventually } from '../kitchen.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

const TAPS = 50;

/** Fifty taps at once under different keys, two outcomes among them: one wins, and every reply tells that same one. */
export const crowd: Scenario = {
  name: 'fifty-taps',
  covers: '5',
  invariants: ['I4', 'I6'],
  async run(world, rng) {
    const { run, card } = await world.toReveal({ cuentas: 20 });
    const bodies = Array.from({ length: TAPS }, () =>
      rng.chance(0.5) ? { option: 'all' as const } : { option: 'decline' as const, then: 'skip' as const },
    );
    assert.ok(new Set(bodies.map((b) => b.option)).size === 2);
    const answers = await Promise.all(bodies.map((body) => world.api.tap(card, body)));
    const stored = await world.api.decision(card.id);
    assert.ok(stored.resolved);
    for (const [i, answer] of answers.entries()) {
      if (bodies[i]?.option === stored.resolved.option) {
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        assert.deepEqual(answer.body.resolved, stored.resolved);
      } else {
        assert.equal(answer.status, 409, JSON.stringify(answer.body));
        assert.equal(answer.body.code, 'already_resolved');
        assert.deepEqual((answer.body.decision as Decision).resolved, stored.resolved);
      }
    }
    const end = await world.api.ended(run);
    assert.equal(end.budget.credits.spent, stored.resolved.option === 'all' ? option(card, 'all').totals.credits : 0);
    const audited = await world.rows(
      `select 1 from audit where workspace_id = $1 and action in ('decision.approved', 'decision.declined') and detail ->> 'decision_id' = $2`,
      [world.workspace, card.id],
    );
    assert.equal(audited.length, 1);
  },
};

/** Worker and Temporal are gone: the tap is answered 200 and stored, and does its work once they are back. Once. */
export const nobodyThere: Scenario = {
  name: 'tap-with-nobody-there',
  covers: '6',
  invariants: ['I4', 'I6', 'I9'],
  async run(world) {
    const { run, card } = await world.toReveal({ cuentas: 20 });
    await world.kill('worker');
    await world.kill('temporal');
    const key = randomUUID();
    const answer = await world.api.tap(card, { option: 'all' }, { key });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const again = await world.api.tap(card, { option: 'all' }, { key });
    assert.deepEqual(again.body, answer.body);
    assert.equal((await world.api.decision(card.id)).state, 'approved');
    assert.equal((await world.api.balances()).credits.held, option(card, 'all').totals.credits);
    assert.ok((await world.api.ops(run)).outbox_pending >= 1, 'the wake-up waits in the outbox');
    await world.restart('temporal');
    await world.restart('worker');
    const end = await world.api.ended(run);
    assert.equal(end.contacts.captured, option(card, 'all').n);
    const effects = await world.rows(`select 1 from effects where workspace_id = $1 and kind = 'people_reveal'`, [world.workspace]);
    assert.equal(effects.length, option(card, 'all').n);
    await eventually('every wake-up delivered', async () => (await world.api.ops(run)).outbox_pending === 0);
  },
};

/** Kills the API some milliseconds after a tap was sent, then repeats the tap with its key: the same outcome, stored once. */
const tapAndKill = async (world: World, card: Decision, body: { option: 'all' | 'approve' }, afterMs: number): Promise<void> => {
  const key = randomUUID();
  const first = world.api.tap(card, body, { key }).catch(() => null);
  // The moment itself is what is tried here: before, in and after the transaction.
  await sleep(afterMs);
  await world.kill('api');
  const heard = await first;
  await world.restart('api');
  const again = await world.api.tap(card, body, { key });
  assert.equal(again.status, 200, JSON.stringify(again.body));
  assert.equal(again.body.resolved?.option, body.option);
  if (heard?.status === 200) assert.deepEqual(again.body, heard.body);
  world.say(`API killed ${afterMs} ms after the tap; it had ${heard === null ? 'not answered' : `answered ${heard.status}`}`);
};

export const apiKilled: Scenario = {
  name: 'api-killed-in-tap',
  covers: '8',
  invariants: ['I4', 'I6', 'I9'],
  async run(world, rng) {
    const run = await world.start({ cuentas: 20 });
    await tapAndKill(world, await world.api.card(run, 'ajustar_presupuesto'), { option: 'all' }, rng.int(0, 15));
    await tapAndKill(world, await world.api.card(run, 'guardar_en_crm'), { option: 'approve' }, rng.int(5, 30));
    const reveal = await world.api.card(run, 'revelar_contactos');
    await tapAndKill(world, reveal, { option: 'all' }, rng.int(15, 60));
    const end = await world.api.ended(run);
    assert.equal(end.contacts.captured, option(reveal, 'all').n);
  },
};

/** The reply is cut at the worst moment for certain: the commit is seen in the database while the API is stopped, and then it dies. */
export const apiKilledAfterCommit: Scenario = {
  name: 'api-killed-after-commit',
  covers: '8',
  invariants: ['I4', 'I6', 'I9'],
  async run(world) {
    const { run, card } = await world.toReveal({ cuentas: 20 });
    const key = randomUUID();
    let answered = false;
    const first = world.api.tap(card, { option: 'all' }, { key }).then(
      (a) => {
        answered = true;
        return a;
      },
      () => null,
    );
    const stored = eventually(
      'the outcome in the database',
      async () => (await world.rows(`select 1 from decisions where id = $1 and state = 'approved'`, [card.id])).length > 0,
    );
    await stored;
    await world.kill('api');
    await first;
    world.say(`API killed after the commit; the reply had ${answered ? '' : 'not '}left`);
    await world.restart('api');
    const again = await world.api.tap(card, { option: 'all' }, { key });
    assert.equal(again.status, 200, JSON.stringify(again.body));
    const otherKey = await world.api.tap(card, { option: 'all' });
    assert.deepEqual(otherKey.body.resolved, again.body.resolved);
    assert.equal((await world.api.ended(run)).contacts.captured, option(card, 'all').n);
  },
};
