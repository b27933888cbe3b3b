/** A stretch of time and where it is drawn. `quiet`: nothing happened for so long that it is drawn shorter than it was. */
export interface Stretch {
  from: number;
  to: number;
  x0: number;
  x1: number;
  quiet: boolean;
}
export interface TimeScale {
  stretches: Stretch[];
  /** Where a moment (ms since epoch) is, px. Outside the scale: its nearest end. */
  x(at: number): number;
}

/** Shorter than this, waiting is part of the curve. ms */
const QUIET_MS = 60_000;
/** What a quiet stretch takes of the width, px at most, and all of them together. */
const QUIET_PX = 56;
const QUIET_SHARE = 0.45;

/**
 * A time axis that shows when things happened: a campaign works for seconds and waits for hours, and drawn to scale all of its work would be
 * one line. A stretch without events that is longer than half of everything else becomes short, and is marked as such.
 * @param moments when something happened, ms since epoch, in any order
 */
export const timeScale = (moments: number[], width: number): TimeScale => {
  const at = [...new Set(moments)].sort((a, b) => a - b);
  const gaps = at.slice(1).map((to, i) => ({ from: at[i] ?? to, to, lasts: to - (at[i] ?? to) }));
  let active = gaps.reduce((sum, { lasts }) => sum + lasts, 0);
  const quiet = new Set<number>();
  for (const gap of [...gaps].sort((a, b) => b.lasts - a.lasts)) {
    if (gap.lasts < QUIET_MS || gap.lasts <= (active - gap.lasts) / 2) break;
    quiet.add(gap.from);
    active -= gap.lasts;
  }
  const each = quiet.size === 0 ? 0 : active === 0 ? width / quiet.size : Math.min(QUIET_PX, (width * QUIET_SHARE) / quiet.size);
  const perMs = active === 0 ? 0 : (width - each * quiet.size) / active;
  const stretches: Stretch[] = [];
  let x = 0;
  for (const { from, to, lasts } of gaps) {
    const isQuiet = quiet.has(from);
    const last = stretches.at(-1);
    const next = x + (isQuiet ? each : lasts * perMs);
    if (last && !last.quiet && !isQuiet) Object.assign(last, { to, x1: next });
    else stretches.push({ from, to, x0: x, x1: next, quiet: isQuiet });
    x = next;
  }
  return {
    stretches,
    x: (moment) => {
      const in_ = stretches.find((s) => moment <= s.to) ?? stretches.at(-1);
      if (!in_) return 0;
      const share = (moment - in_.from) / (in_.to - in_.from);
      return in_.x0 + Math.min(1, Math.max(0, share)) * (in_.x1 - in_.x0);
    },
  };
};
