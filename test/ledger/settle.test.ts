import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../contracts/problem.js';
import { transaction } from '../../db/client.js';
import { capture, grant, heldElsewhere, hold, voidHolds } from '../../db/ledger.js';
import { keepHolds } from '../../db/maintenance.js';
import { finish, ledgerOf, newWorkspace, openLab, openRun, sql, type Lab } from '../support/runs.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

const holdAt = (workspace: string, amounts: number[], run = 'run_x'): Promise<string[]> =>
  transaction(lab.pool, (tx) =>
    hold(
      tx,
      workspace,
      'credits',
      run,
      'dec_x',
      amounts.map((amount, i) => ({ amount, step: 's4', item: String(i) })),
    ),
  );

describe('a hold', () => {
  it('is settled once by twenty captures and voids at once, and the books agree with whoever won', async () => {
    for (let round = 0; round < 5; round += 1) {
      const workspace = await newWorkspace(lab, { credits: 10 });
      const [id = ''] = await holdAt(workspace, [7]);
      const settled = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          transaction(lab.pool, (tx) => (i % 2 === 0 ? capture(tx, [{ id, amount: 5 }]) : voidHolds(tx, [id]))),
        ),
      );
      const winners = settled.flat();
      expect(winners).toHaveLength(1);
      const spent = winners[0]?.captured ?? -1;
      expect([0, 5]).toContain(spent);
      expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { available: 10 - spent, held: 0, spent } });
      expect(
        await sql(lab, `select kind, amount, released from transfers where hold_id = $1 and kind in ('capture', 'void')`, [id]),
      ).toEqual([{ kind: spent === 5 ? 'capture' : 'void', amount: spent, released: 7 - spent }]);
      expect(await sql(lab, `select * from ledger_violations($1)`, [workspace])).toEqual([]);
    }
  });

  it('returns what a smaller capture leaves, and keeps the reference of the charge', async () => {
    const workspace = await newWorkspace(lab, { credits: 10 });
    const [id = ''] = await holdAt(workspace, [4]);
    await transaction(lab.pool, (tx) => capture(tx, [{ id, amount: 3, ref: 'charge-9' }]));
    expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { available: 7, held: 0, spent: 3 } });
    expect(await sql(lab, `select ref, released from transfers where hold_id = $1 and kind = 'capture'`, [id])).toEqual([
      { ref: 'charge-9', released: 1 },
    ]);
  });

  it('is never captured for more than it holds, and the attempt changes nothing', async () => {
    const workspace = await newWorkspace(lab, { credits: 10 });
    const [a = '', b = ''] = await holdAt(workspace, [2, 2]);
    await expect(
      transaction(lab.pool, (tx) =>
        capture(tx, [
          { id: a, amount: 2 },
          { id: b, amount: 3 },
        ]),
      ),
    ).rejects.toThrow('exceeds hold');
    expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { available: 6, held: 4, spent: 0 } });
    expect(await sql(lab, `select state from holds where workspace_id = $1 group by state`, [workspace])).toEqual([{ state: 'live' }]);
  });
});

describe('holds taken together', () => {
  it('are all taken or none', async () => {
    const workspace = await newWorkspace(lab, { credits: 10 });
    await expect(holdAt(workspace, [5, 5, 1])).rejects.toMatchObject({
      status: 409,
      code: 'insufficient_balance',
      params: { kind: 'credits', needed: 11, available: 10 },
    });
    expect(await sql(lab, `select id from holds where workspace_id = $1`, [workspace])).toEqual([]);
    expect(await holdAt(workspace, [5, 5])).toHaveLength(2);
    expect(await sql(lab, `select * from ledger_violations($1)`, [workspace])).toEqual([]);
  });

  it('never make the balance negative: of thirty at once exactly those that fit are taken', async () => {
    const workspace = await newWorkspace(lab, { credits: 40 });
    const done = await Promise.allSettled(Array.from({ length: 30 }, () => holdAt(workspace, [2, 1])));
    expect(done.filter((d) => d.status === 'fulfilled')).toHaveLength(13);
    expect(
      done.filter((d) => d.status === 'rejected').every((d) => d.reason instanceof Refusal && d.reason.code === 'insufficient_balance'),
    ).toBe(true);
    expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { available: 1, held: 39 } });
    expect(await sql(lab, `select * from ledger_violations($1)`, [workspace])).toEqual([]);
  });

  it('of two runs are told apart, and settled ones are not counted', async () => {
    const workspace = await newWorkspace(lab, { credits: 10 });
    const [a = ''] = await holdAt(workspace, [2, 3], 'run_1');
    await holdAt(workspace, [1], 'run_2');
    await transaction(lab.pool, (tx) => voidHolds(tx, [a]));
    const seen = (run: string) => transaction(lab.pool, (tx) => heldElsewhere(tx, workspace, run));
    expect([(await seen('run_1')).credits, (await seen('run_2')).credits, (await seen('run_3')).credits]).toEqual([1, 3, 4]);
  });
});

describe('the database itself', () => {
  it('refuses to change or delete a transfer', async () => {
    const workspace = await newWorkspace(lab);
    await expect(sql(lab, `update transfers set amount = amount + 1 where workspace_id = $1`, [workspace])).rejects.toThrow('immutable');
    await expect(sql(lab, `delete from transfers where workspace_id = $1`, [workspace])).rejects.toThrow('immutable');
  });

  it('refuses a negative balance, books that do not add up, and a second settlement of a hold', async () => {
    const workspace = await newWorkspace(lab, { credits: 10 });
    const [id = ''] = await holdAt(workspace, [1]);
    await expect(
      sql(lab, `update ledger_accounts set available = available - 20, held = held + 20 where workspace_id = $1 and kind = 'credits'`, [
        workspace,
      ]),
    ).rejects.toThrow('available');
    await expect(
      sql(lab, `update ledger_accounts set available = available + 1 where workspace_id = $1 and kind = 'credits'`, [workspace]),
    ).rejects.toThrow('conservation');
    await transaction(lab.pool, (tx) => capture(tx, [{ id, amount: 1 }]));
    await expect(
      sql(
        lab,
        `insert into transfers (workspace_id, account, kind, amount, released, hold_id, key) values ($1, 'credits', 'void', 0, 1, $2, 'again')`,
        [workspace, id],
      ),
    ).rejects.toThrow('transfers_settle_once');
  });

  it('lets a grant in once per key, also when it comes ten times at once', async () => {
    const workspace = await newWorkspace(lab, { credits: 10 });
    const done = await Promise.all(
      Array.from({ length: 10 }, () => transaction(lab.pool, (tx) => grant(tx, workspace, 'credits', 5, 'topup-1', 'x'))),
    );
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { granted: 15, available: 15 } });
  });
});

describe('the time of a hold', () => {
  const age = (ids: string[]): Promise<unknown> =>
    sql(lab, `update holds set expires_at = now() - interval '1 minute' where id = any($1)`, [ids]);
  it('is renewed while its run is open', async () => {
    const workspace = await newWorkspace(lab, { credits: 10 });
    const at = await openRun(lab, workspace);
    const ids = await holdAt(workspace, [2], at.run);
    await age(ids);
    await keepHolds(lab.pool);
    expect(await sql(lab, `select state, expires_at > now() + interval '6 days' as renewed from holds where id = $1`, [ids[0]])).toEqual([
      { state: 'live', renewed: true },
    ]);
  });

  it('ends with its run, unless a call may stand behind it', async () => {
    const workspace = await newWorkspace(lab, { credits: 10 });
    const at = await openRun(lab, workspace);
    await finish(lab, at, 'canceled');
    const [free = '', sent = '', unknown = ''] = await holdAt(workspace, [1, 2, 3], at.run);
    for (const [id, state] of [
      [sent, 'sent'],
      [unknown, 'unconfirmed'],
    ]) {
      await sql(
        lab,
        `insert into effects (id, workspace_id, provider, kind, subject, key, run_id, step, hold_id, decision_id, plan_version, state, sent_at) values ($1, $2, 'test', 'people_reveal', $1, $1, $3, 's4', $1, 'd', 1, $4, now())`,
        [id, workspace, at.run, state],
      );
    }
    await age([free, sent, unknown]);
    await keepHolds(lab.pool);
    expect(await sql(lab, `select amount, state from holds where run_id = $1 order by amount`, [at.run])).toEqual([
      { amount: 1, state: 'voided' },
      { amount: 2, state: 'live' },
      { amount: 3, state: 'live' },
    ]);
    expect(await ledgerOf(lab, workspace)).toMatchObject({ credits: { available: 5, held: 5 } });
  });
});
