import type { ReactNode } from 'react';
import type { PlanEstimate } from '../../contracts/api.js';
import { MONEY_KINDS } from '../../contracts/states.js';
import { useWords } from '../words/words.js';

/** The price of a campaign before it exists. */

/** What it costs at most, said before anything exists. */
export const EstimateView = ({ plan }: { plan: PlanEstimate }): ReactNode => {
  const { say, amount } = useWords();
  const parts = (t: PlanEstimate['max']): string =>
    (['credits', 'queries', 'inference'] as const)
      .filter((kind) => kind !== 'inference' || t[kind] > 0)
      .map((kind) => amount(kind, t[kind]))
      .join(' · ');
  const held = MONEY_KINDS.some((kind) => plan.held_elsewhere[kind] > 0);
  return (
    <div className="runs-estimate" data-testid="estimate">
      <dl className="facts">
        <div className="runs-most">
          <dt>{say('web.run.new.max')}</dt>
          <dd>{parts(plan.max)}</dd>
        </div>
        <div>
          <dt>{say('web.run.new.expected')}</dt>
          <dd>{parts(plan.expected)}</dd>
        </div>
        <div>
          <dt>{say('web.run.new.available')}</dt>
          <dd>{parts(plan.available)}</dd>
        </div>
        {held ? (
          <div>
            <dt>{say('web.run.new.elsewhere')}</dt>
            <dd>{parts(plan.held_elsewhere)}</dd>
          </div>
        ) : null}
      </dl>
      {plan.fits < plan.cuentas ? <p className="notice warn">{say('web.run.new.fits', { n: plan.fits, total: plan.cuentas })}</p> : null}
      {plan.limited_by.length > 0 ? (
        <ul>
          {plan.limited_by.map(({ kind, by }) => (
            <li key={`${by}${kind}`}>
              {say(`limited.${by}.${kind}`, { requested: plan.requested[kind], available: plan.available[kind] })}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
};
