import { z } from 'zod';
import { credentialsOf, csrfOf, SESSION_COOKIE, type ApiCaller } from '../auth.js';
import type { ApiContext, App } from '../types.js';

const Session = z.object({
  sub: z.string(), workspace: z.string(), roles: z.array(z.enum(['seller', 'approver', 'operator'])), agent: z.boolean(), expires_at: z.iso.datetime(),
  /** To be sent back as `X-CSRF-Token` with every change; null where the call came with a bearer token. */
  csrf_token: z.string().nullable(),
}).meta({ id: 'Session' });

const view = (caller: ApiCaller, csrf: string | null): z.infer<typeof Session> =>
  ({ sub: caller.sub, workspace: caller.workspace, roles: caller.roles, agent: caller.agent, expires_at: new Date(caller.expires).toISOString(), csrf_token: csrf });

/** A page exchanges its token for a cookie that no script can read; changes then need a header that no other site can send. */
export const sessionRoutes = (app: App, ctx: ApiContext): void => {
  const cookie = (value: string, seconds: number): string =>
    `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${ctx.env.NODE_ENV === 'production' ? '; Secure' : ''}`;

  app.post('/v1/session', {
    schema: { operationId: 'createSession', tags: ['session'], summary: 'Exchange the bearer token for a cookie', response: { 200: Session } },
  }, async (request, reply) => {
    const { token } = credentialsOf(request.headers);
    const seconds = Math.max(0, Math.floor((request.caller.expires - Date.now()) / 1000));
    return reply.header('set-cookie', cookie(token, seconds)).header('cache-control', 'no-store').send(view(request.caller, csrfOf(token)));
  });
  app.get('/v1/session', {
    schema: { operationId: 'getSession', tags: ['session'], summary: 'Who is calling', response: { 200: Session } },
  }, async (request, reply) => {
    const { token, byCookie } = credentialsOf(request.headers);
    return reply.header('cache-control', 'no-store').send(view(request.caller, byCookie ? csrfOf(token) : null));
  });
  app.delete('/v1/session', {
    schema: { operationId: 'endSession', tags: ['session'], summary: 'Forget the cookie', response: { 204: z.null() } },
  }, async (_request, reply) => reply.code(204).header('set-cookie', cookie('', 0)).send(null));
};
