import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '../../db/client.js';
import { capture, hold } from '../../db/ledger.js';
import {
  approve,
  askReveal,
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
  openLab,
  openRun,
  progressOf,
  reading,
  runAtReveal,
  skipSave,
  sql,
  tick,
  violations,
  type Lab,
} from '../support/runs.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

const holdAt = (workspace: string, amounts: number[]): Promise<string[]> =>
  transaction(lab.pool, (tx) =>
    hold(
      tx,
      workspace,
      'credits',
      'run_x',
      'dec_x',
      amounts.map((amount, i) => ({ id: `${workspace}-${i}`, amount, step: 's4', item: String(i) })),
    ),
  );
const transfers = (workspace: string): Promise<unknown[]> =>
  sql(
    lab,
    `select kind, amount, ref from transfers where workspace_id = $1 and account = 'credits' and kind in ('grant', 'adjust') order by id`,
    [workspace],
  );
const rest = { queries: 500, inference: 0 };

describe('a reading of the provider', () => {
  it('grants the three balances the first time, with itself as the reference', async () => {
    const workspace = await newWorkspace(lab, { credits: 32, queries: 70, inference: 5000 });
    expect(await ledgerOf(lab, workspace)).toMatchObject({
      credits: { granted: 32, available: 32 },
      queries: { granted: 70, available: 70 },
      inference: { granted: 5000, available: 5000 },
    });
    const [row] = (await transfers(workspace)) as Array<{ kind: string; ref: string }>;
    expect(row?.kind).toBe('grant');
    expect(row?.ref).toBeTruthy();
  });

  it('grants an increase, once per reading', async () => {
    const workspace = await newWorkspace(lab, { credits: 32 });
    const before = await ledgerOf(lab, workspace);
    const versions = { credits: before.credits.version, queries: before.queries.version, inference: before.inference.version };
    expect((await reading(lab, workspace, { credits: 50, ...rest }, { id: 'topup', versions })).changed).toEqual(['credits']);
    await reading(lab, workspace, { credits: 50, ...rest }, { id: 'topup', versions });
    await reading(lab, workspace, { credits: 50, ...rest }, { id: 'topup' });
    expect(await transfers(workspace)).toMatchObject([
      { kind: 'grant', amount: 32 },
      { kind: 'grant', amount: 18, ref: 'topup' },
    ]);
    expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { granted: 50, available: 50 } });
  });

  it('that repeats the id of an earlier one never grants a second time, even for another amount', async () => {
    const workspace = await newWorkspace(lab, { credits: 32 });
    await reading(lab, workspace, { credits: 50, ...rest }, { id: 'same' });
    await reading(lab, workspace, { credits: 60, ...rest }, { id: 'same' });
    expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { granted: 50 } });
  });

  it('is written once when ten processes read at the same time', async () => {
    const workspace = await newWorkspace(lab, { credits: 32 });
    const now = await ledgerOf(lab, workspace);
    const versions = { credits: now.credits.version, queries: now.queries.version, inference: now.inference.version };
    await Promise.all(Array.from({ length: 10 }, (_, i) => reading(lab, workspace, { credits: 50, ...rest }, { id: `r${i}`, versions })));
    expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { granted: 50, available: 50 } });
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('adjusts a loss down', async () => {
    const workspace = await newWorkspace(lab, { credits: 32 });
    await reading(lab, workspace, { credits: 30, ...rest }, { id: 'loss' });
    expect(await transfers(workspace)).toMatchObject([{ amount: 32 }, { kind: 'adjust', amount: -2, ref: 'loss' }]);
    expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { granted: 30, available: 30 } });
  });

  it('taken before the ledger last moved is ignored', async () => {
    const workspace = await newWorkspace(lab, { credits: 32 });
    const { credits, queries, inference } = await ledgerOf(lab, workspace);
    await holdAt(workspace, [1]);
    expect(
      await reading(
        lab,
        workspace,
        { credits: 10, ...rest },
        { versions: { credits: credits.version, queries: queries.version, inference: inference.version } },
      ),
    ).toEqual({ changed: [], voided: [] });
    expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { granted: 32, available: 31, held: 1 } });
  });

  it('that leaves out what is only held is no loss: the provider knows nothing of holds', async () => {
    const workspace = await newWorkspace(lab, { credits: 32 });
    await holdAt(workspace, [10]);
    expect((await reading(lab, workspace, { credits: 32, ...rest })).changed).toEqual([]);
    expect((await reading(lab, workspace, { credits: 31, ...rest })).changed).toEqual(['credits']);
  });

  it('larger by less than what is available lets no hold go', async () => {
    const workspace = await newWorkspace(lab, { credits: 10 });
    await holdAt(workspace, [6]);
    expect((await reading(lab, workspace, { credits: 6, ...rest })).voided).toEqual([]);
    expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { granted: 6, available: 0, held: 6 } });
  });

  it('of a loss larger than what is available first lets the newest holds go, no more than it needs', async () => {
    const workspace = await newWorkspace(lab, { credits: 10 });
    for (const [i, amount] of [3, 3, 3].entries())
      await transaction(lab.pool, (tx) =>
        hold(tx, workspace, 'credits', 'run_x', 'dec_x', [{ id: `${workspace}-${i}`, amount, step: 's4', item: String(i) }]),
      );
    const { voided } = await reading(lab, workspace, { credits: 5, ...rest });
    expect(voided).toEqual([`${workspace}-2`, `${workspace}-1`]);
    expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { granted: 5, available: 2, held: 3 } });
    expect(await violations(lab, workspace)).toEqual([]);
  });
});

describe('a reading while reveals are under way', () => {
  const two = async () => {
    const workspace = await newWorkspace(lab, { credits: 10 });
    const at = await runAtReveal(lab, workspace, { cuentas: 3 });
    await approve(lab, at, 's4');
    return { workspace, at };
  };

  it('changes nothing while a call is in flight', async () => {
    const { workspace, at } = await two();
    itemOf(await tick(lab, at, lane('a')));
    for (const credits of [20, 10, 9, 3])
      expect((await reading(lab, workspace, { credits, queries: 500 - 6, inference: 0 })).changed).not.toContain('credits');
    expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { granted: 10 } });
  });

  it('takes anything between charged and not charged as expected, and what is outside as drift', async () => {
    const { workspace, at } = await two();
    const item = itemOf(await tick(lab, at, lane('a')));
    const second = itemOf(await tick(lab, at, lane('a'), nobodyKnows(item)));
    await tick(lab, at, lane('a'), gotIt(second));
    // 10 granted, 1 spent, 1 unknown and 1 sent by the last turn: settle that one too.
    const third = await sql<{ id: string; contact_id: string; subject: string }>(
      lab,
      `select id, contact_id, subject from effects where run_id = $1 and state = 'sent'`,
      [at.run],
    );
    for (const t of third) await tick(lab, at, lane('a'), { contact_id: t.contact_id, effect_id: t.id, got: 'unknown', code: 'timeout' });
    const { credits } = await ledgerOf(lab, workspace);
    expect(credits).toMatchObject({ granted: 10, available: 7, held: 2, spent: 1 });
    const queries = (await ledgerOf(lab, workspace)).queries;
    const left = { queries: queries.available + queries.held, inference: 0 };
    for (const found of [9, 8, 7]) expect((await reading(lab, workspace, { credits: found, ...left })).changed).toEqual([]);
    expect((await reading(lab, workspace, { credits: 6, ...left })).changed).toEqual(['credits']);
    expect((await ledgerOf(lab, workspace)).credits.held).toBe(2);
    expect((await reading(lab, workspace, { credits: 12, ...left })).changed).toEqual(['credits']);
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('never lets a hold go under which a call was made', async () => {
    const { workspace, at } = await two();
    const item = itemOf(await tick(lab, at, lane('a')));
    const held = (await sql<{ hold_id: string }>(lab, `select hold_id from effects where id = $1`, [item.effect_id]))[0]?.hold_id;
    await sql(lab, `update effects set state = 'unconfirmed' where id = $1`, [item.effect_id]);
    await sql(lab, `update contacts set state = 'unconfirmed' where id = $1`, [item.contact_id]);
    const { voided } = await reading(lab, workspace, { credits: 0, queries: 494, inference: 0 });
    expect(voided).toHaveLength(2);
    expect(voided).not.toContain(held);
    expect((await ledgerOf(lab, workspace)).credits).toMatchObject({ available: 0, held: 1 });
  });

  it('that lets holds of a run go leaves the run saying what it really holds, and its contacts unrevealed with the reason', async () => {
    const { workspace, at } = await two();
    await reading(lab, workspace, { credits: 1, queries: (await ledgerOf(lab, workspace)).queries.available, inference: 0 });
    expect((await ledgerOf(lab, workspace)).credits).toMatchObject({ held: 1 });
    const item = itemOf(await tick(lab, at, lane('a')));
    expect(await tick(lab, at, lane('a'), gotIt(item))).toEqual({ stop: 'empty' });
    expect(await sql(lab, `select state, reason ->> 'code' as why from contacts where run_id = $1 order by state`, [at.run])).toEqual([
      { state: 'captured', why: null },
      { state: 'voided', why: 'balance_lost' },
      { state: 'voided', why: 'balance_lost' },
    ]);
    const { budget, pasos } = await progressOf(lab, at);
    expect(budget.credits).toMatchObject({ held: 0, spent: 1 });
    expect(pasos.find((p) => p.id === 's4')?.cost).toMatchObject({ held: 0, spent: 1 });
    expect(await violations(lab, workspace)).toEqual([]);
  });
});

describe('a reading that takes queries away', () => {
  it('leaves accounts without a query unsearched, with the reason, and the run saying what it really holds', async () => {
    const workspace = await newWorkspace(lab, { queries: 8 });
    const at = await openRun(lab, workspace, { cuentas: 5 });
    await approve(lab, at, 's0');
    await findCompaniesFor(lab, at);
    await skipSave(lab, at);
    expect((await ledgerOf(lab, workspace)).queries).toMatchObject({ available: 2, held: 5, spent: 1 });
    await reading(lab, workspace, { credits: 100, queries: 3, inference: 0 });
    expect((await ledgerOf(lab, workspace)).queries).toMatchObject({ available: 0, held: 3 });
    await findPeople(lab, at);
    const progress = await progressOf(lab, at);
    expect(progress.counts).toMatchObject({ done: 3, skipped: 2, pending: 0, running: 0 });
    expect(
      await sql(lab, `select distinct reason ->> 'code' as why from accounts where run_id = $1 and state = 'skipped'`, [at.run]),
    ).toEqual([{ why: 'queries_lost' }]);
    expect(progress.budget.queries).toMatchObject({ held: 0, spent: 4 });
    await askReveal(lab, at);
    await finish(lab, at);
    expect(await violations(lab, workspace)).toEqual([]);
  });

  it('is never believed while a search is under way', async () => {
    const workspace = await newWorkspace(lab, { queries: 8 });
    const at = await openRun(lab, workspace, { cuentas: 5 });
    await approve(lab, at, 's0');
    await inRun(lab, at, async (run) => {
      await run.tx.q(`update accounts set state = 'running' where run_id = $1 and position = 1`, [run.id]);
    });
    expect((await reading(lab, workspace, { credits: 100, queries: 2, inference: 0 })).changed).toEqual([]);
  });
});

describe('the inference entitlement', () => {
  it('is a total: what was used of it is no loss', async () => {
    const workspace = await newWorkspace(lab, { inference: 1000 });
    const [id = ''] = await transaction(lab.pool, (tx) =>
      hold(tx, workspace, 'inference', 'run_x', 'dec_x', [{ amount: 300, step: 's5', item: '1' }]),
    );
    await transaction(lab.pool, (tx) => capture(tx, [{ id, amount: 250 }]));
    expect((await reading(lab, workspace, { credits: 100, queries: 500, inference: 1000 })).changed).toEqual([]);
    expect((await reading(lab, workspace, { credits: 100, queries: 500, inference: 1500 })).changed).toEqual(['inference']);
    expect((await ledgerOf(lab, workspace)).inference).toMatchObject({ granted: 1500, available: 1250, spent: 250 });
  });
});
