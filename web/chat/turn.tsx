import { lazy, memo, Suspense, useMemo, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Turn, TurnAnswer } from '../../contracts/turn.js';
import { clean } from '../../view/words.js';
import { Boundary } from '../shell/boundary.js';
import { Problem, sayProblem } from '../shell/problem.js';
import type { Live, Outgoing, ToolLine } from '../data/turns-state.js';
import { isOver } from '../data/turns-state.js';
import { useWords } from '../words/words.js';
import { NextStep, Question, type Acts } from './next-step.js';
import { ResultCardView, type Choice } from './result-card.js';
import { Said } from './said.js';

// The cards of campaigns come when there is one.
const ProcessCard = lazy(async () => ({ default: (await import('../card/process-card.js')).ProcessCard }));
const DecisionCard = lazy(async () => ({ default: (await import('../decisions/decision-card.js')).DecisionCard }));

export interface TurnActs extends Acts {
  stop(turn: string): void;
  /** Puts a text into the composer. */
  edit(text: string): void;
  /** Tools of a turn that is over, heard again. */
  tools(turn: string): Promise<Live>;
}

/** What of a turn is shown besides its own words. */
export interface TurnShows {
  /** The campaign whose live card stands here, its latest place in the conversation. */
  run: string | null;
  /** A campaign whose card stands further down. */
  olderRun: string | null;
  decision: string | null;
  /** The last turn: what it offers can still be taken up. */
  latest: boolean;
  /** No model answers: said once in a conversation. */
  noModel: boolean;
}

const TOOL_ICON: Record<ToolLine['state'], string> = { running: '…', done: '✓', failed: '✗' };

const Tools = ({ tools }: { tools: readonly ToolLine[] }): ReactNode => {
  const { say } = useWords();
  return (
    <ul className="chat-tools plain">
      {tools.map(({ call, label, state, brought }) => (
        <li key={call} data-state={state}>
          <span aria-hidden="true">{TOOL_ICON[state]}</span> {say(`web.chat.tool.${state}`, { label })}
          {brought === null ? null : (
            <>
              : <bdi>{clean(brought)}</bdi>
            </>
          )}
        </li>
      ))}
    </ul>
  );
};

/** Choosing a recipe is no work that anybody asks about afterwards. */
const isWork = (line: ToolLine): boolean => line.call > 0;

/** What was done for an answer, folded away; read again from the server where this page did not hear it. */
const Steps = ({ turn, heard, load }: { turn: Turn; heard: Live | undefined; load: TurnActs['tools'] }): ReactNode => {
  const { say } = useWords();
  const [loaded, setLoaded] = useState<readonly ToolLine[] | 'failed' | null>(null);
  const own = heard?.tools.filter(isWork) ?? [];
  const known = own.length > 0 ? own : loaded;
  const n = own.length || (turn.answer?.usage.tool_calls ?? 0);
  if (n === 0) return null;
  return (
    <details
      className="chat-steps"
      onToggle={(event) => {
        if (event.currentTarget.open && known === null)
          load(turn.turn_id).then(
            ({ tools }) => setLoaded(tools.filter(isWork)),
            () => setLoaded('failed'),
          );
      }}
    >
      <summary>{say('web.chat.steps', { n })}</summary>
      {known === 'failed' ? (
        <p className="quiet">{say('web.no_answer')}</p>
      ) : known ? (
        <Tools tools={known} />
      ) : (
        <p className="quiet">{say('web.loading')}</p>
      )}
    </details>
  );
};

const Waiting = (): ReactNode => {
  const { say } = useWords();
  return <p className="quiet chat-reserved">{say('web.loading')}</p>;
};

const Answer = ({
  answer,
  shows,
  choice,
  acts,
}: {
  answer: TurnAnswer;
  shows: TurnShows;
  choice: Choice | null;
  acts: TurnActs;
}): ReactNode => {
  const { say } = useWords();
  const { siguiente, pregunta } = answer;
  const same = pregunta !== null && siguiente?.kind === 'mensaje' && siguiente.target.trim() === pregunta.supuesto?.trim();
  const names = useMemo(() => answer.anchors.map((one) => one.name), [answer.anchors]);
  return (
    <>
      <Said text={answer.text} names={names} />
      {answer.card ? <ResultCardView card={answer.card} choice={choice} /> : null}
      {shows.run ? (
        <Suspense fallback={<Waiting />}>
          <ProcessCard run={shows.run} level={3} />
        </Suspense>
      ) : null}
      {shows.decision ? (
        <Suspense fallback={<Waiting />}>
          <DecisionCard id={shows.decision} level={3} />
        </Suspense>
      ) : null}
      {shows.olderRun ? (
        <p>
          <button type="button" className="button slim" data-testid="current" onClick={() => acts.showRun(shows.olderRun ?? '')}>
            {say('web.chat.current')}
          </button>
        </p>
      ) : null}
      {pregunta ? (
        <Question pregunta={pregunta} asked={answer.text.includes(pregunta.texto)} say={shows.latest && !same ? acts.say : null} />
      ) : null}
      {siguiente && shows.latest ? (
        <NextStep siguiente={siguiente} acts={acts} beside={shows.run !== null || shows.decision !== null} />
      ) : null}
    </>
  );
};

/** Codes after which the same words may simply be sent again, and those after which they had better be others. */
const AGAIN = new Set(['interrupted', 'internal_error', 'model_unavailable', 'model_quota', 'model_unauthorized']);
const OTHERWISE = new Set(['answer_invalid', 'deadline']);
const ELSEWHERE: Record<string, { path: string; label: string }> = {
  queries_exhausted: { path: '/configuracion', label: 'web.nav.settings' },
  inference_exhausted: { path: '/configuracion', label: 'web.nav.settings' },
  chat_disabled: { path: '/campanas', label: 'web.nav.runs' },
};

/** Why there is no answer, and what to do about it. */
const Refused = ({ turn, latest, acts }: { turn: Turn; latest: boolean; acts: TurnActs }): ReactNode => {
  const words = useWords();
  const { say } = words;
  const { code, params }: Pick<NonNullable<Turn['refused']>, 'code' | 'params'> = turn.refused ?? { code: 'interrupted', params: {} };
  const stopped = code === 'interrupted' && params['by'] === 'person';
  const known = `web.chat.refused.${code}`;
  const where = ELSEWHERE[code];
  return (
    <div className={`notice ${stopped ? '' : 'bad'}`} data-code={code}>
      <p>
        {stopped
          ? say('web.chat.refused.by_person')
          : words.has(known)
            ? say(known, params)
            : words.reason({ code, params: params as Record<string, string> })}
      </p>
      {latest ? (
        <div className="buttons">
          {AGAIN.has(code) || !(OTHERWISE.has(code) || where) ? (
            <button type="button" className="button" onClick={() => acts.say(turn.message)}>
              {say('web.chat.again')}
            </button>
          ) : null}
          {OTHERWISE.has(code) ? (
            <button type="button" className="button" onClick={() => acts.edit(turn.message)}>
              {say('web.chat.edit')}
            </button>
          ) : null}
          {where ? (
            <Link className="button" href={where.path}>
              {say(where.label)}
            </Link>
          ) : null}
        </div>
      ) : null}
    </div>
  );
};

/** What Ada does and says for one message, from the moment it waits to its answer. */
const Ada = ({
  turn,
  live,
  shows,
  choice,
  acts,
}: {
  turn: Turn;
  live: Live | undefined;
  shows: TurnShows;
  choice: Choice | null;
  acts: TurnActs;
}): ReactNode => {
  const { say } = useWords();
  if (turn.state === 'queued') {
    return (
      <div className="chat-working">
        <p className="quiet">{say('web.chat.queued')}</p>
        <button type="button" className="button slim" onClick={() => acts.stop(turn.turn_id)}>
          {say('web.chat.unqueue')}
        </button>
      </div>
    );
  }
  if (!isOver(turn)) {
    return (
      <>
        {live && live.tools.length > 0 ? <Tools tools={live.tools} /> : null}
        {live?.text ? (
          <Said text={live.text} />
        ) : (
          <p className="quiet chat-working" data-testid="working">
            <span className="chat-dots" aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
            {say('web.chat.working')}
          </p>
        )}
      </>
    );
  }
  return (
    <>
      {turn.answer ? (
        <Answer answer={turn.answer} shows={shows} choice={choice} acts={acts} />
      ) : (
        <Refused turn={turn} latest={shows.latest} acts={acts} />
      )}
      <Steps turn={turn} heard={live} load={acts.tools} />
      {shows.noModel ? (
        <p className="quiet" data-testid="no-model">
          {say('web.chat.no_model')}
        </p>
      ) : null}
    </>
  );
};

const Message = ({ text, at, children }: { text: string; at: string; children?: ReactNode }): ReactNode => {
  const { say, moment } = useWords();
  return (
    <div className="chat-mine">
      <h2 className="chat-who">
        <span>{say('web.chat.you')}</span> <time dateTime={at}>{moment(at)}</time>
      </h2>
      <div className="chat-bubble">
        <Said text={text} by="person" />
      </div>
      {children}
    </div>
  );
};

export interface TurnProps extends TurnShows {
  turn: Turn;
  live: Live | undefined;
  choice: Choice | null;
  acts: TurnActs;
}
/** One message and its answer. */
export const TurnView = memo(({ turn, live, choice, acts, ...shows }: TurnProps): ReactNode => (
  <article className="chat-turn" data-turn={turn.turn_id} data-state={turn.state}>
    <Message text={turn.message} at={turn.created_at} />
    <div className="chat-ada">
      <h2 className="chat-who">
        <span>Ada</span>
      </h2>
      <Boundary reset={turn} fallback={(retry) => <Problem error={null} retry={retry} />}>
        <Ada turn={turn} live={live} shows={shows} choice={choice} acts={acts} />
      </Boundary>
    </div>
  </article>
));
TurnView.displayName = 'TurnView';

/** A message that the server does not have yet. */
export const OutgoingView = ({ message, retry, edit }: { message: Outgoing; retry: () => void; edit: () => void }): ReactNode => {
  const words = useWords();
  const { say } = words;
  return (
    <article className="chat-turn" data-outgoing={message.state}>
      <Message text={message.text} at={new Date(message.at).toISOString()}>
        {message.state === 'refused' ? (
          <div className="notice bad">
            <p>{sayProblem(words, message.problem)}</p>
            <div className="buttons">
              <button type="button" className="button" onClick={retry}>
                {say('web.chat.again')}
              </button>
              <button type="button" className="button" onClick={edit}>
                {say('web.chat.edit')}
              </button>
            </div>
          </div>
        ) : (
          <p className="quiet chat-sending">{say(message.state === 'sending' ? 'web.chat.sending' : 'web.chat.held')}</p>
        )}
      </Message>
    </article>
  );
};
