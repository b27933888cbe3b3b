import { describe, expect, it } from 'vitest';
import { lastList } from '../../ada/rows.js';
import type { Worked } from '../../ada/turn-view.js';

const suppliers = (args: Record<string, unknown>, ids: string[], total: number | null, name = 'market_search_suppliers'): Worked =>
  ({
    id: ids.join(),
    name,
    args,
    ok: true,
    code: null,
    result: {
      total,
      suppliers: ids.map((id) => ({
        ref: `record:${id}`,
        supplier_id: id,
        name: `Empresa ${id}`,
        activity: 'acero',
        state: 'x',
        size: 'x',
      })),
    },
  }) as unknown as Worked;
const awards = (name: string, args: Record<string, unknown>, ids: string[]): Worked =>
  ({
    id: ids.join(),
    name,
    args,
    ok: true,
    code: null,
    result: {
      total: ids.length,
      awards: ids.map((id) => ({
        ref: `record:${id}`,
        award_id: id,
        supplier_name: `Empresa ${id}`,
        buyer: 'CFE',
        product: 'acero',
        awarded_on: '2026-01-01',
      })),
    },
  }) as unknown as Worked;

describe('the list that a turn leaves on the board', () => {
  it('the same asked of several places is one list, whose totals are added and whose filters stand side by side', () => {
    const { rows, from } = lastList([
      suppliers({ activity: 'acero', state: 'Jalisco', limit: 10 }, ['a', 'b'], 40),
      suppliers({ activity: 'acero', state: 'Sonora', limit: 10 }, ['c'], 1),
    ]);
    expect(rows.map((row) => row.id)).toEqual(['a', 'b', 'c']);
    expect(from?.args).toMatchObject({ activity: 'acero', state: 'Jalisco, Sonora' });
    expect(from?.result).toMatchObject({ total: 41, shown: 3 });
  });
  it('pages of one search have one total, and a row of both comes once', () => {
    const { rows, from } = lastList([
      suppliers({ activity: 'acero' }, ['a', 'b'], 40),
      suppliers({ activity: 'acero', cursor: 'x' }, ['b', 'c'], 40),
    ]);
    expect(rows.map((row) => row.id)).toEqual(['a', 'b', 'c']);
    expect(from?.result).toMatchObject({ total: 40 });
  });
  it('a wider or a narrower word is another try: the last that found something is the list', () => {
    expect(
      lastList([suppliers({ activity: 'acero', state: 'Sonora' }, ['a'], 1), suppliers({ activity: 'acero' }, ['b', 'c'], 2)]).rows.map(
        (row) => row.id,
      ),
    ).toEqual(['b', 'c']);
    expect(
      lastList([suppliers({ activity: 'estructuras de acero' }, ['a'], 1), suppliers({ activity: 'acero' }, ['b'], 1)]).rows.map(
        (row) => row.id,
      ),
    ).toEqual(['b']);
    expect(
      lastList([suppliers({ activity: 'acero' }, ['a'], 1), suppliers({ activity: 'cobre' }, [], 0)]).rows.map((row) => row.id),
    ).toEqual(['a']);
  });
  it('an award has its amount, a supplier what it has won, and only whole pesos that the tool said', () => {
    const won = { ...suppliers({}, ['a', 'b'], 2) };
    (won.result as { suppliers: Array<Record<string, unknown>> }).suppliers.forEach((one, i) => {
      one['total_mxn'] = [18_232_200, '7'][i];
    });
    expect(lastList([won]).rows.map((row) => row.amount_mxn)).toEqual([18_232_200, undefined]);
    const given = awards('market_search_awards', {}, ['w1']);
    (given.result as { awards: Array<Record<string, unknown>> }).awards.forEach((one) => {
      one['amount_mxn'] = 5;
      one['total_mxn'] = 9;
    });
    expect(lastList([given]).rows.map((row) => row.amount_mxn)).toEqual([5]);
  });
  it('a supplier’s history is a list of its contracts; beside a search it only tells more', () => {
    expect(lastList([awards('market_get_supplier_history', { rfc: 'ABC100101AB1' }, ['w1', 'w2'])]).rows).toMatchObject([
      { kind: 'award', id: 'w1' },
      { kind: 'award', id: 'w2' },
    ]);
    expect(
      lastList([
        awards('market_search_awards', { buyer: 'CFE' }, ['w3']),
        awards('market_get_supplier_history', { supplier_id: 'p1' }, ['w1', 'w2']),
      ]).rows.map((row) => row.id),
    ).toEqual(['w3']);
  });
});
