import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Sequence } from '../../contracts/api.js';
import { clean, type Words } from '../../view/words.js';
import { control, storeSequence } from '../data/api.js';
import { useAnnouncer } from '../shell/announcer.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';

type Approval = NonNullable<Sequence['approval']>;

/** What an approved sequence looks like at the provider, in a sentence. `own`: whoever reads it approved it. */
export const saidOf = (words: Words, { stored, approval }: Pick<Sequence, 'stored'> & { approval: Approval }, own: boolean): string => {
  const reason = approval.reason ? words.reason(approval.reason) : '';
  switch (approval.state) {
    case 'under_way':
      return words.say('web.sequence.stored.under_way');
    case 'hindered':
      return words.say('web.sequence.stored.hindered', { reason });
    case 'unknown':
      return words.say('web.sequence.stored.unknown', { reason });
    case 'not_stored':
      return words.say('web.sequence.stored.not', { reason });
    case 'stored':
      return words.say('web.sequence.stored.as_approved', { at: stored ? words.moment(stored.at) : '—', who: own ? 'you' : 'other' });
  }
};

const LOOK: Record<Approval['state'], [tone: string, icon: string]> = {
  stored: ['good', '✓'],
  under_way: ['', '…'],
  hindered: ['warn', '!'],
  not_stored: ['warn', '!'],
  unknown: ['warn', '?'],
};

export interface StoredViewProps {
  stored: Sequence['stored'];
  approval: Approval;
  own: boolean;
  busy: boolean;
  failure: unknown;
  /** Whether whoever reads it may have an approval carried out again. */
  may: boolean;
  /** Goes on with what was stopped, or begins again where that is over. */
  resume(): void;
}

/** Whether the provider has the texts as they were approved, what hinders it, and the way out. */
export const StoredView = ({ stored, approval, own, may, busy, failure, resume }: StoredViewProps): ReactNode => {
  const words = useWords();
  const { say } = words;
  const [tone, icon] = LOOK[approval.state];
  const left = stored?.left ?? null;
  return (
    <div className={`notice sequence-stored ${tone}`} data-testid="sequence-stored" data-state={approval.state}>
      <p>
        <span aria-hidden="true">{icon} </span>
        {saidOf(words, { stored, approval }, own)}
      </p>
      {left === null ? null : (
        <p>
          {say('web.sequence.stored.left')} <bdi className="sequence-id">{clean(left)}</bdi>
        </p>
      )}
      {approval.state === 'hindered' || (may && (approval.state === 'not_stored' || approval.state === 'unknown')) ? (
        <div className="buttons">
          <button type="button" className="button" aria-disabled={busy} onClick={() => (busy ? undefined : resume())}>
            {say(busy ? 'web.sequence.stored.resuming' : 'web.sequence.stored.resume')}
          </button>
          {approval.reason?.code === 'sequence.mailbox_missing' ? (
            <Link className="button slim" href="/configuracion">
              {say('web.nav.settings')}
            </Link>
          ) : null}
        </div>
      ) : null}
      {failure ? <Problem error={failure} /> : null}
      {approval.state !== 'stored' && approval.run_id !== null ? (
        <p>
          <Link href={`/campanas/${encodeURIComponent(approval.run_id)}`}>{say('web.sequence.stored.run')}</Link>
        </p>
      ) : null}
    </div>
  );
};

/** The same, of the sequence on the screen: it can be gone on with here, and what becomes of it is announced. */
export const Stored = ({ sequence, own, may, fresh }: { sequence: Sequence; own: boolean; may: boolean; fresh: () => void }): ReactNode => {
  const words = useWords();
  const announcer = useAnnouncer();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const { stored, approval } = sequence;
  const state = approval?.state ?? null;
  const before = useRef(state);
  const said = approval ? saidOf(words, { stored, approval }, own) : '';
  useEffect(() => {
    if (before.current !== state && state !== null && state !== 'under_way') announcer.say('sequence.stored', said);
    before.current = state;
  }, [state, said, announcer]);
  if (!approval) return null;
  const resume = (): void => {
    setBusy(true);
    setFailure(null);
    const going: Promise<unknown> =
      approval.state === 'hindered' && approval.run_id !== null ? control(approval.run_id, 'resume') : storeSequence(sequence.sequence_id);
    going.then(fresh, setFailure).finally(() => setBusy(false));
  };
  return <StoredView stored={stored} approval={approval} own={own} may={may} busy={busy} failure={failure} resume={resume} />;
};
