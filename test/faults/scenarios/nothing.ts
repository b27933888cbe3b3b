import assert from 'node:assert/strict';
import { option } from '../api.js';
import type { Scenario } from '../scenario.js';

/** No company under these filters: they are left out one by one, and it is said which. */
export const filters: Scenario = {
  name: 'nothing-with-filters',
  covers: '11',
  invariants: ['I1', 'I9'],
  async run(world) {
    const run = await world.start({
      cuentas: 10,
      criteria: { giro: 'construccion', estado: 'Colima', tamano: 'micro' },
      caps: { credits: 20, queries: 40, inference_micros: 0 },
    });
    const card = await world.api.card(run, 'guardar_en_crm');
    assert.deepEqual(
      card.notes.map((n) => [n.code, n.params['value']]),
      [
        ['plan_b.size', 'micro'],
        ['plan_b.state', 'Colima'],
      ],
    );
    assert.equal(card.items_total, 10);
    await world.api.approve(card, { option: 'approve' });
    const reveal = await world.api.card(run, 'revelar_contactos');
    await world.api.approve(reveal, { option: 'all' });
    assert.equal((await world.api.ended(run)).contacts.captured, option(reveal, 'all').n);
    const { plan_b } = await world.api.receipt(run);
    assert.deepEqual(
      plan_b.map((d) => d.dropped),
      ['size', 'state'],
    );
    assert.equal(plan_b[0]?.found, 0);
    assert.ok((plan_b[1]?.found ?? 0) >= 10);
  },
};

/** Nothing anywhere: a final state with its reason, every hold back, nothing left waiting. */
export const anywhere: Scenario = {
  name: 'nothing-anywhere',
  covers: '11',
  invariants: ['I1', 'I5', 'I9'],
  async run(world) {
    const run = await world.automatic({ cuentas: 10, criteria: { giro: 'zzqxv', estado: 'Jalisco', tamano: 'grande' } });
    const end = await world.api.ended(run);
    assert.deepEqual([end.state, end.reason?.code], ['completed_partial', 'no_companies']);
    assert.deepEqual([end.counts.not_found, end.counts.total, end.decisions], [10, 10, []]);
    assert.deepEqual([end.budget.credits.spent, end.budget.credits.held, end.budget.queries.held], [0, 0, 0]);
    assert.ok(
      end.pasos.every((p) => !['pending', 'running', 'waiting_decision', 'paused', 'blocked'].includes(p.status) || p.id === 's6'),
      JSON.stringify(end.pasos.map((p) => [p.id, p.status])),
    );
    const receipt = await world.api.receipt(run);
    assert.deepEqual(
      receipt.missing.map((m) => [m.reason, m.count, m.exit]),
      [['no_company', 10, 'exit.widen_search']],
    );
  },
};

/** Companies but nobody in that role at any of them. */
export const nobody: Scenario = {
  name: 'nobody-in-that-role',
  covers: '11',
  invariants: ['I1', 'I5', 'I9'],
  async run(world) {
    const run = await world.automatic({ cuentas: 10, criteria: { cargo: 'astronauta' } });
    const end = await world.api.ended(run);
    assert.deepEqual([end.state, end.counts.not_found, end.budget.credits.spent], ['completed_partial', 10, 0]);
    assert.ok(end.reason);
    assert.equal((await world.kitchen.calls('people_reveal')).length, 0);
  },
};
