import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { readKitchenEnv } from '../../kitchen/config.js';
import { startKitchen } from '../../kitchen/start.js';
import { freshDatabase, PAID, TestKitchen } from './harness.js';

const digests = async (url: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const sets = await client.query<Record<string, unknown>>('SELECT name, digest, rows FROM sample_sets ORDER BY name');
    const counts = await client.query<Record<string, unknown>>(
      "SELECT (SELECT count(*)::int FROM companies) AS companies, (SELECT count(*)::int FROM people) AS people, (SELECT md5(string_agg(p::text, '' ORDER BY pos)) FROM people p) AS md5",
    );
    return [sets.rows, counts.rows];
  } finally {
    await client.end();
  }
};

describe('start', () => {
  it('loads the demo, the same rows every time, and not again', async () => {
    const [one, two] = [await freshDatabase(), await freshDatabase()];
    try {
      const options = { port: 0, tokens: [] };
      // Two servers at once on one database: one of them loads.
      const both = await Promise.all([
        startKitchen({ ...options, databaseUrl: one.url }),
        startKitchen({ ...options, databaseUrl: one.url }),
      ]);
      expect(both.flatMap((k) => k.loaded)).toEqual(['demo']);
      for (const k of both) await k.close();
      const again = await startKitchen({ ...options, databaseUrl: one.url });
      expect(again.loaded).toEqual([]);
      await again.close();
      await (await startKitchen({ ...options, databaseUrl: two.url })).close();
      expect(await digests(two.url)).toEqual(await digests(one.url));
    } finally {
      await one.drop();
      await two.drop();
    }
  });
  it('loads the bench set after the demo', async () => {
    const kitchen = await TestKitchen.start({ sample: 'grande' });
    try {
      const caller = await kitchen.connect();
      const page = await caller.get<{ total: number; companies: { company_id: string }[] }>('company_search', {
        activity: 'empaque',
        state: 'Jalisco',
      });
      expect(page.total).toBeGreaterThanOrEqual(6_080);
      expect(page.companies[0]?.company_id).toBe('emp-000004');
      expect(kitchen.running.loaded).toEqual(['demo', 'grande']);
    } finally {
      await kitchen.stop();
    }
  }, 180_000);
  it('answers five hundred calls, ten at once, each with its own rows', async () => {
    const kitchen = await TestKitchen.start();
    try {
      const caller = await kitchen.connect(PAID);
      let next = 0;
      const refs = new Set<string>();
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          while (next++ < 500)
            refs.add(
              JSON.stringify(
                (await caller.get<{ people: unknown[] }>('people_search', { company_id: 'emp-000004', role: 'compras' })).people,
              ),
            );
        }),
      );
      expect(refs.size).toBe(1);
    } finally {
      await kitchen.stop();
    }
  });
  it('speaks stdio with the workspace and scopes of the environment', async () => {
    const database = await freshDatabase();
    try {
      const client = new Client({ name: 'stdio-test', version: '1.0.0' });
      const entry = fileURLToPath(new URL('../../kitchen/stdio.ts', import.meta.url));
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: ['--import', 'tsx', entry],
          env: { PATH: process.env['PATH'] ?? '', KITCHEN_DATABASE_URL: database.url, KITCHEN_WORKSPACE: 'ws_stdio' },
        }),
      );
      const { tools } = await client.listTools();
      expect(tools.map((t) => t.name)).not.toContain('people_reveal');
      const usage = await client.callTool({ name: 'usage', arguments: {} });
      expect(usage.structuredContent).toMatchObject({ balances: { credits: 500 } });
      expect(await client.callTool({ name: 'people_reveal', arguments: {} })).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'forbidden_scope' } },
      });
      await client.close();
    } finally {
      await database.drop();
    }
  });
  it('names what is wrong in the environment and never its value', () => {
    expect(() => readKitchenEnv({})).toThrow(/KITCHEN_DATABASE_URL/);
    expect(() => readKitchenEnv({ KITCHEN_DATABASE_URL: 'x', KITCHEN_TOKENS: 'secret-thing' })).toThrow(/KITCHEN_TOKENS: is not JSON/);
    expect(() => readKitchenEnv({ KITCHEN_DATABASE_URL: 'x', KITCHEN_TOKENS: 'secret-thing' })).not.toThrow(/secret-thing/);
    expect(
      readKitchenEnv({ KITCHEN_DATABASE_URL: 'x', KITCHEN_HONOURS_KEYS: 'false', KITCHEN_FAULTS: '[{"kind":"latency","latency_ms":50}]' }),
    ).toMatchObject({ honoursKeys: false, faults: [{ kind: 'latency', tool: '*' }] });
  });
});
