import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Age, Invariants, OpsOverview } from '../../contracts/operations.js';
import { clean } from '../../view/words.js';
import { useServerNow } from '../data/clock.js';
import { safeLink } from '../decisions/safe-link.js';
import { RunChip } from '../runs/chips.js';
import { useWords } from '../words/words.js';

/** Written out: the contract's own list would bring its checker with it. */
const AGES = Object.keys({ under_1h: 0, h1_to_24: 0, d1_to_3: 0, over_3d: 0 } satisfies Record<Age, number>) as Age[];

/** A table that may be wider than the screen: it moves inside its own region. */
export const Scroll = ({ label, children }: { label: string; children: ReactNode }): ReactNode => (
  <div className="scroll" role="region" aria-label={useWords().say('web.ops.table', { name: label })} tabIndex={0}>
    {children}
  </div>
);

/** A section of the operator's page. */
export const Part = ({ id, title, tools, children }: { id: string; title: string; tools?: ReactNode; children: ReactNode }): ReactNode => (
  <section className="panel ops-part" id={id} aria-labelledby={`${id}-title`}>
    <div className="ops-part-head">
      <h2 id={`${id}-title`}>{title}</h2>
      {tools}
    </div>
    {children}
  </section>
);

/** A link into Temporal's own page, where there is one. */
export const TemporalLink = ({ url, label }: { url: string | null; label: string }): ReactNode => {
  const link = safeLink(url);
  return link ? (
    <a href={link} target="_blank" rel="noopener noreferrer">
      {label} <span aria-hidden="true">↗</span>
    </a>
  ) : null;
};

type Tone = 'good' | 'warn' | 'bad';
const MARK: Record<Tone, string> = { good: '✓', warn: '!', bad: '✗' };
const Tile = ({ tone, href, name, text }: { tone: Tone; href: string; name: string; text: string }): ReactNode => (
  <li>
    <a className={`ops-tile ${tone}`} href={href}>
      <span className="ops-tile-name">
        <span aria-hidden="true">{MARK[tone]} </span>
        {name}
      </span>
      <span className="ops-tile-text">{text}</span>
    </a>
  </li>
);

/** What needs a look, in six words each. */
export const Tiles = ({ o }: { o: OpsOverview }): ReactNode => {
  const { say, lasted } = useWords();
  const { invariants: inv, unconfirmed, outbox, limiter, runs } = o;
  const paused = limiter.providers.find((p) => p.paused_ms > 0);
  return (
    <ul className="ops-tiles plain">
      <Tile
        tone={inv.ok === null ? 'warn' : inv.ok ? 'good' : 'bad'}
        href="#invariantes"
        name={say('web.ops.invariants')}
        text={
          inv.ok === null
            ? say('web.ops.invariants.unknown')
            : inv.ok
              ? say('web.ops.invariants.ok', { n: inv.checked })
              : say('web.ops.invariants.broken', { n: inv.broken.length, total: inv.checked })
        }
      />
      <Tile
        tone={runs.idle.n > 0 ? 'bad' : 'good'}
        href="#sin-avance"
        name={say('web.ops.idle')}
        text={
          runs.idle.n > 0
            ? say('web.ops.idle.tile', { n: runs.idle.n, lasted: lasted(runs.idle.longest_ms) })
            : say('web.ops.none_open', { n: runs.open })
        }
      />
      <Tile
        tone={unconfirmed.needs_operator > 0 ? 'bad' : unconfirmed.n > 0 ? 'warn' : 'good'}
        href="#por-confirmar"
        name={say('web.ops.unconfirmed')}
        text={
          unconfirmed.n > 0
            ? say('web.ops.unconfirmed.tile', { n: unconfirmed.n, mine: unconfirmed.needs_operator })
            : say('web.ops.nothing')
        }
      />
      <Tile
        tone={paused ? 'warn' : 'good'}
        href="#proveedor"
        name={say('web.ops.limiter')}
        text={
          paused
            ? say('web.ops.limiter.paused', { lasted: lasted(paused.paused_ms) })
            : say('web.ops.limiter.tile', { n: limiter.in_use, total: limiter.concurrency })
        }
      />
      <Tile
        tone={outbox.failing > 0 ? 'bad' : outbox.pending > 0 && outbox.oldest_ms > 60_000 ? 'warn' : 'good'}
        href="#entregas"
        name={say('web.ops.outbox')}
        text={
          outbox.failing > 0 ? say('web.ops.outbox.failing', { n: outbox.failing }) : say('web.ops.outbox.pending', { n: outbox.pending })
        }
      />
    </ul>
  );
};

/** Runs by state and by how long ago they were made. */
export const RunsByState = ({ o, choose }: { o: OpsOverview; choose: (state: string) => void }): ReactNode => {
  const { say, count } = useWords();
  if (o.runs.by_state.length === 0) return <p className="quiet">{say('web.ops.no_runs')}</p>;
  return (
    <Scroll label={say('web.ops.by_state')}>
      <table className="table ops-table">
        <thead>
          <tr>
            <th scope="col">{say('web.ops.state')}</th>
            <th scope="col" className="number">
              {say('web.ops.total')}
            </th>
            {AGES.map((age) => (
              <th key={age} scope="col" className="number">
                {say(`web.ops.age.${age}`)}
              </th>
            ))}
            <th scope="col">
              <span className="unseen">{say('web.ops.see')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {o.runs.by_state.map(({ state, n, ages }) => (
            <tr key={state}>
              <th scope="row">
                <RunChip state={state} />
              </th>
              <td className="number">
                <b>{count(n)}</b>
              </td>
              {AGES.map((age) => (
                <td key={age} className="number">
                  {ages[age] > 0 ? count(ages[age]) : <span className="quiet">–</span>}
                </td>
              ))}
              <td>
                <button
                  type="button"
                  className="button slim"
                  aria-label={say('web.ops.see_state', { state: say(`run.state.${state}`) })}
                  onClick={() => choose(state)}
                >
                  {say('web.ops.see')}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
};

const KINDS = ['credits', 'queries', 'inference'] as const;

/** What is held, by how long. */
export const Holds = ({ o }: { o: OpsOverview }): ReactNode => {
  const { say, amount, count } = useWords();
  return (
    <Scroll label={say('web.ops.holds')}>
      <table className="table ops-table">
        <thead>
          <tr>
            <th scope="col">{say('web.run.receipt.kind')}</th>
            <th scope="col" className="number">
              {say('web.ops.holds.n')}
            </th>
            <th scope="col" className="number">
              {say('web.ops.total')}
            </th>
            {AGES.map((age) => (
              <th key={age} scope="col" className="number">
                {say(`web.ops.age.${age}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {KINDS.flatMap((kind) => o.holds.filter((held) => held.kind === kind)).map(({ kind, n, amount: total, ages }) => (
            <tr key={kind}>
              <th scope="row">{say(`money.${kind}`)}</th>
              <td className="number">{count(n)}</td>
              <td className="number">
                <b>{amount(kind, total)}</b>
              </td>
              {AGES.map((age) => (
                <td key={age} className="number">
                  {ages[age].n > 0 ? amount(kind, ages[age].amount) : <span className="quiet">–</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
};

export type Unknown = OpsOverview['unconfirmed']['queue'][number];

/** Outcomes that nobody knows, oldest first; an operator says which it was. */
export const Unconfirmed = ({
  o,
  settle,
}: {
  o: OpsOverview;
  settle: (effect: Unknown, outcome: 'captured' | 'voided') => void;
}): ReactNode => {
  const { say, has, ago, moment, amount } = useWords();
  const now = useServerNow();
  const { n, needs_operator, credits_held, queue } = o.unconfirmed;
  if (n === 0) return <p className="quiet">{say('web.ops.unconfirmed.none')}</p>;
  return (
    <>
      <p>{say('web.ops.unconfirmed.sum', { n, mine: needs_operator, credits: amount('credits', credits_held) })}</p>
      <ul className="ops-list plain">
        {queue.map((e) => (
          <li key={e.effect_id} className="ops-row" data-testid={`effect-${e.effect_id}`}>
            <div className="ops-row-what">
              <p>
                <Link href={`/campanas/${e.run_id}`} className="ops-clip clamp">
                  <bdi>{clean(e.objetivo)}</bdi>
                </Link>{' '}
                {e.needs_operator ? (
                  <span className="chip bad">
                    <span aria-hidden="true">!</span>
                    {say('web.ops.unconfirmed.mine')}
                  </span>
                ) : (
                  <span className="chip warn">
                    <span aria-hidden="true">?</span>
                    {say('web.ops.unconfirmed.reading')}
                  </span>
                )}
              </p>
              <p className="quiet">
                {[
                  has(`web.ops.effect.${e.kind}`) ? say(`web.ops.effect.${e.kind}`) : clean(e.kind),
                  ...(e.sent_at ? [say('web.ops.unconfirmed.sent', { at: moment(e.sent_at), ago: ago(now - Date.parse(e.sent_at)) })] : []),
                  say('web.ops.unconfirmed.reads', { n: e.reads }),
                  ...(e.next_read_at ? [say('web.ops.unconfirmed.next', { at: moment(e.next_read_at) })] : []),
                  ...(e.credits_held > 0 ? [say('web.held', { amount: amount('credits', e.credits_held) })] : []),
                ].join(' · ')}
              </p>
              <p className="quiet">
                <code translate="no">{e.effect_id}</code> <TemporalLink url={e.temporal_url} label={say('web.ops.temporal')} />
              </p>
            </div>
            <div className="buttons">
              <button type="button" className="button" onClick={() => settle(e, 'captured')}>
                {say('web.ops.settle.done')}
              </button>
              <button type="button" className="button" onClick={() => settle(e, 'voided')}>
                {say('web.ops.settle.not_done')}
              </button>
            </div>
          </li>
        ))}
      </ul>
      {n > queue.length ? <p className="quiet">{say('web.ops.unconfirmed.more', { n: n - queue.length })}</p> : null}
    </>
  );
};

/** Whether calls to the provider may go out, and how many do. */
export const Limiter = ({ o }: { o: OpsOverview }): ReactNode => {
  const { say, ago, lasted, moment } = useWords();
  const now = useServerNow();
  const { calls_per_second, concurrency, in_use, waiting, providers } = o.limiter;
  return (
    <>
      <dl className="ops-facts facts">
        <div>
          <dt>{say('web.ops.limiter.rate')}</dt>
          <dd>{calls_per_second === null ? say('web.ops.limiter.no_rate') : say('web.ops.limiter.per_second', { n: calls_per_second })}</dd>
        </div>
        <div>
          <dt>{say('web.ops.limiter.in_use')}</dt>
          <dd>{say('web.ops.limiter.tile', { n: in_use, total: concurrency })}</dd>
        </div>
        <div>
          <dt>{say('web.ops.limiter.waiting')}</dt>
          <dd>{say('web.ops.limiter.waits', { n: waiting })}</dd>
        </div>
      </dl>
      {providers.length === 0 ? (
        <p className="quiet">{say('web.ops.limiter.none')}</p>
      ) : (
        <ul className="ops-list plain">
          {providers.map((p) => (
            <li key={p.provider} className="ops-row">
              <div className="ops-row-what">
                <p>
                  <b>
                    <bdi>{clean(p.provider)}</bdi>
                  </b>{' '}
                  {p.paused_ms > 0 ? (
                    <span className="chip warn">
                      <span aria-hidden="true">‖</span>
                      {say('web.ops.limiter.paused', { lasted: lasted(p.paused_ms) })}
                    </span>
                  ) : (
                    <span className="chip good">
                      <span aria-hidden="true">✓</span>
                      {say('web.ops.limiter.open')}
                    </span>
                  )}
                </p>
                <p className="quiet">
                  {[
                    ...(p.permits === null ? [] : [say('web.ops.limiter.permits', { n: p.permits })]),
                    ...(p.paused_until ? [say('web.ops.limiter.until', { at: moment(p.paused_until) })] : []),
                    p.limited_at
                      ? say('web.ops.limiter.limited', { ago: ago(now - Date.parse(p.limited_at)), lasted: lasted(p.limited_ms ?? 0) })
                      : say('web.ops.limiter.never'),
                  ].join(' · ')}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

/** Whether the books add up: those of the ledger all the time, all of them when asked for. */
export const Books = ({
  o,
  all,
  checking,
  check,
}: {
  o: OpsOverview;
  all: Invariants | null;
  checking: boolean;
  check: () => void;
}): ReactNode => {
  const { say, ago, lasted } = useWords();
  const now = useServerNow();
  const { ok, broken, checked, checked_at, duration_ms } = o.invariants;
  const tone = ok === null ? 'warn' : ok ? 'good' : 'bad';
  return (
    <>
      <p className={`notice ${tone}`}>
        <span aria-hidden="true">{MARK[tone]} </span>
        {ok === null
          ? say('web.ops.invariants.unknown')
          : ok
            ? say('web.ops.invariants.ok', { n: checked })
            : say('web.ops.invariants.broken', { n: broken.length, total: checked })}
        <span className="quiet">
          {' '}
          · {say('web.ops.invariants.checked', { ago: ago(now - Date.parse(checked_at)), lasted: lasted(duration_ms) })}
        </span>
      </p>
      {broken.length > 0 ? (
        <ul className="ops-broken plain">
          {broken.map((b) => (
            <li key={b.id}>
              <b translate="no">{b.id}</b> <span className="ops-detail">{clean(b.detail)}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <button type="button" className="button" aria-disabled={checking} onClick={check}>
        {say(checking ? 'web.ops.invariants.checking' : 'web.ops.invariants.check_all')}
      </button>
      {all ? (
        <ul className="ops-checked plain">
          {all.invariants.map((i) => (
            <li key={i.id} className={i.ok ? 'good' : 'bad'}>
              <span aria-hidden="true">{i.ok ? '✓' : '✗'}</span>{' '}
              <span className="unseen">{say(i.ok ? 'web.ops.holds_true' : 'web.ops.does_not_hold')}</span>
              <span translate="no">{i.id}</span>
              {i.detail ? <span className="ops-detail"> {clean(i.detail)}</span> : null}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
};

/** What still has to reach the workflows, and when runs were last compared with them. */
export const Deliveries = ({ o }: { o: OpsOverview }): ReactNode => {
  const { say, ago, lasted } = useWords();
  const now = useServerNow();
  const { outbox, reconcile } = o;
  return (
    <dl className="ops-facts facts">
      <div>
        <dt>{say('web.ops.outbox')}</dt>
        <dd>
          {say('web.ops.outbox.pending', { n: outbox.pending })}
          {outbox.pending > 0 ? ` · ${say('web.ops.outbox.oldest', { lasted: lasted(outbox.oldest_ms) })}` : ''}
          {outbox.failing > 0 ? ` · ${say('web.ops.outbox.failing', { n: outbox.failing })}` : ''}
        </dd>
      </div>
      <div>
        <dt>{say('web.ops.reconcile')}</dt>
        <dd>
          {reconcile.last_at
            ? say('web.ops.reconcile.last', { ago: ago(now - Date.parse(reconcile.last_at)), lasted: lasted(reconcile.took_ms ?? 0) })
            : say('web.ops.reconcile.never')}
        </dd>
      </div>
      <div>
        <dt>{say('web.ops.reconcile.settled')}</dt>
        <dd>{say('web.ops.reconcile.counts', { settled: reconcile.settled, rounds: reconcile.rounds })}</dd>
      </div>
    </dl>
  );
};
