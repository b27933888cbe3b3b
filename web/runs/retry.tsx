import { useState, type FormEvent, type ReactNode } from 'react';
import { opsAct } from '../data/api.js';
import { Dialog } from '../shell/dialog.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { useKeyFor } from './keyed.js';

/** Fewest characters that an operator's reason has. */
export const REASON_MIN = 3;

/** An operator sends failed accounts to be searched again, and says why. */
export const RetryFailed = ({ run, close, done }: { run: string; close: () => void; done: () => void }): ReactNode => {
  const { say } = useWords();
  const [reason, setReason] = useState('');
  const [state, setState] = useState<'idle' | 'busy' | { changed: number }>('idle');
  const [failure, setFailure] = useState<unknown>(null);
  const keyFor = useKeyFor();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (state === 'busy') return;
    setState('busy');
    setFailure(null);
    const body = { reason: reason.trim() };
    opsAct(run, 'retry-failed', body, keyFor([run, body])).then(
      ({ changed }) => {
        setState({ changed });
        done();
      },
      (error: unknown) => {
        setState('idle');
        setFailure(error);
      },
    );
  };
  const over = typeof state === 'object';
  return (
    <Dialog title={say('web.ops.action.retry-failed')} close={close} className="runs-ask">
      {over ? (
        <>
          <p tabIndex={-1} ref={(text) => text?.focus()}>
            {say(state.changed > 0 ? 'web.missing.retried' : 'web.missing.nothing_retried', { n: state.changed })}
          </p>
          <button type="button" className="button" onClick={close}>
            {say('web.close')}
          </button>
        </>
      ) : (
        <form onSubmit={submit}>
          <p>{say('web.ops.does.retry-failed')}</p>
          <label htmlFor="retry-reason">{say('web.ops.reason')}</label>
          <textarea
            id="retry-reason"
            rows={3}
            minLength={REASON_MIN}
            maxLength={300}
            required
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          {failure ? <Problem error={failure} /> : null}
          <div className="buttons">
            <button type="submit" className="button main" aria-disabled={state === 'busy'}>
              {say('web.missing.way.retry')}
            </button>
            <button type="button" className="button" onClick={close}>
              {say('web.ops.leave')}
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
};
