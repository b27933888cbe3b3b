import assert from 'node:assert/strict';
import type { ControlAccepted, ReplanImpact } from '../../../contracts/api.js';
import type { Problem } from '../../../contracts/problem.js';
import { option, searched } from '../api.js';
import { eventually } from '../kitchen.js';
import type { Scenario } from '../scenario.js';
import { CONCURRENCY } from '../world.js';

const BOUGHT = 20;
const OFFERED = 32;

/** Canceled at exactly 20 of 32: what is out comes home, nothing more goes out, and the receipt tells both. */
export const cancelAtTwenty: Scenario = {
  name: 'cancel-at-20-of-32',
  covers: '10',
  invariants: ['I1', 'I4', 'I5'],
  async run(world) {
    await world.lanes(1);
    await world.kitchen.balance(OFFERED);
    const { run, card } = await world.toReveal({ caps: { credits: OFFERED, queries: 100, inference_micros: 0 } });
    assert.equal(option(card, 'fit_n').n, OFFERED);
    const hold = await world.kitchen.fault({ kind: 'hold', tool: 'people_reveal', after: BOUGHT - 1, times: 1 });
    await world.api.approve(card, { option: 'fit_n' });
    await world.kitchen.holds(hold, 1);
    assert.equal((await world.api.progress(run)).contacts.captured, BOUGHT - 1);
    assert.equal((await world.api.send<ControlAccepted>('POST', `/v1/runs/${run}/cancel`, { reason: 'enough' })).state, 'stopping');
    await world.kitchen.release(hold);
    const end = await world.api.ended(run);
    assert.equal(end.state, 'canceled');
    assert.deepEqual([end.contacts.captured, end.budget.credits.spent, end.budget.credits.held], [BOUGHT, BOUGHT, 0]);
    const receipt = await world.api.receipt(run);
    assert.equal(receipt.freed.credits, OFFERED - BOUGHT);
    assert.deepEqual([receipt.contacts.captured, receipt.budget.credits.spent], [BOUGHT, BOUGHT]);
    assert.equal(receipt.missing.find((m) => m.reason === 'canceled')?.count, OFFERED - BOUGHT);
    assert.equal((await world.kitchen.calls('people_reveal')).length, BOUGHT);
    assert.equal((await world.api.balances()).credits.available, OFFERED - BOUGHT);
    const late = await world.api.call<Problem>('POST', `/v1/runs/${run}/resume`);
    assert.deepEqual([late.status, late.body.code], [409, 'run_final']);
  },
};

/** Paused and resumed in the middle of the search: nothing is lost and nothing is asked for twice. */
export const pauseResume: Scenario = {
  name: 'pause-and-resume',
  covers: '10',
  invariants: ['I3', 'I8', 'I9'],
  async run(world, rng) {
    const hold = await world.kitchen.fault({ kind: 'hold', tool: 'people_search', after: rng.int(10, 25) });
    const run = await world.automatic();
    await world.kitchen.holds(hold, CONCURRENCY);
    assert.equal((await world.api.send<ControlAccepted>('POST', `/v1/runs/${run}/pause`)).state, 'paused');
    await world.kitchen.clear(hold);
    await world.api.until(run, 'nothing under way', (p) => p.state === 'paused' && p.counts.running === 0);
    const paused = await world.api.rest(run);
    const asked = (await world.kitchen.calls('people_search')).length;
    const still = await world.api.call('GET', `/v1/runs/${run}/progress?wait=2s`, undefined, {
      headers: { 'if-none-match': `W/"${paused.version}-es-MX"` },
    });
    assert.equal(still.status, 304, 'a paused run does not move');
    assert.equal((await world.kitchen.calls('people_search')).length, asked);
    await world.api.send('POST', `/v1/runs/${run}/resume`);
    assert.ok(searched(await world.api.progress(run)) >= searched(paused));
    const end = await world.api.ended(run);
    assert.deepEqual([end.counts.done, end.counts.not_found, end.contacts.captured], [47, 3, 47]);
    assert.equal((await world.kitchen.calls('people_search')).length, 50);
  },
};

/** Replanned in the middle: said first, then done; what is finished stays. */
export const replanSearch: Scenario = {
  name: 'replan-while-searching',
  covers: '10',
  invariants: ['I1', 'I7', 'I8'],
  async run(world, rng) {
    const hold = await world.kitchen.fault({ kind: 'hold', tool: 'people_search', after: rng.int(8, 16) });
    const run = await world.automatic();
    await world.kitchen.holds(hold, CONCURRENCY);
    const before = await world.api.until(run, 'finished accounts written', (p) => p.counts.running === CONCURRENCY);
    const dry = await world.api.send<ReplanImpact>('POST', `/v1/runs/${run}/replan?dry_run=true`, { cuentas: 30 });
    assert.deepEqual(
      [dry.dry_run, dry.plan_version, dry.kept.chosen, dry.dropped, dry.freed.queries],
      [true, before.plan_version, before.counts.done, 20, 20],
    );
    assert.equal((await world.api.progress(run)).version, before.version, 'a dry run changes nothing');
    const more = await world.api.call<Problem>('POST', `/v1/runs/${run}/replan`, { cuentas: 51 });
    assert.deepEqual([more.status, more.body.code], [422, 'replan_only_less']);
    const done = await world.api.send<ReplanImpact>('POST', `/v1/runs/${run}/replan`, { cuentas: 30 });
    assert.deepEqual([done.plan_version, done.kept, done.dropped], [before.plan_version + 1, dry.kept, dry.dropped]);
    await world.kitchen.clear(hold);
    const end = await world.api.ended(run);
    assert.deepEqual([end.counts.done + end.counts.not_found, end.counts.skipped], [30, 20]);
    assert.ok(end.counts.done >= before.counts.done);
    assert.equal(end.contacts.captured, end.counts.done);
    assert.equal((await world.kitchen.calls('people_search')).length, 30);
  },
};

/** Replanned over an open card: the old card is superseded, and a tap on it is told so. */
export const replanCard: Scenario = {
  name: 'replan-over-card',
  covers: '10',
  invariants: ['I6', 'I7'],
  async run(world) {
    const { run, card } = await world.toReveal({ cuentas: 20 });
    const dry = await world.api.send<ReplanImpact>('POST', `/v1/runs/${run}/replan?dry_run=true`, { hasta: 'contactos' });
    assert.deepEqual([dry.superseded, dry.steps_removed], [[card.id], ['s5', 's6']]);
    assert.equal((await world.api.decision(card.id)).state, 'open');
    await world.api.send('POST', `/v1/runs/${run}/replan`, { hasta: 'contactos' });
    assert.equal((await world.api.decision(card.id)).state, 'superseded');
    const late = await world.api.tap(card, { option: 'all' });
    assert.deepEqual([late.status, late.body.code], [412, 'plan_changed']);
    const fresh = await world.api.card(run, 'revelar_contactos', card.id);
    assert.deepEqual([fresh.plan_version, fresh.items_total], [card.plan_version + 1, card.items_total]);
    await world.api.approve(fresh, { option: 'all' });
    const end = await world.api.ended(run);
    assert.deepEqual([end.contacts.captured, end.contacts.drafted], [fresh.items_total, 0]);
    await eventually('nothing left open', async () => (await world.api.progress(run)).decisions.length === 0);
  },
};
