import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Env } from '../contracts/env.js';
import type { Pool } from '../db/client.js';
import type { Tools } from './mcp.js';

/** What the outside world is made of, passed to whoever talks to it. */
export interface Context {
  pool: Pool;
  tools: Tools;
  /** Null where nothing is signalled (tests of single activities). */
  temporal: Client | null;
  env: Env;
  log: Logger;
}
