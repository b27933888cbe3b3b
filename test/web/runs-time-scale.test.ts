import { describe, expect, it } from 'vitest';
import { timeScale } from '../../web/runs/time-scale.js';

const SECOND = 1_000;
const HOUR = 3_600_000;

describe('the time axis of a plot', () => {
  it('draws a campaign that never waited to scale', () => {
    const scale = timeScale([0, 10 * SECOND, 20 * SECOND, 40 * SECOND], 400);
    expect(scale.stretches).toEqual([{ from: 0, to: 40 * SECOND, x0: 0, x1: 400, quiet: false }]);
    expect(scale.x(10 * SECOND)).toBe(100);
  });

  it('shortens a wait of hours between seconds of work, and keeps the order and the ends', () => {
    const work = [0, SECOND, 2 * SECOND, 3 * SECOND];
    const later = work.map((at) => at + 3 * HOUR);
    const scale = timeScale([...work, ...later], 1000);
    expect(scale.stretches.map((s) => s.quiet)).toEqual([false, true, false]);
    const wait = scale.stretches[1];
    expect((wait?.x1 ?? 0) - (wait?.x0 ?? 0)).toBeCloseTo(56);
    const drawn = [...work, ...later].map(scale.x);
    expect(drawn).toEqual([...drawn].sort((a, b) => a - b));
    expect(drawn[0]).toBe(0);
    expect(drawn.at(-1)).toBeCloseTo(1000);
    // The work takes what the wait gave up.
    expect(scale.x(3 * SECOND)).toBeGreaterThan(400);
  });

  it('leaves waits of like length alone: they are the rhythm', () => {
    const scale = timeScale(
      [0, 70, 140, 210, 280, 350].map((s) => s * SECOND),
      500,
    );
    expect(scale.stretches.some((s) => s.quiet)).toBe(false);
  });

  it('never gives the waits more than half of the room', () => {
    const moments = [0, SECOND];
    for (let i = 1, at = SECOND; i < 12; i++) moments.push((at += 4 ** i * 60 * SECOND), (at += SECOND));
    const scale = timeScale(moments, 300);
    const quiet = scale.stretches.filter((s) => s.quiet);
    expect(quiet.length).toBeGreaterThan(3);
    expect(quiet.reduce((sum, s) => sum + s.x1 - s.x0, 0)).toBeLessThanOrEqual(150);
    expect(scale.x(Math.max(...moments))).toBeCloseTo(300);
  });

  it('stands where nothing or only waiting happened', () => {
    expect(timeScale([5], 100).x(5)).toBe(0);
    expect(timeScale([], 100).x(5)).toBe(0);
    const only = timeScale([0, HOUR], 100);
    expect([only.x(0), only.x(HOUR), only.x(-5), only.x(2 * HOUR)]).toEqual([0, 100, 0, 100]);
  });
});
