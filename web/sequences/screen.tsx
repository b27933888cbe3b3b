import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { Missing, Sequence } from '../../contracts/api.js';
import type { Decision } from '../../contracts/decision.js';
import type { Progress } from '../../contracts/progress.js';
import { clean } from '../../view/words.js';
import { getDecision, getMissing, getSequence } from '../data/api.js';
import { ApiProblem } from '../data/problem.js';
import { progress as store, useProgress } from '../data/progress.js';
import { keys } from '../data/queries.js';
import { useTap, type Tap } from '../decisions/use-tap.js';
import { useAnnouncer } from '../shell/announcer.js';
import { Problem, sayProblem } from '../shell/problem.js';
import { useWho } from '../shell/session.js';
import { useWords } from '../words/words.js';
import { ApproveView } from './approve.js';
import { DraftEditorView } from './editor.js';
import { DraftListView, nameOf } from './list.js';
import { Stored } from './stored.js';
import { useDrafts } from './use-drafts.js';

const POLL_MS = 8_000;
/** While the approved texts are on their way. */
const SOON_MS = 1_500;
const pollOf = (s: Sequence): number | false =>
  s.approval?.state === 'under_way' ? SOON_MS : s.state === 'draft' || s.approval?.state === 'hindered' ? POLL_MS : false;
const STATE = { draft: ['◆', 'busy'], approved: ['✓', 'good'], declined: ['×', ''] } as const;

/** What the sequence is of, how far it got, and what is in its way. */
export const SequenceHeadView = ({
  sequence: s,
  progress,
  missing,
  others,
}: {
  sequence: Sequence;
  progress: Progress | null;
  missing: Missing['groups'];
  others: readonly string[];
}): ReactNode => {
  const words = useWords();
  const { say, has } = words;
  const s5 = progress?.pasos.find((p) => p.id === 's5')?.conteo ?? null;
  const [icon, tone] = STATE[s.state];
  return (
    <header className="sequence-head">
      <p>
        <Link href={`/campanas/${encodeURIComponent(s.run_id)}`}>‹ {say('web.sequence.to_run')}</Link>
      </p>
      <h1>{say('web.sequence.title')}</h1>
      <p className="sequence-objective">
        <bdi className="clamp" title={clean(s.objetivo)}>
          {clean(s.objetivo) || '—'}
        </bdi>
      </p>
      <p className="sequence-facts">
        <span className={`chip ${tone}`}>
          <span aria-hidden="true">{icon}</span> {say(`web.sequence.state.${s.state}`)}
        </span>
        <strong>{s5 ? say('step.count.s5', s5) : say('unit.drafts', { n: s.drafts.length })}</strong>
        <span className="quiet">{say('nothing_is_sent')}</span>
      </p>
      {s.problems.map(({ code, count }) => (
        <p key={code} className="notice warn">
          {say(has(`sequence.${code}`) ? `sequence.${code}` : 'sequence.other', { n: count })}{' '}
          {code === 'mailbox_missing' ? <Link href="/configuracion">{say('web.nav.settings')}</Link> : null}
        </p>
      ))}
      {missing.map((group) => (
        <p key={group.reason} className="quiet sequence-missing">
          {say('web.sequence.missing', { n: group.count, reason: words.missing(group.reason, group.params) })}
        </p>
      ))}
      {others.length > 0 ? (
        <p className="quiet">
          {say('web.sequence.others', { n: others.length })}{' '}
          {others.map((id, i) => (
            <Link key={id} href={`/secuencias/${encodeURIComponent(id)}`}>
              {say('web.sequence.other', { n: i + 1 })}{' '}
            </Link>
          ))}
        </p>
      ) : null}
    </header>
  );
};

const Drafts = ({
  sequence,
  decision,
  stale,
  tap,
  answered,
  fresh,
}: {
  sequence: Sequence;
  decision: Decision | null;
  stale: boolean;
  tap: Tap;
  answered: boolean;
  fresh: () => void;
}): ReactNode => {
  const { say } = useWords();
  const announcer = useAnnouncer();
  const who = useWho();
  const [params, setParams] = useSearchParams();
  const drafts = useDrafts(sequence, `${who.workspace}.${who.sub}`);
  const at = Math.max(
    0,
    sequence.drafts.findIndex((d) => d.draft_id === params.get('borrador')),
  );
  const draft = sequence.drafts[at];
  const open = (id: string): void => setParams({ borrador: id }, { replace: true });
  const closed = sequence.state !== 'draft';
  const heard =
    (name: string) =>
    (saved: boolean): void => {
      if (saved) announcer.say('sequence.saved', say('web.sequence.said_saved', { name }));
    };
  return (
    <>
      <ApproveView
        decision={decision}
        tap={tap}
        unsaved={closed ? 0 : drafts.unsaved}
        stale={stale}
        may={who.roles.includes('approver')}
        answered={answered}
      />
      <Stored
        sequence={sequence}
        own={decision?.resolved?.by === who.sub}
        may={who.roles.includes('approver') && !who.agent}
        fresh={fresh}
      />
      {draft ? (
        <div className="sequence-columns">
          <DraftListView drafts={sequence.drafts} current={draft.draft_id} open={open} standing={drafts.standing} />
          <DraftEditorView
            draft={draft}
            position={at + 1}
            total={sequence.drafts.length}
            closed={closed}
            go={(step) => open(sequence.drafts[at + step]?.draft_id ?? draft.draft_id)}
            local={drafts.local(draft)}
            standing={drafts.standing(draft)}
            saving={drafts.saving(draft.draft_id)}
            failure={drafts.failure(draft.draft_id)}
            edit={(text) => drafts.edit(draft, text)}
            takeTheirs={() => drafts.takeTheirs(draft)}
            save={() => void drafts.save(draft).then(heard(nameOf(draft, say('web.sequence.nobody'))))}
            keepMine={() => void drafts.keepMine(draft).then(heard(nameOf(draft, say('web.sequence.nobody'))))}
          />
        </div>
      ) : (
        <p className="panel">{say('web.sequence.empty')}</p>
      )}
    </>
  );
};

const Loaded = ({ sequence, fresh }: { sequence: Sequence; fresh: () => void }): ReactNode => {
  const words = useWords();
  const announcer = useAnnouncer();
  const cache = useQueryClient();
  const { progress } = useProgress(sequence.run_id);
  const [answered, setAnswered] = useState(false);
  const card = sequence.decision_id;
  const decision = useQuery({
    queryKey: keys.decision(card ?? ''),
    queryFn: () => getDecision(card ?? ''),
    enabled: card !== null,
    refetchInterval: ({ state }) => (state.data && state.data.state !== 'open' ? false : POLL_MS),
  });
  // What is approved are the texts as they are on this page, and no correction that somebody else made meanwhile.
  const stale = decision.data?.state === 'open' && decision.data.payload_hash !== sequence.decision_hash;
  const { refetch: readCard } = decision;
  useEffect(() => {
    if (!stale) return;
    const again = (): void => {
      void readCard();
      fresh();
    };
    again();
    const timer = setInterval(again, SOON_MS);
    return () => clearInterval(timer);
  }, [stale, readCard, fresh]);
  const missing = useQuery({ queryKey: keys.missing(sequence.run_id), queryFn: () => getMissing(sequence.run_id), staleTime: 60_000 });
  const tap = useTap(card ?? '', {
    done: (d) => {
      setAnswered(true);
      cache.setQueryData(keys.decision(d.id), d);
      store.refresh(d.run_id);
      fresh();
      announcer.say('sequence.answered', words.say(`decision.state.${d.state}`));
      for (const queryKey of [keys.runs, keys.decisions])
        void cache.invalidateQueries({ queryKey, predicate: ({ queryKey: key }) => key[1] !== d.id });
    },
    refused: (why) => {
      announcer.alert(sayProblem(words, why));
      if (why instanceof ApiProblem && why.decision?.id === card) cache.setQueryData(keys.decision(card), why.decision);
      else void decision.refetch();
      fresh();
    },
  });
  const groups = (missing.data?.groups ?? []).filter(({ of }) => of === 'draft');
  const others = (decision.data?.items ?? []).map(({ ref }) => ref).filter((ref) => ref !== sequence.sequence_id);
  return (
    <>
      <SequenceHeadView sequence={sequence} progress={progress} missing={groups} others={others} />
      {card !== null && !decision.data ? (
        decision.error ? (
          <Problem error={decision.error} retry={() => void decision.refetch()} />
        ) : (
          <p className="sequence-approve quiet">{words.say('web.loading')}</p>
        )
      ) : (
        <Drafts
          key={sequence.sequence_id}
          sequence={sequence}
          decision={decision.data ?? null}
          stale={stale}
          tap={tap}
          answered={answered}
          fresh={fresh}
        />
      )}
    </>
  );
};

/** The drafts of a sequence: read, corrected and approved here and nowhere else. */
export const SequenceScreen = ({ id }: { id: string }): ReactNode => {
  const { say } = useWords();
  const [, go] = useLocation();
  const { data, error, refetch } = useQuery({
    queryKey: keys.sequence(id),
    queryFn: () => getSequence(id),
    refetchInterval: ({ state }) => (state.data ? pollOf(state.data) : POLL_MS),
  });
  const fresh = useCallback(() => void refetch(), [refetch]);
  if (data)
    return (
      <div className="sequence">
        <Loaded key={id} sequence={data} fresh={fresh} />
      </div>
    );
  return (
    <div className="sequence">
      <h1>{say('web.sequence.title')}</h1>
      {error ? (
        <>
          <Problem error={error} retry={() => void refetch()} />
          <p>
            <button type="button" className="button" onClick={() => go('/decisiones')}>
              {say('web.inbox.back')}
            </button>
          </p>
        </>
      ) : (
        <p className="quiet">{say('web.loading')}</p>
      )}
    </div>
  );
};
