import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { SAMPLE_SUPPRESSIONS } from '../../kitchen/sample-suppressions.js';
import type { Stack } from '../../stack/up.js';
import { option } from '../faults/api.js';
import { allProblems } from '../faults/checks/index.js';
import { eventually } from '../faults/kitchen.js';
import { faultsStack, forgetForeign, OTHER_WORKSPACE } from '../faults/stack.js';
import { openGround, World, type Ground } from '../faults/world.js';
import { startTestStack } from '../support/stack.js';

const START_MS = 300_000;
const FOUND = 46;

describe('a campaign of fifty from the first card to the reviewed sequence', () => {
  let stack: Stack;
  let ground: Ground;
  let world: World;
  beforeAll(async () => {
    forgetForeign();
    stack = await startTestStack(faultsStack([]));
    ground = await openGround(stack);
    world = await World.open(ground, OTHER_WORKSPACE);
    await world.api.send('POST', '/v1/suppressions', { entries: SAMPLE_SUPPRESSIONS });
  }, START_MS);
  afterAll(async () => {
    await ground?.close();
    await stack?.stop();
  }, START_MS);

  it('asks four times, spends what was tapped, and everything adds up', async () => {
    const run = await world.start();
    const start = await world.api.card(run, 'ajustar_presupuesto');
    assert.equal(option(start, 'all').totals.credits, 50);
    await world.api.approve(start, { option: 'all' });

    await world.api.approve(await world.api.card(run, 'guardar_en_crm'), { option: 'approve' });

    const reveal = await world.api.card(run, 'revelar_contactos');
    assert.deepEqual([option(reveal, 'all').n, option(reveal, 'all').totals.credits], [FOUND, FOUND]);
    await world.api.approve(reveal, { option: 'all' });
    const end = await world.api.ended(run);
    assert.deepEqual([end.counts.done, end.counts.not_found, end.counts.suppressed], [FOUND, 3, 1]);
    assert.deepEqual(
      [end.contacts.captured, end.contacts.drafted, end.budget.credits.spent, end.budget.credits.held],
      [FOUND, FOUND, FOUND, 0],
    );
    const receipt = await world.api.receipt(run);
    assert.ok(receipt.history_events.total <= 300 && receipt.history_events.people_step <= 90, JSON.stringify(receipt.history_events));

    const review = await world.api.decision(end.decisions[0] ?? '');
    assert.equal(review.kind, 'revisar_secuencia');
    await world.api.approve(review, { option: 'approve' });
    const linked = await eventuallyLinked(world, run);
    assert.equal((await world.api.ended(linked)).state, 'completed');
    assert.deepEqual(await allProblems(world), []);
  }, 600_000);

  it('takes a save back before anything is revealed, keeps who was found, and goes on after the next tap', async () => {
    const run = await world.start({
      cuentas: 10,
      criteria: { giro: 'alimentos', estado: undefined },
      caps: { credits: 20, queries: 40, inference_micros: 0 },
    });
    const save = await world.api.card(run, 'guardar_en_crm');
    await world.api.approve(save, { option: 'approve' });
    const reveal = await world.api.card(run, 'revelar_contactos');
    await eventually('the save can be undone', async () => (await world.api.decision(save.id)).undo_until !== null);
    assert.equal((await world.api.call('POST', `/v1/decisions/${save.id}/undo`)).status, 202);
    const again = await world.api.card(run, 'guardar_en_crm', save.id);
    assert.equal((await world.api.decision(reveal.id)).state, 'superseded');
    await world.api.approve(again, { option: 'approve' });
    const fresh = await world.api.card(run, 'revelar_contactos', reveal.id);
    assert.equal(fresh.items_total, reveal.items_total);
    await world.api.approve(fresh, { option: 'all' });
    const end = await world.api.ended(run);
    assert.deepEqual([end.contacts.captured, end.budget.credits.spent], [fresh.items_total, option(fresh, 'all').totals.credits]);
    assert.deepEqual(await allProblems(world), []);
  }, 600_000);
});

/** The one-step run that an approved sequence starts. */
const eventuallyLinked = async (world: World, run: string): Promise<string> => {
  let id = '';
  await eventually('the linked run', async () => {
    const [row] = await world.rows<{ id: string }>(`select id from runs where linked_run_id = $1`, [run]);
    id = row?.id ?? '';
    return id !== '';
  });
  return id;
};
