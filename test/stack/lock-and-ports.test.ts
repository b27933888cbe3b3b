import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identify, isSame } from '../../stack/identity.js';
import { withLock } from '../../stack/lock.mjs';
import { freePort, isFree, releasePorts } from '../../stack/ports.js';
import { temporaryFolder } from '../support/stack.js';

describe('a lock between processes', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('lets one in at a time and leaves nothing behind', async () => {
    const path = join(folder.path, 'a.lock');
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await sleep(20);
      inside--;
    };
    await Promise.all([withLock(path, work), withLock(path, work), withLock(path, work)]);
    expect(most).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  it('is taken over from a process that died', async () => {
    const path = join(folder.path, 'a.lock');
    mkdirSync(path);
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    writeFileSync(join(path, 'owner.json'), JSON.stringify({ pid: gone }));
    expect(await withLock(path, async () => 'in')).toBe('in');
  });

  it('names the live holder when it gives up', async () => {
    const path = join(folder.path, 'a.lock');
    mkdirSync(path);
    writeFileSync(join(path, 'owner.json'), JSON.stringify({ pid: process.pid }));
    await expect(withLock(path, async () => 'in', { waitMs: 150 })).rejects.toThrow(new RegExp(`a\\.lock.* ${process.pid}\\b`));
  });

  it('is released when the work fails', async () => {
    const path = join(folder.path, 'a.lock');
    await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(path)).toBe(false);
  });
});

describe('ports', () => {
  let busy: Server;
  let taken: number;
  beforeEach(async () => {
    busy = createServer();
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    taken = (busy.address() as AddressInfo).port;
  });
  afterEach(() => new Promise((resolve) => busy.close(resolve)));

  it('finds the next free one when the usual one is taken', async () => {
    expect(await isFree(taken)).toBe(false);
    const port = await freePort(taken);
    expect(port).toBeGreaterThan(taken);
    releasePorts([port]);
  });

  it('never gives the same one twice before it is bound', async () => {
    const ports = await Promise.all([freePort(), freePort(), freePort(taken), freePort(taken)]);
    expect(new Set(ports).size).toBe(4);
    releasePorts(ports);
  });
});

describe('recognising a process', () => {
  it('knows itself, and not another one under the same id', () => {
    const me = identify(process.pid);
    expect(isSame(me)).toBe(true);
    expect(isSame({ ...me, startedAt: 'another time' })).toBe(false);
  });
});
