import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PartSpec } from './part.js';

/** Search attributes that the workflows set, with the server's type names. A cluster of one's own needs the same (docs/running.md). */
export const SEARCH_ATTRIBUTES = {
  WorkspaceId: 'Keyword',
  RunState: 'Keyword',
  CurrentStep: 'Keyword',
  PlanVersion: 'Int',
  DecisionId: 'Keyword',
  WaitingSince: 'Datetime',
  HasUnconfirmed: 'Bool',
  HeldCredits: 'Int',
  BlockedBy: 'Keyword',
} as const;

/** Server settings that a laptop-sized server needs to answer in milliseconds; docs/running.md names them for clusters. */
const DYNAMIC_CONFIG = {
  'history.transferProcessorMaxPollRPS': '100000',
  'system.enableActivityEagerExecution': 'true',
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
};

export interface TemporalPorts {
  grpc: number;
  http: number;
  metrics: number;
  /** Undefined: no UI. */
  ui: number | undefined;
}

const getJson = async (url: string): Promise<unknown> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
};

/** True when the server answers for namespace `default` through its frontend. */
export const answersTemporal = async (httpPort: number): Promise<boolean> => {
  await getJson(`http://127.0.0.1:${httpPort}/api/v1/namespaces/default`);
  return true;
};

/** True when a worker has asked for workflow tasks of `queue` since `since` (ms epoch). */
export const hasPoller = async (httpPort: number, queue: string, since: number): Promise<boolean> => {
  const url = `http://127.0.0.1:${httpPort}/api/v1/namespaces/default/task-queues/${queue}?taskQueueType=TASK_QUEUE_TYPE_WORKFLOW`;
  const { pollers = [] } = (await getJson(url)) as { pollers?: { lastAccessTime: string }[] };
  return pollers.some((poller) => Date.parse(poller.lastAccessTime) >= since);
};

/**
 * The dev server as a part: a SQLite file in WAL mode, which survives kill -9; never in memory.
 * @param codecEndpoint where its UI has payloads decoded; undefined: it shows them as they are
 */
export const temporalSpec = (binary: string, stateDir: string, logFile: string, ports: TemporalPorts, codecEndpoint?: string): PartSpec => {
  mkdirSync(join(stateDir, 'temporal'), { recursive: true, mode: 0o700 });
  const ui =
    ports.ui === undefined
      ? ['--headless']
      : ['--ui-port', String(ports.ui), ...(codecEndpoint ? ['--ui-codec-endpoint', codecEndpoint] : [])];
  return {
    name: 'temporal',
    command: binary,
    args: [
      'server',
      'start-dev',
      '--ip',
      '127.0.0.1',
      '--port',
      String(ports.grpc),
      '--http-port',
      String(ports.http),
      '--metrics-port',
      String(ports.metrics),
      ...ui,
      '--namespace',
      'default',
      '--log-level',
      'error',
      '--db-filename',
      join(stateDir, 'temporal', 'temporal.db'),
      '--sqlite-pragma',
      'journal_mode=wal',
      '--sqlite-pragma',
      'synchronous=normal',
      ...Object.entries(DYNAMIC_CONFIG).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
      ...Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
    ],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TZ: 'UTC' },
    cwd: stateDir,
    logFile,
    detail: `127.0.0.1:${ports.grpc}${ports.ui === undefined ? '' : `, UI http://127.0.0.1:${ports.ui}`}`,
    isReady: () => answersTemporal(ports.http),
    readyWithinMs: 60_000,
    retryStartMs: 5_000,
    stopSignal: 'SIGTERM',
    stopWithinMs: 8_000,
  };
};
