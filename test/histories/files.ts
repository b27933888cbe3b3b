import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ROOT } from '../../stack/paths.js';

export const HISTORIES = join(ROOT, 'test', 'histories');

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
/** Who polled, in which process and from which machine: of no use for a replay, and of nobody's business. */
const OF_THE_MACHINE = new Set(['identity', 'binaryChecksum', 'lastWorkerIdentity', 'requestId', 'stackTrace']);

/** A history without what names the machine that it was recorded on. */
export const sanitize = (value: unknown): Json => {
  if (Array.isArray(value)) return value.map(sanitize);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, v]) => v !== undefined)
        .map(([key, v]) => {
          if (OF_THE_MACHINE.has(key)) return [key, key === 'identity' ? 'campana' : ''];
          // A sticky queue is named after the worker's process.
          if (key === 'taskQueue' && typeof v === 'object' && v !== null && (v as { kind?: string }).kind === 'TASK_QUEUE_KIND_STICKY')
            return [key, { name: 'sticky', kind: 'TASK_QUEUE_KIND_STICKY', normalName: 'campana' }];
          return [key, sanitize(v)];
        }),
    );
  }
  return typeof value === 'string' ? value.replaceAll(ROOT, '') : (value as Json);
};

/** A workflow's history as it was recorded, by scenario. */
export interface Golden {
  scenario: string;
  name: string;
  workflowId: string;
  history: { events: Array<Record<string, unknown>> };
  bytes: number;
}

/** All that are committed. */
export const readHistories = (): Golden[] =>
  readdirSync(HISTORIES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: scenario }) =>
      readdirSync(join(HISTORIES, scenario))
        .sort()
        .map((file) => {
          const packed = readFileSync(join(HISTORIES, scenario, file));
          const { workflowId, history } = JSON.parse(gunzipSync(packed).toString('utf8')) as Pick<Golden, 'workflowId' | 'history'>;
          return { scenario, name: file.replace('.json.gz', ''), workflowId, history, bytes: packed.length };
        }),
    );
