import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../activities/log.js';
import { createTools } from '../activities/mcp.js';
import { startMaintenance } from '../activities/maintenance.js';
import { startOutbox } from '../activities/outbox.js';
import { suppressionKeyHolds } from '../activities/suppression-key.js';
import { createTemporal } from '../activities/temporal.js';
import type { Context } from '../activities/context.js';
import { warmChooser } from '../ada/choosers.js';
import { readEnv } from '../contracts/env.js';
import { createAnsweringPool } from '../db/api-pool.js';
import { openApi } from './context.js';
import { createMeters } from './metrics.js';
import { buildServer } from './server.js';
import { toolTokens } from './tool-tokens.js';

/** After this long the process ends even if something still hangs; the supervisor's own limit is 8 s. */
const STOP_WITHIN_MS = 7_000;
/** How long the start waits for the database; without it we listen all the same, and answer 503. */
const DATABASE_WITHIN_MS = 2_000;
/** No workspace can have a name with a space, so its library is the platform's alone. */
const PLATFORM_ONLY = 'platform only';

const env = readEnv();
const log = createLog(env.CAMPANA_LOG_LEVEL, 'api');
const meters = createMeters();
const pool = createAnsweringPool(env.DATABASE_URL, { max: 12, name: 'campana-api' });
const temporal = createTemporal((method) => meters.temporalCalls.inc({ method }));
const tools = createTools({ url: env.TOOLS_URL, token: toolTokens(env), timeoutMs: env.TOOLS_TIMEOUT_MS });
const ctx: Context = { pool, tools, temporal, env, log };

// Before anything is done that should have looked at the exclusions.
const keyHolds = suppressionKeyHolds(ctx).catch((error: unknown) => {
  log.fatal(error instanceof Error ? error.message : 'the key of the exclusions could not be looked at');
  process.exit(1);
});
await Promise.race([keyHolds, sleep(DATABASE_WITHIN_MS)]);

const outbox = startOutbox(ctx);
const maintenance = startMaintenance(ctx);
const { api, close } = await openApi(ctx, outbox, meters);
const app = await buildServer(api);
// What every workspace without recipes of its own uses; before anybody is served.
if (env.CAMPANA_CHAT !== 'off') warmChooser(await api.library(PLATFORM_ONLY));

let stopping = false;
const stop = async (signal: string): Promise<void> => {
  if (stopping) return;
  stopping = true;
  log.info({ signal }, 'stopping');
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  // While whoever listens still hears how the turns end.
  await api.turns.stop();
  await app.close();
  await Promise.allSettled([maintenance.stop(), outbox.stop()]);
  await Promise.allSettled([close(), tools.close(), temporal.connection.close(), pool.end()]);
  process.exit(0);
};
process.on('SIGTERM', () => void stop('SIGTERM'));
process.on('SIGINT', () => void stop('SIGINT'));

try {
  await app.listen({ host: env.CAMPANA_API_HOST, port: env.CAMPANA_API_PORT });
  log.info({ port: env.CAMPANA_API_PORT }, 'listening');
} catch (error) {
  log.fatal({ code: error instanceof Error && 'code' in error ? error.code : undefined, port: env.CAMPANA_API_PORT }, 'cannot listen');
  process.exit(1);
}
