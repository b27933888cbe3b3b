import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ToolFailure } from '../../activities/mcp.js';
import { stopDenied } from '../../activities/skills.js';
import { transaction } from '../../db/client.js';
import { clearState, setState } from '../../db/skills.js';
import { countsSum } from '../../workflows/progress.js';
import { refusal, World, type TestRun } from './world.js';

const states = (run: TestRun, table: 'accounts' | 'contacts'): Promise<Record<string, number>> =>
  run.world
    .rows<{ state: string; n: number }>(`select state, count(*)::int as n from ${table} where run_id = $1 group by state`, [run.id])
    .then((rows) => Object.fromEntries(rows.map((r) => [r.state, r.n])));
const live = (run: TestRun): Promise<number> =>
  run.world.value<number>(`select count(*)::int from holds where run_id = $1 and state = 'live'`, [run.id]);

describe('a campaign on a real server', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  // A handler of one test must not meet the next one.
  afterEach(async () => {
    for (const tool of ['people_search', 'people_reveal', 'crm_undo', 'company_search']) world.provider.on(tool);
    expect(await world.broken()).toEqual([]);
  });
  afterAll(() => world.stop());

  it('in automatico goes from search to drafts by itself and leaves only the review of the sequence open', async () => {
    const before = world.provider.charges.length;
    const run = await world.automatic({ cuentas: 7 });
    const end = await run.ended();
    expect(end).toMatchObject({
      state: 'completed',
      counts: { done: 7 },
      contacts: { captured: 7, drafted: 7, unconfirmed: 0 },
      budget: { credits: { spent: 7, held: 0 }, queries: { spent: 8, held: 0 } },
    });
    expect(run.paso(end, 's6').status).toBe('waiting_decision');
    expect(await world.rows(`select kind from decisions where run_id = $1 and state = 'open'`, [run.id])).toEqual([
      { kind: 'revisar_secuencia' },
    ]);
    expect(world.provider.charges.slice(before).filter((c) => c.tool === 'people_reveal')).toHaveLength(7);
  });

  it('in manual asks three times, and holds or spends nothing before each tap', async () => {
    const run = await world.run({ cuentas: 4 });
    const start = await run.card('ajustar_presupuesto');
    expect(await live(run)).toBe(0);
    expect(world.provider.calls.some((c) => c.tool === 'company_search' && c.at >= Date.parse(start.created_at))).toBe(false);
    await run.tap(start, 'all');
    const save = await run.card('guardar_en_crm');
    expect(world.provider.saves.has(`save:${save.id}`)).toBe(false);
    await run.tap(save, 'approve');
    const reveal = await run.card('revelar_contactos');
    expect((await run.progress()).budget.credits).toMatchObject({ held: 0, spent: 0 });
    await run.tap(reveal, 'all');
    expect(await run.ended()).toMatchObject({ state: 'completed', contacts: { drafted: 4 } });
    expect(world.provider.saves.get(`save:${save.id}`)?.saved).toBe(4);
  });

  it('an approved sequence becomes a one-step run of its recipe, linked to the campaign', async () => {
    const run = await world.automatic({ cuentas: 2 });
    await run.ended();
    const card = await run.card('revisar_secuencia');
    await run.tap(card, 'approve');
    const linked = await world.awaited(
      async () =>
        (
          await world.rows<{ id: string; workflow_id: string }>(
            `select id, workflow_id from runs where linked_run_id = $1 and ended_at is not null`,
            [run.id],
          )
        )[0] ?? null,
      () => 'the review run',
    );
    expect(linked.workflow_id).toBe(`receta/${world.workspace}/${linked.id}`);
    await world.client.workflow.getHandle(linked.workflow_id).result();
    expect((await run.progress()).state).toBe('completed');
  });

  it('pause holds at the next account and keeps every count; resume goes on to the end without asking anybody twice', async () => {
    const asked = world.provider.count('people_search');
    const gate = world.provider.hold('people_search', 8);
    const run = await world.automatic({ cuentas: 30, hasta: 'personas' });
    await gate.reached;
    await run.control('pause');
    gate.release();
    const paused = await run.until((p) => p.state === 'paused' && p.counts.running === 0);
    expect(paused.counts.done).toBeGreaterThanOrEqual(8);
    expect(paused.counts.pending).toBeGreaterThan(0);
    expect(countsSum(paused.counts)).toBe(30);
    const asleep = world.provider.count('people_search');
    await run.control('resume');
    const end = await run.ended();
    expect(end).toMatchObject({ state: 'completed', counts: { done: 30, total: 30 }, budget: { queries: { held: 0 } } });
    expect(world.provider.count('people_search') - asked).toBe(30);
    expect(asleep - asked).toBeLessThan(30);
  });

  it('a tap on a paused run is kept, and nothing is spent until it is resumed', async () => {
    const run = await world.automatic({ modo: 'manual', cuentas: 3, hasta: 'contactos' });
    await run.tap(await run.card('guardar_en_crm'), 'approve');
    const card = await run.card('revelar_contactos');
    const revealed = world.provider.count('people_reveal');
    await run.control('pause');
    await run.until('paused');
    await run.tap(card, 'all');
    expect((await run.progress()).state).toBe('paused');
    await run.control('resume');
    expect(await run.ended()).toMatchObject({ state: 'completed', contacts: { captured: 3 } });
    expect(world.provider.count('people_reveal') - revealed).toBe(3);
  });

  it('a skill denied in the middle stops the searches at the next account; the steps after it do not begin until theirs is set back and the run resumed', async () => {
    const say = (skill: string, state: 'never' | null): Promise<unknown> =>
      transaction(world.pool, (tx) => {
        const at = { scope: 'account' as const, scope_id: world.workspace };
        return state ? setState(tx, world.caller, at, skill, state, null) : clearState(tx, world.caller, at, skill, null);
      });
    const asked = world.provider.count('people_search');
    const gate = world.provider.hold('people_search', 8);
    const run = await world.automatic({ cuentas: 30, hasta: 'borradores' });
    await gate.reached;
    await say('conseguir-contactos', 'never');
    expect(await stopDenied(world.ctx, world.workspace)).toBe(1);
    gate.release();
    const stopped = await run.until((p) => p.state === 'paused' && p.counts.running === 0);
    expect(stopped).toMatchObject({ reason: { code: 'skill_denied', params: { skill: 'conseguir-contactos', scope: 'account' } } });
    expect(stopped.counts.pending).toBeGreaterThan(0);
    await say('conseguir-contactos', null);
    // Of a skill whose step is still to come nothing is seen yet.
    await say('armar-secuencia', 'never');
    await run.control('resume');
    const blocked = await run.until((p) => p.state === 'paused' && p.contacts.captured === 30);
    expect(blocked).toMatchObject({ reason: { code: 'skill_denied', params: { skill: 'armar-secuencia' } }, contacts: { drafted: 0 } });
    expect(run.paso(blocked, 's5').status).toBe('paused');
    await say('armar-secuencia', null);
    await run.control('resume');
    expect(await run.ended()).toMatchObject({ state: 'completed', contacts: { drafted: 30 } });
    expect(world.provider.count('people_search') - asked).toBe(30);
  });

  it('cancel in the middle of the people step keeps who was found, lets every hold go, and ends every workflow', async () => {
    const gate = world.provider.hold('people_search', 5);
    const run = await world.automatic({ cuentas: 30 });
    await gate.reached;
    await run.control('cancel');
    gate.release();
    const end = await run.ended();
    expect(end.state).toBe('canceled');
    expect(end.counts).toMatchObject({ running: 0, pending: 0 });
    expect(end.counts.done).toBeGreaterThanOrEqual(5);
    expect(countsSum(end.counts)).toBe(30);
    expect(await live(run)).toBe(0);
    for (const step of ['s1', 's2', 's3', 's4', 's5'])
      await expect.poll(async () => (await run.workflow(step).describe()).status.name, { message: step }).not.toBe('RUNNING');
  });

  it('cancel on a card ends the run at once with the card superseded', async () => {
    const run = await world.automatic({ modo: 'manual', cuentas: 3 });
    const card = await run.card('guardar_en_crm');
    await run.control('cancel');
    expect(await run.ended()).toMatchObject({ state: 'canceled', reason: { code: 'canceled_by_person' } });
    expect((await run.decision(card.id)).state).toBe('superseded');
    expect(await live(run)).toBe(0);
  });

  it('a replan to fewer accounts in the middle of the people step drops the last ones, frees their queries, and ends with the rest', async () => {
    const gate = world.provider.hold('people_search', 4);
    const run = await world.automatic({ cuentas: 30, hasta: 'personas' });
    await gate.reached;
    const impact = await run.replan({ cuentas: 16 });
    expect(impact).toMatchObject({ plan_version: 2, dropped: 14, freed: { queries: 14 } });
    gate.release();
    const end = await run.ended();
    expect(end).toMatchObject({ plan_version: 2, counts: { total: 30, done: 16, skipped: 14 }, budget: { queries: { held: 0 } } });
    expect(await world.value<number>(`select max(position) from accounts where run_id = $1 and state = 'chosen'`, [run.id])).toBe(16);
  });

  it('a replan while a card is open supersedes it; an old tap is refused and the fresh card goes on', async () => {
    const run = await world.automatic({ modo: 'manual', cuentas: 4, hasta: 'contactos' });
    const old = await run.card('guardar_en_crm');
    await run.replan({ cuentas: 2 });
    expect((await refusal(run.tap(old, 'approve'))).status).toBe(412);
    const fresh = await run.card('guardar_en_crm', old.id);
    expect(fresh.plan_version).toBe(2);
    await run.tap(fresh, 'approve');
    await run.tap(await run.card('revelar_contactos'), 'all');
    expect(await run.ended()).toMatchObject({ counts: { total: 4, done: 2, skipped: 2 }, contacts: { captured: 2 } });
  });

  it('a contact that another campaign of the workspace revealed is used again and costs nothing', async () => {
    const criteria = { giro: 'envase', cargo: 'compras' };
    await (await world.automatic({ criteria, cuentas: 2, hasta: 'contactos' })).ended();
    const revealed = world.provider.count('people_reveal');
    const run = await world.automatic({ criteria, cuentas: 3, hasta: 'contactos' });
    expect(await run.ended()).toMatchObject({ state: 'completed', contacts: { captured: 3 }, budget: { credits: { spent: 1, held: 0 } } });
    expect(world.provider.count('people_reveal') - revealed).toBe(1);
  });

  it('a replan to an earlier end skips the steps that are no longer wanted', async () => {
    const gate = world.provider.hold('people_search', 2);
    const run = await world.automatic({ cuentas: 12 });
    await gate.reached;
    await run.replan({ hasta: 'personas' });
    gate.release();
    const end = await run.ended();
    expect(end).toMatchObject({ state: 'completed', counts: { done: 12 }, contacts: { captured: 0 } });
    expect(['s4', 's5'].map((s) => run.paso(end, s).status)).toEqual(['skipped', 'skipped']);
  });

  it('undo of the save while people are looked for: s2 waits again, people are kept, and the next approval goes on', async () => {
    const gate = world.provider.hold('people_search', 6);
    const run = await world.automatic({ modo: 'manual', cuentas: 24, hasta: 'personas' });
    const saved = await run.card('guardar_en_crm');
    await run.tap(saved, 'approve');
    await gate.reached;
    await run.undo(saved.id);
    gate.release();
    const again = await run.card('guardar_en_crm', saved.id);
    const waiting = await run.until((p) => p.counts.running === 0);
    expect(run.paso(waiting, 's2').status).toBe('waiting_decision');
    expect(waiting.counts.done).toBeGreaterThanOrEqual(6);
    expect(waiting.counts.pending).toBeGreaterThan(0);
    expect(world.provider.saves.get(`save:${saved.id}`)?.undone).toBe(true);
    const found = waiting.counts.done;
    await world.awaited(
      async () => ((await run.workflow('s2').describe()).status.name === 'RUNNING' ? true : null),
      () => 'the save step to run again',
    );
    await run.tap(again, 'approve');
    const end = await run.ended();
    expect(end).toMatchObject({ state: 'completed', counts: { done: 24 }, budget: { queries: { held: 0 } } });
    expect(found).toBeLessThan(24);
    expect(world.provider.saves.get(`save:${again.id}`)?.saved).toBe(24);
  });

  it('undo refused by the provider because rows changed pauses the run and says so; resumed it goes on with the save as it is', async () => {
    const gate = world.provider.hold('people_search', 3);
    world.provider.on('crm_undo', () => Promise.reject(new ToolFailure('crm_undo', 'refused', 'rows_changed')));
    const run = await world.automatic({ modo: 'manual', cuentas: 12, hasta: 'personas' });
    const saved = await run.card('guardar_en_crm');
    await run.tap(saved, 'approve');
    await gate.reached;
    await run.undo(saved.id);
    gate.release();
    const refused = await run.until((p) => p.reason?.code === 'undo_refused.rows_changed');
    expect(refused.state).toBe('paused');
    expect(world.provider.saves.get(`save:${saved.id}`)?.undone).toBe(false);
    await run.control('resume');
    expect(await run.ended()).toMatchObject({ state: 'completed', counts: { done: 12 } });
  });

  it('undo after a reveal is held is refused', async () => {
    const run = await world.automatic({ modo: 'manual', cuentas: 2, hasta: 'contactos' });
    const saved = await run.card('guardar_en_crm');
    await run.tap(saved, 'approve');
    const gate = world.provider.hold('people_reveal');
    await run.tap(await run.card('revelar_contactos'), 'all');
    await gate.reached;
    expect(await refusal(run.undo(saved.id))).toMatchObject({ status: 409, code: 'reveal_already_held' });
    gate.release();
    expect((await run.ended()).state).toBe('completed');
  });

  it('a declined save with "skip" saves nothing and looks for people all the same', async () => {
    const saves = world.provider.count('crm_save_companies');
    const run = await world.automatic({ modo: 'manual', cuentas: 3, hasta: 'personas' });
    await run.tap(await run.card('guardar_en_crm'), 'decline', { then: 'skip' });
    const end = await run.ended();
    expect(end.counts.done).toBe(3);
    expect(run.paso(end, 's2')).toMatchObject({ status: 'skipped', reason: { code: 'declined_skip' } });
    expect(world.provider.count('crm_save_companies')).toBe(saves);
  });

  it('a declined reveal with "skip" spends nothing, drafts nothing, and ends partial', async () => {
    const revealed = world.provider.count('people_reveal');
    const run = await world.automatic({ modo: 'manual', cuentas: 3 });
    await run.tap(await run.card('guardar_en_crm'), 'approve');
    await run.tap(await run.card('revelar_contactos'), 'decline', { then: 'skip' });
    const end = await run.ended();
    expect(end).toMatchObject({ state: 'completed_partial', counts: { done: 3 }, budget: { credits: { held: 0, spent: 0 } } });
    expect(['s4', 's5'].map((s) => run.paso(end, s).status)).toEqual(['skipped', 'skipped']);
    expect(world.provider.count('people_reveal')).toBe(revealed);
  });

  it('a declined reveal with "wait" pauses with nothing held; reopened and tapped it reveals', async () => {
    const run = await world.automatic({ modo: 'manual', cuentas: 3, hasta: 'contactos' });
    await run.tap(await run.card('guardar_en_crm'), 'approve');
    const card = await run.card('revelar_contactos');
    await run.tap(card, 'decline', { then: 'wait' });
    await run.until('paused');
    expect(await live(run)).toBe(0);
    const again = await run.reopen(card.id);
    await run.tap(again, 'all');
    expect(await run.ended()).toMatchObject({ state: 'completed', contacts: { captured: 3 } });
  });

  it('a declined reveal with "cancel" ends the run, people found kept', async () => {
    const run = await world.automatic({ modo: 'manual', cuentas: 3 });
    await run.tap(await run.card('guardar_en_crm'), 'approve');
    await run.tap(await run.card('revelar_contactos'), 'decline', { then: 'cancel' });
    expect(await run.ended()).toMatchObject({ state: 'canceled', counts: { done: 3 }, budget: { credits: { held: 0, spent: 0 } } });
  });

  it('a declined start ends the run canceled with nothing spent or asked', async () => {
    const searched = world.provider.count('company_search');
    const run = await world.run();
    await run.tap(await run.card('ajustar_presupuesto'), 'decline');
    expect(await run.ended()).toMatchObject({
      state: 'canceled',
      reason: { code: 'start_declined' },
      budget: { credits: { spent: 0 }, queries: { spent: 0, held: 0 } },
    });
    expect(world.provider.count('company_search')).toBe(searched);
  });

  it('contacts chosen on the card are the only ones revealed', async () => {
    const run = await world.automatic({ modo: 'manual', cuentas: 4, hasta: 'contactos' });
    await run.tap(await run.card('guardar_en_crm'), 'approve');
    const card = await run.card('revelar_contactos');
    const two = card.items.slice(0, 2);
    await run.tap(card, 'choose', { items: two.map((i) => i.ref), shown_total: two.reduce((sum, i) => sum + i.price, 0) });
    expect(await run.ended()).toMatchObject({ state: 'completed_partial', contacts: { captured: 2 } });
    expect(await states(run, 'contacts')).toEqual({ captured: 2, quoted: 2 });
  });

  it('accounts already in the CRM start at the people step: no search, no save', async () => {
    const before = [world.provider.count('company_search'), world.provider.count('crm_save_companies')];
    const accounts = [301, 302, 303].map((n) => ({ ref: `com-${n}`, name: `Cuenta ${n}` }));
    const run = await world.automatic({ desde: 's3', accounts, cuentas: 3 });
    const end = await run.ended();
    expect(end).toMatchObject({ state: 'completed', counts: { done: 3 }, contacts: { drafted: 3 } });
    expect(end.pasos.map((p) => p.id)).toEqual(['s0', 's3', 's4', 's5', 's6']);
    expect([world.provider.count('company_search'), world.provider.count('crm_save_companies')]).toEqual(before);
  });

  it('a selection from the board starts at the save', async () => {
    const run = await world.automatic({ desde: 's2', accounts: [{ ref: 'com-401', name: 'Cuenta 401' }], cuentas: 1, hasta: 'contactos' });
    const end = await run.ended();
    expect(end).toMatchObject({ state: 'completed', contacts: { captured: 1 } });
    expect(run.paso(end, 's2').status).toBe('done');
  });

  it('a selection that is only kept costs nothing: one card, the save itself, and its tap ends it', async () => {
    const run = await world.automatic({
      modo: 'manual',
      desde: 's2',
      accounts: [
        { ref: 'com-402', name: 'Cuenta 402' },
        { ref: 'com-403', name: 'Cuenta 403' },
      ],
      cuentas: 2,
      hasta: 'cuentas',
    });
    const end = await run.approve('guardar_en_crm');
    expect(end).toMatchObject({
      state: 'completed',
      budget: { credits: { plan_max: 0, spent: 0 }, queries: { plan_max: 0, held: 0, spent: 0 } },
    });
    expect(await world.rows(`select kind, channel from decisions where run_id = $1 order by id`, [run.id])).toEqual([
      { kind: 'ajustar_presupuesto', channel: 'free:api' },
      { kind: 'guardar_en_crm', channel: 'api' },
    ]);
  });

  it.each([
    ['cuentas', ['s0', 's1', 's2']],
    ['personas', ['s0', 's1', 's2', 's3']],
    ['contactos', ['s0', 's1', 's2', 's3', 's4']],
  ] as const)('"hasta %s" ends there', async (hasta, steps) => {
    const run = await world.automatic({ hasta, cuentas: 3 });
    const end = await run.ended();
    expect(end.state).toBe('completed');
    expect(end.pasos.map((p) => p.id)).toEqual(steps);
    expect(end.pasos.every((p) => p.status === 'done')).toBe(true);
    expect(await live(run)).toBe(0);
  });
});

describe('a campaign that finds nothing', () => {
  let world: World;
  afterEach(async () => {
    try {
      expect(await world.broken()).toEqual([]);
    } finally {
      await world.stop();
    }
  });

  it('drops one filter at a time, says which, and ends with the reason, nothing saved and nothing held', async () => {
    world = await World.start({ finds: () => false });
    const run = await world.automatic({
      criteria: { giro: 'empaque', estado: 'Jalisco', tamano: 'grande', cargo: 'compras' },
      cuentas: 10,
    });
    const end = await run.ended();
    expect(end).toMatchObject({
      state: 'completed_partial',
      reason: { code: 'no_companies', params: { dropped: 'grande, Jalisco' } },
      counts: { not_found: 10, done: 0 },
      budget: { queries: { held: 0, spent: 3 }, credits: { spent: 0 } },
    });
    expect(
      world.provider.calls.filter((c) => c.tool === 'company_search').map((c) => [c.args['size'] ?? null, c.args['state'] ?? null]),
    ).toEqual([
      ['grande', 'Jalisco'],
      [null, 'Jalisco'],
      [null, null],
    ]);
    expect(world.provider.count('crm_save_companies') + world.provider.count('people_search')).toBe(0);
    expect(['s2', 's3', 's4', 's5'].map((s) => run.paso(end, s).status)).toEqual(['skipped', 'skipped', 'skipped', 'skipped']);
  });

  it('a filter left out by plan B is said on the save card', async () => {
    world = await World.start({ finds: (f) => f.size === undefined });
    const run = await world.automatic({
      modo: 'manual',
      criteria: { giro: 'empaque', estado: 'Jalisco', tamano: 'grande', cargo: 'compras' },
      cuentas: 4,
      hasta: 'cuentas',
    });
    const card = await run.card('guardar_en_crm');
    expect(card.notes).toEqual([{ code: 'plan_b.size', params: { value: 'grande', found: 100_000 } }]);
    await run.tap(card, 'approve');
    expect((await run.ended()).counts.total).toBe(4);
  });

  it('nobody at any account ends partial with the reason and nothing revealed', async () => {
    world = await World.start({ nobodyAt: () => true });
    const run = await world.automatic({ cuentas: 4 });
    const end = await run.ended();
    expect(end).toMatchObject({
      state: 'completed_partial',
      reason: { code: 'nobody_found' },
      counts: { not_found: 4 },
      budget: { credits: { spent: 0, held: 0 } },
    });
    expect(world.provider.count('people_quote') + world.provider.count('people_reveal')).toBe(0);
  });

  it('fewer companies than asked for: the rest are not found, and the campaign goes on with those there are', async () => {
    world = await World.start({ companies: 3 });
    const run = await world.automatic({ cuentas: 8, hasta: 'contactos' });
    const end = await run.ended();
    expect(end).toMatchObject({
      state: 'completed_partial',
      counts: { total: 8, done: 3, not_found: 5 },
      contacts: { captured: 3 },
      budget: { queries: { held: 0 } },
    });
    expect(run.paso(end, 's1').reason?.code).toBe('universe_exhausted');
  });
});
