import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../read/digest.js';
import { forgetOwner, isAbandoned, newOwner, readOwner, withHeld, type Owner } from './held.js';
import { LOCK_FILE, writeWhole } from './lock.js';

const QUARANTINE = '.quarantine';
export const HELD_FILE = '.skills.lock.held';
const JOURNAL = 'journal.json';
const OWNER = 'owner.json';

/** Where things wait, on the same disk as the skills, so that what passes is moved by one rename. Hidden: no reader lists it. */
export interface Quarantine {
  folder: string;
  owner: Owner;
}

export const openQuarantine = async (workspace: string): Promise<Quarantine> => {
  const owner = newOwner();
  const folder = join(workspace, QUARANTINE, randomBytes(9).toString('hex'));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, OWNER), JSON.stringify(owner));
  return { folder, owner };
};
export const closeQuarantine = async ({ folder, owner }: Quarantine): Promise<void> => {
  // An archive that was refused halfway may have files under way.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  await rmdir(dirname(folder)).catch(() => undefined);
  forgetOwner(owner);
};

/** Renames of one change, in order, and the lock file that makes it count: before that one is written everything can be taken back. */
const Journal = z.object({ commit: z.string(), moves: z.array(z.object({ from: z.string(), to: z.string() })) });
export type Move = z.infer<typeof Journal>['moves'][number];

const takeBack = async (workspace: string, moves: readonly Move[]): Promise<void> => {
  for (const { from, to } of [...moves].reverse()) {
    const [a, b] = [join(workspace, from), join(workspace, to)];
    if (existsSync(a) || !existsSync(b)) continue;
    await mkdir(dirname(a), { recursive: true });
    await rename(b, a);
    if (dirname(b) !== workspace) await rmdir(dirname(b)).catch(() => undefined);
  }
};

export type Moment = 'journal' | 'moved' | 'committed';

/** Moves everything and writes the lock, or leaves everything as it was. Called while the workspace is held. */
export const change = async (
  workspace: string,
  quarantine: Quarantine,
  moves: readonly Move[],
  lockText: string,
  at: (moment: Moment) => Promise<void> | void = () => undefined,
): Promise<void> => {
  await writeWhole(join(quarantine.folder, JOURNAL), JSON.stringify({ commit: sha256(lockText), moves }));
  try {
    await at('journal');
    for (const { from, to } of moves) {
      await mkdir(dirname(join(workspace, to)), { recursive: true });
      await rename(join(workspace, from), join(workspace, to));
      await at('moved');
    }
    await writeWhole(join(workspace, LOCK_FILE), lockText);
  } catch (error) {
    await takeBack(workspace, moves);
    await rm(join(quarantine.folder, JOURNAL), { force: true });
    throw error;
  }
  await at('committed');
  for (const { from } of moves)
    if (dirname(from) !== '.' && !from.startsWith(QUARANTINE)) await rmdir(dirname(join(workspace, from))).catch(() => undefined);
};

/** Removes what dead installations left, after taking back what they had not finished. Called while the workspace is held. */
export const recover = async (workspace: string): Promise<void> => {
  const base = join(workspace, QUARANTINE);
  for (const name of await readdir(base).catch(() => [])) {
    const folder = join(base, name);
    const owner = join(folder, OWNER);
    if (existsSync(owner) && !(await isAbandoned(owner, await readOwner(owner)))) continue;
    if (!existsSync(owner) && !(await isAbandoned(folder, null))) continue;
    const journal = await readFile(join(folder, JOURNAL), 'utf8').then(
      (text) => Journal.parse(JSON.parse(text)),
      () => null,
    );
    const lock = await readFile(join(workspace, LOCK_FILE), 'utf8').catch(() => '');
    if (journal && sha256(lock) !== journal.commit) await takeBack(workspace, journal.moves);
    await rm(folder, { recursive: true, force: true });
  }
  await rmdir(base).catch(() => undefined);
};

/** The same where nobody holds the folder yet: all that is left over, or before reading only an interrupted change, which is all that a reader sees. */
export const recoverSoon = async (workspace: string, changesOnly = true): Promise<void> => {
  const names = await readdir(join(workspace, QUARANTINE)).catch(() => []);
  if (!names.some((name) => !changesOnly || existsSync(join(workspace, QUARANTINE, name, JOURNAL)))) return;
  // Held: its owner is alive and ends it. Not writable: whoever installs recovers.
  await withHeld(join(workspace, HELD_FILE), () => recover(workspace), { waitMs: 0 }).catch(() => undefined);
};
