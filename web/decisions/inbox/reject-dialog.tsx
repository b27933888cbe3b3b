import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { DecisionListed } from '../../../contracts/api.js';
import { clean } from '../../../view/words.js';
import { rejectDecisions } from '../../data/api.js';
import { newKey } from '../../data/http.js';
import { Dialog } from '../../shell/dialog.js';
import { Problem } from '../../shell/problem.js';
import { useWords } from '../../words/words.js';
import { ASKS_THEN, asksThen, batchesOf, sendBatches, type AsksThen, type Batch, type Result, type Then, type Thens } from './reject.js';
import { priceSaid } from './said.js';

const WAYS: readonly Then[] = ['wait', 'skip', 'cancel'];

const Choices = ({ kind, n, then, set }: { kind: AsksThen; n: number; then: Then; set: (then: Then) => void }): ReactNode => {
  const { say } = useWords();
  return (
    <fieldset className="inbox-then">
      <legend>{say(`web.inbox.reject.then.${kind}`, { n })}</legend>
      {WAYS.map((way) => (
        <label key={way}>
          <input type="radio" name={`then-${kind}`} value={way} checked={then === way} onChange={() => set(way)} />{' '}
          {say(`view.then.${way}.${kind}`)}
        </label>
      ))}
    </fieldset>
  );
};

/** What became of one card, said on its own line. */
const Outcome = ({ result }: { result: Result | undefined }): ReactNode => {
  const { say, has } = useWords();
  if (!result) return null;
  if (result.ok)
    return (
      <span className="inbox-said good">
        <span aria-hidden="true">✓</span> {say('decision.state.declined')}
      </span>
    );
  const { code, params, title } = result.problem ?? { code: 'internal_error', params: {}, title: '' };
  return (
    <span className="inbox-said bad">
      <span aria-hidden="true">✗</span> {has(code) ? say(code, params ?? {}) : clean(title) || say('internal_error')}
    </span>
  );
};

export interface RejectViewProps {
  picked: readonly DecisionListed[];
  results: ReadonlyMap<string, Result>;
  phase: 'asking' | 'sending' | 'done';
  failure: unknown;
  thens: Thens;
  setThen(kind: AsksThen, then: Then): void;
  submit(): void;
  close(): void;
}

/** Lists what would be rejected, asks what happens instead, and says per card what came of it. */
export const RejectView = ({ picked, results, phase, failure, thens, setThen, submit, close }: RejectViewProps): ReactNode => {
  const words = useWords();
  const { say } = words;
  const summary = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (phase === 'done') summary.current?.focus();
  }, [phase]);
  const ok = [...results.values()].filter((r) => r.ok).length;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (phase === 'asking') submit();
  };
  return (
    <Dialog title={say('web.inbox.reject.title', { n: picked.length })} close={close} className="inbox-dialog">
      <form onSubmit={send}>
        {phase === 'done' ? (
          <p ref={summary} tabIndex={-1} className={`notice ${ok === picked.length ? 'good' : 'warn'}`}>
            {say('web.inbox.reject.done', { ok, total: picked.length })}
          </p>
        ) : (
          <p>{say('web.inbox.reject.nothing_spent')}</p>
        )}
        <div className="inbox-rejects" role="region" tabIndex={0} aria-label={say('web.inbox.picked', { n: picked.length })}>
          <ul>
            {picked.map((d) => (
              <li key={d.id}>
                <strong>{say(`decision.kind.${d.kind}`)}</strong> <span className="quiet">{priceSaid(words, d)}</span>
                <bdi className="inbox-objective clamp quiet">{clean(d.objetivo) || '—'}</bdi>
                <Outcome result={results.get(d.id)} />
              </li>
            ))}
          </ul>
        </div>
        {phase === 'done' ? null : (
          <>
            {ASKS_THEN.map((kind) => {
              const n = picked.filter((d) => d.kind === kind).length;
              return n > 0 ? <Choices key={kind} kind={kind} n={n} then={thens[kind]} set={(then) => setThen(kind, then)} /> : null;
            })}
            {[...new Set(picked.map((d) => d.kind))]
              .filter((kind) => !asksThen(kind))
              .map((kind) => (
                <p key={kind} className="quiet">
                  {say(`web.inbox.reject.then.${kind}`, { n: picked.filter((d) => d.kind === kind).length })}
                </p>
              ))}
          </>
        )}
        {failure ? <Problem error={failure} /> : null}
        <div className="buttons">
          {phase === 'done' ? null : (
            <button type="submit" className="button danger" aria-disabled={phase === 'sending'}>
              {say(phase === 'sending' ? 'web.inbox.reject.sending' : failure ? 'web.retry' : 'web.inbox.reject.confirm', {
                n: picked.length,
              })}
            </button>
          )}
          <button type="button" className="button" onClick={close}>
            {say(phase === 'done' ? 'web.close' : 'web.back')}
          </button>
        </div>
      </form>
    </Dialog>
  );
};

/** Says no to several cards. Each call keeps its key until it has an answer, so a lost one is asked again and not done twice. */
export const RejectDialog = ({
  picked,
  told,
  close,
}: {
  picked: readonly DecisionListed[];
  told: (results: Result[]) => void;
  close: () => void;
}): ReactNode => {
  const [thens, setThens] = useState<Thens>({ guardar_en_crm: 'wait', revelar_contactos: 'wait' });
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const [phase, setPhase] = useState<RejectViewProps['phase']>('asking');
  const [failure, setFailure] = useState<unknown>(null);
  const batches = useRef<Batch[] | null>(null);
  const submit = async (): Promise<void> => {
    setPhase('sending');
    setFailure(null);
    batches.current ??= batchesOf(picked, thens, newKey);
    try {
      await sendBatches(
        batches.current,
        results,
        ({ ids, then, key }) => rejectDecisions(ids, then, key),
        (heard) => {
          setResults((before) => new Map([...before, ...heard.map((r): [string, Result] => [r.id, r])]));
          told(heard);
        },
      );
      setPhase('done');
    } catch (error) {
      setFailure(error);
      setPhase('asking');
    }
  };
  return (
    <RejectView
      picked={picked}
      results={results}
      phase={phase}
      failure={failure}
      thens={thens}
      close={close}
      submit={() => void submit()}
      // Another answer is another act: what was not sent under the old one gets new keys.
      setThen={(kind, then) => {
        setThens((before) => ({ ...before, [kind]: then }));
        batches.current = null;
      }}
    />
  );
};
