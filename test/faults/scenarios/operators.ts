import assert from 'node:assert/strict';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { over, option } from '../api.js';
import { executions } from '../checks/temporal.js';
import { eventually } from '../kitchen.js';
import type { Scenario } from '../scenario.js';
import { CONCURRENCY } from '../world.js';
import type { OperatorReply } from '../../../workflows/messages.js';

/** Terminated from outside with reveals out: settled within a minute, what was charged is read back, the rest goes free. */
export const terminated: Scenario = {
  name: 'terminated',
  covers: '9',
  invariants: ['I1', 'I3', 'I5', 'I10'],
  async run(world, rng) {
    await world.kitchen.honoursKeys(false);
    const { run, card } = await world.toReveal();
    const all = option(card, 'all');
    const before = rng.int(2, 20);
    const hold = await world.kitchen.fault({ kind: 'hold', tool: 'people_reveal', after: before, at: 'after_effect' });
    await world.api.approve(card, { option: 'all' });
    await world.kitchen.holds(hold, CONCURRENCY);
    await world.api.until(run, 'the first captures', (p) => p.contacts.captured === before);
    const since = Date.now();
    await world.temporal.workflow.getHandle(world.workflowId(run)).terminate('by hand');
    const end = await world.api.ended(run);
    world.say(`settled ${((Date.now() - since) / 1000).toFixed(1)} s after the termination`);
    assert.deepEqual([end.state, end.reason?.code], ['canceled', 'operator_terminated']);
    await eventually('the unknown ones read back', async () => (await world.api.progress(run)).contacts.unconfirmed === 0);
    await world.kitchen.clear(hold);
    const kept = before + CONCURRENCY;
    const after = await world.api.progress(run);
    assert.deepEqual([after.contacts.captured, after.budget.credits.spent, after.budget.credits.held], [kept, kept, 0]);
    const settled = await world.rows<{ settled_by: string }>(
      `select settled_by from effects where workspace_id = $1 and settled_by = 'read_back'`,
      [world.workspace],
    );
    assert.equal(settled.length, CONCURRENCY);
    const receipt = await world.api.receipt(run);
    assert.deepEqual([receipt.contacts.captured, receipt.freed.credits], [kept, all.n - kept]);
    assert.equal(receipt.missing.find((m) => m.reason === 'terminated')?.count, all.n - kept);
    // Steps that were at work let go too, and the replies that come late change nothing.
    await eventually('every workflow is over', async () => (await executions(world)).every((e) => e.status.name !== 'RUNNING'));
    assert.equal((await world.kitchen.calls('people_reveal')).length, kept);
    assert.deepEqual(await world.api.progress(run), after);
  },
};

/** Signals and updates by hand, forged and real: the workflow believes its rows, ignores the rest and leaves an audit row. */
export const forged: Scenario = {
  name: 'forged-signals',
  covers: 'matrix',
  invariants: ['I4', 'I6'],
  async run(world) {
    const { run, card } = await world.toReveal({ cuentas: 20 });
    const campaign = world.temporal.workflow.getHandle(world.workflowId(run));
    const step = world.temporal.workflow.getHandle(world.workflowId(run, 's4'));
    for (const handle of [campaign, step]) {
      await handle.signal('decision.resolved', { decision_id: 'dec_forged', option: 'all' });
      await handle.signal('decision.resolved', { decision_id: card.id, option: 'all', approved: true });
      await handle.signal('approve_everything', { total: 9999 });
      await handle.signal('control.changed', 'cancel');
    }
    const update = (args: unknown): Promise<OperatorReply> =>
      campaign.executeUpdate<OperatorReply, [unknown]>('resolve_decision', { args: [args] });
    const refused =
      (code: string) =>
      (error: unknown): boolean =>
        error instanceof WorkflowUpdateFailedError && error.cause?.message === `${code}: nothing was changed`;
    await assert.rejects(update({ decision_id: 'dec_forged', then: 'cancel' }), refused('decision_not_found'));
    const approval = {
      decision_id: card.id,
      plan_version: card.plan_version,
      payload_hash: card.payload_hash,
      total: option(card, 'all').totals.credits,
      operator: 'somebody',
      reason: 'because',
    };
    await assert.rejects(update(approval), refused('operator_approvals_off'));
    await assert.rejects(update({ decision_id: card.id, then: 'approve' }), WorkflowUpdateFailedError);
    await assert.rejects(update({ ...approval, total: '19' }), WorkflowUpdateFailedError);

    const still = await world.api.progress(run);
    assert.deepEqual(
      [still.state, still.decisions, still.budget.credits.held, still.budget.credits.spent],
      ['waiting_decision', [card.id], 0, 0],
    );
    assert.equal((await world.kitchen.calls('people_reveal')).length, 0);
    const ignored = await world.rows<{ reason: string; actor: string }>(
      `select reason, actor from audit where workspace_id = $1 and action = 'decision.ignored' order by id`,
      [world.workspace],
    );
    assert.deepEqual(
      ignored.map((r) => r.reason),
      ['decision_not_found', 'operator_approvals_off'],
    );
    assert.ok(ignored.every((r) => r.actor.startsWith('unverified:')));

    // What an operator may do from there: decline, stored as coming from there.
    assert.deepEqual(await update({ decision_id: card.id, then: 'skip', operator: 'somebody' }), { ok: true, code: 'done' });
    const end = await world.api.until(run, 'the end', over);
    assert.deepEqual([end.state, end.budget.credits.spent], ['completed_partial', 0]);
    assert.equal((await world.api.decision(card.id)).resolved?.channel, 'temporal-ui');
  },
};
