import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { commandOf, endProcess, isRunning } from './identity.js';
import type { PartSpec } from './part.js';
import { canReach, postgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import type { Say } from './screen.js';
import { said } from './words.js';

const run = promisify(execFile);

/** Passwords of the embedded server's roles; made once per data folder and kept beside it, mode 0600. */
export interface PostgresPasswords {
  postgres: string;
  campana: string;
  kitchen: string;
}

export interface EmbeddedPostgres {
  spec: PartSpec;
  passwords: PostgresPasswords;
  port: number;
  version: string;
}

/** As root the server runs as another user, who cannot enter a private home: its data then lives under /var/lib. */
const clusterDir = (stateDir: string, binaries: PostgresBinaries): string => {
  const wanted = join(stateDir, 'postgres');
  if (canReach(stateDir, binaries.user)) return wanted;
  return join('/var/lib/campana', createHash('sha256').update(stateDir).digest('hex').slice(0, 12));
};

const newPassword = (): string => randomBytes(24).toString('base64url');

const readPasswords = async (cluster: string): Promise<PostgresPasswords> => {
  const file = join(cluster, 'passwords.json');
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as PostgresPasswords;
  if (existsSync(join(cluster, 'data', 'PG_VERSION'))) {
    throw new Error(`${file} is gone, and without it the data in ${cluster} cannot be opened. Remove ${cluster} to start afresh.`);
  }
  const passwords = { postgres: newPassword(), campana: newPassword(), kitchen: newPassword() };
  await writeFile(file, JSON.stringify(passwords), { mode: 0o600 });
  return passwords;
};

/** Makes the data folder. Under another name until it is complete: an initdb killed half-way must not look finished. */
const initialise = async (cluster: string, binaries: PostgresBinaries, password: string, durable: boolean): Promise<void> => {
  const data = join(cluster, 'data');
  if (existsSync(join(data, 'PG_VERSION'))) return;
  const fresh = join(cluster, 'data.tmp');
  const passwordFile = join(cluster, 'initdb-password');
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (binaries.user) {
    await chown(fresh, binaries.user.uid, binaries.user.gid);
    await chown(passwordFile, binaries.user.uid, binaries.user.gid);
  }
  try {
    const flags = [
      `--pgdata=${fresh}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      ...(durable ? [] : ['--no-sync']),
    ];
    await run(binaries.initdb, flags, { cwd: '/', env: serverEnv(), ...binaries.user });
  } catch (error) {
    throw new Error(`initdb failed: ${(error as { stderr?: string }).stderr?.trim() || (error as Error).message}`, { cause: error });
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rm(data, { recursive: true, force: true });
  await rename(fresh, data);
};

/** A postmaster whose supervisor was killed serves on and would refuse a second start: end it (data is safe, it is an ordinary stop). */
const endLeftover = async (data: string, say: Say): Promise<void> => {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !isRunning(pid)) return;
  // The file outlives a crash and ids are reused: only a process that names this very folder is ours.
  if (!commandOf(pid).includes(data)) return;
  say(said('leftover', { part: 'postgres'.padEnd(11), pid }));
  await endProcess(pid, 'SIGINT', 30_000);
};

/** Nothing of our environment is the server's business, least of all keys. */
const serverEnv = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], LANG: 'C', LC_ALL: 'C', TZ: 'UTC' });

/** Connection URL of the embedded server. */
export const postgresUrl = (port: number, role: keyof PostgresPasswords, passwords: PostgresPasswords, database: string): string =>
  `postgres://${role}:${passwords[role]}@127.0.0.1:${port}/${database}`;

/** True when the server at `url` answers a query. */
export const answersQuery = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

export interface PreparePostgres {
  stateDir: string;
  logFile: string;
  port: number;
  /** False skips the flush of a new data folder (tests, whose folder is thrown away). Commits are always flushed. */
  durable: boolean;
  say: Say;
}

/**
 * Gets an embedded PostgreSQL ready to be started: binaries, data folder, passwords, no leftover of an earlier run.
 * @throws Error when there is no binary for this platform or the data folder cannot be made.
 */
export const preparePostgres = async ({ stateDir, logFile, port, durable, say }: PreparePostgres): Promise<EmbeddedPostgres> => {
  const binaries = await postgresBinaries();
  const cluster = clusterDir(stateDir, binaries);
  await mkdir(cluster, { recursive: true, mode: 0o755 });
  if (binaries.user) await chmod(cluster, 0o755);
  const data = join(cluster, 'data');
  await endLeftover(data, say);
  const passwords = await readPasswords(cluster);
  await initialise(cluster, binaries, passwords.postgres, durable);
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    log_min_messages: 'warning',
    timezone: 'UTC',
  };
  const spec: PartSpec = {
    name: 'postgres',
    command: binaries.postgres,
    args: ['-D', data, '-p', String(port), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    env: serverEnv(),
    cwd: '/',
    ...(binaries.user ? { user: binaries.user } : {}),
    logFile,
    detail: `127.0.0.1:${port} (PostgreSQL ${binaries.version})`,
    isReady: () => answersQuery(postgresUrl(port, 'postgres', passwords, 'postgres')),
    readyWithinMs: 60_000,
    // A dead server's last backend keeps its shared memory until its query ends, and then the lock file is free.
    retryStartMs: 40_000,
    stopSignal: 'SIGINT',
    stopWithinMs: 15_000,
  };
  return { spec, passwords, port, version: binaries.version };
};
