import { describe, expect, it } from 'vitest';
import { carryOver, mayAnswer, omitted } from '../../../ada/library/gate/carry-over.js';
import type { SkillUsed } from '../../../ada/library/gate/belt.js';
import { countTurn, staleReport, type UsageRow } from '../../../ada/library/usage.js';
import { accessOf, libraryOf, rigOf, rowOf } from './support.js';

const used = (name: string, over: Partial<SkillUsed> = {}): SkillUsed => ({
  name,
  version: '1.0.0',
  digest: 'd',
  by: 'model',
  score: null,
  ...over,
});

describe('carrying recipes over to the next turn', () => {
  it('loads what changed anew and says so, what did not as it is, and keeps who opened it', async () => {
    const rig = rigOf(await libraryOf({ plataforma: { a: { tools: 'libre_a' }, b: {} } }));
    const digest = rig.snapshot.skills.get('a')?.digest ?? '';
    expect(carryOver([used('a', { digest, by: 'router', score: 0.8 }), used('b', { digest: 'viejo' })], rig.snapshot, rig.belt)).toEqual([
      { name: 'a', changed: false, refused: null },
      { name: 'b', changed: true, refused: null },
    ]);
    expect(rig.belt.used()).toMatchObject([
      { name: 'a', by: 'router', score: 0.8, digest },
      { name: 'b', by: 'model', digest: rig.snapshot.skills.get('b')?.digest },
    ]);
  });

  it('is for an answer, not for a wish of its own that the router takes for another recipe', () => {
    const asked = [used('campana')];
    const suggests = (...names: string[]): Parameters<typeof mayAnswer>[1] => ({
      decision: 'suggest',
      candidates: names.map((name, i) => ({ name, confidence: 0.8 - i * 0.3 })),
    });
    const list = 'busca proveedores de limpieza en Puebla';
    expect(mayAnswer(list, suggests('buscar-empresas-y-proveedores'), asked)).toBe(false);
    expect(mayAnswer(list, suggests('buscar-empresas-y-proveedores', 'campana'), asked)).toBe(false);
    expect(
      mayAnswer(
        list,
        {
          decision: 'suggest',
          candidates: [
            { name: 'buscar-empresas-y-proveedores', confidence: 0.5 },
            { name: 'campana', confidence: 0.45 },
          ],
        },
        asked,
      ),
    ).toBe(true);
    expect(mayAnswer('limpieza en Puebla', suggests('buscar-empresas-y-proveedores'), asked)).toBe(true);
    expect(mayAnswer(list, suggests('campana'), asked)).toBe(true);
    expect(mayAnswer('las de limpieza', { decision: 'none', candidates: [] }, asked)).toBe(true);
    expect(mayAnswer(list, { decision: 'inject', candidates: [{ name: 'buscar-empresas-y-proveedores', confidence: 0.99 }] }, asked)).toBe(
      false,
    );
  });

  it('says what is gone, denied or has no room, and goes on', async () => {
    const rig = rigOf(await libraryOf({ plataforma: { a: {}, b: {}, c: {}, d: {} } }), accessOf([rowOf('a', 'never')]));
    expect(
      carryOver(
        ['ida', 'a', 'b', 'c', 'd'].map((name) => used(name)),
        rig.snapshot,
        rig.belt,
      ).map(({ name, refused }) => [name, refused]),
    ).toEqual([
      ['ida', 'skill_unknown'],
      ['a', 'skill_denied'],
      ['b', null],
      ['c', null],
      ['d', 'no_cabe'],
    ]);
  });

  it('does not keep a recipe in that was there by a state that was taken back', async () => {
    const rig = rigOf(await libraryOf({ plataforma: { a: {}, b: {} } }), accessOf([rowOf('b', 'always')]));
    expect(carryOver([used('a', { by: 'always' }), used('b', { by: 'always', digest: 'viejo' })], rig.snapshot, rig.belt)).toEqual([
      { name: 'a', changed: false, refused: 'skill_not_open' },
      { name: 'b', changed: true, refused: null },
    ]);
    expect(rig.belt.loaded().map(({ skill }) => skill.name)).toEqual(['b']);
  });
});

describe('a recipe of which the router was sure', () => {
  const candidates = [
    { name: 'a', confidence: 0.9 },
    { name: 'b', confidence: 0.9 },
  ];
  it.each([
    ['inject', [], ['a', 'b']],
    ['inject', ['a'], ['b']],
    ['inject', ['b', 'a'], []],
    ['inject', ['c'], ['a', 'b']],
    ['suggest', [], []],
    ['none', [], []],
  ] as const)('%s with %j open leaves %j out', (decision, open, left) =>
    expect(
      omitted(
        { decision, candidates },
        open.map((name) => used(name)),
      ),
    ).toEqual(left),
  );
});

describe('what a turn counts', () => {
  it.each([
    ['nothing', { skills: [], worked: [], closed: [], omitted: [] }, []],
    ['viewed', { skills: ['a'], worked: [], closed: [], omitted: [] }, [['a', 1, 0, 0, 0]]],
    ['used', { skills: ['a'], worked: ['a'], closed: [], omitted: [] }, [['a', 1, 1, 0, 0]]],
    ['helped', { skills: ['a'], worked: ['a'], closed: ['a'], omitted: [] }, [['a', 1, 1, 1, 0]]],
    ['closed as declared without work helps nobody', { skills: ['a'], worked: [], closed: ['a'], omitted: [] }, [['a', 1, 0, 0, 0]]],
    [
      'omitted',
      { skills: ['a'], worked: ['b'], closed: ['b'], omitted: ['b'] },
      [
        ['a', 1, 0, 0, 0],
        ['b', 0, 0, 0, 1],
      ],
    ],
  ] as Array<
    [string, { skills: string[]; worked: string[]; closed: string[]; omitted: string[] }, Array<[string, number, number, number, number]>]
  >)('%s', (_, turn, counts) => {
    expect(
      countTurn({
        skills: turn.skills.map((name) => used(name)),
        worked: new Set(turn.worked),
        closedAsDeclared: new Set(turn.closed),
        omitted: turn.omitted.map((name) => ({ name, version: '1.0.0' })),
      }).map(({ skill, viewed, used: times, helped, omitted: left }) => [skill, viewed, times, helped, left]),
    ).toEqual(counts);
  });
});

describe('recipes worth a look', () => {
  const NOW = Date.parse('2026-11-30T12:00:00Z');
  const row = (over: Partial<UsageRow>): UsageRow => ({
    skill: 'a',
    version: '1.0.0',
    viewed: 0,
    used: 0,
    helped: 0,
    omitted: 0,
    last_at: null,
    ...over,
  });
  const recent = '2026-11-29T12:00:00.000Z';
  it.each([
    ['no rows', [], 'never_viewed'],
    ['only omitted, seldom', [row({ omitted: 19 })], 'never_viewed'],
    ['only omitted, often', [row({ omitted: 20 })], 'often_omitted'],
    ['viewed yesterday', [row({ viewed: 1, last_at: recent })], null],
    ['viewed 61 days ago', [row({ viewed: 9, last_at: '2026-09-30T11:00:00.000Z' })], 'not_viewed_lately'],
    ['viewed 60 days ago to the second', [row({ viewed: 9, last_at: '2026-10-01T12:00:00.000Z' })], null],
    [
      'an old version and a new one',
      [row({ viewed: 9, last_at: '2025-01-01T00:00:00.000Z' }), row({ version: '2.0.0', viewed: 1, last_at: recent })],
      null,
    ],
    ['viewed 20 times and never helped', [row({ viewed: 20, last_at: recent })], 'viewed_never_helps'],
    ['over two versions', [row({ viewed: 10, last_at: recent }), row({ version: '2.0.0', viewed: 10 })], 'viewed_never_helps'],
    ['19 times', [row({ viewed: 19, last_at: recent })], null],
    ['helped once', [row({ viewed: 40, used: 3, helped: 1, last_at: recent })], null],
    ['omitted more than viewed', [row({ viewed: 19, omitted: 20, helped: 1, last_at: recent })], 'often_omitted'],
    ['omitted as often as viewed', [row({ viewed: 20, omitted: 20, helped: 1, last_at: recent })], null],
    ['rows of another', [row({ skill: 'b', viewed: 5, last_at: recent })], 'never_viewed'],
  ] as Array<[string, UsageRow[], string | null]>)('%s', (_, rows, reason) =>
    expect(staleReport(['a'], rows, NOW)[0]?.reason ?? null).toBe(reason),
  );

  it('are sorted by name, and nothing that is gone is among them', () =>
    expect(staleReport(['b', 'a'], [row({ skill: 'ida', viewed: 1 })], NOW).map(({ skill }) => skill)).toEqual(['a', 'b']));
});
