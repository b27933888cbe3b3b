import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** This near to its end the page counts as being there. */
const NEAR_PX = 140;
/** Cards that come after an answer take a moment to have their height. */
const SETTLE_MS = 3_000;
/** A page that got shorter scrolls by itself; for this long that is nobody's doing, ms. */
const SHRINK_MS = 300;
/** Left above what was said last. */
const MARGIN_PX = 12;

const gap = (): number => document.documentElement.scrollHeight - window.innerHeight - window.scrollY;
/** To the end, but not past the beginning of what was said last: a long answer is read from its beginning. */
const toEnd = (inside: HTMLElement | null): void => {
  const last = inside?.querySelector('[role=log]')?.lastElementChild;
  if (!last) return;
  const top = Math.min(
    document.documentElement.scrollHeight - window.innerHeight,
    last.getBoundingClientRect().top + window.scrollY - MARGIN_PX,
  );
  if (top > window.scrollY) window.scrollTo({ top, behavior: 'instant' });
};

/**
 * Keeps the page at its end while Ada answers, unless the person has gone up to read. What comes by itself (a line about a campaign) moves nothing:
 * somebody may be about to tap.
 * @param inside what grows
 * @param busy a turn runs
 * @param mark changes when something new stands at the end
 * @returns whether something new stands out of sight, and how to get there
 */
export const useBottom = (inside: RefObject<HTMLElement | null>, busy: boolean, mark: string): { unseen: boolean; go: () => void } => {
  const [unseen, setUnseen] = useState(false);
  const followed = useRef(true);
  const until = useRef(0);
  const resized = useRef(0);
  const go = useCallback(() => {
    followed.current = true;
    until.current = Math.max(until.current, performance.now() + SETTLE_MS);
    setUnseen(false);
    requestAnimationFrame(() => toEnd(inside.current));
  }, [inside]);

  useEffect(() => {
    until.current = busy ? Number.POSITIVE_INFINITY : performance.now() + SETTLE_MS;
  }, [busy]);
  useEffect(() => {
    let y = window.scrollY;
    const look = (): void => {
      if (gap() < NEAR_PX) {
        followed.current = true;
        setUnseen(false);
      } else if (window.scrollY < y - 4 && performance.now() > resized.current + SHRINK_MS) followed.current = false;
      y = window.scrollY;
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  useEffect(() => {
    if (!inside.current) return undefined;
    const grown = new ResizeObserver(() => {
      resized.current = performance.now();
      if (followed.current && performance.now() < until.current) toEnd(inside.current);
    });
    grown.observe(inside.current);
    return () => grown.disconnect();
  }, [inside]);
  const before = useRef(mark);
  useEffect(() => {
    if (before.current === mark) return;
    before.current = mark;
    // What was followed is in sight from its beginning.
    if (gap() >= NEAR_PX && !(followed.current && performance.now() < until.current)) setUnseen(true);
  }, [mark]);
  return { unseen, go };
};
