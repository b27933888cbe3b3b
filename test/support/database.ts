import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.js';
import { withClient } from '../../stack/databases.js';
import { ROOT } from '../../stack/paths.js';

export interface TestDatabase {
  name: string;
  url: string;
  drop(): Promise<void>;
}

/** Any number: the lock under which the template is made once. */
const TEMPLATE_LOCK = 7_400_001;
let made = 0;

/** Superuser URL of the test server (set by test/global-setup.ts). */
export const adminUrl = (): string => {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run through vitest');
  return url;
};

const urlOf = (name: string): string => {
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  return url.href;
};

/** Named after the migrations, so that a server that outlives a run never hands out an old schema. */
const templateName = (): string => {
  const folder = join(ROOT, 'db', 'migrations');
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(join(folder, file)));
  return `campana_template_${hash.digest('hex').slice(0, 10)}`;
};

const ensureTemplate = (): Promise<string> =>
  withClient(adminUrl(), async (client) => {
    const name = templateName();
    const exists = async (): Promise<boolean> =>
      ((await client.query('select 1 from pg_database where datname = $1 and datistemplate', [name])).rowCount ?? 0) > 0;
    if (await exists()) return name;
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    try {
      if (await exists()) return name;
      await client.query(`drop database if exists ${name} with (force)`);
      await client.query(`create database ${name}`);
      await migrate(urlOf(name));
      // Marked last: a half-migrated one is never used.
      await client.query(`alter database ${name} is_template true`);
      return name;
    } finally {
      await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
    }
  });

/**
 * A database of one's own, copied from a migrated template (about 50 ms); `empty` leaves the migrations out.
 * Drop it when done, or leave it: the server goes with the run.
 */
export const createDatabase = async ({ empty = false } = {}): Promise<TestDatabase> => {
  const template = empty ? 'template0' : await ensureTemplate();
  const name = `campana_test_${process.pid}_${++made}_${Date.now().toString(36)}`;
  await withClient(adminUrl(), (client) => client.query(`create database ${name} template ${template}`));
  return { name, url: urlOf(name), drop: () => dropDatabase(name) };
};

/** Drops a test database, ending whoever is still connected. */
export const dropDatabase = async (name: string): Promise<void> => {
  await withClient(adminUrl(), (client) => client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`));
};
