import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import type { Invariants, OpsOverview } from '../../contracts/operations.js';
import { getInvariants, getOverview } from '../data/api.js';
import { useServerNow } from '../data/clock.js';
import { keys } from '../data/queries.js';
import { Boundary } from '../shell/boundary.js';
import { Problem } from '../shell/problem.js';
import { useWho } from '../shell/session.js';
import { useWords } from '../words/words.js';
import { ActionDialog, type Target } from './action-dialog.js';
import { Audit } from './audit.js';
import { Books } from './books.js';
import { Deliveries, Limiter } from './provider.js';
import { Holds } from './holds.js';
import { Part, TemporalLink } from './part.js';
import { RunsByState } from './by-state.js';
import { Tiles } from './tiles.js';
import { Unconfirmed, type Unknown } from './unconfirmed.js';
import { OpsRuns, RunFinder } from './runs.js';

const EVERY_MS = 5_000;
type Acting = { target: Target; outcome?: 'captured' | 'voided' };

export interface OpsViewProps {
  overview: OpsOverview;
  /** It could not be read anew: what is shown may be old. */
  stale: boolean;
  all: Invariants | null;
  checking: boolean;
  check(): void;
  settle(effect: Unknown, outcome: 'captured' | 'voided'): void;
  choose(state: string): void;
  idle: ReactNode;
  runs: ReactNode;
  audit: ReactNode;
}

/** Everything an operator looks at, in the order in which it matters. */
export const OpsView = ({ overview: o, stale, all, checking, check, settle, choose, idle, runs, audit }: OpsViewProps): ReactNode => {
  const { say, ago } = useWords();
  const now = useServerNow();
  return (
    <div className="ops-screen">
      <div className="ops-top">
        <h1>{say('web.nav.ops')}</h1>
        <p className="quiet ops-age">
          {stale ? (
            <span className="chip warn">
              <span aria-hidden="true">!</span>
              {say('web.ops.stale')}
            </span>
          ) : null}{' '}
          {say('view.card.updated', { ago: ago(now - Date.parse(o.at)) })}{' '}
          <TemporalLink url={o.temporal_ui} label={say('web.ops.temporal_ui')} />
        </p>
      </div>
      <Tiles o={o} />
      <Part id="sin-avance" title={say('web.ops.idle.title')}>
        {idle}
      </Part>
      <Part id="por-confirmar" title={say('web.ops.unconfirmed')}>
        <Unconfirmed o={o} settle={settle} />
      </Part>
      <Part id="estados" title={say('web.ops.by_state')}>
        <RunsByState o={o} choose={choose} />
      </Part>
      <Part id="campanas" title={say('web.nav.runs')}>
        {runs}
      </Part>
      <Part id="apartados" title={say('web.ops.holds')}>
        <Holds o={o} />
      </Part>
      <div className="ops-pair">
        <Part id="proveedor" title={say('web.ops.limiter')}>
          <Limiter o={o} />
        </Part>
        <Part id="entregas" title={say('web.ops.deliveries')}>
          <Deliveries o={o} />
        </Part>
      </div>
      <Part id="invariantes" title={say('web.ops.invariants')}>
        <Books o={o} all={all} checking={checking} check={check} />
      </Part>
      <Part id="bitacora" title={say('web.ops.audit')}>
        {audit}
      </Part>
    </div>
  );
};

const Operator = (): ReactNode => {
  const { say } = useWords();
  const overview = useQuery({ queryKey: [...keys.ops, 'overview'], queryFn: getOverview, refetchInterval: EVERY_MS });
  const invariants = useQuery({ queryKey: [...keys.ops, 'invariants'], queryFn: getInvariants, enabled: false });
  const [state, setState] = useState('');
  const [acting, setActing] = useState<Acting | null>(null);
  const act = (target: Target): void => setActing({ target });
  const guarded = (children: ReactNode): ReactNode => (
    <Boundary fallback={(retry) => <Problem error={null} retry={retry} />}>{children}</Boundary>
  );
  // A link to one section: it is not there until the first answer is.
  const known = overview.data !== undefined;
  useEffect(() => {
    if (known && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [known]);
  if (!overview.data)
    return (
      <>
        <h1>{say('web.nav.ops')}</h1>
        {overview.error ? (
          <Problem error={overview.error} retry={() => void overview.refetch()} />
        ) : (
          <p className="quiet">{say('web.loading')}</p>
        )}
      </>
    );
  return (
    <>
      <OpsView
        overview={overview.data}
        stale={overview.error !== null}
        all={invariants.data ?? null}
        checking={invariants.isFetching}
        check={() => void invariants.refetch()}
        settle={(e, outcome) =>
          setActing({
            target: {
              run: e.run_id,
              objetivo: e.objetivo,
              actions: ['settle-unconfirmed'],
              effect: { id: e.effect_id, credits: e.credits_held },
            },
            outcome,
          })
        }
        choose={(next) => {
          setState(next);
          document.getElementById('campanas')?.scrollIntoView();
        }}
        idle={guarded(<OpsRuns filter={{ idle: true }} empty={say('web.ops.idle.none')} act={act} />)}
        runs={guarded(<RunFinder state={state} choose={setState} act={act} />)}
        audit={guarded(<Audit />)}
      />
      {invariants.error ? <Problem error={invariants.error} /> : null}
      {acting ? <ActionDialog target={acting.target} outcome={acting.outcome} close={() => setActing(null)} /> : null}
    </>
  );
};

/** Runs, money and deliveries of the workspace, for who operates it. */
export const OpsScreen = (): ReactNode => {
  const { say } = useWords();
  if (useWho().roles.includes('operator')) return <Operator />;
  return (
    <>
      <h1>{say('web.nav.ops')}</h1>
      <p>{say('web.ops.not_you')}</p>
    </>
  );
};
