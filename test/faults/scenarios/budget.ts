import assert from 'node:assert/strict';
import { freshCard, option } from '../api.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';
import type { Decision } from '../../../contracts/decision.js';

const BALANCE = 32;
const FREE = new Set(['usage']);

/** A campaign of 50 with 32 credits: until its card is there nothing was asked for that costs. */
const shortCard = async (world: World): Promise<{ run: string; card: Decision }> => {
  await world.kitchen.balance(BALANCE);
  const run = await world.start();
  const card = await world.api.card(run, 'ajustar_presupuesto');
  assert.deepEqual(
    [...new Set((await world.kitchen.log()).calls.map((c) => c.tool))].filter((t) => !FREE.has(t)),
    [],
    'nothing was called before the card',
  );
  assert.equal(option(card, 'fit_n').n, BALANCE);
  assert.equal(option(card, 'fit_n').totals.credits, BALANCE);
  assert.equal(card.price.requested_total, 50);
  assert.ok(!card.options.some((o) => o.id === 'all'));
  return { run, card };
};

/** Goes on from an approved start to the end; every card is answered with its whole lot. */
const toEnd = async (world: World, run: string): Promise<number> => {
  await world.api.approve(await world.api.card(run, 'guardar_en_crm'), { option: 'approve' });
  const reveal = await world.api.card(run, 'revelar_contactos');
  const lot = reveal.options.find((o) => o.id === 'all' || o.id === 'fit_n');
  assert.ok(lot);
  assert.equal((await world.kitchen.calls('people_reveal')).length, 0, 'nothing was revealed before its card');
  await world.api.approve(reveal, { option: lot.id as 'all' });
  const end = await world.api.ended(run);
  assert.equal(end.budget.credits.spent, lot.totals.credits);
  assert.equal(end.budget.credits.held, 0);
  assert.equal(end.contacts.captured, lot.n);
  return lot.n;
};

export const fitN: Scenario = {
  name: 'short-fit',
  covers: '2',
  invariants: ['I1', 'I2', 'I3', 'I4'],
  async run(world) {
    const { run, card } = await shortCard(world);
    await world.api.approve(card, { option: 'fit_n' });
    assert.equal(await toEnd(world, run), BALANCE);
    assert.equal((await world.api.balances()).credits.available, 0);
    assert.equal((await world.api.ended(run)).state, 'completed_partial');
  },
};

export const topUp: Scenario = {
  name: 'short-top-up',
  covers: '2',
  invariants: ['I1', 'I2', 'I4'],
  async run(world) {
    const { run, card } = await shortCard(world);
    await world.kitchen.topUp(18);
    await world.api.send('POST', `/v1/runs/${run}/recheck-balance`);
    const fresh = await world.api.card(run, 'ajustar_presupuesto', card.id);
    assert.equal((await world.api.decision(card.id)).superseded_by, fresh.id);
    assert.equal(option(fresh, 'all').n, 50);
    assert.equal(fresh.balance.credits, 50);
    const old = await world.api.tap(card, { option: 'fit_n' });
    assert.ok(freshCard(old, 409, 'card_replaced').id === fresh.id);
    await world.api.approve(fresh, { option: 'all' });
    assert.ok((await toEnd(world, run)) > BALANCE);
  },
};

export const chooseTen: Scenario = {
  name: 'short-choose',
  covers: '2',
  invariants: ['I1', 'I4'],
  async run(world) {
    const { run, card } = await shortCard(world);
    const more = await world.api.tap(card, { option: 'choose', n: BALANCE + 1, shown_total: BALANCE + 1 });
    assert.equal(more.status, 422);
    await world.api.approve(card, { option: 'choose', n: 10, shown_total: 10 });
    const started = await world.api.progress(run);
    assert.equal(started.budget.credits.plan_max, 10);
    assert.equal(started.counts.skipped, 40);
    assert.ok((await toEnd(world, run)) <= 10);
  },
};

export const decline: Scenario = {
  name: 'short-decline',
  covers: '2',
  invariants: ['I1', 'I4', 'I5'],
  async run(world) {
    const { run, card } = await shortCard(world);
    await world.api.approve(card, { option: 'decline' });
    const end = await world.api.ended(run);
    assert.equal(end.state, 'canceled');
    assert.deepEqual([end.budget.credits.spent, end.budget.queries.spent], [0, 0]);
    const { charges, calls } = await world.kitchen.log();
    assert.equal(charges.length, 0);
    assert.deepEqual(
      calls.filter((c) => !FREE.has(c.tool)),
      [],
    );
    assert.deepEqual(
      (await world.api.receipt(run)).decisions.map((d) => d.state),
      ['declined'],
    );
  },
};

/** 40 credits and two cards for 32: one tap wins, the other is told what is left, and both books agree to the credit. */
export const race: Scenario = {
  name: 'race-for-credits',
  covers: '3',
  invariants: ['I2', 'I4'],
  async run(world) {
    await world.kitchen.balance(40);
    const caps = { credits: BALANCE, queries: 100, inference_micros: 0 };
    const [one, two] = await Promise.all([
      world.toReveal({ caps }),
      world.toReveal({ caps, criteria: { giro: 'alimentos', estado: undefined } }),
    ]);
    for (const { card } of [one, two]) assert.equal(option(card, 'fit_n').totals.credits, BALANCE);
    const taps = await Promise.all([one, two].map(async ({ card }) => world.api.tap(card, { option: 'fit_n' })));
    assert.deepEqual(taps.map((t) => t.status).sort(), [200, 409]);
    const lost = taps.findIndex((t) => t.status === 409);
    const loser = [one, two][lost];
    const answer = taps[lost];
    assert.ok(loser && answer);
    const fresh = freshCard(answer, 409, 'balance_changed');
    assert.equal(option(fresh, 'fit_n').n, 8);
    assert.equal(option(fresh, 'fit_n').totals.credits, 8);
    await world.api.approve(fresh, { option: 'fit_n' });
    const ends = await Promise.all([one, two].map(({ run }) => world.api.ended(run)));
    assert.deepEqual(
      ends.map((e) => e.budget.credits.spent).sort((a, b) => a - b),
      [8, BALANCE],
    );
    const { credits } = await world.api.balances();
    assert.deepEqual(credits, { granted: 40, available: 0, held: 0, spent: 40, expired: 0 });
    assert.equal((await world.kitchen.row()).credits, 0);
  },
};
