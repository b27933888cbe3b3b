import { useSyncExternalStore } from 'react';
import { clock, serverNow } from './http.js';

const listeners = new Set<() => void>();
let now = serverNow();
let timer: ReturnType<typeof setInterval> | undefined;

const tick = (): void => {
  now = serverNow();
  for (const one of listeners) one();
};
clock.learnt = tick;

const subscribe = (changed: () => void): (() => void) => {
  listeners.add(changed);
  // Nobody kept it going meanwhile.
  if (timer === undefined) now = serverNow();
  timer ??= setInterval(tick, 1_000);
  return () => {
    listeners.delete(changed);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** The moment it is at the server, ms, once a second: ages and expiries hold also where this device's clock is wrong. */
export const useServerNow = (): number =>
  useSyncExternalStore(
    subscribe,
    () => now,
    () => now,
  );
