import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '../../db/client.js';
import { cancelRun, pauseRun, resumeRun } from '../../db/controls.js';
import { beat } from '../../db/lanes.js';
import { addSuppressions } from '../../db/suppressions.js';
import {
  chosen,
  draftAll,
  advance,
  approve,
  finish,
  gotIt,
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
  resolve,
  revealAll,
  runAtReveal,
  sql,
  tapOf,
  tick,
  violations,
  type Lab,
  type OpenRun,
  type RunPlan,
} from '../support/runs.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

const atLanes = async (cuentas = 3, plan: Omit<Parameters<typeof runAtReveal>[2] & object, 'cuentas'> & RunPlan = {}): Promise<OpenRun> => {
  const at = await runAtReveal(lab, await newWorkspace(lab, { credits: 20 }), { cuentas, ...plan });
  await approve(lab, at, 's4');
  return at;
};
const effects = (at: OpenRun): Promise<Array<{ id: string; state: string; subject: string; key: string; settled_by: string | null }>> =>
  sql(lab, `select id, state, subject, key, settled_by from effects where run_id = $1 order by created_at, id`, [at.run]);
const contacts = (at: OpenRun): Promise<Array<{ person_id: string; state: string; why: string | null; generation: number }>> =>
  sql(lab, `select person_id, state, reason ->> 'code' as why, generation from contacts where run_id = $1 order by rank`, [at.run]);
const listed = (at: OpenRun, entry: Parameters<typeof addSuppressions>[3][number]): Promise<unknown> =>
  transaction(lab.pool, (tx) => addSuppressions(tx, person(at.workspace), KEY, [entry]));
/** The lane has not been heard of for longer than its lease. */
const dies = async (at: OpenRun): Promise<void> => {
  await sql(lab, `update effects set sent_at = sent_at - interval '3 seconds' where run_id = $1`, [at.run]);
  await sql(lab, `update contacts set updated_at = updated_at - interval '3 seconds' where run_id = $1`, [at.run]);
  await sql(lab, `update lanes set beat_at = beat_at - interval '3 seconds' where run_id = $1`, [at.run]);
};

describe('a lane that reveals', () => {
  it('has the effect row committed as sent before the contact is handed out', async () => {
    const at = await atLanes();
    const item = itemOf(await tick(lab, at, lane('a')));
    expect(await effects(at)).toMatchObject([{ id: item.effect_id, state: 'sent', subject: item.person_id, key: item.key }]);
    expect(
      await sql(
        lab,
        `select e.plan_version, e.decision_id = c.decision_id as same, e.hold_id = c.hold_id as held, h.state from effects e join contacts c on c.id = e.contact_id join holds h on h.id = e.hold_id where e.id = $1`,
        [item.effect_id],
      ),
    ).toEqual([{ plan_version: 1, same: true, held: true, state: 'live' }]);
    expect(item).toMatchObject({ max_credits: 1, quote_id: 'q1' });
  });

  it('stores the reply and captures its hold in one transaction, then is handed the next', async () => {
    const at = await atLanes(2);
    const first = itemOf(await tick(lab, at, lane('a')));
    const second = itemOf(await tick(lab, at, lane('a'), gotIt(first)));
    expect(second.person_id).not.toBe(first.person_id);
    expect(await ledgerOf(lab, at.workspace)).toMatchObject({ credits: { held: 1, spent: 1 } });
    expect(await progressOf(lab, at)).toMatchObject({ contacts: { captured: 1 }, budget: { credits: { held: 1, spent: 1 } } });
    expect(await tick(lab, at, lane('a'), gotIt(second))).toEqual({ stop: 'empty' });
    expect((await contacts(at)).map((c) => c.state)).toEqual(['captured', 'captured']);
    expect(await advance(lab, at, 's4')).toEqual({ do: 'end', status: 'done' });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('never hands one contact to two lanes', async () => {
    const at = await atLanes(8);
    const turns = await Promise.all(Array.from({ length: 12 }, (_, i) => tick(lab, at, lane(`l${i}`))));
    const people = turns.flatMap((t) => ('item' in t ? [t.item.person_id] : []));
    expect(people).toHaveLength(8);
    expect(new Set(people).size).toBe(8);
    expect(await sql(lab, `select count(distinct key)::int as n from effects where run_id = $1`, [at.run])).toEqual([{ n: 8 }]);
  });

  it('captures the same reply once, however often it is brought', async () => {
    const at = await atLanes(1);
    const item = itemOf(await tick(lab, at, lane('a')));
    await Promise.all(Array.from({ length: 6 }, () => tick(lab, at, lane('a'), gotIt(item))));
    expect(await ledgerOf(lab, at.workspace)).toMatchObject({ credits: { held: 0, spent: 1 } });
    expect((await progressOf(lab, at)).contacts.captured).toBe(1);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('captures what the provider charged, at most what was agreed', async () => {
    const at = await atLanes(2, { price: 3, prices: { credit_min: 1, credit_max: 3 } });
    const cheap = itemOf(await tick(lab, at, lane('a')));
    const dear = itemOf(await tick(lab, at, lane('a'), gotIt(cheap, { credits: 2 })));
    await tick(lab, at, lane('a'), gotIt(dear, { credits: 9 }));
    expect(await ledgerOf(lab, at.workspace)).toMatchObject({ credits: { held: 0, spent: 5, available: 15 } });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('whose reply is unknown says so, keeps the hold, and never has that contact again', async () => {
    const at = await atLanes(1);
    const item = itemOf(await tick(lab, at, lane('a')));
    expect(await tick(lab, at, lane('a'), nobodyKnows(item))).toEqual({ stop: 'empty' });
    expect(await tick(lab, at, lane('b'))).toEqual({ stop: 'empty' });
    expect(await effects(at)).toMatchObject([{ state: 'unconfirmed' }]);
    expect(await ledgerOf(lab, at.workspace)).toMatchObject({ credits: { held: 1, spent: 0 } });
    expect(await progressOf(lab, at)).toMatchObject({ contacts: { captured: 0, unconfirmed: 1 }, counts: { done: 1 } });
  });

  it('is refused for now: the contact keeps its hold and its place, and its next call has a new key', async () => {
    const at = await atLanes(1);
    const item = itemOf(await tick(lab, at, lane('a')));
    const turn = await tick(lab, at, lane('a'), {
      contact_id: item.contact_id,
      effect_id: item.effect_id ?? '',
      got: 'refused',
      reason: { code: 'provider_limit', params: {} },
      again: 'later',
      waitMs: 30_000,
    });
    expect(turn).toHaveProperty('waitMs');
    expect((await ledgerOf(lab, at.workspace)).credits.held).toBe(1);
    await sql(lab, `update provider_limits set paused_until = now() where workspace_id = $1`, [at.workspace]);
    const again = itemOf(await tick(lab, at, lane('a')));
    expect(again.contact_id).toBe(item.contact_id);
    expect(again.key).not.toBe(item.key);
    expect((await effects(at)).map((e) => e.state).sort()).toEqual(['sent', 'voided']);
  });

  it('is refused for a moved price: the hold goes back and the contact is offered anew with a fresh quote', async () => {
    const at = await atLanes(1);
    const item = itemOf(await tick(lab, at, lane('a')));
    await tick(lab, at, lane('a'), {
      contact_id: item.contact_id,
      effect_id: item.effect_id ?? '',
      got: 'refused',
      reason: { code: 'price_changed', params: {} },
      again: 'requote',
      waitMs: 0,
    });
    expect(await ledgerOf(lab, at.workspace)).toMatchObject({ credits: { held: 0, spent: 0, available: 20 } });
    expect(await contacts(at)).toMatchObject([{ state: 'quoted', why: null, generation: 2 }]);
    expect(await advance(lab, at, 's4')).toMatchObject({ do: 'work', phase: 'quote' });
    await quote(lab, at, 1);
    expect(await advance(lab, at, 's4')).toMatchObject({ do: 'wait', why: 'decision' });
    await approve(lab, at, 's4');
    expect(itemOf(await tick(lab, at, lane('a'))).key).not.toBe(item.key);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('is refused for good: the hold goes back and the contact says why', async () => {
    const at = await atLanes(1);
    const item = itemOf(await tick(lab, at, lane('a')));
    await tick(lab, at, lane('a'), {
      contact_id: item.contact_id,
      effect_id: item.effect_id ?? '',
      got: 'refused',
      reason: { code: 'reveal_failed', params: { code: 'gone' } },
      again: 'never',
      waitMs: 0,
    });
    expect(await contacts(at)).toMatchObject([{ state: 'voided', why: 'reveal_failed' }]);
    expect(await ledgerOf(lab, at.workspace)).toMatchObject({ credits: { held: 0, available: 20 } });
  });

  it('is refused for its credentials: the run pauses, nothing is lost', async () => {
    const at = await atLanes(2);
    const item = itemOf(await tick(lab, at, lane('a')));
    expect(
      await tick(lab, at, lane('a'), {
        contact_id: item.contact_id,
        effect_id: item.effect_id ?? '',
        got: 'refused',
        reason: { code: 'provider_refused', params: {} },
        again: 'blocked',
        waitMs: 0,
      }),
    ).toEqual({ stop: 'paused' });
    expect(await progressOf(lab, at)).toMatchObject({
      state: 'paused',
      reason: { code: 'provider_refused' },
      budget: { credits: { held: 2 } },
    });
  });
});

describe('what is checked at the very claim', () => {
  it('a person, RFC or domain put on the suppression list after the tap is let go: never called, the hold goes back', async () => {
    for (const entry of [
      { kind: 'person' as const, value: 'p-c1' },
      { kind: 'rfc' as const, value: 'RFC1' },
      { kind: 'domain' as const, value: 'empresa1.mx' },
    ]) {
      const at = await atLanes(2);
      await listed(at, entry);
      await revealAll(lab, at);
      expect((await effects(at)).map((e) => e.subject)).toEqual(['p-c2']);
      expect(await contacts(at)).toMatchObject([{ state: 'suppressed', why: 'suppressed' }, { state: 'captured' }]);
      expect(await ledgerOf(lab, at.workspace)).toMatchObject({ credits: { held: 0, spent: 1, available: 19 } });
      expect((await progressOf(lab, at)).counts.done).toBe(2);
      expect(await violations(lab, at.workspace)).toEqual([]);
    }
  });

  it('a hold that is gone, or an approval that is not one, lets the contact go without a call', async () => {
    const at = await atLanes(2);
    await sql(lab, `update decisions set plan_version = 9 where id = (select decision_id from contacts where run_id = $1 limit 1)`, [
      at.run,
    ]);
    await revealAll(lab, at);
    expect(await effects(at)).toEqual([]);
    expect((await contacts(at)).map((c) => [c.state, c.why])).toEqual([
      ['voided', 'not_approved'],
      ['voided', 'not_approved'],
    ]);
    expect(await ledgerOf(lab, at.workspace)).toMatchObject({ credits: { held: 0, spent: 0 } });
  });

  it('a pause, an old plan or a cancel stops before the next contact, and what was under way is kept', async () => {
    const paused = await atLanes(2);
    const item = itemOf(await tick(lab, paused, lane('a')));
    await inRun(lab, paused, (run) => pauseRun(run, person(paused.workspace)));
    expect(await tick(lab, paused, lane('a'), gotIt(item))).toEqual({ stop: 'paused' });
    expect((await progressOf(lab, paused)).contacts.captured).toBe(1);
    const old = await atLanes(2);
    expect(await tick(lab, old, lane('a'), null, 0)).toEqual({ stop: 'replanned' });
    const canceled = await atLanes(2);
    const last = itemOf(await tick(lab, canceled, lane('a')));
    await inRun(lab, canceled, (run) => cancelRun(run, person(canceled.workspace)));
    expect(await tick(lab, canceled, lane('a'), gotIt(last))).toEqual({ stop: 'canceled' });
    expect((await effects(canceled)).map((e) => e.state)).toEqual(['captured']);
  });
});

describe('a reveal lane that dies', () => {
  it('after the call may have gone out leaves its contact unconfirmed to any other lane, never to be called again', async () => {
    const at = await atLanes(1);
    const item = itemOf(await tick(lab, at, lane('dead')));
    expect(await tick(lab, at, lane('other'))).toEqual({ stop: 'empty' });
    expect((await effects(at))[0]?.state).toBe('sent');
    await dies(at);
    expect(await tick(lab, at, lane('other'))).toEqual({ stop: 'empty' });
    expect(await effects(at)).toMatchObject([{ id: item.effect_id, state: 'unconfirmed' }]);
    expect(await progressOf(lab, at)).toMatchObject({ contacts: { unconfirmed: 1 }, budget: { credits: { held: 1 } } });
    expect(await tick(lab, at, lane('dead', 2))).toEqual({ stop: 'empty' });
    expect(await effects(at)).toHaveLength(1);
  });

  it('does the same to itself in its next attempt, at once', async () => {
    const at = await atLanes(2);
    const item = itemOf(await tick(lab, at, lane('a', 1)));
    const next = itemOf(await tick(lab, at, lane('a', 2)));
    expect(next.contact_id).not.toBe(item.contact_id);
    expect((await effects(at)).find((e) => e.id === item.effect_id)?.state).toBe('unconfirmed');
  });

  it('is not dead while it beats, however long the call takes', async () => {
    const at = await atLanes(1);
    itemOf(await tick(lab, at, lane('slow')));
    await dies(at);
    await beat(lab.pool, [{ ...lane('slow'), run: at.run, step: 's4' }]);
    await tick(lab, at, lane('other'));
    expect((await effects(at))[0]?.state).toBe('sent');
  });

  it('whose reply comes after all is believed, once', async () => {
    const at = await atLanes(1);
    const item = itemOf(await tick(lab, at, lane('late', 1)));
    await tick(lab, at, lane('late', 2));
    await tick(lab, at, lane('late', 1), gotIt(item));
    await tick(lab, at, lane('late', 1), gotIt(item));
    expect(await effects(at)).toMatchObject([{ state: 'captured' }]);
    expect(await progressOf(lab, at)).toMatchObject({
      contacts: { captured: 1, unconfirmed: 0 },
      budget: { credits: { held: 0, spent: 1 } },
    });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('whose refusal comes after all is not believed: the provider is read instead', async () => {
    const at = await atLanes(1);
    const item = itemOf(await tick(lab, at, lane('late', 1)));
    await tick(lab, at, lane('late', 2));
    await tick(lab, at, lane('late', 1), {
      contact_id: item.contact_id,
      effect_id: item.effect_id ?? '',
      got: 'refused',
      reason: { code: 'reveal_failed', params: {} },
      again: 'never',
      waitMs: 0,
    });
    expect(await effects(at)).toMatchObject([{ state: 'unconfirmed' }]);
    expect((await ledgerOf(lab, at.workspace)).credits.held).toBe(1);
  });

  it('while it only read a contact that is ours already gives it to another lane after its lease', async () => {
    const at = await atLanes(1, { price: () => ({ credits: 0, already_acquired: true }) });
    const item = itemOf(await tick(lab, at, lane('dead')));
    expect(item.effect_id).toBeNull();
    expect(await tick(lab, at, lane('other'))).toEqual({ stop: 'empty' });
    await dies(at);
    expect(itemOf(await tick(lab, at, lane('other'))).contact_id).toBe(item.contact_id);
  });
});

describe('contacts that are ours already', () => {
  const ours = { price: () => ({ credits: 0, already_acquired: true }) };
  it('are read, not revealed: no effect, no hold, no credit', async () => {
    const at = await atLanes(2, ours);
    await revealAll(lab, at);
    expect(await effects(at)).toEqual([]);
    expect(await ledgerOf(lab, at.workspace)).toMatchObject({ credits: { held: 0, spent: 0, available: 20 } });
    expect(await progressOf(lab, at)).toMatchObject({ contacts: { captured: 2 }, budget: { credits: { spent: 0 } } });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('are counted once, also when an old attempt brings the same answer late', async () => {
    const at = await atLanes(1, ours);
    const item = itemOf(await tick(lab, at, lane('a', 1)));
    itemOf(await tick(lab, at, lane('a', 2)));
    await tick(lab, at, lane('a', 2), gotIt(item));
    await tick(lab, at, lane('a', 1), gotIt(item));
    expect((await progressOf(lab, at)).contacts.captured).toBe(1);
    await tick(lab, at, lane('a', 1), {
      contact_id: item.contact_id,
      effect_id: null,
      got: 'not_yours',
      reason: { code: 'not_available', params: {} },
    });
    expect((await contacts(at))[0]?.state).toBe('captured');
  });
});

describe('two campaigns with the same person', () => {
  const pair = async (): Promise<[OpenRun, OpenRun]> => {
    const workspace = await newWorkspace(lab, { credits: 20 });
    const runs: OpenRun[] = [];
    for (let i = 0; i < 2; i += 1) {
      const at = await runAtReveal(lab, workspace, { cuentas: 1 });
      await approve(lab, at, 's4');
      runs.push(at);
    }
    return [runs[0]!, runs[1]!];
  };

  it('never have two live effects for them, also when they ask at the same moment', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [one, two] = await pair();
      const turns = await Promise.all([tick(lab, one, lane('x')), tick(lab, two, lane('y'))]);
      expect(turns.filter((t) => 'item' in t)).toHaveLength(1);
      expect(
        await sql(
          lab,
          `select count(*)::int as n from effects where workspace_id = $1 and state in ('claimed', 'sent', 'captured', 'unconfirmed')`,
          [one.workspace],
        ),
      ).toEqual([{ n: 1 }]);
      expect(await violations(lab, one.workspace)).toEqual([]);
    }
  });

  it("pay once: the second has the first one's data and its credit back", async () => {
    const [one, two] = await pair();
    await revealAll(lab, one);
    await revealAll(lab, two);
    expect(await ledgerOf(lab, one.workspace)).toMatchObject({ credits: { held: 0, spent: 1, available: 19 } });
    expect(await sql(lab, `select state, already_yours, email from contacts where run_id = $1`, [two.run])).toEqual([
      { state: 'captured', already_yours: true, email: 'p-c1@correo.example' },
    ]);
    expect(await progressOf(lab, two)).toMatchObject({ contacts: { captured: 1 }, budget: { credits: { held: 0, spent: 0 } } });
    expect(await violations(lab, one.workspace)).toEqual([]);
  });

  it("share what is under way: the second waits for the first one's answer and has its data", async () => {
    const [one, two] = await pair();
    const item = itemOf(await tick(lab, one, lane('x')));
    expect(await tick(lab, two, lane('y'))).toHaveProperty('waitMs');
    await tick(lab, one, lane('x'), gotIt(item));
    expect(await tick(lab, two, lane('y'))).toEqual({ stop: 'empty' });
    expect(await contacts(two)).toMatchObject([{ state: 'captured' }]);
    expect(await ledgerOf(lab, one.workspace)).toMatchObject({ credits: { held: 0, spent: 1 } });
    expect(await violations(lab, one.workspace)).toEqual([]);
  });

  it("wait for nobody: while the first one's outcome is unknown the second lets its contact go and says why", async () => {
    const [one, two] = await pair();
    const item = itemOf(await tick(lab, one, lane('x')));
    await tick(lab, one, lane('x'), nobodyKnows(item));
    await revealAll(lab, two);
    expect(await contacts(two)).toMatchObject([{ state: 'voided', why: 'in_other_campaign' }]);
    expect(await ledgerOf(lab, one.workspace)).toMatchObject({ credits: { held: 1, spent: 0 } });
  });
});

describe('an e-mail on the suppression list', () => {
  it('that only the reveal shows is paid, never drafted, and said so', async () => {
    for (const entry of [
      { kind: 'email' as const, value: 'P-C1@correo.example' },
      { kind: 'domain' as const, value: 'correo.example' },
    ]) {
      const at = await atLanes(1);
      await listed(at, entry);
      await revealAll(lab, at);
      expect(await contacts(at)).toMatchObject([{ state: 'suppressed', why: 'email_suppressed' }]);
      expect(await ledgerOf(lab, at.workspace)).toMatchObject({ credits: { spent: 1, held: 0 } });
      await advance(lab, at, 's4');
      await lab.books.beginStep({ workspace: at.workspace, run: at.run, step: 's5', wake: false });
      expect(await advance(lab, at, 's5')).toEqual({ do: 'end', status: 'skipped' });
      const end = await finish(lab, at);
      expect(end).toMatchObject({ contacts: { captured: 1, drafted: 0 } });
      expect(await violations(lab, at.workspace)).toEqual([]);
    }
  });
});

describe('one person at two accounts', () => {
  it('is one contact: offered, paid and drafted once', async () => {
    const at = await runAtReveal(lab, await newWorkspace(lab), {
      cuentas: 3,
      people: (item) => chosen(item, { person_id: item.position < 3 ? 'p-same' : 'p-other' }),
    });
    expect(at.card.items.map((i) => i.ref)).toEqual(['p-same', 'p-other']);
    await approve(lab, at, 's4');
    await revealAll(lab, at);
    await advance(lab, at, 's4');
    await draftAll(lab, at);
    expect(await finish(lab, at)).toMatchObject({ contacts: { captured: 2, drafted: 2 }, budget: { credits: { spent: 2 } } });
    expect(await contacts(at)).toMatchObject([{ state: 'drafted' }, { state: 'voided', why: 'same_person' }, { state: 'drafted' }]);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });
});

describe('somebody who comes onto the suppression list before their card', () => {
  it('is not on it, by person or by company', async () => {
    const at = await runAtReveal(lab, await newWorkspace(lab), { cuentas: 4 });
    await resolve(lab, at, at.card.id, tapOf(at.card, 'decline', { then: 'wait' }));
    await listed(at, { kind: 'person', value: 'p-c1' });
    await listed(at, { kind: 'domain', value: 'empresa2.mx' });
    await inRun(lab, at, (run) => resumeRun(run, person(at.workspace)));
    for (let i = 0; i < 2; i += 1) {
      expect(await advance(lab, at, 's4')).toMatchObject({ do: 'work', phase: 'quote' });
      await quote(lab, at);
    }
    await advance(lab, at, 's4');
    const card = await openDecision(lab, at, 's4');
    expect([card.items.map((i) => i.ref), card.payload.suppressed]).toEqual([['p-c3', 'p-c4'], 2]);
    expect(await violations(lab, at.workspace)).toEqual([]);
  });
});

describe('a provider that reveals for nothing', () => {
  it('is asked as any other, under a tap and a hold of nothing', async () => {
    const at = await runAtReveal(lab, await newWorkspace(lab, { credits: 0 }), {
      cuentas: 2,
      price: 0,
      prices: { credit_min: 0, credit_max: 0 },
    });
    await approve(lab, at, 's4');
    await revealAll(lab, at, (item) => gotIt(item, { credits: 0 }));
    expect(await contacts(at)).toMatchObject([{ state: 'captured' }, { state: 'captured' }]);
    expect(await ledgerOf(lab, at.workspace)).toMatchObject({ credits: { available: 0, held: 0, spent: 0 } });
    expect(await violations(lab, at.workspace)).toEqual([]);
  });
});
