import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import type { Progress } from '../../contracts/progress.js';
import { isFinal } from '../../contracts/states.js';
import { control } from '../data/api.js';
import { isTransient, newKey } from '../data/http.js';
import { progress as store } from '../data/progress.js';
import { useAnnouncer } from '../shell/announcer.js';
import { sayProblem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { CancelDialog } from './cancel-dialog.js';
import { ReplanDialog } from './replan-dialog.js';

/** Pause, change, cancel, copy the link: what a person may do with a run at any moment. */
export const RunMenu = ({ progress: p }: { progress: Progress }): ReactNode => {
  const words = useWords();
  const { say } = words;
  const announcer = useAnnouncer();
  const list = useId();
  const [open, setOpen] = useState(false);
  const [dialog, setDialog] = useState<'cancel' | 'replan' | null>(null);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  // The same act keeps its key until it is answered: a lost reply is asked for again, not done again.
  const actKeys = useRef<Partial<Record<'pause' | 'resume', string>>>({});
  const over = isFinal(p.state);
  const paused = p.state === 'paused';

  useEffect(() => {
    if (!open) return undefined;
    const away = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', away);
    return () => document.removeEventListener('pointerdown', away);
  }, [open]);

  const steer = async (what: 'pause' | 'resume'): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setSaid(null);
    try {
      await control(p.run_id, what, (actKeys.current[what] ??= newKey()));
      // Either way: once it has taken effect, the next one is another act.
      actKeys.current = {};
      store.refresh(p.run_id);
    } catch (error) {
      if (!isTransient(error)) delete actKeys.current[what];
      const text = sayProblem(words, error);
      setSaid(text);
      announcer.alert(text);
    } finally {
      setBusy(false);
      setOpen(false);
      opener.current?.focus();
    }
  };
  // The item that was chosen is hidden with its menu: the focus comes back to what opened it.
  const ask = (what: 'cancel' | 'replan'): void => {
    opener.current?.focus();
    setOpen(false);
    setDialog(what);
  };
  const copy = async (): Promise<void> => {
    const link = new URL(`/campanas/${encodeURIComponent(p.run_id)}`, location.origin).href;
    // Only where the page is served safely is there a clipboard at all.
    const copied = await Promise.resolve()
      .then(() => navigator.clipboard.writeText(link))
      .then(
        () => true,
        () => false,
      );
    setSaid(copied ? say('web.menu.copied') : link);
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <div
      className="run-menu"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        setOpen(false);
        opener.current?.focus();
      }}
    >
      <button type="button" className="button" ref={opener} aria-expanded={open} aria-controls={list} onClick={() => setOpen(!open)}>
        {say('web.menu')}
      </button>
      <ul id={list} hidden={!open}>
        {over ? null : (
          <>
            <li>
              <button type="button" className="button" aria-disabled={busy} onClick={() => void steer(paused ? 'resume' : 'pause')}>
                {say(paused ? 'web.menu.resume' : 'web.menu.pause')}
              </button>
            </li>
            <li>
              <button type="button" className="button" onClick={() => ask('replan')}>
                {say('web.menu.change')}
              </button>
            </li>
            <li>
              <button type="button" className="button danger" onClick={() => ask('cancel')}>
                {say('web.menu.cancel')}
              </button>
            </li>
          </>
        )}
        <li>
          <button type="button" className="button" onClick={() => void copy()}>
            {say('web.menu.copy')}
          </button>
        </li>
      </ul>
      {said ? <p className="quiet run-menu-said">{said}</p> : null}
      {dialog === 'cancel' ? <CancelDialog progress={p} close={() => setDialog(null)} /> : null}
      {dialog === 'replan' ? <ReplanDialog progress={p} close={() => setDialog(null)} /> : null}
    </div>
  );
};
