import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import type { DecisionList, DecisionListed } from '../../contracts/api.js';
import { listDecisions, type DecisionSort } from '../data/api.js';
import { progress } from '../data/progress.js';
import { keys } from '../data/queries.js';
import { useAnnouncer } from '../shell/announcer.js';
import { Problem } from '../shell/problem.js';
import { useWho } from '../shell/session.js';
import { useWords } from '../words/words.js';
import { DecisionCard } from './decision-card.js';
import { DECISION_TABS, hrefOf, readView, usualSort, type View } from './inbox/address.js';
import { InboxListView } from './inbox/list.js';
import { NetView } from './inbox/net.js';
import { RejectDialog } from './inbox/reject-dialog.js';
import type { Result } from './inbox/reject.js';

const POLL_MS = 5_000;
const PAGE = 50;
const SORTS: readonly DecisionSort[] = ['expires', 'amount', 'newest'];

/** The tabs as links: each has its own address, and its count. */
export const InboxTabsView = ({ view, counts }: { view: View; counts: DecisionList['counts'] | null }): ReactNode => {
  const { say, count } = useWords();
  return (
    <nav className="inbox-tabs" aria-label={say('web.inbox.tabs')}>
      <ul>
        {DECISION_TABS.map((tab) => (
          <li key={tab}>
            <Link
              href={hrefOf(tab === view.tab ? view : { tab, sort: usualSort(tab) })}
              aria-current={tab === view.tab ? 'page' : undefined}
            >
              {say(`web.inbox.tab.${tab}`)} <span className="inbox-count">{counts ? count(counts[tab]) : '–'}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** Open decisions across all campaigns, and what became of the others. */
export const DecisionsScreen = (): ReactNode => {
  const words = useWords();
  const { say, moment } = words;
  const [, go] = useLocation();
  const search = useSearch();
  const view = useMemo(() => readView(search), [search]);
  const cache = useQueryClient();
  const announcer = useAnnouncer();
  const who = useWho();
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [rejecting, setRejecting] = useState<DecisionListed[] | null>(null);

  const list = useInfiniteQuery({
    queryKey: [...keys.decisions, 'list', view.tab, view.sort],
    queryFn: ({ pageParam, signal }) => listDecisions({ tab: view.tab, sort: view.sort, limit: PAGE, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: POLL_MS,
    // Another tab's numbers stay in sight while this one is read; its cards do not.
    placeholderData: keepPreviousData,
  });
  const first = list.data?.pages[0];
  const latest = useMemo(() => {
    // A page that moved while the next one was read names a card twice.
    const all = new Map((list.data?.pages ?? []).flatMap((page) => page.decisions).map((d): [string, DecisionListed] => [d.id, d]));
    return [...all.values()];
  }, [list.data]);
  const ready = list.data !== undefined && !list.isPlaceholderData;
  useEffect(() => setPicked(new Set()), [view.tab]);

  const told = (results: Result[]): void => {
    for (const { decision } of results) if (decision) progress.refresh(decision.run_id);
    setPicked((before) => new Set([...before].filter((id) => !results.some((r) => r.id === id && r.ok))));
    announcer.say('inbox.reject', say('web.inbox.reject.done', { ok: results.filter((r) => r.ok).length, total: results.length }));
    for (const queryKey of [keys.decisions, keys.balances, keys.runs]) void cache.invalidateQueries({ queryKey });
  };
  const tools = (
    <>
      <span className="inbox-sort">
        <label htmlFor="inbox-sort">{say('web.inbox.sort')}</label>
        <select
          id="inbox-sort"
          value={view.sort}
          onChange={(event) => go(hrefOf({ ...view, sort: event.target.value as DecisionSort }), { replace: true })}
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {say(`web.inbox.sort.${sort}`)}
            </option>
          ))}
        </select>
      </span>
      <span className="quiet inbox-age">
        {list.isError ? say('web.inbox.offline', { at: moment(new Date(list.dataUpdatedAt).toISOString()) }) : null}
      </span>
    </>
  );
  return (
    <div className="inbox">
      <h1>{say('web.nav.decisions')}</h1>
      <InboxTabsView view={view} counts={first?.counts ?? null} />
      {view.tab === 'open' ? <NetView net={first?.net ?? null} /> : null}
      {ready ? (
        <InboxListView
          key={`${view.tab} ${view.sort}`}
          tab={view.tab}
          tools={tools}
          latest={latest}
          picked={picked}
          setPicked={setPicked}
          reject={setRejecting}
          card={(id) => <DecisionCard id={id} level={3} />}
          denied={who.roles.includes('approver') ? null : say('web.inbox.denied')}
          more={{ there: list.hasNextPage, loading: list.isFetchingNextPage, load: () => void list.fetchNextPage() }}
        />
      ) : list.isError ? (
        <Problem error={list.error} retry={() => void list.refetch()} />
      ) : (
        <p className="quiet">{say('web.loading')}</p>
      )}
      {rejecting ? <RejectDialog picked={rejecting} told={told} close={() => setRejecting(null)} /> : null}
    </div>
  );
};
