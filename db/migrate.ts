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

/** Brings the campaign database up to date; safe to call from several processes at once (advisory lock). */
export const migrate = async (databaseUrl: string): Promise<void> => {
  const pool = createPool(databaseUrl, { max: 2 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const folder = migrationsFolder();
  const migrator = new Migrator({
    db,
    provider: {
      async getMigrations() {
        const files = (await readdir(folder)).filter((f) => f.endsWith('.sql')).sort();
        const entries = await Promise.all(files.map(async (file): Promise<[string, Migration]> => {
          const text = await readFile(join(folder, file), 'utf8');
          return [file.replace(/\.sql$/, ''), { up: async (tx) => void (await sql.raw(text).execute(tx)) }];
        }));
        return Object.fromEntries(entries);
      },
    },
  });
  try {
    const { error, results } = await migrator.migrateToLatest();
    const failed = results?.find((r) => r.status === 'Error');
    if (error) throw new Error(`Migration ${failed?.migrationName ?? ''} failed: ${error instanceof Error ? error.message : JSON.stringify(error)}`, { cause: error });
  } finally {
    await db.destroy();
  }
};
