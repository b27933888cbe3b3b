import { useState, type FormEvent, type ReactNode } from 'react';
import type { Decision } from '../../contracts/decision.js';
import { Dialog } from '../shell/dialog.js';
import { useWords } from '../words/words.js';
import { useGuard } from './use-guard.js';

type Then = 'wait' | 'skip' | 'cancel';

/** Saying no is saying what happens instead. */
export const DeclineDialog = ({
  decision,
  pick,
  close,
}: {
  decision: Decision;
  pick: (then: Then, shown: Decision) => void;
  close: () => void;
}): ReactNode => {
  const { say } = useWords();
  const ways: Then[] =
    decision.kind === 'ajustar_presupuesto' ? ['cancel'] : decision.kind === 'revisar_secuencia' ? ['skip'] : ['wait', 'skip', 'cancel'];
  const [then, setThen] = useState<Then>(ways[0] ?? 'wait');
  // What is declined is the card that the dialog was opened on.
  const [shown] = useState(decision);
  const ready = useGuard(decision.id);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (ready()) pick(then, shown);
  };
  return (
    <Dialog title={say('web.decline.title')} close={close}>
      <form onSubmit={submit}>
        <fieldset className="choices">
          <legend>{say(`decision.kind.${decision.kind}`)}</legend>
          {ways.map((way) => (
            <label key={way}>
              <input type="radio" name="then" value={way} checked={then === way} onChange={() => setThen(way)} />{' '}
              {say(`view.then.${way}.${decision.kind}`)}
            </label>
          ))}
        </fieldset>
        <div className="buttons">
          <button type="submit" className="button danger">
            {say('web.decline.confirm')}
          </button>
          <button type="button" className="button" onClick={close}>
            {say('web.back')}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
