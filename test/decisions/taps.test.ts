import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tap } from '../../activities/decide.js';
import { replan } from '../../activities/control.js';
import type { Decision } from '../../contracts/decision.js';
import { Refusal } from '../../contracts/problem.js';
import { transaction } from '../../db/client.js';
import { addSuppressions } from '../../db/suppressions.js';
import { expireDecision } from '../../db/decisions/lapse.js';
import { writeSettings } from '../../db/workspaces.js';
import {
  advance,
  approve,
  begin,
  decision,
  draftAll,
  findCompaniesFor,
  findPeople,
  finish,
  finishedRun,
  inRun,
  KEY,
  ledgerOf,
  newWorkspace,
  openDecision,
  openLab,
  openRun,
  person,
  progressOf,
  quote,
  reading,
  refusal,
  resolve,
  revealAll,
  runAtReveal,
  sql,
  tapOf,
  violations,
  type Lab,
} from '../support/runs.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

const holdsOf = (run: string): Promise<Array<{ n: number; amount: number }>> =>
  sql(
    lab,
    `select count(*)::int as n, coalesce(sum(amount), 0)::int as amount from holds where run_id = $1 and kind = 'credits' and state = 'live'`,
    [run],
  );
const nothingHeld = async (run: string): Promise<void> => expect(await holdsOf(run)).toEqual([{ n: 0, amount: 0 }]);

describe('a tap', () => {
  it('takes one hold per contact, under the decision, and wakes the step that waits', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    await approve(lab, at, 's4');
    expect(await holdsOf(at.run)).toEqual([{ n: 5, amount: 5 }]);
    expect(
      await sql(lab, `select c.state, h.decision_id from contacts c join holds h on h.id = c.hold_id where c.run_id = $1 group by 1, 2`, [
        at.run,
      ]),
    ).toEqual([{ state: 'held', decision_id: at.card.id }]);
    expect(
      await sql(
        lab,
        `select 1 as x from outbox where workflow_id = $1 and payload ->> 'signal' = 'decision.resolved' and payload -> 'args' -> 0 ->> 'decision_id' = $2`,
        [`campana/${workspace}/${at.run}/s4`, at.card.id],
      ),
    ).toHaveLength(1);
    expect((await progressOf(lab, at)).budget.credits).toMatchObject({ plan_max: 5, held: 5, spent: 0 });
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('of fifty at once with two outcomes has one outcome, and every reply agrees with it', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    const taps = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => {
        const option = i % 2 === 0 ? ('all' as const) : ('decline' as const);
        return tap(
          lab.ctx,
          person(workspace, { sub: `u${i}` }),
          at.card.id,
          tapOf(at.card, option, option === 'decline' ? { then: 'wait' } : {}),
          `key-${i}`,
        );
      }),
    );
    const row = await decision(lab, at, at.card.id);
    const won = taps.flatMap((t) => (t.status === 'fulfilled' ? [t.value] : []));
    const lost = taps.flatMap((t) => (t.status === 'rejected' ? [t.reason as unknown] : []));
    expect(won).toHaveLength(25);
    expect(new Set(won.map((w) => JSON.stringify((w.body as Decision).resolved))).size).toBe(1);
    expect((won[0]?.body as Decision).resolved).toMatchObject({ option: row.outcome?.option, by: row.resolved_by });
    for (const refused of lost) {
      expect(refused).toBeInstanceOf(Refusal);
      expect(refused).toMatchObject({ status: 409, code: 'already_resolved', params: { option: row.outcome?.option } });
    }
    expect(await holdsOf(at.run)).toEqual([row.state === 'approved' ? { n: 5, amount: 5 } : { n: 0, amount: 0 }]);
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('with the same key and body has the same answer, also later and at once; with another body it is refused', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    const body = tapOf(at.card, 'all');
    const [first, ...more] = await Promise.all(
      Array.from({ length: 8 }, () => tap(lab.ctx, person(workspace), at.card.id, body, 'one-key')),
    );
    expect(first?.status).toBe(200);
    for (const again of more) expect(again).toEqual(first);
    // Row order of JSON keys is the database's: equal as values.
    expect(await tap(lab.ctx, person(workspace), at.card.id, body, 'one-key')).toEqual(first);
    expect(await refusal(tap(lab.ctx, person(workspace), at.card.id, { ...body, shown_total: 4 }, 'one-key'))).toMatchObject({
      status: 422,
      code: 'key_reused',
    });
    expect(await holdsOf(at.run)).toEqual([{ n: 5, amount: 5 }]);
    expect(
      await sql(lab, `select 1 as x from audit where detail ->> 'decision_id' = $1 and action = 'decision.approved'`, [at.card.id]),
    ).toHaveLength(1);
  });

  it('that was refused leaves its key free to try again', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    expect((await refusal(tap(lab.ctx, person(workspace), at.card.id, tapOf(at.card, 'all', { shown_total: 4 }), 'k'))).code).toBe(
      'total_differs',
    );
    expect((await tap(lab.ctx, person(workspace), at.card.id, tapOf(at.card, 'all'), 'k')).status).toBe(200);
  });

  it('needs the role', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    for (const roles of [['seller' as const], ['operator' as const], []]) {
      expect(await refusal(resolve(lab, at, at.card.id, tapOf(at.card, 'all'), person(workspace, { roles })))).toMatchObject({
        status: 403,
        code: 'role_missing',
      });
    }
    await nothingHeld(at.run);
    expect((await decision(lab, at, at.card.id)).state).toBe('open');
  });

  it('in another workspace does not exist', async () => {
    const at = await runAtReveal(lab, await newWorkspace(lab));
    const other = await newWorkspace(lab);
    expect(await refusal(tap(lab.ctx, person(other), at.card.id, tapOf(at.card, 'all'), 'k'))).toMatchObject({
      status: 404,
      code: 'decision_not_found',
    });
  });

  it('on a card of another run of the same workspace does not exist either', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    const other = await openRun(lab, workspace);
    expect((await refusal(resolve(lab, other, at.card.id, tapOf(at.card, 'all')))).status).toBe(404);
  });

  it("with another hash, total or plan version than the card's holds nothing", async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    expect(await refusal(resolve(lab, at, at.card.id, tapOf(at.card, 'all', { payload_hash: 'x' })))).toMatchObject({
      status: 409,
      code: 'card_changed',
    });
    expect(await refusal(resolve(lab, at, at.card.id, tapOf(at.card, 'all', { shown_total: 3 })))).toMatchObject({
      status: 409,
      code: 'total_differs',
      params: { shown: 3, total: 5 },
    });
    expect(await refusal(resolve(lab, at, at.card.id, tapOf(at.card, 'all', { plan_version: 2 })))).toMatchObject({
      status: 412,
      code: 'plan_changed',
    });
    expect(await refusal(resolve(lab, at, at.card.id, tapOf(at.card, 'fit_n')))).toMatchObject({ status: 422, code: 'option_not_offered' });
    await nothingHeld(at.run);
    expect((await resolve(lab, at, at.card.id, tapOf(at.card, 'all'))).state).toBe('approved');
  });

  it('chooses some of the contacts: they are held, the others say that they were not chosen', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    const refs = at.card.items.slice(1, 3).map((i) => i.ref);
    expect((await refusal(resolve(lab, at, at.card.id, tapOf(at.card, 'choose', { items: ['p-nobody'], shown_total: 1 })))).code).toBe(
      'items_not_on_card',
    );
    expect((await refusal(resolve(lab, at, at.card.id, tapOf(at.card, 'choose', { items: [], shown_total: 0 })))).code).toBe(
      'items_not_on_card',
    );
    const first = await resolve(lab, at, at.card.id, tapOf(at.card, 'choose', { items: [...refs, refs[0] ?? ''], shown_total: 2 }));
    expect(await holdsOf(at.run)).toEqual([{ n: 2, amount: 2 }]);
    expect(
      await sql(
        lab,
        `select reason ->> 'code' as why, count(*)::int as n from contacts where run_id = $1 and state = 'quoted' group by 1`,
        [at.run],
      ),
    ).toEqual([{ why: 'not_chosen', n: 3 }]);
    expect(await resolve(lab, at, at.card.id, tapOf(at.card, 'choose', { items: [...refs].reverse(), shown_total: 2 }))).toEqual(first);
    expect((await refusal(resolve(lab, at, at.card.id, tapOf(at.card, 'choose', { items: refs.slice(1), shown_total: 1 })))).code).toBe(
      'already_resolved',
    );
  });

  it('costs nothing for contacts that are already ours, and shows them so', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace, { price: (p) => ({ credits: 1, already_acquired: p === 'p-c2' }) });
    expect(at.card.items.find((i) => i.ref === 'p-c2')).toMatchObject({ price: 0, already_yours: true });
    expect(at.card.payload.options[0]).toMatchObject({ id: 'all', n: 5, totals: { credits: 4 } });
    await approve(lab, at, 's4');
    expect(await holdsOf(at.run)).toEqual([{ n: 4, amount: 4 }]);
  });
});

describe('a card that no longer says the truth', () => {
  it('is replaced when the balance moved between the card and the tap; nothing is held', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    const { queries } = await ledgerOf(lab, workspace);
    await reading(lab, workspace, { credits: 3, queries: queries.available + queries.held, inference: 0 });
    const told = await refusal(resolve(lab, at, at.card.id, tapOf(at.card, 'all')));
    expect(told).toMatchObject({ status: 409, code: 'balance_changed', params: { shown: 100, now: 3 } });
    await nothingHeld(at.run);
    const fresh = await openDecision(lab, at, 's4');
    expect(told.extra).toMatchObject({ fresh_decision_id: fresh.id, decision: { id: fresh.id, balance: { credits: 3 } } });
    expect(fresh.payload.options[0]).toMatchObject({ id: 'fit_n', n: 3, totals: { credits: 3 } });
    expect(await decision(lab, at, at.card.id)).toMatchObject({ state: 'superseded', superseded_by: fresh.id, outcome: null });
    expect(await progressOf(lab, at)).toMatchObject({ state: 'waiting_decision', decisions: [fresh.id] });
    await resolve(lab, at, fresh.id, tapOf(fresh, 'fit_n'));
    expect(await holdsOf(at.run)).toEqual([{ n: 3, amount: 3 }]);
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('is replaced when the price moved at the provider, as the tap itself finds out', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    lab.provider.set(workspace, { drift: {}, price: 2, down: false });
    const told = await refusal(tap(lab.ctx, person(workspace), at.card.id, tapOf(at.card, 'all'), 'k'));
    expect(told).toMatchObject({ status: 409, code: 'price_changed' });
    await nothingHeld(at.run);
    const fresh = await openDecision(lab, at, 's4');
    expect(fresh.id).toBe(told.extra.fresh_decision_id);
    // Five at two credits, under the plan's maximum of five.
    expect(fresh.payload.options[0]).toMatchObject({ id: 'fit_n', n: 2, totals: { credits: 4 } });
  });

  it('is replaced when somebody on it was put on the suppression list, who is then not on the fresh one', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    await transaction(lab.pool, (tx) =>
      addSuppressions(tx, person(workspace), KEY, [
        { kind: 'person', value: 'p-c1' },
        { kind: 'domain', value: 'empresa2.mx' },
        { kind: 'rfc', value: 'rfc3' },
      ]),
    );
    const told = await refusal(resolve(lab, at, at.card.id, tapOf(at.card, 'all')));
    expect(told).toMatchObject({ status: 409, code: 'suppression_changed' });
    await nothingHeld(at.run);
    const fresh = await openDecision(lab, at, 's4');
    expect(fresh.items.map((i) => i.ref).sort()).toEqual(['p-c4', 'p-c5']);
    expect(fresh.payload.suppressed).toBe(3);
    await resolve(lab, at, fresh.id, tapOf(fresh, 'all'));
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('cannot be approved after a replan: 412, and the step shows a fresh one', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    await replan(lab.ctx, person(workspace), at.run, { cargo: 'logística' }, false, 'replan-1');
    expect(await refusal(resolve(lab, at, at.card.id, tapOf(at.card, 'all')))).toMatchObject({
      status: 412,
      code: 'plan_changed',
      params: { plan_version: 2 },
    });
    await nothingHeld(at.run);
  });

  it('cannot be approved when it expired: 410, whoever was first', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    const [tapped, expired] = await Promise.allSettled([
      resolve(lab, at, at.card.id, tapOf(at.card, 'all')),
      inRun(lab, at, (run) => expireDecision(run, at.card)),
    ]);
    const row = await decision(lab, at, at.card.id);
    expect(expired.status).toBe('fulfilled');
    expect(row.state).toBe(tapped.status === 'fulfilled' ? 'approved' : 'expired');
    if (tapped.status === 'rejected') expect(tapped.reason).toMatchObject({ status: 410 });
    const late = await runAtReveal(lab, workspace);
    await inRun(lab, late, (run) => expireDecision(run, late.card));
    expect(await refusal(resolve(lab, late, late.card.id, tapOf(late.card, 'all')))).toMatchObject({
      status: 410,
      code: 'decision_expired',
    });
    await nothingHeld(late.run);
  });
});

describe('two campaigns that race for 40 credits with 32 each', () => {
  it('end with one approved and the other told that 8 fit, in whichever order', async () => {
    for (let round = 0; round < 3; round += 1) {
      const workspace = await newWorkspace(lab, { credits: 40 });
      const runs = [await runAtReveal(lab, workspace, { cuentas: 32 }), await runAtReveal(lab, workspace, { cuentas: 32 })];
      const done = await Promise.allSettled(runs.map((at) => resolve(lab, at, at.card.id, tapOf(at.card, 'all'))));
      expect(done.map((d) => d.status).sort()).toEqual(['fulfilled', 'rejected']);
      const loser = runs[done.findIndex((d) => d.status === 'rejected')] ?? runs[0]!;
      expect(done.find((d) => d.status === 'rejected')).toMatchObject({ reason: { status: 409, code: 'balance_changed' } });
      const fresh = await openDecision(lab, loser, 's4');
      expect(fresh.payload.options[0]).toMatchObject({ id: 'fit_n', n: 8, totals: { credits: 8 } });
      expect(fresh.payload).toMatchObject({ balance: { credits: 8 }, held_elsewhere: { credits: 32 } });
      expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { available: 8, held: 32 } });
      await resolve(lab, loser, fresh.id, tapOf(fresh, 'fit_n'));
      expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { available: 0, held: 40 } });
      expect(await violations(lab, workspace)).toEqual([]);
    }
  });
});

describe('above the threshold of the workspace', () => {
  it('a second person has to tap too, and the same one twice is one', async () => {
    const workspace = await newWorkspace(lab);
    await transaction(lab.pool, (tx) =>
      writeSettings(tx, person(workspace), {
        zone: 'America/Mexico_City',
        language: 'es-MX',
        concurrency: 10,
        second_approver_above: 4,
        calls_per_second: null,
      }),
    );
    const at = await openRun(lab, workspace, { cuentas: 5 });
    const card = await decision(lab, at, at.start);
    const body = tapOf(card, 'all');
    for (let i = 0; i < 2; i += 1)
      expect(await refusal(resolve(lab, at, card.id, body, person(workspace, { sub: 'ana' })))).toMatchObject({
        status: 403,
        code: 'second_approver_needed',
        params: { total: 5, threshold: 4 },
      });
    expect((await decision(lab, at, card.id)).state).toBe('open');
    expect((await ledgerOf(lab, workspace)).queries.held).toBe(0);
    expect(await resolve(lab, at, card.id, body, person(workspace, { sub: 'beto' }))).toMatchObject({
      state: 'approved',
      resolved_by: 'beto',
    });
  });

  it('another person has to mean the same people: the same sum of others is another purchase', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace, { cuentas: 5 });
    await transaction(lab.pool, (tx) =>
      writeSettings(tx, person(workspace), {
        zone: 'America/Mexico_City',
        language: 'es-MX',
        concurrency: 10,
        second_approver_above: 1,
        calls_per_second: null,
      }),
    );
    const lot = (...items: string[]) => tapOf(at.card, 'choose', { items, shown_total: items.length });
    const as = (sub: string, body: ReturnType<typeof lot>) => resolve(lab, at, at.card.id, body, person(workspace, { sub }));
    expect(await refusal(as('ana', lot('p-c1', 'p-c2')))).toMatchObject({ code: 'second_approver_needed' });
    expect(await refusal(as('beto', lot('p-c3', 'p-c4')))).toMatchObject({ code: 'second_approver_needed' });
    expect(await as('beto', lot('p-c2', 'p-c1'))).toMatchObject({ state: 'approved', resolved_by: 'beto' });
  });

  it('one is enough below it', async () => {
    const workspace = await newWorkspace(lab);
    await transaction(lab.pool, (tx) =>
      writeSettings(tx, person(workspace), {
        zone: 'America/Mexico_City',
        language: 'es-MX',
        concurrency: 10,
        second_approver_above: 5,
        calls_per_second: null,
      }),
    );
    const at = await openRun(lab, workspace, { cuentas: 5 });
    await approve(lab, at, 's0');
  });
});

describe('declining a reveal', () => {
  it('waits by default: the run pauses with nothing held', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    const first = await resolve(lab, at, at.card.id, tapOf(at.card, 'decline'));
    expect(first).toMatchObject({ state: 'declined', outcome: { option: 'decline', then: 'wait', total: 0 } });
    expect(await progressOf(lab, at)).toMatchObject({ state: 'paused', reason: { code: 'declined_wait' }, decisions: [] });
    await nothingHeld(at.run);
    expect(await resolve(lab, at, at.card.id, tapOf(at.card, 'decline', { then: 'wait' }))).toEqual(first);
    expect(await refusal(resolve(lab, at, at.card.id, tapOf(at.card, 'decline', { then: 'skip' })))).toMatchObject({
      status: 409,
      code: 'already_resolved',
    });
    expect(await refusal(resolve(lab, at, at.card.id, tapOf(at.card, 'all')))).toMatchObject({ status: 409, code: 'already_resolved' });
  });

  it('to go on skips the drafts and ends the campaign with gaps', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    await resolve(lab, at, at.card.id, tapOf(at.card, 'decline', { then: 'skip' }));
    expect(await lab.books.advance({ workspace, run: at.run, step: 's4', now: Date.now() })).toEqual({ do: 'end', status: 'skipped' });
    await lab.books.beginStep({ workspace, run: at.run, step: 's5', wake: false });
    expect(await lab.books.advance({ workspace, run: at.run, step: 's5', now: Date.now() })).toEqual({ do: 'end', status: 'skipped' });
    const end = await lab.books.closeRun({ workspace, run: at.run, closing: { as: 'finished', reason: null, events: null } });
    expect(end).toMatchObject({ state: 'completed_partial', counts: { done: 5 }, budget: { credits: { held: 0, spent: 0 } } });
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('to cancel stops the run and spends nothing', async () => {
    const workspace = await newWorkspace(lab);
    const at = await runAtReveal(lab, workspace);
    await resolve(lab, at, at.card.id, tapOf(at.card, 'decline', { then: 'cancel' }));
    expect((await progressOf(lab, at)).state).toBe('stopping');
    await nothingHeld(at.run);
  });
});

describe('the review of a sequence', () => {
  it('stays open after the end, never expires, spends nothing and becomes one linked run', async () => {
    const workspace = await newWorkspace(lab);
    const at = await finishedRun(lab, workspace);
    expect((await progressOf(lab, at)).state).toBe('completed');
    const card = await openDecision(lab, at, 's6');
    expect(card).toMatchObject({ kind: 'revisar_secuencia', expires_at: null });
    const before = await ledgerOf(lab, workspace);
    await resolve(lab, at, card.id, tapOf(card, 'approve'));
    await resolve(lab, at, card.id, tapOf(card, 'approve'));
    expect(await ledgerOf(lab, workspace)).toEqual(before);
    const linked = await sql<{ id: string; recipe: string; state: string }>(
      lab,
      `select id, recipe, state from runs where linked_run_id = $1`,
      [at.run],
    );
    expect(linked).toMatchObject([{ recipe: 'armar-secuencia', state: 'running' }]);
    expect(await progressOf(lab, at)).toMatchObject({ state: 'completed', decisions: [] });
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('is never approved by a cap, by the automatic mode, in a chat, by a command or from the Temporal UI', async () => {
    const workspace = await newWorkspace(lab);
    const at = await finishedRun(lab, workspace);
    const card = await openDecision(lab, at, 's6');
    for (const channel of ['automatico', 'cap:api', 'chat', 'temporal-ui', 'cli', 'api', 'mcp']) {
      expect(await refusal(resolve(lab, at, card.id, tapOf(card, 'approve'), person(workspace, { channel })))).toMatchObject({
        status: 403,
        code: 'review_on_page',
        params: { channel, page: `/decisiones/${card.id}` },
      });
    }
    expect((await decision(lab, at, card.id)).state).toBe('open');
    expect(await sql(lab, `select id from runs where linked_run_id = $1`, [at.run])).toEqual([]);
  });

  it('declined twice is the same answer twice, and nothing is started', async () => {
    const workspace = await newWorkspace(lab);
    const at = await finishedRun(lab, workspace);
    const card = await openDecision(lab, at, 's6');
    const first = await resolve(lab, at, card.id, tapOf(card, 'decline'));
    expect(await resolve(lab, at, card.id, tapOf(card, 'decline'))).toEqual(first);
    expect(await sql(lab, `select id from runs where linked_run_id = $1`, [at.run])).toEqual([]);
  });
});

describe('the automatic mode', () => {
  it('answers saves and reveals inside the caps by the same transaction, says so, and never the review', async () => {
    const workspace = await newWorkspace(lab);
    const at = await openRun(lab, workspace, { modo: 'automatico' });
    await approve(lab, at, 's0');
    await findCompaniesFor(lab, at);
    await begin(lab, at, 's2');
    expect(await advance(lab, at, 's2')).toMatchObject({ do: 'work', phase: 'save' });
    await findPeople(lab, at);
    await begin(lab, at, 's4');
    await advance(lab, at, 's4');
    await quote(lab, at);
    expect(await advance(lab, at, 's4')).toMatchObject({ do: 'work', phase: 'reveal' });
    await revealAll(lab, at);
    await draftAll(lab, at);
    await finish(lab, at);
    expect(
      await sql(lab, `select kind, state, channel from decisions where run_id = $1 and state <> 'superseded' order by step`, [at.run]),
    ).toEqual([
      { kind: 'ajustar_presupuesto', state: 'approved', channel: 'web' },
      { kind: 'guardar_en_crm', state: 'approved', channel: 'automatico' },
      { kind: 'revelar_contactos', state: 'approved', channel: 'automatico' },
      { kind: 'revisar_secuencia', state: 'open', channel: null },
    ]);
    expect(await violations(lab, workspace)).toEqual([]);
  });
});

describe('a reveal card whose prices moved at the provider', () => {
  /** The provider, as it answers a quote now. */
  const asking = (quote: (person: string) => number | null) => ({
    ...lab.ctx,
    tools: {
      ...lab.ctx.tools,
      call: ((workspace: string, contract: { name: string }, args: { person_ids: string[] }, options: unknown) =>
        contract.name === 'people_quote'
          ? Promise.resolve({
              quote_id: 'q3',
              valid_until: new Date(Date.now() + 3_600_000).toISOString(),
              prices: args.person_ids.flatMap((person_id) => {
                const credits = quote(person_id);
                return credits === null ? [] : [{ person_id, credits, already_acquired: false, available: true }];
              }),
            })
          : (lab.ctx.tools.call as unknown as (...a: unknown[]) => Promise<unknown>)(
              workspace,
              contract,
              args,
              options,
            )) as unknown as typeof lab.ctx.tools.call,
    },
  });

  it.each([
    ['for a whole lot and more', 510, 2],
    ['since it no longer names somebody', 3, null],
  ] as const)('is replaced once by one that can be tapped: %s', async (_what, cuentas, last) => {
    const workspace = await newWorkspace(lab, { credits: 2000, queries: 2000 });
    const at = await runAtReveal(lab, workspace, { cuentas });
    const ctx = asking((p) => (p === 'p-c1' ? last : 1));
    // The start fixed one credit each: only what fits is tapped.
    const lotOf = (card: { payload: { options: Array<{ id: string }> } }): 'all' | 'fit_n' =>
      card.payload.options.some((o) => o.id === 'all') ? 'all' : 'fit_n';
    const refused = await refusal(tap(ctx, person(workspace), at.card.id, tapOf(at.card, lotOf(at.card)), `moved-${cuentas}`));
    expect(refused).toMatchObject({ status: 409, code: 'price_changed' });
    const fresh = await decision(lab, at, refused.extra.fresh_decision_id ?? '');
    expect(await tap(ctx, person(workspace), fresh.id, tapOf(fresh, lotOf(fresh)), `fresh-${cuentas}`)).toMatchObject({ status: 200 });
    expect(await violations(lab, workspace)).toEqual([]);
  });
});
