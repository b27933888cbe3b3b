import { randomUUID } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Decision } from '../../contracts/decision.js';
import type { Progress } from '../../contracts/progress.js';
import { KEYS } from '../../workflows/attributes.js';
import { World, type TestRun } from './world.js';

interface Reply {
  ok: boolean;
  code: string;
}
const update = (run: TestRun, name: string, args: unknown): Promise<Reply> =>
  run.workflow().executeUpdate<Reply, [unknown]>(name, { args: [args] });
/** The message with which an update was turned down, as the Temporal UI shows it. */
const rejection = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) return error.cause?.message ?? '';
    throw error;
  }
  throw new Error('was not rejected');
};
const audit = (run: TestRun): Promise<Array<{ action: string; actor: string; channel: string; reason: string | null }>> =>
  run.world.rows(`select action, actor, channel, reason from audit where run_id = $1 order by id`, [run.id]);
const approvalOf = (card: Decision): Record<string, unknown> => ({
  decision_id: card.id,
  plan_version: card.plan_version,
  payload_hash: card.payload_hash,
  total: card.options.find((o) => ['all', 'fit_n', 'approve'].includes(o.id))?.totals.credits ?? 0,
  operator: 'olga',
  reason: 'asked by the seller',
});
/** The run as its workflow answers for it and as its row has it, both of one version. */
const queried = async (run: TestRun): Promise<{ query: Progress; row: Progress }> =>
  run.world.awaited(
    async () => {
      const row = await run.progress();
      const query = await run.workflow().query<Progress | null>('run.progress');
      // A version that came between the two readings is looked at again.
      return query && query.version === row.version ? { query, row } : null;
    },
    async () => `the query to reach version ${(await run.progress()).version}`,
  );
const details = async (run: TestRun, step?: string): Promise<string> =>
  (await run.workflow(step).query<{ currentDetails?: string }>('__temporal_workflow_metadata')).currentDetails ?? '';

describe('what a person in the Temporal UI can do', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ env: { OPERATOR_APPROVALS: 'off' } });
  });
  afterEach(async () => {
    expect(await world.broken()).toEqual([]);
  });
  afterAll(() => world.stop());
  const waitingForReveal = async (): Promise<{ run: TestRun; card: Decision }> => {
    const run = await world.automatic({ modo: 'manual', cuentas: 3 });
    await run.tap(await run.card('guardar_en_crm'), 'approve');
    return { run, card: await run.card('revelar_contactos') };
  };

  it.each([
    ['skip', 'completed_partial'],
    ['cancel', 'canceled'],
  ] as const)('decline with "%s" ends the run %s, stored as an unverified identity of this channel', async (then, state) => {
    const { run, card } = await waitingForReveal();
    expect(await update(run, 'resolve_decision', { decision_id: card.id, then, operator: 'olga' })).toEqual({ ok: true, code: 'done' });
    expect(await run.ended()).toMatchObject({ state, budget: { credits: { spent: 0, held: 0 } } });
    expect((await run.decision(card.id)).resolved).toMatchObject({
      option: 'decline',
      then,
      by: 'unverified:olga',
      channel: 'temporal-ui',
    });
  });

  it('decline with "wait" pauses the run, and resume by update does not take the decision back', async () => {
    const { run, card } = await waitingForReveal();
    await update(run, 'resolve_decision', { decision_id: card.id, then: 'wait' });
    await run.until('paused');
    expect((await run.decision(card.id)).state).toBe('declined');
    const again = await run.reopen(card.id);
    await run.tap(again, 'all');
    expect((await run.ended()).state).toBe('completed');
  });

  it('approval is off: ignored, with an audit row and nothing else', async () => {
    const { run, card } = await waitingForReveal();
    expect(await rejection(update(run, 'resolve_decision', approvalOf(card)))).toBe('operator_approvals_off: nothing was changed');
    expect((await run.decision(card.id)).state).toBe('open');
    expect((await run.progress()).budget.credits).toMatchObject({ held: 0, spent: 0 });
    expect(await audit(run)).toContainEqual({
      action: 'decision.ignored',
      actor: 'unverified:olga',
      channel: 'temporal-ui',
      reason: 'operator_approvals_off',
    });
    await run.control('cancel');
    await run.ended();
  });

  it('a decision that does not exist or belongs to another run is ignored with an audit row', async () => {
    const [one, other] = [await waitingForReveal(), await waitingForReveal()];
    expect(await rejection(update(one.run, 'resolve_decision', { decision_id: 'dec_forged', then: 'skip' }))).toBe(
      'decision_not_found: nothing was changed',
    );
    expect(await rejection(update(one.run, 'resolve_decision', { decision_id: other.card.id, then: 'skip' }))).toBe(
      'decision_not_found: nothing was changed',
    );
    expect((await other.run.decision(other.card.id)).state).toBe('open');
    expect((await audit(one.run)).filter((a) => a.action === 'decision.ignored').map((a) => a.reason)).toEqual([
      'decision_not_found',
      'decision_not_found',
    ]);
    for (const { run } of [one, other]) {
      await run.control('cancel');
      await run.ended();
    }
  });

  it('arguments that make no sense are rejected by the validator, before anything is stored', async () => {
    const { run, card } = await waitingForReveal();
    for (const bad of [
      null,
      {},
      { decision_id: card.id },
      { decision_id: card.id, then: 'approve' },
      { decision_id: 7, then: 'skip' },
      { ...approvalOf(card), total: 1.5 },
      { ...approvalOf(card), reason: '' },
    ]) {
      expect(await rejection(update(run, 'resolve_decision', bad))).toContain('expected { decision_id, then }');
    }
    expect(await rejection(update(run, 'pause', { reason: 5 }))).toContain('expected { reason }');
    expect(await rejection(update(run, 'replan', 'fewer'))).toContain('expected { cuentas?');
    expect((await run.decision(card.id)).state).toBe('open');
    expect((await audit(run)).filter((a) => a.channel === 'temporal-ui')).toEqual([]);
    expect((await run.workflow().fetchHistory()).events?.filter((e) => e.workflowExecutionUpdateAcceptedEventAttributes)).toEqual([]);
    await run.control('cancel');
    await run.ended();
  });

  it('pause, resume, replan and cancel_run do what the API does, audited as unverified', async () => {
    const gate = world.provider.hold('people_search', 3);
    const run = await world.automatic({ cuentas: 24, hasta: 'personas' });
    await gate.reached;
    expect(await update(run, 'pause', { reason: 'let me look' })).toEqual({ ok: true, code: 'done' });
    gate.release();
    await run.until((p) => p.state === 'paused' && p.counts.running === 0);
    expect(await update(run, 'replan', { cuentas: 20 })).toEqual({ ok: true, code: 'done' });
    expect(await rejection(update(run, 'replan', { cuentas: 900 }))).toBe('replan_only_less: nothing was changed');
    expect(await rejection(update(run, 'replan', { color: 'red' }))).toBe('bad_change: nothing was changed');
    expect(await update(run, 'resume', undefined)).toEqual({ ok: true, code: 'done' });
    expect(await run.ended()).toMatchObject({ plan_version: 2, counts: { total: 24, done: 20, skipped: 4 } });
    const log = (await audit(run)).filter((a) => a.channel === 'temporal-ui');
    expect(log.map((a) => a.action)).toEqual(['run.pause', 'run.replan', 'replan.ignored', 'replan.ignored', 'run.resume']);
    expect(new Set(log.map((a) => a.actor.split(':')[0]))).toEqual(new Set(['unverified']));

    const other = await world.run();
    await other.card('ajustar_presupuesto');
    expect(await update(other, 'cancel_run', { reason: 'a mistake' })).toEqual({ ok: true, code: 'done' });
    expect((await other.ended()).state).toBe('canceled');
  });

  it('unknown and repeated signals change nothing', async () => {
    const { run, card } = await waitingForReveal();
    const { row } = await queried(run);
    for (const id of [undefined, 's4']) {
      for (const [signal, args] of [
        ['decision.resolved', { decision_id: 'dec_forged' }],
        ['decision.resolved', { decision_id: card.id }],
        ['decision.resolved', undefined],
        ['control.changed', {}],
        ['control.changed', {}],
        ['step.begin', {}],
        ['board.approve', { all: true }],
      ] as const) {
        await run.workflow(id).signal(signal, args);
      }
    }
    // Each workflow has looked at its rows after the last signal once it answers a query.
    await run.workflow().query('run.progress');
    await details(run, 's4');
    expect(await run.progress()).toEqual(row);
    expect((await run.decision(card.id)).state).toBe('open');
    await run.tap(card, 'all');
    expect(await run.ended()).toMatchObject({ state: 'completed', contacts: { captured: 3 }, budget: { credits: { spent: 3 } } });
  });

  it('terminated from the UI, the run is settled by its rows and its steps end by themselves', async () => {
    const { reconcile } = await import('../../activities/maintenance.js');
    const { run } = await waitingForReveal();
    // The reconciler leaves a run alone in its first seconds.
    await world.rows(`update runs set created_at = created_at - interval '1 minute' where id = $1`, [run.id]);
    await run.workflow().terminate('by hand');
    expect(await reconcile(world.ctx)).toBe(1);
    expect(await run.progress()).toMatchObject({
      state: 'canceled',
      reason: { code: 'operator_terminated' },
      budget: { credits: { held: 0 } },
    });
    await world.awaited(
      async () => ((await run.workflow('s4').describe()).status.name === 'RUNNING' ? null : true),
      () => 's4 to end',
    );
    expect(await reconcile(world.ctx)).toBe(0);
  });
});

describe('approvals from the Temporal UI, turned on', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ env: { OPERATOR_APPROVALS: 'on' } });
  });
  afterAll(() => world.stop());

  it('approves what is printed in the details, refuses another total, and is never a verified identity', async () => {
    const run = await world.run({ cuentas: 2, hasta: 'contactos' });
    const card = await run.card('ajustar_presupuesto');
    await queried(run);
    const printed = JSON.parse(/```json\n([^`]*payload_hash[^`]*)\n```/.exec(await details(run))?.[1] ?? '{}') as Record<string, unknown>;
    expect(printed).toEqual({ decision_id: card.id, plan_version: 1, payload_hash: card.payload_hash, total: 2 });
    expect(await rejection(update(run, 'resolve_decision', { ...printed, total: 1, operator: 'olga', reason: 'x' }))).toBe(
      'total_differs: nothing was changed',
    );
    expect(await update(run, 'resolve_decision', { ...printed, operator: 'olga', reason: 'asked by the seller' })).toEqual({
      ok: true,
      code: 'done',
    });
    expect((await run.decision(card.id)).resolved).toMatchObject({ by: 'unverified:olga', channel: 'temporal-ui' });
    expect((await run.approve('guardar_en_crm', 'revelar_contactos')).state).toBe('completed');
    expect(await world.broken()).toEqual([]);
  });
});

describe('what an operator sees', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  const same = async (run: TestRun): Promise<Progress> => {
    const { query, row } = await queried(run);
    expect({ state: query.state, pasos: query.pasos, counts: query.counts }).toEqual({
      state: row.state,
      pasos: row.pasos,
      counts: row.counts,
    });
    return row;
  };

  it('the query equals the row whenever the run rests: start card, save card, paused, reveal card, and the end', async () => {
    const run = await world.run({ cuentas: 3 });
    const start = await run.card('ajustar_presupuesto');
    expect((await same(run)).state).toBe('ready');
    await run.tap(start, 'all');
    const save = await run.card('guardar_en_crm');
    expect((await same(run)).state).toBe('waiting_decision');
    await run.control('pause');
    expect((await same(run)).state).toBe('paused');
    await run.control('resume');
    await run.tap(save, 'approve');
    const reveal = await run.card('revelar_contactos');
    expect((await same(run)).state).toBe('waiting_decision');
    await run.tap(reveal, 'all');
    await run.ended();
    expect((await same(run)).state).toBe('completed');
    const plan = await run
      .workflow()
      .query<{ objetivo: string; pasos: Array<{ skill: string; status: string; conteo: string | null }> }>('plan');
    expect(plan.pasos.map((p) => [p.skill, p.status])).toEqual([
      ['campana', 'done'],
      ['buscar-empresas-y-proveedores', 'done'],
      ['guardar-en-crm', 'done'],
      ['conseguir-contactos', 'done'],
      ['conseguir-contactos', 'done'],
      ['armar-secuencia', 'done'],
      ['armar-secuencia', 'waiting_decision'],
    ]);
    expect(plan.pasos[3]?.conteo).toBe('3/3 account');
  });

  it('attributes, details and memo say what is waited for, since when and for how much, and name nobody', async () => {
    const run = await world.automatic({ modo: 'manual', cuentas: 3, hasta: 'contactos' });
    await run.tap(await run.card('guardar_en_crm'), 'approve');
    const card = await run.card('revelar_contactos');
    await queried(run);
    const attributes = await world.awaited(
      async () => {
        const found = (await run.workflow().describe()).typedSearchAttributes;
        return found.get(KEYS.decision) === card.id ? found : null;
      },
      () => 'the attributes of the card',
    );
    expect(Object.fromEntries(Object.entries(KEYS).map(([name, key]) => [name, attributes.get(key as typeof KEYS.state)]))).toMatchObject({
      workspace: world.workspace,
      state: 'waiting_decision',
      step: 's4',
      planVersion: 1,
      decision: card.id,
      unconfirmed: false,
      heldCredits: 0,
    });
    expect(attributes.get(KEYS.waitingSince)?.toISOString()).toBe(card.created_at);
    // A step writes its details when it hears that its card is there: a moment after the card can be read.
    const told = (of?: string): Promise<string> =>
      world.awaited(
        async () => {
          const text = await details(run, of);
          return text.includes(card.payload_hash) ? text : null;
        },
        () => `the card in the details of ${of ?? 'the campaign'}`,
      );
    const [parent, step] = [await told(), await told('s4')];
    for (const text of [parent, step]) {
      expect(text).toContain(card.id);
      expect(text).toContain(card.payload_hash);
      expect(text).toContain(`since ${card.created_at}, 3 credits`);
    }
    expect(parent).toContain('| s3 | conseguir-contactos | done | 3/3 account |');
    expect((await run.workflow().describe()).staticDetails ?? '').not.toContain('@');

    await run.tap(card, 'all');
    await run.ended();
    const closed = await run.workflow().describe();
    expect(closed.memo).toMatchObject({ cuentas: 3, counts: { done: 3, total: 3 } });
    const everything = JSON.stringify([closed.memo, parent, step, closed.typedSearchAttributes, await details(run)]);
    const people = await world.rows<{ name: string; email: string; person_id: string }>(
      `select name, email, person_id from contacts where run_id = $1`,
      [run.id],
    );
    expect(people).toHaveLength(3);
    for (const secret of people.flatMap((p) => [p.name, p.email, p.person_id])) expect(everything).not.toContain(secret);
  });

  it('histories carry ids only: no name, no mail, no company', async () => {
    const run = await world.automatic({ cuentas: 3 });
    await run.ended();
    const people = await world.rows<{ name: string; email: string; person_id: string; company: string }>(
      `select c.name, c.email, c.person_id, a.name as company from contacts c join accounts a using (run_id, position) where c.run_id = $1`,
      [run.id],
    );
    for (const step of [undefined, 's1', 's2', 's3', 's4', 's5']) {
      const history = await run.workflow(step).fetchHistory();
      const payloads = JSON.stringify(history, (_key, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
      );
      for (const secret of people.flatMap((p) => [p.name, p.email, p.person_id, p.company]))
        expect(payloads.includes(secret), `${step ?? 'campana'}: ${secret}`).toBe(false);
    }
  });

  it('runs are found by workspace, state and step', async () => {
    const run = await world.automatic({ modo: 'manual', cuentas: 2, hasta: 'personas' });
    await run.card('guardar_en_crm');
    const found = await world.awaited(
      async () => {
        for await (const w of world.client.workflow.list({
          query: `WorkspaceId = '${world.workspace}' AND RunState = 'waiting_decision' AND CurrentStep = 's2'`,
        }))
          if (w.workflowId === run.workflowId) return w;
        return null;
      },
      () => 'the run in the list',
    );
    expect(found.type).toBe('campana');
    await run.control('cancel');
    await run.ended();
  });

  it('a second start of the same run is the same workflow', async () => {
    const run = await world.run();
    const card = await run.card('ajustar_presupuesto');
    await world.rows(
      `insert into outbox (workspace_id, run_id, kind, workflow_id, payload) select workspace_id, run_id, kind, workflow_id, payload from outbox where run_id = $1 and kind = 'start'`,
      [run.id],
    );
    await world.rows(`select pg_notify('campana_outbox', $1)`, [randomUUID()]);
    await world.awaited(
      async () =>
        (await world.value<number>(`select count(*)::int from outbox where run_id = $1 and delivered_at is null`, [run.id])) === 0 || null,
      () => 'the outbox to be empty',
    );
    expect(await world.value<number>(`select count(*)::int from decisions where run_id = $1`, [run.id])).toBe(1);
    await run.tap(card, 'decline');
    await run.ended();
  });
});
