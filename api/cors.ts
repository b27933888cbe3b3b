import type { FastifyReply } from 'fastify';
import type { Env } from '../contracts/env.js';
import type { App } from './types.js';

/** What a front end of another origin may read: how campaigns go, and what is left to spend. Nothing that changes anything, no session and no code. */
const READABLE: ReadonlySet<string> = new Set(['/v1/runs', '/v1/runs/:run_id', '/v1/runs/:run_id/progress', '/v1/events', '/v1/balances']);
const ALLOWED_HEADERS =
  'accept, accept-language, authorization, content-type, idempotency-key, if-none-match, last-event-id, x-campana-channel, x-csrf-token, x-request-id';
const EXPOSED_HEADERS = 'ETag, Date, Retry-After, X-Request-Id';
const PREFLIGHT_SECONDS = 600;

/**
 * `CAMPANA_ORIGINS`: exact origins of other front ends, by comma.
 * @throws Error when an entry is not exactly an origin; a pattern or `null` would let in pages that nobody listed
 */
export const listedOrigins = (env: Pick<Env, 'CAMPANA_ORIGINS'>): ReadonlySet<string> => {
  const entries = env.CAMPANA_ORIGINS.split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of entries) {
    if (!/^https?:\/\/[^*]+$/.test(entry) || !URL.canParse(entry) || new URL(entry).origin !== entry) {
      throw new Error(
        `CAMPANA_ORIGINS: ${entry} is not an origin, like https://app.example.com (scheme and host in lower case, a port where it is not the usual one, nothing behind it).`,
      );
    }
  }
  return new Set(entries);
};

const varyByOrigin = (reply: FastifyReply): void => {
  const vary = reply.getHeader('vary');
  const names = typeof vary === 'string' && vary !== '' ? vary.split(/\s*,\s*/) : [];
  if (!names.some((name) => name.toLowerCase() === 'origin')) reply.header('vary', [...names, 'Origin'].join(', '));
};

/** Lets pages of the listed origins read; the others' browsers keep the answers from them. Does nothing while none is listed. */
export const allowOrigins = (app: App, env: Pick<Env, 'CAMPANA_ORIGINS'>): void => {
  const origins = listedOrigins(env);
  if (origins.size === 0) return;

  const allow = (origin: string | undefined, reply: FastifyReply): boolean => {
    varyByOrigin(reply);
    if (origin === undefined || !origins.has(origin)) return false;
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' });
    return true;
  };
  // Before anybody is refused, so that the page can read what was wrong; a stream takes over the headers that it finds.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'GET' && READABLE.has(request.routeOptions.url ?? '') && allow(request.headers.origin, reply)) {
      reply.header('access-control-expose-headers', EXPOSED_HEADERS);
    }
    done();
  });
  // A route may have named its own.
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (READABLE.has(request.routeOptions.url ?? '')) varyByOrigin(reply);
    done();
  });
  for (const url of READABLE) {
    app.options(url, { config: { open: true, rateLimit: false }, schema: { hide: true } }, (request, reply) => {
      if (allow(request.headers.origin, reply)) {
        reply.headers({
          'access-control-allow-methods': 'GET',
          'access-control-allow-headers': ALLOWED_HEADERS,
          'access-control-max-age': PREFLIGHT_SECONDS,
        });
      }
      return reply.code(204).send();
    });
  }
};
