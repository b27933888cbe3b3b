import type { ReactNode } from 'react';
import type { DecisionList } from '../../../contracts/api.js';
import { useWords } from '../../words/words.js';
import { shortOf } from './said.js';

/** What all open cards together would take beside what there is: each may fit alone and all of them not. Always there, so that nothing moves when it turns into a warning. */
export const NetView = ({ net }: { net: DecisionList['net'] | null }): ReactNode => {
  const words = useWords();
  const { say, amount } = words;
  if (!net) return <p className="notice inbox-net"> </p>;
  if (net.exceeds) {
    return (
      <div className="notice warn inbox-net" data-testid="net-warning">
        <p>
          <span aria-hidden="true">! </span>
          {shortOf(words, net).join(' ')} {say('web.inbox.net.choose')}
        </p>
      </div>
    );
  }
  const parts = (['credits', 'queries', 'inference'] as const)
    .filter((kind) => net.totals[kind] > 0)
    .map((kind) => amount(kind, net.totals[kind]));
  return (
    <div className="notice inbox-net">
      <p>{parts.length > 0 ? say('web.inbox.net.fits', { n: net.paid, parts: parts.join(' + ') }) : say('web.inbox.net.free')}</p>
    </div>
  );
};
