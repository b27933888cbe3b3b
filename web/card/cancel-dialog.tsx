import { useRef, useState, type ReactNode } from 'react';
import type { Progress } from '../../contracts/progress.js';
import { control } from '../data/api.js';
import { isTransient, newKey } from '../data/http.js';
import { progress as store } from '../data/progress.js';
import { keys, queries } from '../data/queries.js';
import { Dialog } from '../shell/dialog.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';

/** Cancelling says first what stays and what is given back. */
export const CancelDialog = ({ progress: p, close }: { progress: Progress; close: () => void }): ReactNode => {
  const { say } = useWords();
  const key = useRef(newKey());
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const cancel = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await control(p.run_id, 'cancel', key.current);
      store.refresh(p.run_id);
      void queries.invalidateQueries({ queryKey: keys.balances });
      close();
    } catch (error) {
      // It was answered: trying again is another act.
      if (!isTransient(error)) key.current = newKey();
      setFailure(error);
      setBusy(false);
    }
  };
  const { credits } = p.budget;
  return (
    <Dialog title={say('web.cancel.title')} close={close}>
      <p>{say('web.cancel.effect', { revealed: p.contacts.captured, spent: credits.spent, held: credits.held })}</p>
      {failure ? <Problem error={failure} /> : null}
      <div className="buttons">
        <button type="button" className="button danger" aria-disabled={busy} onClick={() => void cancel()}>
          {say(busy ? 'web.cancel.sending' : 'web.cancel.confirm')}
        </button>
        <button type="button" className="button" onClick={close}>
          {say('web.cancel.keep')}
        </button>
      </div>
    </Dialog>
  );
};
