import type { Reason } from '../../contracts/progress.js';
import { release } from '../ledger.js';
import { WAITS } from '../people.js';
import type { LockedRun } from '../events.js';

/** What a contact that was captured, or let go, changes in the run: its counts, its budget and the step's cost. */

/** A contact leaves the lot without a call: its hold goes back. */
export const letGo = async (
  run: LockedRun,
  contact: { id: string; hold_id: string | null },
  state: 'suppressed' | 'voided',
  reason: Reason,
): Promise<void> => {
  await run.tx.q(`update contacts set state = $2, reason = $3, lane_id = null, updated_at = now() where id = $1`, [
    contact.id,
    state,
    JSON.stringify(reason),
  ]);
  const freed = contact.hold_id ? (await release(run.tx, [contact.hold_id], reason.code)).credits : 0;
  run.emit('contact.let_go', { state, code: reason.code }, { ...run.budget({ credits: [-freed, 0] }), pasos: s4Cost(run, -freed, 0) });
};

/** The step's cost and count after a change of what it holds and has spent. */
export const s4Cost = (
  run: LockedRun,
  held: number,
  spent: number,
  done?: number,
): NonNullable<Parameters<LockedRun['emit']>[2]['pasos']> => {
  const s4 = run.paso('s4');
  return s4
    ? [
        {
          id: 's4',
          cost: { ...s4.cost, held: s4.cost.held + held, spent: s4.cost.spent + spent },
          ...(done === undefined || !s4.conteo ? {} : { conteo: { ...s4.conteo, done } }),
        },
      ]
    : [];
};

/** Contacts that came in, with what they cost or freed. */
export const countCaptured = (run: LockedRun, n: number, cost: { held: number; spent: number }, kind: string, unconfirmed = 0): void => {
  const contacts = {
    ...run.body.contacts,
    captured: run.body.contacts.captured + n,
    unconfirmed: run.body.contacts.unconfirmed + unconfirmed,
  };
  run.emit(
    kind,
    { n },
    {
      contacts,
      ...run.budget({ credits: [cost.held, cost.spent] }),
      pasos: s4Cost(run, cost.held, cost.spent, contacts.captured),
      ...(run.body.reason && WAITS.has(run.body.reason.code) ? { reason: null } : {}),
    },
  );
};
