import { beforeAll, describe, expect, it } from 'vitest';
import { readCases } from '../../../evals/routing/cases.js';
import { faultOf, openedBy, readHeld, type Held } from './support.js';

/**
 * Messages as people type them: by ear, with slips, in the middle of a story, as a bare follow-up, beside an open campaign, asking for what nobody does
 * here. Written apart from what reads them; the bounds are what was reached, rounded down.
 */
const BOUNDS = { messages: 0.98, second: 0.97 } as const;

describe.each(['messages', 'second'] as const)('held out: %s', (set) => {
  const faults = new Map<Held, string>();
  const held = readHeld(set);
  beforeAll(async () => {
    for (const one of held) {
      const fault = await faultOf(one);
      if (fault !== null) faults.set(one, fault);
    }
  }, 180_000);
  const wrong = (): string[] => [...faults].map(([one, fault]) => `${one.message} — ${fault.slice(0, 160)}`);

  it('is answered by the recipe that a reader would take', () => {
    expect((held.length - faults.size) / held.length, wrong().join('\n')).toBeGreaterThanOrEqual(BOUNDS[set]);
  });
  it('calls nothing that asks for nothing, and orders nothing of a campaign that is not ordered', () => {
    const kept = held.filter((one) => one.none || one.kind === 'no-control');
    expect(kept.length).toBeGreaterThanOrEqual(20);
    expect(
      [...faults].filter(([one, fault]) => kept.includes(one) && /^(?:control|skills)/.test(fault)).map(([one]) => one.message),
    ).toEqual([]);
  });
});

it('there are enough of them, and no two alike', () => {
  const all = [...readHeld('messages'), ...readHeld('second')];
  expect(readHeld('messages').length).toBeGreaterThanOrEqual(120);
  expect(new Set(all.map((one) => `${one.after.join(' ')} ${one.message}`)).size).toBe(all.length);
});

/** One of six: all of them take minutes. A message that means no recipe may still be told a limit, which opens the one that needs the connection. */
it('the routing corpus ends in its recipe through the whole turn, or in none', async () => {
  const some = readCases('tuned').filter((_, i) => i % 6 === 0);
  const wrong: string[] = [];
  let none = 0;
  for (const one of some) {
    const { skills, intent, controls } = await openedBy(one);
    const right = one.expect_none
      ? skills.length === 0 || intent === 'limite'
      : skills.some((name) => (one.relevant as string[]).includes(name));
    if (!right) wrong.push(`${one.message} — ${intent} ${skills.join(' ')}`);
    if (one.expect_none && !right) none++;
    if (one.expect_none) expect(controls, one.message).toEqual([]);
  }
  expect((some.length - wrong.length) / some.length, wrong.join('\n')).toBeGreaterThanOrEqual(0.97);
  expect(none / some.filter((one) => one.expect_none).length).toBeLessThanOrEqual(0.05);
}, 180_000);
