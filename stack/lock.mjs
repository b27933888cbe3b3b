// A lock that two processes on one machine can share: a folder, because `mkdir` is atomic everywhere.
// Plain JavaScript without dependencies: it runs before `npm ci`.
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { early } from './early-words.mjs';

/** A lock whose owner has not yet written its name is believed for this long, ms. */
const UNNAMED_MS = 5_000;

/** True when a process with this id exists (also when it belongs to another user). */
export const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const ownerOf = async (path) => {
  try {
    return JSON.parse(await readFile(join(path, 'owner.json'), 'utf8')).pid;
  } catch {
    return undefined;
  }
};

const isStale = async (path) => {
  const pid = await ownerOf(path);
  if (pid !== undefined) return !isAlive(pid);
  const age = await stat(path).then(
    (s) => Date.now() - s.mtimeMs,
    () => 0,
  );
  return age > UNNAMED_MS;
};

/**
 * Runs `work` while holding the lock folder `path`. A lock left by a dead process is taken over.
 * @param {string} path folder that is the lock; its parent is created.
 * @param {() => Promise<T>} work
 * @param {{ waitMs?: number, onWait?: (pid: number | undefined) => void }} options
 * @returns {Promise<T>}
 * @throws Error when another live process holds it for longer than `waitMs` (default 10 minutes).
 * @template T
 */
export const withLock = async (path, work, { waitMs = 600_000, onWait } = {}) => {
  await mkdir(join(path, '..'), { recursive: true });
  const until = Date.now() + waitMs;
  let told = false;
  for (;;) {
    try {
      await mkdir(path);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (await isStale(path)) {
      // Renaming first: of two processes that see the same stale lock, only one wins the rename.
      const aside = `${path}.stale.${process.pid}`;
      await rename(path, aside).then(
        () => rm(aside, { recursive: true, force: true }),
        () => undefined,
      );
      continue;
    }
    const pid = await ownerOf(path);
    if (!told) onWait?.(pid);
    told = true;
    if (Date.now() > until) throw new Error(early('lock_held', { path, pid: pid ?? '?' }));
    await sleep(100);
  }
  try {
    await writeFile(join(path, 'owner.json'), JSON.stringify({ pid: process.pid }));
    return await work();
  } finally {
    await rm(path, { recursive: true, force: true });
  }
};
