import type { FastifyBaseLogger, FastifyInstance, RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Snapshot } from '../ada/library/types.js';
import type { Context } from '../activities/context.js';
import type { Outbox } from '../activities/outbox.js';
import type { Language } from '../contracts/catalog/index.js';
import type { Pool } from '../db/client.js';
import type { ApiCaller, Role } from './auth.js';
import type { Hub } from './hub.js';
import type { Meters } from './metrics.js';
import type { OpenAda } from './ada-ports.js';
import type { ProgressReader } from './progress-reader.js';
import type { Sessions } from './sessions.js';
import type { Turns } from './turns.js';

/** What the routes need; made once per process by `main.ts`, by hand in tests. */
export interface ApiContext extends Context {
  sessions: Sessions;
  hub: Hub;
  reader: ProgressReader;
  outbox: Pick<Outbox, 'kick' | 'state'>;
  meters: Meters;
  /** Small pool of the progress path, so that polls and changes never wait for each other's connections. */
  pollPool: Pool;
  /** A workspace's skills as they are now, the platform's among them. */
  library(this: void, workspace: string): Promise<Snapshot>;
}

/** The same with the conversations: what the routes of threads and the MCP server need. */
export interface ServerContext extends ApiContext {
  ada: OpenAda;
  turns: Turns;
}

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

declare module 'fastify' {
  interface FastifyRequest {
    caller: ApiCaller;
    language: Language;
  }
  interface FastifyContextConfig {
    /** Answered without a token. */
    open?: boolean;
    /** Needs one of these roles; none named means any token of the workspace. */
    roles?: readonly Role[];
    /** Changes something, so it needs an `Idempotency-Key`; `unless_dry_run` lets `?dry_run=true` go without. */
    changes?: boolean | 'unless_dry_run';
    /** Refused to tokens of programs. */
    person?: boolean;
    /** Statuses of problems beyond those that every route has, for the OpenAPI. */
    problems?: readonly number[];
    /** Request headers for the OpenAPI. */
    documentedHeaders?: Record<string, string>;
  }
}
