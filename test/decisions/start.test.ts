import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recheckBalance } from '../../activities/control.js';
import { tap } from '../../activities/decide.js';
import { CreateRun } from '../../contracts/criteria.js';
import { transaction } from '../../db/client.js';
import { pauseRun } from '../../db/controls.js';
import { refreshCard } from '../../db/decisions/decision.js';
import { reopenDecision } from '../../db/decisions/lapse.js';
import { resolveDecision } from '../../db/decisions/resolve.js';
import { createRun } from '../../db/runs.js';
import {
  advance,
  begin,
  decision,
  inRun,
  ledgerOf,
  newWorkspace,
  openDecision,
  openLab,
  openRun,
  person,
  progressOf,
  reading,
  refusal,
  resolve,
  sql,
  tapOf,
  violations,
  KEY,
  type Lab,
} from '../support/runs.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

const at50 = async (credits = 32) => {
  const workspace = await newWorkspace(lab, { credits });
  const at = await openRun(lab, workspace, { cuentas: 50 });
  return { workspace, at, card: await decision(lab, at, at.start) };
};

describe('a start card for 50 accounts with a balance of 32', () => {
  it('says the maximum, the lot that fits, why, and the four ways on', async () => {
    const { at, card } = await at50();
    expect(card.payload.options.map((o) => [o.id, o.n, o.totals.credits])).toEqual([
      ['fit_n', 32, 32],
      ['choose', 32, 32],
      ['recheck_balance', 0, 0],
      ['decline', 0, 0],
    ]);
    expect(card.payload).toMatchObject({
      balance: { credits: 32, queries: 500 },
      price: { unit_max: 1, requested_total: 50 },
      ranking: 'ranking.score',
      notes: [{ code: 'limited.balance.credits', params: { requested: 50, available: 32 } }],
    });
    expect(await progressOf(lab, at)).toMatchObject({
      state: 'ready',
      reason: { code: 'start_short', params: { n: 32, requested: 50, credits: 32, balance: 32 } },
      decisions: [card.id],
      budget: { credits: { plan_max: null, held: 0 } },
    });
  });

  it('fixes the maximum at what fits and holds the queries, one per page and per account, and no credits', async () => {
    const { workspace, at, card } = await at50();
    const decided = await resolve(lab, at, card.id, tapOf(card, 'fit_n'));
    expect(decided).toMatchObject({
      state: 'approved',
      resolved_by: 'ana',
      channel: 'web',
      outcome: { option: 'fit_n', n: 32, total: 32 },
    });
    expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { available: 32, held: 0 }, queries: { available: 447, held: 53 } });
    expect(
      await sql(
        lab,
        `select step, count(*)::int as n from holds where run_id = $1 and state = 'live' and amount = 1 group by step order by step`,
        [at.run],
      ),
    ).toEqual([
      { step: 's1', n: 3 },
      { step: 's3', n: 50 },
    ]);
    expect(await progressOf(lab, at)).toMatchObject({
      state: 'running',
      decisions: [],
      counts: { total: 50, pending: 50 },
      budget: { credits: { requested: 50, plan_max: 32, held: 0, spent: 0 }, queries: { requested: 53, plan_max: 53, held: 53, spent: 0 } },
    });
    expect(
      await sql(lab, `select payload ->> 'signal' as signal, workflow_id from outbox where run_id = $1 and kind = 'signal'`, [at.run]),
    ).toContainEqual({ signal: 'decision.resolved', workflow_id: `campana/${workspace}/${at.run}` });
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('offers all fifty on a fresh card once the provider says that the balance was topped up', async () => {
    const { workspace, at, card } = await at50();
    await reading(lab, workspace, { credits: 60, queries: 500, inference: 0 }, { id: 'topup' });
    const fresh = await decision(lab, at, await inRun(lab, at, (run) => refreshCard(run, card)));
    expect(fresh.payload.options.map((o) => [o.id, o.n])).toEqual([
      ['all', 50],
      ['choose', 50],
      ['decline', 0],
    ]);
    expect(await decision(lab, at, card.id)).toMatchObject({ state: 'superseded', superseded_by: fresh.id });
    expect(await progressOf(lab, at)).toMatchObject({ decisions: [fresh.id], reason: { code: 'start_needs_tap' } });
    expect(await refusal(resolve(lab, at, card.id, tapOf(card, 'fit_n')))).toMatchObject({
      status: 409,
      code: 'card_replaced',
      extra: { fresh_decision_id: fresh.id },
    });
    await resolve(lab, at, fresh.id, tapOf(fresh, 'all'));
    expect((await progressOf(lab, at)).budget.credits.plan_max).toBe(50);
  });

  it('is refreshed by rereading the balance, which never answers it', async () => {
    const { workspace, at, card } = await at50();
    lab.provider.set(workspace, { drift: { credits: 8 }, price: 1, down: false });
    const answer = await recheckBalance(lab.ctx, person(workspace), at.run, 'recheck-1');
    expect(answer).toMatchObject({ status: 202, body: { state: 'ready' } });
    const fresh = await openDecision(lab, at, 's0');
    expect(fresh.id).not.toBe(card.id);
    expect(fresh.payload.options[0]).toMatchObject({ id: 'fit_n', n: 40 });
    lab.provider.delete(workspace);
    expect(await recheckBalance(lab.ctx, person(workspace), at.run, 'recheck-1')).toEqual(answer);
    expect((await openDecision(lab, at, 's0')).id).toBe(fresh.id);
  });

  it('takes a smaller number that a person chooses, and only searches so many', async () => {
    const { workspace, at, card } = await at50();
    expect(await refusal(resolve(lab, at, card.id, tapOf(card, 'choose', { n: 33, shown_total: 33 })))).toMatchObject({
      status: 422,
      code: 'n_out_of_range',
      params: { max: 32 },
    });
    expect(await refusal(resolve(lab, at, card.id, tapOf(card, 'choose', { n: 20, shown_total: 32 })))).toMatchObject({
      status: 409,
      code: 'total_differs',
      params: { total: 20 },
    });
    await resolve(lab, at, card.id, tapOf(card, 'choose', { n: 20, shown_total: 20 }));
    expect(await progressOf(lab, at)).toMatchObject({
      counts: { total: 50, pending: 20, skipped: 30 },
      budget: { credits: { plan_max: 20 }, queries: { plan_max: 23, held: 23 } },
    });
    expect(
      await sql(lab, `select distinct reason ->> 'code' as why from accounts where run_id = $1 and state = 'skipped'`, [at.run]),
    ).toEqual([{ why: 'not_chosen' }]);
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('declined ends the run without a cent, whatever was said to do then', async () => {
    for (const then of ['wait', 'skip', 'cancel', undefined] as const) {
      const { workspace, at, card } = await at50();
      const before = await ledgerOf(lab, workspace);
      await resolve(lab, at, card.id, tapOf(card, 'decline', then ? { then } : {}));
      expect((await progressOf(lab, at)).state).toBe('stopping');
      const { state, budget } = await lab.books.closeRun({
        workspace,
        run: at.run,
        closing: { as: 'finished', reason: null, events: null },
      });
      expect({ state, held: budget.queries.held, spent: budget.credits.spent }).toEqual({ state: 'canceled', held: 0, spent: 0 });
      expect(await ledgerOf(lab, workspace)).toEqual(before);
    }
  });

  it('declined twice with the same words is the same answer twice', async () => {
    for (const over of [{}, { then: 'cancel' as const }, { then: 'skip' as const }]) {
      const { at, card } = await at50();
      const first = await resolve(lab, at, card.id, tapOf(card, 'decline', over));
      expect(await resolve(lab, at, card.id, tapOf(card, 'decline', over))).toEqual(first);
    }
  });

  it('never offers what does not fit at all: without a balance there is nothing to approve', async () => {
    const { at, card } = await at50(0);
    expect(card.payload.options.map((o) => o.id)).toEqual(['recheck_balance', 'decline']);
    expect(await refusal(resolve(lab, at, card.id, tapOf(card, 'all')))).toMatchObject({ status: 422, code: 'option_not_offered' });
  });
});

describe('queries that do not reach', () => {
  it('search only the accounts they pay for and say why the others are not', async () => {
    const workspace = await newWorkspace(lab, { credits: 100, queries: 13 });
    const at = await openRun(lab, workspace, { cuentas: 50 });
    const card = await decision(lab, at, at.start);
    expect(card.payload.plan).toMatchObject({ accounts: 10, fits: 10, limitedBy: [{ kind: 'queries', by: 'balance' }] });
    await resolve(lab, at, card.id, tapOf(card, 'fit_n'));
    expect(await progressOf(lab, at)).toMatchObject({
      counts: { total: 50, pending: 10, skipped: 40 },
      budget: { queries: { plan_max: 13, held: 13 } },
    });
    expect((await ledgerOf(lab, workspace)).queries).toMatchObject({ available: 0, held: 13 });
    expect(
      await sql(lab, `select distinct reason ->> 'code' as why from accounts where run_id = $1 and state = 'skipped'`, [at.run]),
    ).toEqual([{ why: 'queries_limit' }]);
    expect(await violations(lab, workspace)).toEqual([]);
  });
});

describe('a cap that a person set for this campaign', () => {
  const create = async (caps: { credits?: number; queries?: number; inference_micros?: number }, balances = { credits: 100 }) => {
    const workspace = await newWorkspace(lab, balances);
    const at = await openRun(lab, workspace, { cuentas: 10, caps });
    await sql(lab, `update decisions set state = 'superseded' where id = $1`, [at.start]);
    await inRun(lab, at, async (run) => {
      await run.tx.q(`update runs set prices = null where id = $1`, [run.id]);
    });
    await lab.books.openRun({ workspace, run: at.run });
    return { workspace, at };
  };

  it('is the approval itself, inside the cap and stored as such', async () => {
    const { workspace, at } = await create({ credits: 4 });
    const [row] = await sql(lab, `select state, channel, outcome ->> 'n' as n from decisions where run_id = $1 and state = 'approved'`, [
      at.run,
    ]);
    expect(row).toEqual({ state: 'approved', channel: 'cap:web', n: '4' });
    expect((await progressOf(lab, at)).budget.credits.plan_max).toBe(4);
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('does not answer when it is the balance that falls short', async () => {
    const { at } = await create({ credits: 8 }, { credits: 5 });
    expect(await openDecision(lab, at, 's0')).toMatchObject({ state: 'open' });
    expect((await progressOf(lab, at)).budget.credits.plan_max).toBeNull();
  });
});

describe('a plan that costs nothing at most', () => {
  const accounts = [1, 2, 3].map((n) => ({ ref: `c${n}`, name: `Empresa ${n}` }));
  const created = async (
    plan: Partial<CreateRun> = {},
    balances: Parameters<typeof newWorkspace>[1] = { credits: 0, queries: 0 },
  ): Promise<{ workspace: string; run: string; start: string }> => {
    const workspace = await newWorkspace(lab, balances);
    const body = CreateRun.parse({
      criteria: { giro: 'empaque', cargo: 'compras' },
      cuentas: accounts.length,
      accounts,
      desde: 's2',
      hasta: 'cuentas',
      ...plan,
    });
    return { workspace, run: (await transaction(lab.pool, (tx) => createRun(tx, person(workspace), body))).run_id, start: '' };
  };
  const opened = async (...plan: Parameters<typeof created>): ReturnType<typeof created> => {
    const at = await created(...plan);
    await lab.books.openRun(at);
    return at;
  };

  it('starts by itself, even without a balance: the one tap left is on the save itself', async () => {
    const at = await opened();
    expect(await progressOf(lab, at)).toMatchObject({
      state: 'running',
      decisions: [],
      budget: { credits: { requested: 0, plan_max: 0 }, queries: { requested: 0, plan_max: 0, held: 0 } },
    });
    expect(
      await sql(lab, `select state, channel, outcome ->> 'total' as total from decisions where run_id = $1 and state = 'approved'`, [
        at.run,
      ]),
    ).toEqual([{ state: 'approved', channel: 'free:web', total: '0' }]);
    await begin(lab, at, 's2');
    expect(await advance(lab, at, 's2')).toMatchObject({ do: 'wait' });
    expect(await openDecision(lab, at, 's2')).toMatchObject({ kind: 'guardar_en_crm' });
    expect((await sql(lab, `select 1 as one from holds where run_id = $1`, [at.run])).length).toBe(0);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('stays stopped when somebody paused it before its prices came', async () => {
    const at = await created();
    await inRun(lab, at, (run) => pauseRun(run, person(at.workspace)));
    await lab.books.openRun(at);
    expect(await progressOf(lab, at)).toMatchObject({ state: 'paused' });
  });

  it('is no such plan with one query in it, whoever has a full balance', async () => {
    for (const plan of [
      { desde: 's3' as const, hasta: 'personas' as const },
      { hasta: 'personas' as const },
      { hasta: 'personas' as const, modo: 'automatico' as const },
    ]) {
      const at = await opened(plan, { credits: 100, queries: 500 });
      expect(await openDecision(lab, at, 's0'), JSON.stringify(plan)).toMatchObject({ state: 'open', kind: 'ajustar_presupuesto' });
    }
    // Nothing fits a balance of nothing: that plan is short, not free.
    const at = await opened({ hasta: 'personas' });
    expect(await openDecision(lab, at, 's0')).toMatchObject({ state: 'open' });
  });
});

describe('a card that nobody answers', () => {
  it("expires after its time, pauses the run, and can be shown anew at today's price", async () => {
    const { workspace, at, card } = await at50();
    await sql(lab, `update decisions set expires_at = now() - interval '1 second' where id = $1`, [card.id]);
    expect(await refusal(resolve(lab, at, card.id, tapOf(card, 'fit_n')))).toMatchObject({ status: 410, code: 'decision_expired' });
    expect(await decision(lab, at, card.id)).toMatchObject({ state: 'expired', outcome: null });
    expect(await progressOf(lab, at)).toMatchObject({ state: 'paused', reason: { code: 'decision_expired' }, decisions: [] });
    expect((await ledgerOf(lab, workspace)).queries.held).toBe(0);

    await reading(lab, workspace, { credits: 60, queries: 500, inference: 0 });
    const fresh = await inRun(lab, at, (run) => reopenDecision(run, card.id, person(workspace)));
    expect(fresh).toMatchObject({ state: 'open', kind: 'ajustar_presupuesto' });
    expect(fresh.payload.options[0]).toMatchObject({ id: 'all', n: 50 });
    expect(await decision(lab, at, card.id)).toMatchObject({ state: 'expired', reopened_as: fresh.id });
    expect((await inRun(lab, at, (run) => reopenDecision(run, card.id, person(workspace)))).id).toBe(fresh.id);
    expect(await refusal(resolve(lab, at, card.id, tapOf(card, 'fit_n')))).toMatchObject({
      status: 410,
      params: { reopened_as: fresh.id },
    });
    expect((await resolve(lab, at, fresh.id, tapOf(fresh, 'all'))).state).toBe('approved');
  });

  it("lives 72 hours by the workflow's clock, no less", async () => {
    const { workspace, at, card } = await at50();
    const shown = Date.parse(card.created_at);
    const look = (now: number) => lab.books.snapshot({ workspace, run: at.run, now });
    expect((await look(shown + 72 * 3_600_000 - 1000)).awaited).toMatchObject({ decision_id: card.id, total: 32 });
    expect((await look(shown + 72 * 3_600_000)).awaited).toBeNull();
    expect((await decision(lab, at, card.id)).state).toBe('expired');
  });

  it('is not refused for its age alone before, but its quote is, with a fresh card', async () => {
    const { at, card } = await at50();
    await sql(lab, `update decisions set created_at = now() - interval '25 hours' where id = $1`, [card.id]);
    const told = await refusal(resolve(lab, at, card.id, tapOf(card, 'fit_n')));
    expect(told).toMatchObject({ status: 409, code: 'quote_expired' });
    const fresh = await openDecision(lab, at, 's0');
    expect(told.extra.fresh_decision_id).toBe(fresh.id);
    expect(await inRun(lab, at, (run) => resolveDecision(run, fresh.id, tapOf(fresh, 'fit_n'), person(at.workspace), KEY))).toHaveProperty(
      'decision',
    );
  });
});

describe('a start card whose price list lapsed', () => {
  it('is replaced by one that can be tapped, also when the prices are the same', async () => {
    const { workspace, at, card } = await at50();
    const past = new Date(Date.now() - 60_000).toISOString();
    await sql(lab, `update runs set prices = jsonb_set(prices, '{valid_until}', to_jsonb($2::text)) where id = $1`, [at.run, past]);
    await sql(lab, `update decisions set payload = jsonb_set(payload, '{price,valid_until}', to_jsonb($2::text)) where id = $1`, [
      card.id,
      past,
    ]);
    const refused = await refusal(tap(lab.ctx, person(workspace), card.id, tapOf(card, 'fit_n'), 'lapsed-1'));
    expect(refused).toMatchObject({ status: 409, code: 'quote_expired' });
    const fresh = await decision(lab, at, refused.extra.fresh_decision_id ?? '');
    expect(await tap(lab.ctx, person(workspace), fresh.id, tapOf(fresh, 'fit_n'), 'lapsed-2')).toMatchObject({ status: 200 });
  });
});
