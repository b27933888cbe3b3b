import type { Server } from 'node:http';
import { Pool } from 'pg';
import { CallLog } from './calls.js';
import type { KitchenOptions } from './config.js';
import { makeControlServer } from './control.js';
import { Faults } from './faults.js';
import { makeHttpServer } from './http.js';
import { Kitchen } from './kitchen.js';
import { loadLibrary } from './library.js';
import { ExchangeTransport, makeServer } from './protocol.js';
import { prepareDatabase } from './seed.js';
import { Store } from './store.js';

export type { KitchenOptions, TokenGrant } from './config.js';
export type { Fault, FaultInput } from './faults.js';

/** A running tool server. */
export interface RunningKitchen {
  /** Where clients connect: `http://host:port/mcp`. */
  url: string;
  /** Base of the control endpoint, or null without a control token. */
  controlUrl: string | null;
  /** What the start had to load, and how long it took until ready, in ms. */
  loaded: string[];
  loadMs: number;
  bootMs: number;
  close: () => Promise<void>;
}

const listen = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** The tools with their database ready; what both transports share. Close it to end the database connections. */
export const openKitchen = async (
  options: KitchenOptions,
): Promise<{ kitchen: Kitchen; loaded: string[]; loadMs: number; pool: Pool; close: () => Promise<void> }> => {
  const pool = new Pool({ connectionString: options.databaseUrl, max: 10, application_name: 'kitchen' });
  // An idle connection that dies (database restarted) must not end the process; the next query gets a fresh one.
  pool.on('error', () => undefined);
  // Nor one that is in use: its query fails with the same error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    const { loaded, ms: loadMs } = await prepareDatabase(pool, options.sample ?? 'demo');
    const library = await loadLibrary(pool);
    const store = new Store(pool, options.honoursKeys ?? true);
    for (const workspace of new Set((options.tokens ?? []).map((t) => t.workspace))) await store.ensureWorkspace(workspace);
    const calls = new CallLog(pool, options.controlToken !== undefined);
    const kitchen = new Kitchen(library, store, new Faults(options.faults ?? []), calls, options.undoWindowMs ?? 600_000);
    return {
      kitchen,
      loaded,
      loadMs,
      pool,
      close: async () => {
        kitchen.faults.remove();
        await calls.close();
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
};

/**
 * Starts the tool server in this process: schema, sample, HTTP, and the control endpoint when a token for it is given.
 * @throws when the database cannot be reached or a port is taken.
 */
export const startKitchen = async (options: KitchenOptions): Promise<RunningKitchen> => {
  const startedAt = performance.now();
  const { kitchen, loaded, loadMs, pool, close } = await openKitchen(options);
  const transport = new ExchangeTransport();
  await makeServer(kitchen).connect(transport);
  const host = options.host ?? '127.0.0.1';
  const http = makeHttpServer(transport, options.tokens ?? [], () =>
    pool.query('SELECT 1').then(
      () => true,
      () => false,
    ),
  );
  const control = options.controlToken === undefined ? null : makeControlServer(kitchen, options.controlToken);
  try {
    const port = await listen(http, options.port ?? 7411, host);
    // Always loopback, whatever the host of the tools is.
    const controlPort = control ? await listen(control, options.controlPort ?? 7412, '127.0.0.1') : 0;
    return {
      url: `http://${host}:${port}/mcp`,
      controlUrl: control ? `http://127.0.0.1:${controlPort}` : null,
      loaded,
      loadMs,
      bootMs: Math.round(performance.now() - startedAt),
      close: async () => {
        await Promise.all([stop(http), control ? stop(control) : undefined]);
        await transport.close();
        await close();
      },
    };
  } catch (error) {
    http.close();
    await close();
    throw error;
  }
};
