import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../../stack/databases.js';
import { endProcess, isRunning } from '../../stack/identity.js';
import { ROOT } from '../../stack/paths.js';
import { readRecord } from '../../stack/record.js';
import { findStack, startStack, type Stack } from '../../stack/up.js';
import { createDatabase } from '../support/database.js';
import { temporaryFolder } from '../support/stack.js';

const SERVERS = { ports: 'random', parts: ['postgres', 'temporal'], ui: false, durable: false } as const;

describe('the servers of a stack', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let stack: Stack;
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);

  beforeAll(async () => {
    folder = await temporaryFolder('campana-test-');
    stack = await startStack({ ...SERVERS, stateDir: folder.path, say });
  });
  afterAll(async () => {
    await stack.stop();
    await folder.remove();
  });

  it('says what it started and how long each took, and records it without secrets', async () => {
    expect(said.join('\n')).toMatch(/temporal +\d+\.\d\d s/);
    const record = await readRecord(folder.path);
    expect(Object.keys(record?.parts ?? {}).sort()).toEqual(['postgres', 'temporal']);
    const text = readFileSync(join(folder.path, 'stack.json'), 'utf8');
    const file = join(folder.path, 'postgres', 'passwords.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const password of Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>))
      expect(text).not.toContain(password);
  });

  it('is found and used by a second start, which does not stop it', async () => {
    const lines: string[] = [];
    const second = await startStack({ ...SERVERS, stateDir: folder.path, say: (line) => void lines.push(line) });
    expect(second.attached).toBe(true);
    expect(second.pids).toEqual(stack.pids);
    expect(lines[0]).toMatch(/is running already \(process \d+.*using it/);
    await second.stop();
    expect(isRunning(stack.pids.temporal ?? 0)).toBe(true);
    await expect(startStack({ ...SERVERS, stateDir: folder.path, attach: false, say })).rejects.toThrow(/running on/);
    expect((await findStack(folder.path))?.urls.temporal).toBe(stack.urls.temporal);
  });

  it('keeps two databases apart: each role enters its own only', async () => {
    const other = stack.databases.campana.replace(/\/campana$/, '/kitchen');
    await expect(withClient(other, (client) => client.query('select 1'))).rejects.toThrow(/permission denied/);
    await withClient(stack.databases.campana, (client) => client.query('create table own (id int)'));
  });

  it('brings PostgreSQL back with its rows after kill -9', async () => {
    const row = (sql: string): Promise<unknown> =>
      withClient(stack.databases.campana, async (client) => (await client.query(sql)).rows[0] as unknown);
    await row('create table kept (n int)');
    await row('insert into kept values (7)');
    await stack.kill('postgres');
    await expect(row('select 1')).rejects.toThrow();
    await stack.restart('postgres');
    expect(await row('select n from kept')).toEqual({ n: 7 });
  });

  it('brings Temporal back on the same address, with its search attributes, after kill -9', async () => {
    const before = stack.pids.temporal;
    await stack.kill('temporal');
    expect(stack.pids.temporal).toBeUndefined();
    await stack.restart('temporal');
    expect(stack.pids.temporal).not.toBe(before);
    expect((await readRecord(folder.path))?.parts.temporal?.pid).toBe(stack.pids.temporal);
  });
});

describe('a supervisor that was killed', () => {
  it('leaves servers that the next start stops; then nothing is left', async () => {
    const folder = await temporaryFolder('campana-test-');
    const code = `const { startStack } = await import(${JSON.stringify(join(ROOT, 'stack', 'up.ts'))});
      const s = await startStack({ ports: 'random', parts: ['postgres', 'temporal'], ui: false, durable: false, quiet: true, stateDir: ${JSON.stringify(folder.path)} });
      process.stdout.write(JSON.stringify(s.pids) + '\\n'); setInterval(() => {}, 1000);`;
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], CAMPANA_CACHE: process.env['CAMPANA_CACHE'] };
    const supervisor = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pids = await new Promise<Record<string, number>>((resolve) =>
      supervisor.stdout.once('data', (chunk: Buffer) => resolve(JSON.parse(chunk.toString()) as Record<string, number>)),
    );
    await endProcess(supervisor.pid ?? 0, 'SIGKILL', 5_000);
    expect(Object.values(pids).every(isRunning)).toBe(true);

    const lines: string[] = [];
    const next = await startStack({ ...SERVERS, stateDir: folder.path, say: (line) => void lines.push(line) });
    expect(lines.join('\n')).toMatch(/left running by an earlier start/);
    expect(Object.values(pids).some(isRunning)).toBe(false);
    const now = Object.values(next.pids);
    await next.stop();
    expect(now.some(isRunning)).toBe(false);
    expect(await readRecord(folder.path)).toBeUndefined();
    await folder.remove();
  });
});

describe('test databases', () => {
  it('are migrated, separate, and gone when dropped', async () => {
    const [one, two] = await Promise.all([createDatabase(), createDatabase()]);
    const tables = (url: string): Promise<number> =>
      withClient(
        url,
        async (client) => (await client.query("select 1 from information_schema.tables where table_schema = 'public'")).rowCount ?? 0,
      );
    expect(await tables(one.url)).toBeGreaterThan(3);
    expect(await tables(two.url)).toBe(await tables(one.url));
    await one.drop();
    await expect(tables(one.url)).rejects.toThrow(/does not exist/);
    await two.drop();
  });
});
