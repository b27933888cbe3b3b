import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diskStore } from '../../../ada/library/read/disk-store.js';
import { libraries, openLibrary } from '../../../ada/library/read/library.js';
import { memoryStore, type MemoryStore } from '../../../ada/library/read/memory-store.js';
import type { Store } from '../../../ada/library/types.js';
import { expectExplained, root, skillFile } from './support.js';

/** A store that counts. */
const counting = (store: Store): Store & { lists: number; reads: string[] } => {
  const counted = {
    lists: 0,
    reads: [] as string[],
    list: () => {
      counted.lists++;
      return store.list();
    },
    read: (path: string) => {
      counted.reads.push(path);
      return store.read(path);
    },
  };
  return counted;
};
const clock = (): { now: () => number; pass: (ms: number) => void } => {
  let at = 1_000_000;
  return {
    now: () => at,
    pass: (ms) => {
      at += ms;
    },
  };
};

describe('library', () => {
  let memory: MemoryStore;
  beforeEach(() => {
    memory = memoryStore({ 'uno/SKILL.md': skillFile('uno'), 'dos/SKILL.md': skillFile('dos') });
  });

  it('gives the same snapshot while nothing changes, and reads each file once', async () => {
    const store = counting(memory);
    const library = openLibrary({ roots: [root(store)], now: clock().now });
    const first = await library.snapshot();
    expect(await library.snapshot()).toBe(first);
    expect(store.reads.sort()).toEqual(['dos/SKILL.md', 'uno/SKILL.md']);
  });

  it('an edit changes nothing in the snapshot that a turn holds; the next has it, and only that file is read', async () => {
    const store = counting(memory);
    const library = openLibrary({ roots: [root(store)], now: clock().now });
    const before = await library.snapshot();
    const held = before.skills.get('uno');
    const untouched = before.skills.get('dos');
    store.reads.length = 0;
    memory.write('uno/SKILL.md', skillFile('uno', 'Otra cosa.'));
    memory.remove('nada');
    expect(before.skills.get('uno')).toBe(held);
    expect(held?.description).toBe('Hace algo.');
    const after = await library.snapshot();
    expect(after.skills.get('uno')?.description).toBe('Otra cosa.');
    expect(before.skills.get('uno')?.description).toBe('Hace algo.');
    expect(after.digest).not.toBe(before.digest);
    expect(after.skills.get('dos')).toBe(untouched); // not parsed again
    expect(store.reads).toEqual(['uno/SKILL.md']);
  });

  it('new, broken and removed skills appear at the next call', async () => {
    const library = openLibrary({ roots: [root(memory)], now: clock().now });
    await library.snapshot();
    memory.write('tres/SKILL.md', skillFile('tres'));
    memory.write('uno/SKILL.md', 'roto');
    memory.remove('dos/SKILL.md');
    const after = await library.snapshot();
    expect([...after.skills.keys()]).toEqual(['tres']);
    expect(after.problems).toEqual([expect.objectContaining({ code: 'fence_missing', path: 'uno/SKILL.md' })]);
  });

  it('callers at the same moment share one load', async () => {
    const store = counting(memory);
    const library = openLibrary({ roots: [root(store)] });
    const all = await Promise.all(Array.from({ length: 20 }, () => library.snapshot()));
    expect(new Set(all).size).toBe(1);
    expect(store.lists).toBe(1);
  });

  it('a load that fails keeps the old snapshot with a problem, and is tried again', async () => {
    let fails = false;
    const library = openLibrary({
      roots: [root({ list: () => (fails ? Promise.reject(new Error('EIO')) : memory.list()), read: memory.read })],
      now: clock().now,
    });
    const before = await library.snapshot();
    fails = true;
    const during = await library.snapshot();
    expect(during.skills).toBe(before.skills);
    expect(during.problems).toEqual([expect.objectContaining({ code: 'reload_failed', severity: 'error', root: 'platform' })]);
    during.problems.forEach(expectExplained);
    fails = false;
    expect((await library.snapshot()).problems).toEqual([]);
  });

  it('a first load that fails says so and does not stop anybody', async () => {
    const library = openLibrary({ roots: [root({ list: () => Promise.reject(new Error('ENOENT')), read: memory.read })] });
    expect((await library.snapshot()).problems).toEqual([expect.objectContaining({ code: 'root_unreadable' })]);
  });

  it('a file that cannot be read is reported and tried at the next call', async () => {
    let fails = true;
    const library = openLibrary({
      roots: [
        root({
          list: memory.list,
          read: (path) => (fails && path.startsWith('uno') ? Promise.reject(new Error('EACCES')) : memory.read(path)),
        }),
      ],
      now: clock().now,
    });
    const during = await library.snapshot();
    expect([...during.skills.keys()]).toEqual(['dos']);
    expect(during.problems).toEqual([expect.objectContaining({ code: 'file_unreadable', path: 'uno/SKILL.md' })]);
    fails = false;
    expect([...(await library.snapshot()).skills.keys()]).toEqual(['dos', 'uno']);
  });
});

describe('library on disk', () => {
  let base: string;
  const path = (): string => join(base, 'uno/SKILL.md');
  const time = new Date(1_700_000_000_000);
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'campana-library-'));
    mkdirSync(join(base, 'uno'));
    writeFileSync(path(), skillFile('uno', 'Hace algo.'));
    utimesSync(path(), time, time);
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  it('an edit that keeps time and size is found when its time is up, or when asked for', async () => {
    const { now, pass } = clock();
    const library = openLibrary({ roots: [root(diskStore(base))], ttlMs: 30_000, now });
    const first = await library.snapshot();
    const edit = (description: string): void => {
      const { size } = statSync(path());
      writeFileSync(path(), skillFile('uno', description));
      utimesSync(path(), time, time);
      expect(statSync(path()).size).toBe(size);
    };
    edit('Hace otro.');
    pass(29_999);
    expect(await library.snapshot()).toBe(first);
    pass(1);
    const second = await library.snapshot();
    expect(second.skills.get('uno')?.description).toBe('Hace otro.');
    edit('Hace esto.');
    expect(await library.snapshot()).toBe(second);
    expect((await library.reload()).skills.get('uno')?.description).toBe('Hace esto.');
    // Nothing changed: the same object, although everything was read.
    const third = await library.snapshot();
    pass(60_000);
    expect(await library.snapshot()).toBe(third);
  });

  it('an edit in place and one by renaming are seen at once', async () => {
    const library = openLibrary({ roots: [root(diskStore(base))] });
    await library.snapshot();
    writeFileSync(path(), skillFile('uno', 'En su lugar.'));
    expect((await library.snapshot()).skills.get('uno')?.description).toBe('En su lugar.');
    writeFileSync(join(base, '.nuevo'), skillFile('uno', 'Renombrada aquí.'));
    renameSync(join(base, '.nuevo'), path());
    expect((await library.snapshot()).skills.get('uno')?.description).toBe('Renombrada aquí.');
  });

  it('a root that goes away keeps what was there', async () => {
    const library = openLibrary({ roots: [root(diskStore(base))] });
    await library.snapshot();
    rmSync(base, { recursive: true });
    const after = await library.snapshot();
    expect([...after.skills.keys()]).toEqual(['uno']);
    expect(after.problems).toEqual([expect.objectContaining({ code: 'reload_failed' })]);
  });
});

describe('libraries', () => {
  const stores = (): Record<string, MemoryStore> => ({
    a: memoryStore({ 'de-a/SKILL.md': skillFile('de-a'), 'comun/SKILL.md': skillFile('comun', 'De A.') }),
    b: memoryStore({ 'comun/SKILL.md': skillFile('comun', 'De B.') }),
  });

  it('two workspaces at once see the platform and their own only', async () => {
    const own = stores();
    const platform = memoryStore({ 'uno/SKILL.md': skillFile('uno') });
    const all = libraries({
      platform: [root(platform)],
      workspaceRoot: (ws) => (own[ws] ? root(own[ws], { id: `ws-${ws}`, trust: 'propia' }) : null),
    });
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((ws) => all.snapshot(ws)));
    expect([...(a?.skills.keys() ?? [])]).toEqual(['comun', 'de-a', 'uno']);
    expect([...(b?.skills.keys() ?? [])]).toEqual(['comun', 'uno']);
    expect([...(c?.skills.keys() ?? [])]).toEqual(['uno']);
    expect([a, b].map((s) => s?.skills.get('comun')?.description)).toEqual(['De A.', 'De B.']);
    expect(a?.problems).toEqual([]);

    own['a']?.write('nueva/SKILL.md', skillFile('nueva'));
    own['a']?.write('roto/SKILL.md', 'roto');
    expect((await all.snapshot('a')).skills.has('nueva')).toBe(true);
    const again = await all.snapshot('b');
    expect(again).toBe(b);
    expect(again.problems).toEqual([]);
    // One that breaks its own name breaks it for itself.
    own['a']?.write('uno/SKILL.md', skillFile('uno'));
    expect((await all.snapshot('a')).skills.has('uno')).toBe(false);
    expect((await all.snapshot('b')).skills.has('uno')).toBe(true);
    platform.write('dos/SKILL.md', skillFile('dos'));
    for (const ws of ['a', 'b', 'c']) expect((await all.snapshot(ws)).skills.has('dos')).toBe(true);
  });

  it('those used least lately are dropped, and come back', async () => {
    const made: string[] = [];
    const all = libraries({
      platform: [],
      workspaceRoot: (ws) => {
        made.push(ws);
        return null;
      },
      max: 2,
    });
    for (const ws of ['a', 'b', 'a', 'c', 'a', 'b']) await all.snapshot(ws);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });

  it('a thousand names of objects as workspaces are names', async () => {
    const all = libraries({ platform: [root(memoryStore({ 'uno/SKILL.md': skillFile('uno') }))], workspaceRoot: () => null });
    for (const ws of ['__proto__', 'constructor', 'toString']) expect((await all.snapshot(ws)).skills.size).toBe(1);
  });
});
