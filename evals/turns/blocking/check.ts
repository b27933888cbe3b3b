import type { Brief } from '../brief.js';
import type { Dump } from '../dump.js';
import type { Miss } from '../meters/meter.js';

/** One that must hold: a single miss makes the whole run red. */
export interface Checked {
  id: number;
  title: string;
  ok: boolean;
  looked: number;
  misses: Miss[];
}
export interface Blocking {
  id: number;
  title: string;
  check(dump: Dump, briefs: readonly Brief[]): Checked;
}
export const checked = (id: number, title: string, looked: number, misses: Miss[]): Checked => ({
  id,
  title,
  looked,
  misses,
  ok: misses.length === 0,
});
