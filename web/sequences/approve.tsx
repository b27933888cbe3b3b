import { useId, useRef, useEffect, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Decision } from '../../contracts/decision.js';
import { tapOf } from '../../view/lot.js';
import { clean } from '../../view/words.js';
import { ApiProblem } from '../data/problem.js';
import { channelOf } from '../decisions/inbox/said.js';
import { useGuard } from '../decisions/use-guard.js';
import type { Tap } from '../decisions/use-tap.js';
import { Dialog } from '../shell/dialog.js';
import { sayProblem } from '../shell/problem.js';
import { useWords } from '../words/words.js';

export interface ApproveProps {
  decision: Decision | null;
  tap: Tap;
  /** Drafts whose text is not saved: what is approved is what the server has. */
  unsaved: number;
  /** The card is of other texts than those shown: both are being read again. */
  stale: boolean;
  /** Whether this person may answer decisions. */
  may: boolean;
  /** Answered here a moment ago: the focus goes to what came of it. */
  answered: boolean;
}

const Closed = ({ decision: d, answered }: { decision: Decision; answered: boolean }): ReactNode => {
  const words = useWords();
  const { say, moment } = words;
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (answered) line.current?.focus();
  }, [answered]);
  if (!d.resolved) {
    const next = d.superseded_by ?? d.reopened_as;
    return (
      <p className="notice">
        {say('web.sequence.card_gone')}{' '}
        {next ? <Link href={`/decisiones/${encodeURIComponent(next)}`}>{say('web.inbox.see_current')}</Link> : null}
      </p>
    );
  }
  const approved = d.state === 'approved';
  return (
    <p ref={line} tabIndex={-1} className={`notice ${approved ? 'good' : ''}`} data-testid="sequence-outcome">
      <span aria-hidden="true">{approved ? '✓ ' : '× '}</span>
      {say(approved ? 'web.sequence.approved_by' : 'web.sequence.declined_by', {
        by: clean(d.resolved.by) || say('somebody'),
        at: moment(d.resolved.at),
        channel: channelOf(words, clean(d.resolved.channel)),
        n: d.resolved.n,
      })}
    </p>
  );
};

/** The answer to the review: all drafts of the campaign together, for free, and nothing is sent. */
export const ApproveView = ({ decision: d, tap, unsaved, stale, may, answered }: ApproveProps): ReactNode => {
  const words = useWords();
  const { say } = words;
  const why = useId();
  const [asking, setAsking] = useState(false);
  const ready = useGuard(`${d?.id} ${d?.state} ${d?.payload_hash} ${tap.state.is}`);
  if (!d) return <p className="notice">{say('web.sequence.not_yet')}</p>;
  if (d.state !== 'open') return <Closed decision={d} answered={answered} />;
  const yes = d.options.find((o) => o.id === 'approve');
  const no = d.options.find((o) => o.id === 'decline');
  const busy = tap.state.is === 'sending' || tap.state.is === 'unknown';
  const hindered = !may
    ? say('web.inbox.denied')
    : unsaved > 0
      ? say('web.sequence.unsaved_first', { n: unsaved })
      : stale
        ? say('web.sequence.reading')
        : null;
  const note =
    tap.state.is === 'unknown' ? say('web.decision.unknown') : tap.state.is === 'sending' ? say('web.decision.sending') : hindered;
  const fresh =
    tap.state.is === 'refused' && tap.state.error instanceof ApiProblem && tap.state.error.freshDecision !== d.id
      ? tap.state.error.freshDecision
      : null;
  return (
    <div className="sequence-approve">
      <div className="buttons">
        {yes ? (
          <button
            type="button"
            className="button main"
            aria-disabled={busy || hindered !== null}
            aria-describedby={why}
            data-option="approve"
            onClick={() => (!busy && hindered === null && ready() ? tap.send(tapOf(d, yes)) : undefined)}
          >
            {busy ? say('web.decision.confirming') : say('web.sequence.approve', { n: yes.n })}
          </button>
        ) : null}
        {no ? (
          <button
            type="button"
            className="button"
            aria-disabled={busy || !may}
            aria-describedby={why}
            onClick={() => (!busy && may ? setAsking(true) : undefined)}
          >
            {say('web.sequence.decline')}
          </button>
        ) : null}
      </div>
      <p id={why} className="quiet sequence-why">
        {note ?? say('web.sequence.after_approve')}
      </p>
      {tap.state.is === 'refused' ? (
        <div className="notice warn">
          <p>
            {sayProblem(words, tap.state.error)}{' '}
            {fresh ? <Link href={`/decisiones/${encodeURIComponent(fresh)}`}>{say('web.inbox.see_current')}</Link> : null}
          </p>
        </div>
      ) : null}
      {asking && no ? (
        <Dialog title={say('web.sequence.decline.title')} close={() => setAsking(false)}>
          <p>{say('web.sequence.decline.what', { n: yes?.n ?? 0 })}</p>
          <div className="buttons">
            <button
              type="button"
              className="button danger"
              onClick={() => {
                setAsking(false);
                tap.send(tapOf(d, no, { then: 'skip' }));
              }}
            >
              {say('web.sequence.decline.confirm')}
            </button>
            <button type="button" className="button" onClick={() => setAsking(false)}>
              {say('web.back')}
            </button>
          </div>
        </Dialog>
      ) : null}
    </div>
  );
};
