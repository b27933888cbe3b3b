import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import type { RunSummary } from '../../contracts/api.js';
import { isFinal } from '../../contracts/states.js';
import { clean } from '../../view/words.js';
import { listRuns } from '../data/api.js';
import { useServerNow } from '../data/clock.js';
import { keys } from '../data/queries.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { RunChip } from './chips.js';
import { merge, newestFirst, split, type Known } from './merge.js';
import { NewRun } from './new-run.js';

export type Phase = 'open' | 'all' | 'ended';
const PHASES = ['open', 'all', 'ended'] as const;
const PAGE = 25;
const EVERY_MS = 4_000;

const fits = (run: RunSummary, phase: Phase): boolean => phase === 'all' || isFinal(run.state) === (phase === 'ended');

/** One campaign of the list: what it is, how far it is, and what it waits for. */
const Row = ({ run }: { run: RunSummary }): ReactNode => {
  const words = useWords();
  const { say, ago } = words;
  const now = useServerNow();
  const { counts } = run;
  const count = say('step.count.s3', { done: counts.done, total: counts.total });
  const missing = counts.not_found + counts.suppressed + counts.skipped + counts.failed;
  const final = isFinal(run.state);
  const [decision] = run.decisions;
  return (
    <li className="runs-row panel" data-testid={`run-${run.run_id}`}>
      <div className="runs-row-head">
        <h2>
          <Link href={`/campanas/${run.run_id}`} title={clean(run.objetivo)}>
            <bdi className="runs-title clamp">{clean(run.objetivo) || run.run_id}</bdi>
          </Link>
        </h2>
        <RunChip state={run.state} />
      </div>
      <div className="runs-row-count">
        <progress max={Math.max(1, counts.total)} value={counts.done} aria-label={say('step.s3')} aria-valuetext={count} />
        <span className="runs-number">
          {count}
          {missing > 0 ? ` · ${say('web.runs.missing', { n: missing })}` : ''}
        </span>
        <span className="runs-ages quiet">
          <span>{say('web.runs.created', { ago: ago(now - Date.parse(run.created_at)) })}</span>
          <span>{say(final ? 'view.card.ended' : 'web.runs.moved', { ago: ago(now - Date.parse(run.last_progress_at)) })}</span>
        </span>
      </div>
      <p className="runs-waits">
        {run.reason ? <bdi>{words.reason(run.reason)} </bdi> : null}
        {decision ? <Link href={`/decisiones/${decision}`}>{say(final ? 'web.runs.to_review' : 'web.runs.to_decision')}</Link> : null}
        {final && missing > 0 ? <Link href={`/campanas/${run.run_id}`}>{say('web.runs.to_missing')}</Link> : null}
      </p>
    </li>
  );
};

export interface RunsViewProps {
  phase: Phase;
  runs: RunSummary[];
  /** Campaigns that appeared since and are not shown yet. */
  above: number;
  /** Nothing is known yet, or it could not be read. */
  state: 'loading' | 'shown' | 'failed';
  error?: unknown;
  more: 'none' | 'some' | 'loading';
  choose(phase: Phase): void;
  showAbove(): void;
  showMore(): void;
  retry(): void;
  start(example?: { giro: string; estado: string; cargo: string }): void;
}

/** For somebody without a campaign: what to say, and three of them to start from. */
const NoRuns = ({ start }: Pick<RunsViewProps, 'start'>): ReactNode => {
  const { say } = useWords();
  return (
    <div className="runs-empty panel">
      <p>{say('web.runs.none')}</p>
      <ul className="runs-examples plain">
        {(['1', '2', '3'] as const).map((n) => {
          const example = {
            giro: say(`web.runs.example.${n}.giro`),
            estado: say(`web.runs.example.${n}.estado`),
            cargo: say(`web.runs.example.${n}.cargo`),
          };
          return (
            <li key={n}>
              <button type="button" className="button slim" onClick={() => start(example)}>
                {say('cli.title', { n: 50, ...example })}
              </button>
            </li>
          );
        })}
      </ul>
      <p>
        <Link href="/">{say('web.runs.ask_ada')}</Link>
      </p>
    </div>
  );
};

export const RunsView = (props: RunsViewProps): ReactNode => {
  const { phase, runs, above, state, error, more } = props;
  const { say } = useWords();
  return (
    <>
      <div className="runs-bar">
        <fieldset className="runs-phases">
          <legend className="unseen">{say('web.runs.show')}</legend>
          {PHASES.map((one) => (
            <label key={one}>
              <input type="radio" name="phase" value={one} checked={phase === one} onChange={() => props.choose(one)} />
              <span>{say(`web.runs.phase.${one}`)}</span>
            </label>
          ))}
        </fieldset>
        {above > 0 ? (
          <button type="button" className="button slim" onClick={props.showAbove}>
            {say('web.runs.above', { n: above })}
          </button>
        ) : null}
      </div>
      {state === 'failed' ? <Problem error={error} retry={props.retry} /> : null}
      {state === 'loading' ? <p className="quiet">{say('web.loading')}</p> : null}
      {state === 'shown' && runs.length === 0 && more === 'none' ? (
        phase === 'all' ? (
          <NoRuns start={props.start} />
        ) : (
          <div className="runs-empty panel">
            <p>{say(`web.runs.none.${phase}`)}</p>
            <button type="button" className="button" onClick={() => props.choose('all')}>
              {say('web.runs.see_all')}
            </button>
          </div>
        )
      ) : null}
      {runs.length > 0 ? (
        <ol className="runs-list plain">
          {runs.map((run) => (
            <Row key={run.run_id} run={run} />
          ))}
        </ol>
      ) : null}
      {more === 'none' ? null : (
        <button
          type="button"
          className="button runs-more"
          aria-disabled={more === 'loading'}
          onClick={() => more === 'some' && props.showMore()}
        >
          {say(more === 'loading' ? 'web.loading' : 'web.runs.more')}
        </button>
      )}
    </>
  );
};

/** The campaigns of one phase, newest first: the first page is read anew all the time, older ones when they are asked for. */
const Runs = ({ phase, choose, start }: Pick<RunsViewProps, 'phase' | 'choose' | 'start'>): ReactNode => {
  const filter = phase === 'all' ? undefined : phase;
  const first = useQuery({
    queryKey: [...keys.runs, 'list', phase],
    queryFn: () => listRuns({ phase: filter, limit: PAGE }),
    refetchInterval: EVERY_MS,
  });
  const [known, setKnown] = useState<Known>(new Map());
  const [seenFirst, setSeenFirst] = useState<string | null>(null);
  const [cursor, setCursor] = useState<string | null | undefined>(undefined);
  const [older, setOlder] = useState<{ loading: boolean; error: unknown }>({ loading: false, error: null });
  const { data } = first;
  useEffect(() => {
    if (!data) return;
    setKnown((before) => merge(before, data.runs));
    setSeenFirst((before) => before ?? data.runs[0]?.run_id ?? null);
    // Where older ones begin stays where it was: what is shown already does not move.
    setCursor((before) => (before === undefined ? data.next_cursor : before));
  }, [data]);
  const showMore = useCallback(() => {
    if (!cursor) return;
    setOlder({ loading: true, error: null });
    listRuns({ phase: filter, limit: PAGE, cursor }).then(
      (page) => {
        setKnown((before) => merge(before, page.runs));
        setCursor(page.next_cursor);
        setOlder({ loading: false, error: null });
      },
      (error: unknown) => setOlder({ loading: false, error }),
    );
  }, [cursor, filter]);

  const { shown, above } = split(
    newestFirst(known).filter((run) => fits(run, phase)),
    seenFirst,
  );
  const failed = first.error !== null && data === undefined;
  return (
    <>
      <RunsView
        phase={phase}
        runs={shown}
        above={above}
        state={failed ? 'failed' : data ? 'shown' : 'loading'}
        error={first.error}
        more={older.loading ? 'loading' : cursor ? 'some' : 'none'}
        choose={choose}
        showAbove={() => setSeenFirst(newestFirst(known)[0]?.run_id ?? null)}
        showMore={showMore}
        retry={() => void first.refetch()}
        start={start}
      />
      {older.error ? <Problem error={older.error} retry={showMore} /> : null}
    </>
  );
};

const PHASE_NAME: Record<Phase, string> = { open: 'abiertas', all: 'todas', ended: 'terminadas' };
const phaseOf = (search: string): Phase => {
  const asked = new URLSearchParams(search).get('ver');
  return PHASES.find((phase) => PHASE_NAME[phase] === asked) ?? 'all';
};

export const RunsScreen = (): ReactNode => {
  const { say } = useWords();
  const search = useSearch();
  const [, go] = useLocation();
  const asked = new URLSearchParams(search);
  const making = asked.has('nueva');
  const phase = phaseOf(search);
  const start = useCallback(
    (example?: { giro: string; estado: string; cargo: string }) =>
      go(`/campanas?${new URLSearchParams({ nueva: '1', ...example }).toString()}`),
    [go],
  );
  return (
    <>
      <div className="runs-top">
        <h1>{say('web.nav.runs')}</h1>
        {making ? null : (
          <button type="button" className="button main" onClick={() => start()}>
            {say('web.runs.new')}
          </button>
        )}
      </div>
      {making ? <NewRun key={search} search={asked} close={() => go('/campanas')} /> : null}
      <Runs key={phase} phase={phase} choose={(next) => go(`/campanas?ver=${PHASE_NAME[next]}`, { replace: true })} start={start} />
    </>
  );
};
