import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ToolFailure } from '../../activities/mcp.js';
import { keyed } from '../../activities/decide.js';
import type { Sequence } from '../../contracts/api.js';
import { transaction } from '../../db/client.js';
import { closeRun } from '../../db/close.js';
import { withRun } from '../../db/events.js';
import { reviewAgain } from '../../db/review-again.js';
import { addSuppressions } from '../../db/suppressions.js';
import { lostReply } from './provider.js';
import { TestRun, World } from './world.js';

const CREATE = 'sequence_create_draft';
/** A finished campaign with its one sequence. */
const drafted = async (world: World, cuentas = 3): Promise<TestRun> => {
  const run = await world.automatic({ cuentas });
  await run.ended();
  return run;
};
const only = async (run: TestRun): Promise<Sequence> => {
  const [sequence, ...others] = await run.sequences();
  if (!sequence || others.length > 0) throw new Error(`${others.length + 1} sequences`);
  return sequence;
};
/** The sequences of a run as the provider has them, oldest first: their texts, and whether something replaced them. */
const atProvider = async (run: TestRun): Promise<Array<{ id: string; bodies: string[]; replaced_by: string | null }>> => {
  const [{ sequence_id: first }] = (await run.sequences()) as [Sequence];
  const lots = [...run.world.provider.sequences.entries()].filter(([key]) => key.includes(run.id) || key.includes(first));
  return lots.map(([, s]) => ({ id: s.sequence_id, bodies: s.drafts.map((d) => d.body), replaced_by: s.replaced_by }));
};
const exclude = (world: World, ...people: string[]): Promise<unknown> =>
  transaction(world.pool, (tx) =>
    addSuppressions(
      tx,
      world.caller,
      'tests',
      people.map((value) => ({ kind: 'person' as const, value })),
    ),
  );
/** Has the approval carried out once more. @returns the run that does it */
const again = async (run: TestRun, key: string): Promise<TestRun> => {
  const { sequence_id } = await only(run);
  await keyed(run.world.ctx, run.world.caller, run.id, key, 'store', null, async (locked) => ({
    status: 202,
    body: await reviewAgain(locked, sequence_id, run.world.caller),
  }));
  const { approval } = await only(run);
  return new TestRun(run.world, approval?.run_id ?? '', 'receta');
};
const effects = (run: TestRun) =>
  run.world.rows<{ state: string; step: string; hold_id: string | null }>(`select state, step, hold_id from effects where run_id = $1`, [
    run.id,
  ]);

describe('an approved sequence', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterEach(async () => {
    for (const tool of [CREATE, 'sequence_check']) world.provider.on(tool);
    world.provider.mailbox = true;
    expect(await world.broken()).toEqual([]);
  });
  afterAll(() => world.stop());

  it('whose texts nobody corrected takes no call at all', async () => {
    const run = await drafted(world);
    const calls = world.provider.calls.length;
    const review = await run.review();
    expect(await review.ended()).toMatchObject({ state: 'completed', reason: null });
    expect(world.provider.calls.slice(calls)).toEqual([]);
    expect(await only(run)).toMatchObject({ state: 'approved', stored: { edited: false }, approval: { state: 'stored' } });
  });

  it('is brought to the provider as it was approved before its run says that it is done, and for nothing', async () => {
    const run = await drafted(world);
    await run.correct('Corregido 1', 'Corregido 2');
    const before = await only(run);
    const charges = world.provider.charges.length;
    const gate = world.provider.hold(CREATE);
    const review = await run.review();
    await gate.reached;
    // Committed before the call, and not yet said to be there.
    expect(await effects(review)).toEqual([{ state: 'sent', step: 's6', hold_id: null }]);
    expect(await review.progress()).toMatchObject({
      state: 'running',
      pasos: [{ id: 's6', status: 'running', conteo: { done: 0, total: 3 } }],
    });
    expect((await only(run)).approval).toEqual({ state: 'under_way', run_id: review.id, reason: null });
    gate.release();
    expect(await review.ended()).toMatchObject({
      state: 'completed',
      reason: null,
      pasos: [{ id: 's6', status: 'done', conteo: { done: 3, total: 3 } }],
    });
    const [old, fresh, ...others] = await atProvider(run);
    expect(others).toEqual([]);
    expect(old).toMatchObject({ id: before.stored?.sequence_id, replaced_by: fresh?.id });
    expect(fresh).toMatchObject({ bodies: before.drafts.map((d) => d.body), replaced_by: null });
    expect(fresh?.bodies.slice(0, 2)).toEqual(['Corregido 1', 'Corregido 2']);
    expect(await only(run)).toMatchObject({ stored: { sequence_id: fresh?.id, edited: true, left: null }, approval: { state: 'stored' } });
    expect(world.provider.charges).toHaveLength(charges);
    expect(await effects(review)).toMatchObject([{ state: 'captured' }]);
  });

  it.each([
    {
      when: 'after it was done',
      lose: async (proceed: () => Promise<unknown>) => {
        await proceed();
        throw lostReply(CREATE);
      },
    },
    { when: 'before anything', lose: () => Promise.reject(lostReply(CREATE)) },
  ])('whose reply was lost $when is read back by its key and is there once', async ({ lose }) => {
    const run = await drafted(world);
    await run.correct('Corregido');
    const [calls, asked] = [world.provider.count(CREATE), world.provider.calls.length];
    world.provider.on(CREATE, (_args, n, proceed) => (n === calls + 1 ? lose(proceed) : proceed()));
    const review = await run.review();
    expect(await review.ended()).toMatchObject({ state: 'completed' });
    const created = world.provider.calls.slice(asked).filter((c) => c.tool === CREATE);
    expect(new Set(created.map((c) => c.args['client_key'])).size).toBe(1);
    const first = world.provider.calls
      .slice(asked)
      .filter((c) => c.tool === CREATE || c.tool === 'sequence_check')
      .slice(0, 2);
    expect(first.map((c) => c.tool)).toEqual([CREATE, 'sequence_check']);
    expect(first[1]?.args).toEqual({ client_key: created[0]?.args['client_key'] });
    expect((await atProvider(run)).map((s) => [s.bodies[0] === 'Corregido', s.replaced_by !== null])).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  it.each([
    { code: 'mailbox_missing', reason: 'sequence.mailbox_missing', state: 'voided' },
    { code: 'not_allowed', reason: 'sequence.not_allowed', state: 'voided' },
  ])(
    'that is refused ($code) says so in its run and on the page, keeps the texts, and goes on when resumed',
    async ({ code, reason, state }) => {
      const run = await drafted(world);
      await run.correct('Corregido');
      world.provider.on(CREATE, () => Promise.reject(new ToolFailure(CREATE, 'refused', code)));
      const review = await run.review();
      expect(await review.until('paused')).toMatchObject({
        reason: { code: reason, params: { n: 3 } },
        pasos: [{ id: 's6', status: 'paused', reason: { code: reason } }],
      });
      expect(await effects(review)).toMatchObject([{ state }]);
      expect(await only(run)).toMatchObject({
        stored: { edited: false },
        approval: { state: 'hindered', run_id: review.id, reason: { code: reason } },
      });
      await expect(run.correct('Demasiado tarde')).rejects.toMatchObject({ code: 'sequence_closed' });
      world.provider.on(CREATE);
      await review.control('resume');
      expect(await review.ended()).toMatchObject({ state: 'completed', reason: null });
      expect((await atProvider(run)).map((s) => s.bodies[0])).toEqual([expect.not.stringMatching('Corregido'), 'Corregido']);
    },
  );

  it('about which the provider does not answer stays unconfirmed, never guessed, and is found when the run goes on', async () => {
    const run = await drafted(world);
    await run.correct('Corregido');
    const before = world.provider.count(CREATE);
    world.provider.on(CREATE, async (_args, _n, proceed) => {
      await proceed();
      throw lostReply(CREATE);
    });
    // A question that is refused says nothing of the call before it.
    world.provider.on('sequence_check', () => Promise.reject(new ToolFailure('sequence_check', 'refused', 'unauthorized')));
    const review = await run.review();
    expect(await review.until('paused')).toMatchObject({ reason: { code: 'sequence.unconfirmed' } });
    expect(await effects(review)).toMatchObject([{ state: 'unconfirmed' }]);
    for (const tool of [CREATE, 'sequence_check']) world.provider.on(tool);
    await review.control('resume');
    expect(await review.ended()).toMatchObject({ state: 'completed' });
    expect(world.provider.count(CREATE)).toBe(before + 1);
    expect(await atProvider(run)).toHaveLength(2);
  });

  it('that is canceled meanwhile ends as canceled, and the provider has the earlier texts', async () => {
    const run = await drafted(world);
    await run.correct('Corregido');
    world.provider.mailbox = false;
    const review = await run.review();
    await review.until('paused');
    await review.control('cancel');
    expect(await review.ended()).toMatchObject({ state: 'canceled' });
    expect(await only(run)).toMatchObject({ stored: { edited: false }, approval: { state: 'not_stored' } });
    expect(await atProvider(run)).toMatchObject([{ replaced_by: null }]);
  });

  it('can be paused, gone on with and looked at from the Temporal UI', async () => {
    const run = await drafted(world);
    await run.correct('Corregido');
    world.provider.mailbox = false;
    const review = await run.review();
    await review.until('paused');
    world.provider.mailbox = true;
    await expect(review.workflow().executeUpdate('replan', { args: [{ cuentas: 1 }] })).rejects.toThrow();
    await review.workflow().executeUpdate('resume', { args: [{ reason: 'connected' }] });
    expect(await review.ended()).toMatchObject({ state: 'completed' });
    expect((await atProvider(run)).at(-1)?.bodies[0]).toBe('Corregido');
  });

  it('whose run ended without it is carried out again, once, whoever asks how often', async () => {
    const run = await drafted(world);
    await run.correct('Corregido');
    // The call takes effect, and its reply does not come while anybody waits for it.
    let answer = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    world.provider.on(CREATE, async (_args, _n, proceed) => {
      const done = await proceed();
      await late;
      return done;
    });
    const first = await run.review();
    await expect.poll(async () => (await atProvider(run)).length).toBe(2);
    await first.workflow().terminate();
    await withRun(world.pool, world.caller.workspace, first.id, (row) =>
      closeRun(row, { as: 'canceled', reason: { code: 'operator_terminated', params: {} }, events: null }),
    );
    expect((await only(run)).approval).toMatchObject({ state: 'unknown', run_id: first.id });
    const runs = await Promise.all(['a', 'b', 'a'].map((key) => again(run, `${run.id} ${key}`)));
    const [second] = runs as [TestRun];
    expect(new Set(runs.map((r) => r.id))).toEqual(new Set([second.id]));
    expect(await second.ended()).toMatchObject({ state: 'completed', reason: null });
    expect((await atProvider(run)).map((s) => [s.bodies[0] === 'Corregido', s.replaced_by !== null])).toEqual([
      [false, true],
      [true, false],
    ]);
    expect((await only(run)).approval).toMatchObject({ state: 'stored', run_id: second.id });
    await expect(again(run, `${run.id} c`)).rejects.toMatchObject({ code: 'sequence_stored' });
    answer();
  });

  it.each([
    { what: 'was deleted at the provider', by: null },
    { what: 'was replaced there by somebody else', by: 'seq-other' },
  ])('whose earlier lot $what is stored as it was approved', async ({ by }) => {
    const run = await drafted(world);
    await run.correct('Corregido');
    world.provider.on(CREATE, (args, _n, proceed) =>
      'replaces' in args
        ? Promise.reject(new ToolFailure(CREATE, 'refused', by ? 'already_replaced' : 'not_found', null, false, { replaced_by: by }))
        : proceed(),
    );
    if (!by)
      world.provider.on('sequence_check', async (args, _n, proceed) => ({
        ...((await proceed()) as object),
        ...(args['sequence_id'] === before ? { found: false } : {}),
      }));
    const before = (await only(run)).stored?.sequence_id;
    const review = await run.review();
    expect(await review.ended()).toMatchObject({ state: 'completed' });
    expect((await atProvider(run)).at(-1)?.bodies[0]).toBe('Corregido');
    const { stored, approval } = await only(run);
    expect(approval?.state).toBe('stored');
    if (by) expect(stored?.left?.split(', ')).toContain(by);
    else expect(stored?.left).toBeNull();
  });

  it.each([
    { who: 'somebody', all: false },
    { who: 'everybody', all: true },
  ])('in which $who is excluded between a lost reply and its read-back is not left there with them unsaid', async ({ all }) => {
    const run = await drafted(world);
    await run.correct('Corregido');
    const before = world.provider.count(CREATE);
    world.provider.on(CREATE, async (_args, n, proceed) => {
      const reply = await proceed();
      if (n === before + 1) throw lostReply(CREATE);
      return reply;
    });
    world.provider.on('sequence_check', () => Promise.reject(new ToolFailure('sequence_check', 'refused', 'unauthorized')));
    const review = await run.review();
    await review.until('paused');
    const people = (
      await world.rows<{ person_id: string }>(`select person_id from contacts where run_id = $1 and state = 'drafted' order by rank, id`, [
        run.id,
      ])
    ).map((c) => c.person_id);
    const out = all ? people : people.slice(1, 2);
    await exclude(world, ...out);
    for (const tool of [CREATE, 'sequence_check']) world.provider.on(tool);
    await review.control('resume');
    expect(await review.ended()).toMatchObject({ state: 'completed' });
    const { stored, problems } = await only(run);
    const lots = (await atProvider(run)).filter((s) => s.replaced_by === null);
    expect(lots).toHaveLength(1);
    const at = [...world.provider.sequences.values()].find((s) => s.sequence_id === lots[0]?.id);
    if (all) {
      expect(stored).toMatchObject({ sequence_id: lots[0]?.id, left: lots[0]?.id });
      expect(problems).toEqual([{ code: 'suppressed_left', count: people.length }]);
    } else {
      expect(at?.drafts.map((d) => d.person_id)).toEqual(people.filter((id) => !out.includes(id)));
      expect(stored).toMatchObject({ sequence_id: lots[0]?.id, edited: true, left: null });
    }
    expect((await effects(review)).every((e) => e.state === 'captured')).toBe(true);
  });

  it('whose workflow is canceled in the Temporal UI settles its run', async () => {
    const run = await drafted(world);
    await run.correct('Corregido');
    world.provider.mailbox = false;
    const review = await run.review();
    await review.until('paused');
    await review.workflow().cancel();
    expect(await review.until('canceled')).toMatchObject({ reason: { code: 'operator_canceled' } });
  });
});

describe('a provider that knows nothing of replacing', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ replaces: false });
  });
  afterAll(() => world.stop());

  it('is not sent the field; the approved texts are there, and the earlier lot is said to be there too, with its id', async () => {
    const run = await drafted(world);
    await run.correct('Corregido');
    const before = await only(run);
    const review = await run.review();
    const left = before.stored?.sequence_id ?? '';
    const reason = { code: 'sequence.old_left', params: { n: 1, ids: left } };
    expect(await review.ended()).toMatchObject({ state: 'completed', reason, pasos: [{ id: 's6', status: 'done', reason }] });
    expect(world.provider.calls.filter((c) => c.tool === CREATE).every((c) => !('replaces' in c.args))).toBe(true);
    expect((await atProvider(run)).map((s) => [s.bodies[0] === 'Corregido', s.replaced_by])).toEqual([
      [false, null],
      [true, null],
    ]);
    expect(await only(run)).toMatchObject({ stored: { edited: true, left }, approval: { state: 'stored' } });
    expect(await world.broken()).toEqual([]);
  });
});
