import { useMemo, type ReactNode } from 'react';
import type { ConversationState } from '../data/turns-state.js';
import { unheard } from '../data/turns-state.js';
import { useWords } from '../words/words.js';
import type { Line } from './milestones.js';
import { placeCards } from './placement.js';
import type { Choice } from './result-card.js';
import { OutgoingView, TurnView, type TurnActs } from './turn.js';

export interface TranscriptProps {
  state: ConversationState;
  lines: readonly Line[];
  choice: Choice | null;
  acts: TurnActs;
  retry: () => void;
  takeBack: (key: string) => void;
}

const Told = ({ line }: { line: Line }): ReactNode => {
  const { moment } = useWords();
  const at = new Date(line.at).toISOString();
  return (
    <p className="chat-line quiet" data-testid="told">
      <span aria-hidden="true">{line.icon}</span> <bdi>{line.text}</bdi> <time dateTime={at}>{moment(at)}</time>
    </p>
  );
};

/**
 * The conversation from its beginning, or its latest hundred turns. Nothing in it speaks by itself: what is worth hearing is announced once, by
 * whoever shows it.
 */
export const TranscriptView = ({ state, lines, choice, acts, retry, takeBack }: TranscriptProps): ReactNode => {
  const { say } = useWords();
  const { turns, runs, live } = state;
  const places = useMemo(() => placeCards(turns, runs), [turns, runs]);
  const firstWithout = turns.find((one) => one.answer?.model.kind === 'deterministic')?.turn_id;
  const last = turns.at(-1)?.turn_id;
  // Rows can be chosen of the list at hand only.
  const listed = choice ? turns.findLast((one) => one.answer?.card?.rows.some((row) => choice.may.has(row.ref)))?.turn_id : undefined;
  const outgoing = unheard(state);
  const first = turns[0]?.position ?? 1;
  const after = (position: number): readonly Line[] => lines.filter((one) => one.after === position);
  return (
    <div className="chat-log" role="log" aria-live="off" aria-label={say('web.chat.log')} tabIndex={-1}>
      {first > 1 ? <p className="quiet">{say('web.chat.earlier', { n: first - 1 })}</p> : null}
      {turns.map((turn) => {
        const place = places.get(turn.turn_id);
        return (
          <div key={turn.turn_id} className="chat-entry">
            <TurnView
              turn={turn}
              live={live[turn.turn_id]}
              acts={acts}
              choice={turn.turn_id === listed ? choice : null}
              run={place?.run ?? null}
              olderRun={place?.olderRun ?? null}
              decision={place?.decision ?? null}
              latest={turn.turn_id === last && outgoing.length === 0}
              noModel={turn.turn_id === firstWithout}
            />
            {after(turn.position).map((line) => (
              <Told key={line.id} line={line} />
            ))}
          </div>
        );
      })}
      {after(0).map((line) => (
        <Told key={line.id} line={line} />
      ))}
      {outgoing.map((message) => (
        <OutgoingView key={message.key} message={message} retry={retry} edit={() => takeBack(message.key)} />
      ))}
    </div>
  );
};
