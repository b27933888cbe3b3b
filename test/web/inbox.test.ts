import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { DecisionListed } from '../../contracts/api.js';
import { hrefOf, readView } from '../../web/decisions/inbox/address.js';
import { hold, release, type Held } from '../../web/decisions/inbox/held.js';
import { batchesOf, sendBatches, type Result } from '../../web/decisions/inbox/reject.js';

const card = (id: string, over: Partial<DecisionListed> = {}): DecisionListed =>
  ({ id, kind: 'revelar_contactos', state: 'open', ...over }) as DecisionListed;
const cards = (ids: string): DecisionListed[] => [...ids].map((id) => card(id));
/** Shown ids in order, gone ones in parentheses; then what waits. */
const said = ({ entries, fresh }: Held): string =>
  `${entries.map((e) => (e.gone ? `(${e.decision.id})` : e.decision.id)).join('')} +${fresh.map((d) => d.id).join('')}`;

describe('a list that is read again under somebody’s pointer', () => {
  it.each([
    ['the first time everything is shown', '', 'abc', 'abc +'],
    ['what comes above waits', 'bc', 'abc', 'bc +a'],
    ['what comes between waits', 'ac', 'abc', 'ac +b'],
    ['what comes below pushes nothing', 'ab', 'abc', 'abc +'],
    ['what left keeps its place', 'abc', 'ac', 'a(b)c +'],
    ['another order is not taken', 'abc', 'cba', 'abc +'],
    ['all gone, and others there', 'ab', 'xy', '(a)(b)xy +'],
  ])('%s', (_what, before, now, expected) => {
    expect(said(hold(hold(null, cards(before)), cards(now)))).toBe(expected);
  });
  it('shows a card that changed as it is now, where it was', () => {
    const held = hold(hold(null, cards('ab')), [card('a', { amount: 40 }), card('b')]);
    expect(held.entries[0]?.decision.amount).toBe(40);
  });
  it('counts one that came back as there again', () => {
    expect(said(hold(hold(hold(null, cards('ab')), cards('b')), cards('ab')))).toBe('ab +');
  });
  it('never moves what is shown and never loses a card, whatever is read', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(ids, { minLength: 2, maxLength: 6 }), (readings) => {
        let held: Held | null = null;
        for (const reading of readings) {
          const latest = reading.map((id) => card(id));
          const before: string[] = held?.entries.map((e) => e.decision.id) ?? [];
          held = hold(held, latest);
          const shown = held.entries.map((e) => e.decision.id);
          expect(shown.slice(0, before.length)).toEqual(before);
          expect(new Set(shown).size).toBe(shown.length);
          // Everything that there is is shown or waits, and nothing twice.
          expect([...held.entries.filter((e) => !e.gone).map((e) => e.decision.id), ...held.fresh.map((d) => d.id)].sort()).toEqual(
            [...reading].sort(),
          );
          expect(said(release(latest))).toBe(`${reading.join('')} +`);
        }
      }),
    );
  });
});

describe('the address of the inbox', () => {
  it('says tab and order, and is short for the usual ones', () => {
    expect(hrefOf({ tab: 'open', sort: 'expires' })).toBe('/decisiones');
    for (const tab of ['open', 'resolved', 'expired', 'superseded'] as const) {
      for (const sort of ['expires', 'amount', 'newest'] as const)
        expect(readView(hrefOf({ tab, sort }).split('?')[1] ?? '')).toEqual({ tab, sort });
    }
    expect(readView('vista=otra&orden=__proto__')).toEqual({ tab: 'open', sort: 'expires' });
  });
});

describe('saying no to several cards', () => {
  const thens = { guardar_en_crm: 'skip', revelar_contactos: 'wait' } as const;
  const picked = [
    card('a', { kind: 'ajustar_presupuesto' }),
    card('b', { kind: 'guardar_en_crm' }),
    card('c'),
    card('d', { kind: 'revisar_secuencia' }),
    card('e'),
  ];
  const counter = (): (() => string) => {
    let n = 0;
    return () => `k${++n}`;
  };
  it('is one call per kind of card, each with its own answer and key', () => {
    expect(batchesOf(picked, thens, counter())).toEqual([
      { ids: ['a'], then: 'cancel', key: 'k1' },
      { ids: ['b'], then: 'skip', key: 'k2' },
      { ids: ['c', 'e'], then: 'wait', key: 'k3' },
      { ids: ['d'], then: 'skip', key: 'k4' },
    ]);
  });
  it('takes at most a hundred cards in a call', () => {
    const many = Array.from({ length: 230 }, (_, i) => card(`x${i}`));
    const batches = batchesOf(many, thens, counter());
    expect(batches.map((b) => b.ids.length)).toEqual([100, 100, 30]);
    expect(batches.flatMap((b) => b.ids)).toEqual(many.map((d) => d.id));
  });
  it('asks a lost call again under its own key, and not what was answered', async () => {
    const batches = batchesOf(picked, thens, counter());
    const known = new Map<string, Result>();
    const heard = (results: Result[]): void => results.forEach((r) => known.set(r.id, r));
    const answer = (ids: string[]) => ({
      rejected: ids.length,
      refused: 0,
      results: ids.map((id): Result => ({ id, ok: true, decision: null, problem: null })),
    });
    const keys: string[] = [];
    const send = vi.fn(async ({ ids, key }: { ids: string[]; key: string }) => {
      keys.push(key);
      if (keys.length === 3) throw new Error('no answer');
      return answer(ids);
    });
    await expect(sendBatches(batches, known, send, heard)).rejects.toThrow('no answer');
    expect([...known.keys()]).toEqual(['a', 'b']);
    await sendBatches(batches, known, send, heard);
    expect(keys).toEqual(['k1', 'k2', 'k3', 'k3', 'k4']);
    expect([...known.keys()].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});
