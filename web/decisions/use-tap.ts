import { useCallback, useEffect, useRef, useState } from 'react';
import type { Decision, ResolveDecision } from '../../contracts/decision.js';
import { resolveDecision } from '../data/api.js';
import { isTransient, newKey } from '../data/http.js';
import { forgetTap, pendingTap, rememberTap } from './tap-store.js';

/**
 * `idle`: nobody tapped. `sending`: on its way. `unknown`: no answer came; the same tap is sent again until one does.
 * `refused`: nothing happened, and why.
 */
export type TapState = { is: 'idle' } | { is: 'sending' } | { is: 'unknown' } | { is: 'refused'; error: unknown };

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 10_000;

export interface Tap { state: TapState; send(body: ResolveDecision): void }

/**
 * One tap on one decision, exactly once whatever becomes of the connection or the page: its key is written down before it is sent and
 * the same key is sent until an answer comes. A second tap while one is under way does nothing.
 */
export const useTap = (decision: string, told: { done: (decision: Decision) => void; refused: (error: unknown) => void }): Tap => {
  const [state, setState] = useState<TapState>({ is: 'idle' });
  const busy = useRef(false);
  const hear = useRef(told);
  hear.current = told;
  const alive = useRef(true);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const deliver = useCallback(async (body: ResolveDecision, key: string, failures: number): Promise<void> => {
    try {
      const decided = await resolveDecision(decision, body, key);
      forgetTap(decision);
      busy.current = false;
      if (!alive.current) return;
      setState({ is: 'idle' });
      hear.current.done(decided);
    } catch (error) {
      if (isTransient(error)) {
        if (!alive.current) return;
        setState({ is: 'unknown' });
        timer.current = setTimeout(() => void deliver(body, key, failures + 1), Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures));
        return;
      }
      forgetTap(decision);
      busy.current = false;
      if (!alive.current) return;
      setState({ is: 'refused', error });
      hear.current.refused(error);
    }
  }, [decision]);

  useEffect(() => {
    alive.current = true;
    const left = pendingTap(decision);
    if (left && !busy.current) {
      busy.current = true;
      setState({ is: 'unknown' });
      void deliver(left.body, left.key, 0);
    }
    return () => {
      alive.current = false;
      busy.current = false;
      clearTimeout(timer.current);
    };
  }, [decision, deliver]);

  const send = useCallback((body: ResolveDecision) => {
    // A ref, not the state: two events of one double click come before anything is drawn.
    if (busy.current) return;
    busy.current = true;
    const key = newKey();
    rememberTap(decision, { key, body, at: Date.now() });
    setState({ is: 'sending' });
    void deliver(body, key, 0);
  }, [decision, deliver]);

  return { state, send };
};
