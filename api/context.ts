import type { Context } from '../activities/context.js';
import { openLibraries } from '../ada/library/home.js';
import type { Outbox } from '../activities/outbox.js';
import { createAnsweringPool } from '../db/api-pool.js';
import { createVerifier } from './auth.js';
import { createHub } from './hub.js';
import { countLive } from '../db/operations.js';
import { addGauge, addGauges, createMeters, type Meters } from './metrics.js';
import { ProgressReader } from './progress-reader.js';
import type { ApiContext } from './types.js';

export interface OpenedApi { api: ApiContext; close(): Promise<void> }

/**
 * Everything the routes need beyond the shared context: keys, notifications, the progress reader, the skill libraries and meters.
 * @param meters the ones that the Temporal client counts into, when there is one
 */
export const openApi = async (ctx: Context, outbox: Pick<Outbox, 'kick' | 'state'>, meters: Meters = createMeters()): Promise<OpenedApi> => {
  const verify = await createVerifier(ctx.env);
  const pollPool = createAnsweringPool(ctx.env.DATABASE_URL, { max: 2, name: 'campana-progress', statementMs: 5_000 });
  const hub = createHub(ctx.env.DATABASE_URL);
  const reader = new ProgressReader(pollPool);
  const skills = openLibraries(ctx.env);
  addGauge(meters, 'campana_outbox_pending', 'Rows not delivered to Temporal yet', () => outbox.state().pending);
  addGauge(meters, 'campana_outbox_oldest_ms', 'Age of the oldest row not delivered yet', () => outbox.state().oldest_ms);
  addGauge(meters, 'campana_outbox_delivered', 'Rows delivered by this process', () => outbox.state().delivered);
  addGauge(meters, 'campana_progress_statements', 'Statements that answered progress requests', () => reader.counts.statements);
  addGauge(meters, 'campana_progress_answers', 'Progress requests answered by those statements', () => reader.counts.answers);
  addGauge(meters, 'campana_database_waiting', 'Requests that wait for a database connection', () => ctx.pool.waitingCount);
  addGauge(meters, 'campana_listening', '1 while notifications of PostgreSQL arrive', () => (hub.connected() ? 1 : 0));
  const live = cached(5_000, () => countLive(pollPool));
  addGauges(meters, 'campana_runs', 'Runs that are not over, by state', 'state', async () => Object.fromEntries((await live()).runs.map((r) => [r.state, r.n])));
  addGauge(meters, 'campana_effects_unconfirmed', 'Calls whose outcome nobody knows yet', async () => (await live()).unconfirmed);
  addGauge(meters, 'campana_run_idle_ms', 'The longest time that a running run has been without progress', async () => (await live()).idlest_ms);
  return {
    api: { ...ctx, verify, hub, reader, outbox, meters, pollPool, library: skills.snapshot },
    close: async () => {
      skills.close();
      await hub.stop();
      await pollPool.end();
    },
  };
};

/** One reading for everybody who asks within `ms`. */
const cached = <T>(ms: number, read: () => Promise<T>): (() => Promise<T>) => {
  let last: { at: number; value: Promise<T> } | undefined;
  return () => {
    if (!last || Date.now() - last.at > ms) last = { at: Date.now(), value: read() };
    return last.value;
  };
};
