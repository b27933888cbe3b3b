import pg from 'pg';

const types = new pg.TypeOverrides();
types.setTypeParser(20, Number); // bigint: our integers stay far below 2^53, and the ledger's constraints run in PostgreSQL
types.setTypeParser(1184, (v) => new Date(v).toISOString());
types.setTypeParser(1700, Number);

export type Pool = pg.Pool;

/** A pool with our type mapping: bigint → number, timestamptz → ISO 8601 UTC text. */
export const createPool = (url: string, options: { max?: number; name?: string } = {}): Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    types,
    application_name: options.name ?? 'campana',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // An idle connection that the server closes must not end the process; the next query opens another.
  pool.on('error', () => undefined);
  // Neither must one that is in use: its query fails with the same error, which is where it is dealt with.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

/** One connection inside a transaction (or the pool itself, for single statements). */
export interface Tx {
  /** Runs one statement; statements are prepared once per connection, under a name made from their text. */
  q<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}

let counter = 0;
const names = new Map<string, string>();
const nameOf = (text: string): string => {
  let name = names.get(text);
  if (!name) names.set(text, (name = `q${(counter += 1)}`));
  return name;
};

const runner = (target: Pool | pg.PoolClient): Tx => ({
  async q<Row extends object>(text: string, values: unknown[] = []) {
    const result = await target.query<Row>({ name: nameOf(text), text, values });
    return result.rows;
  },
});

/** Single statements outside a transaction. */
export const read = (pool: Pool): Tx => runner(pool);

/** Serialization failure, deadlock, and a server that is restarting: safe to run the whole transaction again. */
const RETRY = new Set(['40001', '40P01', '57P01', '57P02', '57P03', '08006', '08001', '08003', '53300']);
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
const isConnectionLoss = (error: unknown): boolean =>
  error instanceof Error &&
  (/Connection terminated|ECONNREFUSED|ECONNRESET|EPIPE|timeout exceeded when trying to connect/.test(error.message) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? ''));
export const isRetryable = (error: unknown): boolean => RETRY.has(codeOf(error) ?? '') || isConnectionLoss(error);

/**
 * Runs `fn` in one transaction, again on deadlocks, serialization failures and lost connections. A lost COMMIT reply means the
 * body may run twice, so every body is written as compare-and-set on rows.
 */
export const transaction = async <T>(pool: Pool, fn: (tx: Tx) => Promise<T>, attempts = 5): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    let client: pg.PoolClient | undefined;
    let broken = false;
    try {
      client = await pool.connect();
      await client.query('BEGIN');
      const result = await fn(runner(client));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      broken = isConnectionLoss(error);
      if (client && !broken) await client.query('ROLLBACK').catch(() => (broken = true));
      if (attempt >= attempts || !isRetryable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(50 * 2 ** attempt, 1000) * (0.5 + Math.random() / 2)));
    } finally {
      client?.release(broken);
    }
  }
};

/** The one row a statement must return. */
export const one = <Row>(rows: Row[], what: string): Row => {
  const [row] = rows;
  if (row === undefined) throw new Error(`${what}: no row`);
  return row;
};
