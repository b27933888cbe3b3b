import type { ReactNode } from 'react';
import type { OpsOverview } from '../../contracts/operations.js';
import { RunChip } from '../runs/chips.js';
import { useWords } from '../words/words.js';
import { AGES, Scroll } from './part.js';

/** How many campaigns stand where, and since when. */

/** Runs by state and by how long ago they were made. */
export const RunsByState = ({ o, choose }: { o: OpsOverview; choose: (state: string) => void }): ReactNode => {
  const { say, count } = useWords();
  if (o.runs.by_state.length === 0) return <p className="quiet">{say('web.ops.no_runs')}</p>;
  return (
    <Scroll label={say('web.ops.by_state')}>
      <table className="table ops-table">
        <thead>
          <tr>
            <th scope="col">{say('web.ops.state')}</th>
            <th scope="col" className="number">
              {say('web.ops.total')}
            </th>
            {AGES.map((age) => (
              <th key={age} scope="col" className="number">
                {say(`web.ops.age.${age}`)}
              </th>
            ))}
            <th scope="col">
              <span className="unseen">{say('web.ops.see')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {o.runs.by_state.map(({ state, n, ages }) => (
            <tr key={state}>
              <th scope="row">
                <RunChip state={state} />
              </th>
              <td className="number">
                <b>{count(n)}</b>
              </td>
              {AGES.map((age) => (
                <td key={age} className="number">
                  {ages[age] > 0 ? count(ages[age]) : <span className="quiet">–</span>}
                </td>
              ))}
              <td>
                <button
                  type="button"
                  className="button slim"
                  aria-label={say('web.ops.see_state', { state: say(`run.state.${state}`) })}
                  onClick={() => choose(state)}
                >
                  {say('web.ops.see')}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
};
