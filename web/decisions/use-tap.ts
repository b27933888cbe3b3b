import { useCallback, useEffect, useRef, useState } from 'react';
import type { Decision, ResolveDecision } from '../../contracts/decision.js';
import { resolveDecision } from '../data/api.js';
import { newKey } from '../data/http.js';
import { useWho } from '../shell/session.js';
import { deliver } from './deliver.js';
import { forgetTap, pendingTap, rememberTap, type PendingTap } from './tap-store.js';

/**
 * `idle`: nobody tapped. `sending`: on its way. `unknown`: no answer came; the same tap is sent again until one does.
 * `refused`: nothing happened, and why.
 */
export type TapState = { is: 'idle' } | { is: 'sending' } | { is: 'unknown' } | { is: 'refused'; error: unknown };

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 10_000;

export interface Tap {
  state: TapState;
  send(body: ResolveDecision): void;
}

/**
 * One tap on one decision, exactly once whatever becomes of the connection or the page: its key is written down before it is sent and
 * the same key is sent until an answer comes, for as long as the tap can be meant. A second tap while one is under way does nothing.
 */
export const useTap = (decision: string, told: { done: (decision: Decision) => void; refused: (error: unknown) => void }): Tap => {
  const { workspace, sub } = useWho();
  const [state, setState] = useState<TapState>({ is: 'idle' });
  const busy = useRef(false);
  const hear = useRef(told);
  hear.current = told;
  /** The showing of this card that a sending belongs to: what comes later than that is not told to the next one. */
  const showing = useRef<object | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const carry = useCallback(
    async (tap: PendingTap, failures: number, sentBefore: boolean): Promise<void> => {
      const mine = showing.current;
      const who = { workspace, sub };
      const came = await deliver(decision, tap, sentBefore, resolveDecision);
      // Another tab may have tapped since; its tap is its own to forget.
      if (came.is !== 'unknown' && !(came.is === 'logged_out' && came.kept) && pendingTap(who, decision)?.key === tap.key)
        forgetTap(who, decision);
      if (showing.current !== mine) return;
      if (came.is === 'unknown') {
        setState({ is: 'unknown' });
        timer.current = setTimeout(() => void carry(tap, failures + 1, true), Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures));
        return;
      }
      busy.current = false;
      if (came.is === 'done') {
        setState({ is: 'idle' });
        hear.current.done(came.decision);
      } else {
        setState({ is: 'refused', error: came.error });
        hear.current.refused(came.error);
      }
    },
    [decision, workspace, sub],
  );

  useEffect(() => {
    showing.current = {};
    setState({ is: 'idle' });
    const left = pendingTap({ workspace, sub }, decision);
    if (left) {
      busy.current = true;
      setState({ is: 'unknown' });
      void carry(left, 0, true);
    }
    return () => {
      showing.current = null;
      busy.current = false;
      clearTimeout(timer.current);
    };
  }, [decision, workspace, sub, carry]);

  const send = useCallback(
    (body: ResolveDecision) => {
      // A ref, not the state: two events of one double click come before anything is drawn.
      if (busy.current) return;
      busy.current = true;
      const tap = { key: newKey(), body, at: Date.now() };
      rememberTap({ workspace, sub }, decision, tap);
      setState({ is: 'sending' });
      void carry(tap, 0, false);
    },
    [decision, workspace, sub, carry],
  );

  return { state, send };
};
