import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withClient } from '../../stack/databases.js';
import { ROOT } from '../../stack/paths.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const run = promisify(execFile);
const names = readdirSync(join(ROOT, 'db', 'migrations'))
  .filter((f) => f.endsWith('.sql'))
  .map((f) => f.replace('.sql', ''))
  .sort();

describe('npm run migrate', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createDatabase({ empty: true });
  });
  afterEach(() => database.drop());

  const migrate = async (args: string[] = [], env: NodeJS.ProcessEnv = { DATABASE_URL: database.url }): Promise<string> =>
    (
      await run(process.execPath, ['stack/bootstrap.mjs', 'migrate', ...args], {
        cwd: ROOT,
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
      })
    ).stdout;
  const tables = (): Promise<number> =>
    withClient(
      database.url,
      async (client) => (await client.query("select 1 from information_schema.tables where table_schema = 'public'")).rowCount ?? 0,
    );
  const listed = (title: string): string => `${[title, ...names.map((name) => `  ${name}`)].join('\n')}\n`;

  it('lists with --dry-run what it would apply and changes nothing; then applies it; then has nothing to do', async () => {
    expect(await migrate(['--dry-run'])).toBe(listed('Would be applied:'));
    expect(await tables()).toBe(0);
    expect(await migrate()).toBe(listed('Applied:'));
    expect(await tables()).toBeGreaterThan(20);
    expect(await migrate()).toBe('Up to date: nothing to apply.\n');
    expect(await migrate(['--dry-run'])).toBe('Up to date: nothing would be applied.\n');
  });

  it('applies each once when two run at the same time', async () => {
    const both = await Promise.all([migrate(), migrate()]);
    expect(both.sort()).toEqual([listed('Applied:'), 'Up to date: nothing to apply.\n']);
  });

  it('fails with what is wrong: no database named, an unknown option, a migration that cannot be applied', async () => {
    await expect(migrate([], {})).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/DATABASE_URL is not set/) as string });
    await expect(migrate(['--dry'])).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/--dry/) as string });
    await withClient(database.url, (client) => client.query('create table suppressions (id int)'));
    await expect(migrate()).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^Migration 0001_core failed: /m) as string });
    expect(await tables()).toBeLessThan(5);
  });
});
