import { release } from '../ledger.js';
import type { LockedRun } from '../events.js';
import { countCaptured, letGo } from './count.js';

/** A person that another campaign of the workspace reveals or has revealed: never paid twice. */

/** How long another campaign's call is waited for before its person is let go here, and how often it is looked at, ms. */
export const ELSEWHERE_MS = 60_000;
export const ELSEWHERE_POLL_MS = 250;

/**
 * The same person is being or was revealed by another campaign of the workspace: never paid twice. A call under way is waited
 * for, since what it brings is this campaign's too; one that nobody knows the outcome of is not.
 */
export const elsewhere = async (
  run: LockedRun,
  contact: { id: string; person_id: string; hold_id: string | null },
  provider: string,
): Promise<'wait' | 'settled'> => {
  if (await copyOwn(run, contact)) return 'settled';
  const [theirs] = await run.tx.q<{ waits: boolean }>(
    `select state = 'sent' and sent_at > now() - make_interval(secs => $4::double precision / 1000) as waits from effects
     where workspace_id = $1 and provider = $2 and kind = 'people_reveal' and subject = $3 and state in ('claimed', 'sent', 'captured', 'unconfirmed')`,
    [run.workspace, provider, contact.person_id, ELSEWHERE_MS],
  );
  // Let go there in this very moment: it is free to be asked for here.
  if (!theirs || theirs.waits) return 'wait';
  await letGo(run, contact, 'voided', { code: 'in_other_campaign', params: {} });
  return 'settled';
};

/** What the workspace already paid for is copied from where it is; its hold, if it has one, goes back. @returns whether there was such a contact. */
export const copyOwn = async (run: LockedRun, contact: { id: string; person_id: string; hold_id: string | null }): Promise<boolean> => {
  const [theirs] = await run.tx.q<{ name: string; email: string; phone: string | null; charge_id: string | null; acquired_at: string }>(
    `select name, email, phone, charge_id, acquired_at from contacts where workspace_id = $1 and person_id = $2 and id <> $3 and ${OWNED} limit 1`,
    [run.workspace, contact.person_id, contact.id],
  );
  if (!theirs) return false;
  const freed = contact.hold_id ? (await release(run.tx, [contact.hold_id], 'already_yours')).credits : 0;
  await run.tx.q(
    `update contacts set state = 'captured', already_yours = true, price = 0, hold_id = null, name = $2, email = $3, phone = $4, charge_id = $5, acquired_at = $6, lane_id = null, reason = null, updated_at = now() where id = $1`,
    [contact.id, theirs.name, theirs.email, theirs.phone, theirs.charge_id, theirs.acquired_at],
  );
  countCaptured(run, 1, { held: -freed, spent: 0 }, 'contact.yours');
  return true;
};
/** Contacts whose data the workspace holds, by whichever of its campaigns. */
export const OWNED = `state in ('captured', 'drafted') and email is not null`;
