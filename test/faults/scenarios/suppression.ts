import assert from 'node:assert/strict';
import { freshCard, option } from '../api.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

const suppress = (world: World, kind: 'person' | 'email', value: string): Promise<unknown> =>
  world.api.send('POST', '/v1/suppressions', { entries: [{ kind, value }] });

/** Somebody asks not to be contacted after being chosen: never held, never revealed, on neither side of the tap. */
export const beforeReveal: Scenario = {
  name: 'suppressed-before-reveal',
  covers: 'matrix',
  invariants: ['I11'],
  async run(world, rng) {
    await world.lanes(1);
    const { run, card } = await world.toReveal({ cuentas: 20 });
    const [first, last] = [card.items[rng.int(0, 5)]?.ref ?? '', card.items.at(-1)?.ref ?? ''];
    await suppress(world, 'person', first);
    const fresh = freshCard(await world.api.tap(card, { option: 'all' }), 409, 'suppression_changed');
    const shown = await world.api.decision(fresh.id);
    assert.deepEqual([shown.items_total, shown.suppressed], [card.items_total - 1, 1]);
    assert.ok(shown.items.every((i) => i.ref !== first));

    const hold = await world.kitchen.fault({ kind: 'hold', tool: 'people_reveal', times: 1 });
    await world.api.approve(shown, { option: 'all' });
    await world.kitchen.holds(hold, 1);
    await suppress(world, 'person', last);
    await world.kitchen.release(hold);
    const end = await world.api.ended(run);
    assert.equal(end.contacts.captured, card.items_total - 2);
    assert.deepEqual([end.budget.credits.spent, end.budget.credits.held], [card.items_total - 2, 0]);
    const touched = (await world.kitchen.calls('people_reveal')).filter((c) => c.target === first || c.target === last);
    assert.deepEqual(touched, []);
    const states = (await world.api.items(run))
      .filter((i) => i.contact?.person_id === first || i.contact?.person_id === last)
      .map((i) => i.contact?.state);
    assert.deepEqual(states, ['suppressed', 'suppressed']);
  },
};

/** Asked after the reveal: it is paid, it is never drafted, and the receipt says so. */
export const beforeDraft: Scenario = {
  name: 'suppressed-before-draft',
  covers: 'matrix',
  invariants: ['I11', 'I13'],
  async run(world) {
    await world.lanes(1);
    const { run, card } = await world.toReveal({ cuentas: 20 });
    const all = option(card, 'all').n;
    const hold = await world.kitchen.fault({ kind: 'hold', tool: 'people_reveal', after: all - 1, times: 1 });
    await world.api.approve(card, { option: 'all' });
    await world.kitchen.holds(hold, 1);
    const known = (await world.api.items(run)).find((i) => i.contact?.state === 'captured');
    assert.ok(known?.contact?.email);
    await suppress(world, 'email', known.contact.email.toUpperCase());
    await world.kitchen.release(hold);
    const end = await world.api.ended(run);
    assert.deepEqual([end.contacts.captured, end.contacts.drafted, end.budget.credits.spent], [all, all - 1, all]);
    assert.equal((await world.api.receipt(run)).missing.find((m) => m.reason === 'email_suppressed')?.count, 1);
    const item = (await world.api.items(run)).find((i) => i.item_id === known.item_id);
    assert.equal(item?.contact?.state, 'suppressed');
  },
};
