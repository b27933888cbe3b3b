import { useId, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Balances } from '../../contracts/api.js';
import type { Decision } from '../../contracts/decision.js';
import type { Paso, Progress } from '../../contracts/progress.js';
import { isFinal, type RunState, type StepState } from '../../contracts/states.js';
import { STEP_ICON, costLines, standing, stepCount, stepReason } from '../../view/run.js';
import { clean } from '../../view/words.js';
import { useServerNow } from '../data/clock.js';
import type { Snapshot } from '../progress-client/index.js';
import { useWords } from '../words/words.js';
import { useEta } from './eta.js';

const toneOf = (state: RunState | StepState): string => {
  if (state === 'completed' || state === 'done') return 'good';
  if (state === 'failed' || state === 'blocked') return 'bad';
  if (state === 'running') return 'busy';
  return ['waiting_decision', 'waiting_external', 'completed_partial', 'partial', 'unconfirmed', 'ready'].includes(state) ? 'warn' : '';
};

/** How old what is shown is; says so when nobody knows. */
const Age = ({ snapshot, progress }: { snapshot: Snapshot; progress: Progress }): ReactNode => {
  const { say, ago, moment } = useWords();
  const now = useServerNow();
  if (snapshot.connection === 'offline') {
    // By the device's clock, as is the moment it began.
    const since = new Date(snapshot.offlineSince ?? now).toISOString();
    return (
      <span className="card-offline" data-testid="offline">
        {say('web.card.offline', { at: moment(since) })}
      </span>
    );
  }
  const ms = Math.max(0, now - Date.parse(progress.last_progress_at));
  return <span>{say(isFinal(progress.state) ? 'view.card.ended' : 'view.card.updated', { ago: ago(ms) })}</span>;
};

/** Done, under way, missing, to come: one bar with its words; the browser's own element carries the numbers. */
const PeopleBar = ({ progress, text }: { progress: Progress; text: string }): ReactNode => {
  const { total, done, running, pending } = progress.counts;
  const missing = Math.max(0, total - done - running - pending);
  const share = (n: number): string => `${total === 0 ? 0 : (n / total) * 100}%`;
  return (
    <div className="bar">
      <progress className="unseen" value={done} max={Math.max(1, total)} aria-valuetext={text} aria-label={text} />
      <div className="bar-segments" aria-hidden="true">
        <span className="bar-done" style={{ width: share(done) }} />
        <span className="bar-running" style={{ width: share(running) }} />
        <span className="bar-missing" style={{ width: share(missing) }} />
      </div>
    </div>
  );
};

const Step = ({
  paso,
  progress,
  children,
  openMissing,
}: {
  paso: Paso;
  progress: Progress;
  children: ReactNode;
  openMissing: () => void;
}): ReactNode => {
  const words = useWords();
  const { say } = words;
  const parts = stepCount(paso, progress, words);
  const why = stepReason(paso, progress);
  const now = ['running', 'waiting_decision', 'unconfirmed', 'blocked', 'paused'].includes(paso.status);
  const { counts } = progress;
  const missing = counts.not_found + counts.suppressed + counts.skipped + counts.failed;
  const eta = useEta(progress);
  return (
    <li className="step" aria-current={now ? 'step' : undefined} data-step={paso.id} data-status={paso.status}>
      <div className="step-line">
        <span className={`step-icon ${toneOf(paso.status)}`} aria-hidden="true">
          {STEP_ICON[paso.status]}
        </span>
        <span className="step-name">{say(`step.${paso.id}`)}</span>
        <span className={`step-state ${toneOf(paso.status)}`}>{say(`step.state.${paso.status}`)}</span>
        <span className="step-count">{parts.join(' · ')}</span>
      </div>
      {paso.id === 's3' && paso.status !== 'pending' && paso.conteo ? <PeopleBar progress={progress} text={parts[0] ?? ''} /> : null}
      {paso.id === 's3' && paso.status !== 'pending' && paso.conteo ? (
        // Always as high: who is missing and how long it takes turn up while somebody looks at what is below.
        <p className="step-note step-people">
          {missing > 0 ? (
            <button type="button" className="button slim" onClick={openMissing} data-testid="missing">
              {say('web.card.missing', { n: missing, total: counts.total })}
            </button>
          ) : null}
          {eta ? <span className="quiet">{say('web.card.eta', eta)}</span> : null}
        </p>
      ) : null}
      {why ? <p className="step-note quiet">{words.reason(why)}</p> : null}
      {paso.id === 's6' && paso.checkpoint && !children ? (
        <p className="step-note">
          <Link href={`/decisiones/${encodeURIComponent(paso.checkpoint)}`}>{say('web.decision.review')}</Link>
        </p>
      ) : null}
      {children}
    </li>
  );
};

export interface ProcessCardProps {
  snapshot: Snapshot;
  balances: Balances | null;
  /** The start card while it is open: before it only it knows the maximum. */
  start: Decision | null;
  level?: 2 | 3;
  menu: ReactNode;
  /** Why the last tap was refused, while the card that replaced it is shown. */
  notice: string | null;
  decision: (id: string) => ReactNode;
  openMissing: () => void;
}

/** A run as every surface shows it: the same version, the same counts, the same words. */
export const ProcessCardView = ({
  snapshot,
  balances,
  start,
  level = 2,
  menu,
  notice,
  decision,
  openMissing,
}: ProcessCardProps): ReactNode => {
  const words = useWords();
  const { say } = words;
  const title = useId();
  const Heading = `h${level}` as const;
  const { progress: p, connection } = snapshot;
  if (!p) {
    return (
      <section className="panel process-card" aria-busy={connection === 'loading'}>
        <p className="quiet">{say(connection === 'gone' ? 'web.card.gone' : connection === 'offline' ? 'web.no_answer' : 'web.loading')}</p>
      </section>
    );
  }
  const pasos = p.pasos.filter((paso) => paso.id !== 's0' || paso.status !== 'done');
  // A decision is asked for in the step it belongs to; one whose step is not shown still has to be seen.
  const placed = new Map(
    pasos.flatMap((paso) => (paso.checkpoint && p.decisions.includes(paso.checkpoint) ? [[paso.id, paso.checkpoint] as const] : [])),
  );
  const loose = p.decisions.filter((id) => ![...placed.values()].includes(id));
  return (
    <section
      className="panel process-card"
      tabIndex={-1}
      aria-labelledby={title}
      data-run={p.run_id}
      data-version={p.version}
      data-state={p.state}
    >
      <header className="card-head">
        <div className="card-title">
          <Heading id={title}>
            <bdi className="clamp">{clean(p.objetivo) || '—'}</bdi>
          </Heading>
          <p className="card-state">
            <span className={`chip ${toneOf(standing(p).tone)}`} data-testid="run-state">
              <span aria-hidden="true">{standing(p).icon}</span> {say(standing(p).text)}
            </span>
            <span className="quiet">
              <Age snapshot={snapshot} progress={p} /> · {say('view.card.mode', { mode: say(`mode.${p.mode}`) })} ·{' '}
              <span data-testid="version">{say('view.card.version', { n: p.version })}</span>
            </span>
          </p>
        </div>
        {menu}
      </header>
      <p className="card-reason">{p.reason ? words.reason(p.reason) : '\u00a0'}</p>
      <ul className="card-costs plain" aria-label={say('web.card.costs')}>
        {costLines(p, start ? [start] : [], balances, words).map((line) => (
          <li key={line.split(':')[0]}>{line}</li>
        ))}
      </ul>
      {notice ? (
        <p className="notice warn" data-testid="refused">
          {notice}
        </p>
      ) : null}
      {loose.map((id) => (
        <div key={id} className="step-decision">
          {decision(id)}
        </div>
      ))}
      <ol className="steps plain">
        {pasos.map((paso) => {
          const card = placed.get(paso.id);
          return (
            <Step key={paso.id} paso={paso} progress={p} openMissing={openMissing}>
              {card ? <div className="step-decision">{decision(card)}</div> : null}
            </Step>
          );
        })}
      </ol>
    </section>
  );
};
