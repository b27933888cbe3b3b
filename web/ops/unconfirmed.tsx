import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { OpsOverview } from '../../contracts/operations.js';
import { clean } from '../../view/words.js';
import { useServerNow } from '../data/clock.js';
import { useWords } from '../words/words.js';
import { TemporalLink } from './part.js';

/** Reveals whose outcome nobody knows, with what an operator may say of them. */

export type Unknown = OpsOverview['unconfirmed']['queue'][number];

/** Outcomes that nobody knows, oldest first; an operator says which it was. */
export const Unconfirmed = ({
  o,
  settle,
}: {
  o: OpsOverview;
  settle: (effect: Unknown, outcome: 'captured' | 'voided') => void;
}): ReactNode => {
  const { say, has, ago, moment, amount } = useWords();
  const now = useServerNow();
  const { n, needs_operator, credits_held, queue } = o.unconfirmed;
  if (n === 0) return <p className="quiet">{say('web.ops.unconfirmed.none')}</p>;
  return (
    <>
      <p>{say('web.ops.unconfirmed.sum', { n, mine: needs_operator, credits: amount('credits', credits_held) })}</p>
      <ul className="ops-list plain">
        {queue.map((e) => (
          <li key={e.effect_id} className="ops-row" data-testid={`effect-${e.effect_id}`}>
            <div className="ops-row-what">
              <p>
                <Link href={`/campanas/${e.run_id}`} className="ops-clip clamp">
                  <bdi>{clean(e.objetivo)}</bdi>
                </Link>{' '}
                {e.needs_operator ? (
                  <span className="chip bad">
                    <span aria-hidden="true">!</span>
                    {say('web.ops.unconfirmed.mine')}
                  </span>
                ) : (
                  <span className="chip warn">
                    <span aria-hidden="true">?</span>
                    {say('web.ops.unconfirmed.reading')}
                  </span>
                )}
              </p>
              <p className="quiet">
                {[
                  has(`web.ops.effect.${e.kind}`) ? say(`web.ops.effect.${e.kind}`) : clean(e.kind),
                  ...(e.sent_at ? [say('web.ops.unconfirmed.sent', { at: moment(e.sent_at), ago: ago(now - Date.parse(e.sent_at)) })] : []),
                  say('web.ops.unconfirmed.reads', { n: e.reads }),
                  ...(e.next_read_at ? [say('web.ops.unconfirmed.next', { at: moment(e.next_read_at) })] : []),
                  ...(e.credits_held > 0 ? [say('web.held', { amount: amount('credits', e.credits_held) })] : []),
                ].join(' · ')}
              </p>
              <p className="quiet">
                <code translate="no">{e.effect_id}</code> <TemporalLink url={e.temporal_url} label={say('web.ops.temporal')} />
              </p>
            </div>
            <div className="buttons">
              <button type="button" className="button" onClick={() => settle(e, 'captured')}>
                {say('web.ops.settle.done')}
              </button>
              <button type="button" className="button" onClick={() => settle(e, 'voided')}>
                {say('web.ops.settle.not_done')}
              </button>
            </div>
          </li>
        ))}
      </ul>
      {n > queue.length ? <p className="quiet">{say('web.ops.unconfirmed.more', { n: n - queue.length })}</p> : null}
    </>
  );
};
