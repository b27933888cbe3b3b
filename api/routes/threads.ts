import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { stageFor } from '../../ada/stage.js';
import { Refusal } from '../../contracts/problem.js';
import { CreateThread, CreateTurn, PutSelection, Selection, Thread, ThreadPage, Turn } from '../../contracts/turn.js';
import { beginThread, setSelection, stopTurn } from '../../db/threads/controls.js';
import { enqueueTurn, readTurn } from '../../db/threads/queue.js';
import { listThreads, profileOf, readThread } from '../../db/threads/threads.js';
import { replayEvents } from '../../db/threads/events.js';
import type { ApiCaller } from '../auth.js';
import { keyOf, once } from '../idempotency.js';
import { Flag, Id, Limit } from '../schemas.js';
import { openStream, type EventStream } from '../sse.js';
import { TurnFeed } from '../turn-feed.js';
import type { App, ServerContext } from '../types.js';

const MAX_STREAMS = 2_000;
const MAX_PER_WORKSPACE = 200;
/** Messages of one person in a minute: more than anybody types, less than a loop sends. */
const TURNS_PER_MINUTE = 120;
const RETRY_AFTER_S = '1';

const ThreadParams = z.object({ thread_id: Id });
const TurnParams = z.object({ thread_id: Id, turn_id: Id });
const ROLES = ['seller', 'approver', 'operator'] as const;

/** The event of a turn that was heard last: its number, alone or behind the turn's id. */
const seqOf = (header: string | string[] | undefined): number => {
  const match = typeof header === 'string' ? /^(?:[A-Za-z0-9_-]{1,100}:)?(\d{1,9})$/.exec(header) : null;
  return match?.[1] ? Number(match[1]) : 0;
};
const placeOf = (header: string | string[] | undefined): { turn: string; seq: number } | null => {
  const match = typeof header === 'string' ? /^([A-Za-z0-9_-]{1,100}):(\d{1,9})$/.exec(header) : null;
  return match?.[1] && match[2] ? { turn: match[1], seq: Number(match[2]) } : null;
};
const wantsStream = (accept: string | undefined): boolean => (accept ?? '').toLowerCase().includes('text/event-stream');

/** 200 is a stream of events, whatever else the route answers with. */
const streamed = {
  description: 'Server-sent events: each with its number as id, the TurnEvent as data; ends after turn.finished or turn.refused',
  content: { 'text/event-stream': { schema: z.string() } },
};

/** Conversations with Ada. A turn is durable before it is answered and goes on without whoever asked; its events can be heard again from any of them. */
export const threadRoutes = (app: App, ctx: ServerContext): void => {
  const { pool } = ctx.ada;
  const feed = new TurnFeed(pool, ctx.reader, ctx.hub);
  const room = (workspace: string): void => {
    if (feed.count() >= MAX_STREAMS || feed.count(workspace) >= MAX_PER_WORKSPACE)
      throw new Refusal(429, 'too_many_streams', {}, { retryable: true, retry_after_ms: 5_000 });
  };
  const opener =
    (reply: FastifyReply, caller: ApiCaller, extra: Record<string, string> = {}) =>
    (closed: () => void): EventStream =>
      openStream(reply, caller, ctx, closed, extra);

  app.post(
    '/v1/threads',
    {
      config: { roles: ROLES, changes: true },
      schema: {
        operationId: 'createThread',
        tags: ['threads'],
        summary: 'Begin a conversation',
        body: CreateThread,
        response: { 201: Thread },
      },
    },
    async (request, reply) => {
      const { caller, body } = request;
      const answer = await once(ctx.pool, caller, keyOf(request), 'POST /v1/threads', body, async (tx) => ({
        status: 201,
        body: { thread_id: await beginThread(tx, caller, body) },
      }));
      const { thread_id: thread } = answer.body as { thread_id: string };
      return reply
        .code(201)
        .header('location', `/v1/threads/${thread}`)
        .send(await readThread(pool, { workspace: caller.workspace, thread }));
    },
  );

  app.get(
    '/v1/threads',
    {
      schema: {
        operationId: 'listThreads',
        tags: ['threads'],
        summary: 'Conversations of the workspace, newest first; with mine=true those that you began',
        querystring: z.object({ mine: Flag, cursor: Id.optional(), limit: Limit(100, 25) }),
        response: { 200: ThreadPage },
      },
    },
    (request) => {
      const { mine, cursor, limit } = request.query;
      return listThreads(pool, request.caller.workspace, {
        limit,
        ...(cursor ? { before: cursor } : {}),
        ...(mine ? { user: request.caller.sub } : {}),
      });
    },
  );

  app.get(
    '/v1/threads/:thread_id',
    {
      schema: {
        operationId: 'getThread',
        tags: ['threads'],
        summary: 'A conversation: what is known, its board, its latest turns, its campaigns',
        params: ThreadParams,
        querystring: z.object({ turns: Limit(100, 100) }),
        response: { 200: Thread },
      },
    },
    (request) =>
      readThread(pool, { workspace: request.caller.workspace, thread: request.params.thread_id }, { turns: request.query.turns }),
  );

  app.post(
    '/v1/threads/:thread_id/turns',
    {
      config: {
        roles: ROLES,
        changes: true,
        problems: [409],
        documentedHeaders: {
          Accept: 'text/event-stream to hear the turn as it happens; else it is answered with 202.',
          'Last-Event-ID': 'With the key of a turn that was asked before: the number of its last event that was received.',
        },
        rateLimit: { max: TURNS_PER_MINUTE, timeWindow: 60_000 },
      },
      schema: {
        operationId: 'createTurn',
        tags: ['threads'],
        summary: 'Say something. Turns of one conversation run one after the other; the same key is the same turn',
        params: ThreadParams,
        body: CreateTurn,
        response: { 200: streamed, 202: Turn },
      },
    },
    async (request, reply) => {
      const { caller, body, language } = request;
      const ref = { workspace: caller.workspace, thread: request.params.thread_id };
      const stream = wantsStream(request.headers.accept);
      if (stream) room(ref.workspace);
      const { turn } = await enqueueTurn(pool, ref, {
        key: keyOf(request),
        message: body.message,
        user: caller.sub,
        roles: caller.roles,
        agent: caller.agent,
        language,
      });
      ctx.turns.kick(ref);
      const location = `/v1/threads/${ref.thread}/turns/${turn.turn_id}`;
      if (!stream) return reply.code(202).headers({ location, 'retry-after': RETRY_AFTER_S }).send(turn);
      feed.followTurn(ref, turn.turn_id, seqOf(request.headers['last-event-id']), opener(reply, caller, { location }));
      return reply;
    },
  );

  app.get(
    '/v1/threads/:thread_id/turns/:turn_id',
    {
      schema: {
        operationId: 'getTurn',
        tags: ['threads'],
        summary: 'One turn: its state and, when it is over, its answer or why there is none',
        params: TurnParams,
        response: { 200: Turn },
      },
    },
    (request) => readTurn(pool, { workspace: request.caller.workspace, thread: request.params.thread_id }, request.params.turn_id),
  );

  app.get(
    '/v1/threads/:thread_id/turns/:turn_id/events',
    {
      config: { rateLimit: false, documentedHeaders: { 'Last-Event-ID': 'The number of the last event of this turn that was received.' } },
      schema: {
        operationId: 'streamTurn',
        tags: ['threads'],
        summary: 'A turn as server-sent events, from any of them to its end',
        params: TurnParams,
        querystring: z.object({ last_event_id: z.string().max(120).optional() }),
        response: { 200: streamed },
      },
    },
    async (request, reply) => {
      const { workspace } = request.caller;
      const { thread_id: thread, turn_id: turn } = request.params;
      const ref = { workspace, thread };
      room(workspace);
      await replayEvents(pool, ref, turn, 0, 1);
      feed.followTurn(ref, turn, seqOf(request.headers['last-event-id'] ?? request.query.last_event_id), opener(reply, request.caller));
      return reply;
    },
  );

  app.delete(
    '/v1/threads/:thread_id/turns/:turn_id',
    {
      config: { roles: ROLES, changes: true },
      schema: {
        operationId: 'stopTurn',
        tags: ['threads'],
        summary: 'Stop a turn that waits or runs; one that is over stays as it is. What it had already started goes on',
        params: TurnParams,
        response: { 200: Turn },
      },
    },
    async (request, reply) => {
      const ref = { workspace: request.caller.workspace, thread: request.params.thread_id };
      await stopTurn(pool, ref, request.params.turn_id);
      ctx.turns.letGo(request.params.turn_id);
      ctx.turns.kick(ref);
      return reply.code(200).send(await readTurn(pool, ref, request.params.turn_id));
    },
  );

  app.get(
    '/v1/threads/:thread_id/events',
    {
      config: {
        rateLimit: false,
        documentedHeaders: { 'Last-Event-ID': 'The id of the last event that was received, `<turn_id>:<number>`.' },
      },
      schema: {
        operationId: 'streamThread',
        tags: ['threads'],
        summary:
          'A conversation as server-sent events: its turns, and run.progress (with the whole body) whenever a campaign of it moves; reset asks to read it afresh',
        params: ThreadParams,
        querystring: z.object({ last_event_id: z.string().max(120).optional() }),
        response: {
          200: { ...streamed, description: 'Server-sent events: those of turns with <turn_id>:<number> as id, run.progress without one' },
        },
      },
    },
    async (request, reply) => {
      const { workspace } = request.caller;
      const ref = { workspace, thread: request.params.thread_id };
      room(workspace);
      await profileOf(pool, ref);
      feed.followThread(ref, placeOf(request.headers['last-event-id'] ?? request.query.last_event_id), opener(reply, request.caller));
      return reply;
    },
  );

  app.put(
    '/v1/threads/:thread_id/selection',
    {
      config: { roles: ROLES, changes: true, problems: [409] },
      schema: {
        operationId: 'putSelection',
        tags: ['threads'],
        summary: 'Choose rows of the list at hand, by their refs; none takes the choice back',
        params: ThreadParams,
        body: PutSelection,
        response: { 200: Selection },
      },
    },
    async (request, reply) => {
      const { caller, body } = request;
      const ref = { workspace: caller.workspace, thread: request.params.thread_id };
      const answer = await once(ctx.pool, caller, keyOf(request), `PUT /v1/threads/${ref.thread}/selection`, body, async (tx) => ({
        status: 200,
        body: await setSelection(tx, ref, body.refs, stageFor),
      }));
      return reply.code(200).send(answer.body as z.infer<typeof Selection>);
    },
  );

  app.addHook('preClose', (done) => {
    feed.end();
    done();
  });
};
