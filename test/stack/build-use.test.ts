import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dropUnused, keepAsRelease, keepWhileRunning } from '../../stack/build-use.js';
import { endProcess, identify } from '../../stack/identity.js';
import { temporaryFolder } from '../support/stack.js';

describe('built files', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  const age = (path: string): string => {
    const then = new Date(Date.now() - 3 * 86_400_000);
    utimesSync(path, then, then);
    return path;
  };
  const file = (name: string): string => {
    writeFileSync(join(folder.path, name), name);
    return age(join(folder.path, name));
  };
  const page = (name: string): string => {
    mkdirSync(join(folder.path, name));
    writeFileSync(join(folder.path, name, 'index.html'), '');
    return age(join(folder.path, name));
  };
  /** What is left after a build, lists apart. */
  const left = async (): Promise<string[]> => {
    for (const name of readdirSync(folder.path)) age(join(folder.path, name));
    await dropUnused(folder.path);
    return readdirSync(folder.path)
      .filter((name) => !name.endsWith('.json'))
      .sort();
  };

  it('go a day after their last use', async () => {
    file('api-main-1.mjs');
    page('page-1');
    writeFileSync(join(folder.path, 'api-main-2.mjs'), 'fresh');
    await dropUnused(folder.path);
    expect(readdirSync(folder.path)).toEqual(['api-main-2.mjs']);
  });

  it('stay while a running stack was started from them, and go when it has stopped', async () => {
    const letGo = keepWhileRunning(folder.path, 'one state folder', [file('api-main-1.mjs'), page('page-1')]);
    const other = keepWhileRunning(folder.path, 'another', [file('workers-main-1.mjs'), join(folder.path, 'api-main-1.mjs')]);
    file('api-main-0.mjs');
    expect(await left()).toEqual(['api-main-1.mjs', 'page-1', 'workers-main-1.mjs']);
    await letGo();
    expect(await left()).toEqual(['api-main-1.mjs', 'workers-main-1.mjs']);
    await other();
    expect(await left()).toEqual([]);
  });

  it('go when the process that needed them was killed, also where another one has its number', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    const by = identify(child.pid ?? 0);
    file('api-main-1.mjs');
    const note = (name: string, who: { pid: number; startedAt: string }): void =>
      writeFileSync(join(folder.path, name), JSON.stringify({ by: who, files: ['api-main-1.mjs'] }));
    note('in-use-1-aa.json', by);
    expect(await left()).toEqual(['api-main-1.mjs']);
    await endProcess(by.pid, 'SIGKILL', 5_000);
    note('in-use-2-bb.json', { pid: process.pid, startedAt: 'long ago' });
    expect(await left()).toEqual([]);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('stay while they are a release, which is listed once however often it is built', async () => {
    const files = [file('api-main-1.mjs'), page('page-1')];
    const list = await keepAsRelease(folder.path, files);
    expect(await keepAsRelease(folder.path, [...files].reverse())).toBe(list);
    await keepAsRelease(folder.path, [file('api-main-2.mjs'), page('page-2')]);
    expect(await left()).toEqual(['api-main-1.mjs', 'api-main-2.mjs', 'page-1', 'page-2']);
    await rm(list);
    expect(await left()).toEqual(['api-main-2.mjs', 'page-2']);
  });
});
