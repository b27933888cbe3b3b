import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { bundleMismatch, dataConverterOf } from '../activities/codec/index.js';
import { createActivities } from '../activities/index.js';
import { createLog } from '../activities/log.js';
import { startMaintenance } from '../activities/maintenance.js';
import { createTools } from '../activities/mcp.js';
import { startOutbox } from '../activities/outbox.js';
import { suppressionKeyHolds } from '../activities/suppression-key.js';
import { createTemporal, QUEUES, temporalConfig } from '../activities/temporal.js';
import type { Context } from '../activities/context.js';
import { readEnv } from '../contracts/env.js';
import { parseToolTokens, tokenOf } from '../contracts/tool-tokens.js';
import { createPool } from '../db/client.js';

/** Cached workflows: a campaign is six (itself and its steps), so this many hundred can be open without replays. */
const CACHED_WORKFLOWS = 600;

const env = readEnv();
const log = createLog(env.CAMPANA_LOG_LEVEL, 'worker');
Runtime.install({
  logger: {
    log: (_l, m) => log.info(m),
    trace: () => undefined,
    debug: () => undefined,
    info: (m) => log.info(m),
    warn: (m, meta) => log.warn({ workflow: meta?.['workflowId'], activity: meta?.['activityType'] }, m),
    error: (m, meta) =>
      log.error({ workflow: meta?.['workflowId'], activity: meta?.['activityType'], failure: failureName(meta?.['error']) }, m),
  },
});
function failureName(error: unknown): string | undefined {
  // Names and codes only: a message may quote what a provider sent.
  return error instanceof Error ? ('code' in error ? `${error.name} ${String(error.code)}` : error.name) : undefined;
}

const mismatch = env.CAMPANA_WORKFLOW_BUNDLE ? bundleMismatch(readFileSync(env.CAMPANA_WORKFLOW_BUNDLE, 'utf8'), env) : null;
if (mismatch) {
  log.fatal({ bundle: env.CAMPANA_WORKFLOW_BUNDLE }, mismatch);
  process.exit(1);
}

const { connection: address, namespace } = temporalConfig();
const pool = createPool(env.DATABASE_URL, { max: 24, name: 'campana-worker' });
const tools = createTools({
  url: env.TOOLS_URL,
  token: tokenOf(parseToolTokens(env.TOOLS_TOKENS), { read: env.TOOLS_READ_TOKEN, paid: env.TOOLS_PAID_TOKEN }),
  timeoutMs: env.TOOLS_TIMEOUT_MS,
});
const ctx: Context = { pool, tools, temporal: createTemporal(), env, log };
// Before anything is done that should have looked at the exclusions.
await suppressionKeyHolds(ctx).catch((error: unknown) => {
  log.fatal(error instanceof Error ? error.message : 'the key of the exclusions could not be looked at');
  process.exit(1);
});
const connection = await connectPatiently();
const activities = createActivities(ctx);

const shared = {
  connection,
  namespace,
  dataConverter: dataConverterOf(env, { patient: true }),
  shutdownGraceTime: '5s',
  shutdownForceTime: '7s',
} satisfies WorkerOptions | Record<string, unknown>;
const workers = await Promise.all([
  Worker.create({
    ...shared,
    taskQueue: QUEUES.campana,
    activities: activities.rows,
    maxCachedWorkflows: CACHED_WORKFLOWS,
    maxConcurrentLocalActivityExecutions: 40,
    stickyQueueScheduleToStartTimeout: '1s',
    maxConcurrentWorkflowTaskExecutions: 40,
    ...(env.CAMPANA_WORKFLOW_BUNDLE
      ? { workflowBundle: { codePath: env.CAMPANA_WORKFLOW_BUNDLE } }
      : { workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)) }),
  }),
  Worker.create({
    ...shared,
    taskQueue: QUEUES.tools,
    activities: activities.tools,
    maxConcurrentActivityTaskExecutions: 200,
    maxHeartbeatThrottleInterval: '500ms',
    defaultHeartbeatThrottleInterval: '500ms',
  }),
  Worker.create({
    ...shared,
    taskQueue: QUEUES.model,
    activities: activities.model,
    maxConcurrentActivityTaskExecutions: 50,
    maxHeartbeatThrottleInterval: '500ms',
    defaultHeartbeatThrottleInterval: '500ms',
  }),
]);
const outbox = startOutbox(ctx);
const maintenance = startMaintenance(ctx);

let stopping = false;
const stop = (signal: string): void => {
  if (stopping) return;
  stopping = true;
  log.info({ signal }, 'stopping');
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
};
process.on('SIGTERM', () => {
  stop('SIGTERM');
});
process.on('SIGINT', () => {
  stop('SIGINT');
});

log.info({ queues: Object.values(QUEUES) }, 'polling');
let failed = false;
// A worker that failed must not sit there looking healthy: the process ends and is started again.
await Promise.all(workers.map((w) => w.run())).catch((error: unknown) => {
  failed = true;
  log.fatal({ failure: failureName(error) }, 'worker failed');
});
await Promise.allSettled([outbox.stop(), maintenance.stop()]);
await Promise.allSettled([tools.close(), connection.close(), pool.end()]);
process.exit(failed ? 1 : 0);

/** The server may still be starting, or be away for a while: waits for it instead of dying in a loop. */
async function connectPatiently(): Promise<NativeConnection> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { address: host, tls, apiKey } = address;
      return await NativeConnection.connect({
        ...(host ? { address: host } : {}),
        ...(tls !== undefined && tls !== null ? { tls } : {}),
        ...(typeof apiKey === 'string' ? { apiKey } : {}),
      });
    } catch (error) {
      if (attempt === 1 || attempt % 20 === 0) log.warn({ failure: failureName(error), attempt }, 'Temporal is not reachable yet');
      await new Promise((resolve) => setTimeout(resolve, Math.min(100 * attempt, 1000)));
    }
  }
}
