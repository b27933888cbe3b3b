import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { useWords } from '../words/words.js';

const HistoryList = lazy(async () => ({ default: (await import('./history-list.js')).HistoryList }));

/** The list is read when somebody opens it. */
export const History = ({ here }: { here: string | null }): ReactNode => {
  const { say } = useWords();
  const [open, setOpen] = useState(false);
  const whole = useRef<HTMLDetailsElement>(null);
  const opener = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const elsewhere = (event: PointerEvent): void => {
      if (event.target instanceof Node && !whole.current?.contains(event.target)) setOpen(false);
    };
    window.addEventListener('pointerdown', elsewhere);
    return () => window.removeEventListener('pointerdown', elsewhere);
  }, [open]);
  return (
    <details
      className="chat-history"
      ref={whole}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        setOpen(false);
        opener.current?.focus();
      }}
    >
      <summary className="button slim" ref={opener}>
        {say('web.chat.history')}
      </summary>
      <div className="panel">
        {open ? (
          <Suspense fallback={<p className="quiet">{say('web.loading')}</p>}>
            <HistoryList here={here} pick={() => setOpen(false)} />
          </Suspense>
        ) : null}
      </div>
    </details>
  );
};
