import { QueryClientProvider } from '@tanstack/react-query';
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type LazyExoticComponent,
  type ReactNode,
} from 'react';
import { Route, Switch, useLocation } from 'wouter';
import type { Language } from '../../contracts/catalog/index.js';
import { queries } from '../data/queries.js';
import { settleTaps } from '../decisions/settle-taps.js';
import { session as calls } from '../data/http.js';
import { NoAnswer } from '../data/problem.js';
import { WordsProvider, loadWords, useWords } from '../words/words.js';
import type { Words } from '../../view/words.js';
import { AnnouncerProvider } from './announcer.js';
import { Boundary } from './boundary.js';
import { Frame } from './frame.js';
import { LoginScreen } from './login.js';
import { LookProvider } from './look.js';
import { Problem } from './problem.js';
import { applyTheme, storedLanguage, storedTheme, storeLanguage, storeTheme, type Theme } from './preferences.js';
import { FocusKeeper } from './focus-keeper.js';
import { nameOf, SessionProvider, useAccess } from './session.js';

// The chat comes with the first load; the other screens when somebody opens them.
import { ChatScreen } from '../chat/screen.js';
/** A part that did not come (no signal, or a newer page took its place) is no fault of the page; loading it all anew brings it. */
const late = <P extends object>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => ({ default: await load().catch(() => Promise.reject(new NoAnswer())) }));
const RunsScreen = late(async () => (await import('../runs/list.js')).RunsScreen);
const RunScreen = late(async () => (await import('../runs/screen.js')).RunScreen);
const DecisionsScreen = late(async () => (await import('../decisions/inbox.js')).DecisionsScreen);
const DecisionScreen = late(async () => (await import('../decisions/screen.js')).DecisionScreen);
const SequenceScreen = late(async () => (await import('../sequences/screen.js')).SequenceScreen);
const OpsScreen = late(async () => (await import('../ops/screen.js')).OpsScreen);
const SettingsScreen = late(async () => (await import('../settings/screen.js')).SettingsScreen);
const GalleryScreen = late(async () => (await import('../gallery/screen.js')).GalleryScreen);

const NotFound = (): ReactNode => {
  const { say } = useWords();
  return (
    <>
      <h1>{say('web.not_found')}</h1>
      <p>
        <a href="/">{say('web.to_start')}</a>
      </p>
    </>
  );
};

/** ms */
const WORDS_RETRY_MS = 2_000;

/** A conversation that begins gets its own address and stays the same screen. */
const screenOf = (path: string): string => path.split('/')[1] || 'chat';

/** The screen of the address. A new screen is a person's own doing, so the focus goes to it; the first one leaves it alone. */
const Screens = (): ReactNode => {
  const [path] = useLocation();
  const { say } = useWords();
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    if (screenOf(before.current) !== screenOf(path)) main.current?.focus();
    before.current = path;
  }, [path]);
  return (
    <main id="contenido" tabIndex={-1} ref={main}>
      <Boundary
        reset={path}
        fallback={(retry, error) => (
          <Problem error={error instanceof NoAnswer ? error : null} retry={error instanceof NoAnswer ? () => location.reload() : retry} />
        )}
      >
        <Suspense fallback={<p className="quiet">{say('web.loading')}</p>}>
          <Switch>
            <Route path="/">
              <ChatScreen thread={null} />
            </Route>
            <Route path="/chat/:thread">{({ thread }) => <ChatScreen thread={thread} />}</Route>
            <Route path="/campanas">
              <RunsScreen />
            </Route>
            <Route path="/campanas/:run">{({ run }) => <RunScreen run={run} />}</Route>
            <Route path="/decisiones">
              <DecisionsScreen />
            </Route>
            <Route path="/decisiones/:decision">{({ decision }) => <DecisionScreen id={decision} />}</Route>
            <Route path="/secuencias/:sequence">{({ sequence }) => <SequenceScreen id={sequence} />}</Route>
            <Route path="/operacion">
              <OpsScreen />
            </Route>
            <Route path="/configuracion/:part?">
              <SettingsScreen />
            </Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      </Boundary>
    </main>
  );
};

const Gate = (): ReactNode => {
  const { login } = useAccess();
  const { say } = useWords();
  const who = login.state === 'in' ? login.who : null;
  const [workspace, sub] = [who?.workspace, who?.sub];
  useEffect(() => {
    if (workspace !== undefined && sub !== undefined) void settleTaps({ workspace, sub });
  }, [workspace, sub]);
  if (login.state === 'unknown')
    return (
      <p className="quiet narrow" data-testid="entering">
        {say(login.away ? 'web.no_answer' : 'web.loading')}
      </p>
    );
  // Another person's page starts from nothing.
  return who ? (
    <Frame key={nameOf(who)}>
      <FocusKeeper />
      <Screens />
    </Frame>
  ) : (
    <LoginScreen />
  );
};

export const App = (): ReactNode => {
  const [language, setLanguage] = useState<Language>(storedLanguage);
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const [zone, setZone] = useState<string | undefined>(undefined);
  const [words, setWords] = useState<Words | null>(null);
  const [path] = useLocation();

  useEffect(() => applyTheme(theme), [theme]);
  useEffect(() => {
    let current = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = (): void =>
      void loadWords(language, zone).then(
        (loaded) => {
          if (!current) return;
          document.documentElement.lang = language;
          calls.language = language;
          setWords(loaded);
        },
        () => {
          // No signal just now: without its texts the page has nothing to say.
          if (current) timer = setTimeout(load, WORDS_RETRY_MS);
        },
      );
    load();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [language, zone]);

  const chooseLanguage = useCallback((next: Language) => {
    storeLanguage(next);
    setLanguage(next);
  }, []);
  const chooseTheme = useCallback((next: Theme) => {
    storeTheme(next);
    setTheme(next);
  }, []);
  const look = useMemo(
    () => ({ language, chooseLanguage, theme, chooseTheme, zone, setZone }),
    [language, chooseLanguage, theme, chooseTheme, zone],
  );

  if (!words) return null;
  return (
    <LookProvider look={look}>
      <WordsProvider words={words}>
        <QueryClientProvider client={queries}>
          <AnnouncerProvider>
            <Boundary
              fallback={(retry) => (
                <main className="narrow">
                  <Problem error={null} retry={retry} />
                </main>
              )}
            >
              {/* Fixtures need nobody and nothing behind them. */}
              {path === '/galeria' ? (
                <Suspense fallback={null}>
                  <GalleryScreen />
                </Suspense>
              ) : (
                <SessionProvider>
                  <Gate />
                </SessionProvider>
              )}
            </Boundary>
          </AnnouncerProvider>
        </QueryClientProvider>
      </WordsProvider>
    </LookProvider>
  );
};
