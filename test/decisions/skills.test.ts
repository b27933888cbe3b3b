import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create, estimate } from '../../activities/control.js';
import { operatorDesk } from '../../activities/operator.js';
import { stopDenied } from '../../activities/skills.js';
import { CreateRun } from '../../contracts/criteria.js';
import { transaction } from '../../db/client.js';
import { resumeRun } from '../../db/controls.js';
import { addUsage, clearState, setState, statesFor, usageReport, usedTogether, type ScopeRef } from '../../db/skills.js';
import {
  advance,
  approve,
  askReveal,
  begin,
  decision,
  findCompaniesFor,
  findPeople,
  finishedRun,
  gotIt,
  inRun,
  itemOf,
  lane,
  ledgerOf,
  newWorkspace,
  openDecision,
  openLab,
  openRun,
  person,
  progressOf,
  refusal,
  resolve,
  runAtReveal,
  skipSave,
  sql,
  tapOf,
  tick,
  violations,
  type Lab,
  type OpenRun,
} from '../support/runs.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

const account = (workspace: string): ScopeRef => ({ scope: 'account', scope_id: workspace });
const deny = (workspace: string, skill: string, at: ScopeRef = account(workspace)) =>
  transaction(lab.pool, (tx) => setState(tx, person(workspace), at, skill, 'never', 'no por ahora'));
const allow = (workspace: string, skill: string) =>
  transaction(lab.pool, (tx) => clearState(tx, person(workspace), account(workspace), skill, null));
const body = (over: Partial<CreateRun> = {}): CreateRun =>
  CreateRun.parse({ criteria: { giro: 'empaque', estado: 'Jalisco', cargo: 'compras' }, cuentas: 5, ...over });
const denied = (skill: string) => ({ status: 403, code: 'skill_denied', params: { skill, scope: 'account' } });
const paused = (skill: string, step: string) => ({
  state: 'paused',
  reason: { code: 'skill_denied', params: { skill, scope: 'account' } },
  pasos: expect.arrayContaining([
    expect.objectContaining({ id: step, status: 'paused', reason: { code: 'skill_denied', params: { skill, scope: 'account' } } }),
  ]) as unknown,
});
const resume = (at: OpenRun) => inRun(lab, at, (run) => resumeRun(run, person(at.workspace)));

describe('what is said about a skill', () => {
  it('is kept per scope, read in one go, and audited once per change', async () => {
    const workspace = await newWorkspace(lab);
    const say = (at: ScopeRef, skill: string, state: 'always' | 'available' | 'never') =>
      transaction(lab.pool, (tx) => setState(tx, person(workspace), at, skill, state, null));
    await say(account(workspace), 'armar-secuencia', 'never');
    await say({ scope: 'thread', scope_id: 't1' }, 'campana', 'always');
    await say({ scope: 'thread', scope_id: 't2' }, 'campana', 'never');
    await say({ scope: 'profile', scope_id: 'p1' }, 'campana', 'available');
    expect(await say({ scope: 'profile', scope_id: 'p1' }, 'campana', 'available')).toEqual({ changed: false });
    const of = (where: { profileId?: string; threadId?: string; turnId?: string }) =>
      transaction(lab.pool, (tx) => statesFor(tx, { workspace, ...where }));
    expect(await of({})).toEqual([{ scope: 'account', scope_id: workspace, skill: 'armar-secuencia', state: 'never' }]);
    expect((await of({ threadId: 't1', profileId: 'p1' })).map((r) => [r.skill, r.scope, r.state])).toEqual([
      ['armar-secuencia', 'account', 'never'],
      ['campana', 'profile', 'available'],
      ['campana', 'thread', 'always'],
    ]);
    expect(await transaction(lab.pool, (tx) => statesFor(tx, { workspace: 'ws_other', threadId: 't1' }))).toEqual([]);
    expect(await allow(workspace, 'armar-secuencia')).toEqual({ changed: true });
    expect(await allow(workspace, 'armar-secuencia')).toEqual({ changed: false });
    expect(
      await sql(lab, `select actor, channel, detail from audit where workspace_id = $1 and action = 'skill.state' order by id`, [
        workspace,
      ]),
    ).toMatchObject([
      {
        actor: 'ana',
        channel: 'web',
        detail: { skill: 'armar-secuencia', scope: 'account', scope_id: workspace, before: null, after: 'never' },
      },
      { detail: { scope_id: 't1', after: 'always' } },
      { detail: { scope_id: 't2', after: 'never' } },
      { detail: { scope: 'profile', after: 'available' } },
      { detail: { skill: 'armar-secuencia', before: 'never', after: null } },
    ]);
  });

  it("needs an id, and an account's own is its workspace", async () => {
    const workspace = await newWorkspace(lab);
    await expect(deny(workspace, 'campana', { scope: 'thread', scope_id: '' })).rejects.toThrow(/check/);
    await expect(deny(workspace, 'campana', { scope: 'account', scope_id: 'ws_other' })).rejects.toThrow(/check/);
  });
});

describe('a campaign that needs a skill which the account denies', () => {
  it('is not made, whoever asks, and one that does not need it is', async () => {
    const workspace = await newWorkspace(lab);
    await deny(workspace, 'armar-secuencia');
    for (const caller of [
      person(workspace),
      person(workspace, { roles: ['seller', 'approver', 'operator'] }),
      person(workspace, { channel: 'api', sub: 'agente' }),
    ]) {
      expect(await refusal(create(lab.ctx, caller, body(), 'same key'))).toMatchObject(denied('armar-secuencia'));
    }
    expect(await refusal(estimate(lab.ctx, person(workspace), body()))).toMatchObject(denied('armar-secuencia'));
    expect(await sql(lab, `select id from runs where workspace_id = $1`, [workspace])).toEqual([]);
    expect((await create(lab.ctx, person(workspace), body({ hasta: 'contactos' }), 'shorter')).status).toBe(202);
    await allow(workspace, 'armar-secuencia');
    // A refusal is not remembered under its key.
    expect((await create(lab.ctx, person(workspace), body(), 'same key')).status).toBe(202);
  });

  it('says campana itself first, looks only from where it starts, and at no other scope or account', async () => {
    const workspace = await newWorkspace(lab);
    await deny(workspace, 'buscar-empresas-y-proveedores');
    await deny(workspace, 'conseguir-contactos', { scope: 'thread', scope_id: 't1' });
    await deny(await newWorkspace(lab), 'campana');
    const accounts = [{ ref: 'c1', name: 'Una' }];
    expect(await refusal(create(lab.ctx, person(workspace), body(), 'a'))).toMatchObject(denied('buscar-empresas-y-proveedores'));
    expect((await create(lab.ctx, person(workspace), CreateRun.parse({ ...body(), desde: 's3', accounts }), 'b')).status).toBe(202);
    await deny(workspace, 'campana');
    expect(await refusal(create(lab.ctx, person(workspace), body(), 'c'))).toMatchObject(denied('campana'));
  });

  it('is not started by a tap, of an operator in the Temporal UI either; the card stays open and takes the tap afterwards', async () => {
    const workspace = await newWorkspace(lab);
    const at = await openRun(lab, workspace);
    const card = await decision(lab, at, at.start);
    const before = await ledgerOf(lab, workspace);
    await deny(workspace, 'conseguir-contactos');
    expect(await refusal(resolve(lab, at, card.id, tapOf(card, 'all')))).toMatchObject(denied('conseguir-contactos'));
    expect(
      await refusal(resolve(lab, at, card.id, tapOf(card, 'all'), person(workspace, { roles: ['seller', 'approver', 'operator'] }))),
    ).toMatchObject(denied('conseguir-contactos'));
    const desk = operatorDesk({ ...lab.ctx, env: { ...lab.ctx.env, OPERATOR_APPROVALS: 'on' } });
    expect(
      await desk.operatorDecision({
        workspace,
        run: at.run,
        decision: { decision_id: card.id, plan_version: 1, payload_hash: card.payload_hash, total: 5, operator: 'luis', reason: 'prueba' },
      }),
    ).toEqual({ ok: false, code: 'skill_denied' });
    expect(await decision(lab, at, card.id)).toEqual(card);
    expect(await ledgerOf(lab, workspace)).toEqual(before);
    await allow(workspace, 'conseguir-contactos');
    expect((await resolve(lab, at, card.id, tapOf(card, 'all'))).state).toBe('approved');
  });

  it('can always be declined', async () => {
    const workspace = await newWorkspace(lab);
    const at = await openRun(lab, workspace);
    const card = await decision(lab, at, at.start);
    await deny(workspace, 'campana');
    expect((await resolve(lab, at, card.id, tapOf(card, 'decline'))).state).toBe('declined');
  });

  it('is not started by its own cap either: the card waits', async () => {
    const workspace = await newWorkspace(lab);
    const at = await openRun(lab, workspace, { caps: { credits: 4 } });
    await sql(lab, `update decisions set state = 'superseded' where id = $1`, [at.start]);
    await inRun(lab, at, async (run) => {
      await run.tx.q(`update runs set prices = null where id = $1`, [run.id]);
    });
    await deny(workspace, 'guardar-en-crm');
    await lab.books.openRun({ workspace, run: at.run });
    expect((await openDecision(lab, at, 's0')).state).toBe('open');
    expect((await progressOf(lab, at)).budget.credits.plan_max).toBeNull();
  });
});

describe('a running campaign whose skill is denied', () => {
  it('stops where a step would begin, says which skill, and goes on once it is set back and resumed', async () => {
    const workspace = await newWorkspace(lab);
    const at = await openRun(lab, workspace);
    await approve(lab, at, 's0');
    await findCompaniesFor(lab, at);
    await deny(workspace, 'guardar-en-crm');
    await begin(lab, at, 's2');
    expect(await advance(lab, at, 's2')).toMatchObject({ do: 'wait', why: 'control' });
    expect(await progressOf(lab, at)).toMatchObject(paused('guardar-en-crm', 's2'));
    expect((await progressOf(lab, at)).decisions).toEqual([]);
    // Resumed too early it stops at the same place, and says so again.
    await resume(at);
    expect(await advance(lab, at, 's2')).toMatchObject({ do: 'wait', why: 'control' });
    expect(await progressOf(lab, at)).toMatchObject(paused('guardar-en-crm', 's2'));
    await allow(workspace, 'guardar-en-crm');
    // Set back alone it does not move: a person says when.
    expect(await advance(lab, at, 's2')).toMatchObject({ do: 'wait', why: 'control' });
    await resume(at);
    expect(await advance(lab, at, 's2')).toMatchObject({ do: 'wait', why: 'decision' });
    expect(await progressOf(lab, at)).toMatchObject({
      state: 'waiting_decision',
      reason: { code: expect.not.stringMatching('skill_denied') as unknown },
    });
    await approve(lab, at, 's2');
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('keeps an open card open and refuses its tap', async () => {
    const workspace = await newWorkspace(lab, { credits: 50 });
    const { card, ...at } = await runAtReveal(lab, workspace, { cuentas: 3 });
    await deny(workspace, 'conseguir-contactos');
    expect(await advance(lab, at, 's4')).toMatchObject({ do: 'wait', why: 'decision' });
    expect(await refusal(resolve(lab, at, card.id, tapOf(card, 'all')))).toMatchObject(denied('conseguir-contactos'));
    expect((await ledgerOf(lab, workspace)).credits.held).toBe(0);
    expect((await progressOf(lab, at)).state).toBe('waiting_decision');
    await allow(workspace, 'conseguir-contactos');
    await approve(lab, at, 's4');
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('buys nothing more in the middle of its reveals: what was sent is kept, the rest waits', async () => {
    const workspace = await newWorkspace(lab, { credits: 50 });
    const at = await runAtReveal(lab, workspace, { cuentas: 3 });
    await approve(lab, at, 's4');
    const first = itemOf(await tick(lab, at, lane('a')));
    await deny(workspace, 'conseguir-contactos');
    expect(await stopDenied(lab.ctx, workspace)).toBe(1);
    expect(await tick(lab, at, lane('a'), gotIt(first))).toEqual({ stop: 'paused' });
    expect(await progressOf(lab, at)).toMatchObject({ ...paused('conseguir-contactos', 's4'), contacts: { captured: 1 } });
    expect(await stopDenied(lab.ctx, workspace)).toBe(0);
    await allow(workspace, 'conseguir-contactos');
    await resume(at);
    expect(await advance(lab, at, 's4')).toMatchObject({ do: 'work', phase: 'reveal' });
    const second = itemOf(await tick(lab, at, lane('a')));
    itemOf(await tick(lab, at, lane('a'), gotIt(second)));
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('is stopped only where the denied skill works', async () => {
    const workspace = await newWorkspace(lab);
    const at = await openRun(lab, workspace);
    await approve(lab, at, 's0');
    await findCompaniesFor(lab, at);
    await skipSave(lab, at);
    await deny(workspace, 'armar-secuencia');
    expect(await stopDenied(lab.ctx, workspace)).toBe(0);
    await findPeople(lab, at);
    const card = await askReveal(lab, at);
    expect((await resolve(lab, at, card.id, tapOf(card, 'all'))).state).toBe('approved');
    expect((await progressOf(lab, at)).state).toBe('running');
  });

  it('stops at every step when campana itself is denied, and can be canceled', async () => {
    const workspace = await newWorkspace(lab);
    const at = await openRun(lab, workspace);
    await approve(lab, at, 's0');
    await begin(lab, at, 's1');
    await deny(workspace, 'campana');
    expect(await advance(lab, at, 's1')).toMatchObject({ do: 'wait', why: 'control' });
    expect(await progressOf(lab, at)).toMatchObject(paused('campana', 's1'));
    const closed = await lab.books.closeRun({ workspace, run: at.run, closing: { as: 'canceled', reason: null, events: null } });
    expect(closed).toMatchObject({ state: 'canceled', budget: { queries: { held: 0 } } });
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('does not answer its own cards in the automatic mode', async () => {
    const workspace = await newWorkspace(lab);
    const at = await openRun(lab, workspace, { modo: 'automatico', hasta: 'contactos' });
    await approve(lab, at, 's0');
    await findCompaniesFor(lab, at);
    await begin(lab, at, 's2');
    await deny(workspace, 'guardar-en-crm');
    expect(await advance(lab, at, 's2')).toMatchObject({ do: 'wait', why: 'control' });
    expect(await sql(lab, `select kind from decisions where run_id = $1 and kind = 'guardar_en_crm'`, [at.run])).toEqual([]);
  });

  it('keeps the review of a finished campaign for later', async () => {
    const workspace = await newWorkspace(lab);
    const at = await finishedRun(lab, workspace, { cuentas: 2 });
    const review = await openDecision(lab, at, 's6');
    await deny(workspace, 'armar-secuencia');
    expect(await refusal(resolve(lab, at, review.id, tapOf(review, 'approve')))).toMatchObject(denied('armar-secuencia'));
    await allow(workspace, 'armar-secuencia');
    expect((await resolve(lab, at, review.id, tapOf(review, 'approve'))).state).toBe('approved');
  });
});

describe('what is counted', () => {
  it('adds up per version in one statement, and remembers pairs', async () => {
    const workspace = await newWorkspace(lab);
    const add = (...args: [entries: Parameters<typeof addUsage>[2], together?: string[]]) =>
      transaction(lab.pool, (tx) => addUsage(tx, workspace, ...args));
    await add(
      [
        { skill: 'b', version: '1.0.0', viewed: 1 },
        { skill: 'a', version: '1.0.0', viewed: 1, used: 1 },
        { skill: 'b', version: '1.0.0', used: 1 },
      ],
      ['b', 'a', 'b'],
    );
    await add(
      [
        { skill: 'b', version: 'nobody knows it', helped: 2 },
        { skill: 'c', version: '1.0.0', omitted: 3 },
      ],
      ['a', 'b', 'c'],
    );
    await add([], []);
    const report = await transaction(lab.pool, (tx) => usageReport(tx, workspace));
    expect(report).toMatchObject([
      { skill: 'a', viewed: 1, used: 1 },
      {
        skill: 'b',
        viewed: 1,
        used: 1,
        helped: 2,
        versions: [
          { version: '1.0.0', viewed: 1 },
          { version: 'nobody knows it', helped: 2 },
        ],
      },
      // Passed over is not used.
      { skill: 'c', omitted: 3, last_at: null },
    ]);
    expect(await transaction(lab.pool, (tx) => usedTogether(tx, workspace))).toEqual([
      { a: 'a', b: 'b', times: 2 },
      { a: 'a', b: 'c', times: 1 },
      { a: 'b', b: 'c', times: 1 },
    ]);
  });

  it('loses nothing and never waits in a circle when many turns end at once, in any order', async () => {
    const workspace = await newWorkspace(lab);
    const names = ['uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis'];
    const {
      rows: [before],
    } = await lab.pool.query<{ deadlocks: number }>(`select deadlocks::int from pg_stat_database where datname = current_database()`);
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        const some = [...names.slice(i % 6), ...names.slice(0, i % 6)];
        return transaction(
          lab.pool,
          (tx) =>
            addUsage(
              tx,
              workspace,
              (i % 2 ? some : some.reverse()).map((skill) => ({ skill, version: '1', used: 1 })),
              some,
            ),
          1,
        );
      }),
    );
    const report = await transaction(lab.pool, (tx) => usageReport(tx, workspace));
    expect(report.map((r) => r.used)).toEqual(names.map(() => 60));
    expect((await transaction(lab.pool, (tx) => usedTogether(tx, workspace))).map((p) => p.times)).toEqual(
      Array.from({ length: 15 }, () => 60),
    );
    const {
      rows: [after],
    } = await lab.pool.query<{ deadlocks: number }>(`select deadlocks::int from pg_stat_database where datname = current_database()`);
    expect(after).toEqual(before);
  });
});
