import { createHash, timingSafeEqual } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { codecFault } from '../../activities/codec/aes.js';
import { codecOf } from '../../activities/codec/index.js';
import { Refusal } from '../../contracts/problem.js';
import { requirePerson, requireRole } from '../auth.js';
import { codecOrigins, isLoopback } from '../codec-origins.js';
import type { ApiContext, App } from '../types.js';

/** What the Temporal UI sends: its namespace, and with `passAccessToken` the token of whoever is signed in there. */
const ALLOWED_HEADERS = 'authorization, authorization-extras, content-type, x-namespace';
const PREFLIGHT_SECONDS = 600;

const Base64 = z.string().regex(/^[A-Za-z0-9+/_-]*={0,2}$/);
/** Payloads as protobuf's JSON has them; what else one holds is handed back as it came. */
const Body = z.object({
  payloads: z.array(z.looseObject({ metadata: z.record(z.string(), Base64).nullish(), data: Base64.nullish() })).max(10_000),
});
type Payloads = z.infer<typeof Body>['payloads'];

const fromJson = ({ metadata, data, ...rest }: Payloads[number]): Payload => ({
  ...rest,
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value, 'base64')])),
  data: Buffer.from(data ?? '', 'base64'),
});
const toJson = ({ metadata, data, ...rest }: Payload): Payloads[number] => ({
  ...rest,
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')])),
  data: Buffer.from(data ?? []).toString('base64'),
});

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The secret that lets the dev server's UI in: only while this API listens to this machine alone, and never in production. */
const uiSecret = ({ env }: ApiContext): Buffer | null =>
  env.CAMPANA_CODEC_UI_TOKEN && env.NODE_ENV !== 'production' && isLoopback(env.CAMPANA_API_HOST)
    ? digest(env.CAMPANA_CODEC_UI_TOKEN)
    : null;

/**
 * Temporal's remote codec: `POST …/decode` and `…/encode` of `{ payloads }`, for the Temporal UI and the `temporal` command. At `/v1/codec` an
 * operator's bearer token is needed (a cookie is not looked at); at `/v1/codec/ui/<secret>`, in development only, the secret is enough,
 * because the UI of the dev server has nobody's token to send. Pages of other origins than the UI's are refused at both.
 */
export const codecRoutes = (app: App, ctx: ApiContext): void => {
  const codec = codecOf(ctx.env);
  const origins = codecOrigins(ctx.env);
  const secret = uiSecret(ctx);

  const checkOrigin = (request: FastifyRequest, reply: FastifyReply): void => {
    const { origin } = request.headers;
    reply.header('vary', 'Origin').header('cache-control', 'no-store');
    // Commands send none; a browser always does, and no page can leave it out.
    if (origin === undefined) return;
    if (!origins.has(origin)) throw new Refusal(403, 'origin_not_allowed', {});
    // On refusals too, so that the UI can say what was wrong.
    reply.header('access-control-allow-origin', origin);
  };

  const byToken = async (request: FastifyRequest): Promise<void> => {
    const { authorization } = request.headers;
    if (authorization === undefined) throw new Refusal(401, 'token_missing', {});
    if (!/^bearer /i.test(authorization)) throw new Refusal(401, 'token_invalid', {});
    request.caller = { ...(await ctx.sessions.identify({ token: authorization.slice(7).trim(), byCookie: false }, false)), channel: 'api' };
    requireRole(request.caller, ['operator']);
    requirePerson(request.caller);
  };

  const bySecret = async (request: FastifyRequest): Promise<void> => {
    const given = (request.params as { secret?: string }).secret ?? '';
    if (!secret || !timingSafeEqual(digest(given), secret)) throw new Refusal(404, 'route_not_found', {});
  };

  const serve = (base: string, admit: (request: FastifyRequest) => Promise<void>): void => {
    for (const direction of ['decode', 'encode'] as const satisfies ReadonlyArray<keyof PayloadCodec>) {
      const url = `${base}/${direction}`;
      // Looked at before a body is read.
      const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
        checkOrigin(request, reply);
        if (request.method !== 'OPTIONS') await admit(request);
      };
      app.options(url, { config: { open: true, rateLimit: false }, schema: { hide: true }, onRequest }, (_request, reply) =>
        reply
          .headers({
            'access-control-allow-methods': 'POST',
            'access-control-allow-headers': ALLOWED_HEADERS,
            'access-control-max-age': PREFLIGHT_SECONDS,
          })
          .code(204)
          .send(),
      );
      app.post(url, { config: { open: true }, schema: { hide: true, body: Body }, onRequest }, async (request) => {
        try {
          return { payloads: (await codec[direction](request.body.payloads.map(fromJson))).map(toJson) };
        } catch (error) {
          const fault = codecFault(error);
          throw fault ? new Refusal(422, fault.code, { key: fault.keyId }) : error;
        }
      });
    }
  };
  serve('/v1/codec', byToken);
  if (secret) serve('/v1/codec/ui/:secret', bySecret);
};
