import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sequence } from '../../contracts/api.js';
import { beginApproved, failApproved, finishApproved, type ApprovedBatch } from '../../db/approved.js';
import { read, transaction } from '../../db/client.js';
import { cancelRun, replanRun, resumeRun } from '../../db/controls.js';
import { DRAFT_LOT } from '../../db/draft-lots.js';
import { patchDraft, readSequence } from '../../db/sequence-view.js';
import { addSuppressions } from '../../db/suppressions.js';
import {
  approve,
  finishedRun,
  inRun,
  KEY,
  ledgerOf,
  newWorkspace,
  openLab,
  person,
  progressOf,
  refusal,
  sql,
  violations,
  type Lab,
  type OpenRun,
} from '../support/runs.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

const view = (at: { workspace: string }, id: string): Promise<Sequence> => readSequence(read(lab.pool), at.workspace, id);
const sequencesOf = async (at: OpenRun): Promise<string[]> =>
  (await sql<{ id: string }>(lab, `select id from sequences where run_id = $1 order by id`, [at.run])).map((s) => s.id);
const correct = async (at: OpenRun, sequence: string, index: number, body = `Corregido ${index}`): Promise<void> => {
  const draft = (await view(at, sequence)).drafts[index]!;
  await transaction(lab.pool, (tx) => patchDraft(tx, person(at.workspace), sequence, draft.draft_id, { version: draft.version, body }));
};

interface Reviewed {
  at: OpenRun;
  review: OpenRun;
  sequences: string[];
  decision: string;
}
/** A finished campaign whose drafts were corrected (by their place in the first sequence, or as told) and then approved. */
const approved = async (
  options: { cuentas?: number; corrected?: number[]; correct?: (at: OpenRun, sequences: string[]) => Promise<void> } = {},
): Promise<Reviewed> => {
  const workspace = await newWorkspace(lab, { credits: 200 });
  const at = await finishedRun(lab, workspace, { cuentas: options.cuentas ?? 3 });
  const sequences = await sequencesOf(at);
  for (const i of options.corrected ?? []) await correct(at, sequences[0]!, i);
  await options.correct?.(at, sequences);
  const decision = (await approve(lab, at, 's6')).id;
  const [run] = await sql<{ id: string }>(lab, `select id from runs where linked_run_id = $1`, [at.run]);
  return { at, review: { workspace, run: run!.id, start: '' }, sequences, decision };
};
const next = ({ workspace, run }: OpenRun) => lab.books.advanceReview({ workspace, run });
const start = ({ workspace, run }: OpenRun): Promise<ApprovedBatch | null> => beginApproved(lab.pool, workspace, run, KEY);
const batchOf = async (review: OpenRun): Promise<ApprovedBatch> => {
  const batch = await start(review);
  if (!batch) throw new Error('nothing to store');
  return batch;
};
const end = ({ workspace, run }: OpenRun, batch: ApprovedBatch, { id = `new-${batch.sequence}`, replaced = true } = {}): Promise<void> =>
  finishApproved(
    lab.pool,
    workspace,
    run,
    batch,
    { sequence_id: id, drafts: batch.drafts.map((d) => ({ draft_id: `new-${d.contact_id}`, person_id: d.person_id })) },
    { problems: [], left: replaced || batch.replaces === null ? [] : [batch.replaces] },
  );
const effectsOf = (review: OpenRun) =>
  sql<{ key: string; state: string; step: string }>(lab, `select key, state, step from effects where run_id = $1`, [review.run]);

describe('an approved sequence', () => {
  it('that nobody corrected is left as it is: no effect, no call, done at once', async () => {
    const { at, review, sequences } = await approved();
    expect(await view(at, sequences[0]!)).toMatchObject({
      state: 'approved',
      stored: { edited: false, left: null },
      approval: { state: 'stored', run_id: review.run, reason: null },
    });
    expect(await next(review)).toEqual({ do: 'end', status: 'done' });
    expect(await start(review)).toBeNull();
    expect(await effectsOf(review)).toEqual([]);
    expect(await progressOf(lab, review)).toMatchObject({ state: 'completed', reason: null });
  });

  it('with a corrected draft is stored whole, as it was approved, in the place of what the provider has, and for nothing', async () => {
    const { at, review, sequences, decision } = await approved({ corrected: [0, 2] });
    const before = await view(at, sequences[0]!);
    expect(before).toMatchObject({ approval: { state: 'under_way', run_id: review.run }, stored: { edited: false } });
    expect(await next(review)).toMatchObject({ do: 'work', phase: 'sequence' });
    const batch = await batchOf(review);
    expect(batch).toMatchObject({
      sequence: sequences[0],
      replaces: before.stored?.sequence_id,
      effect: { key: `sequence:${sequences[0]}:${decision}`, fresh: true, state: 'sent' },
    });
    expect(batch.drafts.map((d) => d.body)).toEqual(['Corregido 0', 'Un borrador', 'Corregido 2']);
    // Committed before anything is called.
    expect(await effectsOf(review)).toEqual([{ key: batch.effect.key, state: 'sent', step: 's6' }]);
    expect(await progressOf(lab, review)).toMatchObject({
      pasos: [{ id: 's6', status: 'running', conteo: { done: 0, total: 3, unit: 'draft' } }],
    });
    const ledger = await ledgerOf(lab, at.workspace);
    await end(review, batch);
    const after = await view(at, sequences[0]!);
    expect(after).toMatchObject({
      stored: { sequence_id: `new-${sequences[0]}`, edited: true, left: null },
      approval: { state: 'stored' },
    });
    // People know a draft under the id it had; the provider's own is told beside it.
    expect(after.drafts.map((d) => d.draft_id)).toEqual(before.drafts.map((d) => d.draft_id));
    expect(after.drafts.map((d) => d.stored_draft_id)).toEqual(after.drafts.map((d) => `new-${d.contact_id}`));
    expect(await next(review)).toEqual({ do: 'end', status: 'done' });
    expect(await progressOf(lab, review)).toMatchObject({
      state: 'completed',
      reason: null,
      pasos: [{ id: 's6', status: 'done', conteo: { done: 3, total: 3 } }],
    });
    expect(await ledgerOf(lab, at.workspace)).toEqual(ledger);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('is told from its neighbours: only the lot with a corrected draft is stored anew, and no lot is larger than the provider takes', async () => {
    const { review, sequences } = await approved({ cuentas: DRAFT_LOT + 4, correct: (at, ids) => correct(at, ids[1]!, 0) });
    expect(sequences).toHaveLength(2);
    const batch = await batchOf(review);
    expect([batch.sequence, batch.drafts.length]).toEqual([sequences[1], 4]);
    await end(review, batch);
    expect(await start(review)).toBeNull();
    expect(await next(review)).toEqual({ do: 'end', status: 'done' });
  });

  it('is stored lot by lot where more than one was corrected', async () => {
    const { review, sequences } = await approved({
      cuentas: DRAFT_LOT + 4,
      correct: async (at, ids) => {
        for (const id of ids) await correct(at, id, 1);
      },
    });
    for (const expected of sequences) {
      expect(await next(review)).toMatchObject({ do: 'work' });
      const batch = await batchOf(review);
      expect(batch.sequence).toBe(expected);
      expect(batch.drafts.length).toBeLessThanOrEqual(DRAFT_LOT);
      await end(review, batch);
    }
    expect(new Set((await effectsOf(review)).map((e) => e.key)).size).toBe(2);
    expect(await progressOf(lab, review)).toMatchObject({ pasos: [{ conteo: { done: DRAFT_LOT + 4, total: DRAFT_LOT + 4 } }] });
  });

  it('keeps its texts: what is written after the approval is refused, also while they are on their way', async () => {
    const { at, review, sequences } = await approved({ corrected: [0] });
    await batchOf(review);
    expect(await refusal(correct(at, sequences[0]!, 1))).toMatchObject({ status: 409, code: 'sequence_closed' });
  });

  it('leaves out whoever was put on the suppression list since, and says so in the campaign', async () => {
    const { at, review, sequences } = await approved({ corrected: [0] });
    await transaction(lab.pool, (tx) => addSuppressions(tx, person(at.workspace), KEY, [{ kind: 'email', value: 'p-c2@correo.example' }]));
    const batch = await batchOf(review);
    expect(batch.drafts.map((d) => d.person_id)).toEqual(['p-c1', 'p-c3']);
    await end(review, batch);
    expect((await view(at, sequences[0]!)).drafts.map((d) => d.to_name)).toHaveLength(2);
    expect(await progressOf(lab, at)).toMatchObject({ state: 'completed', contacts: { drafted: 2 } });
    expect(
      await sql(lab, `select state, reason ->> 'code' as code from contacts where run_id = $1 and person_id = 'p-c2'`, [at.run]),
    ).toEqual([{ state: 'suppressed', code: 'email_suppressed' }]);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('with nobody left to write to makes no empty sequence; that the earlier one is still there is said', async () => {
    const { at, review, sequences } = await approved({ cuentas: 1, corrected: [0] });
    await transaction(lab.pool, (tx) => addSuppressions(tx, person(at.workspace), KEY, [{ kind: 'person', value: 'p-c1' }]));
    const old = (await view(at, sequences[0]!)).stored!.sequence_id;
    expect(await start(review)).toBeNull();
    expect(await effectsOf(review)).toEqual([]);
    expect(await next(review)).toEqual({ do: 'end', status: 'done' });
    expect(await progressOf(lab, review)).toMatchObject({
      state: 'completed',
      reason: { code: 'sequence.old_left', params: { n: 1, ids: old } },
    });
    expect(await view(at, sequences[0]!)).toMatchObject({ drafts: [], stored: { left: old } });
  });

  it('that the provider cannot put in the place of the earlier one says under which id that stays', async () => {
    const { at, review, sequences } = await approved({ corrected: [0] });
    const batch = await batchOf(review);
    await end(review, batch, { replaced: false });
    await next(review);
    expect(await view(at, sequences[0]!)).toMatchObject({
      stored: { sequence_id: `new-${sequences[0]}`, edited: true, left: batch.replaces },
      approval: { state: 'stored' },
    });
    const reason = { code: 'sequence.old_left', params: { n: 1, ids: batch.replaces } };
    expect(await progressOf(lab, review)).toMatchObject({ state: 'completed', reason, pasos: [{ reason }] });
  });
});

describe('storing the approved texts', () => {
  it('that was cut comes back under its own key, and its end counts once', async () => {
    const { at, review, sequences } = await approved({ corrected: [0] });
    const first = await batchOf(review);
    const again = await batchOf(review);
    expect(again).toMatchObject({
      effect: { id: first.effect.id, key: first.effect.key, fresh: false },
      drafts: first.drafts,
      replaces: first.replaces,
    });
    await end(review, first);
    const { version } = await progressOf(lab, review);
    await end(review, again, { id: 'another' });
    expect((await progressOf(lab, review)).version).toBe(version);
    expect((await view(at, sequences[0]!)).stored).toMatchObject({ sequence_id: `new-${sequences[0]}` });
    expect(await effectsOf(review)).toMatchObject([{ state: 'captured' }]);
  });

  it.each([
    { known: true, code: 'mailbox_missing', effect: 'voided', reason: 'sequence.mailbox_missing' },
    { known: false, code: 'connection_lost', effect: 'unconfirmed', reason: 'sequence.unconfirmed' },
  ])(
    'that failed ($effect) pauses the run with the reason and goes on under the same key when resumed',
    async ({ known, code, effect, reason }) => {
      const { at, review, sequences } = await approved({ corrected: [0] });
      const batch = await batchOf(review);
      await failApproved(lab.pool, review.workspace, review.run, batch, code, known);
      expect(await effectsOf(review)).toMatchObject([{ state: effect }]);
      expect(await progressOf(lab, review)).toMatchObject({
        state: 'paused',
        reason: { code: reason, params: { n: 3 } },
        pasos: [{ id: 's6', status: 'paused' }],
      });
      expect(await next(review)).toMatchObject({ do: 'wait', why: 'control' });
      expect(await start(review)).toBeNull();
      expect(await view(at, sequences[0]!)).toMatchObject({
        state: 'approved',
        stored: { edited: false },
        approval: { state: 'hindered', run_id: review.run, reason: { code: reason } },
      });
      await inRun(lab, review, (run) => resumeRun(run, person(review.workspace)));
      expect(await next(review)).toMatchObject({ do: 'work', phase: 'sequence' });
      const again = await batchOf(review);
      expect(again).toMatchObject({ effect: { key: batch.effect.key, fresh: false }, drafts: batch.drafts });
      await end(review, again);
      expect(await next(review)).toEqual({ do: 'end', status: 'done' });
      expect(await effectsOf(review)).toMatchObject([{ state: 'captured' }]);
      expect(await violations(lab, at.workspace)).toEqual([]);
    },
  );

  it('that a person canceled stores nothing, and the page is told that the provider has the earlier texts', async () => {
    const { at, review, sequences } = await approved({ corrected: [0] });
    await inRun(lab, review, (run) => cancelRun(run, person(review.workspace)));
    expect(await start(review)).toBeNull();
    expect(await next(review)).toEqual({ do: 'end', status: 'canceled' });
    expect(await progressOf(lab, review)).toMatchObject({ state: 'canceled' });
    expect(await view(at, sequences[0]!)).toMatchObject({
      state: 'approved',
      stored: { edited: false },
      approval: { state: 'not_stored', reason: { code: 'canceled_by_person' } },
    });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('whose run ended before anybody knew what its call did is said to be unknown, neither there nor not there', async () => {
    const { at, review, sequences } = await approved({ corrected: [0] });
    await batchOf(review);
    await lab.books.settleReview({ workspace: review.workspace, run: review.run });
    expect(await progressOf(lab, review)).toMatchObject({ state: 'canceled' });
    expect(await view(at, sequences[0]!)).toMatchObject({ approval: { state: 'unknown', run_id: review.run } });
  });

  it('has no plan to be changed', async () => {
    const { review } = await approved({ corrected: [0] });
    expect(
      await refusal(inRun(lab, review, (run) => replanRun(run, { hasta: 'contactos' }, person(review.workspace), false))),
    ).toMatchObject({ status: 422, code: 'replan_one_step' });
    expect(await start(review)).not.toBeNull();
  });

  it('is not claimed where it never was: an approval that was only recorded says that the provider has the earlier texts', async () => {
    const { at, review, sequences } = await approved({ corrected: [0] });
    await lab.books.closeReview({ workspace: review.workspace, run: review.run });
    expect(await view(at, sequences[0]!)).toMatchObject({
      stored: { edited: false },
      approval: { state: 'not_stored', run_id: review.run },
    });
  });
});
