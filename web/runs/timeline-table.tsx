import { useState, type ReactNode } from 'react';
import type { Timeline } from '../../contracts/api.js';
import { useWords } from '../words/words.js';
import { rowsOf, type Panel } from './timeline-data.js';
import type { Marker } from './timeline-words.js';

/** A timeline as a table, for whoever does not read a drawing. */

/** Every version with what it held and what happened. */
export const Table = ({
  timeline,
  panels,
  textOf,
  when,
}: {
  timeline: Timeline;
  panels: Panel[];
  textOf: (marker: Marker) => string;
  when: (iso: string) => string;
}): ReactNode => {
  const words = useWords();
  const { say, count } = words;
  const [open, setOpen] = useState(false);
  const money = panels.flatMap(({ id }) => (id === 'accounts' ? [] : [id]));
  return (
    <details className="runs-timeline-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say('web.timeline.as_table')}</summary>
      {open ? (
        <div className="scroll" role="region" aria-label={say('web.timeline.as_table')} tabIndex={0}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{say('web.timeline.when')}</th>
                <th scope="col" className="number">
                  {say('web.timeline.panel.accounts')}
                </th>
                {money.map((id) => [
                  <th key={`${id}h`} scope="col" className="number">
                    {say(`web.timeline.held.${id}`)}
                  </th>,
                  <th key={`${id}s`} scope="col" className="number">
                    {say(`web.timeline.spent.${id}`)}
                  </th>,
                ])}
                <th scope="col">{say('web.timeline.what')}</th>
              </tr>
            </thead>
            <tbody>
              {rowsOf(timeline).map(({ version, at, point, markers }) => (
                <tr key={version}>
                  <th scope="row">{when(at)}</th>
                  <td className="number">{point ? count(point.done) : '–'}</td>
                  {money.map((id) => [
                    <td key={`${id}h`} className="number">
                      {point ? count(point[`${id}_held`]) : '–'}
                    </td>,
                    <td key={`${id}s`} className="number">
                      {point ? count(point[`${id}_spent`]) : '–'}
                    </td>,
                  ])}
                  <td>{markers.map(textOf).join(' · ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </details>
  );
};
