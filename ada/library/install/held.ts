import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { InstallRefusal } from './refusal.js';

/** Who works in a workspace's folder. The token tells two owners of one process apart, and a dead one whose process id came back. */
const Owner = z.object({ pid: z.int(), host: z.string(), token: z.string(), at: z.string() });
export type Owner = z.infer<typeof Owner>;

/** What is held for longer than this on another machine, or without a name, is nobody's: holding takes moments. */
const ABANDONED_MS = 120_000;
const UNNAMED_MS = 5_000;
const STEALING_MS = 10_000;

const mine = new Set<string>();
const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

export const newOwner = (): Owner => {
  const owner = { pid: process.pid, host: hostname(), token: randomBytes(9).toString('base64url'), at: new Date().toISOString() };
  mine.add(owner.token);
  return owner;
};
export const forgetOwner = (owner: Owner): void => void mine.delete(owner.token);
export const readOwner = async (path: string): Promise<Owner | null> => {
  try {
    return Owner.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
};
const age = (path: string): Promise<number> =>
  stat(path).then(
    (s) => Date.now() - s.mtimeMs,
    () => 0,
  );

/** Whether what a file says is held was left behind by somebody who died. */
export const isAbandoned = async (path: string, owner: Owner | null): Promise<boolean> => {
  if (!owner) return (await age(path)) > UNNAMED_MS;
  // A container starts over with the same process ids: ours are only those that we remember.
  if (owner.host === hostname()) return owner.pid === process.pid ? !mine.has(owner.token) : !alive(owner.pid);
  return (await age(path)) > ABANDONED_MS;
};

const create = async (path: string, content: string): Promise<boolean> => {
  try {
    const handle = await open(path, 'wx');
    await handle.writeFile(content).finally(() => handle.close());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/** Of several who see the same dead owner only one may take its file away, or the second would take a live one's. */
const takeAway = async (path: string): Promise<void> => {
  const stealing = `${path}.stealing`;
  if (!(await create(stealing, ''))) {
    if ((await age(stealing)) > STEALING_MS) await rm(stealing, { force: true });
    return;
  }
  try {
    if (await isAbandoned(path, await readOwner(path)))
      await rename(path, `${stealing}.old`).then(
        () => rm(`${stealing}.old`, { force: true }),
        () => undefined,
      );
  } finally {
    await rm(stealing, { force: true });
  }
};

export interface HeldOptions {
  waitMs?: number;
  signal?: AbortSignal;
  onWait?: (owner: Owner | null) => void;
}

/**
 * Runs `work` while the file `path` says that we do. An owner that died is replaced.
 * @throws InstallRefusal `lock_held` with who holds it, when that takes longer than `waitMs`.
 */
export const withHeld = async <T>(
  path: string,
  work: () => Promise<T>,
  { waitMs = 15_000, signal, onWait }: HeldOptions = {},
): Promise<T> => {
  const owner = newOwner();
  const until = Date.now() + waitMs;
  let told = false;
  try {
    while (!(await create(path, JSON.stringify(owner)))) {
      const holder = await readOwner(path);
      if (await isAbandoned(path, holder)) {
        await takeAway(path);
        await sleep(10);
        if (Date.now() <= until + STEALING_MS) continue;
      }
      if (!told) onWait?.(holder);
      told = true;
      if (Date.now() >= until)
        throw new InstallRefusal('lock_held', { pid: holder?.pid ?? 0, host: holder?.host ?? '?', since: holder?.at ?? '?', path });
      await sleep(50, undefined, signal ? { signal } : {});
    }
    try {
      return await work();
    } finally {
      if ((await readOwner(path))?.token === owner.token) await rm(path, { force: true });
    }
  } finally {
    forgetOwner(owner);
  }
};
