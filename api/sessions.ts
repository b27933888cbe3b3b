import { createHash, randomBytes } from 'node:crypto';
import { Refusal } from '../contracts/problem.js';
import type { Pool } from '../db/client.js';
import { endings, endSession, findSession, isOpen, leaveEverywhere, openSession, type Ending } from '../db/sessions.js';
import { ALL_EXPIRED_MS, type Credentials, type Identity, type Verify } from './auth.js';
import type { Hub } from './hub.js';

/** What was ended is read again when notifications do not arrive and the last reading is older than this. */
const STALE_MS = 2_000;
const CACHE_SIZE = 5_000;
const RETRY_MS = 1_000;
const COOKIE = /^[\w-]{43}$/;

/**
 * Who holds a token or a page's cookie, and what was ended of it.
 *
 * A page's cookie is a random value of its own, never the token that it was opened with, so that leaving ends exactly the page's session and a
 * copied cookie cannot be taken apart for the token. What was ended is kept in memory, told by PostgreSQL's notifications, so that a poll
 * costs two look-ups in maps. For reading that is behind by milliseconds; by 8 s at most where the line of the notifications broke without a word
 * (its pulse, db/listen.ts); while it is known to be broken the rows are read again every 2 s. For a change the rows are asked each time: a tap
 * with an ended session spends nothing, in any process.
 *
 * When the database cannot be asked, nobody is let in (503, try again): almost nothing could be answered without it anyway, and
 * whoever ended a session on a device that is not theirs must be able to rely on it.
 */
export interface Sessions {
  /** Answers at once where nothing has to be read. @throws Refusal 401 `session_ended`, or what the verifier refuses */
  identify(this: void, credentials: Credentials, changing: boolean): Identity | Promise<Identity>;
  /** The same person, when nothing of theirs was ended meanwhile. @throws Refusal 401 `session_ended` */
  still(who: Identity): Promise<Identity>;
  /** Opens a session for the page. @returns the cookie's value */
  begin(who: Identity): Promise<string>;
  /** Ends the session of a cookie; of a value that is none, nothing. */
  end(cookie: string): Promise<void>;
  /** Ends everything issued to this person until now: sessions, codes and tokens. */
  endAll(who: Identity): Promise<void>;
  /** Calls `over` once when what this caller holds was ended, at once if it was already. @returns stops listening */
  whileOpen(who: Identity, over: () => void): () => void;
  close(): void;
}

const hashOf = (value: string): string => createHash('sha256').update(value).digest('base64url');
const ended = (): Refusal => new Refusal(401, 'session_ended', {});
const personOf = ({ workspace, sub }: { workspace: string; sub: string }): string => `${workspace} ${sub}`;

/** What was ended and would not have expired yet. It only grows until then, so what was read and what was told may come in any order. */
class Ended {
  private readonly sessions = new Map<string, number>();
  private readonly people = new Map<string, { before: number; until: number }>();

  add(ending: Ending): void {
    const now = Date.now();
    for (const [hash, until] of this.sessions) if (until <= now) this.sessions.delete(hash);
    for (const [person, { until }] of this.people) if (until <= now) this.people.delete(person);
    if ('session' in ending) this.sessions.set(ending.session, ending.until);
    else if (ending.before > (this.people.get(personOf(ending))?.before ?? 0)) this.people.set(personOf(ending), ending);
  }

  /** Issued in the same second counts as before: tokens say no more than the second. */
  has(who: Identity): boolean {
    if (who.session !== null && this.sessions.has(who.session)) return true;
    return this.people.size > 0 && who.issued <= (this.people.get(personOf(who))?.before ?? -1);
  }
}

export const createSessions = (pool: Pool, hub: Pick<Hub, 'connected' | 'onEnded' | 'onResync'>, verify: Verify): Sessions => {
  const gone = new Ended();
  /** By hash of the cookie. What a session says never changes; only whether it was ended, which is looked up elsewhere. */
  const known = new Map<string, Identity>();
  const listeners = new Set<{ who: Identity; over: () => void }>();
  /** Connections so far, and the one whose beginning the last reading covers. */
  let connection = 0;
  let covered = -1;
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;

  const tell = (): void => {
    for (const one of [...listeners]) if (gone.has(one.who) && listeners.delete(one)) one.over();
  };
  const hear = (all: Ending[]): void => {
    for (const ending of all) gone.add(ending);
    if (all.length > 0) tell();
  };
  const load = (): Promise<void> =>
    (reading ??= (async () => {
      const since = performance.now();
      const covers = connection;
      hear(await endings(pool));
      readAt = since;
      covered = covers;
    })().finally(() => (reading = undefined)));
  /** Until it was read what was ended while nobody listened: streams have nobody who asks for them. */
  const catchUp = (): void => {
    clearTimeout(retry);
    load().then(
      () => (covered < connection ? catchUp() : undefined),
      () => (retry = setTimeout(catchUp, RETRY_MS).unref()),
    );
  };
  const offs = [
    hub.onEnded((ending) => hear([ending])),
    hub.onResync(() => {
      connection += 1;
      catchUp();
    }),
  ];
  const isFresh = (): boolean => (hub.connected() && covered === connection) || performance.now() - readAt < STALE_MS;

  const find = async (hash: string): Promise<Identity> => {
    const holder = await findSession(pool, hash);
    if (!holder) throw ended();
    const who: Identity = { ...holder, session: hash };
    if (known.size >= CACHE_SIZE) known.delete(known.keys().next().value ?? '');
    known.set(hash, who);
    return who;
  };
  const bySession = (cookie: string): Identity | Promise<Identity> => {
    // Never one of ours: not worth a query.
    if (!COOKIE.test(cookie)) throw ended();
    const hash = hashOf(cookie);
    return known.get(hash) ?? find(hash);
  };
  const checked = (who: Identity): Identity => {
    if (gone.has(who)) throw ended();
    if (who.expires <= Date.now()) throw new Refusal(401, 'token_expired', {});
    return who;
  };
  const confirmed = async (who: Identity | Promise<Identity>, changing: boolean): Promise<Identity> => {
    const [identity] = await Promise.all([who, changing || isFresh() ? undefined : load()]);
    checked(identity);
    if (changing && !(await isOpen(pool, identity, identity.session))) throw ended();
    return identity;
  };

  return {
    identify: ({ token, byCookie }, changing) => {
      const who = byCookie ? bySession(token) : verify(token);
      return changing || who instanceof Promise || !isFresh() ? confirmed(who, changing) : checked(who);
    },
    still: (who) => confirmed(who, true),
    begin: async (who) => {
      const cookie = randomBytes(32).toString('base64url');
      await openSession(pool, hashOf(cookie), who);
      return cookie;
    },
    end: async (cookie) => {
      const ending = await endSession(pool, hashOf(cookie));
      // Here at once, elsewhere when they are told.
      if (ending) hear([ending]);
    },
    endAll: async (who) => {
      const ending = await leaveEverywhere(pool, who, ALL_EXPIRED_MS);
      if (ending) hear([ending]);
    },
    whileOpen: (who, over) => {
      const one = { who, over };
      if (gone.has(who)) over();
      else listeners.add(one);
      return () => void listeners.delete(one);
    },
    close: () => {
      clearTimeout(retry);
      for (const off of offs) off();
      listeners.clear();
    },
  };
};
