import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { ReplanImpact } from '../../contracts/api.js';
import type { Progress } from '../../contracts/progress.js';
import { replan } from '../data/api.js';
import { isTransient, newKey } from '../data/http.js';
import { progress as store } from '../data/progress.js';
import { keys, queries } from '../data/queries.js';
import { useGuard } from '../decisions/use-guard.js';
import { Dialog } from '../shell/dialog.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';

/** Fewer accounts: what that keeps, drops and gives back is shown before it is done. */
export const ReplanDialog = ({ progress: p, close }: { progress: Progress; close: () => void }): ReactNode => {
  const { say, amount } = useWords();
  const key = useRef(newKey());
  const [n, setN] = useState(String(Math.max(1, p.counts.total - 1)));
  const [impact, setImpact] = useState<ReplanImpact | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  // What it would drop has to be seen before it is confirmed.
  const ready = useGuard(impact ? 'impact' : 'question');
  const cuentas = Number(n);
  const ask = async (dry: boolean): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    try {
      const answer = await replan(p.run_id, { cuentas }, { dry, key: key.current });
      if (dry) setImpact(answer);
      else {
        store.refresh(p.run_id);
        void queries.invalidateQueries({ queryKey: keys.balances });
        close();
        return;
      }
    } catch (error) {
      // It was answered: trying again is another act.
      if (!isTransient(error)) key.current = newKey();
      setFailure(error);
    }
    setBusy(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (impact === null || ready()) void ask(impact === null);
  };
  return (
    <Dialog title={say('web.replan.title')} close={close}>
      <form onSubmit={submit}>
        <label htmlFor="replan-n">{say('web.replan.how_many', { total: p.counts.total })}</label>
        <input
          id="replan-n"
          type="number"
          inputMode="numeric"
          min={1}
          max={p.counts.total}
          value={n}
          required
          onChange={(event) => {
            setN(event.target.value);
            // Another change: what was shown is not what would happen, and it is another act.
            setImpact(null);
            key.current = newKey();
          }}
        />
        {impact ? (
          <ul className="replan-impact">
            <li>{say('web.replan.kept', { chosen: impact.kept.chosen, captured: impact.kept.captured, drafted: impact.kept.drafted })}</li>
            <li>{say('web.replan.dropped', { n: impact.dropped })}</li>
            <li>
              {say('web.replan.freed', {
                credits: amount('credits', impact.freed.credits),
                queries: amount('queries', impact.freed.queries),
              })}
            </li>
            {impact.superseded.length > 0 ? <li>{say('web.replan.superseded', { n: impact.superseded.length })}</li> : null}
          </ul>
        ) : null}
        {failure ? <Problem error={failure} /> : null}
        <div className="buttons">
          <button type="submit" className="button main" aria-disabled={busy}>
            {say(impact ? 'web.replan.confirm' : 'web.replan.see')}
          </button>
          <button type="button" className="button" onClick={close}>
            {say('web.back')}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
