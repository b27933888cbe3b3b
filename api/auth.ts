import { createHash } from 'node:crypto';
import { createRemoteJWKSet, errors, importSPKI, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { Caller } from '../contracts/api.js';
import type { Env } from '../contracts/env.js';
import { Refusal } from '../contracts/problem.js';

export type Role = Caller['roles'][number];
export interface ApiCaller extends Caller {
  /** The token was given to a program that acts for a person: it cannot set caps, choose a mode or answer a decision. */
  agent: boolean;
  /** ms since epoch when the token was issued; a session of the page has that of the token that opened it. */
  issued: number;
  /** ms since epoch after which the token is worth nothing. */
  expires: number;
  /** Hash of the page session's cookie; null where a bearer token came by itself. */
  session: string | null;
}
/** Who it is, before it is known from where. */
export type Identity = Omit<ApiCaller, 'channel'>;

/** No token lives longer than this. */
const MAX_LIFE_S = 12 * 3600;
/** Clocks of issuer and server may differ by this much. */
const SKEW_S = 30;
/** After this long, in ms, everything that was issued until now has expired, whatever the clocks say. */
export const ALL_EXPIRED_MS = (MAX_LIFE_S + 4 * SKEW_S) * 1000;
const CACHE_SIZE = 5_000;
export const SESSION_COOKIE = 'campana_session';
export const CHANNELS = ['api', 'cli', 'web'] as const;

const Claims = z.object({
  sub: z.string().min(1).max(200),
  // The workspace becomes part of workflow ids and of notifications.
  ws: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  roles: z
    .array(z.string())
    .max(20)
    .transform((roles) => roles.filter((r): r is Role => r === 'seller' || r === 'approver' || r === 'operator')),
  exp: z.number(),
  iat: z.number().optional(),
  typ: z.string().max(40).optional(),
});

/** Who a verified payload speaks for. Without `iat` it may have been issued as early as its life allows. @throws Refusal 401 on missing claims or a life longer than 12 h. */
const identify = (payload: JWTPayload): Identity => {
  const claims = Claims.safeParse(payload);
  if (!claims.success) throw new Refusal(401, 'token_invalid', {});
  const { sub, ws, roles, exp, iat, typ } = claims.data;
  const now = Date.now() / 1000;
  // One from the future would outlive that its person left everywhere.
  if (iat !== undefined && iat > now + SKEW_S) throw new Refusal(401, 'token_invalid', {});
  const life = exp - (iat ?? Math.floor(now));
  if (life > MAX_LIFE_S + SKEW_S || exp - now > MAX_LIFE_S + SKEW_S) throw new Refusal(401, 'token_too_long', { hours: MAX_LIFE_S / 3600 });
  return {
    sub,
    workspace: ws,
    roles,
    agent: typ === 'agent',
    issued: Math.floor((iat ?? exp - MAX_LIFE_S) * 1000),
    expires: exp * 1000,
    session: null,
  };
};

export type Verify = (token: string) => Identity | Promise<Identity>;

/**
 * Verifies tokens by the public key (`CAMPANA_JWT_PUBLIC_KEY`, EdDSA) or the JWKS URL of the environment. A verified token is
 * remembered until it expires, so that a poll costs a map look-up.
 * @throws Refusal 401 `token_expired`, `token_invalid`, `token_too_long`; 503 `keys_unreachable` when the JWKS cannot be read
 */
export const createVerifier = async (env: Pick<Env, 'CAMPANA_JWT_PUBLIC_KEY' | 'CAMPANA_JWKS_URL'>): Promise<Verify> => {
  const known = new Map<string, Identity>();
  let check: (token: string) => Promise<JWTPayload>;
  if (env.CAMPANA_JWKS_URL) {
    const keys: JWTVerifyGetKey = createRemoteJWKSet(new URL(env.CAMPANA_JWKS_URL), { timeoutDuration: 3_000 });
    check = async (token) => (await jwtVerify(token, keys, { algorithms: ['EdDSA', 'ES256', 'RS256'], clockTolerance: SKEW_S })).payload;
  } else if (env.CAMPANA_JWT_PUBLIC_KEY) {
    const key = await importSPKI(env.CAMPANA_JWT_PUBLIC_KEY.replaceAll('\\n', '\n'), 'EdDSA');
    check = async (token) => (await jwtVerify(token, key, { algorithms: ['EdDSA'] })).payload;
  } else {
    throw new Error('No key to verify tokens with: set CAMPANA_JWT_PUBLIC_KEY or CAMPANA_JWKS_URL.');
  }
  const verify = async (token: string): Promise<Identity> => {
    let payload: JWTPayload;
    try {
      payload = await check(token);
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new Refusal(401, 'token_expired', {});
      if (error instanceof errors.JWKSTimeout || (error instanceof TypeError && env.CAMPANA_JWKS_URL))
        throw new Refusal(503, 'keys_unreachable', {}, { retryable: true, retry_after_ms: 2_000 });
      throw new Refusal(401, 'token_invalid', {});
    }
    const caller = identify(payload);
    if (known.size >= CACHE_SIZE) known.delete(known.keys().next().value ?? '');
    known.set(token, caller);
    return caller;
  };
  return (token) => {
    const cached = known.get(token);
    if (!cached) return verify(token);
    if (cached.expires > Date.now()) return cached;
    known.delete(token);
    throw new Refusal(401, 'token_expired', {});
  };
};

/** The value a page has to send back as `X-CSRF-Token`: made from the session that only the server and the cookie know. */
export const csrfOf = (token: string): string => createHash('sha256').update(`csrf\u0000${token}`).digest('base64url');

/** One cookie of a request, or undefined. */
export const cookieOf = (header: string | undefined, name: string): string | undefined => {
  if (!header) return undefined;
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
};

/** What the token of a request says. A header wins over the cookie; with the cookie a change needs the CSRF header. */
export interface Credentials {
  token: string;
  byCookie: boolean;
}
export const credentialsOf = (headers: { authorization?: string | undefined; cookie?: string | undefined }): Credentials => {
  const { authorization } = headers;
  if (authorization !== undefined) {
    if (!/^bearer /i.test(authorization)) throw new Refusal(401, 'token_invalid', {});
    return { token: authorization.slice(7).trim(), byCookie: false };
  }
  const token = cookieOf(headers.cookie, SESSION_COOKIE);
  if (!token) throw new Refusal(401, 'token_missing', {});
  return { token, byCookie: true };
};

interface Asked {
  method: string;
  headers: { authorization?: string | undefined; cookie?: string | undefined; [name: string]: string | string[] | undefined };
}
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

const channelOf = (request: Asked, byCookie: boolean): string => {
  const header = request.headers['x-campana-channel'];
  if (header === undefined) return byCookie ? 'web' : 'api';
  if (typeof header !== 'string' || !(CHANNELS as readonly string[]).includes(header))
    throw new Refusal(400, 'channel_unknown', { channels: CHANNELS.join(', ') });
  return header;
};

/**
 * Who a request comes from, and from where. A change by cookie needs what only a page of ours can know.
 * @param identify who holds these credentials; `changing` when they are about to be used for more than reading
 * @throws Refusal 401 without a token or session that is worth something, 403 `csrf_missing`, 400 `channel_unknown`
 */
export const identified = (
  identify: (credentials: Credentials, changing: boolean) => Identity | Promise<Identity>,
  request: Asked,
): ApiCaller | Promise<ApiCaller> => {
  const { token, byCookie } = credentialsOf(request.headers);
  const changing = !READING.has(request.method);
  const place = (caller: Identity): ApiCaller => {
    const channel = channelOf(request, byCookie);
    if (byCookie && changing && request.headers['x-csrf-token'] !== csrfOf(token)) throw new Refusal(403, 'csrf_missing', {});
    return { ...caller, channel };
  };
  const known = identify({ token, byCookie }, changing);
  return known instanceof Promise ? known.then(place) : place(known);
};

/** @throws Refusal 403 `role_missing` when the caller has none of the roles. */
export const requireRole = (caller: Caller, roles: readonly Role[]): void => {
  if (!roles.some((role) => caller.roles.includes(role))) throw new Refusal(403, 'role_missing', { role: roles[0] ?? '' });
};

/** @throws Refusal 403 `person_needed` for a program's token. */
export const requirePerson = (caller: ApiCaller): void => {
  if (caller.agent) throw new Refusal(403, 'person_needed', {});
};
