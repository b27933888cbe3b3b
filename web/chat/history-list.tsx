import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ThreadPage } from '../../contracts/turn.js';
import { clean } from '../../view/words.js';
import { listThreads } from '../data/api.js';
import { useServerNow } from '../data/clock.js';
import { keys } from '../data/queries.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';

export interface HistoryViewProps {
  threads: ThreadPage['threads'];
  here: string | null;
  more: (() => void) | null;
  pick: () => void;
}

/** Earlier conversations, newest first. */
export const HistoryView = ({ threads, here, more, pick }: HistoryViewProps): ReactNode => {
  const { say, ago } = useWords();
  const now = useServerNow();
  if (threads.length === 0) return <p className="quiet">{say('web.chat.history.none')}</p>;
  return (
    <>
      <ul className="chat-threads plain">
        {threads.map((one) => (
          <li key={one.thread_id}>
            <Link
              href={`/chat/${encodeURIComponent(one.thread_id)}`}
              aria-current={one.thread_id === here ? 'page' : undefined}
              onClick={pick}
            >
              <bdi className="clamp">{clean(one.title ?? '') || say('web.chat.untitled')}</bdi>
              <span className="quiet">{ago(now - Date.parse(one.last_turn_at ?? one.created_at))}</span>
            </Link>
          </li>
        ))}
      </ul>
      {more ? (
        <button type="button" className="button slim" onClick={more}>
          {say('web.chat.history.more')}
        </button>
      ) : null}
    </>
  );
};

export const HistoryList = ({ here, pick }: { here: string | null; pick: () => void }): ReactNode => {
  const { say } = useWords();
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: keys.threads,
    queryFn: ({ pageParam }) => listThreads(pageParam ?? undefined),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  if (!data) return error ? <Problem error={error} retry={() => void refetch()} /> : <p className="quiet">{say('web.loading')}</p>;
  return (
    <HistoryView
      threads={data.pages.flatMap((page) => page.threads)}
      here={here}
      pick={pick}
      more={hasNextPage ? () => void fetchNextPage() : null}
    />
  );
};
