import assert from 'node:assert/strict';
import { freshCard, option } from '../api.js';
import type { Scenario } from '../scenario.js';

/** The provider changes its price between a card and its tap: nothing is charged and the fresh card says the new price. */
export const priceBeforeTap: Scenario = {
  name: 'price-before-tap',
  covers: '4',
  invariants: ['I4'],
  async run(world) {
    const run = await world.start({ cuentas: 20 });
    const start = await world.api.card(run, 'ajustar_presupuesto');
    await world.kitchen.price(1, 3);
    const dearer = freshCard(await world.api.tap(start, { option: 'all' }), 409, 'price_changed');
    assert.equal(dearer.price.unit_max, 3);
    assert.equal(option(dearer, 'all').totals.credits, 60);
    await world.api.approve(dearer, { option: 'all' });
    await world.api.approve(await world.api.card(run, 'guardar_en_crm'), { option: 'approve' });

    const reveal = await world.api.card(run, 'revelar_contactos');
    await world.kitchen.price(2);
    const fresh = freshCard(await world.api.tap(reveal, { option: 'all' }), 409, 'price_changed');
    const all = option(fresh, 'all');
    assert.equal(all.totals.credits, 2 * all.n);
    assert.deepEqual([...new Set((await world.api.decision(fresh.id)).items.map((i) => i.price))], [2]);
    assert.equal((await world.kitchen.calls('people_reveal')).length, 0);
    assert.equal((await world.api.balances()).credits.held, 0);
    assert.equal((await world.api.decision(reveal.id)).state, 'superseded');
    await world.api.approve(fresh, { option: 'all' });
    const end = await world.api.ended(run);
    assert.equal(end.budget.credits.spent, 2 * end.contacts.captured);
  },
};

/** The same for the balance: it falls between the card and the tap. */
export const balanceBeforeTap: Scenario = {
  name: 'balance-before-tap',
  covers: '4',
  invariants: ['I2', 'I4'],
  async run(world) {
    const run = await world.start({ cuentas: 20 });
    const start = await world.api.card(run, 'ajustar_presupuesto');
    await world.kitchen.balance(100);
    const first = freshCard(await world.api.tap(start, { option: 'all' }), 409, 'balance_changed');
    assert.equal(first.balance.credits, 100);
    await world.api.approve(first, { option: 'all' });
    await world.api.approve(await world.api.card(run, 'guardar_en_crm'), { option: 'approve' });
    const reveal = await world.api.card(run, 'revelar_contactos');
    await world.kitchen.balance(7);
    const fresh = freshCard(await world.api.tap(reveal, { option: 'all' }), 409, 'balance_changed');
    assert.equal(option(fresh, 'fit_n').n, 7);
    assert.equal((await world.kitchen.calls('people_reveal')).length, 0);
    await world.api.approve(fresh, { option: 'fit_n' });
    assert.equal((await world.api.ended(run)).budget.credits.spent, 7);
  },
};

/** The price rises between the tap and the call: the provider refuses, the hold goes back, and those contacts are offered anew. */
export const priceAfterTap: Scenario = {
  name: 'price-after-tap',
  covers: '4',
  invariants: ['I1', 'I3', 'I4'],
  async run(world, rng) {
    await world.lanes(1);
    const { run, card } = await world.toReveal({ cuentas: 20 });
    const all = option(card, 'all');
    const before = rng.int(3, all.n - 3);
    await world.kitchen.fault({ kind: 'changed_price', tool: 'people_reveal', after: before, times: 1, min: 2, max: 2 });
    await world.api.approve(card, { option: 'all' });
    const fresh = await world.api.card(run, 'revelar_contactos', card.id);
    assert.equal(fresh.items_total, all.n - before);
    assert.deepEqual([...new Set(fresh.items.map((i) => i.price))], [2]);
    const p = await world.api.progress(run);
    assert.deepEqual([p.budget.credits.spent, p.budget.credits.held], [before, 0]);
    const lot = fresh.options.find((o) => o.id === 'all' || o.id === 'fit_n');
    assert.ok(lot);
    await world.api.approve(fresh, { option: lot.id as 'all' });
    const end = await world.api.ended(run);
    assert.equal(end.budget.credits.spent, before + lot.totals.credits);
    assert.ok(end.budget.credits.spent <= (end.budget.credits.plan_max ?? 0));
  },
};
