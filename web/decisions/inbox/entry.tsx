import { useId, type ReactNode } from 'react';
import { Link } from 'wouter';
import { clean } from '../../../view/words.js';
import { useServerNow } from '../../data/clock.js';
import { useWords } from '../../words/words.js';
import { channelOf, DECISION_ICON, DECISION_TONE, priceSaid, resultSaid, sequenceOf } from './said.js';
import type { HeldEntry } from './held.js';

/** From here on the time that is left is worth pointing out, ms. */
const SOON_MS = 6 * 3_600_000;

const Ago = ({ at }: { at: string }): ReactNode => {
  const { ago } = useWords();
  return <time dateTime={at}>{ago(useServerNow() - Date.parse(at))}</time>;
};

const Fact = ({ name, children, className }: { name: string; children: ReactNode; className?: string }): ReactNode => (
  <div className={className}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** When and by whom: of an open card, since when it waits and until when; of any other, how it ended. */
const Facts = ({ decision: d }: { decision: HeldEntry['decision'] }): ReactNode => {
  const words = useWords();
  const { say, moment } = words;
  const now = useServerNow();
  const soon = d.state === 'open' && d.expires_at !== null && Date.parse(d.expires_at) - now < SOON_MS;
  return (
    <dl className="inbox-facts">
      <Fact name={say('web.inbox.price')} className="inbox-price">
        {priceSaid(words, d)}
      </Fact>
      {d.resolved ? (
        <>
          <Fact name={say('web.inbox.who')}>
            <bdi>{clean(d.resolved.by) || say('somebody')}</bdi>
          </Fact>
          <Fact name={say('web.inbox.from')}>
            <bdi>{channelOf(words, clean(d.resolved.channel))}</bdi>
          </Fact>
          <Fact name={say('web.inbox.when')}>{moment(d.resolved.at, new Date(now))}</Fact>
        </>
      ) : (
        <Fact name={say('web.inbox.asked')}>
          <Ago at={d.created_at} />
        </Fact>
      )}
      {!d.resolved && d.state !== 'superseded' && d.expires_at ? (
        <Fact name={say(d.state === 'expired' ? 'web.inbox.expired' : 'web.inbox.expires')} className={soon ? 'inbox-soon' : ''}>
          {soon ? <span aria-hidden="true">◷ </span> : null}
          {moment(d.expires_at, new Date(now))}
        </Fact>
      ) : null}
      {d.state === 'open' && !d.expires_at ? <Fact name={say('web.inbox.expires')}>{say('web.inbox.never')}</Fact> : null}
      <Fact name={say('web.inbox.plan')}>{say('view.card.version', { n: d.plan_version })}</Fact>
    </dl>
  );
};

export interface EntryProps {
  entry: HeldEntry;
  /** The card itself; shown when the entry is open. */
  card: ReactNode;
  expanded: boolean;
  toggle(): void;
  /** Left out where nothing can be picked. */
  pick?: { chosen: boolean; denied: string | null; toggle(): void } | undefined;
}

/** One decision of the inbox: what, for which campaign, for how much, how it stands. Opens to the card itself, in place. */
export const InboxEntryView = ({ entry: { decision: d, gone }, card, expanded, toggle, pick }: EntryProps): ReactNode => {
  const words = useWords();
  const { say } = words;
  const title = useId();
  const body = useId();
  const why = useId();
  const sequence = sequenceOf(d);
  const objective = clean(d.objetivo) || '—';
  const link = d.state === 'superseded' ? d.superseded_by : d.reopened_as;
  return (
    <li className={`panel inbox-entry ${gone ? 'inbox-gone' : ''}`} data-testid="inbox-entry" data-decision={d.id}>
      <article aria-labelledby={title}>
        <div className="inbox-head">
          {pick && !gone ? (
            <label className="inbox-pick" title={pick.denied ?? undefined}>
              <input
                type="checkbox"
                checked={pick.chosen}
                aria-disabled={pick.denied !== null}
                aria-describedby={pick.denied ? why : undefined}
                onChange={() => (pick.denied === null ? pick.toggle() : undefined)}
              />
              <span className="unseen">{say('web.inbox.pick', { title: `${say(`decision.kind.${d.kind}`)}, ${objective}` })}</span>
              {pick.denied ? (
                <span className="unseen" id={why}>
                  {pick.denied}
                </span>
              ) : null}
            </label>
          ) : pick ? (
            <span className="inbox-pick" />
          ) : null}
          <div className="inbox-title">
            <h2 id={title}>
              {say(`decision.kind.${d.kind}`)} <span className="inbox-asks">{resultSaid(words, d)}</span>
            </h2>
            <p>
              <Link href={`/campanas/${encodeURIComponent(d.run_id)}`} title={objective.length > 120 ? objective : undefined}>
                <bdi className="inbox-objective clamp">{objective}</bdi>
              </Link>
            </p>
          </div>
          {gone ? (
            <span className="chip">
              <span aria-hidden="true">–</span> {say('web.inbox.gone')}
            </span>
          ) : (
            <span className={`chip ${DECISION_TONE[d.state]}`}>
              <span aria-hidden="true">{DECISION_ICON[d.state]}</span> {say(`decision.state.${d.state}`)}
            </span>
          )}
        </div>
        <Facts decision={d} />
        <div className="buttons inbox-actions">
          <button
            type="button"
            className="button"
            aria-expanded={expanded}
            aria-controls={body}
            onClick={toggle}
            data-next={(d.state === 'open' && !gone && !expanded) || undefined}
          >
            <span aria-hidden="true">{expanded ? '▾' : '▸'}</span> {say(expanded ? 'web.inbox.close' : 'web.inbox.open')}
          </button>
          {sequence && d.state === 'open' ? (
            <Link className="button" href={`/secuencias/${encodeURIComponent(sequence)}`}>
              {say('web.inbox.read_drafts')}
            </Link>
          ) : null}
          {link ? (
            <Link className="button slim" href={`/decisiones/${encodeURIComponent(link)}`}>
              {say(d.state === 'superseded' ? 'web.inbox.see_current' : 'web.inbox.see_reopened')}
            </Link>
          ) : null}
          <Link className="inbox-alone" href={`/decisiones/${encodeURIComponent(d.id)}`}>
            {say('web.inbox.alone')}
          </Link>
        </div>
        <div id={body} className="inbox-card" hidden={!expanded}>
          {expanded ? card : null}
        </div>
      </article>
    </li>
  );
};
