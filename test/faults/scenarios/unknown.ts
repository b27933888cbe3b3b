import assert from 'node:assert/strict';
import { option } from '../api.js';
import { eventually } from '../kitchen.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

const LOST = 3;
/** The schedule of read-backs that the stack is started with. */
const SPAN_MS = 2_000;
const settledBy = (world: World, state: string): Promise<Array<{ settled_by: string | null }>> =>
  world.rows(`select settled_by from effects where workspace_id = $1 and kind = 'people_reveal' and state = $2`, [world.workspace, state]);
const revealsPerKey = async (world: World): Promise<number[]> => {
  const counts = new Map<string, number>();
  for (const c of await world.kitchen.calls('people_reveal')) counts.set(c.key ?? '', (counts.get(c.key ?? '') ?? 0) + 1);
  return [...counts.values()];
};

/** The provider charges and its reply is lost; it ignores keys: the truth is read back, and nothing is sent twice. */
export const ignoresKeys: Scenario = {
  name: 'lost-reply-keys-ignored',
  covers: '7a',
  invariants: ['I1', 'I3', 'I5'],
  async run(world, rng) {
    await world.kitchen.honoursKeys(false);
    await world.kitchen.fault({ kind: 'lost_reply_after_effect', tool: 'people_reveal', after: rng.int(0, 8), times: LOST });
    const run = await world.automatic({ cuentas: 20 });
    const end = await world.api.ended(run);
    assert.equal(end.contacts.unconfirmed, 0);
    assert.equal(end.contacts.captured, end.counts.done);
    assert.equal(end.budget.credits.spent, end.counts.done);
    assert.equal((await settledBy(world, 'captured')).filter((e) => e.settled_by === 'read_back').length, LOST);
    assert.ok((await revealsPerKey(world)).every((n) => n === 1));
  },
};

/** The same where keys are honoured: one re-send under the same key may serve as the read-back. */
export const honoursKeys: Scenario = {
  name: 'lost-reply-keys-honoured',
  covers: '7b',
  invariants: ['I1', 'I3', 'I5'],
  async run(world, rng) {
    await world.kitchen.honoursKeys(true);
    await world.kitchen.fault({ kind: 'lost_reply_after_effect', tool: 'people_reveal', after: rng.int(0, 8), times: LOST });
    // The reading fails too, so that the re-send is what tells.
    await world.kitchen.fault({ kind: 'no_read_back' });
    const run = await world.automatic({ cuentas: 20 });
    const end = await world.api.ended(run);
    assert.equal(end.contacts.captured, end.counts.done);
    assert.equal(end.budget.credits.spent, end.counts.done);
    assert.equal((await settledBy(world, 'captured')).filter((e) => e.settled_by === 'resend').length, LOST);
    assert.deepEqual(
      (await revealsPerKey(world)).filter((n) => n > 1),
      Array.from({ length: LOST }, () => 2),
    );
  },
};

/** The call got lost before it did anything: three times no frees the hold, and the contacts are offered again, under new keys. */
export const neverHappened: Scenario = {
  name: 'lost-before-effect',
  covers: '7c',
  invariants: ['I1', 'I3', 'I4'],
  async run(world) {
    await world.kitchen.honoursKeys(false);
    const { run, card } = await world.toReveal({ cuentas: 20 });
    const all = option(card, 'all');
    await world.kitchen.fault({ kind: 'lost_reply_before_effect', tool: 'people_reveal', times: LOST });
    // Nobody is told anything before it was seen that nobody knows.
    const reading = await world.kitchen.fault({ kind: 'hold', tool: 'people_acquired' });
    await world.api.approve(card, { option: 'all' });
    const waiting = await world.api.until(run, 'unknown outcomes', (p) => p.contacts.unconfirmed === LOST);
    assert.equal(waiting.budget.credits.held, LOST + (all.n - LOST - waiting.contacts.captured));
    await world.kitchen.clear(reading);
    const fresh = await world.api.card(run, 'revelar_contactos', card.id);
    assert.equal(fresh.items_total, LOST);
    const before = await world.api.progress(run);
    assert.deepEqual([before.contacts.unconfirmed, before.budget.credits.held, before.budget.credits.spent], [0, 0, all.n - LOST]);
    const lost = await world.rows<{ reads: Array<{ said: string; at: string }> }>(
      `select reads from effects where workspace_id = $1 and state = 'voided'`,
      [world.workspace],
    );
    assert.equal(lost.length, LOST);
    for (const { reads } of lost) {
      assert.ok(reads.length >= 3 && reads.every((r) => r.said === 'no'), JSON.stringify(reads));
      assert.ok(Date.parse(reads.at(-1)?.at ?? '') - Date.parse(reads[0]?.at ?? '') >= SPAN_MS);
    }
    await world.api.approve(fresh, { option: 'all' });
    const end = await world.api.ended(run);
    assert.equal(end.contacts.captured, all.n);
    assert.equal(end.budget.credits.spent, all.n);
    assert.ok((await revealsPerKey(world)).every((n) => n === 1));
  },
};

/** Ends a run with reveals that nobody can read back: it says so, and their holds stay. */
const unreadable = async (world: World, fault: 'lost_reply_after_effect' | 'lost_reply_before_effect'): Promise<string> => {
  await world.kitchen.honoursKeys(false);
  await world.kitchen.fault({ kind: 'no_read_back' });
  await world.kitchen.fault({ kind: fault, tool: 'people_reveal', times: LOST });
  const run = await world.automatic({ cuentas: 20 });
  const end = await world.api.ended(run);
  assert.equal(end.state, 'completed_partial');
  assert.equal(end.contacts.unconfirmed, LOST);
  assert.equal(end.budget.credits.held, LOST);
  assert.equal((await world.api.balances()).credits.held, LOST);
  const unknown = (await world.api.items(run)).filter((i) => i.contact?.state === 'unconfirmed');
  assert.equal(unknown.length, LOST);
  for (const item of unknown) assert.equal(item.exit, 'exit.wait_or_operator');
  assert.deepEqual(
    (await world.api.receipt(run)).missing.filter((m) => m.reason === 'unconfirmed').map((m) => m.count),
    [LOST],
  );
  const listed = await world.api.ops(run);
  assert.equal(listed.open_effects.length, LOST);
  assert.ok(listed.open_effects.every((e) => e.needs_operator && e.state === 'unconfirmed'));
  await world.kitchen.clear();
  return run;
};

/** Nobody can be asked: it waits for an operator, who says it happened. */
export const operatorCaptures: Scenario = {
  name: 'no-read-back-captured',
  covers: '7d',
  invariants: ['I1', 'I3', 'I5'],
  async run(world) {
    const run = await unreadable(world, 'lost_reply_after_effect');
    const spent = (await world.api.progress(run)).budget.credits.spent;
    const refused = await world.api.call('POST', `/v1/ops/runs/${run}/settle-unconfirmed`, { reason: 'looked at the provider' });
    assert.equal(refused.status, 422);
    const done = await world.api.send<{ changed: number }>('POST', `/v1/ops/runs/${run}/settle-unconfirmed`, {
      reason: 'the provider lists them',
      outcome: 'captured',
    });
    assert.equal(done.changed, LOST);
    const after = await world.api.progress(run);
    assert.deepEqual([after.contacts.unconfirmed, after.budget.credits.held, after.budget.credits.spent], [0, 0, spent + LOST]);
    const again = await world.api.send<{ changed: number }>('POST', `/v1/ops/runs/${run}/settle-unconfirmed`, {
      reason: 'once more',
      outcome: 'captured',
    });
    assert.equal(again.changed, 0);
  },
};

/** … or that it did not; what the provider does not have cannot be called captured. */
export const operatorVoids: Scenario = {
  name: 'no-read-back-voided',
  covers: '7d',
  invariants: ['I1', 'I3', 'I5'],
  async run(world) {
    const run = await unreadable(world, 'lost_reply_before_effect');
    const { spent } = (await world.api.progress(run)).budget.credits;
    const untrue = await world.api.call<{ code: string }>('POST', `/v1/ops/runs/${run}/settle-unconfirmed`, {
      reason: 'a guess',
      outcome: 'captured',
    });
    assert.deepEqual([untrue.status, untrue.body.code], [409, 'provider_does_not_have_it']);
    const [effect] = (await world.api.ops(run)).open_effects;
    await world.api.send('POST', `/v1/ops/runs/${run}/settle-unconfirmed`, {
      reason: 'one of them',
      outcome: 'voided',
      effect_id: effect?.effect_id,
    });
    assert.equal((await world.api.progress(run)).budget.credits.held, LOST - 1);
    await world.api.send('POST', `/v1/ops/runs/${run}/settle-unconfirmed`, { reason: 'the others', outcome: 'voided' });
    await eventually('nothing held', async () => (await world.api.balances()).credits.held === 0);
    const after = await world.api.progress(run);
    assert.deepEqual([after.contacts.unconfirmed, after.budget.credits.held, after.budget.credits.spent], [0, 0, spent]);
  },
};
