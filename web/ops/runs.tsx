import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { OpsRun } from '../../contracts/operations.js';
import { RUN_STATES } from '../../contracts/states.js';
import { clean } from '../../view/words.js';
import { listOpsRuns } from '../data/api.js';
import { keys } from '../data/queries.js';
import { RunChip } from '../runs/chips.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { actionsFor } from './actions.js';
import { targetOf, type Target } from './action-dialog.js';
import { TemporalLink } from './part.js';

const EVERY_MS = 10_000;
type Filter = { state?: string | undefined; idle?: boolean; unconfirmed?: boolean };

/** One run as an operator needs it: where it stands, since when, what it holds, and the way to act on it. */
export const OpsRunRow = ({ run, act }: { run: OpsRun; act: (target: Target) => void }): ReactNode => {
  const words = useWords();
  const { say, ago, amount } = words;
  const held = [
    ...(run.held.credits > 0 ? [amount('credits', run.held.credits)] : []),
    ...(run.held.queries > 0 ? [amount('queries', run.held.queries)] : []),
    ...(run.held.inference > 0 ? [amount('inference', run.held.inference)] : []),
  ];
  const unknown = run.open_effects.filter((e) => e.state === 'unconfirmed').length;
  return (
    <li className="ops-row" data-testid={`ops-run-${run.run_id}`}>
      <div className="ops-row-what">
        <p>
          <Link href={`/campanas/${run.run_id}`} className="ops-clip clamp">
            <bdi>{clean(run.objetivo) || run.run_id}</bdi>
          </Link>{' '}
          <RunChip state={run.state} />
          {run.control === 'run' ? null : <span className="quiet"> {say(`web.ops.control.${run.control}`)}</span>}
        </p>
        <p className="quiet">
          {[
            say('web.ops.run.moved', { ago: ago(run.idle_ms) }),
            say('step.count.s3', { done: run.counts.done, total: run.counts.total }),
            ...(held.length > 0 ? [say('web.held', { amount: held.join(' · ') })] : []),
            ...(unknown > 0 ? [say('count.unconfirmed', { n: unknown })] : []),
            ...(run.outbox_pending > 0 ? [say('web.ops.outbox.pending', { n: run.outbox_pending })] : []),
          ].join(' · ')}
        </p>
        {run.reason ? (
          <p className="quiet">
            <bdi>{words.reason(run.reason)}</bdi>
          </p>
        ) : null}
        <p className="quiet">
          <code translate="no">{run.workflow_id}</code> <TemporalLink url={run.temporal_url} label={say('web.ops.temporal')} />
        </p>
      </div>
      <div className="buttons">
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => act(targetOf(run, actionsFor(run)))}>
          {say('web.ops.act')}
        </button>
      </div>
    </li>
  );
};

/** A list of runs, its first page read again all the time. Give it a key of its filter. */
export const OpsRuns = ({ filter, empty, act }: { filter: Filter; empty: string; act: (target: Target) => void }): ReactNode => {
  const { say } = useWords();
  const [cursors, setCursors] = useState<Array<string | null>>([null]);
  return (
    <>
      {cursors.map((cursor, i) => (
        <Page
          key={cursor ?? ''}
          filter={filter}
          cursor={cursor}
          empty={empty}
          act={act}
          more={
            i === cursors.length - 1
              ? (next) => (
                  <button type="button" className="button" onClick={() => setCursors((before) => [...before, next])}>
                    {say('web.runs.more')}
                  </button>
                )
              : null
          }
        />
      ))}
    </>
  );
};

const Page = ({
  filter,
  cursor,
  empty,
  act,
  more,
}: {
  filter: Filter;
  cursor: string | null;
  empty: string;
  act: (target: Target) => void;
  more: ((next: string) => ReactNode) | null;
}): ReactNode => {
  const { say } = useWords();
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.ops, 'runs', filter, cursor],
    queryFn: () => listOpsRuns({ ...filter, cursor, limit: 10 }),
    refetchInterval: cursor === null ? EVERY_MS : false,
  });
  if (!data) return error ? <Problem error={error} retry={() => void refetch()} /> : <p className="quiet">{say('web.loading')}</p>;
  return (
    <>
      {data.runs.length > 0 ? (
        <ul className="ops-list plain">
          {data.runs.map((run) => (
            <OpsRunRow key={run.run_id} run={run} act={act} />
          ))}
        </ul>
      ) : cursor === null ? (
        <p className="quiet">{empty}</p>
      ) : null}
      {data.next_cursor && more ? more(data.next_cursor) : null}
    </>
  );
};

/** All runs, or those in one state. */
export const RunFinder = ({
  state,
  choose,
  act,
}: {
  state: string;
  choose: (state: string) => void;
  act: (target: Target) => void;
}): ReactNode => {
  const { say } = useWords();
  return (
    <>
      <label className="runs-inline">
        <span>{say('web.ops.state')}</span>
        <select value={state} onChange={(event) => choose(event.target.value)}>
          <option value="">{say('web.ops.all_states')}</option>
          {RUN_STATES.map((one) => (
            <option key={one} value={one}>
              {say(`run.state.${one}`)}
            </option>
          ))}
        </select>
      </label>
      <OpsRuns key={state} filter={state === '' ? {} : { state }} empty={say('web.ops.no_runs')} act={act} />
    </>
  );
};
