import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';

/** At most one announcement in this time, ms: a screen reader that talks all the time says nothing. */
const PAUSE_MS = 10_000;

export interface Announcer {
  /** Says a milestone when its turn comes. Of several about one topic only the last is said. */
  say(topic: string, text: string): void;
  /** Says at once: an error, a price that changed. */
  alert(text: string): void;
  /** Forgets what was said and what was going to be: somebody else is at the page. */
  hush(): void;
}
const Context = createContext<Announcer | null>(null);

/** The page's only live regions: one for milestones, one for what cannot wait. Counters, clocks and streaming text stay outside. */
export const AnnouncerProvider = ({ children }: { children: ReactNode }): ReactNode => {
  const [status, setStatus] = useState('');
  const [alarm, setAlarm] = useState('');
  const waiting = useRef(new Map<string, string>());
  const last = useRef({ at: -PAUSE_MS, text: '' });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const announcer = useMemo<Announcer>(() => {
    const speak = (): void => {
      timer.current = undefined;
      const text = [...waiting.current.values()].join('. ');
      waiting.current.clear();
      if (text === '' || text === last.current.text) return;
      // Not the clock of the wall: one that is set back would keep the page silent.
      last.current = { at: performance.now(), text };
      setStatus(text);
    };
    return {
      say: (topic, text) => {
        waiting.current.delete(topic);
        waiting.current.set(topic, text);
        timer.current ??= setTimeout(speak, Math.max(0, last.current.at + PAUSE_MS - performance.now()));
      },
      // The same words twice are two events: a changing invisible tail makes a reader say them again.
      alert: (text) => setAlarm((before) => (before === text ? `${text}\u200b` : text)),
      hush: () => {
        clearTimeout(timer.current);
        timer.current = undefined;
        waiting.current.clear();
        last.current.text = '';
        setStatus('');
        setAlarm('');
      },
    };
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <Context value={announcer}>
      {children}
      <div className="unseen" role="status" data-testid="announcer">
        {status}
      </div>
      <div className="unseen" role="alert">
        {alarm}
      </div>
    </Context>
  );
};

export const useAnnouncer = (): Announcer => {
  const announcer = useContext(Context);
  if (!announcer) throw new Error('no announcer');
  return announcer;
};
