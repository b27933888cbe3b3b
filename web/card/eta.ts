import { useRef } from 'react';
import type { Progress } from '../../contracts/progress.js';
import { serverNow } from '../data/http.js';

/** Fewer than this many say nothing about the rest. */
const ENOUGH = 10;
const MINUTE_MS = 60_000;

interface Seen {
  run: string;
  done: number;
  at: number;
}

/** Minutes that the people step may still take, as a range; null while nobody can tell. From the pace seen since the card was opened. */
export const useEta = (p: Progress): { min: number; max: number } | null => {
  const first = useRef<Seen | null>(null);
  const { total, running, pending } = p.counts;
  const handled = total - running - pending;
  const at = serverNow();
  if (first.current?.run !== p.run_id || p.state !== 'running')
    first.current = p.state === 'running' ? { run: p.run_id, done: handled, at } : null;
  const since = first.current;
  if (!since || handled - since.done < ENOUGH) return null;
  const left = total - handled;
  if (left <= 0) return null;
  const expected = ((at - since.at) / (handled - since.done)) * left;
  const min = Math.max(1, Math.floor((expected * 0.7) / MINUTE_MS));
  return { min, max: Math.max(min + 1, Math.ceil((expected * 1.6) / MINUTE_MS)) };
};
