import { useId, useState, type ReactNode, type Ref } from 'react';
import { Link } from 'wouter';
import type { Decision, DecisionItem, DecisionOption, ResolveDecision } from '../../contracts/decision.js';
import { buttonLabel, canName, lotLabel, mainOption, priceOf } from '../../view/buttons.js';
import { priceLine } from '../../view/decision.js';
import { clean } from '../../view/words.js';
import { useServerNow } from '../data/clock.js';
import { ApiProblem } from '../data/problem.js';
import { sayProblem } from '../shell/problem.js';
import { useWords } from '../words/words.js';
import { ChooseDialog } from './choose-dialog.js';
import { DeclineDialog } from './decline-dialog.js';
import { channelOf } from './inbox/said.js';
import { safeLink } from './safe-link.js';
import { useGuard } from './use-guard.js';
import type { TapState } from './use-tap.js';

export interface Answer {
  state: TapState;
  acting: 'recheck' | 'undo' | 'reopen' | null;
  /** @param shown the card as it was when this answer was picked: the tap is bound to it, whatever the card says by now */
  send(option: DecisionOption, more: Partial<Pick<ResolveDecision, 'items' | 'n' | 'then'>>, shown: Decision): void;
  recheck(): void;
  undo(): void;
  reopen(): void;
  /** The card with every item. */
  everything(): Promise<Decision>;
}

const PREVIEW = 5;
/** From here on the time that is left is worth saying, ms. */
const SOON_MS = 60 * 60_000;

const Item = ({ item }: { item: DecisionItem }): ReactNode => {
  const { say, amount } = useWords();
  const tail = item.already_yours ? say('view.decision.yours') : item.price > 0 ? amount('credits', item.price) : null;
  return (
    <li>
      <bdi className="clamp">{clean(item.label) || '—'}</bdi>
      {item.detail ? (
        <span className="quiet clamp">
          <bdi>{clean(item.detail)}</bdi>
        </span>
      ) : null}
      {tail ? <span className="quiet">{tail}</span> : null}
    </li>
  );
};

/** First five, then all of them on request. */
const Items = ({ decision, everything }: { decision: Decision; everything: () => Promise<Decision> }): ReactNode => {
  const { say } = useWords();
  const [all, setAll] = useState<DecisionItem[] | null>(null);
  const [failed, setFailed] = useState(false);
  if (decision.kind === 'revisar_secuencia' || decision.items_total === 0) return null;
  const shown = all ?? decision.items.slice(0, PREVIEW);
  return (
    <div className="decision-items">
      <ul tabIndex={all ? 0 : undefined} aria-label={all ? say('web.decision.see_all', { n: decision.items_total }) : undefined}>
        {shown.map((item) => (
          <Item key={item.ref} item={item} />
        ))}
      </ul>
      {decision.items_total > shown.length ? (
        <button
          type="button"
          className="button slim"
          onClick={() =>
            void everything().then(
              (d) => setAll(d.items),
              () => setFailed(true),
            )
          }
        >
          {say('web.decision.see_all', { n: decision.items_total })}
        </button>
      ) : null}
      {failed ? <p className="quiet">{say('web.no_answer')}</p> : null}
    </div>
  );
};

/** How it ended, and what may still be done about it. */
const Outcome = ({
  decision,
  current,
  answer,
  result,
}: {
  decision: Decision;
  current: string | null;
  answer: Answer;
  result?: Ref<HTMLDivElement> | undefined;
}): ReactNode => {
  const words = useWords();
  const { say, moment } = words;
  const now = useServerNow();
  const { resolved } = decision;
  const undo = decision.state === 'approved' && decision.undo_until !== null && Date.parse(decision.undo_until) > now;
  return (
    <div className="decision-outcome" tabIndex={-1} ref={result} data-testid="outcome">
      {resolved ? (
        <p>
          {say(decision.state === 'declined' ? 'web.decision.declined_by' : 'web.decision.confirmed_by', {
            by: clean(resolved.by),
            at: moment(resolved.at),
            channel: channelOf(words, resolved.channel),
            n: resolved.n,
            total: resolved.total,
          })}
        </p>
      ) : null}
      {decision.state === 'superseded' ? <p>{say('web.decision.superseded', { plan_version: decision.plan_version })}</p> : null}
      {decision.state === 'expired' ? <p>{say('web.decision.expired')}</p> : null}
      {decision.state === 'superseded' ? (
        <p>
          <Link href={current ? `/decisiones/${encodeURIComponent(current)}` : `/campanas/${encodeURIComponent(decision.run_id)}`}>
            {say(current ? 'web.decision.open_current' : 'web.decision.open_run')}
          </Link>
        </p>
      ) : null}
      {decision.reopened_as ? (
        <p>
          <Link href={`/decisiones/${encodeURIComponent(decision.reopened_as)}`}>{say('web.decision.open_reopened')}</Link>
        </p>
      ) : null}
      <div className="buttons">
        {undo ? (
          <button type="button" className="button" aria-disabled={answer.acting !== null} onClick={() => answer.undo()}>
            {say(answer.acting === 'undo' ? 'web.decision.undoing' : 'web.decision.undo', { at: moment(decision.undo_until ?? '') })}
          </button>
        ) : null}
        {(decision.state === 'expired' || (decision.state === 'declined' && resolved?.then === 'wait')) && !decision.reopened_as ? (
          <button type="button" className="button" aria-disabled={answer.acting !== null} onClick={() => answer.reopen()}>
            {say(answer.acting === 'reopen' ? 'web.decision.reopening' : 'web.decision.reopen')}
          </button>
        ) : null}
      </div>
    </div>
  );
};

/** Price, balance and what is left; then why, and what cannot be undone. */
const Terms = ({ decision }: { decision: Decision }): ReactNode => {
  const words = useWords();
  const { say, reason } = words;
  const fit = decision.options.some((o) => o.id === 'fit_n');
  return (
    <div className="decision-terms">
      {priceLine(decision, words).map((line) => (
        <p key={line} className="decision-price">
          {line}
        </p>
      ))}
      {decision.notes.map((note) => (
        <p key={note.code} className="quiet">
          {words.reason(note)}
        </p>
      ))}
      {decision.suppressed > 0 ? <p className="quiet">{say('view.decision.suppressed', { n: decision.suppressed })}</p> : null}
      {fit && decision.ranking ? <p className="quiet">{reason({ code: decision.ranking, params: {} })}</p> : null}
    </div>
  );
};

/** A decision as it stands. Buttons say what they do and what it costs; nothing here is taken for done before the server says so. */
export const DecisionView = ({
  decision: d,
  current = null,
  answer,
  result,
  level = 3,
}: {
  decision: Decision;
  /** The decision that stands in its place now, if it is known. */ current?: string | null;
  answer: Answer;
  result?: Ref<HTMLDivElement>;
  level?: 2 | 3;
}): ReactNode => {
  const words = useWords();
  const { say, moment, amount } = words;
  const title = useId();
  const why = useId();
  const now = useServerNow();
  const [dialog, setDialog] = useState<'choose' | 'decline' | null>(null);
  const ready = useGuard(`${d.id} ${d.state} ${d.payload_hash} ${answer.state.is}`);
  const Heading = `h${level}` as const;
  const open = d.state === 'open';
  const busy = answer.state.is === 'sending' || answer.state.is === 'unknown';
  const expiring = d.expires_at !== null && Date.parse(d.expires_at) - now < SOON_MS;
  const main = mainOption(d);
  // Topping up is a way out only where something does not fit.
  const topup = d.options.some((o) => o.id === 'recheck_balance') ? safeLink(d.links.provider_topup) : null;
  const review = d.kind === 'revisar_secuencia';
  // A button that this page cannot name says neither what it does nor what it costs.
  const offered = d.options.filter((o) => canName(words, d, o));
  const reading = answer.acting === 'recheck';
  // Nothing that a pointer or a held key does in the first half second, or while a tap is under way, is meant.
  const guarded = (work: () => void) => (): void => {
    if (!busy && !reading && ready()) work();
  };
  const button = (o: DecisionOption): ReactNode => {
    const label = busy && o === main ? say('web.decision.confirming') : buttonLabel(words, d, o);
    const work =
      o.id === 'decline'
        ? () => setDialog('decline')
        : o.id === 'choose'
          ? () => setDialog('choose')
          : o.id === 'recheck_balance'
            ? answer.recheck
            : () => answer.send(o, {}, d);
    return (
      <button
        key={o.id}
        type="button"
        className={`button ${o === main ? 'main' : ''}`}
        aria-disabled={busy || reading}
        aria-describedby={busy ? why : undefined}
        data-option={o.id}
        onClick={guarded(work)}
      >
        {reading && o.id === 'recheck_balance' ? say('web.decision.rechecking') : label}
      </button>
    );
  };
  return (
    <section
      className={`decision ${open ? 'decision-open' : ''}`}
      tabIndex={-1}
      aria-labelledby={title}
      data-decision={d.id}
      data-state={d.state}
      data-next={open || undefined}
    >
      <header className="decision-head">
        <Heading id={title}>
          <span aria-hidden="true">{open ? '◆' : '·'}</span> {say(`decision.kind.${d.kind}`)}
        </Heading>
        <span className={`chip ${open ? 'warn' : d.state === 'approved' ? 'good' : ''}`}>{say(`decision.state.${d.state}`)}</span>
      </header>
      <Terms decision={d} />
      <Items decision={d} everything={answer.everything} />
      {open ? (
        <>
          {d.expires_at ? (
            <p className={expiring ? 'notice warn' : 'quiet'} data-testid="expires">
              {say('view.decision.expires', { at: moment(d.expires_at, new Date(now)) })}
            </p>
          ) : null}
          {review ? (
            <p>
              <Link className="button main" href={`/secuencias/${encodeURIComponent(d.items[0]?.ref ?? d.id)}`}>
                {say('web.decision.review')}
              </Link>
            </p>
          ) : (
            <div className="buttons decision-buttons">
              {offered.filter((o) => o.id !== 'recheck_balance').map(button)}
              {topup ? (
                <a className="button" href={topup} target="_blank" rel="noreferrer noopener">
                  {say('web.decision.topup')}
                  <span className="unseen"> {say('web.new_window')}</span>
                </a>
              ) : null}
              {offered.filter((o) => o.id === 'recheck_balance').map(button)}
            </div>
          )}
          {review || offered.length === d.options.length ? null : <p className="notice warn">{say('web.decision.newer')}</p>}
          <p className="decision-status" id={why}>
            {answer.state.is === 'unknown'
              ? say('web.decision.unknown')
              : answer.state.is === 'sending'
                ? say('web.decision.sending')
                : null}
          </p>
        </>
      ) : (
        <Outcome decision={d} current={current} answer={answer} result={result} />
      )}
      {answer.state.is === 'refused' ? (
        <div className="notice warn">
          <p>{sayProblem(words, answer.state.error)}</p>
          {answer.state.error instanceof ApiProblem && answer.state.error.freshDecision && answer.state.error.freshDecision !== d.id ? (
            <p>
              <Link href={`/decisiones/${encodeURIComponent(answer.state.error.freshDecision)}`}>{say('web.decision.open_current')}</Link>
            </p>
          ) : null}
        </div>
      ) : null}
      {dialog === 'choose' ? (
        <ChooseDialog
          decision={d}
          everything={answer.everything}
          label={(lot) => lotLabel(words, d, lot.option)}
          close={() => setDialog(null)}
          pick={(lot, shown) => {
            setDialog(null);
            answer.send(lot.option, lot.more, shown);
          }}
        />
      ) : null}
      {dialog === 'decline' ? (
        <DeclineDialog
          decision={d}
          close={() => setDialog(null)}
          pick={(then, shown) => {
            setDialog(null);
            const decline = shown.options.find((o) => o.id === 'decline');
            if (decline) answer.send(decline, { then }, shown);
          }}
        />
      ) : null}
      {/* Said in words for whoever does not see the button's place: the price stands before the tap. */}
      {open && main && priceOf(main) ? (
        <p className="unseen">
          {say('web.decision.price_first', { price: amount(priceOf(main)?.kind ?? 'credits', priceOf(main)?.total ?? 0) })}
        </p>
      ) : null}
    </section>
  );
};
