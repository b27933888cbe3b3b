import { createPool, type Pool } from './client.js';

/**
 * A pool for a process that answers people: a connection is waited for at most `connectMs`, a statement runs at most
 * `statementMs`, so that a database in trouble becomes a 503 and not a request that hangs.
 */
export const createAnsweringPool = (
  url: string,
  options: { max: number; name: string; connectMs?: number; statementMs?: number },
): Pool => {
  const target = new URL(url);
  target.searchParams.set('statement_timeout', String(options.statementMs ?? 15_000));
  const pool = createPool(target.href, { max: options.max, name: options.name });
  pool.options.connectionTimeoutMillis = options.connectMs ?? 2_000;
  return pool;
};
