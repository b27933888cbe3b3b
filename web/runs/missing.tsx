import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Item, Missing } from '../../contracts/api.js';
import { isFinal } from '../../contracts/states.js';
import { clean } from '../../view/words.js';
import { control, getBalances, getMissing, itemsCsv } from '../data/api.js';
import { progress as store, useProgress } from '../data/progress.js';
import { keys, queries } from '../data/queries.js';
import { Dialog } from '../shell/dialog.js';
import { Problem } from '../shell/problem.js';
import { useWho } from '../shell/session.js';
import { useWords } from '../words/words.js';
import { waysOf, type About, type Group, type Way } from './exits.js';
import { ItemPages } from './item-pages.js';
import { useKeyFor } from './keyed.js';
import { RetryFailed } from './retry.js';
import { useThrottled } from './throttled.js';

/** Of how many the count is: accounts of all accounts, contacts and drafts of the persons chosen. */
const groupCount = ({ of, count }: Group, { total, done }: Missing): [code: string, params: { n: number; total: number }] => [
  `web.missing.count.${of}`,
  { n: count, total: of === 'account' ? total : Math.max(done, count) },
];

const Name = ({ item }: { item: Item }): ReactNode => {
  const { say } = useWords();
  const who = item.contact?.title ?? item.choice?.title;
  return (
    <span className="runs-missing-name clamp">
      <bdi>{item.company ? clean(item.company.name) || item.company.ref : say('web.run.items.no_company', { n: item.position })}</bdi>
      {who ? (
        <span className="quiet">
          {' '}
          · <bdi>{clean(who)}</bdi>
        </span>
      ) : null}
    </span>
  );
};

const nameRow = (item: Item): ReactNode => <Name item={item} />;

export interface MissingActs {
  /** Does what a way asks the API for; rejects with the refusal. */
  recheck(): Promise<void>;
  copyLink(): Promise<void>;
  /** The run's address, for somebody else. */
  link: string;
  retry(): void;
  close(): void;
}

const WayButton = ({ way, main, acts }: { way: Way; main: boolean; acts: MissingActs }): ReactNode => {
  const { say } = useWords();
  const [state, setState] = useState<'idle' | 'busy' | 'done' | 'by_hand'>('idle');
  const [failure, setFailure] = useState<unknown>(null);
  const look = main ? 'button' : 'button slim';
  if (way.kind === 'new_run' || way.kind === 'page')
    return (
      <Link href={way.href} className={look} onClick={acts.close}>
        {say(way.label)}
      </Link>
    );
  if (way.kind === 'elsewhere')
    return (
      <a href={way.href} className={look} target="_blank" rel="noopener noreferrer">
        {say(way.label)} <span aria-hidden="true">↗</span>
      </a>
    );
  if (way.kind === 'retry')
    return (
      <button type="button" className={look} onClick={acts.retry}>
        {say(way.label)}
      </button>
    );
  const act = (): void => {
    if (state === 'busy') return;
    setState('busy');
    setFailure(null);
    if (way.kind === 'copy_link')
      void acts.copyLink().then(
        () => setState('done'),
        () => setState('by_hand'),
      );
    else
      acts.recheck().then(
        () => setState('done'),
        (error: unknown) => {
          setFailure(error);
          setState('idle');
        },
      );
  };
  // A browser that lets nobody write to its clipboard: the address itself, to be selected.
  if (state === 'by_hand') return <code className="runs-address">{acts.link}</code>;
  return (
    <>
      <button type="button" className={look} aria-disabled={state === 'busy'} onClick={act}>
        {state === 'done' ? <span aria-hidden="true">✓</span> : null}
        {say(state === 'done' ? (way.kind === 'recheck' ? 'web.missing.rechecked' : 'web.missing.copied') : way.label)}
      </button>
      {failure ? <Problem error={failure} /> : null}
    </>
  );
};

const GroupView = ({
  group,
  missing,
  about,
  acts,
  version,
}: {
  group: Group;
  missing: Missing;
  about: About;
  acts: MissingActs;
  version: number;
}): ReactNode => {
  const words = useWords();
  const { say } = words;
  const [all, setAll] = useState(false);
  const filter = useMemo(() => ({ missing: true, reason: group.reason }), [group.reason]);
  const [code, params] = groupCount(group, missing);
  return (
    <section className="runs-missing-group" data-testid={`missing-${group.reason}`}>
      <h3>
        <bdi>{words.missing(group.reason, group.params)}</bdi>
      </h3>
      <p className="runs-number">{say(code, params)}</p>
      {group.exit && words.has(group.exit) ? <p className="quiet">{say(group.exit)}</p> : null}
      <div className="buttons">
        {waysOf(group, about).map((way, i) => (
          <WayButton key={way.label} way={way} main={i === 0} acts={acts} />
        ))}
      </div>
      {all ? (
        <div className="runs-missing-all">
          <ItemPages run={missing.run_id} filter={filter} version={version} row={nameRow} />
        </div>
      ) : (
        <ul className="runs-missing-first">
          {group.first.map((item) => (
            <li key={item.item_id}>
              <Name item={item} />
            </li>
          ))}
        </ul>
      )}
      {group.count > group.first.length ? (
        <button type="button" className="button slim" aria-expanded={all} onClick={() => setAll(!all)}>
          {say(all ? 'web.missing.fewer' : 'web.missing.all', { n: group.count })}
        </button>
      ) : null}
    </section>
  );
};

export interface MissingViewProps {
  missing: Missing;
  about: About;
  acts: MissingActs;
  /** The run waits or is paused: what going on without them takes. */ goOn: (() => Promise<void>) | null;
  version?: number;
}

/** What a run did not get, by reason. */
export const MissingView = ({ missing, about, acts, goOn, version }: MissingViewProps): ReactNode => {
  const { say } = useWords();
  const [failure, setFailure] = useState<unknown>(null);
  const without = (): void => {
    setFailure(null);
    (goOn?.() ?? Promise.resolve()).then(acts.close, setFailure);
  };
  return (
    <div className="runs-missing">
      <p className="runs-number">{say('step.count.s3', { done: missing.done, total: missing.total })}</p>
      {missing.groups.length === 0 ? <p>{say('web.missing.none')}</p> : null}
      {missing.groups.map((group) => (
        <GroupView
          key={`${group.of}${group.reason}`}
          group={group}
          missing={missing}
          about={about}
          acts={acts}
          version={version ?? missing.version}
        />
      ))}
      {failure ? <Problem error={failure} /> : null}
      <div className="buttons runs-missing-end">
        {!about.final && missing.groups.length > 0 ? (
          <button type="button" className="button" onClick={without}>
            {say(goOn ? 'web.missing.resume_without' : 'web.missing.go_on_without')}
          </button>
        ) : null}
        {missing.groups.length > 0 ? (
          <a className="button slim" href={itemsCsv(missing.run_id, { missing: true })} download={`faltantes-${missing.run_id}.csv`}>
            {say('web.missing.csv')}
          </a>
        ) : null}
      </div>
    </div>
  );
};

/** The drawer with what it needs: what is missing, who looks, and what can be done. */
export const MissingPanel = ({ run, close }: { run: string; close: () => void }): ReactNode => {
  const { say } = useWords();
  const { progress } = useProgress(run);
  const version = useThrottled(progress?.version ?? 0, 4_000);
  const missing = useQuery({
    queryKey: [...keys.missing(run), version],
    queryFn: () => getMissing(run),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
  const balances = useQuery({ queryKey: keys.balances, queryFn: getBalances });
  const { roles } = useWho();
  const keyFor = useKeyFor();
  const [retrying, setRetrying] = useState(false);
  const moved = (): void => {
    store.refresh(run);
    for (const key of [keys.missing(run), keys.items(run), keys.balances, keys.decisions])
      void queries.invalidateQueries({ queryKey: key });
  };
  const link = new URL(`/campanas/${run}`, location.href).href;
  const acts: MissingActs = {
    close,
    link,
    recheck: () => control(run, 'recheck-balance').then(moved),
    copyLink: async () => navigator.clipboard.writeText(link),
    retry: () => setRetrying(true),
  };
  const final = progress ? isFinal(progress.state) : false;
  const goOn =
    progress?.state === 'paused' ? (): Promise<void> => control(run, 'resume', keyFor(['resume', progress.version])).then(moved) : null;
  return (
    <Dialog title={say('web.missing.title')} close={close} className="runs-drawer">
      <div className="runs-drawer-body">
        {missing.data && progress ? (
          <MissingView
            missing={missing.data}
            about={{ run, final, roles, topup: balances.data?.topup_url ?? null }}
            acts={acts}
            goOn={goOn}
            version={version}
          />
        ) : missing.error ? (
          <Problem error={missing.error} retry={() => void missing.refetch()} />
        ) : (
          <p className="quiet">{say('web.loading')}</p>
        )}
      </div>
      {retrying ? <RetryFailed run={run} close={() => setRetrying(false)} done={moved} /> : null}
    </Dialog>
  );
};
