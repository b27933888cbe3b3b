import type { Client } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { text } from '../contracts/catalog/index.js';
import { createAnsweringPool } from '../db/api-pool.js';
import { listen } from '../db/listen.js';
import {
  hurryOutbox,
  leaseOutbox,
  markDelivered,
  outboxStats,
  postpone,
  startPending,
  type OutboxRow,
  type OutboxStats,
} from '../db/outbox.js';
import { ATTRIBUTES, QUEUES } from './temporal.js';
import type { Context } from './context.js';

const POLL_MS = 1_000;
/** Deadline of one RPC, and how long a run's rows are ours: long enough for two slow RPCs of the same run. */
const RPC_MS = 3_000;
const LEASE_MS = 8_000;
/** Runs delivered at the same time by one process. */
const RUNS_AT_ONCE = 16;
const STATS_EVERY = 5;

export interface OutboxState extends OutboxStats {
  /** False after an RPC that found nobody, until one succeeds. */
  reachable: boolean;
  delivered: number;
  failed: number;
  /** ms from commit to delivery of the last row. */
  last_latency_ms: number;
}
export interface Outbox {
  /** Looks at once; called after a commit that put something in. */
  kick(): void;
  state(): OutboxState;
  /** Stops leasing and waits for what is being delivered. */
  stop(): Promise<void>;
}

const codeOf = (error: unknown): number | undefined => {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth += 1)
    if ('code' in e && typeof e.code === 'number') return e.code;
  return undefined;
};
/** gRPC CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE: nobody answered, whatever the run. */
const isUnreachable = (error: unknown): boolean => [1, 4, 14].includes(codeOf(error) ?? -1);

const deliverStart = async (client: Client, row: OutboxRow): Promise<string | null> => {
  if (!('workflow_type' in row.payload)) throw new Error(`outbox row ${row.id} is no start`);
  const { workflow_type: type, cuentas } = row.payload;
  const attributes: SearchAttributePair[] = [
    { key: ATTRIBUTES.workspace, value: row.workspace_id },
    { key: ATTRIBUTES.state, value: 'ready' },
    { key: ATTRIBUTES.step, value: 's0' },
    { key: ATTRIBUTES.planVersion, value: 1 },
  ];
  try {
    await client.workflow.start(type, {
      workflowId: row.workflow_id,
      taskQueue: QUEUES.campana,
      args: [{ workspace: row.workspace_id, run: row.run_id }],
      // A repeat finds the workflow running, or ended: either way it is one campaign.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      workflowIdConflictPolicy: 'USE_EXISTING',
      typedSearchAttributes: attributes,
      memo: { cuentas },
      staticSummary: text('es-MX', type === 'campana' ? 'temporal.campaign' : 'temporal.recipe', {
        cuentas,
        workspace: row.workspace_id,
        recipe: type,
      }),
      // A worker that dies with a workflow task in hand blocks it for this long (10 s by default).
      workflowTaskTimeout: '2s',
    });
    return null;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already_started';
    throw error;
  }
};

/**
 * Delivers `outbox` rows to Temporal, at least once, in order within a run; one run's trouble holds up no other. Woken by a kick,
 * by NOTIFY and every second (or `pollMs`); several processes may do this at once. Needs `ctx.temporal`; without it nothing is delivered.
 */
export const startOutbox = (ctx: Context, options: { pollMs?: number } = {}): Outbox => {
  const { temporal: client, log } = ctx;
  const pool = createAnsweringPool(ctx.env.DATABASE_URL, { max: 3, name: 'campana-outbox' });
  const active = new Set<Promise<void>>();
  const state: OutboxState = { reachable: true, delivered: 0, failed: 0, last_latency_ms: 0, pending: 0, oldest_ms: 0, failing: 0 };
  let pumping = false;
  let again = false;
  let stopped = false;
  let ticks = 0;

  const deliver = async (row: OutboxRow): Promise<string | null> => {
    if (!client) throw new Error('no Temporal client');
    return client.withDeadline(Date.now() + RPC_MS, async () => {
      if (row.kind === 'start') return deliverStart(client, row);
      if (!('signal' in row.payload)) throw new Error(`outbox row ${row.id} is no signal`);
      try {
        await client.workflow.getHandle(row.workflow_id).signal(row.payload.signal, ...row.payload.args);
        return null;
      } catch (error) {
        // Nobody to wake: a step that has ended or not begun reads the row when it does. Unless the run itself is still to start.
        if (error instanceof WorkflowNotFoundError && !(await startPending(pool, row.run_id))) return 'workflow_not_found';
        throw error;
      }
    });
  };

  const deliverRun = async (rows: OutboxRow[]): Promise<void> => {
    const done: Array<{ id: number; note: string | null }> = [];
    const began = Date.now();
    for (const [i, row] of rows.entries()) {
      // What is left when the lease gets short goes back; it is taken again at once, here or elsewhere.
      if (i > 0 && Date.now() - began > LEASE_MS - RPC_MS - 500) {
        await markDelivered(pool, done.splice(0));
        await postpone(
          pool,
          row.id,
          rows.slice(i + 1).map((r) => r.id),
          0,
          null,
        );
        return;
      }
      try {
        done.push({ id: row.id, note: await deliver(row) });
        state.delivered += 1;
        state.last_latency_ms = row.age_ms + Date.now() - began;
        if (!state.reachable) {
          state.reachable = true;
          log.info({ outbox: 'reachable' }, 'Temporal answers again');
          await hurryOutbox(pool, 60_000).catch(() => undefined);
        }
      } catch (error) {
        state.failed += 1;
        const unreachable = isUnreachable(error);
        if (unreachable && state.reachable)
          log.warn(
            { run_id: row.run_id, outbox_id: row.id, grpc: codeOf(error) },
            'Temporal does not answer; taps are kept and delivered later',
          );
        else if (!unreachable)
          log.error(
            { run_id: row.run_id, outbox_id: row.id, attempt: row.attempts, error: error instanceof Error ? error.message : String(error) },
            'outbox row not delivered',
          );
        if (unreachable) state.reachable = false;
        const delay = unreachable ? Math.min(1_000, 200 * row.attempts) : Math.min(60_000, 500 * 2 ** Math.min(row.attempts, 7));
        await markDelivered(pool, done.splice(0));
        await postpone(
          pool,
          row.id,
          rows.slice(i + 1).map((r) => r.id),
          delay * (0.75 + Math.random() / 2),
          unreachable ? 'unreachable' : error instanceof Error ? error.message.slice(0, 300) : 'unknown',
        );
        return;
      }
    }
    await markDelivered(pool, done);
  };

  const pump = async (): Promise<void> => {
    if (pumping || stopped || !client) {
      again = true;
      return;
    }
    pumping = true;
    try {
      do {
        again = false;
        // While nobody answers, one run at a time asks whether they do again.
        const room = state.reachable ? RUNS_AT_ONCE - active.size : 1 - active.size;
        if (room <= 0) break;
        const runs = new Map<string, OutboxRow[]>();
        for (const row of await leaseOutbox(pool, room, LEASE_MS)) runs.set(row.run_id, [...(runs.get(row.run_id) ?? []), row]);
        for (const rows of runs.values()) {
          const work = deliverRun(rows)
            .catch((error: unknown) =>
              log.warn({ error: error instanceof Error ? error.message : String(error) }, 'outbox rows left to the lease'),
            )
            .finally(() => {
              active.delete(work);
              // Rows of the same run that came in meanwhile, and whoever waited for room.
              void pump();
            });
          active.add(work);
        }
      } while (again && !stopped);
    } catch (error) {
      log.debug({ error: error instanceof Error ? error.message : String(error) }, 'outbox could not be read');
    } finally {
      pumping = false;
    }
  };

  const kick = (): void => void pump();
  const listener = listen(ctx.env.DATABASE_URL, ['campana_outbox'], { notify: kick, connect: kick });
  const tick = setInterval(() => {
    kick();
    if (ticks++ % STATS_EVERY === 0)
      outboxStats(pool)
        .then((s) => Object.assign(state, s))
        .catch(() => undefined);
  }, options.pollMs ?? POLL_MS);

  return {
    kick,
    state: () => ({ ...state }),
    stop: async () => {
      stopped = true;
      clearInterval(tick);
      await listener.stop();
      await Promise.allSettled([...active]);
      await pool.end();
    },
  };
};
