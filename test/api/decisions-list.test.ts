import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DecisionItems, DecisionList, DecisionsRejected } from '../../contracts/api.js';
import { Decision } from '../../contracts/decision.js';
import { expireDecision } from '../../db/decisions/lapse.js';
import {
  approve,
  askReveal,
  finishedRun,
  inRun,
  ledgerOf,
  newWorkspace,
  openDecision,
  openRun,
  progressOf,
  resolve,
  runAtReveal,
  sql,
  tapOf,
  violations,
  type OpenRun,
} from '../support/runs.js';
import { openRig, type Asker, type Rig } from './ops-rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.close());

const list = async (asker: Asker, query = ''): Promise<DecisionList> => {
  const { status, body, text } = await asker.get(`/v1/decisions?${query}`);
  expect(status, text).toBe(200);
  return DecisionList.parse(body);
};
/** Every page of a list, in order. */
const pages = async (asker: Asker, query: string, limit: number): Promise<DecisionList['decisions']> => {
  const all: DecisionList['decisions'] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: DecisionList = await list(asker, `${query}&limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`);
    expect(page.decisions.length).toBeLessThanOrEqual(limit);
    all.push(...page.decisions);
    cursor = page.next_cursor;
  }
  return all;
};
const expiring = (at: OpenRun, hours: number | null) =>
  sql(rig.lab, `update decisions set expires_at = now() + make_interval(hours => $2) where run_id = $1`, [at.run, hours]);

describe('the list of decisions', () => {
  it('has a tab for what is open, answered, expired and superseded, over all runs, each with its run, who, when, where and for how much', async () => {
    const ws = await newWorkspace(rig.lab);
    const done = await finishedRun(rig.lab, ws, { cuentas: 3 });
    const expired = await openRun(rig.lab, ws);
    await inRun(rig.lab, expired, async (run) => expireDecision(run, await openDecision(rig.lab, expired, 's0')));
    const waiting = await openRun(rig.lab, ws, { cuentas: 4 });
    const ana = await rig.as(ws);
    const replaced = await ana.post(`/v1/runs/${waiting.run}/recheck-balance`);
    expect(replaced.status).toBe(202);
    const open = await list(ana, 'tab=open');
    // The review of the finished run stays open; the fresh start card is the other.
    expect(open.decisions.map((d) => [d.kind, d.run_id])).toEqual([
      ['ajustar_presupuesto', waiting.run],
      ['revisar_secuencia', done.run],
    ]);
    expect(open.decisions[0]).toMatchObject({
      state: 'open',
      run_state: 'ready',
      amount: 4,
      resolved: null,
      plan_version: 1,
      objetivo: expect.stringContaining('compras') as string,
    });
    const resolved = await list(ana, 'tab=resolved');
    expect(resolved.decisions.map((d) => [d.kind, d.state, d.amount, d.run_state])).toEqual([
      ['revelar_contactos', 'approved', 3, 'completed'],
      ['guardar_en_crm', 'declined', 0, 'completed'],
      ['ajustar_presupuesto', 'approved', 3, 'completed'],
    ]);
    expect(resolved.decisions[0]?.resolved).toMatchObject({ option: 'all', n: 3, by: 'ana', channel: 'web', total: 3 });
    expect((await list(ana, 'tab=expired')).decisions).toMatchObject([{ id: expired.start, state: 'expired' }]);
    expect((await list(ana, 'tab=superseded')).decisions).toMatchObject([
      { id: waiting.start, state: 'superseded', superseded_by: open.decisions[0]?.id },
    ]);
    expect(open.counts).toEqual({ open: 2, resolved: 3, expired: 1, superseded: 1 });
    const ofRun = await list(ana, `run_id=${waiting.run}`);
    expect(ofRun.decisions).toHaveLength(2);
    expect(ofRun.counts).toEqual({ open: 1, resolved: 0, expired: 0, superseded: 1 });
    expect((await list(await rig.as(await newWorkspace(rig.lab)))).decisions).toEqual([]);
  });

  it('is in the order asked for, page after page, none twice and none left out', async () => {
    const ws = await newWorkspace(rig.lab, { credits: 1000, queries: 1000 });
    const runs: OpenRun[] = [];
    for (const cuentas of [5, 9, 2, 9, 7]) runs.push(await openRun(rig.lab, ws, { cuentas }));
    const hours = [40, 3, null, 3, 20];
    for (const [i, at] of runs.entries()) await expiring(at, hours[i] ?? null);
    // Two that expire in the very same moment, and two that cost the same.
    const ana = await rig.as(ws);
    const newest = await pages(ana, 'tab=open', 2);
    expect(newest.map((d) => d.run_id)).toEqual(runs.map((r) => r.run).reverse());
    for (const limit of [1, 2, 3, 10]) {
      const soonest = await pages(ana, 'tab=open&sort=expires', limit);
      expect(soonest.map((d) => d.expires_at)).toEqual(
        [...soonest.map((d) => d.expires_at)].sort((a, b) => (a ?? '9').localeCompare(b ?? '9')),
      );
      expect(new Set(soonest.map((d) => d.id)).size).toBe(5);
      expect(soonest.at(-1)?.expires_at).toBeNull();
      const dearest = await pages(ana, 'tab=open&sort=amount', limit);
      expect(dearest.map((d) => d.amount)).toEqual([9, 9, 7, 5, 2]);
      expect(new Set(dearest.map((d) => d.id)).size).toBe(5);
    }
    const cursor = (await list(ana, 'tab=open&sort=expires&limit=1')).next_cursor ?? '';
    for (const bad of [
      `sort=amount&cursor=${cursor}`,
      `cursor=${cursor}`,
      'sort=expires&cursor=abc',
      `sort=expires&cursor=${Buffer.from("expires 2026'; -- dec_1").toString('base64url')}`,
    ]) {
      expect((await ana.get(`/v1/decisions?tab=open&${bad}`)).body).toMatchObject({ status: 400, code: 'cursor_invalid' });
    }
  });

  it('says what the open cards cost together beside what is there, also where each one fits', async () => {
    const ws = await newWorkspace(rig.lab, { credits: 10, queries: 500 });
    const first = await runAtReveal(rig.lab, ws, { cuentas: 7 });
    const ana = await rig.as(ws);
    expect((await list(ana)).net).toMatchObject({
      paid: 1,
      totals: { credits: 7 },
      balance: { credits: 10 },
      short: { credits: 0, queries: 0, inference: 0 },
      exceeds: false,
    });
    await runAtReveal(rig.lab, ws, { cuentas: 6 });
    const { net } = await list(ana, 'tab=resolved&limit=1');
    expect(net).toMatchObject({
      paid: 2,
      totals: { credits: 13, queries: 0 },
      balance: { credits: 10 },
      short: { credits: 3, queries: 0, inference: 0 },
      exceeds: true,
    });
    const waiting = await openRun(rig.lab, ws, { cuentas: 4 });
    expect((await list(ana)).net.totals.queries).toBeGreaterThan(0);
    await resolve(rig.lab, waiting, waiting.start, tapOf(await openDecision(rig.lab, waiting, 's0'), 'decline'));
    await resolve(rig.lab, first, first.card.id, tapOf(await openDecision(rig.lab, first, 's4'), 'all'));
    expect((await list(ana)).net).toMatchObject({ paid: 1, totals: { credits: 6 }, balance: { credits: 3 }, exceeds: true });
  });
});

describe('the items of a decision', () => {
  it('are readable page by page in the order of the ranking, with who is in the lot that fits', async () => {
    const ws = await newWorkspace(rig.lab, { credits: 32, queries: 500 });
    const at = await runAtReveal(rig.lab, ws, { cuentas: 50 });
    const ana = await rig.as(ws);
    const card = Decision.parse((await ana.get(`/v1/decisions/${at.card.id}`)).body);
    expect([card.items_total, card.items.length]).toEqual([50, 5]);
    const all: DecisionItems['items'] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: DecisionItems = DecisionItems.parse(
        (await ana.get(`/v1/decisions/${at.card.id}/items?limit=15${cursor ? `&cursor=${cursor}` : ''}`)).body,
      );
      expect(page.total).toBe(50);
      all.push(...page.items);
      cursor = page.next_cursor;
    }
    expect(all.map((i) => i.position)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(all.slice(0, 5)).toMatchObject(card.items);
    // The best 32 are what the balance pays for.
    expect(all.map((i) => i.in_lot)).toEqual(all.map((i) => i.position <= 32));
    const ref = all[40]?.ref ?? '';
    await resolve(rig.lab, at, at.card.id, tapOf(at.card, 'choose', { items: [ref], shown_total: 1 }));
    const answered = DecisionItems.parse((await ana.get(`/v1/decisions/${at.card.id}/items?limit=500`)).body);
    expect(answered.items.filter((i) => i.in_lot).map((i) => i.ref)).toEqual([ref]);
    expect((await ana.get(`/v1/decisions/${at.card.id}/items?cursor=x`)).body).toMatchObject({ status: 400, code: 'request_invalid' });
  });
});

describe('rejecting several at once', () => {
  it('declines each that can be, says why of each that cannot, and spends and holds nothing', async () => {
    const ws = await newWorkspace(rig.lab);
    const [start, reveal, answered, gone] = [
      await openRun(rig.lab, ws),
      await runAtReveal(rig.lab, ws, { cuentas: 3 }),
      await openRun(rig.lab, ws),
      await openRun(rig.lab, ws),
    ];
    const ana = await rig.as(ws);
    for (const at of [answered]) await ana.post(`/v1/runs/${at.run}/recheck-balance`);
    const fresh = await openDecision(rig.lab, answered, 's0');
    await resolve(rig.lab, answered, fresh.id, tapOf(fresh, 'all'));
    await inRun(rig.lab, gone, async (run) => expireDecision(run, await openDecision(rig.lab, gone, 's0')));
    const before = await ledgerOf(rig.lab, ws);
    const ids = [start.start, reveal.card.id, fresh.id, answered.start, gone.start, 'dec_none', start.start];
    const done = await ana.post('/v1/decisions/reject', { ids, then: 'wait' }, { headers: { 'x-campana-channel': 'web' } });
    expect(done.status, done.text).toBe(200);
    const { rejected, refused, results } = DecisionsRejected.parse(done.body);
    expect([rejected, refused]).toEqual([2, 4]);
    expect(results.map((r) => [r.id, r.ok, r.problem?.code ?? null])).toEqual([
      [start.start, true, null],
      [reveal.card.id, true, null],
      [fresh.id, false, 'already_resolved'],
      [answered.start, false, 'card_replaced'],
      [gone.start, false, 'decision_expired'],
      ['dec_none', false, 'decision_not_found'],
    ]);
    expect(results[1]?.decision).toMatchObject({
      state: 'declined',
      resolved: { option: 'decline', then: 'wait', by: 'ana', channel: 'web' },
    });
    expect(results[2]?.problem?.detail).toContain('ana');
    expect((await progressOf(rig.lab, reveal)).state).toBe('paused');
    expect((await progressOf(rig.lab, start)).state).toBe('stopping');
    expect(await ledgerOf(rig.lab, ws)).toEqual(before);
    expect(await violations(rig.lab, ws)).toEqual([]);
  });

  it('is the same again for the same key, and refused for the key with other cards', async () => {
    const ws = await newWorkspace(rig.lab);
    const [one, two] = [await openRun(rig.lab, ws), await openRun(rig.lab, ws)];
    const ana = await rig.as(ws);
    const body = { ids: [one.start, two.start] };
    const answers = await Promise.all(Array.from({ length: 6 }, () => ana.post('/v1/decisions/reject', body, { key: 'bulk' })));
    for (const answer of answers) expect(DecisionsRejected.parse(answer.body)).toEqual(DecisionsRejected.parse(answers[0]?.body));
    expect(DecisionsRejected.parse(answers[0]?.body).rejected).toBe(2);
    expect(await sql(rig.lab, `select 1 from audit where workspace_id = $1 and action = 'decision.declined'`, [ws])).toHaveLength(2);
    expect((await ana.post('/v1/decisions/reject', { ids: [one.start] }, { key: 'bulk' })).body).toMatchObject({
      status: 422,
      code: 'key_reused',
    });
  });

  it('needs a key, the role, a person and a list; and there is none for approving', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await openRun(rig.lab, ws);
    const ana = await rig.as(ws);
    const ids = [at.start];
    expect((await (await rig.as(ws, { roles: ['seller'] })).post('/v1/decisions/reject', { ids })).body).toMatchObject({
      status: 403,
      code: 'role_missing',
    });
    expect((await (await rig.as(ws, { typ: 'agent' })).post('/v1/decisions/reject', { ids })).body).toMatchObject({
      status: 403,
      code: 'person_needed',
    });
    for (const body of [{ ids: [] }, { ids: Array.from({ length: 101 }, (_, i) => `dec_${i}`) }, { ids, option: 'all' }, {}])
      expect((await ana.post('/v1/decisions/reject', body)).body).toMatchObject({ status: 400, code: 'request_invalid' });
    expect((await ana.post('/v1/decisions/approve', { ids })).status).toBe(405);
    expect((await openDecision(rig.lab, at, 's0')).state).toBe('open');
  });

  it("of another workspace's cards touches none of them", async () => {
    const [ws, other] = [await newWorkspace(rig.lab), await newWorkspace(rig.lab)];
    const at = await openRun(rig.lab, ws);
    const { results } = DecisionsRejected.parse((await (await rig.as(other)).post('/v1/decisions/reject', { ids: [at.start] })).body);
    expect(results).toMatchObject([{ ok: false, problem: { status: 404, code: 'decision_not_found' } }]);
    expect((await openDecision(rig.lab, at, 's0')).state).toBe('open');
  });
});

describe('a tap that lost', () => {
  const tapAs = async (asker: Asker, card: { id: string; plan_version: number; payload_hash: string }, body: Record<string, unknown>) =>
    asker.post<{ status: number; fresh_decision_id?: string; decision?: Decision; detail?: string }>(`/v1/decisions/${card.id}/resolve`, {
      plan_version: card.plan_version,
      payload_hash: card.payload_hash,
      ...body,
    });

  it('is told who won, how, where and when', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await openRun(rig.lab, ws);
    const card = await openDecision(rig.lab, at, 's0');
    const won = await resolve(rig.lab, at, card.id, tapOf(card, 'all'), {
      sub: 'luis',
      workspace: ws,
      roles: ['approver'],
      channel: 'cli',
    });
    const lost = await tapAs(await rig.as(ws), card, { option: 'decline', shown_total: 0 });
    expect(lost.body).toMatchObject({
      status: 409,
      code: 'already_resolved',
      params: { outcome: 'approved', option: 'all', by: 'luis', channel: 'cli', at: won.resolved_at },
      decision: { state: 'approved', resolved: { by: 'luis' } },
    });
    expect(lost.body.detail).toContain('luis');
  });

  it('on a card that was replaced twice is shown the one that is current, not the one between', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await openRun(rig.lab, ws);
    const ana = await rig.as(ws);
    const card = await openDecision(rig.lab, at, 's0');
    for (const _ of [1, 2]) await ana.post(`/v1/runs/${at.run}/recheck-balance`);
    const current = await openDecision(rig.lab, at, 's0');
    const lost = await tapAs(ana, card, { option: 'all', shown_total: card.payload.plan?.cost.max.credits });
    expect(lost.body).toMatchObject({
      status: 409,
      code: 'card_replaced',
      fresh_decision_id: current.id,
      decision: { id: current.id, state: 'open' },
    });
  });

  it('after a change of the plan is told the version, and the card of that plan once there is one', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await runAtReveal(rig.lab, ws, { cuentas: 4 });
    const ana = await rig.as(ws);
    await ana.post(`/v1/runs/${at.run}/replan`, { cargo: 'ventas' });
    const before = await tapAs(ana, at.card, { option: 'all', shown_total: 4 });
    expect(before.body).toMatchObject({ status: 412, code: 'plan_changed', params: { plan_version: 2, fresh: null } });
    expect(before.body.fresh_decision_id).toBeUndefined();
    await askReveal(rig.lab, at);
    const current = await openDecision(rig.lab, at, 's4');
    expect((await tapAs(ana, at.card, { option: 'all', shown_total: 4 })).body).toMatchObject({
      status: 412,
      code: 'plan_changed',
      fresh_decision_id: current.id,
      decision: { id: current.id, plan_version: 2 },
    });
  });

  it('at a price that moved is told both prices and shown the fresh card', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await runAtReveal(rig.lab, ws, { cuentas: 4 });
    rig.lab.provider.set(ws, { drift: {}, price: 2, down: false });
    const lost = await tapAs(await rig.as(ws), at.card, { option: 'all', shown_total: 4 });
    const current = await openDecision(rig.lab, at, 's4');
    expect(lost.body).toMatchObject({ status: 409, code: 'price_changed', params: { shown: 4, now: 8 }, fresh_decision_id: current.id });
    expect(lost.body.detail).toContain('de 4 a 8 créditos');
    expect((await ledgerOf(rig.lab, ws)).credits.held).toBe(0);
  });

  it('on an expired card that was reopened is shown the new one', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await openRun(rig.lab, ws);
    const ana = await rig.as(ws);
    const card = await openDecision(rig.lab, at, 's0');
    await inRun(rig.lab, at, (run) => expireDecision(run, card));
    expect((await tapAs(ana, card, { option: 'all', shown_total: 5 })).body).toMatchObject({ status: 410, code: 'decision_expired' });
    const reopened = await ana.post<{ id: string }>(`/v1/decisions/${card.id}/reopen`);
    expect(reopened.status, reopened.text).toBe(201);
    expect((await tapAs(ana, card, { option: 'all', shown_total: 5 })).body).toMatchObject({
      status: 410,
      code: 'decision_expired',
      fresh_decision_id: reopened.body.id,
    });
  });

  it('and one that approves keeps working as before', async () => {
    const ws = await newWorkspace(rig.lab);
    const at = await openRun(rig.lab, ws);
    await approve(rig.lab, at, 's0');
    expect((await progressOf(rig.lab, at)).state).toBe('running');
  });
});
