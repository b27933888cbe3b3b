import type { z } from 'zod';
import type { Health } from '../contracts/api.js';
import { QUEUES } from '../activities/temporal.js';
import { databaseAnswers } from '../db/operations.js';
import { outboxStats } from '../db/outbox.js';
import type { ApiContext } from './types.js';

type Part = { ok: boolean; detail: string };
type HealthBody = z.infer<typeof Health>;

const CACHE_MS = 2_000;
const PART_MS = 1_500;
/** A poll lasts a minute on the server, so a poller that lives was seen within this time. */
const POLLER_MS = 75_000;
/** An outbox row older than this means that taps do not get through. */
const OUTBOX_MS = 30_000;
/** temporal.api.enums.v1.TaskQueueType */
const WORKFLOW = 1;
const ACTIVITY = 2;

const within = async (ms: number, work: Promise<Part>): Promise<Part> => {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<Part>((resolve) => (timer = setTimeout(() => resolve({ ok: false, detail: `no answer in ${ms} ms` }), ms))),
    ]);
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message.slice(0, 200) : 'failed' };
  } finally {
    clearTimeout(timer);
  }
};

const database = async (ctx: ApiContext): Promise<Part> => {
  await databaseAnswers(ctx.pollPool);
  return ctx.hub.connected()
    ? { ok: true, detail: 'answers, notifies' }
    : { ok: false, detail: 'answers, but its notifications do not arrive yet' };
};

/** Pollers on every queue: without them a run starts and nothing ever moves it. */
const temporal = async (ctx: ApiContext): Promise<Part> => {
  const client = ctx.temporal;
  if (!client) return { ok: false, detail: 'not configured' };
  const wanted = [
    [QUEUES.campana, WORKFLOW],
    [QUEUES.campana, ACTIVITY],
    [QUEUES.tools, ACTIVITY],
    [QUEUES.model, ACTIVITY],
  ] as const;
  const missing = await client.withDeadline(Date.now() + PART_MS, async () => {
    const found = await Promise.all(
      wanted.map(async ([name, taskQueueType]) => {
        const { pollers } = await client.workflowService.describeTaskQueue({
          namespace: client.options.namespace,
          taskQueue: { name },
          taskQueueType,
        });
        return (pollers ?? []).some((p) => Number(p.lastAccessTime?.seconds ?? 0) * 1000 > Date.now() - POLLER_MS);
      }),
    );
    return wanted.filter((_, i) => !found[i]).map(([name, type]) => `${name} (${type === WORKFLOW ? 'workflows' : 'activities'})`);
  });
  return missing.length === 0
    ? { ok: true, detail: 'answers, pollers on every queue' }
    : { ok: false, detail: `no worker polls ${missing.join(', ')}` };
};

/** Any HTTP answer will do: who may call what is found out by calling. */
const tools = async (ctx: ApiContext): Promise<Part> => {
  const response = await fetch(ctx.env.TOOLS_URL, {
    method: 'GET',
    signal: AbortSignal.timeout(PART_MS),
    headers: { accept: 'application/json' },
  });
  await response.body?.cancel();
  return { ok: response.status < 500, detail: `answers ${response.status}` };
};

const outbox = async (ctx: ApiContext): Promise<Part> => {
  const { pending, oldest_ms } = await outboxStats(ctx.pollPool);
  return { ok: oldest_ms < OUTBOX_MS, detail: pending === 0 ? 'nothing waits' : `${pending} wait, the oldest for ${oldest_ms} ms` };
};

/** The state of everything a campaign needs, asked at most every 2 s. */
export const createHealth = (ctx: ApiContext): (() => Promise<HealthBody>) => {
  let asked: { at: number; answer: Promise<HealthBody> } | undefined;
  const ask = async (): Promise<HealthBody> => {
    const parts = Object.fromEntries(
      await Promise.all(
        Object.entries({ database, temporal, tools, outbox }).map(
          async ([name, check]) => [name, await within(PART_MS + 200, check(ctx))] as const,
        ),
      ),
    );
    return { alive: true, ready: Object.values(parts).every((p) => p.ok), parts };
  };
  return () => {
    if (!asked || Date.now() - asked.at > CACHE_MS) {
      const mine = { at: Date.now(), answer: ask() };
      asked = mine;
      // A "not ready" is not kept: whoever waits for the start should see it the moment it comes.
      void mine.answer.then((a) => {
        if (!a.ready && asked === mine) mine.at -= CACHE_MS - 250;
      });
    }
    return asked.answer;
  };
};
