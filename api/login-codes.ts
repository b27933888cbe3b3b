import { createHash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../contracts/problem.js';

/** A code is for the moment after it was printed. */
const LIFE_MS = 600_000;
/** Codes nobody has used yet, at most; the oldest goes. */
const OPEN = 100;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOCAL_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

export interface LoginCodes {
  /** A code for whoever holds this token; it is worth as much as the token, once. */
  make(token: string): { code: string; expires: number };
  /** The token of a code, which is then used up. @throws Refusal 401 `login_code_invalid` */
  take(code: string): string;
}

/** One-time codes of this process, kept as hashes and never written anywhere. */
export const loginCodes = (now: () => number = Date.now): LoginCodes => {
  const open = new Map<string, { token: string; expires: number }>();
  const hashOf = (code: string): string => createHash('sha256').update(code).digest('base64url');
  return {
    make(token) {
      for (const [hash, { expires }] of open) if (expires <= now() || open.size >= OPEN) open.delete(hash);
      const code = randomBytes(24).toString('base64url');
      const expires = now() + LIFE_MS;
      open.set(hashOf(code), { token, expires });
      return { code, expires };
    },
    take(code) {
      const hash = hashOf(code);
      const found = open.get(hash);
      open.delete(hash);
      if (!found || found.expires <= now()) throw new Refusal(401, 'login_code_invalid', {});
      return found.token;
    },
  };
};

/**
 * Codes are for a page on this machine, while developing: not in production, not from elsewhere, not through a proxy, not for another site.
 * @throws Refusal 403 `login_codes_off`
 */
export const requireLocal = (env: { NODE_ENV: string }, request: FastifyRequest): void => {
  const { host, origin, forwarded, 'x-forwarded-for': via } = request.headers;
  const here = LOOPBACK.test(request.socket.remoteAddress ?? '') && LOCAL_HOST.test(host ?? '') && forwarded === undefined && via === undefined;
  const ours = origin === undefined || origin === `http://${host}`;
  if (env.NODE_ENV === 'production' || !here || !ours) throw new Refusal(403, 'login_codes_off', {});
};
