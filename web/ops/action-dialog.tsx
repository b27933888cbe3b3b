import { useState, type FormEvent, type ReactNode } from 'react';
import type { OpsAction, OpsRun } from '../../contracts/operations.js';
import { isFinal } from '../../contracts/states.js';
import { clean } from '../../view/words.js';
import { opsAct, type OpsActionName } from '../data/api.js';
import { progress } from '../data/progress.js';
import { keys, queries } from '../data/queries.js';
import { useKeyFor } from '../runs/keyed.js';
import { REASON_MIN } from '../runs/retry.js';
import { Dialog } from '../shell/dialog.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';

/** What is acted on: a run, and for an unknown outcome the one that is settled. */
export interface Target {
  run: string;
  objetivo: string;
  actions: OpsActionName[];
  held?: OpsRun['held'];
  failed?: number;
  effect?: { id: string; credits: number };
}

type Outcome = NonNullable<OpsAction['outcome']>;

/** What the action will do to this run, with its amounts where they are known. */
const useEffectOf = (): ((action: OpsActionName, target: Target, outcome: Outcome | null) => string) => {
  const { say, amount } = useWords();
  return (action, { held, failed, effect }, outcome) => {
    if (action === 'settle-unconfirmed')
      return outcome === null
        ? say('web.ops.does.settle')
        : say(`web.ops.does.settle.${outcome}${effect ? '' : '.all'}`, { amount: amount('credits', effect?.credits ?? 0) });
    if (action === 'cancel' && held)
      return say('web.ops.does.cancel.held', { credits: amount('credits', held.credits), queries: amount('queries', held.queries) });
    if (action === 'retry-failed' && failed) return say('web.ops.does.retry-failed.n', { n: failed });
    return say(`web.ops.does.${action}`);
  };
};

/** Reason first, then the act: what it will do is said before, what came of it after. */
export const ActionDialog = ({
  target,
  outcome: given,
  close,
}: {
  target: Target;
  outcome?: Outcome | undefined;
  close: () => void;
}): ReactNode => {
  const { say } = useWords();
  const [first] = target.actions;
  const [action, setAction] = useState<OpsActionName>(first ?? 'repair-projection');
  const [outcome, setOutcome] = useState<Outcome | null>(given ?? null);
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [changed, setChanged] = useState<number | null>(null);
  const keyFor = useKeyFor();
  const effectOf = useEffectOf();
  const settles = action === 'settle-unconfirmed';
  const lacks = reason.trim().length < REASON_MIN ? 'reason' : settles && outcome === null ? 'outcome' : null;

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    if (lacks) return document.getElementById(lacks === 'reason' ? 'ops-reason' : 'ops-captured')?.focus();
    const body: OpsAction = {
      reason: reason.trim(),
      ...(settles && outcome ? { outcome, ...(target.effect ? { effect_id: target.effect.id } : {}) } : {}),
    };
    setBusy(true);
    setFailure(null);
    opsAct(target.run, action, body, keyFor([target.run, action, body]))
      .then((done) => setChanged(done.changed), setFailure)
      .finally(() => {
        setBusy(false);
        progress.refresh(target.run);
        for (const key of [keys.ops, keys.balances, keys.runs]) void queries.invalidateQueries({ queryKey: key });
      });
  };
  return (
    <Dialog title={target.actions.length === 1 ? say(`web.ops.action.${action}`) : say('web.ops.act')} close={close} className="ops-dialog">
      <p className="ops-clip clamp">
        <bdi>{clean(target.objetivo)}</bdi>
      </p>
      <p className="quiet">
        <code translate="no">{target.run}</code>
        {target.effect ? (
          <>
            {' '}
            · <code translate="no">{target.effect.id}</code>
          </>
        ) : null}
      </p>
      {changed !== null ? (
        <>
          <p className="notice good" tabIndex={-1} ref={(text) => text?.focus()} data-testid="ops-result">
            <span aria-hidden="true">✓ </span>
            {say(changed > 0 ? `web.ops.result.${action}` : 'web.ops.result.unchanged', { n: changed })}
          </p>
          <div className="buttons">
            <button type="button" className="button main" onClick={close}>
              {say('web.close')}
            </button>
          </div>
        </>
      ) : (
        <form onSubmit={submit}>
          {target.actions.length > 1 ? (
            <fieldset className="ops-choices">
              <legend>{say('web.ops.which')}</legend>
              {target.actions.map((one) => (
                <label key={one}>
                  <input type="radio" name="ops-action" value={one} checked={action === one} onChange={() => setAction(one)} />
                  <span>{say(`web.ops.action.${one}`)}</span>
                </label>
              ))}
            </fieldset>
          ) : null}
          {settles ? (
            <fieldset className="ops-choices">
              <legend>{say('web.ops.outcome')}</legend>
              {(['captured', 'voided'] as const).map((one) => (
                <label key={one}>
                  <input
                    type="radio"
                    name="ops-outcome"
                    id={`ops-${one}`}
                    value={one}
                    checked={outcome === one}
                    onChange={() => setOutcome(one)}
                  />
                  <span>{say(`web.ops.outcome.${one}`)}</span>
                </label>
              ))}
            </fieldset>
          ) : null}
          <p className="ops-does">
            <b>{say('web.ops.will')}</b> {effectOf(action, target, outcome)}
          </p>
          <label htmlFor="ops-reason">{say('web.ops.reason')}</label>
          <textarea
            id="ops-reason"
            rows={2}
            maxLength={300}
            value={reason}
            aria-describedby="ops-reason-hint"
            onChange={(event) => setReason(event.target.value)}
          />
          <p id="ops-reason-hint" className="quiet">
            {say('web.ops.reason.hint', { n: REASON_MIN })}
          </p>
          {failure ? <Problem error={failure} /> : null}
          <div className="buttons">
            <button
              type="submit"
              className={action === 'cancel' ? 'button danger' : 'button main'}
              aria-disabled={busy || lacks !== null}
              aria-describedby={lacks ? 'ops-lacks' : undefined}
            >
              {say(busy ? 'web.ops.sending' : `web.ops.confirm.${action}`)}
            </button>
            <button type="button" className="button" onClick={close}>
              {say('web.ops.leave')}
            </button>
          </div>
          <p id="ops-lacks" className="quiet ops-lacks">
            {lacks ? say(`web.ops.lacks.${lacks}`) : '\u00a0'}
          </p>
        </form>
      )}
    </Dialog>
  );
};

export const targetOf = (run: OpsRun, actions: OpsActionName[]): Target => ({
  run: run.run_id,
  objetivo: run.objetivo,
  actions,
  ...(isFinal(run.state) ? {} : { held: run.held }),
  failed: run.counts.failed,
});
