import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Siguiente, TurnAnswer } from '../../contracts/turn.js';
import { clean } from '../../view/words.js';
import { getDecision } from '../data/api.js';
import { keys } from '../data/queries.js';
import { useWords } from '../words/words.js';
import { ownPath } from './text.js';

/** What the one button of an answer may do. */
export interface Acts {
  say(text: string): void;
  showRun(run: string): void;
  showDecision(id: string): void;
}

/** A button that does its work once: a second tap, or a held key, is none. */
const Once = ({ work, main = false, children }: { work: () => void; main?: boolean; children: ReactNode }): ReactNode => {
  const [done, setDone] = useState(false);
  return (
    <button
      type="button"
      className={`button ${main ? 'main' : ''}`}
      aria-disabled={done}
      onClick={() => {
        if (done) return;
        setDone(true);
        work();
      }}
    >
      {children}
    </button>
  );
};

export interface NextStepProps {
  siguiente: Siguiente;
  acts: Acts;
  /** The card it leads to stands right here and has the buttons that matter. */ beside?: boolean;
}

/** The one thing that comes next, with what it costs before it is tapped. What is paid with credits is only shown from here: its card has the price on the button. */
export const NextStepView = ({ siguiente, acts, beside = false }: NextStepProps): ReactNode => {
  const words = useWords();
  const { say, amount } = words;
  const { kind, target, cost } = siguiente;
  const label = clean(siguiente.label) || '—';
  const look = `button ${beside ? '' : 'main'}`;
  const path = kind === 'enlace' ? ownPath(target, window.location.origin) : null;
  const button =
    kind === 'mensaje' ? (
      <Once main work={() => acts.say(target)}>
        {label}
      </Once>
    ) : kind === 'skill' ? (
      <Once main work={() => acts.say(`/${target} ${label}`)}>
        {label}
      </Once>
    ) : kind === 'campana' ? (
      <button type="button" className={look} onClick={() => acts.showRun(target)}>
        {label}
      </button>
    ) : kind === 'decision' ? (
      <button type="button" className={look} onClick={() => acts.showDecision(target)}>
        {label}
      </button>
    ) : path ? (
      <Link className="button main" href={path}>
        {label}
      </Link>
    ) : (
      <p>
        {label}: <bdi>{clean(target)}</bdi>
      </p>
    );
  return (
    <div className="chat-next" data-kind={kind}>
      {button}
      {cost ? (
        <p className="quiet chat-cost">
          {say('web.result.cost', {
            price: amount(cost.kind, cost.price),
            balance: amount(cost.kind, cost.balance),
            left: amount(cost.kind, cost.left),
          })}
        </p>
      ) : null}
    </div>
  );
};

/** A card that was answered, or replaced, is no next step any more: its price is an old one. */
const IfOpen = ({ decision, children }: { decision: string; children: ReactNode }): ReactNode => {
  const { data } = useQuery({ queryKey: keys.decision(decision), queryFn: () => getDecision(decision) });
  return data && data.state !== 'open' ? null : children;
};

export const NextStep = (props: NextStepProps): ReactNode => {
  const { kind, target } = props.siguiente;
  return kind === 'decision' ? (
    <IfOpen decision={target}>
      <NextStepView {...props} />
    </IfOpen>
  ) : (
    <NextStepView {...props} />
  );
};

/** A question with what is taken for the answer when nobody gives another. */
export const Question = ({
  pregunta,
  asked,
  say: answer,
}: {
  pregunta: NonNullable<TurnAnswer['pregunta']>;
  /** The text has asked it already. */ asked: boolean;
  /** Takes the default for the answer; null where it is too late, or the next step says the same. */ say: ((text: string) => void) | null;
}): ReactNode => {
  const { say } = useWords();
  const { supuesto } = pregunta;
  return (
    <div className="chat-question">
      {asked ? null : <p dir="auto">{clean(pregunta.texto)}</p>}
      {supuesto && answer ? <Once work={() => answer(supuesto)}>{say('web.chat.default', { supuesto })}</Once> : null}
    </div>
  );
};
