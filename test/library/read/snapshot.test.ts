import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../ada/library/read/memory-store.js';
import { loadSnapshot } from '../../../ada/library/read/snapshot.js';
import type { Entry, Store } from '../../../ada/library/types.js';
import { expectExplained, load, root, skillFile } from './support.js';

const FILES = {
  'cat/uno/SKILL.md': skillFile('uno'),
  'cat/uno/references/a.md': 'A',
  'cat/uno/templates/t.txt': 'T',
  'cat/uno/LICENSE': 'x',
  'dos/SKILL.md': skillFile('dos'),
  'cat/README.md': 'x',
  'README.md': 'x',
  'references/limites.md': 'L',
  'bundles/ambas.yaml':
    'name: ambas\ndescription: Las dos.\nskills:\n  - uno\n  - dos\n  - tres\ninstruction: |\n  Primero una.\n  Luego otra.\n',
};
const reordered = (store: Store, order: (entries: Entry[]) => Entry[]): Store => ({
  ...store,
  list: async () => order(await store.list()),
});

describe('snapshot', () => {
  it('holds skills, bundles and shared references', async () => {
    const snapshot = await load(FILES);
    expect([...snapshot.skills.keys()]).toEqual(['dos', 'uno']);
    expect(snapshot.skills.get('uno')).toMatchObject({ category: 'cat', path: 'cat/uno/SKILL.md' });
    expect(snapshot.skills.get('uno')?.references.map((r) => [r.name, r.text])).toEqual([
      ['references/a.md', 'A'],
      ['templates/t.txt', 'T'],
    ]);
    expect([...snapshot.shared.keys()]).toEqual(['references/limites.md']);
    const bundle = snapshot.bundles.get('ambas');
    expect(bundle).toMatchObject({
      description: 'Las dos.',
      skills: ['uno', 'dos', 'tres'],
      instruction: 'Primero una.\nLuego otra.',
      path: 'bundles/ambas.yaml',
    });
    expect(snapshot.problems).toEqual([
      {
        severity: 'warning',
        code: 'bundle_member_missing',
        path: 'bundles/ambas.yaml',
        root: 'platform',
        key: 'skills',
        params: { name: 'ambas', member: 'tres' },
      },
    ]);
  });

  it('is the same whatever order the files are listed in', async () => {
    const expected = await load(FILES);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(Object.keys(FILES), { minLength: Object.keys(FILES).length }), async (paths) => {
        const other = await loadSnapshot([
          root(reordered(memoryStore(FILES), (entries) => paths.map((p) => entries.find((e) => e.path === p) as Entry))),
        ]);
        expect(other.digest).toBe(expected.digest);
        expect(other.problems).toEqual(expected.problems);
        expect([...other.skills]).toEqual([...expected.skills]);
      }),
      { numRuns: 20 },
    );
  });

  it('its digest changes with any file that belongs to it', async () => {
    const { digest } = await load(FILES);
    for (const path of [
      'cat/uno/SKILL.md',
      'cat/uno/references/a.md',
      'cat/uno/LICENSE',
      'references/limites.md',
      'bundles/ambas.yaml',
    ] as const)
      expect((await load({ ...FILES, [path]: `${FILES[path]}\n.` })).digest, path).not.toBe(digest);
    expect((await load({ ...FILES, 'README.md': 'y' })).digest).toBe(digest);
  });

  it('does not change', async () => {
    const snapshot = await load(FILES);
    const skill = snapshot.skills.get('uno');
    expect(() => (snapshot.skills as Map<string, unknown>).set('x', {})).toThrow();
    expect(() => (snapshot.bundles as Map<string, unknown>).delete('ambas')).toThrow();
    expect(() => (snapshot.shared as Map<string, unknown>).clear()).toThrow();
    for (const frozen of [
      snapshot,
      snapshot.problems,
      snapshot.roots,
      skill,
      skill?.tools,
      skill?.references,
      skill?.references[0],
      skill?.extra,
      snapshot.bundles.get('ambas')?.skills,
    ])
      expect(Object.isFrozen(frozen)).toBe(true);
  });

  it.each(['forwards', 'backwards'])('two categories with one name: neither, with both paths (%s)', async (direction) => {
    const store = reordered(
      memoryStore({ 'a/uno/SKILL.md': skillFile('uno'), 'b/uno/SKILL.md': skillFile('uno'), 'dos/SKILL.md': skillFile('dos') }),
      (entries) => (direction === 'forwards' ? entries : entries.reverse()),
    );
    const snapshot = await loadSnapshot([root(store)]);
    expect([...snapshot.skills.keys()]).toEqual(['dos']);
    expect(snapshot.problems.map((p) => [p.code, p.severity, p.params])).toEqual([
      ['skill_duplicate', 'error', { name: 'uno', path: 'a/uno/SKILL.md', other: 'b/uno/SKILL.md' }],
      ['skill_duplicate', 'error', { name: 'uno', path: 'b/uno/SKILL.md', other: 'a/uno/SKILL.md' }],
    ]);
    snapshot.problems.forEach(expectExplained);
  });

  it.each([
    ['first', false],
    ['last', true],
  ])('two roots with one name: neither, with both paths (the platform %s)', async (_, swap) => {
    const roots = [
      root(memoryStore({ 'uno/SKILL.md': skillFile('uno') })),
      root(memoryStore({ 'c/uno/SKILL.md': skillFile('uno'), 'bundles/x.yaml': 'skills: [uno]' }), { id: 'ws', trust: 'propia' }),
    ];
    const snapshot = await loadSnapshot(swap ? roots.reverse() : roots);
    expect([...snapshot.skills.keys()]).toEqual([]);
    expect(snapshot.problems.filter((p) => p.code === 'skill_duplicate').map((p) => [p.root, p.path, p.params?.['other']])).toEqual([
      ['platform', 'uno/SKILL.md', 'ws:c/uno/SKILL.md'],
      ['ws', 'c/uno/SKILL.md', 'platform:uno/SKILL.md'],
    ]);
    expect(snapshot.problems).toContainEqual(
      expect.objectContaining({ code: 'bundle_member_missing', params: { name: 'x', member: 'uno' } }),
    );
  });

  it('two bundles with one name: neither; a bundle and a skill with one name: both, and a warning', async () => {
    const snapshot = await load({
      'uno/SKILL.md': skillFile('uno'),
      'bundles/uno.yaml': 'skills: [uno]',
      'bundles/x.yaml': 'skills: [uno]',
      'bundles/x.yml': 'skills: [uno]',
      'bundles/vacio.yaml': 'description: nada',
      'bundles/leeme.txt': '',
    });
    expect([...snapshot.bundles.keys()]).toEqual(['uno']);
    expect(snapshot.skills.has('uno')).toBe(true);
    const codes = snapshot.problems.map((p) => p.code);
    for (const code of ['bundle_over_skill', 'bundle_duplicate', 'bundle_empty', 'bundle_ignored']) expect(codes).toContain(code);
    snapshot.problems.forEach(expectExplained);
  });

  it('a workspace does not cover the limits of the platform', async () => {
    const snapshot = await loadSnapshot([
      root(memoryStore({ 'references/limites.md': 'L' })),
      root(memoryStore({ 'references/limites.md': 'otros', 'uno/SKILL.md': skillFile('uno'), 'uno/references/limites.md': 'míos' }), {
        id: 'ws',
        trust: 'propia',
      }),
    ]);
    expect(snapshot.shared.get('references/limites.md')?.text).toBe('L');
    expect(snapshot.problems.map((p) => [p.root, p.code])).toEqual([
      ['ws', 'reference_duplicate'],
      ['ws', 'reference_covers_shared'],
    ]);
    snapshot.problems.forEach(expectExplained);
  });

  it('a root that cannot be listed is reported and the others load', async () => {
    const broken = root({ list: () => Promise.reject(new Error('EIO')), read: () => Promise.reject(new Error('EIO')) }, { id: 'ws' });
    const snapshot = await loadSnapshot([broken, root(memoryStore(FILES))]);
    expect([...snapshot.skills.keys()]).toEqual(['dos', 'uno']);
    expect([...snapshot.shared.keys()]).toEqual(['references/limites.md']);
    expect(snapshot.problems).toContainEqual(expect.objectContaining({ code: 'root_unreadable', root: 'ws' }));
    snapshot.problems.forEach(expectExplained);
  });

  it.each<[string, Record<string, string | Uint8Array>, Array<[string, string]>]>([
    ['at the root', { 'SKILL.md': skillFile('x') }, [['SKILL.md', 'skill_at_root']]],
    ['too deep', { 'a/b/c/SKILL.md': skillFile('c') }, [['a/b/c/SKILL.md', 'skill_deep']]],
    ['inside another', { 'uno/SKILL.md': skillFile('uno'), 'uno/dos/SKILL.md': skillFile('dos') }, [['uno/dos/SKILL.md', 'skill_nested']]],
    [
      'without SKILL.md',
      { 'uno/references/a.md': 'A', 'cat/dos/SKILL.md': skillFile('dos'), 'cat/tres/x.md': 'x' },
      [
        ['cat/tres', 'skill_file_missing'],
        ['uno', 'skill_file_missing'],
      ],
    ],
    ['with small letters', { 'uno/skill.md': skillFile('uno') }, [['uno/skill.md', 'skill_file_name']]],
    [
      'with scripts',
      { 'uno/SKILL.md': skillFile('uno'), 'uno/scripts/a.py': '', 'uno/scripts/b.py': '' },
      [['uno/scripts/a.py', 'scripts_unused']],
    ],
    [
      'with a long reference',
      { 'uno/SKILL.md': skillFile('uno'), 'uno/references/a.md': 'x'.repeat(4_501) },
      [['uno/references/a.md', 'reference_long']],
    ],
    [
      'with a reference that is no text',
      { 'uno/SKILL.md': skillFile('uno'), 'uno/references/a.md': new Uint8Array([0xff, 0xe1]) },
      [['uno/references/a.md', 'reference_not_text']],
    ],
    [
      'with a reference that hides text',
      { 'uno/SKILL.md': skillFile('uno'), 'uno/references/a.md': `a${String.fromCharCode(0x202e)}b` },
      [['uno/references/a.md', 'text_bidi']],
    ],
    [
      'with a path that is none',
      { 'uno/SKILL.md': skillFile('uno'), 'uno/references/../../x.md': 'x' },
      [['uno/references/../../x.md', 'path_unsafe']],
    ],
  ])('a folder %s is reported where it is', async (_, files, expected) => {
    const snapshot = await load(files);
    expect(snapshot.problems.map((p) => [p.path, p.code])).toEqual(expected);
    snapshot.problems.forEach(expectExplained);
  });

  it('a reference that hides something is listed and not readable', async () => {
    const snapshot = await load({
      'uno/SKILL.md': skillFile('uno'),
      'uno/references/a.md': `a${String.fromCharCode(0x202e)}b`,
      'uno/references/b.md': new Uint8Array([0xff, 0xe1]),
    });
    expect(snapshot.skills.get('uno')?.references.map((r) => [r.name, r.text])).toEqual([
      ['references/a.md', null],
      ['references/b.md', null],
    ]);
  });

  it('trust is asked by path', async () => {
    const store = memoryStore({ 'uno/SKILL.md': skillFile('uno'), 'hub/dos/SKILL.md': skillFile('dos') });
    const { skills } = await loadSnapshot([root(store, { trust: (path) => (path.startsWith('hub/') ? 'tercero' : 'propia') })]);
    expect([...skills.values()].map((s) => [s.name, s.trust])).toEqual([
      ['dos', 'tercero'],
      ['uno', 'propia'],
    ]);
  });
});

describe('any bytes', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '---',
      '--- ',
      '...',
      'name: uno',
      'description: Hace: algo',
      'metadata:',
      '  tools: [a, b',
      '  version: 1.0',
      '\tx: y',
      '  gatillos: "a" | "b"',
      '  - x: y',
      '# Título',
      '## Pasos',
      '1. Paso',
      '__proto__: x',
      '<<: *a',
      'a: &a b',
      '```',
      '',
    ),
    fc.string({ maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(line, { maxLength: 20 }).map((lines) => new TextEncoder().encode(lines.join('\n'))),
    fc.array(line, { maxLength: 12 }).map((lines) => new TextEncoder().encode(`---\n${lines.join('\n')}`)),
  );
  const folder = fc.constantFrom(
    'uno',
    'dos',
    'cat/tres',
    'cat/uno',
    'Mal Nombre',
    'a/b/c',
    'uno/cuatro',
    'año',
    'x'.repeat(70),
    '..',
    'references/x',
    'bundles/x',
  );

  it('never throw, and every folder is a skill or a problem', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(folder, content, { maxKeys: 5 }), async (folders) => {
        const snapshot = await load(Object.fromEntries(Object.entries(folders).map(([name, bytes]) => [`${name}/SKILL.md`, bytes])));
        for (const name of Object.keys(folders)) {
          if (name.startsWith('references/')) {
            expect(snapshot.shared.has(`${name}/SKILL.md`)).toBe(true);
            continue;
          }
          const path = `${name}/SKILL.md`;
          const loaded = [...snapshot.skills.values()].some((s) => s.path === path);
          const reported = snapshot.problems.some((p) => p.path === path && (p.severity === 'error' || p.code === 'bundle_ignored'));
          expect(loaded || reported, path).toBe(true);
        }
        snapshot.problems.forEach(expectExplained);
        expect(({} as Record<string, unknown>)['x']).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('as a bundle never throw either', async () => {
    await fc.assert(
      fc.asyncProperty(content, async (bytes) => {
        const snapshot = await load({ 'bundles/x.yaml': bytes });
        expect(snapshot.bundles.size + snapshot.problems.length).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });
});
