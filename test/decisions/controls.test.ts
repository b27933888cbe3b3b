import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replan } from '../../activities/control.js';
import { cancelRun, pauseRun, replanRun, resumeRun } from '../../db/controls.js';
import { receiptOf } from '../../db/close.js';
import { objectiveAfter } from '../../db/objective.js';
import { askUndo } from '../../db/decisions/undo.js';
import { expireDecision, reopenDecision } from '../../db/decisions/lapse.js';
import { findDecision } from '../../db/decisions/decision.js';
import { retryFailed } from '../../db/ops.js';
import {
  advance,
  approve,
  begin,
  draftAll,
  findCompaniesFor,
  findPeople,
  finish,
  gotIt,
  inRun,
  itemOf,
  lane,
  ledgerOf,
  newWorkspace,
  nobodyKnows,
  openDecision,
  openLab,
  openRun,
  person,
  progressOf,
  quote,
  refusal,
  resolve,
  revealAll,
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

const TABLES = [
  'runs',
  'run_progress',
  'run_events',
  'run_steps',
  'accounts',
  'contacts',
  'decisions',
  'outbox',
  'audit',
  'holds',
  'transfers',
  'effects',
  'ledger_accounts',
  'idempotency_keys',
];
/** Every row of a workspace, to see that nothing at all changed. */
const everything = async (at: OpenRun): Promise<unknown> => {
  const out: Record<string, unknown> = {};
  for (const table of TABLES) {
    const where =
      table === 'runs'
        ? 'id = $2 and workspace_id = $1'
        : table === 'run_steps'
          ? 'run_id = $2 and $1::text is not null'
          : '$2::text is not null and workspace_id = $1';
    out[table] = await sql(lab, `select to_jsonb(x) as row from ${table} x where ${where} order by 1`, [at.workspace, at.run]);
  }
  return out;
};
const change = (at: OpenRun, body: Parameters<typeof replanRun>[1], dry = false) =>
  inRun(lab, at, (run) => replanRun(run, body, person(at.workspace), dry));
const holds = (at: OpenRun): Promise<unknown> =>
  sql(lab, `select kind, state, count(*)::int as n from holds where run_id = $1 group by 1, 2 order by 1, 2`, [at.run]);

/** In the middle of its reveals: one captured, one sent, one unknown, the rest held. */
const inTheMiddle = async (cuentas = 6): Promise<OpenRun & { sent: ReturnType<typeof itemOf> }> => {
  const at = await runAtReveal(lab, await newWorkspace(lab, { credits: 50 }), { cuentas });
  await approve(lab, at, 's4');
  const first = itemOf(await tick(lab, at, lane('a')));
  const second = itemOf(await tick(lab, at, lane('a'), gotIt(first)));
  const sent = itemOf(await tick(lab, at, lane('a'), nobodyKnows(second)));
  return { ...at, sent };
};

describe('a change of plan', () => {
  it('is what the campaign is called from then on, for everybody who reads it, and again at the next change', async () => {
    const at = await openRun(lab, await newWorkspace(lab), { cuentas: 50 });
    expect((await progressOf(lab, at)).objetivo).toBe('50 · compras · empaque · Jalisco');
    await change(at, { cuentas: 30 });
    expect((await progressOf(lab, at)).objetivo).toBe('30 · compras · empaque · Jalisco');
    await lab.books.snapshot({ workspace: at.workspace, run: at.run });
    await approve(lab, at, 's0');
    await change(at, { cuentas: 20 });
    await change(at, { cargo: 'logística' });
    await change(at, { cuentas: 12 });
    expect((await progressOf(lab, at)).objetivo).toBe('12 · logística · empaque · Jalisco');
    expect(await sql(lab, `select objetivo from runs where id = $1`, [at.run])).toEqual([
      { objetivo: '12 · logística · empaque · Jalisco' },
    ]);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it.each([
    ['Llegar a 50 personas de compras en 50 empresas de empaque', 'Llegar a 30 personas de ventas en 30 empresas de empaque'],
    [
      '50 compradores (Compras) de plantas con más de 50 empleados y 150 rutas',
      '30 compradores (ventas) de plantas con más de 50 empleados y 150 rutas',
    ],
    ['Fabricantes grandes de Jalisco', 'Fabricantes grandes de Jalisco'],
  ])('keeps every other word of a name that somebody gave: %s', (given, then) => {
    const criteria = { giro: 'empaque', cargo: 'compras' };
    expect(objectiveAfter(given, { cuentas: 50, criteria }, { cuentas: 30, criteria: { ...criteria, cargo: 'ventas' } })).toBe(then);
    expect(objectiveAfter('1,500 cuentas; 1.500 en total, no 51,500', { cuentas: 1500, criteria }, { cuentas: 900, criteria })).toBe(
      '900 cuentas; 900 en total, no 51,500',
    );
  });

  it('said dry changes no row at all, and says what the real one then does', async () => {
    const at = await inTheMiddle();
    const before = await everything(at);
    const dry = await replan(lab.ctx, person(at.workspace), at.run, { cargo: 'logística' }, true, 'dry');
    expect(await everything(at)).toEqual(before);
    expect(dry.body).toMatchObject({
      dry_run: true,
      plan_version: 1,
      kept: { chosen: 6, captured: 1, drafted: 0 },
      dropped: 0,
      freed: { credits: 3 },
    });
    const real = await replan(lab.ctx, person(at.workspace), at.run, { cargo: 'logística' }, false, 'real');
    expect(real.body).toEqual({ ...(dry.body as object), dry_run: false, plan_version: 2 });
  });

  it('keeps what is finished and what was sent, and lets what was only held go, to be offered again', async () => {
    const at = await inTheMiddle();
    await change(at, { cargo: 'logística' });
    expect(await holds(at)).toEqual([
      { kind: 'credits', state: 'captured', n: 1 },
      { kind: 'credits', state: 'live', n: 2 },
      { kind: 'credits', state: 'voided', n: 3 },
      { kind: 'queries', state: 'captured', n: 7 },
      { kind: 'queries', state: 'voided', n: 2 },
    ]);
    expect(await sql(lab, `select state, count(*)::int as n from contacts where run_id = $1 group by 1 order by 1`, [at.run])).toEqual([
      { state: 'captured', n: 1 },
      { state: 'quoted', n: 3 },
      { state: 'sent', n: 1 },
      { state: 'unconfirmed', n: 1 },
    ]);
    expect(await progressOf(lab, at)).toMatchObject({
      plan_version: 2,
      state: 'running',
      budget: { credits: { plan_max: 6, held: 2, spent: 1 } },
      counts: { done: 6 },
    });
    expect(await tick(lab, at, lane('a'), gotIt(at.sent), 1)).toEqual({ stop: 'replanned' });
    expect((await progressOf(lab, at)).contacts.captured).toBe(2);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('replaces the open card: the old one can never be approved, the fresh one is of the new plan', async () => {
    const at = await runAtReveal(lab, await newWorkspace(lab));
    const impact = await change(at, { cargo: 'logística' });
    expect(impact.superseded).toEqual([at.card.id]);
    expect(await progressOf(lab, at)).toMatchObject({ decisions: [], state: 'running' });
    await advance(lab, at, 's4');
    await quote(lab, at);
    await advance(lab, at, 's4');
    expect(await openDecision(lab, at, 's4')).toMatchObject({ plan_version: 2 });
  });

  it('to fewer accounts drops the last of those that wait, frees their queries, and keeps every person found', async () => {
    const at = await openRun(lab, await newWorkspace(lab), { cuentas: 10 });
    await approve(lab, at, 's0');
    await findCompaniesFor(lab, at);
    await skipSave(lab, at);
    const before = (await ledgerOf(lab, at.workspace)).queries;
    await begin(lab, at, 's3');
    const impact = await change(at, { cuentas: 4 });
    expect(impact).toMatchObject({ dropped: 6, freed: { queries: 6, credits: 0 }, plan_version: 2 });
    expect(
      await sql(
        lab,
        `select position from accounts where run_id = $1 and state = 'skipped' and reason ->> 'code' = 'replanned' order by position`,
        [at.run],
      ),
    ).toEqual([5, 6, 7, 8, 9, 10].map((position) => ({ position })));
    expect((await ledgerOf(lab, at.workspace)).queries.available).toBe(before.available + 6);
    expect((await progressOf(lab, at)).counts).toMatchObject({ total: 10, pending: 4, skipped: 6 });
    await findPeople(lab, at);
    const after = await change(at, { cuentas: 2 });
    expect(after).toMatchObject({ dropped: 0, kept: { chosen: 4 } });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('to an earlier end leaves the later steps out, with the reason', async () => {
    const at = await runAtReveal(lab, await newWorkspace(lab));
    const impact = await change(at, { hasta: 'personas' });
    expect(impact.steps_removed).toEqual(['s4', 's5', 's6']);
    expect((await progressOf(lab, at)).pasos.filter((p) => p.reason?.code === 'replanned').map((p) => [p.id, p.status])).toEqual([
      ['s4', 'skipped'],
      ['s5', 'skipped'],
      ['s6', 'skipped'],
    ]);
    expect(await finish(lab, at)).toMatchObject({ state: 'completed', counts: { done: 5 } });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('never raises anything: more accounts, a later end and a run that is over are refused', async () => {
    const at = await openRun(lab, await newWorkspace(lab), { hasta: 'personas' });
    await approve(lab, at, 's0');
    expect(await refusal(change(at, { cuentas: 6 }))).toMatchObject({ status: 422, code: 'replan_only_less' });
    expect(await refusal(change(at, { hasta: 'borradores' }))).toMatchObject({ status: 422, code: 'replan_only_shorter' });
    const max = (await progressOf(lab, at)).budget;
    await change(at, { cargo: 'logística' });
    expect((await progressOf(lab, at)).budget).toEqual(max);
    await finish(lab, at, 'canceled');
    expect(await refusal(change(at, { cargo: 'ventas' }))).toMatchObject({ status: 409, code: 'run_final' });
  });

  it('before the start shows a fresh start card for the smaller plan', async () => {
    const at = await openRun(lab, await newWorkspace(lab), { cuentas: 10 });
    await change(at, { cuentas: 4 });
    expect(await progressOf(lab, at)).toMatchObject({ state: 'ready', plan_version: 2, counts: { total: 4, pending: 4 }, decisions: [] });
    await lab.books.snapshot({ workspace: at.workspace, run: at.run });
    const card = await openDecision(lab, at, 's0');
    expect(card.payload.options[0]).toMatchObject({ id: 'all', n: 4 });
    await approve(lab, at, 's0');
    expect((await progressOf(lab, at)).counts).toMatchObject({ total: 4, pending: 4 });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });
});

describe('a pause', () => {
  it('holds, resumes to where it was, and a repeat of either changes nothing', async () => {
    const at = await runAtReveal(lab, await newWorkspace(lab));
    const who = person(at.workspace);
    await inRun(lab, at, (run) => pauseRun(run, who));
    const paused = await progressOf(lab, at);
    expect(paused).toMatchObject({ state: 'paused', reason: { code: 'paused_by_person', params: { by: 'ana' } }, decisions: [at.card.id] });
    await inRun(lab, at, (run) => pauseRun(run, who));
    expect(await progressOf(lab, at)).toEqual(paused);
    await inRun(lab, at, (run) => resumeRun(run, who));
    const resumed = await progressOf(lab, at);
    expect(resumed).toMatchObject({ state: 'waiting_decision', decisions: [at.card.id] });
    await inRun(lab, at, (run) => resumeRun(run, who));
    expect(await progressOf(lab, at)).toEqual(resumed);
  });
});

describe('a cancel in the middle', () => {
  it('frees only what was not sent; what was sent is unconfirmed and keeps its hold', async () => {
    const at = await inTheMiddle();
    await inRun(lab, at, (run) => cancelRun(run, person(at.workspace)));
    expect((await progressOf(lab, at)).state).toBe('stopping');
    expect(await refusal(inRun(lab, at, (run) => pauseRun(run, person(at.workspace))))).toMatchObject({
      status: 409,
      code: 'run_stopping',
    });
    const end = await finish(lab, at);
    expect(end).toMatchObject({
      state: 'canceled',
      reason: { code: 'canceled_by_person', params: { by: 'ana' } },
      contacts: { captured: 1, unconfirmed: 2 },
      budget: { credits: { held: 2, spent: 1 }, queries: { held: 0 } },
    });
    expect(await sql(lab, `select state, count(*)::int as n from contacts where run_id = $1 group by 1 order by 1`, [at.run])).toEqual([
      { state: 'captured', n: 1 },
      { state: 'unconfirmed', n: 2 },
      { state: 'voided', n: 3 },
    ]);
    expect((await ledgerOf(lab, at.workspace)).credits).toMatchObject({ held: 2, spent: 1, available: 47 });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('believes the reply that comes after the end', async () => {
    const at = await inTheMiddle();
    await finish(lab, at, 'canceled');
    expect(await tick(lab, at, lane('a'), gotIt(at.sent))).toEqual({ stop: 'canceled' });
    expect(await progressOf(lab, at)).toMatchObject({
      state: 'canceled',
      contacts: { captured: 2, unconfirmed: 1 },
      budget: { credits: { held: 1, spent: 2 } },
    });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('is the same whoever closes the run and however often: the workflow and the reconciler cannot disagree', async () => {
    const at = await inTheMiddle();
    const ends = await Promise.all(Array.from({ length: 6 }, (_, i) => finish(lab, at, i % 2 === 0 ? 'canceled' : 'failed')));
    const last = await progressOf(lab, at);
    expect(new Set(ends.map((e) => e.state)).size).toBe(1);
    for (const end of ends) expect(end).toEqual(last);
    expect(await finish(lab, at)).toEqual(last);
    expect(await progressOf(lab, at)).toEqual(last);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('before the start spends and holds nothing, and still counts its goal', async () => {
    const at = await openRun(lab, await newWorkspace(lab));
    await inRun(lab, at, (run) => cancelRun(run, person(at.workspace)));
    expect(await finish(lab, at)).toMatchObject({
      state: 'canceled',
      counts: { total: 5, skipped: 5, pending: 0, running: 0 },
      budget: { credits: { held: 0, spent: 0 }, queries: { held: 0, spent: 0 } },
      decisions: [],
    });
    expect((await receiptOf(lab.pool, at.workspace, at.run)).missing).toEqual([
      { reason: 'canceled_by_person', count: 5, exit: 'exit.new_campaign' },
    ]);
  });

  it('in the middle of the searches frees the queries that were not used, and says of each account that it was not reached', async () => {
    const at = await openRun(lab, await newWorkspace(lab), { cuentas: 8 });
    await approve(lab, at, 's0');
    await findCompaniesFor(lab, at);
    await skipSave(lab, at);
    await begin(lab, at, 's3');
    await sql(lab, `update accounts set state = 'running', lane_id = 'x', lane_attempt = 1 where run_id = $1 and position = 1`, [at.run]);
    await inRun(lab, at, (run) => {
      run.emit('t', {}, run.moves([{ from: 'pending', to: 'running', n: 1 }]));
      return Promise.resolve();
    });
    await inRun(lab, at, (run) => cancelRun(run, person(at.workspace)));
    expect(await finish(lab, at)).toMatchObject({
      counts: { skipped: 8, running: 0, pending: 0 },
      budget: { queries: { held: 0, spent: 1 } },
    });
    expect(await sql(lab, `select distinct state, reason ->> 'code' as why from accounts where run_id = $1`, [at.run])).toEqual([
      { state: 'skipped', why: 'canceled' },
    ]);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });
});

describe('the end of a run', () => {
  it('is partial with a reason and a way out for each gap', async () => {
    const at = await runAtReveal(lab, await newWorkspace(lab, { credits: 3 }), { cuentas: 5 });
    await approve(lab, at, 's4');
    await revealAll(lab, at);
    await advance(lab, at, 's4');
    await draftAll(lab, at);
    expect(await finish(lab, at)).toMatchObject({ state: 'completed_partial', reason: { code: 'with_gaps', params: { unrevealed: 2 } } });
    const receipt = await receiptOf(lab.pool, at.workspace, at.run);
    expect(receipt.missing).toEqual([{ reason: 'credits_limit', count: 2, exit: 'exit.top_up' }]);
    expect(receipt).toMatchObject({
      budget: { credits: { plan_max: 3, held: 0, spent: 3 } },
      contacts: { captured: 3, drafted: 3, unconfirmed: 0 },
    });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('with an unknown outcome is never complete', async () => {
    const at = await runAtReveal(lab, await newWorkspace(lab), { cuentas: 2, hasta: 'contactos' });
    await approve(lab, at, 's4');
    let n = 0;
    await revealAll(lab, at, (item) => (n++ === 0 ? nobodyKnows(item) : gotIt(item)));
    expect(await finish(lab, at)).toMatchObject({
      state: 'completed_partial',
      contacts: { captured: 1, unconfirmed: 1 },
      budget: { credits: { held: 1 } },
    });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });
});

describe('a step that a change of plan cuts in the middle', () => {
  it('ends at its next question, is woken for it, and keeps what it has spent', async () => {
    const at = await runAtReveal(lab, await newWorkspace(lab));
    const spent = (await progressOf(lab, at)).pasos.find((p) => p.id === 's3')?.cost.spent;
    await change(at, { hasta: 'cuentas' });
    expect(
      await sql(
        lab,
        `select 1 as x from outbox where run_id = $1 and workflow_id like '%/s4' and payload ->> 'signal' = 'control.changed'`,
        [at.run],
      ),
    ).not.toHaveLength(0);
    expect(await advance(lab, at, 's4')).toEqual({ do: 'end', status: 'skipped' });
    expect((await progressOf(lab, at)).pasos.find((p) => p.id === 's3')?.cost.spent).toBe(spent);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('hands out no more work when it was looking for people', async () => {
    const at = await openRun(lab, await newWorkspace(lab));
    await approve(lab, at, 's0');
    await findCompaniesFor(lab, at);
    await skipSave(lab, at);
    await begin(lab, at, 's3');
    expect(await advance(lab, at, 's3')).toMatchObject({ do: 'work', phase: 'people' });
    await change(at, { hasta: 'cuentas' });
    expect(await advance(lab, at, 's3')).toEqual({ do: 'end', status: 'skipped' });
    expect(await finish(lab, at)).toMatchObject({ budget: { queries: { held: 0 } } });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });
});

describe('a run that is stopping', () => {
  it('is not brought back by an undo or by a card that is reopened', async () => {
    const at = await runAtReveal(lab, await newWorkspace(lab));
    const save = (await sql<{ id: string }>(lab, `select id from decisions where run_id = $1 and step = 's2'`, [at.run]))[0]?.id ?? '';
    await sql(
      lab,
      `update decisions set state = 'approved', outcome = '{"option":"approve","n":5,"then":null,"total":0,"items":[]}', undo_until = now() + interval '5 minutes' where id = $1`,
      [save],
    );
    await resolve(lab, at, at.card.id, tapOf(at.card, 'decline', { then: 'wait' }));
    await inRun(lab, at, (run) => cancelRun(run, person(at.workspace)));
    expect(await refusal(inRun(lab, at, (run) => askUndo(run, save, person(at.workspace))))).toMatchObject({
      status: 409,
      code: 'run_stopping',
    });
    expect(await refusal(inRun(lab, at, (run) => reopenDecision(run, at.card.id, person(at.workspace))))).toMatchObject({
      status: 409,
      code: 'not_reopenable',
    });
    expect((await progressOf(lab, at)).state).toBe('stopping');
  });
});

describe('a card that was put off and answered by another since', () => {
  it('is not reopened over it, at the start, at a save that is done and at a reveal', async () => {
    const workspace = await newWorkspace(lab);
    const at = await openRun(lab, workspace);
    await inRun(lab, at, async (run) => expireDecision(run, await findDecision(run.tx, workspace, at.start)));
    await inRun(lab, at, (run) => resumeRun(run, person(workspace)));
    await lab.books.snapshot({ workspace, run: at.run, now: Date.now() });
    await approve(lab, at, 's0');
    const reopen = (id: string) => refusal(inRun(lab, at, (run) => reopenDecision(run, id, person(workspace))));
    expect(await reopen(at.start)).toMatchObject({ status: 409, code: 'not_reopenable' });

    await findCompaniesFor(lab, at);
    await begin(lab, at, 's2');
    await advance(lab, at, 's2');
    const first = await openDecision(lab, at, 's2');
    await resolve(lab, at, first.id, tapOf(first, 'decline', { then: 'wait' }));
    await inRun(lab, at, (run) => resumeRun(run, person(workspace)));
    await advance(lab, at, 's2');
    expect(await reopen(first.id)).toMatchObject({ status: 409, code: 'not_reopenable' });
    await approve(lab, at, 's2');
    expect(await reopen(first.id)).toMatchObject({ status: 409, code: 'not_reopenable' });
    expect((await progressOf(lab, at)).decisions).toEqual([]);
  });
});

describe('failed accounts', () => {
  it('are not put back once the search for people is over', async () => {
    const at = await openRun(lab, await newWorkspace(lab));
    await approve(lab, at, 's0');
    await findCompaniesFor(lab, at);
    await skipSave(lab, at);
    await findPeople(lab, at, (item) => ({
      position: item.position,
      state: 'failed',
      counted: false,
      reason: { code: 'search_failed', params: {} },
    }));
    expect(await refusal(inRun(lab, at, (run) => retryFailed(run, person(at.workspace), 'otra vez')))).toMatchObject({
      status: 409,
      code: 'search_over',
    });
    expect((await progressOf(lab, at)).counts).toMatchObject({ failed: 5, pending: 0 });
  });
});
