import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { beginSession, endAllSessions, endSession, getSession, type Session } from '../data/api.js';
import { session as calls } from '../data/http.js';
import { ApiProblem, NoAnswer } from '../data/problem.js';
import { progress } from '../data/progress.js';
import { queries } from '../data/queries.js';
import { useAnnouncer } from './announcer.js';

/** `unknown`: not asked yet, or `away`, no answer so far. */
export type Login = { state: 'unknown'; away: boolean } | { state: 'out'; problem: ApiProblem | null } | { state: 'in'; who: Session };
interface Access {
  login: Login;
  /** @throws NoAnswer, or ApiProblem of a server that cannot just now */
  enter(by: { code: string } | { token: string }): Promise<void>;
  /** @throws NoAnswer, ApiProblem when the session could not be ended: the person is still in */
  leave(): Promise<void>;
  /** Leaves every device. @throws NoAnswer, ApiProblem when it is not known to be done: the person is still in */
  leaveEverywhere(): Promise<void>;
}
const Context = createContext<Access | null>(null);

/** The one-time code of a link, taken out of the address at once: it must not stay in the history. */
const codeOfLink = (): string | null => {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return code;
};

const RETRY_MS = 2_000;
export const nameOf = ({ workspace, sub }: Pick<Session, 'workspace' | 'sub'>): string => `${workspace}/${sub}`;
const isOut = (error: unknown): error is ApiProblem => error instanceof ApiProblem && error.status === 401;

/** The session as the server has it, with what a change needs beside the cookie. A session by bearer token has no CSRF value: the cookie it set has. */
const whole = async (asked: Promise<Session>): Promise<Session> => {
  const who = await asked;
  const full = (who as Session | null)?.csrf_token === null ? await getSession() : who;
  if (typeof (full as Partial<Session> | null)?.sub !== 'string' || !Array.isArray(full.roles)) throw new NoAnswer();
  return full;
};

/** Who uses the page. The session lives in a cookie that no script can read; what a change needs beside it is kept here. */
export const SessionProvider = ({ children }: { children: ReactNode }): ReactNode => {
  const announcer = useAnnouncer();
  const [login, setLogin] = useState<Login>({ state: 'unknown', away: false });
  /** Whose data this page has. */
  const owner = useRef<string | null>(null);
  /** Comings and goings: what was asked before one says nothing after it. */
  const changes = useRef(0);

  const forget = useCallback(() => {
    owner.current = null;
    calls.csrf = null;
    queries.clear();
    progress.forget();
    announcer.hush();
  }, [announcer]);
  const come = useCallback(
    (who: Session) => {
      // What one person saw is not shown to the next one on the same device.
      if (owner.current !== nameOf(who)) forget();
      owner.current = nameOf(who);
      calls.csrf = who.csrf_token;
      setLogin((before) => (before.state === 'in' && JSON.stringify(before.who) === JSON.stringify(who) ? before : { state: 'in', who }));
    },
    [forget],
  );

  const enter = useCallback(
    async (by: { code: string } | { token: string }) => {
      changes.current += 1;
      try {
        come(await whole(beginSession(by)));
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.status >= 500 || error.retryable) throw error;
        // A link that was opened before: whoever is in stays in.
        if ('code' in by) {
          try {
            return come(await whole(getSession()));
          } catch (why) {
            if (!isOut(why)) throw why;
          }
        }
        setLogin({ state: 'out', problem: error });
      }
    },
    [come],
  );

  useEffect(() => {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    calls.onDenied = () => setLogin((before) => (before.state === 'in' ? { state: 'out', problem: null } : before));
    const begin = async (code: string | null): Promise<void> => {
      clearTimeout(timer);
      try {
        if (code === null) come(await whole(getSession()));
        else await enter({ code });
      } catch (error) {
        if (over) return;
        if (isOut(error)) return setLogin({ state: 'out', problem: null });
        // The API is away, or cannot say: nobody knows yet who this is.
        setLogin((before) => (before.state === 'unknown' ? { state: 'unknown', away: true } : before));
        timer = setTimeout(() => void begin(code), RETRY_MS);
      }
    };
    void begin(codeOfLink());
    /** Another tab may have left, or let somebody else in: the cookie is theirs now, and so must the page be. */
    const check = async (): Promise<boolean> => {
      const before = owner.current;
      const asked = changes.current;
      try {
        const who = await whole(getSession());
        if (over || asked !== changes.current) return false;
        come(who);
        return before === nameOf(who);
      } catch {
        return false;
      }
    };
    calls.renew = check;
    const looked = (): void => {
      if (document.visibilityState === 'visible' && owner.current !== null) void check();
    };
    // A link that is opened in a tab where the page already is changes nothing but the fragment.
    const linked = (): void => {
      const code = codeOfLink();
      if (code !== null) void begin(code);
    };
    window.addEventListener('focus', looked);
    document.addEventListener('visibilitychange', looked);
    window.addEventListener('hashchange', linked);
    return () => {
      over = true;
      clearTimeout(timer);
      window.removeEventListener('focus', looked);
      document.removeEventListener('visibilitychange', looked);
      window.removeEventListener('hashchange', linked);
    };
  }, [come, enter]);

  const access = useMemo<Access>(
    () => ({
      login,
      enter,
      leave: async () => {
        changes.current += 1;
        try {
          await endSession();
        } catch (error) {
          // Nobody may believe to have left a device that would let the next one in.
          if (!isOut(error)) throw error;
        }
        forget();
        setLogin({ state: 'out', problem: null });
      },
      leaveEverywhere: async () => {
        changes.current += 1;
        let problem: ApiProblem | null = null;
        try {
          await endAllSessions();
        } catch (error) {
          if (!isOut(error)) throw error;
          // Only this session is known to be over: that is what the login says.
          problem = error;
        }
        forget();
        setLogin({ state: 'out', problem });
      },
    }),
    [login, enter, forget],
  );
  return <Context value={access}>{children}</Context>;
};

export const useAccess = (): Access => {
  const access = useContext(Context);
  if (!access) throw new Error('no session');
  return access;
};

/** Who is logged in; only for screens, which are shown to nobody else. */
export const useWho = (): Session => {
  const { login } = useAccess();
  if (login.state !== 'in') throw new Error('nobody is logged in');
  return login.who;
};
