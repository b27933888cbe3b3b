import { z } from 'zod';
import type { Caller } from '../contracts/api.js';
import { read, transaction, type Pool } from './client.js';

/** Whom a session or a code speaks for; times in ms since epoch. */
export interface Holder {
  workspace: string;
  sub: string;
  roles: Caller['roles'];
  agent: boolean;
  /** When the token behind it was issued. */
  issued: number;
  /** When the session is worth nothing any more. */
  expires: number;
}

/** What was ended: one session, or everything issued to a person until `before`. After `until` it has expired by itself. */
export type Ending = { session: string; until: number } | { workspace: string; sub: string; before: number; until: number };

/** Tells every process what was ended, as an `Ending`. */
export const SESSIONS_CHANNEL = 'campana_sessions';
const Told = z.union([
  z.object({ session: z.string(), until: z.number() }),
  z.object({ workspace: z.string(), sub: z.string(), before: z.number(), until: z.number() }),
]);
/** What a notification says; null when it is none of ours. */
export const endingTold = (payload: string): Ending | null => {
  try {
    return Told.safeParse(JSON.parse(payload)).data ?? null;
  } catch {
    return null;
  }
};

/** Sessions that one person may have open; the oldest goes. */
const SESSIONS_EACH = 200;
/** Codes that nobody has used yet; the oldest goes. */
const CODES = 100;

const ms = (column: string): string => `floor(extract(epoch from ${column}) * 1000)::bigint`;
const at = (param: string): string => `to_timestamp(${param}::float8 / 1000)`;
const HOLDER = `workspace_id as workspace, sub, roles, agent, ${ms('issued_at')} as issued`;
const valuesOf = (holder: Holder): unknown[] => [holder.workspace, holder.sub, holder.roles, holder.agent, holder.issued, holder.expires];

/** When something was issued, by the database's clock at the latest: an issuer whose clock is ahead gives nothing that outlives leaving. */
const issuedAt = (param: string): string => `least(${at(param)}, clock_timestamp())`;

/** Opens a session under the hash of its cookie. Of too many the oldest is ended like any other, so that no process goes on with it. */
export const openSession = async (pool: Pool, hash: string, holder: Holder): Promise<void> => {
  await read(pool).q(
    `insert into page_sessions (hash, workspace_id, sub, roles, agent, issued_at, expires_at) values ($1, $2, $3, $4, $5, ${issuedAt('$6')}, ${at('$7')}) on conflict do nothing`,
    [hash, ...valuesOf(holder)],
  );
  const over = await read(pool).q<{ hash: string }>(
    `select hash from page_sessions where workspace_id = $1 and sub = $2 and ended_at is null order by created_at desc, hash offset ${SESSIONS_EACH}`,
    [holder.workspace, holder.sub],
  );
  for (const one of over) await endSession(pool, one.hash);
};

/** Whose session this is; null for one that is not there or was ended. */
export const findSession = async (pool: Pool, hash: string): Promise<Holder | null> =>
  (
    await read(pool).q<Holder>(`select ${HOLDER}, ${ms('expires_at')} as expires from page_sessions where hash = $1 and ended_at is null`, [
      hash,
    ])
  )[0] ?? null;

/** Ends a session and tells every process; one that is over stays so. */
export const endSession = async (pool: Pool, hash: string): Promise<Ending | null> => {
  const [ended] = await read(pool).q<{ told: string }>(
    `with gone as (update page_sessions set ended_at = coalesce(ended_at, now()) where hash = $1 returning hash, expires_at),
       said as (select json_build_object('session', hash, 'until', ${ms('expires_at')})::text as told from gone)
     select told, pg_notify('${SESSIONS_CHANNEL}', told) from said`,
    [hash],
  );
  return ended ? endingTold(ended.told) : null;
};

/**
 * Ends everything that was issued to a person until now (the database's clock), codes too, and tells every process; what asks for it is
 * ended also where its issuer's clock is ahead.
 * @param lifeMs no token lives longer
 */
export const leaveEverywhere = (
  pool: Pool,
  { workspace, sub, issued }: Pick<Holder, 'workspace' | 'sub' | 'issued'>,
  lifeMs: number,
): Promise<Ending | null> =>
  transaction(pool, async (tx) => {
    await tx.q(`delete from login_codes where workspace_id = $1 and sub = $2`, [workspace, sub]);
    const [ended] = await tx.q<{ told: string }>(
      `with gone as (insert into left_everywhere (workspace_id, sub, before, until) values ($1, $2, greatest(clock_timestamp(), ${at('$4')}), clock_timestamp() + $3::float8 * interval '1 millisecond')
           on conflict (workspace_id, sub) do update set before = greatest(left_everywhere.before, excluded.before), until = greatest(left_everywhere.until, excluded.until)
           returning workspace_id, sub, before, until),
         said as (select json_build_object('workspace', workspace_id, 'sub', sub, 'before', ${ms('before')}, 'until', ${ms('until')})::text as told from gone)
       select told, pg_notify('${SESSIONS_CHANNEL}', told) from said`,
      [workspace, sub, lifeMs, issued],
    );
    return ended ? endingTold(ended.told) : null;
  });

/** Everything ended that would not have expired yet. */
export const endings = async (pool: Pool): Promise<Ending[]> => {
  const db = read(pool);
  const sessions = await db.q<{ session: string; until: number }>(
    `select hash as session, ${ms('expires_at')} as until from page_sessions where ended_at is not null and expires_at > now()`,
  );
  const people = await db.q<{ workspace: string; sub: string; before: number; until: number }>(
    `select workspace_id as workspace, sub, ${ms('before')} as before, ${ms('until')} as until from left_everywhere where until > now()`,
  );
  return [...sessions, ...people];
};

/** Whether what somebody holds is still worth something. @param session hash of the cookie; null for a bearer token */
export const isOpen = async (
  pool: Pool,
  { workspace, sub, issued }: Pick<Holder, 'workspace' | 'sub' | 'issued'>,
  session: string | null,
): Promise<boolean> => {
  const [row] = await read(pool).q<{ open: boolean }>(
    `select ($1::text is null or exists (select from page_sessions where hash = $1 and ended_at is null and expires_at > now()))
       and not exists (select from left_everywhere where workspace_id = $2 and sub = $3 and before >= ${at('$4')}) as open`,
    [session, workspace, sub, issued],
  );
  return row?.open === true;
};

/** Keeps a code by its hash. @param lifeMs how long it works */
export const keepCode = (pool: Pool, hash: string, holder: Holder, lifeMs: number): Promise<void> =>
  transaction(pool, async (tx) => {
    await tx.q(
      `delete from login_codes where expires_at <= now() or hash in (select hash from login_codes order by created_at desc, hash offset ${CODES - 1})`,
    );
    await tx.q(
      `insert into login_codes (hash, workspace_id, sub, roles, agent, issued_at, session_expires_at, expires_at)
       values ($1, $2, $3, $4, $5, ${issuedAt('$6')}, ${at('$7')}, now() + $8::float8 * interval '1 millisecond')`,
      [hash, ...valuesOf(holder), lifeMs],
    );
  });

/** Uses a code up; null for one that is not there, was used, or is too old. Of many at once one gets it, whichever process they ask. */
export const takeCode = async (pool: Pool, hash: string): Promise<Holder | null> => {
  const [row] = await read(pool).q<Holder & { live: boolean }>(
    `delete from login_codes where hash = $1 returning ${HOLDER}, ${ms('session_expires_at')} as expires, expires_at > now() as live`,
    [hash],
  );
  if (!row?.live) return null;
  const { live: _, ...holder } = row;
  return holder;
};
