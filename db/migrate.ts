import { readdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, Migrator, PostgresDialect, sql, type Migration } from 'kysely';
import { createPool } from './client.js';

/** The folder of SQL files, found from the sources and from a build of them alike. */
const migrationsFolder = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = join(folder, 'db', 'migrations');
    if (existsSync(candidate)) return candidate;
    const up = dirname(folder);
    if (up === folder) throw new Error('db/migrations was not found beside the program');
    folder = up;
  }
};

const readMigrations = async (): Promise<Record<string, Migration>> => {
  const folder = migrationsFolder();
  const files = (await readdir(folder)).filter((f) => f.endsWith('.sql')).sort();
  const entries = await Promise.all(
    files.map(async (file): Promise<[string, Migration]> => {
      const text = await readFile(join(folder, file), 'utf8');
      return [file.replace(/\.sql$/, ''), { up: async (tx) => void (await sql.raw(text).execute(tx)) }];
    }),
  );
  return Object.fromEntries(entries);
};

const withMigrator = async <T>(databaseUrl: string, work: (migrator: Migrator) => Promise<T>): Promise<T> => {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: createPool(databaseUrl, { max: 2, name: 'campana-migrate' }) }) });
  try {
    return await work(new Migrator({ db, provider: { getMigrations: readMigrations } }));
  } finally {
    await db.destroy();
  }
};

const textOf = (error: unknown): string => (error instanceof Error ? error.message : JSON.stringify(error));

/**
 * Brings the campaign database up to date, all of it in one transaction; safe to call from several processes at once (advisory lock: the
 * others wait and find nothing left to do).
 * @returns the names of what was applied by this call, in order
 * @throws Error with the name of the migration that failed; then nothing was changed
 */
export const migrate = (databaseUrl: string): Promise<string[]> =>
  withMigrator(databaseUrl, async (migrator) => {
    const { error, results = [] } = await migrator.migrateToLatest();
    const failed = results.find((r) => r.status === 'Error');
    if (error)
      throw new Error(
        failed ? `Migration ${failed.migrationName} failed: ${textOf(error)}` : `The database was not migrated: ${textOf(error)}`,
        { cause: error },
      );
    return results.filter((r) => r.status === 'Success').map((r) => r.migrationName);
  });

/** What `migrate` would apply, in order; changes nothing. */
export const pendingMigrations = (databaseUrl: string): Promise<string[]> =>
  withMigrator(databaseUrl, async (migrator) =>
    (await migrator.getMigrations()).filter((m) => m.executedAt === undefined).map((m) => m.name),
  );
