import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memo, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { Item } from '../../contracts/api.js';
import { listRunItems, type ItemFilter } from '../data/api.js';
import { keys } from '../data/queries.js';
import { Problem } from '../shell/problem.js';
import { useWords } from '../words/words.js';

const PAGE = 50;

const useInView = (ref: RefObject<HTMLElement | null>): boolean => {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const { current } = ref;
    if (!current || typeof IntersectionObserver === 'undefined') return;
    const watcher = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting ?? false), { rootMargin: '200px' });
    watcher.observe(current);
    return () => watcher.disconnect();
  }, [ref]);
  return seen;
};

interface PageProps {
  run: string;
  filter: ItemFilter;
  cursor: string | null;
  /** Another value: the run has moved. */ version: number;
  row: (item: Item) => ReactNode;
  start: number;
  next: (cursor: string | null) => void;
  last: boolean;
}

/** Drawn again only when the accounts themselves are others. */
const Rows = memo(({ items, row, start }: { items: Item[]; row: PageProps['row']; start: number }): ReactNode => (
  <ol className="runs-items plain" start={start + 1}>
    {items.map((item) => (
      <li key={item.item_id}>{row(item)}</li>
    ))}
  </ol>
));

/** Fifty accounts. They are read again when the run has moved and somebody can see them. */
const Page = memo(({ run, filter, cursor, version, row, start, next, last }: PageProps): ReactNode => {
  const { say } = useWords();
  const box = useRef<HTMLDivElement>(null);
  const seen = useInView(box);
  const read = useRef(version);
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.items(run), filter, cursor],
    queryFn: () => listRunItems(run, { ...filter, cursor, limit: PAGE }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  useEffect(() => {
    if (!seen || read.current === version) return;
    read.current = version;
    void refetch();
  }, [seen, version, refetch]);
  const after = data?.next_cursor;
  useEffect(() => {
    if (last && after !== undefined) next(after);
  }, [last, after, next]);
  return (
    <div ref={box} className="runs-page">
      {error && !data ? <Problem error={error} retry={() => void refetch()} /> : null}
      {!data && !error ? <p className="quiet">{say('web.loading')}</p> : null}
      {data && data.items.length > 0 ? <Rows items={data.items} row={row} start={start} /> : null}
      {data && data.items.length === 0 && cursor === null ? (
        <p className="quiet">{say(filter.state || filter.missing ? 'web.run.items.none' : 'web.run.items.none_yet')}</p>
      ) : null}
    </div>
  );
});

/** The accounts of a run, fifty at a time: thousands stay smooth, because what nobody sees is neither drawn nor read again. Give it a key of its filter, and the same `filter` and `row` as long as they mean the same. */
export const ItemPages = ({ run, filter, version, row }: Pick<PageProps, 'run' | 'filter' | 'version' | 'row'>): ReactNode => {
  const { say } = useWords();
  const [cursors, setCursors] = useState<Array<string | null>>([null]);
  const [after, setAfter] = useState<string | null>(null);
  return (
    <>
      {cursors.map((cursor, i) => (
        <Page
          key={cursor ?? ''}
          run={run}
          filter={filter}
          cursor={cursor}
          version={version}
          row={row}
          start={i * PAGE}
          next={setAfter}
          last={i === cursors.length - 1}
        />
      ))}
      {after !== null && !cursors.includes(after) ? (
        <button type="button" className="button runs-more" onClick={() => setCursors((before) => [...before, after])}>
          {say('web.run.items.more')}
        </button>
      ) : null}
    </>
  );
};
