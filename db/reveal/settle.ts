import type { Reason } from '../../contracts/progress.js';
import type { RevealedContact } from '../../contracts/tools/people.js';
import type { z } from 'zod';
import { LEASE_MS, pauseProvider, type Lane } from '../lanes.js';
import { capture, sums, voidHolds } from '../ledger.js';
import { blockRun } from '../people.js';
import { emailIdentities, suppressedAmong } from '../suppressions.js';
import type { LockedRun } from '../events.js';
import type { Tx } from '../client.js';
import { countCaptured, letGo, s4Cost } from './count.js';

/** What became of a reveal, written once: it happened (its hold is captured), it did not (the hold goes back), or nobody knows. */

type Revealed = z.infer<typeof RevealedContact>;
/** What became of one reveal. `unknown` is the honest answer when nobody knows; it is never sent again. */
export type RevealOutcome =
  | { contact_id: string; effect_id: string; got: 'revealed'; contact: Revealed }
  | {
      contact_id: string;
      effect_id: string;
      got: 'refused';
      reason: Reason;
      again: 'requote' | 'balance' | 'later' | 'blocked' | 'never';
      waitMs: number;
    }
  | { contact_id: string; effect_id: string; got: 'unknown'; code: string }
  | { contact_id: string; effect_id: null; got: 'yours'; contact: Revealed }
  | { contact_id: string; effect_id: null; got: 'not_yours'; reason: Reason };

/** Contacts whose lane died after the call may have gone out: nobody knows, so nobody calls. */
export const giveUpOnDeadLanes = async (run: LockedRun, lane: Lane): Promise<void> => {
  const dead = await run.tx.q<{ id: string; contact_id: string }>(
    `update effects e set state = 'unconfirmed', next_read_at = now(), updated_at = now()
     where e.run_id = $1 and e.kind = 'people_reveal' and e.state = 'sent' and (
       (e.lane_id = $2 and e.lane_attempt < $3)
       or (e.lane_id <> $2 and not exists (select 1 from lanes l where l.id = e.lane_id and l.beat_at > now() - make_interval(secs => $4::double precision / 1000))
           and e.sent_at < now() - make_interval(secs => $4::double precision / 1000)))
     returning e.id, e.contact_id`,
    [run.id, lane.id, lane.attempt, LEASE_MS],
  );
  await markUnconfirmed(
    run,
    dead.map((d) => d.contact_id),
  );
  // Contacts that were only being read (already yours) are free to be taken again.
  await run.tx.q(
    `update contacts c set lane_id = null where c.run_id = $1 and c.state = 'held' and (
       (c.lane_id = $2 and c.lane_attempt < $3)
       or (c.lane_id <> $2 and not exists (select 1 from lanes l where l.id = c.lane_id and l.beat_at > now() - make_interval(secs => $4::double precision / 1000))
           and c.updated_at < now() - make_interval(secs => $4::double precision / 1000)))`,
    [run.id, lane.id, lane.attempt, LEASE_MS],
  );
};

/** Nobody knows whether these were revealed: they keep their holds until a reading says so. */
export const markUnconfirmed = async (run: LockedRun, contactIds: string[]): Promise<void> => {
  if (contactIds.length === 0) return;
  await run.tx.q(
    `update contacts set state = 'unconfirmed', reason = '{"code":"unconfirmed","params":{}}', lane_id = null, updated_at = now() where id = any($1)`,
    [contactIds],
  );
  run.emit(
    'contact.unconfirmed',
    { n: contactIds.length },
    { contacts: { ...run.body.contacts, unconfirmed: run.body.contacts.unconfirmed + contactIds.length } },
  );
};

interface EffectRow {
  id: string;
  state: string;
  hold_id: string | null;
  contact_id: string;
  key: string;
  sent_at: string;
}

/** Writes what a lane brings back. A repeat changes nothing. */
export const settleOutcome = async (run: LockedRun, lane: Lane, outcome: RevealOutcome, suppressionKey: string): Promise<void> => {
  // No effect row stands behind a contact that is only read: its lease does, and an attempt that lost it changes nothing.
  if (outcome.effect_id === null) {
    const [mine] = await run.tx.q(
      `select 1 as x from contacts where id = $1 and run_id = $2 and state = 'held' and lane_id = $3 and lane_attempt = $4`,
      [outcome.contact_id, run.id, lane.id, lane.attempt],
    );
    if (!mine) return;
  }
  if (outcome.got === 'yours') {
    await storeContact(run.tx, outcome.contact_id, outcome.contact, true);
    return countCaptured(run, 1, { held: 0, spent: 0 }, 'contact.yours');
  }
  if (outcome.got === 'not_yours') return letGo(run, { id: outcome.contact_id, hold_id: null }, 'voided', outcome.reason);
  if (outcome.got === 'revealed') return confirmEffect(run, outcome.effect_id, outcome.contact, 'reply', suppressionKey);
  const [effect] = await run.tx.q<EffectRow>(
    `select id, state, hold_id, contact_id, key, sent_at from effects where id = $1 and run_id = $2 for update`,
    [outcome.effect_id, run.id],
  );
  if (!effect || effect.state !== 'sent') return;
  if (outcome.got === 'unknown') {
    await run.tx.q(`update effects set state = 'unconfirmed', next_read_at = now(), updated_at = now() where id = $1`, [effect.id]);
    return markUnconfirmed(run, [effect.contact_id]);
  }
  if (outcome.again === 'later' || outcome.again === 'blocked') {
    // Not now, but nothing happened: it keeps its hold and its place in the approved lot, and its next call gets a new key.
    await run.tx.q(`update effects set state = 'voided', settled_by = $2, updated_at = now() where id = $1`, [
      effect.id,
      `refused:${outcome.reason.code}`,
    ]);
    await run.tx.q(`update contacts set state = 'held', generation = generation + 1, lane_id = null, updated_at = now() where id = $1`, [
      effect.contact_id,
    ]);
    if (outcome.again === 'later') {
      await pauseProvider(run.tx, run.workspace, run.row.prices?.provider ?? 'mcp', outcome.waitMs);
      run.emit('provider.waiting', { ms: outcome.waitMs }, { reason: outcome.reason });
    } else await blockRun(run, 's4', outcome.reason);
    return;
  }
  // The provider said no: nothing was charged, so the hold goes back.
  await voidEffect(
    run,
    effect.id,
    `refused:${outcome.reason.code}`,
    outcome.again === 'never' ? { state: 'voided', reason: outcome.reason } : { state: 'quoted', reason: null },
  );
  if (outcome.again !== 'never')
    await run.tx.q(`update run_steps set memory = memory || '{"requote":true}' where run_id = $1 and step = 's4'`, [run.id]);
};

const storeContact = async (tx: Tx, id: string, contact: Revealed, yours: boolean): Promise<void> => {
  await tx.q(
    `update contacts set state = 'captured', name = $2, email = $3, phone = $4, title = coalesce($5, title), charge_id = $6, acquired_at = $7, already_yours = $8, reason = null, lane_id = null, updated_at = now() where id = $1`,
    [id, contact.name, contact.email, contact.phone, contact.title, contact.charge_id, contact.acquired_at, yours],
  );
};

/** The reveal happened: captures its hold and stores the contact, from the reply itself or from a later reading. Once. */
export const confirmEffect = async (
  run: LockedRun,
  effectId: string,
  contact: Revealed,
  by: string,
  suppressionKey: string,
): Promise<void> => {
  const [effect] = await run.tx.q<EffectRow>(
    `select id, state, hold_id, contact_id, key, sent_at from effects where id = $1 and run_id = $2 for update`,
    [effectId, run.id],
  );
  if (!effect || (effect.state !== 'sent' && effect.state !== 'unconfirmed')) return;
  await run.tx.q(
    `update effects set state = 'captured', charge_id = $2, settled_by = $3, next_read_at = null, needs_operator = false, updated_at = now() where id = $1`,
    [effect.id, contact.charge_id, by],
  );
  const settled = effect.hold_id
    ? await captureUpTo(run.tx, effect.hold_id, contact.credits, contact.charge_id)
    : { amount: 0, captured: 0 };
  await storeContact(run.tx, effect.contact_id, contact, false);
  countCaptured(run, 1, { held: -settled.amount, spent: settled.captured }, 'contact.captured', effect.state === 'unconfirmed' ? -1 : 0);
  const [listed] = await suppressedAmong(run.tx, run.workspace, suppressionKey, [emailIdentities(contact.email)]);
  // Paid, never drafted, said in the receipt.
  if (listed)
    await run.tx.q(`update contacts set state = 'suppressed', reason = '{"code":"email_suppressed","params":{}}' where id = $1`, [
      effect.contact_id,
    ]);
};

/** A provider that charges more than was agreed is captured for what was agreed; the difference shows up as drift and is said there. */
const captureUpTo = async (tx: Tx, hold: string, credits: number, ref: string): Promise<{ amount: number; captured: number }> => {
  const [row] = await tx.q<{ amount: number }>(`select amount from holds where id = $1`, [hold]);
  return sums(await capture(tx, [{ id: hold, amount: Math.min(credits, row?.amount ?? 0), ref }])).credits;
};

/** The reveal did not happen: its hold goes back, and the contact ends or is offered anew under a new key. */
export const voidEffect = async (
  run: LockedRun,
  effectId: string,
  by: string,
  contact: { state: 'voided' | 'quoted'; reason: Reason | null },
): Promise<void> => {
  const [effect] = await run.tx.q<EffectRow>(
    `select id, state, hold_id, contact_id, key, sent_at from effects where id = $1 and run_id = $2 for update`,
    [effectId, run.id],
  );
  if (!effect || (effect.state !== 'sent' && effect.state !== 'unconfirmed')) return;
  await run.tx.q(
    `update effects set state = 'voided', settled_by = $2, next_read_at = null, needs_operator = false, updated_at = now() where id = $1`,
    [effect.id, by],
  );
  const freed = effect.hold_id ? sums(await voidHolds(run.tx, [effect.hold_id], by)).credits.amount : 0;
  await run.tx.q(
    `update contacts set state = $2, reason = $3, hold_id = null, decision_id = null, generation = generation + 1, lane_id = null, updated_at = now() where id = $1`,
    [effect.contact_id, contact.state, contact.reason ? JSON.stringify(contact.reason) : null],
  );
  run.emit(
    'contact.not_revealed',
    { by },
    {
      ...run.budget({ credits: [-freed, 0] }),
      pasos: s4Cost(run, -freed, 0),
      contacts: { ...run.body.contacts, unconfirmed: run.body.contacts.unconfirmed - (effect.state === 'unconfirmed' ? 1 : 0) },
    },
  );
};
