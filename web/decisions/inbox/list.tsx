import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { DecisionListed, DecisionTab } from '../../../contracts/api.js';
import { useWords } from '../../words/words.js';
import { InboxEntryView } from './entry.js';
import { hold, release, type Held } from './held.js';

export interface InboxListProps {
  tab: DecisionTab;
  /** Stand beside the list's own: how it is sorted, say. */
  tools: ReactNode;
  /** As last read; every reading that changed something is another array. */
  latest: readonly DecisionListed[];
  card: (id: string) => ReactNode;
  /** Why nothing may be picked; null when it may. */
  denied: string | null;
  more: { there: boolean; loading: boolean; load(): void };
  /** Asks about the picked ones. @returns when it is over: what is picked then */
  reject(picked: DecisionListed[]): void;
  picked: ReadonlySet<string>;
  setPicked(picked: ReadonlySet<string>): void;
}

/** The list of one tab. What is shown stays where it is until the person asks for what came in. */
export const InboxListView = ({ tab, tools, latest, card, denied, more, reject, picked, setPicked }: InboxListProps): ReactNode => {
  const { say } = useWords();
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [seen, setSeen] = useState(latest);
  const [held, setHeld] = useState<Held>(() => hold(null, latest));
  if (seen !== latest) {
    setSeen(latest);
    setHeld(hold(held, latest));
  }
  const open = tab === 'open';
  const here = held.entries.filter(({ gone }) => !gone).map(({ decision }) => decision);
  const chosen = here.filter(({ id }) => picked.has(id));
  const gone = held.entries.length - here.length;
  const flip = (set: ReadonlySet<string>, id: string): ReadonlySet<string> => {
    const next = new Set(set);
    if (!next.delete(id)) next.add(id);
    return next;
  };
  const all = chosen.length > 0 && chosen.length === here.length;
  return (
    <>
      {/* Always as high: that something came in must not push what somebody is about to tap. */}
      <div className="inbox-tools">
        {open && here.length > 1 ? (
          <label className="inbox-all">
            <input
              type="checkbox"
              checked={all}
              aria-disabled={denied !== null}
              ref={(box) => {
                if (box) box.indeterminate = chosen.length > 0 && !all;
              }}
              onChange={() => (denied === null ? setPicked(all ? new Set() : new Set(here.map(({ id }) => id))) : undefined)}
            />{' '}
            {say('web.inbox.pick_all')}
          </label>
        ) : null}
        {tools}
        <span className="inbox-news">
          {held.fresh.length > 0 || gone > 0 ? (
            <button type="button" className="button inbox-fresh" onClick={() => setHeld(release(latest))}>
              {held.fresh.length > 0 ? say('web.inbox.fresh', { n: held.fresh.length }) : say('web.inbox.refresh', { n: gone })}
            </button>
          ) : null}
        </span>
      </div>
      {held.entries.length === 0 ? (
        <div className="panel inbox-empty">
          <p>{say(`web.inbox.empty.${tab}`)}</p>
          {open ? (
            <p>
              <Link href="/campanas">{say('web.inbox.to_runs')}</Link>
            </p>
          ) : null}
        </div>
      ) : (
        <ul className="inbox-list plain">
          {held.entries.map((entry) => {
            const { id } = entry.decision;
            return (
              <InboxEntryView
                key={id}
                entry={entry}
                card={card(id)}
                expanded={expanded.has(id)}
                toggle={() => setExpanded(flip(expanded, id))}
                pick={open ? { chosen: picked.has(id), denied, toggle: () => setPicked(flip(picked, id)) } : undefined}
              />
            );
          })}
        </ul>
      )}
      {more.there ? (
        <button
          type="button"
          className="button inbox-more"
          aria-disabled={more.loading}
          onClick={() => (more.loading ? undefined : more.load())}
        >
          {say(more.loading ? 'web.loading' : 'web.inbox.more')}
        </button>
      ) : null}
      {chosen.length > 0 ? (
        <div className="inbox-bar" role="group" aria-label={say('web.inbox.picked', { n: chosen.length })}>
          <span>{say('web.inbox.picked', { n: chosen.length })}</span>
          <span className="buttons">
            <button type="button" className="button danger" onClick={() => reject(chosen)}>
              {say('web.inbox.reject')}
            </button>
            <button type="button" className="button" onClick={() => setPicked(new Set())}>
              {say('web.inbox.unpick')}
            </button>
          </span>
        </div>
      ) : null}
    </>
  );
};
