import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { LoginCode, Session } from '../../contracts/api.js';
import { read } from '../../db/client.js';
import { readSettings } from '../../db/workspaces.js';
import { cookieOf, credentialsOf, csrfOf, identified, SESSION_COOKIE, type Identity } from '../auth.js';
import { makeLoginCode, requireLocal, takeLoginCode } from '../login-codes.js';
import type { ApiContext, App } from '../types.js';

/** Nothing, or the one-time code of a printed link. */
const Login = z
  .object({ code: z.string().min(16).max(100).optional() })
  .strict()
  .nullish();

/**
 * A page exchanges its token, or a code that was printed for it, for a cookie that no script can read; changes then need a header that no other
 * site can send. Leaving ends that session and no other: the token goes on, so that whoever closes the page keeps the command. Leaving
 * everywhere ends both, for this person of this workspace.
 */
export const sessionRoutes = (app: App, ctx: ApiContext): void => {
  const cookie = (value: string, seconds: number): string =>
    `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${ctx.env.NODE_ENV === 'production' ? '; Secure' : ''}`;
  const view = async (caller: Identity, csrf: string | null): Promise<Session> => {
    const { language, zone } = await readSettings(read(ctx.pool), caller.workspace);
    return {
      sub: caller.sub,
      workspace: caller.workspace,
      roles: caller.roles,
      agent: caller.agent,
      expires_at: new Date(caller.expires).toISOString(),
      language,
      zone,
      csrf_token: csrf,
    };
  };
  const open = async (reply: FastifyReply, caller: Identity, value: string): Promise<Session> => {
    const seconds = Math.max(0, Math.floor((caller.expires - Date.now()) / 1000));
    const session = await view(caller, csrfOf(value));
    reply.headers({ 'set-cookie': cookie(value, seconds), 'cache-control': 'no-store' });
    return session;
  };

  app.post(
    '/v1/session',
    {
      config: { open: true, problems: [401, 403] },
      schema: {
        operationId: 'createSession',
        tags: ['session'],
        summary: 'Exchange the bearer token, or the code of a link that was printed on this machine, for a cookie',
        body: Login,
        response: { 200: Session },
      },
    },
    async (request, reply) => {
      const code = request.body?.code;
      if (code !== undefined) {
        requireLocal(ctx.env, request);
        const who = await ctx.sessions.still(await takeLoginCode(ctx.pool, code));
        return open(reply, who, await ctx.sessions.begin(who));
      }
      const caller = await identified(ctx.sessions.identify, request);
      const { token, byCookie } = credentialsOf(request.headers);
      return open(reply, caller, byCookie ? token : await ctx.sessions.begin(caller));
    },
  );

  app.post(
    '/v1/session/codes',
    {
      config: { person: true },
      schema: {
        operationId: 'createLoginCode',
        tags: ['session'],
        summary: 'A code that opens this session once in a browser on this machine; not in production',
        body: z.object({}).strict().nullish(),
        response: { 201: LoginCode },
      },
    },
    async (request, reply) => {
      requireLocal(ctx.env, request);
      const { code, expires } = await makeLoginCode(ctx.pool, request.caller);
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ code, expires_at: new Date(expires).toISOString(), path: `/#code=${code}` });
    },
  );

  app.get(
    '/v1/session',
    { schema: { operationId: 'getSession', tags: ['session'], summary: 'Who is calling', response: { 200: Session } } },
    async (request, reply) => {
      const { token, byCookie } = credentialsOf(request.headers);
      return reply.header('cache-control', 'no-store').send(await view(request.caller, byCookie ? csrfOf(token) : null));
    },
  );

  app.delete(
    '/v1/session',
    {
      schema: {
        operationId: 'endSession',
        tags: ['session'],
        summary: 'End the session of the cookie, in every process; a bearer token is not ended',
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const value = cookieOf(request.headers.cookie, SESSION_COOKIE);
      if (value !== undefined) await ctx.sessions.end(value);
      return reply.code(204).header('set-cookie', cookie('', 0)).send(null);
    },
  );

  app.delete(
    '/v1/sessions',
    {
      config: { person: true },
      schema: {
        operationId: 'endAllSessions',
        tags: ['session'],
        summary: 'Leave all devices: ends every session, code and token that was issued to the caller until now, those of programs too',
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await ctx.sessions.endAll(request.caller);
      return reply.code(204).header('set-cookie', cookie('', 0)).send(null);
    },
  );
};
