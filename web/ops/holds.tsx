import type { ReactNode } from 'react';
import type { OpsOverview } from '../../contracts/operations.js';
import { useWords } from '../words/words.js';
import { AGES, Scroll } from './part.js';

/** Money that is held, by age. */

const KINDS = ['credits', 'queries', 'inference'] as const;

/** What is held, by how long. */
export const Holds = ({ o }: { o: OpsOverview }): ReactNode => {
  const { say, amount, count } = useWords();
  return (
    <Scroll label={say('web.ops.holds')}>
      <table className="table ops-table">
        <thead>
          <tr>
            <th scope="col">{say('web.run.receipt.kind')}</th>
            <th scope="col" className="number">
              {say('web.ops.holds.n')}
            </th>
            <th scope="col" className="number">
              {say('web.ops.total')}
            </th>
            {AGES.map((age) => (
              <th key={age} scope="col" className="number">
                {say(`web.ops.age.${age}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {KINDS.flatMap((kind) => o.holds.filter((held) => held.kind === kind)).map(({ kind, n, amount: total, ages }) => (
            <tr key={kind}>
              <th scope="row">{say(`money.${kind}`)}</th>
              <td className="number">{count(n)}</td>
              <td className="number">
                <b>{amount(kind, total)}</b>
              </td>
              {AGES.map((age) => (
                <td key={age} className="number">
                  {ages[age].n > 0 ? amount(kind, ages[age].amount) : <span className="quiet">–</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
};
