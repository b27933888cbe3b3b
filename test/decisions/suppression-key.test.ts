import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { suppressionKeyHolds } from '../../activities/suppression-key.js';
import type { Context } from '../../activities/context.js';
import { Env } from '../../contracts/env.js';
import { createPool, read, transaction, type Pool } from '../../db/client.js';
import { addSuppressions, suppressedAmong } from '../../db/suppressions.js';
import { ensureWorkspace } from '../../db/runs.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

const WHO = { sub: 'ana', workspace: 'ws_a', roles: [], channel: 'api' };
const entry = (value: string) => [{ kind: 'email' as const, value }];

describe('the key that the exclusions were hashed with', () => {
  let database: TestDatabase;
  let pool: Pool;
  let logs: string[];
  beforeEach(async () => {
    database = await createDatabase();
    pool = createPool(database.url, { max: 4 });
    logs = [];
    await ensureWorkspace(read(pool), 'ws_a');
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });
  const startWith = (key: string): Promise<void> => {
    const ctx: Pick<Context, 'pool' | 'env' | 'log'> = {
      pool,
      env: Env.parse({ DATABASE_URL: database.url, CAMPANA_SUPPRESSION_KEY: key }),
      log: pino({}, { write: (line: string) => void logs.push(line) }),
    };
    return suppressionKeyHolds(ctx);
  };
  const exclude = (key: string, value: string): Promise<unknown> => transaction(pool, (tx) => addSuppressions(tx, WHO, key, entry(value)));
  const listed = async (key: string, value: string): Promise<boolean> =>
    (await suppressedAmong(read(pool), 'ws_a', key, [entry(value)]))[0] === true;

  it('that changed under a running process finds no list rather than an empty one: nobody passes as not excluded', async () => {
    // Started while the list was empty; then another process, with another key, wrote the first entry.
    await startWith('the running key');
    await exclude('another key', 'a@example.com');
    await expect(listed('the running key', 'a@example.com')).rejects.toThrow(/not the key that the 1 stored exclusions were hashed with/);
    await expect(listed('the running key', 'b@example.com')).rejects.toThrow(/not the key/);
    expect(await listed('another key', 'a@example.com')).toBe(true);
    await read(pool).q(`delete from suppressions`);
    expect(await listed('the running key', 'a@example.com')).toBe(false);
  });

  it('is noted at first use; another one is refused at the start, with the way out and neither key in the text', async () => {
    await startWith('the first key');
    await exclude('the first key', 'a@example.com');
    await expect(startWith('another key')).rejects.toThrow(
      /not the key that the 1 stored exclusions were hashed with.*Set the former key again.*empty the table/,
    );
    await expect(startWith('another key')).rejects.not.toThrow(/first key|another key/);
    await startWith('the first key');
    expect(logs).toEqual([]);
  });

  it('is held to by what writes the list too, so that no list has entries of two keys', async () => {
    await exclude('the first key', 'a@example.com');
    await expect(exclude('another key', 'b@example.com')).rejects.toThrow(/CAMPANA_SUPPRESSION_KEY/);
    expect(await listed('the first key', 'a@example.com')).toBe(true);
    expect((await pool.query('select 1 from suppressions')).rowCount).toBe(1);
  });

  it('may change while the list is empty', async () => {
    await startWith('the first key');
    await startWith('another key');
    await exclude('another key', 'a@example.com');
    await expect(startWith('the first key')).rejects.toThrow(/CAMPANA_SUPPRESSION_KEY/);
  });

  it('cannot be proven for entries from before it was noted: the start says so, once', async () => {
    await exclude('the first key', 'a@example.com');
    await pool.query('delete from suppression_key');
    await startWith('the first key');
    await startWith('the first key');
    expect(logs).toHaveLength(1);
    expect(JSON.parse(logs[0] ?? '{}')).toMatchObject({
      exclusions: 1,
      msg: expect.stringMatching(/before their key was noted/) as string,
    });
  });

  it('of several processes that write at once with different keys, one key wins and every entry is of that key', async () => {
    const keys = ['one', 'two', 'three', 'four'];
    const done = await Promise.allSettled(keys.map((key) => exclude(key, `${key}@example.com`)));
    const won = keys.filter((_key, i) => done[i]?.status === 'fulfilled');
    expect(won).toHaveLength(1);
    expect(await listed(won[0] ?? '', `${won[0]}@example.com`)).toBe(true);
    expect((await pool.query('select 1 from suppressions')).rowCount).toBe(1);
  });

  it('is asked of a database that was not migrated: the start says what to do', async () => {
    await pool.query('drop table suppression_key');
    await expect(startWith('the first key')).rejects.toThrow(/npm run migrate/);
  });
});
