import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { LoginCode, Session } from '../../contracts/api.js';
import { read } from '../../db/client.js';
import { readSettings } from '../../db/workspaces.js';
import { credentialsOf, csrfOf, identified, SESSION_COOKIE, type ApiCaller } from '../auth.js';
import { loginCodes, requireLocal } from '../login-codes.js';
import type { ApiContext, App } from '../types.js';

/** Nothing, or the one-time code of a printed link. */
const Login = z.object({ code: z.string().min(16).max(100).optional() }).strict().nullish();

/** A page exchanges its token, or a code that was printed for it, for a cookie that no script can read; changes then need a header that no other site can send. */
export const sessionRoutes = (app: App, ctx: ApiContext): void => {
  const codes = loginCodes();
  const cookie = (value: string, seconds: number): string =>
    `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${ctx.env.NODE_ENV === 'production' ? '; Secure' : ''}`;
  const view = async (caller: Omit<ApiCaller, 'channel'>, csrf: string | null): Promise<Session> => {
    const { language, zone } = await readSettings(read(ctx.pool), caller.workspace);
    return { sub: caller.sub, workspace: caller.workspace, roles: caller.roles, agent: caller.agent, expires_at: new Date(caller.expires).toISOString(), language, zone, csrf_token: csrf };
  };
  const open = async (reply: FastifyReply, caller: Omit<ApiCaller, 'channel'>, token: string): Promise<Session> => {
    const seconds = Math.max(0, Math.floor((caller.expires - Date.now()) / 1000));
    const session = await view(caller, csrfOf(token));
    reply.headers({ 'set-cookie': cookie(token, seconds), 'cache-control': 'no-store' });
    return session;
  };

  app.post('/v1/session', {
    config: { open: true, problems: [401, 403] },
    schema: { operationId: 'createSession', tags: ['session'], summary: 'Exchange the bearer token, or the code of a link that was printed on this machine, for a cookie', body: Login, response: { 200: Session } },
  }, async (request, reply) => {
    const code = request.body?.code;
    if (code !== undefined) {
      requireLocal(ctx.env, request);
      const token = codes.take(code);
      return open(reply, await ctx.verify(token), token);
    }
    const caller = await identified(ctx.verify, request);
    return open(reply, caller, credentialsOf(request.headers).token);
  });

  app.post('/v1/session/codes', {
    config: { person: true },
    schema: { operationId: 'createLoginCode', tags: ['session'], summary: 'A code that opens this session once in a browser on this machine; not in production', body: z.object({}).strict().nullish(), response: { 201: LoginCode } },
  }, async (request, reply) => {
    requireLocal(ctx.env, request);
    const { code, expires } = codes.make(credentialsOf(request.headers).token);
    return reply.code(201).header('cache-control', 'no-store').send({ code, expires_at: new Date(expires).toISOString(), path: `/#code=${code}` });
  });

  app.get('/v1/session', {
    schema: { operationId: 'getSession', tags: ['session'], summary: 'Who is calling', response: { 200: Session } },
  }, async (request, reply) => {
    const { token, byCookie } = credentialsOf(request.headers);
    return reply.header('cache-control', 'no-store').send(await view(request.caller, byCookie ? csrfOf(token) : null));
  });
  app.delete('/v1/session', {
    schema: { operationId: 'endSession', tags: ['session'], summary: 'Forget the cookie', response: { 204: z.null() } },
  }, async (_request, reply) => reply.code(204).header('set-cookie', cookie('', 0)).send(null));
};
