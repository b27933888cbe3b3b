import { useEffect, useRef, useState } from 'react';

/** A value that changes often, passed on at most every `ms`; the last one always arrives. */
export const useThrottled = <T>(value: T, ms: number): T => {
  const [shown, setShown] = useState(value);
  const last = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, last.current + ms - performance.now());
    const timer = setTimeout(() => {
      last.current = performance.now();
      setShown(value);
    }, wait);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return shown;
};
