import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { InstallRefusal } from './refusal.js';

export const LOCK_FILE = 'skills.lock.json';

const Name = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  .max(64);
const Path = z
  .string()
  .regex(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)?[a-z0-9]+(?:-[a-z0-9]+)*$/)
  .max(160);
export const LockEntry = z.object({
  /** What was asked for, and what it was then: a git commit, the sha256 of the archive, or that of a folder's files. */
  source: z.string().min(1),
  resolved: z.string().min(1),
  trust: z.enum(['propia', 'tercero']),
  version: z.string(),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  path: Path,
  installed_at: z.iso.datetime(),
});
export type LockEntry = z.infer<typeof LockEntry>;
export const Lock = z.object({ version: z.literal(1), skills: z.record(Name, LockEntry) });
export type Lock = z.infer<typeof Lock>;

export const isSlug = (text: string): boolean => Name.safeParse(text).success;
export const emptyLock = (): Lock => ({ version: 1, skills: {} });
/** Null when it is not what we write. */
export const parseLock = (text: string): Lock | null => {
  try {
    return Lock.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};
/** Sorted, so that a change shows as one in a diff. */
export const lockText = (lock: Lock): string =>
  `${JSON.stringify({ version: 1, skills: Object.fromEntries(Object.entries(lock.skills).sort(([a], [b]) => (a < b ? -1 : 1))) }, null, 2)}\n`;

/** What a workspace has installed; empty where nothing was. @throws InstallRefusal `lock_unreadable` */
export const readLock = async (folder: string): Promise<Lock> => {
  const path = join(folder, LOCK_FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return emptyLock();
    throw new InstallRefusal('lock_unreadable', { path });
  }
  const lock = parseLock(text);
  if (!lock) throw new InstallRefusal('lock_unreadable', { path });
  return lock;
};

const sync = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  // Some systems refuse to flush a folder.
  await handle
    .sync()
    .catch(() => undefined)
    .finally(() => handle.close());
};

/** The old or the new content, whatever happens on the way. */
export const writeWhole = async (path: string, text: string): Promise<void> => {
  const temporary = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o644);
    await handle
      .writeFile(text)
      .then(() => handle.sync())
      .finally(() => handle.close());
    await rename(temporary, path);
    await sync(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};
