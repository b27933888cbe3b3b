import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';

/** A card that appears, or changes, under a moving pointer cannot be tapped for this long, ms. */
const GUARD_MS = 500;

/** True once what is shown has stood still long enough to have been read. @param shown what the buttons promise: another value starts anew */
export const useGuard = (shown: string): (() => boolean) => {
  const armedAt = useRef(Infinity);
  useLayoutEffect(() => {
    armedAt.current = performance.now() + GUARD_MS;
  }, [shown]);
  // What came while nobody looked has not been read by whoever comes back, and the click that brings the window forward is not a tap.
  useEffect(() => {
    const seen = (): void => {
      if (document.visibilityState === 'visible') armedAt.current = performance.now() + GUARD_MS;
    };
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, []);
  return useCallback(() => performance.now() >= armedAt.current, []);
};
