import type { Decision } from '../../contracts/decision.js';
import { isTransient } from '../data/http.js';
import { ApiProblem, NoAnswer } from '../data/problem.js';
import { isMeant, type PendingTap } from './tap-store.js';

/**
 * What one sending of a tap came to.
 * `unknown`: nobody knows; the same is sent again. `refused`: it did nothing. `given_up`: it is too old to be sent again, and whether one of
 * the earlier sendings arrived is for the card to say. `logged_out`: nobody may send it now; `kept` for the same person's next login.
 */
export type Delivery =
  | { is: 'done'; decision: Decision }
  | { is: 'unknown' }
  | { is: 'refused'; error: unknown }
  | { is: 'given_up'; error: NoAnswer }
  | { is: 'logged_out'; error: ApiProblem; kept: boolean };

/**
 * Sends a tap once.
 * @param sentBefore whether an earlier sending may have arrived
 */
export const deliver = async (
  decision: string,
  tap: PendingTap,
  sentBefore: boolean,
  resolve: (id: string, body: PendingTap['body'], key: string) => Promise<Decision>,
): Promise<Delivery> => {
  // A lid that was closed over night must not spend in the morning.
  if (sentBefore && !isMeant(tap)) return { is: 'given_up', error: new NoAnswer() };
  try {
    const decided = (await resolve(decision, tap.body, tap.key)) as Decision | null;
    // A portal that answers everything with 200 has decided nothing.
    return decided?.id === decision && typeof decided.state === 'string' ? { is: 'done', decision: decided } : { is: 'unknown' };
  } catch (error) {
    if (isTransient(error)) return { is: 'unknown' };
    // The session's end says nothing about a sending before it; a first one it kept from being heard at all.
    if (error instanceof ApiProblem && error.status === 401) return { is: 'logged_out', error, kept: sentBefore };
    return { is: 'refused', error };
  }
};
