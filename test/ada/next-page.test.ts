import { describe, expect, it } from 'vitest';
import { asksForMore, seenWith, withNextPage } from '../../ada/next-page.js';
import { EMPTY_BOARD, type BoardRun } from '../../contracts/turn.js';

const run = (more: Partial<BoardRun> = {}): BoardRun => ({
  ref: 'run:cs-1',
  tool: 'company_search',
  args: { activity: 'empaque', state: 'Jalisco', limit: 25 },
  total: 60,
  shown: 25,
  skill: null,
  at: '2026-11-30T12:00:00.000Z',
  next_cursor: 'abc',
  seen: 25,
  ...more,
});
const board = (...runs: BoardRun[]): typeof EMPTY_BOARD => ({ ...EMPTY_BOARD, runs });

describe('more of a list', () => {
  it.each([
    'dame más',
    'más',
    'más empresas',
    'los siguientes 25',
    'siguientes',
    'las que faltan',
    'otros 25',
    'el resto',
    'siguiente página',
    'muéstrame más, por favor',
    'más de esas',
    'show me more',
    'the next 25',
    'next page',
    'more of them',
  ])('is asked for: %s', (message) => expect(asksForMore(message)).toBe(true));
  it.each([
    'las más grandes de Jalisco',
    'empresas de más de 50 empleados',
    'búscalas otra vez',
    'los más recientes',
    'empresas de empaque en Jalisco',
    'more recent ones',
    'y además el pipeline',
  ])('is not: %s', (message) => expect(asksForMore(message)).toBe(false));

  it('goes on where the last page of the same list ended, as many as are asked for', () => {
    expect(withNextPage('company_search', { state: 'JALISCO', activity: 'Empaque', limit: 10 }, 'dame más', board(run()))).toEqual({
      activity: 'empaque',
      state: 'Jalisco',
      limit: 10,
      cursor: 'abc',
    });
    expect(
      withNextPage(
        'company_search',
        { activity: 'empaque', state: 'Jalisco' },
        'dame más',
        board(
          run(),
          run({ args: { activity: 'empaque', state: 'Jalisco', limit: 25, cursor: 'abc' }, next_cursor: 'def', seen: 50 }),
          run({ args: { activity: 'papel' }, next_cursor: 'xyz' }),
        ),
      ),
    ).toMatchObject({ cursor: 'def' });
  });

  it('leaves alone another list, one that is over, one that says where to go on, and a message that asks for none', () => {
    const args = { activity: 'empaque', state: 'Jalisco' };
    for (const [asked, message, runs] of [
      [{ ...args, size: 'grande' }, 'dame más', [run()]],
      [args, 'dame más', [run({ next_cursor: null })]],
      [args, 'dame más', []],
      [{ ...args, cursor: 'own' }, 'dame más', [run()]],
      [args, 'empresas de empaque en Jalisco', [run()]],
    ] as const)
      expect(withNextPage('company_search', asked, message, board(...runs))).toBe(asked);
    // Threads from before cursors were kept.
    const { next_cursor: _next, seen: _seen, ...old } = run();
    expect(withNextPage('company_search', args, 'dame más', board(old))).toBe(args);
  });

  it('counts what has been shown over the pages', () => {
    expect(seenWith('company_search', { activity: 'empaque' }, 25, [run()])).toBe(25);
    expect(seenWith('company_search', { activity: 'empaque', cursor: 'abc' }, 10, [run()])).toBe(35);
    expect(seenWith('company_search', { cursor: 'gone' }, 10, [run()])).toBe(10);
  });
});
