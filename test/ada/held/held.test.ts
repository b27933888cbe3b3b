import { beforeAll, describe, expect, it } from 'vitest';
import { faultOf, readHeld, type Held } from './support.js';

/**
 * Messages as people type them: by ear, with slips, in the middle of a story, as a bare follow-up, beside an open campaign, asking for what nobody does
 * here. Written apart from what reads them; the bounds are what was reached, rounded down.
 */
const BOUNDS = { messages: 0.98, second: 0.97 } as const;

describe.each(['messages', 'second'] as const)('held out: %s', (set) => {
  const faults = new Map<Held, string>();
  const held = readHeld(set);
  beforeAll(async () => {
    for (const one of held) { const fault = await faultOf(one); if (fault !== null) faults.set(one, fault); }
  }, 180_000);
  const wrong = (): string[] => [...faults].map(([one, fault]) => `${one.message} — ${fault.slice(0, 160)}`);

  it('is answered by the recipe that a reader would take', () => {
    expect((held.length - faults.size) / held.length, wrong().join('\n')).toBeGreaterThanOrEqual(BOUNDS[set]);
  });
  it('calls nothing that asks for nothing, and orders nothing of a campaign that is not ordered', () => {
    const kept = held.filter((one) => one.none || one.kind === 'no-control');
    expect(kept.length).toBeGreaterThanOrEqual(20);
    expect([...faults].filter(([one, fault]) => kept.includes(one) && /^(?:control|skills)/.test(fault)).map(([one]) => one.message)).toEqual([]);
  });
});

it('there are enough of them, and no two alike', () => {
  const all = [...readHeld('messages'), ...readHeld('second')];
  expect(readHeld('messages').length).toBeGreaterThanOrEqual(120);
  expect(new Set(all.map((one) => `${one.after.join(' ')} ${one.message}`)).size).toBe(all.length);
});
