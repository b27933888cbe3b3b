import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Pool, PoolClient } from 'pg';
import { generateDemo, generateGrande } from './sample/generate.js';

/** Taken while the schema or the sample is written, so that two servers starting at once do it once. */
const LOCK = 7_411_001;

/** Columns of each sample table with their PostgreSQL types, in the order in which rows are sent. */
const TABLES = {
  companies: {
    pos: 'int4',
    company_id: 'text',
    name: 'text',
    rfc: 'text',
    domain: 'text',
    activity: 'text',
    state: 'text',
    size: 'text',
    supplier_id: 'text',
    sanctioned: 'bool',
  },
  people: {
    pos: 'int4',
    person_id: 'text',
    company_id: 'text',
    name: 'text',
    email: 'text',
    phone: 'text',
    title: 'text',
    area: 'text',
    seniority: 'text',
    seen_days: 'int4',
  },
  awards: {
    pos: 'int4',
    award_id: 'text',
    supplier_id: 'text',
    buyer: 'text',
    product: 'text',
    activity: 'text',
    state: 'text',
    amount_mxn: 'int4',
    awarded_on: 'date',
    procedure: 'text',
  },
  opportunities: {
    pos: 'int4',
    opportunity_id: 'text',
    title: 'text',
    buyer: 'text',
    product: 'text',
    activity: 'text',
    state: 'text',
    published_days: 'int4',
    deadline_days: 'int4',
    outcome: 'text',
    participation: 'text',
  },
  topics: { pos: 'int4', topic_id: 'text', title: 'text', summary: 'text', body: 'text', updated_on: 'date' },
} as const;
type Table = keyof typeof TABLES;
type Cell = string | number | boolean | null;

/** Inserts rows in groups: one array per column, unnested by the server. */
const insert = async (client: PoolClient, table: Table, rows: ReadonlyArray<object>): Promise<void> => {
  const columns = Object.entries(TABLES[table]);
  const text = `INSERT INTO ${table} (${columns.map(([name]) => name).join(', ')}) SELECT * FROM unnest(${columns.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ')})`;
  for (let from = 0; from < rows.length; from += 5_000) {
    const group = rows.slice(from, from + 5_000).map((row) => row as Record<string, Cell>);
    await client.query(
      text,
      columns.map(([name]) => group.map((row) => row[name] ?? null)),
    );
  }
};

/** A digest of rows, the same on every machine for the same sample. */
export const digestOf = (sets: Record<string, ReadonlyArray<object>>): string => {
  const hash = createHash('sha256');
  for (const [name, rows] of Object.entries(sets)) {
    hash.update(name);
    for (const row of rows) hash.update(JSON.stringify(row));
  }
  return hash.digest('hex');
};

const loadSet = async (client: PoolClient, name: string, sets: Partial<Record<Table, ReadonlyArray<object>>>): Promise<void> => {
  await client.query('BEGIN');
  try {
    let rows = 0;
    for (const [table, list] of Object.entries(sets)) {
      await insert(client, table as Table, list);
      rows += list.length;
    }
    await client.query('INSERT INTO sample_sets (name, digest, rows) VALUES ($1, $2, $3)', [
      name,
      digestOf(sets as Record<string, ReadonlyArray<object>>),
      rows,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
};

/**
 * Creates the schema and loads the sample when it is not there yet. Safe to call at every start and by several servers at once.
 * @param sample `grande` loads the bench set after the demo.
 * @returns what was loaded now and how long it took, in ms.
 */
export const prepareDatabase = async (pool: Pool, sample: 'demo' | 'grande'): Promise<{ loaded: string[]; ms: number }> => {
  const startedAt = performance.now();
  const loaded: string[] = [];
  const schema = await readFile(new URL('./schema.sql', import.meta.url), 'utf8');
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query(schema);
    const present = new Set((await client.query<{ name: string }>('SELECT name FROM sample_sets')).rows.map((r) => r.name));
    const wantsGrande = sample === 'grande' && !present.has('grande');
    if (!present.has('demo') || wantsGrande) {
      const demo = generateDemo();
      if (!present.has('demo')) {
        await loadSet(client, 'demo', demo);
        loaded.push('demo');
      }
      if (wantsGrande) {
        await loadSet(client, 'grande', generateGrande(demo));
        loaded.push('grande');
      }
      if (loaded.length > 0) await client.query('ANALYZE companies, people, awards');
    }
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    client.release();
  }
  return { loaded, ms: Math.round(performance.now() - startedAt) };
};
