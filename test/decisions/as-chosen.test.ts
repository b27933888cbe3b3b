import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitOfRun } from '../../cli/exit.js';
import { receiptLines } from '../../cli/runs.js';
import { Words } from '../../cli/words.js';
import { receiptOf } from '../../db/close.js';
import {
  advance,
  draftAll,
  finish,
  newWorkspace,
  nobodyKnows,
  gotIt,
  openLab,
  resolve,
  revealAll,
  runAtReveal,
  tapOf,
  violations,
  type Lab,
} from '../support/runs.js';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

/** Two of five contacts, on purpose. */
const twoOfFive = async (): Promise<Awaited<ReturnType<typeof runAtReveal>>> => {
  const at = await runAtReveal(lab, await newWorkspace(lab), { cuentas: 5 });
  const items = at.card.items.slice(0, 2).map((i) => i.ref);
  await resolve(lab, at, at.card.id, tapOf(at.card, 'choose', { items, shown_total: 2 }));
  return at;
};

describe('a campaign in which a person chose fewer than were offered', () => {
  it('ends with what they chose, and lacks nothing', async () => {
    const at = await twoOfFive();
    await revealAll(lab, at);
    await advance(lab, at, 's4');
    await draftAll(lab, at);
    expect(await finish(lab, at)).toMatchObject({ state: 'completed_partial', reason: { code: 'as_chosen', params: { n: 2 } } });
    const receipt = await receiptOf(lab.pool, at.workspace, at.run);
    expect(exitOfRun(receipt)).toBe(0);
    const said = receiptLines({ words: new Words('es-MX') }, receipt).join('\n');
    expect(said).toContain('Lista con lo que elegiste');
    expect(said).toContain('2 de 2');
    expect(said).not.toContain('faltantes');
    expect(await violations(lab, at.workspace)).toEqual([]);
  });

  it('has a gap where one of the chosen is missing, and it is counted among them', async () => {
    const at = await twoOfFive();
    let n = 0;
    await revealAll(lab, at, (item) => (n++ === 0 ? nobodyKnows(item) : gotIt(item)));
    await advance(lab, at, 's4');
    await draftAll(lab, at);
    const ended = await finish(lab, at);
    expect(ended).toMatchObject({ state: 'completed_partial', reason: { code: 'with_gaps', params: { unrevealed: 1 } } });
    expect(exitOfRun(ended)).toBe(4);
  });
});
