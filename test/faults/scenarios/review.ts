import assert from 'node:assert/strict';
import type { Sequence } from '../../../contracts/api.js';
import type { StoredSequence } from '../kitchen.js';
import type { Scenario } from '../scenario.js';
import type { World } from '../world.js';

const TOOL = 'sequence_create_draft';

interface Drafted {
  run: string;
  sequence: Sequence;
}
const read = (world: World, id: string): Promise<Sequence> => world.api.get(`/v1/sequences/${id}`);
/** A campaign at its end, with the sequence that waits for its review. */
const drafted = async (world: World): Promise<Drafted> => {
  const run = await world.automatic({ cuentas: 4 });
  await world.api.ended(run);
  const [row] = await world.rows<{ id: string }>(`select id from sequences where run_id = $1`, [run]);
  assert.ok(row, 'the campaign has a sequence');
  return { run, sequence: await read(world, row.id) };
};
/** A person corrects the first drafts. @returns the sequence as it is to be approved */
const correct = async (world: World, { sequence }: Drafted, bodies: string[]): Promise<Sequence> => {
  let now = sequence;
  for (const [i, body] of bodies.entries()) {
    const draft = now.drafts[i];
    assert.ok(draft);
    now = await world.api.send<Sequence>('PATCH', `/v1/sequences/${now.sequence_id}/drafts/${draft.draft_id}`, {
      version: draft.version,
      body,
    });
  }
  return now;
};
/** Approves on the page. @returns the run that carries it out */
const approve = async (world: World, { sequence }: Drafted): Promise<string> => {
  await world.api.approve(await world.api.decision(sequence.decision_id ?? ''), { option: 'approve' });
  const { approval } = await read(world, sequence.sequence_id);
  assert.ok(approval?.run_id, 'an approval has its run');
  return approval.run_id;
};
/** One new sequence with exactly the approved texts, and the earlier one replaced by it. */
const replacedOnce = async (world: World, approved: Sequence, before: StoredSequence[]): Promise<void> => {
  const after = await world.kitchen.sequences();
  assert.equal(after.length, before.length + 1, 'exactly one new sequence');
  const fresh = after.find((s) => !before.some((b) => b.sequence_id === s.sequence_id));
  assert.ok(fresh && fresh.replaced_by === null);
  assert.deepEqual(
    fresh.drafts.map((d) => [d.subject, d.body]),
    approved.drafts.map((d) => [d.subject, d.body]),
  );
  assert.deepEqual(
    after.filter((s) => s.replaced_by === fresh.sequence_id).map((s) => s.sequence_id),
    [approved.stored?.sequence_id],
  );
  const now = await read(world, approved.sequence_id);
  assert.deepEqual(
    [now.stored?.sequence_id, now.stored?.edited, now.stored?.left, now.approval?.state],
    [fresh.sequence_id, true, null, 'stored'],
  );
  assert.deepEqual(
    now.drafts.map((d) => d.stored_draft_id),
    fresh.drafts.map((d) => d.draft_id),
  );
};

/** Two drafts are corrected and approved, and the reply is lost: what was approved is what the provider has, once. Uncorrected ones take no call. */
export const approvedTexts: Scenario = {
  name: 'approved-texts',
  covers: 'matrix',
  invariants: ['I3', 'I4', 'I13'],
  async run(world, rng) {
    const untouched = await drafted(world);
    const calls = (await world.kitchen.log()).calls.length;
    assert.equal((await world.api.ended(await approve(world, untouched))).state, 'completed');
    assert.equal((await world.kitchen.log()).calls.length, calls, 'nothing corrected, nothing called');
    assert.equal((await read(world, untouched.sequence.sequence_id)).approval?.state, 'stored');

    const campaign = await drafted(world);
    const approved = await correct(world, campaign, ['Corregido uno', 'Corregido dos']);
    const [before, charges] = [await world.kitchen.sequences(), (await world.kitchen.log()).charges.length];
    const kind = rng.pick(['lost_reply_after_effect', 'malformed_json', 'lost_reply_before_effect'] as const);
    world.say(kind);
    const fault = await world.kitchen.fault({ kind, tool: TOOL, times: 1 });
    assert.equal((await world.api.ended(await approve(world, campaign))).state, 'completed');
    assert.equal((await world.kitchen.active(fault))?.fired, 1);
    await replacedOnce(world, approved, before);
    assert.equal((await world.kitchen.log()).charges.length, charges, 'no money moved');
  },
};

/** The worker dies with the call out, and the provider has done it: the next one reads it back by its key. */
export const approvedKilled: Scenario = {
  name: 'approved-texts-worker-killed',
  covers: 'matrix',
  invariants: ['I3', 'I9'],
  async run(world) {
    const campaign = await drafted(world);
    const approved = await correct(world, campaign, ['Corregido uno']);
    const before = await world.kitchen.sequences();
    const hold = await world.kitchen.fault({ kind: 'hold', tool: TOOL, at: 'after_effect', times: 1 });
    const review = await approve(world, campaign);
    await world.kitchen.holds(hold, 1);
    await world.kill('worker');
    await world.kitchen.clear(hold);
    await world.restart('worker');
    assert.equal((await world.api.ended(review)).state, 'completed');
    await replacedOnce(world, approved, before);
  },
};

/** Without a mailbox the approval waits with the reason, its texts frozen; with one it goes on. */
export const approvedWithoutMailbox: Scenario = {
  name: 'approved-texts-no-mailbox',
  covers: 'matrix',
  invariants: ['I9'],
  async run(world) {
    const campaign = await drafted(world);
    const approved = await correct(world, campaign, ['Corregido uno']);
    const before = await world.kitchen.sequences();
    await world.kitchen.mailbox(false);
    const review = await approve(world, campaign);
    await world.api.until(review, 'the reason', (p) => p.state === 'paused' && p.reason?.code === 'sequence.mailbox_missing');
    const hindered = await read(world, approved.sequence_id);
    assert.deepEqual(
      [hindered.approval?.state, hindered.approval?.reason?.code, hindered.stored?.edited],
      ['hindered', 'sequence.mailbox_missing', false],
    );
    const [draft] = hindered.drafts;
    const late = await world.api.call<{ code: string }>('PATCH', `/v1/sequences/${approved.sequence_id}/drafts/${draft?.draft_id}`, {
      version: draft?.version,
      body: 'Tarde',
    });
    assert.deepEqual([late.status, late.body.code], [409, 'sequence_closed']);
    assert.equal((await world.kitchen.sequences()).length, before.length);
    await world.kitchen.mailbox(true);
    await world.api.send('POST', `/v1/runs/${review}/resume`);
    assert.equal((await world.api.ended(review)).state, 'completed');
    await replacedOnce(world, approved, before);
  },
};
