import { z } from 'zod';
import { Refusal } from '../../contracts/problem.js';
import { read } from '../../db/client.js';
import { findRun } from '../../db/runs.js';
import { EventFeed } from '../feed.js';
import { openStream } from '../sse.js';
import { Id } from '../schemas.js';
import type { ApiContext, App } from '../types.js';

const MAX_STREAMS = 2_000;
const MAX_PER_WORKSPACE = 200;

const lastOf = (header: string | string[] | undefined): { run: string; version: number } | null => {
  const match = typeof header === 'string' ? /^([A-Za-z0-9_-]{1,100}):(\d{1,15})$/.exec(header) : null;
  return match?.[1] && match[2] ? { run: match[1], version: Number(match[2]) } : null;
};

/** Everything that happens to a workspace's runs, as it happens; taken up again from `Last-Event-ID`. */
export const eventRoutes = (app: App, ctx: ApiContext): void => {
  const feed = new EventFeed(ctx.pool, ctx.hub);
  app.get(
    '/v1/events',
    {
      config: { rateLimit: false, documentedHeaders: { 'Last-Event-ID': '' } },
      schema: {
        operationId: 'streamEvents',
        tags: ['runs'],
        summary: 'Server-sent events: run.progress with what changed; reset asks to read everything afresh',
        produces: ['text/event-stream'],
        querystring: z.object({ run_id: Id.optional(), last_event_id: z.string().max(120).optional() }),
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      const { workspace } = request.caller;
      const run = request.query.run_id ?? null;
      if (run !== null) await findRun(read(ctx.pool), workspace, run);
      if (feed.count() >= MAX_STREAMS || feed.count(workspace) >= MAX_PER_WORKSPACE)
        throw new Refusal(429, 'too_many_streams', {}, { retryable: true, retry_after_ms: 5_000 });
      // EventSource cannot set a header on its first connection.
      const last = lastOf(request.headers['last-event-id'] ?? request.query.last_event_id);
      await feed.add(workspace, run, last, (closed) => openStream(reply, request.caller, ctx, closed));
      return reply;
    },
  );
  app.addHook('preClose', (done) => {
    feed.end();
    done();
  });
};
