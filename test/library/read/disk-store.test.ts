import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diskStore, inside } from '../../../ada/library/read/disk-store.js';
import { LibraryRefusal } from '../../../ada/library/read/guard.js';
import { loadSnapshot } from '../../../ada/library/read/snapshot.js';
import { expectExplained, root, skillFile } from './support.js';

let base: string;
let skills: string;
const put = (path: string, content = 'x'): void => {
  const full = join(base, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
};
const listed = async (options = {}): Promise<Array<[string, string | undefined]>> =>
  (await diskStore(skills, options).list()).map((e) => [e.path, e.refused]);
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'campana-library-'));
  skills = join(base, 'skills');
  put('skills/uno/SKILL.md', skillFile('uno'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('disk store', () => {
  it('lists every file with its size, and nothing hidden', async () => {
    put('skills/cat/dos/references/a.md');
    put('skills/.git/config');
    put('skills/uno/.DS_Store');
    put('skills/node_modules/x/SKILL.md');
    expect(await listed()).toEqual([
      ['cat/dos/references/a.md', undefined],
      ['uno/SKILL.md', undefined],
    ]);
    expect((await diskStore(skills).list())[0]?.bytes).toBe(1);
  });

  it('follows links that stay inside, and reads through them', async () => {
    put('skills/references/limites.md', 'L');
    mkdirSync(join(skills, 'uno/references'));
    symlinkSync('../../references/limites.md', join(skills, 'uno/references/limites.md'));
    symlinkSync('../../references', join(skills, 'uno/references/todas'));
    const store = diskStore(skills);
    expect((await store.list()).map((e) => [e.path, e.refused])).toEqual([
      ['references/limites.md', undefined],
      ['uno/SKILL.md', undefined],
      ['uno/references/limites.md', undefined],
      ['uno/references/todas/limites.md', undefined],
    ]);
    expect(Buffer.from(await store.read('uno/references/limites.md')).toString()).toBe('L');
  });

  it.each([
    ['an absolute link', () => join(base, 'fuera/secreto.md'), 'link_leaves_root'],
    ['a relative link', () => '../../../fuera/secreto.md', 'link_leaves_root'],
    ['a link to a folder', () => join(base, 'fuera'), 'link_leaves_root'],
    ['a link to a sibling with the same beginning', () => join(base, 'skills-evil/secreto.md'), 'link_leaves_root'],
    ['a link to nothing', () => 'no-existe.md', 'link_broken'],
    ['a link to itself', () => 'enlace.md', 'link_loop'],
    ['a link to a folder above', () => '..', 'link_loop'],
    ['a link to the root', () => '../..', 'link_loop'],
    ['a link to a device', () => '/dev/zero', 'link_leaves_root'],
  ])('%s is reported and not read', async (_, target, code) => {
    put('fuera/secreto.md', 'SECRETO');
    put('skills-evil/secreto.md', 'SECRETO');
    mkdirSync(join(skills, 'uno/references'));
    symlinkSync(target(), join(skills, 'uno/references/enlace.md'));
    const store = diskStore(skills);
    expect((await store.list()).filter((e) => e.refused)).toEqual([
      { path: 'uno/references/enlace.md', bytes: 0, mtimeMs: 0, refused: code },
    ]);
    await expect(store.read('uno/references/enlace.md')).rejects.toMatchObject({ code: 'path_refused' });
    const snapshot = await loadSnapshot([root(store)]);
    expect(snapshot.skills.get('uno')?.references).toEqual([]);
    expect(snapshot.problems).toEqual([expect.objectContaining({ code, severity: 'error', path: 'uno/references/enlace.md' })]);
    snapshot.problems.forEach(expectExplained);
    expect(JSON.stringify([...snapshot.skills.values()])).not.toContain('SECRETO');
  });

  it('a SKILL.md or a folder that is a link to the outside is no skill, and said so', async () => {
    put('fuera/dos/SKILL.md', skillFile('dos'));
    put('fuera/tres/SKILL.md', skillFile('tres'));
    symlinkSync(join(base, 'fuera/dos'), join(skills, 'dos'));
    mkdirSync(join(skills, 'tres'));
    symlinkSync(join(base, 'fuera/tres/SKILL.md'), join(skills, 'tres/SKILL.md'));
    const { skills: found, problems } = await loadSnapshot([root(diskStore(skills))]);
    expect([...found.keys()]).toEqual(['uno']);
    expect(problems.map((p) => [p.path, p.code])).toEqual([
      ['dos', 'link_leaves_root'],
      ['tres/SKILL.md', 'link_leaves_root'],
    ]);
  });

  it('two folders that link to each other end', async () => {
    mkdirSync(join(skills, 'a'));
    mkdirSync(join(skills, 'b'));
    symlinkSync('../b', join(skills, 'a/x'));
    symlinkSync('../a', join(skills, 'b/y'));
    const found = await listed();
    expect(found.length).toBeLessThan(20);
    expect(found.some(([, code]) => code === 'link_loop')).toBe(true);
  });

  it('a file that becomes a link after the listing is refused', async () => {
    put('fuera/secreto.md', 'SECRETO');
    const store = diskStore(skills);
    await store.list();
    rmSync(join(skills, 'uno/SKILL.md'));
    symlinkSync(join(base, 'fuera/secreto.md'), join(skills, 'uno/SKILL.md'));
    await expect(store.read('uno/SKILL.md')).rejects.toMatchObject({ code: 'path_refused', params: { reason: 'link' } });
  });

  it('reads only what it listed', async () => {
    put('fuera/secreto.md', 'SECRETO');
    put('skills/.env', 'SECRETO');
    for (const path of ['../fuera/secreto.md', '/etc/passwd', '.env', 'uno/../uno/SKILL.md', 'UNO/skill.md', 'uno', ''])
      await expect(diskStore(skills).read(path)).rejects.toBeInstanceOf(LibraryRefusal);
  });

  it('pipes, huge files, deep folders and strange names are reported', async () => {
    execFileSync('mkfifo', [join(skills, 'uno/tubo')]);
    put('skills/uno/references/grande.md');
    truncateSync(join(skills, 'uno/references/grande.md'), 1_048_577);
    put('skills/a/b/c/d/e/f/g/h/i.md');
    put('skills/uno/references/c:d.md');
    put('skills/uno/references/e\\f.md');
    expect((await listed()).filter(([, code]) => code)).toEqual([
      ['a/b/c/d/e/f/g/h', 'path_deep'],
      ['uno/references/c:d.md', 'path_unsafe'],
      ['uno/references/e\\f.md', 'path_unsafe'],
      ['uno/references/grande.md', 'file_large'],
      ['uno/tubo', 'file_special'],
    ]);
    const { skills: found, problems } = await loadSnapshot([root(diskStore(skills))]);
    expect([...found.keys()]).toEqual(['uno']);
    expect(problems.map((p) => p.code).sort()).toEqual(['file_large', 'file_special', 'path_deep', 'path_unsafe', 'path_unsafe']);
  });

  it('stops at too many files, and says of which', async () => {
    for (let i = 0; i < 30; i++) put(`skills/uno/references/${i}.md`);
    const found = await listed({ maxFiles: 10 });
    expect(found.filter(([, code]) => !code)).toHaveLength(10);
    expect(found.filter(([, code]) => code === 'files_many').length).toBeGreaterThan(0);
  });

  it('stops when all files together are too large, and says of which', async () => {
    for (let i = 0; i < 5; i++) put(`skills/uno/references/${i}.md`, 'x'.repeat(1_000));
    const found = await listed({ maxBytes: 3_000 });
    expect(found.filter(([, code]) => code === 'files_many').length).toBeGreaterThan(0);
    expect(found.filter(([, code]) => !code).length).toBeLessThanOrEqual(4);
  });

  it('a root that is missing is an error, unless it may be', async () => {
    await expect(diskStore(join(base, 'nada')).list()).rejects.toThrow();
    expect(await diskStore(join(base, 'nada'), { optional: true }).list()).toEqual([]);
  });

  it('a root that is itself a link is one', async () => {
    symlinkSync(skills, join(base, 'actual'));
    const store = diskStore(join(base, 'actual'));
    expect((await store.list()).map((e) => e.path)).toEqual(['uno/SKILL.md']);
    expect((await store.read('uno/SKILL.md')).length).toBeGreaterThan(0);
  });

  it('the time of a file is in the listing', async () => {
    utimesSync(join(skills, 'uno/SKILL.md'), 1, 1_000);
    expect((await diskStore(skills).list())[0]?.mtimeMs).toBe(1_000_000);
  });

  it.each([
    ['/srv/skills', '/srv/skills', true],
    ['/srv/skills', '/srv/skills/a', true],
    ['/srv/skills', '/srv/skills-evil/a', false],
    ['/srv/skills', '/srv/skillsa', false],
    ['/srv/skills', '/srv', false],
    ['/', '/a', true],
  ])('inside(%s, %s) is %s', (a, b, expected) => expect(inside(a, b)).toBe(expected));
});
