import type { ReactNode } from 'react';
import type { OpsOverview } from '../../contracts/operations.js';
import { clean } from '../../view/words.js';
import { useServerNow } from '../data/clock.js';
import { useWords } from '../words/words.js';

/** What goes out: the provider's limit and the deliveries. */

/** Whether calls to the provider may go out, and how many do. */
export const Limiter = ({ o }: { o: OpsOverview }): ReactNode => {
  const { say, ago, lasted, moment } = useWords();
  const now = useServerNow();
  const { calls_per_second, concurrency, in_use, waiting, providers } = o.limiter;
  return (
    <>
      <dl className="ops-facts facts">
        <div>
          <dt>{say('web.ops.limiter.rate')}</dt>
          <dd>{calls_per_second === null ? say('web.ops.limiter.no_rate') : say('web.ops.limiter.per_second', { n: calls_per_second })}</dd>
        </div>
        <div>
          <dt>{say('web.ops.limiter.in_use')}</dt>
          <dd>{say('web.ops.limiter.tile', { n: in_use, total: concurrency })}</dd>
        </div>
        <div>
          <dt>{say('web.ops.limiter.waiting')}</dt>
          <dd>{say('web.ops.limiter.waits', { n: waiting })}</dd>
        </div>
      </dl>
      {providers.length === 0 ? (
        <p className="quiet">{say('web.ops.limiter.none')}</p>
      ) : (
        <ul className="ops-list plain">
          {providers.map((p) => (
            <li key={p.provider} className="ops-row">
              <div className="ops-row-what">
                <p>
                  <b>
                    <bdi>{clean(p.provider)}</bdi>
                  </b>{' '}
                  {p.paused_ms > 0 ? (
                    <span className="chip warn">
                      <span aria-hidden="true">‖</span>
                      {say('web.ops.limiter.paused', { lasted: lasted(p.paused_ms) })}
                    </span>
                  ) : (
                    <span className="chip good">
                      <span aria-hidden="true">✓</span>
                      {say('web.ops.limiter.open')}
                    </span>
                  )}
                </p>
                <p className="quiet">
                  {[
                    ...(p.permits === null ? [] : [say('web.ops.limiter.permits', { n: p.permits })]),
                    ...(p.paused_until ? [say('web.ops.limiter.until', { at: moment(p.paused_until) })] : []),
                    p.limited_at
                      ? say('web.ops.limiter.limited', { ago: ago(now - Date.parse(p.limited_at)), lasted: lasted(p.limited_ms ?? 0) })
                      : say('web.ops.limiter.never'),
                  ].join(' · ')}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

/** What still has to reach the workflows, and when runs were last compared with them. */
export const Deliveries = ({ o }: { o: OpsOverview }): ReactNode => {
  const { say, ago, lasted } = useWords();
  const now = useServerNow();
  const { outbox, reconcile } = o;
  return (
    <dl className="ops-facts facts">
      <div>
        <dt>{say('web.ops.outbox')}</dt>
        <dd>
          {say('web.ops.outbox.pending', { n: outbox.pending })}
          {outbox.pending > 0 ? ` · ${say('web.ops.outbox.oldest', { lasted: lasted(outbox.oldest_ms) })}` : ''}
          {outbox.failing > 0 ? ` · ${say('web.ops.outbox.failing', { n: outbox.failing })}` : ''}
        </dd>
      </div>
      <div>
        <dt>{say('web.ops.reconcile')}</dt>
        <dd>
          {reconcile.last_at
            ? say('web.ops.reconcile.last', { ago: ago(now - Date.parse(reconcile.last_at)), lasted: lasted(reconcile.took_ms ?? 0) })
            : say('web.ops.reconcile.never')}
        </dd>
      </div>
      <div>
        <dt>{say('web.ops.reconcile.settled')}</dt>
        <dd>{say('web.ops.reconcile.counts', { settled: reconcile.settled, rounds: reconcile.rounds })}</dd>
      </div>
    </dl>
  );
};
