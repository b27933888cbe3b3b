import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../contracts/problem.js';
import type { Pool } from '../db/client.js';
import { keepCode, takeCode } from '../db/sessions.js';
import type { Identity } from './auth.js';

/** A code is for the moment after it was printed. */
const LIFE_MS = 600_000;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOCAL_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

const hashOf = (code: string): string => createHash('sha256').update(code).digest('base64url');

/** A code that opens a session for this person, once; until then it is worth as much as their token. Only its hash is kept. */
export const makeLoginCode = async (pool: Pool, who: Identity): Promise<{ code: string; expires: number }> => {
  const code = randomBytes(24).toString('base64url');
  const expires = Date.now() + LIFE_MS;
  await keepCode(pool, hashOf(code), who, LIFE_MS);
  return { code, expires };
};

/** Whom a code is for; it is used up by this, in every process. @throws Refusal 401 `login_code_invalid` */
export const takeLoginCode = async (pool: Pool, code: string): Promise<Identity> => {
  const holder = await takeCode(pool, hashOf(code));
  if (!holder) throw new Refusal(401, 'login_code_invalid', {});
  return { ...holder, session: null };
};

/**
 * Codes are for a page on this machine, while developing: not in production, not from elsewhere, not through a proxy, not for another site.
 * @throws Refusal 403 `login_codes_off`
 */
export const requireLocal = (env: { NODE_ENV: string }, request: FastifyRequest): void => {
  const { host, origin, forwarded, 'x-forwarded-for': via } = request.headers;
  const here =
    LOOPBACK.test(request.socket.remoteAddress ?? '') && LOCAL_HOST.test(host ?? '') && forwarded === undefined && via === undefined;
  const ours = origin === undefined || origin === `http://${host}`;
  if (env.NODE_ENV === 'production' || !here || !ours) throw new Refusal(403, 'login_codes_off', {});
};
