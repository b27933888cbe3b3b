import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { DecisionListed } from '../../contracts/api.js';
import type { RunState } from '../../contracts/states.js';
import { RUN_ICON } from '../../view/run.js';
import { clean } from '../../view/words.js';
import { getDecision, listDecisions } from '../data/api.js';
import { useProgress } from '../data/progress.js';
import { keys } from '../data/queries.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { DecisionCard } from './decision-card.js';
import { channelOf, DECISION_ICON, DECISION_TONE, priceSaid, resultSaid } from './inbox/said.js';

const POLL_MS = 10_000;

/** The campaign that a decision is of. */
export const DecisionRunView = ({
  run,
  objective,
  state,
}: {
  run: string;
  objective: string | null;
  state: RunState | null;
}): ReactNode => {
  const { say } = useWords();
  return (
    <>
      <h1 className="inbox-run clamp">
        <bdi>{objective === null ? say('web.inbox.one') : clean(objective) || '—'}</bdi>
      </h1>
      <p className="inbox-runline">
        {state ? (
          <span className="chip">
            <span aria-hidden="true">{RUN_ICON[state]}</span> {say(`run.state.${state}`)}
          </span>
        ) : null}
        <Link href={`/campanas/${encodeURIComponent(run)}`}>{say('web.inbox.to_run')}</Link>
      </p>
    </>
  );
};

/** Every decision of a campaign, the newest first: what was asked, and what came of it. */
export const DecisionHistoryView = ({ decisions, current }: { decisions: readonly DecisionListed[]; current: string }): ReactNode => {
  const words = useWords();
  const { say, moment } = words;
  return (
    <section className="inbox-history" aria-labelledby="inbox-history">
      <h2 id="inbox-history">{say('web.inbox.history')}</h2>
      <ol>
        {decisions.map((d) => (
          <li key={d.id}>
            <span className={`chip ${DECISION_TONE[d.state]}`}>
              <span aria-hidden="true">{DECISION_ICON[d.state]}</span> {say(`decision.state.${d.state}`)}
            </span>
            <span>
              {d.id === current ? (
                <strong aria-current="true">{say(`decision.kind.${d.kind}`)}</strong>
              ) : (
                <Link href={`/decisiones/${encodeURIComponent(d.id)}`}>{say(`decision.kind.${d.kind}`)}</Link>
              )}
              {d.id === current ? <span className="quiet"> {say('web.inbox.this_one')}</span> : null}
              <span className="inbox-line">
                {resultSaid(words, d)} · {priceSaid(words, d)}
              </span>
              <span className="inbox-line quiet">
                {d.resolved
                  ? say('web.inbox.history.by', {
                      by: clean(d.resolved.by) || say('somebody'),
                      channel: channelOf(words, clean(d.resolved.channel)),
                      at: moment(d.resolved.at),
                    })
                  : say('web.inbox.history.asked', { at: moment(d.created_at) })}
                {' · '}
                {say('view.card.version', { n: d.plan_version })}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
};

const RunOf = ({ run }: { run: string }): ReactNode => {
  const { progress } = useProgress(run);
  return <DecisionRunView run={run} objective={progress?.objetivo ?? null} state={progress?.state ?? null} />;
};
const HistoryOf = ({ run, current }: { run: string; current: string }): ReactNode => {
  const { data } = useQuery({
    queryKey: [...keys.decisions, 'of', run],
    queryFn: ({ signal }) => listDecisions({ run_id: run, sort: 'newest', limit: 50 }, signal),
    refetchInterval: POLL_MS,
  });
  return data && data.decisions.length > 1 ? <DecisionHistoryView decisions={data.decisions} current={current} /> : null;
};

/** One decision by itself: for a link that was passed on, on whatever device. */
export const DecisionScreen = ({ id }: { id: string }): ReactNode => {
  const { say } = useWords();
  const { data, error, refetch } = useQuery({ queryKey: keys.decision(id), queryFn: () => getDecision(id) });
  return (
    <div className="inbox-one">
      <p>
        <Link href="/decisiones">‹ {say('web.inbox.back')}</Link>
      </p>
      {data ? <RunOf run={data.run_id} /> : <h1>{say('web.inbox.one')}</h1>}
      {!data && error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : (
        <div className="inbox-columns">
          <DecisionCard key={id} id={id} level={2} />
          {data ? <HistoryOf run={data.run_id} current={id} /> : null}
        </div>
      )}
    </div>
  );
};
