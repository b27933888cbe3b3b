import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { beginSession, endSession, getSession, type Session } from '../data/api.js';
import { session as calls } from '../data/http.js';
import { ApiProblem } from '../data/problem.js';
import { queries } from '../data/queries.js';

export type Login = { state: 'unknown' } | { state: 'out'; problem: ApiProblem | null } | { state: 'in'; who: Session };
interface Access { login: Login; enter(by: { code: string } | { token: string }): Promise<void>; leave(): Promise<void> }
const Context = createContext<Access | null>(null);

/** The one-time code of a link, taken out of the address at once: it must not stay in the history. */
const codeOfLink = (): string | null => {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(null, '', location.pathname + location.search);
  return code;
};

const RETRY_MS = 2_000;

/** Who uses the page. The session lives in a cookie that no script can read; what a change needs beside it is kept here. */
export const SessionProvider = ({ children }: { children: ReactNode }): ReactNode => {
  const [login, setLogin] = useState<Login>({ state: 'unknown' });

  const enter = useCallback(async (by: { code: string } | { token: string } | null) => {
    try {
      const who = by ? await beginSession(by) : await getSession();
      // A session by bearer token has no CSRF value: the cookie it set has.
      const full = who.csrf_token === null ? await getSession() : who;
      calls.csrf = full.csrf_token;
      setLogin({ state: 'in', who: full });
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status >= 500) throw error;
      calls.csrf = null;
      setLogin({ state: 'out', problem: by ? error : null });
    }
  }, []);

  useEffect(() => {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    calls.onDenied = () => setLogin((before) => (before.state === 'in' ? { state: 'out', problem: null } : before));
    const code = codeOfLink();
    const begin = async (by: { code: string } | null): Promise<void> => {
      try {
        await enter(by);
      } catch {
        // The API is away: nobody knows yet who this is.
        if (!over) timer = setTimeout(() => void begin(by), RETRY_MS);
      }
    };
    void begin(code === null ? null : { code });
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [enter]);

  const access = useMemo<Access>(() => ({
    login, enter,
    leave: async () => {
      await endSession().catch(() => undefined);
      calls.csrf = null;
      queries.clear();
      setLogin({ state: 'out', problem: null });
    },
  }), [login, enter]);
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
