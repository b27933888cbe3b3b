import { METHODS, type IncomingHttpHeaders } from 'node:http';
import { randomBytes } from 'node:crypto';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from 'fastify';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { Refusal } from '../contracts/problem.js';
import { identified, requirePerson, requireRole, type ApiCaller } from './auth.js';
import { allowOrigins } from './cors.js';
import { CHANGING, keyOf } from './idempotency.js';
import { isWellFormed } from './json.js';
import { registerOpenApi } from './openapi.js';
import { asRefusal, languageOf, toProblem } from './problems.js';
import { codecRoutes } from './routes/codec.js';
import { decisionRoutes } from './routes/decisions.js';
import { eventRoutes } from './routes/events.js';
import { healthRoutes } from './routes/health.js';
import { operationRoutes } from './routes/operations.js';
import { lostPage, pageRoutes } from './routes/page.js';
import { progressRoute } from './routes/progress.js';
import { runRoutes } from './routes/runs.js';
import { sequenceRoutes } from './routes/sequences.js';
import { sessionRoutes } from './routes/session.js';
import { mcpRoute } from './routes/mcp.js';
import { skillRoutes } from './routes/skills.js';
import { suppressionRoutes } from './routes/suppressions.js';
import { threadRoutes } from './routes/threads.js';
import { workspaceRoutes } from './routes/workspace.js';
import type { ApiContext, App, ServerContext } from './types.js';

const BODY_LIMIT = 2 * 1024 * 1024;
/** Requests a minute per person; progress and streams are not counted. */
const RATE_PER_MINUTE = 6_000;
/** Requests that may wait for a database connection before new ones are told to come back. */
const WAITING_LIMIT = 200;

const NOBODY: ApiCaller = { sub: '', workspace: '', roles: [], channel: 'api', agent: false, issued: 0, expires: 0, session: null };

const requestId = (headers: IncomingHttpHeaders): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomBytes(12).toString('base64url');
};

/** Who calls, what they may do here, and whether a page of ours asked: all before a body is read. */
const admit = async (ctx: ApiContext, request: FastifyRequest): Promise<void> => {
  const { config } = request.routeOptions;
  // Before anything is asked of the database: who calls may be such a question.
  if (ctx.pool.waitingCount > WAITING_LIMIT) throw new Refusal(503, 'overloaded', {}, { retryable: true, retry_after_ms: 1_000 });
  const known = identified(ctx.sessions.identify, request);
  request.caller = known instanceof Promise ? await known : known;
  const changes = CHANGING.has(request.method);
  if (config.roles) requireRole(request.caller, config.roles);
  if (config.person) requirePerson(request.caller);
  if (changes && config.changes) {
    const dry = config.changes === 'unless_dry_run' && (request.query as Record<string, unknown>)['dry_run'] === 'true';
    if (!dry) keyOf(request);
  }
};

const sendProblem = (ctx: ApiContext, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply => {
  let refusal = asRefusal(error);
  if (!refusal) {
    // The message of a database error may quote what a person typed; its code and the stack's frames may not.
    const e = error instanceof Error ? error : new Error('not an error');
    const frames = (e.stack ?? '')
      .split('\n')
      .filter((line) => line.startsWith('    at '))
      .join('\n');
    request.log.error(
      {
        route: request.routeOptions.url,
        name: e.name,
        code: 'code' in e ? e.code : undefined,
        message: 'severity' in e ? undefined : e.message,
        frames,
      },
      'request failed',
    );
    refusal = new Refusal(500, 'internal_error', {}, { retryable: false });
  }
  const language = request.language ?? 'es-MX';
  const problem = toProblem(refusal, language, request.id);
  ctx.meters.problems.inc({ code: refusal.code });
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
  if (refusal.status === 405) reply.header('allow', String(refusal.params['allow']));
  if (problem.retry_after_ms !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(problem.retry_after_ms / 1000))));
  return reply
    .code(refusal.status)
    .headers({ 'cache-control': 'no-store', 'content-language': language, 'content-type': 'application/problem+json; charset=utf-8' })
    .send(JSON.stringify(problem));
};

/** Answers 405 where the path exists under other methods, 404 otherwise. */
const trackRoutes = (app: App): ((request: FastifyRequest) => Refusal) => {
  const routes: Array<{ pattern: RegExp; methods: Set<string> }> = [];
  app.addHook('onRoute', (route) => {
    const pattern = new RegExp(`^${route.url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:[A-Za-z_]+/g, '[^/]+')}$`);
    routes.push({ pattern, methods: new Set([route.method].flat()) });
  });
  return (request) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = new Set(routes.filter((r) => r.pattern.test(path)).flatMap((r) => [...r.methods]));
    return allowed.size > 0
      ? new Refusal(405, 'method_not_allowed', { allow: [...allowed].sort().join(', ') })
      : new Refusal(404, 'route_not_found', {});
  };
};

/** The HTTP API over a context; listens nowhere yet. */
export const buildServer = async (ctx: ServerContext): Promise<App> => {
  const logger: FastifyBaseLogger = ctx.log;
  const app: App = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    genReqId: (raw) => requestId(raw.headers),
    keepAliveTimeout: 72_000,
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => void sendProblem(ctx, request as FastifyRequest, reply as unknown as FastifyReply, error),
  }).withTypeProvider<ZodTypeProvider>();
  // Unknown methods (QUERY, PROPFIND, …) reach the 404 handler, which knows whether the path is there.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  const refuseRoute = trackRoutes(app);

  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // A client that says JSON and sends nothing means "no body".
    if (body === '') return done(null, undefined);
    void parse(request, body as string, (error, value) =>
      error || isWellFormed(body as string, value) ? done(error, value) : done(new Refusal(400, 'body_invalid', {}), undefined),
    );
  });

  app.decorateRequest('language', 'es-MX');
  app.decorateRequest('caller', null as unknown as ApiCaller);
  app.setErrorHandler((error, request, reply) => sendProblem(ctx, request, reply, error));
  const lost = lostPage(ctx.env);
  /** A browser at an address that is none. */
  const isLost = (request: FastifyRequest, refusal: Refusal): boolean => refusal.status === 404 && lost?.asks(request) === true;
  app.setNotFoundHandler((request, reply) => {
    const refusal = refuseRoute(request);
    return lost && isLost(request, refusal) ? lost.answer(reply) : sendProblem(ctx, request, reply, refusal);
  });

  allowOrigins(app, ctx.env);
  app.addHook('onRequest', (request, reply, done) => {
    request.language = languageOf(request.headers['accept-language']);
    reply.header('x-request-id', request.id);
    if (request.is404 || request.routeOptions.config.open) {
      request.caller = NOBODY;
      // Said before the body is looked at: what is wrong is the address or the method.
      const refusal = request.is404 ? refuseRoute(request) : null;
      return refusal && !isLost(request, refusal) ? done(refusal) : done();
    }
    admit(ctx, request).then(() => done(), done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    ctx.meters.requests.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
    const changed = CHANGING.has(request.method);
    const level = reply.statusCode >= 500 ? 'warn' : changed ? 'info' : 'debug';
    // The pattern, never the address: ids of runs are fine in a log, what somebody put into a query is not.
    const run = (request.params as Record<string, unknown> | undefined)?.['run_id'];
    request.log[level](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(typeof run === 'string' ? { run_id: run } : {}),
      },
      'answered',
    );
    done();
  });

  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] } },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });
  await app.register(rateLimit, {
    max: RATE_PER_MINUTE,
    timeWindow: 60_000,
    hook: 'preHandler',
    enableDraftSpec: true,
    cache: 10_000,
    keyGenerator: (request) => (request.caller.sub ? `${request.caller.workspace} ${request.caller.sub}` : request.ip),
    errorResponseBuilder: (_request, limit) =>
      new Refusal(429, 'rate_limited', { max: limit.max }, { retryable: true, retry_after_ms: limit.ttl }),
  });
  await registerOpenApi(app);
  for (const routes of [
    healthRoutes,
    sessionRoutes,
    runRoutes,
    progressRoute,
    decisionRoutes,
    workspaceRoutes,
    suppressionRoutes,
    sequenceRoutes,
    skillRoutes,
    operationRoutes,
    eventRoutes,
    threadRoutes,
    mcpRoute,
    codecRoutes,
    pageRoutes,
  ]) {
    await app.register((scope, _options, done) => {
      routes(scope, ctx);
      done();
    });
  }
  app.addHook('preClose', (done) => {
    // Long polls and streams end now, so that closing does not wait for them.
    ctx.hub.release();
    done();
  });
  return app;
};
