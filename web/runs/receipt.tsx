import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Receipt } from '../../contracts/receipt.js';
import { clean, type Words } from '../../view/words.js';
import { getReceipt } from '../data/api.js';
import { ApiProblem } from '../data/problem.js';
import { keys } from '../data/queries.js';
import { channelOf } from '../decisions/inbox/said.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';

const KINDS = ['credits', 'queries', 'inference'] as const;

/** What a run let go: only credits and queries are held per item. */
const freedOf = (r: Receipt, kind: (typeof KINDS)[number]): number | null => (kind === 'inference' ? null : r.freed[kind]);

const Money = ({ r }: { r: Receipt }): ReactNode => {
  const { say, amount } = useWords();
  const shown = KINDS.filter((kind) => (r.budget[kind].plan_max ?? 0) > 0 || r.budget[kind].spent > 0 || r.budget[kind].held > 0);
  if (shown.length === 0) return <p>{say('web.run.receipt.nothing_spent')}</p>;
  return (
    <div className="scroll" role="region" aria-label={say('web.run.receipt.money')} tabIndex={0}>
      <table className="table runs-receipt-money">
        <thead>
          <tr>
            <th scope="col">{say('web.run.receipt.kind')}</th>
            {(['max', 'spent', 'freed', 'held'] as const).map((c) => (
              <th key={c} scope="col" className="number">
                {say(`web.run.receipt.${c}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((kind) => {
            const { plan_max, spent, held } = r.budget[kind];
            const freed = freedOf(r, kind);
            return (
              <tr key={kind}>
                <th scope="row">{say(`money.${kind}`)}</th>
                <td className="number">{plan_max === null ? '–' : amount(kind, plan_max)}</td>
                <td className="number">
                  <b>{amount(kind, spent)}</b>
                </td>
                <td className="number">{freed === null ? '–' : amount(kind, freed)}</td>
                <td className="number">{amount(kind, held)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};

/** Who answered and from where, and what it cost. A card that nobody answered (open, expired, superseded) has neither. */
const answerOf = (d: Receipt['decisions'][number], words: Words): string | null => {
  if (d.state !== 'approved' && d.state !== 'declined') return null;
  const channel = clean(d.channel ?? '');
  return [
    clean(d.by ?? '') || words.say('somebody'),
    ...(channel ? [channelOf(words, channel)] : []),
    ...(d.total !== null && d.total > 0 ? [words.amount('credits', d.total)] : []),
  ].join(' · ');
};

export interface ReceiptViewProps {
  receipt: Receipt;
  /** Opens what is missing. */ showMissing?: (() => void) | undefined;
}

/** What a finished run did and cost: spent, let go, still held, and what is missing with its way out. */
export const ReceiptView = ({ receipt: r, showMissing }: ReceiptViewProps): ReactNode => {
  const words = useWords();
  const { say } = words;
  return (
    <div className="runs-receipt" data-testid="receipt">
      <ul className="runs-receipt-facts plain">
        <li>{say('step.count.s3', { done: r.counts.done, total: r.counts.total })}</li>
        <li>{say('view.receipt.contacts', { captured: r.contacts.captured, drafted: r.contacts.drafted })}</li>
        <li>{say('web.run.receipt.lasted', { lasted: words.lasted(r.seconds * 1000) })}</li>
      </ul>
      {r.reason ? (
        <p>
          <bdi>{words.reason(r.reason)}</bdi>
        </p>
      ) : null}
      <Money r={r} />
      {r.contacts.unconfirmed > 0 ? <p className="notice warn">{say('view.receipt.unconfirmed', { n: r.contacts.unconfirmed })}</p> : null}
      {r.plan_b.map((d) => (
        <p key={`${d.dropped}${d.value}`} className="quiet">
          <bdi>{say('view.receipt.plan_b', { value: d.value, found: d.found })}</bdi>
        </p>
      ))}
      {r.drafts_by === 'template' ? <p className="quiet">{say('view.receipt.template')}</p> : null}
      {r.missing.length > 0 ? (
        <>
          <h3>{say('web.run.receipt.missing')}</h3>
          <ul className="runs-receipt-missing">
            {r.missing.map((m) => (
              <li key={m.reason}>
                <bdi>
                  {say('view.receipt.missing', {
                    n: m.count,
                    reason: words.missing(m.reason),
                    exit: m.exit && words.has(m.exit) ? say(m.exit) : '',
                  })}
                </bdi>
              </li>
            ))}
          </ul>
          {showMissing ? (
            <button type="button" className="button" onClick={showMissing}>
              {say('web.run.receipt.see_missing')}
            </button>
          ) : null}
        </>
      ) : null}
      {r.decisions.length > 0 ? (
        <>
          <h3>{say('web.run.receipt.decisions')}</h3>
          <ul className="runs-receipt-decisions">
            {r.decisions.map((d) => (
              <li key={d.id}>
                <Link href={`/decisiones/${d.id}`}>{words.has(`decision.kind.${d.kind}`) ? say(`decision.kind.${d.kind}`) : d.kind}</Link>
                <span> {words.has(`decision.state.${d.state}`) ? say(`decision.state.${d.state}`) : d.state}</span>
                {answerOf(d, words) === null ? null : (
                  <span className="quiet">
                    {' '}
                    · <bdi>{answerOf(d, words)}</bdi>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
};

/** The receipt of a run that ended; it is written a moment after its last version. */
export const ReceiptSection = ({ run, showMissing }: { run: string; showMissing: () => void }): ReactNode => {
  const { say } = useWords();
  const early = (error: unknown): boolean =>
    error instanceof ApiProblem && (error.code === 'run_not_final' || error.status === 404 || error.retryable);
  const { data, error, refetch } = useQuery({
    queryKey: keys.receipt(run),
    queryFn: () => getReceipt(run),
    staleTime: 30_000,
    retry: (failures, failed) => failures < 8 && early(failed),
    retryDelay: 700,
  });
  return (
    <section className="panel runs-section" aria-labelledby="runs-receipt">
      <h2 id="runs-receipt">{say('web.run.receipt.title')}</h2>
      {data ? (
        <ReceiptView receipt={data} showMissing={showMissing} />
      ) : error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <p className="quiet">{say('web.loading')}</p>
      )}
    </section>
  );
};
