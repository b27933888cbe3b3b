import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelRun, pauseRun, replanRun, resumeRun } from '../../db/controls.js';
import { beat, LEASE_MS, pauseProvider } from '../../db/lanes.js';
import { peopleTick, type PeopleItem, type PeopleOutcome, type PeopleTurn } from '../../db/people.js';
import { voidHolds } from '../../db/ledger.js';
import { addSuppressions } from '../../db/suppressions.js';
import { transaction } from '../../db/client.js';
import {
  advance,
  approve,
  begin,
  chosen,
  findCompaniesFor,
  inRun,
  KEY,
  lane,
  ledgerOf,
  newWorkspace,
  openLab,
  openRun,
  person,
  progressOf,
  skipSave,
  sql,
  violations,
  type Lab,
  type OpenRun,
} from '../support/runs.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

const atPeople = async (cuentas = 5): Promise<OpenRun> => {
  const at = await openRun(lab, await newWorkspace(lab), { cuentas });
  await approve(lab, at, 's0');
  await findCompaniesFor(lab, at);
  await skipSave(lab, at);
  await begin(lab, at, 's3');
  await advance(lab, at, 's3');
  return at;
};
interface Turn {
  by: string;
  attempt?: number;
  outcome?: PeopleOutcome;
  wants?: boolean;
}
const ticks = (at: OpenRun, turns: Turn[], planVersion = 1): Promise<PeopleTurn[]> =>
  peopleTick(
    lab.pool,
    at.workspace,
    at.run,
    planVersion,
    turns.map(({ by, attempt = 1, outcome = null, wants = true }) => ({ lane: lane(by, attempt), outcome, wants })),
  );
const tickOne = async (at: OpenRun, turn: Turn, planVersion = 1): Promise<PeopleTurn> => {
  const [answer] = await ticks(at, [turn], planVersion);
  if (!answer) throw new Error('no answer');
  return answer;
};
const itemOf = (turn: PeopleTurn): PeopleItem => {
  if (!('item' in turn)) throw new Error(`no item: ${JSON.stringify(turn)}`);
  return turn.item;
};
const rows = (
  at: OpenRun,
): Promise<Array<{ position: number; state: string; lane_id: string | null; lane_attempt: number | null; why: string | null }>> =>
  sql(lab, `select position, state, lane_id, lane_attempt, reason ->> 'code' as why from accounts where run_id = $1 order by position`, [
    at.run,
  ]);
/** The lease of every lane that holds something has run out. */
const leasesOver = async (at: OpenRun): Promise<void> => {
  await sql(lab, `update accounts set updated_at = now() - make_interval(secs => $2) where run_id = $1`, [at.run, LEASE_MS / 1000 + 1]);
};

describe('lanes that look for people', () => {
  it('are each given another account, and a finished search is on disk before the next one starts', async () => {
    const at = await atPeople();
    const [a, b] = (await ticks(at, [{ by: 'a' }, { by: 'b' }])).map(itemOf);
    expect([a?.position, b?.position].sort()).toEqual([1, 2]);
    expect((await progressOf(lab, at)).counts).toMatchObject({ pending: 3, running: 2, done: 0 });
    const next = itemOf(await tickOne(at, { by: 'a', outcome: chosen(a!) }));
    expect(next.position).toBe(3);
    expect((await rows(at))[a!.position - 1]).toMatchObject({ state: 'chosen', lane_id: null });
    const { counts, budget } = await progressOf(lab, at);
    expect(counts).toMatchObject({ pending: 2, running: 2, done: 1 });
    expect(budget.queries).toMatchObject({ held: 4, spent: 2 });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('never share an account, however many ask at once', async () => {
    const at = await atPeople(20);
    const turns = await Promise.all(Array.from({ length: 15 }, (_, i) => ticks(at, [{ by: `l${i}` }, { by: `m${i}` }])));
    const items = turns.flat().flatMap((t) => ('item' in t ? [t.item.position] : []));
    expect(items.sort((x, y) => x - y)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(turns.flat().filter((t) => 'stop' in t && t.stop === 'empty')).toHaveLength(10);
  });

  it('get nothing more when one does not want more, but what it brings is kept', async () => {
    const at = await atPeople();
    const item = itemOf(await tickOne(at, { by: 'a' }));
    expect(await tickOne(at, { by: 'a', outcome: chosen(item), wants: false })).toEqual({ stop: 'empty' });
    expect((await progressOf(lab, at)).counts).toMatchObject({ done: 1, running: 0 });
  });

  it('spend a query per search that was counted, and get it back for one that was not', async () => {
    const at = await atPeople();
    const before = (await ledgerOf(lab, at.workspace)).queries;
    const [a, b, c] = (await ticks(at, [{ by: 'a' }, { by: 'b' }, { by: 'c' }])).map(itemOf);
    await ticks(at, [
      {
        by: 'a',
        outcome: { position: a!.position, state: 'not_found', counted: true, reason: { code: 'no_role_match', params: {} } },
        wants: false,
      },
      {
        by: 'b',
        outcome: { position: b!.position, state: 'failed', counted: false, reason: { code: 'search_failed', params: {} } },
        wants: false,
      },
      {
        by: 'c',
        outcome: { position: c!.position, state: 'failed', counted: true, reason: { code: 'search_failed', params: {} } },
        wants: false,
      },
    ]);
    const after = (await ledgerOf(lab, at.workspace)).queries;
    expect({ held: before.held - after.held, spent: after.spent - before.spent }).toEqual({ held: 3, spent: 2 });
    expect(await progressOf(lab, at)).toMatchObject({
      counts: { not_found: 1, failed: 2, pending: 2 },
      budget: { queries: { held: after.held, spent: after.spent } },
    });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('leave the provider alone as long as it asks, keep the query, and say why', async () => {
    const at = await atPeople();
    const item = itemOf(await tickOne(at, { by: 'a' }));
    const turn = await tickOne(at, {
      by: 'a',
      outcome: { position: item.position, state: 'again', waitMs: 60_000, reason: { code: 'provider_limit', params: { seconds: 60 } } },
    });
    expect(turn).toHaveProperty('waitMs');
    expect((turn as { waitMs: number }).waitMs).toBeGreaterThan(50_000);
    expect(await tickOne(at, { by: 'b' })).toHaveProperty('waitMs');
    expect(await progressOf(lab, at)).toMatchObject({
      counts: { pending: 5, running: 0 },
      reason: { code: 'provider_limit' },
      budget: { queries: { held: 5 } },
    });
    await sql(lab, `update provider_limits set paused_until = now() where workspace_id = $1`, [at.workspace]);
    const again = itemOf(await tickOne(at, { by: 'a' }));
    await tickOne(at, { by: 'a', outcome: chosen(again) });
    expect((await progressOf(lab, at)).reason).toBeNull();
  });

  it('keep the longer of two waits', async () => {
    const at = await atPeople();
    await transaction(lab.pool, async (tx) => {
      await pauseProvider(tx, at.workspace, 'test', 60_000);
      await pauseProvider(tx, at.workspace, 'test', 10);
    });
    expect(((await tickOne(at, { by: 'a' })) as { waitMs: number }).waitMs).toBeGreaterThan(50_000);
  });

  it('pause the run with the reason when every account would be refused, and use none of them up', async () => {
    const at = await atPeople();
    const item = itemOf(await tickOne(at, { by: 'a' }));
    expect(
      await tickOne(at, {
        by: 'a',
        outcome: { position: item.position, state: 'blocked', reason: { code: 'provider_refused', params: { code: 'unauthorized' } } },
      }),
    ).toEqual({ stop: 'paused' });
    expect(await progressOf(lab, at)).toMatchObject({
      state: 'paused',
      reason: { code: 'provider_refused' },
      counts: { pending: 5, running: 0 },
    });
    await inRun(lab, at, (run) => resumeRun(run, person(at.workspace)));
    expect(itemOf(await tickOne(at, { by: 'a' })).position).toBe(1);
  });

  it('do not search a company on the suppression list that a later campaign names by its reference alone', async () => {
    const first = await atPeople();
    const known = await sql<{ ref: string; name: string }>(
      lab,
      `select company_ref as ref, name from accounts where run_id = $1 order by position`,
      [first.run],
    );
    await transaction(lab.pool, (tx) =>
      addSuppressions(tx, person(first.workspace), KEY, [
        { kind: 'rfc', value: 'RFC1' },
        { kind: 'domain', value: 'EMPRESA2.mx' },
      ]),
    );
    const at = await openRun(lab, first.workspace, { cuentas: 5, desde: 's3', accounts: known });
    await approve(lab, at, 's0');
    await begin(lab, at, 's3');
    await advance(lab, at, 's3');
    expect((await rows(at)).map((r) => r.state)).toEqual(['suppressed', 'suppressed', 'pending', 'pending', 'pending']);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('do not search a company on the suppression list: its query goes back', async () => {
    const at = await atPeople();
    await transaction(lab.pool, (tx) =>
      addSuppressions(tx, person(at.workspace), KEY, [
        { kind: 'rfc', value: 'RFC1' },
        { kind: 'domain', value: 'EMPRESA2.mx' },
      ]),
    );
    await advance(lab, at, 's3');
    expect((await rows(at)).map((r) => r.state)).toEqual(['suppressed', 'suppressed', 'pending', 'pending', 'pending']);
    expect(await progressOf(lab, at)).toMatchObject({ counts: { suppressed: 2, pending: 3 }, budget: { queries: { held: 3 } } });
    expect(itemOf(await tickOne(at, { by: 'a' })).position).toBe(3);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });
});

describe('a lane that dies', () => {
  it('keeps its account while it beats, and loses it once the lease is over', async () => {
    const at = await atPeople(1);
    itemOf(await tickOne(at, { by: 'dead' }));
    await beat(lab.pool, [{ ...lane('dead'), run: at.run, step: 's3' }]);
    expect(await tickOne(at, { by: 'other' })).toEqual({ stop: 'empty' });
    await leasesOver(at);
    expect(await tickOne(at, { by: 'other' })).toEqual({ stop: 'empty' });
    await sql(lab, `update lanes set beat_at = now() - interval '3 seconds' where id = 'dead'`);
    expect(itemOf(await tickOne(at, { by: 'other' })).position).toBe(1);
    expect((await progressOf(lab, at)).counts).toMatchObject({ running: 1, pending: 0 });
  });

  it('loses it too when it never beat once', async () => {
    const at = await atPeople(1);
    itemOf(await tickOne(at, { by: 'dead' }));
    expect(await tickOne(at, { by: 'other' })).toEqual({ stop: 'empty' });
    await leasesOver(at);
    expect(itemOf(await tickOne(at, { by: 'other' })).position).toBe(1);
  });

  it('has its own account back at once in its next attempt', async () => {
    const at = await atPeople(3);
    const first = itemOf(await tickOne(at, { by: 'a', attempt: 1 }));
    const again = itemOf(await tickOne(at, { by: 'a', attempt: 2 }));
    expect(again.position).toBe(first.position);
    expect((await rows(at))[0]).toMatchObject({ state: 'running', lane_attempt: 2 });
  });

  it('changes nothing with an outcome that comes late from an old attempt or for an account it lost', async () => {
    const at = await atPeople(2);
    const item = itemOf(await tickOne(at, { by: 'a', attempt: 1 }));
    itemOf(await tickOne(at, { by: 'a', attempt: 2 }));
    const before = await progressOf(lab, at);
    const ledger = await ledgerOf(lab, at.workspace);
    await tickOne(at, { by: 'a', attempt: 1, outcome: chosen(item), wants: false });
    await tickOne(at, { by: 'b', attempt: 1, outcome: chosen(item, { person_id: 'p-other' }), wants: false });
    expect(await progressOf(lab, at)).toEqual(before);
    expect(await ledgerOf(lab, at.workspace)).toEqual(ledger);
    await tickOne(at, { by: 'a', attempt: 2, outcome: chosen(item), wants: false });
    await tickOne(at, {
      by: 'a',
      attempt: 2,
      outcome: { position: item.position, state: 'not_found', counted: true, reason: { code: 'no_role_match', params: {} } },
      wants: false,
    });
    expect((await rows(at))[item.position - 1]).toMatchObject({ state: 'chosen' });
    expect((await ledgerOf(lab, at.workspace)).queries.spent).toBe(ledger.queries.spent + 1);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('three times at random leaves every account searched and captured once', async () => {
    const at = await atPeople(17);
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      let outcome: PeopleOutcome | undefined;
      for (let n = 0; n < (attempt === 4 ? 100 : 4); n += 1) {
        const turn = await tickOne(at, { by: 'a', attempt, ...(outcome ? { outcome } : {}) });
        if (!('item' in turn)) break;
        outcome = chosen(turn.item);
      }
    }
    expect(await progressOf(lab, at)).toMatchObject({
      counts: { done: 17, running: 0, pending: 0 },
      budget: { queries: { held: 0, spent: 18 } },
    });
    expect(await sql(lab, `select count(*)::int as n from transfers where run_id = $1 and kind = 'capture'`, [at.run])).toEqual([
      { n: 18 },
    ]);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });
});

describe('what stops a lane', () => {
  const stops: Array<[string, string, (at: OpenRun) => Promise<unknown>]> = [
    ['a pause', 'paused', (at) => inRun(lab, at, (run) => pauseRun(run, person(at.workspace)))],
    ['a change of plan', 'replanned', (at) => inRun(lab, at, (run) => replanRun(run, { cargo: 'logística' }, person(at.workspace), false))],
    ['a cancel', 'canceled', (at) => inRun(lab, at, (run) => cancelRun(run, person(at.workspace)))],
  ];
  for (const [name, stop, act] of stops) {
    it(`${name} holds at the next account; the one under way is kept`, async () => {
      const at = await atPeople();
      const item = itemOf(await tickOne(at, { by: 'a' }));
      await act(at);
      expect(await tickOne(at, { by: 'a', outcome: chosen(item) })).toEqual({ stop });
      expect(await tickOne(at, { by: 'b' })).toEqual({ stop });
      expect((await progressOf(lab, at)).counts).toMatchObject({ done: 1, running: 0 });
      expect(await violations(lab, at.workspace)).toEqual([]);
    });
  }

  it('a lane of the old plan stays stopped while a lane of the new one goes on, with the new role', async () => {
    const at = await atPeople();
    await inRun(lab, at, (run) => replanRun(run, { cargo: 'logística' }, person(at.workspace), false));
    await advance(lab, at, 's3');
    expect(await tickOne(at, { by: 'a' }, 1)).toEqual({ stop: 'replanned' });
    expect(itemOf(await tickOne(at, { by: 'b' }, 2))).toMatchObject({ role: 'logística' });
  });

  it('a resumed run goes on where it stopped', async () => {
    const at = await atPeople();
    const item = itemOf(await tickOne(at, { by: 'a' }));
    await inRun(lab, at, (run) => pauseRun(run, person(at.workspace)));
    await tickOne(at, { by: 'a', outcome: chosen(item) });
    await inRun(lab, at, (run) => resumeRun(run, person(at.workspace)));
    await inRun(lab, at, (run) => resumeRun(run, person(at.workspace)));
    expect(await advance(lab, at, 's3')).toMatchObject({ do: 'work', phase: 'people', lanes: 4 });
    expect(itemOf(await tickOne(at, { by: 'a' })).position).toBe(item.position === 1 ? 2 : 1);
  });
});

describe('queries that the provider took back', () => {
  it('cost a lane its account, not its life: it is given the next that can be paid', async () => {
    const at = await atPeople(3);
    await inRun(lab, at, async (run) => {
      const [row] = await run.tx.q<{ hold_id: string }>(`select hold_id from accounts where run_id = $1 and position = 1`, [run.id]);
      await voidHolds(run.tx, [row?.hold_id ?? ''], 'balance_lost_at_provider');
    });
    expect(itemOf(await tickOne(at, { by: 'a' })).position).toBe(2);
    expect((await rows(at))[0]).toMatchObject({ state: 'skipped', why: 'queries_lost' });
    expect(await progressOf(lab, at)).toMatchObject({ counts: { skipped: 1, running: 1, pending: 1 }, budget: { queries: { held: 2 } } });
  });
});
