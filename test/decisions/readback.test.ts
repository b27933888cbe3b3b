import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  claimResend,
  parseSchedule,
  recordReading,
  settleByOperator,
  unconfirmedOf,
  unconfirmedOfFinalRuns,
  type OpenEffect,
  type Reading,
} from '../../db/readback.js';
import { addSuppressions } from '../../db/suppressions.js';
import { transaction } from '../../db/client.js';
import { cancelRun, pauseRun, replanRun } from '../../db/controls.js';
import {
  advance,
  approve,
  finish,
  inRun,
  itemOf,
  KEY,
  lane,
  ledgerOf,
  newWorkspace,
  nobodyKnows,
  openDecision,
  openLab,
  person,
  progressOf,
  quote,
  revealAll,
  revealed,
  runAtReveal,
  sql,
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

const SCHEDULE = parseSchedule('0,450000,900000');
const MINUTE = 60_000;
const START = Date.parse('2026-11-30T10:00:00Z');

/** A run with this many reveals that nobody knows the outcome of. */
const atUnknown = async (cuentas = 1): Promise<OpenRun> => {
  const at = await runAtReveal(lab, await newWorkspace(lab, { credits: 200 }), { cuentas });
  await approve(lab, at, 's4');
  await revealAll(lab, at, nobodyKnows);
  return at;
};
const effectOf = async (at: OpenRun, id?: string): Promise<OpenEffect> => {
  const found = (await unconfirmedOf(lab.pool, at.run)).find((e) => id === undefined || e.id === id);
  if (!found) throw new Error('no unknown effect');
  return found;
};
const stateOf = async (id: string): Promise<{ state: string; reads: number; needs_operator: boolean; settled_by: string | null }> => {
  const [row] = await sql<{ state: string; reads: number; needs_operator: boolean; settled_by: string | null }>(
    lab,
    `select state, jsonb_array_length(reads) as reads, needs_operator, settled_by from effects where id = $1`,
    [id],
  );
  if (!row) throw new Error('no effect');
  return row;
};
/** One reading of the effect as it is now, at this moment of the workflow's clock. */
const readAt = async (at: OpenRun, now: number, said: Reading['said'], id?: string): Promise<void> => {
  const effect = await effectOf(at, id);
  const reading: Reading =
    said === 'yes' ? { said, contact: revealed(effect), by: 'read_back' } : said === 'refused' ? { said, by: 'resend' } : { said };
  await recordReading(lab.pool, effect, reading, SCHEDULE, now, KEY);
};

describe('reading back a reveal that nobody knows the outcome of', () => {
  it('captures once when the provider has it, also when five readings say so at once', async () => {
    const at = await atUnknown();
    const effect = await effectOf(at);
    await Promise.all(
      Array.from({ length: 5 }, () =>
        recordReading(lab.pool, effect, { said: 'yes', contact: revealed(effect), by: 'read_back' }, SCHEDULE, START, KEY),
      ),
    );
    expect(await stateOf(effect.id)).toMatchObject({ state: 'captured', settled_by: 'read_back' });
    expect(await ledgerOf(lab, at.workspace)).toMatchObject({ credits: { held: 0, spent: 1 } });
    expect(await progressOf(lab, at)).toMatchObject({
      contacts: { captured: 1, unconfirmed: 0 },
      budget: { credits: { held: 0, spent: 1 } },
    });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('is due at once, then when the schedule says, by the clock of the readings', async () => {
    const at = await atUnknown();
    expect(await advance(lab, at, 's4', Date.now() + 1000)).toMatchObject({ do: 'work', phase: 'read_back' });
    await readAt(at, START, 'no');
    expect((await effectOf(at)).next_read_at).toBe(new Date(START + 7.5 * MINUTE).toISOString());
    expect(await advance(lab, at, 's4', START)).toMatchObject({ do: 'sleep', ms: 7.5 * MINUTE });
    expect(await progressOf(lab, at)).toMatchObject({ state: 'waiting_external', reason: { code: 'unconfirmed', params: { n: 1 } } });
    expect(await advance(lab, at, 's4', START + 7.5 * MINUTE)).toMatchObject({ do: 'work', phase: 'read_back' });
    expect(await progressOf(lab, at)).toMatchObject({ state: 'running', reason: null });
  });

  it('believes a no only after three of them over a quarter of an hour: then the hold goes back and the person is offered anew, under a new key', async () => {
    const at = await atUnknown();
    const { id, key } = await effectOf(at);
    await readAt(at, START, 'no');
    await readAt(at, START + 7.5 * MINUTE, 'no');
    expect(await stateOf(id)).toMatchObject({ state: 'unconfirmed', reads: 2 });
    expect((await ledgerOf(lab, at.workspace)).credits.held).toBe(1);
    await readAt(at, START + 15 * MINUTE, 'no');
    expect(await stateOf(id)).toMatchObject({ state: 'voided', settled_by: 'read_back_no' });
    expect(await ledgerOf(lab, at.workspace)).toMatchObject({ credits: { held: 0, spent: 0 } });
    expect((await progressOf(lab, at)).contacts).toMatchObject({ captured: 0, unconfirmed: 0 });
    expect(await advance(lab, at, 's4')).toMatchObject({ do: 'work', phase: 'quote' });
    await quote(lab, at);
    await advance(lab, at, 's4');
    const card = await openDecision(lab, at, 's4');
    expect(card.items).toHaveLength(1);
    await approve(lab, at, 's4');
    const again = itemOf(await tick(lab, at, lane('b')));
    expect(again.key).not.toBe(key);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('never believes noes that come too soon, however many', async () => {
    const at = await atUnknown();
    const { id } = await effectOf(at);
    for (let i = 0; i < 10; i += 1) await readAt(at, START + i * MINUTE, 'no');
    expect((await stateOf(id)).state).toBe('unconfirmed');
    expect((await ledgerOf(lab, at.workspace)).credits.held).toBe(1);
  });

  it('waits for an operator when the provider cannot be read to the end, and holds on', async () => {
    const at = await atUnknown();
    const { id } = await effectOf(at);
    for (const minutes of [0, 7.5, 15]) await readAt(at, START + minutes * MINUTE, 'error');
    expect(await stateOf(id)).toMatchObject({ state: 'unconfirmed', needs_operator: true });
    expect((await ledgerOf(lab, at.workspace)).credits.held).toBe(1);
    expect((await progressOf(lab, at)).pasos.find((p) => p.id === 's4')?.reason).toMatchObject({ code: 'needs_operator' });
    expect(await advance(lab, at, 's4')).toEqual({ do: 'end', status: 'unconfirmed' });
    expect(await unconfirmedOfFinalRuns(lab.pool, 50)).toEqual([]);
  });

  it('settles by any readings only as they allow: yes captures, noes void after three over the schedule, and nothing else', async () => {
    const at = await atUnknown(40);
    const ids = (await unconfirmedOf(lab.pool, at.run)).map((e) => e.id);
    const script = fc.array(
      fc.record({
        wait: fc.integer({ min: 0, max: 12 }),
        said: fc.constantFrom('no' as const, 'no' as const, 'error' as const, 'yes' as const),
      }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(script, async (readings) => {
        const id = ids.pop() ?? '';
        let now = START;
        const noes: number[] = [];
        let settled: string | null = null;
        for (const { wait, said } of readings) {
          now += wait * MINUTE;
          if (settled !== null) break;
          await readAt(at, now, said, id);
          if (said === 'no') noes.push(now);
          if (said === 'yes') settled = 'captured';
          else if (said === 'no' && noes.length >= 3 && now - (noes[0] ?? now) >= 15 * MINUTE) settled = 'voided';
          expect((await stateOf(id)).state).toBe(settled ?? 'unconfirmed');
        }
      }),
      { numRuns: 25 },
    );
    expect(await sql(lab, `select * from ledger_violations($1)`, [at.workspace])).toEqual([]);
    const [row] = await sql<{ held: number; spent: number }>(
      lab,
      `select count(*) filter (where state = 'unconfirmed')::int as held, count(*) filter (where state = 'captured')::int as spent from effects where run_id = $1`,
      [at.run],
    );
    expect((await progressOf(lab, at)).budget.credits).toMatchObject(row ?? {});
    expect((await progressOf(lab, at)).contacts.unconfirmed).toBe(row?.held);
  });

  it('ends a reading that comes after it was settled without any change', async () => {
    const at = await atUnknown();
    const effect = await effectOf(at);
    await recordReading(lab.pool, effect, { said: 'refused', by: 'resend' }, SCHEDULE, START, KEY);
    const before = [await progressOf(lab, at), await ledgerOf(lab, at.workspace)];
    await recordReading(lab.pool, effect, { said: 'yes', contact: revealed(effect), by: 'read_back' }, SCHEDULE, START, KEY);
    await recordReading(lab.pool, effect, { said: 'refused', by: 'resend' }, SCHEDULE, START, KEY);
    expect([await progressOf(lab, at), await ledgerOf(lab, at.workspace)]).toEqual(before);
    expect((await stateOf(effect.id)).state).toBe('voided');
  });

  it('claims the one re-send of a key once, whoever asks', async () => {
    const at = await atUnknown();
    const effect = await effectOf(at);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claimResend(lab.pool, effect, KEY)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claimResend(lab.pool, effect, KEY)).toBe(false);
  });

  it('re-sends nothing for a run that stops or is over, under another plan, or for somebody on the suppression list', async () => {
    const stops: Array<(at: OpenRun, effect: OpenEffect) => Promise<unknown>> = [
      (at) => inRun(lab, at, (run) => cancelRun(run, person(at.workspace))),
      (at) => finish(lab, at, 'canceled'),
      (at) => inRun(lab, at, (run) => pauseRun(run, person(at.workspace))),
      (at) => inRun(lab, at, (run) => replanRun(run, { cargo: 'ventas' }, person(at.workspace), false)),
      (at, effect) =>
        transaction(lab.pool, (tx) => addSuppressions(tx, person(at.workspace), KEY, [{ kind: 'person', value: effect.person_id }])),
      (at) => transaction(lab.pool, (tx) => addSuppressions(tx, person(at.workspace), KEY, [{ kind: 'domain', value: 'empresa1.mx' }])),
    ];
    for (const stop of stops) {
      const at = await atUnknown();
      const effect = await effectOf(at);
      await stop(at, effect);
      expect(await claimResend(lab.pool, effect, KEY)).toBe(false);
      await recordReading(lab.pool, effect, { said: 'yes', contact: revealed(effect), by: 'read_back' }, SCHEDULE, START, KEY);
    }
  });

  it('sets a contact apart whose e-mail turns out to be on the suppression list', async () => {
    const at = await atUnknown();
    const effect = await effectOf(at);
    await transaction(lab.pool, (tx) => addSuppressions(tx, person(at.workspace), KEY, [{ kind: 'email', value: revealed(effect).email }]));
    await readAt(at, START, 'yes');
    expect(await sql(lab, `select state, reason ->> 'code' as why from contacts where run_id = $1`, [at.run])).toEqual([
      { state: 'suppressed', why: 'email_suppressed' },
    ]);
    expect((await ledgerOf(lab, at.workspace)).credits).toMatchObject({ held: 0, spent: 1 });
  });
});

describe('a run that ended before the answer', () => {
  it('keeps the hold and is read on; a yes is captured and counted', async () => {
    const at = await atUnknown(2);
    await finish(lab, at, 'canceled');
    expect(await progressOf(lab, at)).toMatchObject({ state: 'canceled', contacts: { unconfirmed: 2 }, budget: { credits: { held: 2 } } });
    await sql(lab, `update effects set next_read_at = now() - interval '1 second' where run_id = $1`, [at.run]);
    expect(await unconfirmedOfFinalRuns(lab.pool, 50)).toHaveLength(2);
    const [one, two] = await unconfirmedOf(lab.pool, at.run);
    await readAt(at, START, 'yes', one?.id);
    for (const minutes of [0, 7.5, 15]) await readAt(at, START + minutes * MINUTE, 'no', two?.id);
    expect(await progressOf(lab, at)).toMatchObject({
      state: 'canceled',
      contacts: { captured: 1, unconfirmed: 0 },
      budget: { credits: { held: 0, spent: 1 } },
    });
    expect(await sql(lab, `select state, reason ->> 'code' as why from contacts where run_id = $1 order by state`, [at.run])).toEqual([
      { state: 'captured', why: null },
      { state: 'voided', why: 'reveal_failed' },
    ]);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });
});

describe('an operator who looked at the provider', () => {
  const settle = (at: OpenRun, effect: OpenEffect, contact: ReturnType<typeof revealed> | null): Promise<void> =>
    inRun(lab, at, (run) => settleByOperator(run, person(at.workspace, { sub: 'olga' }), 'asked support', effect.id, contact, KEY));

  it('settles it either way, with the reason in the audit', async () => {
    const at = await atUnknown(2);
    const [one, two] = await unconfirmedOf(lab.pool, at.run);
    await settle(at, one!, revealed(one!));
    await settle(at, two!, null);
    expect(await stateOf(one!.id)).toMatchObject({ state: 'captured', settled_by: 'operator:olga' });
    expect(await stateOf(two!.id)).toMatchObject({ state: 'voided', settled_by: 'operator:olga' });
    expect(await ledgerOf(lab, at.workspace)).toMatchObject({ credits: { held: 0, spent: 1 } });
    expect(await sql(lab, `select actor, reason from audit where run_id = $1 and action = 'ops.settle-unconfirmed'`, [at.run])).toEqual([
      { actor: 'olga', reason: 'asked support' },
      { actor: 'olga', reason: 'asked support' },
    ]);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('finds what a fresh card of the step left: the hold under the unknown call is still counted', async () => {
    const at = await atUnknown(2);
    const [one, two] = await unconfirmedOf(lab.pool, at.run);
    for (const minutes of [0, 7.5, 15]) await readAt(at, START + minutes * MINUTE, 'error', one?.id);
    for (const minutes of [0, 7.5, 15]) await readAt(at, START + minutes * MINUTE, 'no', two?.id);
    await advance(lab, at, 's4');
    await quote(lab, at);
    await advance(lab, at, 's4');
    await openDecision(lab, at, 's4');
    const cost = async () => (await progressOf(lab, at)).pasos.find((p) => p.id === 's4')?.cost;
    expect(await cost()).toMatchObject({ held: 1, spent: 0 });
    await settle(at, one!, revealed(one!));
    expect(await cost()).toMatchObject({ held: 0, spent: 1 });
  });
});
