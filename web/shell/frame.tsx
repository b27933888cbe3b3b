import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { getBalances, getSettings } from '../data/api.js';
import { keys } from '../data/queries.js';
import { useWords } from '../words/words.js';
import { Boundary } from './boundary.js';
import { useHeldKeys } from './held-keys.js';
import { useLook } from './look.js';
import { Problem } from './problem.js';
import { useAccess, useWho } from './session.js';

/** What is left to spend, always in sight; read anew every so often and after every tap. */
const Balances = (): ReactNode => {
  const { say, amount } = useWords();
  const { data } = useQuery({ queryKey: keys.balances, queryFn: getBalances, refetchInterval: 30_000 });
  if (!data) return null;
  // The provider has not been heard yet: what nobody knows is not zero.
  if (data.read_at === null)
    return (
      <p className="balances quiet" data-testid="balance-credits">
        {say('web.balances.unread')}
      </p>
    );
  return (
    <ul className="balances" aria-label={say('web.balances')}>
      {(['credits', 'queries', 'inference'] as const).map((kind) => (
        <li key={kind} data-testid={`balance-${kind}`}>
          <span className="amount">{amount(kind, data[kind].available)}</span>
          {data[kind].held > 0 ? <span className="quiet">{say('web.held', { amount: amount(kind, data[kind].held) })}</span> : null}
        </li>
      ))}
    </ul>
  );
};

const NavLink = ({ to, children }: { to: string; children: ReactNode }): ReactNode => {
  const [path] = useLocation();
  const here = to === '/' ? path === '/' || path.startsWith('/chat') : path === to || path.startsWith(`${to}/`);
  return (
    <li>
      <Link href={to} aria-current={here ? 'page' : undefined}>
        {children}
      </Link>
    </li>
  );
};

/** Alt+D goes to the next open decision on the screen, else to all of them; it only moves the focus. */
const useDecisionKey = (): void => {
  const [, go] = useLocation();
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyD') return;
      event.preventDefault();
      const cards = [...document.querySelectorAll<HTMLElement>('[data-next]')];
      const here = cards.findIndex((card) => card.contains(document.activeElement));
      const next = cards[(here + 1) % Math.max(1, cards.length)];
      if (next) next.focus();
      else go('/decisiones');
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [go]);
};

const TITLES: Array<[prefix: string, code: string]> = [
  ['/campanas', 'web.nav.runs'],
  ['/decisiones', 'web.nav.decisions'],
  ['/secuencias', 'web.sequence.title'],
  ['/operacion', 'web.nav.ops'],
  ['/configuracion', 'web.nav.settings'],
];
/** The window is called by its screen. */
const useTitle = (): void => {
  const [path] = useLocation();
  const { say } = useWords();
  useEffect(() => {
    const code = TITLES.find(([prefix]) => path.startsWith(prefix))?.[1];
    document.title = `${code ? say(code) : 'Ada'} · Campana`;
  }, [path, say]);
};

/** Header, navigation and balances around every screen. */
export const Frame = ({ children }: { children: ReactNode }): ReactNode => {
  const { say } = useWords();
  const who = useWho();
  const { leave } = useAccess();
  const { setZone } = useLook();
  const [stuck, setStuck] = useState<unknown>(null);
  const go = (): void => {
    setStuck(null);
    leave().catch(setStuck);
  };
  useDecisionKey();
  useHeldKeys();
  useTitle();
  const settings = useQuery({ queryKey: keys.settings, queryFn: getSettings, staleTime: 60_000 });
  const zone = settings.data?.zone;
  useEffect(() => {
    if (zone) setZone(zone);
  }, [zone, setZone]);
  return (
    <>
      <a className="skip" href="#contenido">
        {say('web.skip')}
      </a>
      <header className="frame">
        <Link href="/" className="brand">
          Campana
        </Link>
        <nav aria-label={say('web.nav')}>
          <ul>
            <NavLink to="/">Ada</NavLink>
            <NavLink to="/campanas">{say('web.nav.runs')}</NavLink>
            <NavLink to="/decisiones">{say('web.nav.decisions')}</NavLink>
            {who.roles.includes('operator') ? <NavLink to="/operacion">{say('web.nav.ops')}</NavLink> : null}
            <NavLink to="/configuracion">{say('web.nav.settings')}</NavLink>
          </ul>
        </nav>
        <Boundary fallback={() => null}>
          <Balances />
        </Boundary>
        <button type="button" className="button slim" onClick={go}>
          {say('web.leave')}
        </button>
      </header>
      {stuck ? (
        <div className="narrow">
          <Problem error={stuck} retry={go} />
        </div>
      ) : null}
      {children}
    </>
  );
};
