import { afterEach, describe, expect, it } from 'vitest';
import type { RevealedContact } from '../../contracts/tools/people.js';
import { withRun } from '../../db/events.js';
import { settleByOperator } from '../../db/readback.js';
import { lostReply } from './provider.js';
import { refusal, World, type TestRun, type WorldOptions } from './world.js';

const HOUR_MS = 3_600_000;
/** A card waits 72 h; the clock is moved a little past it. */
const WINDOW_MS = 72 * HOUR_MS + 60_000;

/** What a run holds of anything right now. */
const held = (world: World, run: TestRun, kind: string): Promise<number> =>
  world.value<number>(`select coalesce(sum(amount), 0)::int from holds where run_id = $1 and kind = $2 and state = 'live'`, [run.id, kind]);

describe('windows of a card, on a server whose clock can be moved', () => {
  let world: World;
  const start = async (options: WorldOptions = {}): Promise<void> => {
    world = await World.start({ server: 'skipping', ...options });
  };
  afterEach(async () => {
    try {
      expect(await world.broken()).toEqual([]);
    } finally {
      await world.stop();
    }
  });

  it('a start card that nobody taps for 72 h pauses the run with nothing held; reopened it is a new row at the price of the day', async () => {
    await start();
    const run = await world.run({ cuentas: 4, hasta: 'contactos' });
    const first = await run.card('ajustar_presupuesto');
    await world.skip(WINDOW_MS);
    const paused = await run.until('paused');
    expect(paused.reason?.code).toBe('decision_expired');
    expect((await run.decision(first.id)).state).toBe('expired');
    expect((await held(world, run, 'queries')) + (await held(world, run, 'credits'))).toBe(0);
    expect((await refusal(run.tap(first, 'all'))).status).toBe(410);

    world.provider.price = 3;
    const second = await run.reopen(first.id);
    expect(second.id).not.toBe(first.id);
    expect(second.options.find((o) => o.id === 'all')?.totals.credits).toBe(12);
    expect(await run.decision(first.id)).toMatchObject({ state: 'expired', reopened_as: second.id });
    await run.tap(second, 'all');
    const end = await run.approve('guardar_en_crm', 'revelar_contactos');
    expect(end).toMatchObject({ state: 'completed', budget: { credits: { spent: 12, held: 0 } } });
  });

  it('a save card that nobody taps for 72 h pauses the run; reopened and tapped it goes on, and saves once', async () => {
    await start();
    const run = await world.automatic({ modo: 'manual', cuentas: 4, hasta: 'personas' });
    const first = await run.card('guardar_en_crm');
    await world.skip(WINDOW_MS);
    const paused = await run.until('paused');
    expect(run.paso(paused, 's2').status).toBe('paused');
    expect(world.provider.count('crm_save_companies')).toBe(0);
    const second = await run.reopen(first.id);
    expect((await run.decision(first.id)).state).toBe('expired');
    await run.tap(second, 'approve');
    expect(await run.ended()).toMatchObject({ state: 'completed', counts: { done: 4 } });
    expect(world.provider.count('crm_save_companies')).toBe(1);
  });

  it('a reveal card that nobody taps for 72 h pauses the run with no credit held; reopened it shows the price of the day, and a tap reveals', async () => {
    await start();
    const run = await world.automatic({ modo: 'manual', cuentas: 4, hasta: 'contactos' });
    await run.tap(await run.card('guardar_en_crm'), 'approve');
    const first = await run.card('revelar_contactos');
    expect(first.options.find((o) => o.id === 'all')?.totals.credits).toBe(4);
    await world.skip(WINDOW_MS);
    expect((await run.until('paused')).reason?.code).toBe('decision_expired');
    expect(await held(world, run, 'credits')).toBe(0);
    expect(world.provider.count('people_reveal')).toBe(0);
    const second = await run.reopen(first.id);
    expect(second.id).not.toBe(first.id);
    expect((await run.decision(first.id)).state).toBe('expired');
    expect(Date.parse(second.price.valid_until ?? '')).toBeGreaterThan(Date.now());
    await run.tap(second, 'all');
    expect(await run.ended()).toMatchObject({ state: 'completed', contacts: { captured: 4 } });
    expect(world.provider.count('people_reveal')).toBe(4);
  });

  it('a tap on a quote older than a day is refused, priced anew and shown again', async () => {
    await start();
    const run = await world.automatic({ modo: 'manual', cuentas: 3, hasta: 'contactos' });
    await run.tap(await run.card('guardar_en_crm'), 'approve');
    const card = await run.card('revelar_contactos');
    await world.skip(25 * HOUR_MS);
    const quotes = world.provider.count('people_quote');
    const refused = await refusal(run.tap(card, 'all'));
    expect([refused.status, refused.code]).toEqual([409, 'quote_expired']);
    expect(world.provider.count('people_reveal')).toBe(0);
    const fresh = await run.card('revelar_contactos', card.id);
    expect(world.provider.count('people_quote')).toBeGreaterThan(quotes + 1);
    expect(Date.parse(fresh.price.valid_until ?? '')).toBeGreaterThan(Date.now() + 23 * HOUR_MS);
    await run.tap(fresh, 'all');
    expect(await run.ended()).toMatchObject({ state: 'completed', contacts: { captured: 3 } });
  });

  it('a reveal that three readings over a quarter of an hour do not find gives its hold back and is offered again under a new key, then revealed once', async () => {
    await start({ honoursKeys: false });
    const run = await world.automatic({ modo: 'manual', cuentas: 3, hasta: 'contactos' });
    await run.tap(await run.card('guardar_en_crm'), 'approve');
    // The first call for one person never reaches the provider, and nobody here can know.
    let lost = '';
    world.provider.on('people_reveal', (args, _n, proceed) => {
      const person = String(args['person_id']);
      if (lost === '') {
        lost = person;
        return Promise.reject(lostReply('people_reveal'));
      }
      return proceed();
    });
    const card = await run.card('revelar_contactos');
    await run.tap(card, 'all');
    const waiting = await run.until((p) => p.state === 'waiting_external');
    expect(waiting).toMatchObject({ contacts: { captured: 2, unconfirmed: 1 }, budget: { credits: { held: 1, spent: 2 } } });
    await world.skip(16 * 60_000);
    const again = await run.card('revelar_contactos', card.id);
    expect(again.items.map((i) => i.ref)).toEqual([lost]);
    expect(await held(world, run, 'credits')).toBe(0);
    const reads = await world.value<Array<{ at: string; said: string }>>(
      `select reads from effects where run_id = $1 and subject = $2 and state = 'voided'`,
      [run.id, lost],
    );
    expect(reads.map((r) => r.said)).toEqual(['no', 'no', 'no']);
    expect(Date.parse(reads.at(-1)?.at ?? '') - Date.parse(reads[0]?.at ?? '')).toBeGreaterThanOrEqual(15 * 60_000);
    await run.tap(again, 'all');
    expect(await run.ended()).toMatchObject({
      state: 'completed',
      contacts: { captured: 3, unconfirmed: 0 },
      budget: { credits: { spent: 3, held: 0 } },
    });
    const keys = world.provider.revealKeys(lost);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(2);
    expect(world.provider.charges.filter((c) => c.target === lost)).toHaveLength(1);
  });

  it('a reading that errs to the end waits for an operator: the run ends partial with the item listed and its hold kept; settled later it is captured once', async () => {
    await start({ honoursKeys: false });
    const run = await world.automatic({ modo: 'manual', cuentas: 3, hasta: 'contactos' });
    await run.tap(await run.card('guardar_en_crm'), 'approve');
    let contact: RevealedContact | undefined;
    world.provider.on('people_reveal', async (_args, n, proceed) => {
      const reply = (await proceed()) as { contact: RevealedContact };
      if (n > 1) return reply;
      contact = reply.contact;
      throw lostReply('people_reveal');
    });
    world.provider.on('people_acquired', () => Promise.reject(lostReply('people_acquired')));
    await run.tap(await run.card('revelar_contactos'), 'all');
    await run.until('waiting_external');
    await world.skip(40 * 60_000);
    const end = await run.ended();
    expect(end).toMatchObject({
      state: 'completed_partial',
      contacts: { captured: 2, unconfirmed: 1 },
      budget: { credits: { spent: 2, held: 1 } },
    });
    expect(run.paso(end, 's4').status).toBe('unconfirmed');
    expect(await held(world, run, 'credits')).toBe(1);
    const [open] = await world.rows<{ id: string; state: string; needs_operator: boolean }>(
      `select id, state, needs_operator from effects where run_id = $1 and state <> 'captured' and kind = 'people_reveal'`,
      [run.id],
    );
    expect(open).toMatchObject({ state: 'unconfirmed', needs_operator: true });
    expect(await world.rows(`select state from contacts where run_id = $1 and state = 'unconfirmed'`, [run.id])).toHaveLength(1);

    const settle = (): Promise<void> =>
      withRun(world.pool, world.workspace, run.id, (locked) =>
        settleByOperator(locked, { ...world.caller, sub: 'olga' }, 'seen at the provider', open?.id ?? '', contact ?? null, 'tests'),
      );
    await settle();
    await settle();
    const settled = await run.progress();
    expect(settled).toMatchObject({
      state: 'completed_partial',
      contacts: { captured: 3, unconfirmed: 0 },
      budget: { credits: { spent: 3, held: 0 } },
    });
    expect(
      await world.value<number>(`select count(*)::int from transfers where run_id = $1 and account = 'credits' and kind = 'capture'`, [
        run.id,
      ]),
    ).toBe(3);
    expect(world.provider.count('people_reveal')).toBe(3);
    expect(world.provider.charges.filter((c) => c.tool === 'people_reveal')).toHaveLength(3);
  });

  it('a card whose window ends while the run is paused expires when the run is resumed, and can be reopened', async () => {
    await start();
    const run = await world.automatic({ modo: 'manual', cuentas: 3, hasta: 'personas' });
    const card = await run.card('guardar_en_crm');
    await run.control('pause');
    await run.until('paused');
    await world.skip(WINDOW_MS);
    expect((await run.decision(card.id)).state).toBe('open');
    await run.control('resume');
    await run.until((p) => p.state === 'paused' && p.reason?.code === 'decision_expired');
    const again = await run.reopen(card.id);
    await run.tap(again, 'approve');
    expect((await run.ended()).state).toBe('completed');
  });
});
