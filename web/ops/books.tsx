import type { ReactNode } from 'react';
import type { Invariants, OpsOverview } from '../../contracts/operations.js';
import { clean } from '../../view/words.js';
import { useServerNow } from '../data/clock.js';
import { useWords } from '../words/words.js';
import { MARK } from './part.js';

/** What must always be true of the books, checked when somebody asks. */

/** Whether the books add up: those of the ledger all the time, all of them when asked for. */
export const Books = ({
  o,
  all,
  checking,
  check,
}: {
  o: OpsOverview;
  all: Invariants | null;
  checking: boolean;
  check: () => void;
}): ReactNode => {
  const { say, ago, lasted } = useWords();
  const now = useServerNow();
  const { ok, broken, checked, checked_at, duration_ms } = o.invariants;
  const tone = ok === null ? 'warn' : ok ? 'good' : 'bad';
  return (
    <>
      <p className={`notice ${tone}`}>
        <span aria-hidden="true">{MARK[tone]} </span>
        {ok === null
          ? say('web.ops.invariants.unknown')
          : ok
            ? say('web.ops.invariants.ok', { n: checked })
            : say('web.ops.invariants.broken', { n: broken.length, total: checked })}
        <span className="quiet">
          {' '}
          · {say('web.ops.invariants.checked', { ago: ago(now - Date.parse(checked_at)), lasted: lasted(duration_ms) })}
        </span>
      </p>
      {broken.length > 0 ? (
        <ul className="ops-broken plain">
          {broken.map((b) => (
            <li key={b.id}>
              <b translate="no">{b.id}</b> <span className="ops-detail">{clean(b.detail)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <button type="button" className="button" aria-disabled={checking} onClick={check}>
        {say(checking ? 'web.ops.invariants.checking' : 'web.ops.invariants.check_all')}
      </button>
      {all ? (
        <ul className="ops-checked plain">
          {all.invariants.map((i) => (
            <li key={i.id} className={i.ok ? 'good' : 'bad'}>
              <span aria-hidden="true">{i.ok ? '✓' : '✗'}</span>{' '}
              <span className="unseen">{say(i.ok ? 'web.ops.holds_true' : 'web.ops.does_not_hold')}</span>
              <span translate="no">{i.id}</span>
              {i.detail ? <span className="ops-detail"> {clean(i.detail)}</span> : null}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
};
