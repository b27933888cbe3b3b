import { useId, useState, type ReactNode } from 'react';
import type { BoardRow, TurnAnswer } from '../../contracts/turn.js';
import { clean } from '../../view/words.js';
import { useWords } from '../words/words.js';
import { filtersOf, isChoosable, stagesOf, tableOf } from './rows.js';

export type Card = NonNullable<TurnAnswer['card']>;
/** Rows that a person may choose, and what is chosen; null where nothing is to be chosen any more. */
export interface Choice {
  refs: ReadonlySet<string>;
  may: ReadonlySet<string>;
  choose(refs: string[], on: boolean): void;
}

/** Rows that are seen at first. */
const FIRST = 10;

const Name = ({ name }: { name: string }): ReactNode => (
  <bdi className="clamp" title={name.length > 120 ? clean(name).slice(0, 1_000) : undefined}>
    {clean(name) || '—'}
  </bdi>
);

const Filters = ({ filters }: { filters: Card['filters'] }): ReactNode => {
  const words = useWords();
  const shown = filtersOf(filters, words);
  if (shown.length === 0) return null;
  return (
    <ul className="chat-filters plain" aria-label={words.say('web.result.filters')}>
      {shown.map(({ key, text }) => (
        <li key={key} className="chip">
          <bdi className="clamp">{text}</bdi>
        </li>
      ))}
    </ul>
  );
};

const Footer = ({ footer }: { footer: readonly string[] }): ReactNode => {
  const { say } = useWords();
  const lines = footer.map(clean).filter((one) => one !== '');
  return lines.length === 0 ? null : (
    <p className="chat-source quiet">
      <span className="clamp">
        {say('web.result.source')} <bdi>{lines.join(' · ')}</bdi>
      </span>
    </p>
  );
};

/** Some of the rows, and all of them on request. */
const useMore = (rows: readonly BoardRow[]): { shown: readonly BoardRow[]; more: ReactNode } => {
  const { say } = useWords();
  const [all, setAll] = useState(false);
  const folds = rows.length > FIRST + 2;
  return {
    shown: all || !folds ? rows : rows.slice(0, FIRST),
    more: folds ? (
      <button type="button" className="button slim" aria-expanded={all} onClick={() => setAll(!all)}>
        {all ? say('web.result.fewer') : say('web.result.all', { n: rows.length })}
      </button>
    ) : null,
  };
};

/** Rows as a table, on a narrow screen as a list; with boxes where rows may be chosen. */
const Rows = ({ rows, choice, label }: { rows: readonly BoardRow[]; choice: Choice | null; label: string }): ReactNode => {
  const words = useWords();
  const { say } = words;
  const { shown, more } = useMore(rows);
  const { kind, columns, amounts, rows: lines } = tableOf(shown, words);
  const boxes = choice !== null && rows.some((one) => isChoosable(one) && choice.may.has(one.ref));
  const free = boxes ? rows.filter((one) => isChoosable(one) && choice.may.has(one.ref)) : [];
  const all = free.length > 0 && free.every((one) => choice?.refs.has(one.ref));
  return (
    <>
      <table className="table chat-rows" aria-label={label}>
        <thead>
          <tr>
            {boxes ? (
              <th className="chat-box">
                <label>
                  <input
                    type="checkbox"
                    checked={all}
                    onChange={(event) =>
                      choice.choose(
                        free.map((one) => one.ref),
                        event.target.checked,
                      )
                    }
                  />
                  <span className="unseen">{say('web.result.choose_all', { n: free.length })}</span>
                </label>
              </th>
            ) : null}
            <th scope="col">{say(`web.result.row.${kind}`)}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {say(`web.result.column.${column}`)}
              </th>
            ))}
            {amounts ? (
              <th scope="col" className="chat-amount">
                {say(`web.result.column.${kind === 'award' ? 'amount' : 'won'}`)}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ row, cells, whole, amount }) => (
            <tr key={row.ref} className={choice?.refs.has(row.ref) ? 'chat-chosen' : undefined}>
              {boxes ? (
                <td className="chat-box">
                  {choice.may.has(row.ref) && isChoosable(row) ? (
                    <label>
                      <input
                        type="checkbox"
                        checked={choice.refs.has(row.ref)}
                        onChange={(event) => choice.choose([row.ref], event.target.checked)}
                      />
                      <span className="unseen">{say('web.result.choose', { name: row.name.slice(0, 200) })}</span>
                    </label>
                  ) : null}
                </td>
              ) : null}
              <th scope="row">
                <Name name={row.name} />
              </th>
              {cells ? (
                cells.map((cell, i) => (
                  <td key={columns[i]}>
                    <bdi className="clamp">{cell}</bdi>
                  </td>
                ))
              ) : (
                <td colSpan={columns.length}>
                  <bdi className="clamp">{whole || '—'}</bdi>
                </td>
              )}
              {amounts ? <td className="chat-amount">{amount ?? '—'}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
};

/** Notes and topics: a title and what it says. */
const Topics = ({ rows, label }: { rows: readonly BoardRow[]; label: string }): ReactNode => {
  const { shown, more } = useMore(rows);
  return (
    <>
      <ul className="chat-topics plain" aria-label={label}>
        {shown.map((row) => (
          <li key={row.ref}>
            <strong>
              <Name name={row.name} />
            </strong>
            {row.detail ? (
              <span className="quiet clamp">
                <bdi>{clean(row.detail)}</bdi>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {more}
    </>
  );
};

/** How the whole is spread over its stages, where every row of it is here. */
const Stages = ({ rows, total }: { rows: readonly BoardRow[]; total: number | null }): ReactNode => {
  const words = useWords();
  const stages = total === rows.length ? stagesOf(rows, words) : null;
  if (!stages) return null;
  return (
    <ul className="chat-stages plain" aria-label={words.say('web.result.stages')}>
      {stages.map(({ stage, n }) => {
        const text = words.say('web.result.stage', { stage, n, total: rows.length });
        return (
          <li key={stage}>
            <span>{text}</span>
            <progress value={n} max={rows.length} aria-label={stage} aria-valuetext={text} />
          </li>
        );
      })}
    </ul>
  );
};

/** The list, the figure or the notes that an answer stands on: rows, total, filters and where it comes from. */
export const ResultCardView = ({ card, choice = null }: { card: Card; choice?: Choice | null }): ReactNode => {
  const words = useWords();
  const { say } = words;
  const title = useId();
  const { kind, rows, total } = card;
  if (kind === 'ninguna' && rows.length === 0) return null;
  const of = rows[0]?.kind;
  const counted =
    of && rows.every((one) => one.kind === of)
      ? say(`web.result.count.${of}`, { shown: rows.length, total: total ?? rows.length })
      : rows.length > 0
        ? say('web.result.count.other', { shown: rows.length, total: total ?? rows.length })
        : null;
  const name = say(`web.result.kind.${kind}`);
  const body =
    rows.length === 0 ? null : of === 'topic' ? <Topics rows={rows} label={name} /> : <Rows rows={rows} choice={choice} label={name} />;
  return (
    <section className={`panel chat-card chat-card-${kind}`} aria-labelledby={title} data-kind={kind}>
      <header className="chat-card-head">
        <h3 id={title}>{name}</h3>
        {counted ? (
          <span className="quiet" data-testid="counted">
            {counted}
          </span>
        ) : null}
      </header>
      {rows.length === 0 && total !== null ? (
        <p className="chat-total" data-testid="total">
          <strong>{words.count(total)}</strong> <span className="quiet">{say('web.result.with_filters')}</span>
        </p>
      ) : null}
      <Filters filters={card.filters} />
      {kind === 'pipeline' ? <Stages rows={rows} total={total} /> : null}
      {body}
      <Footer footer={card.footer} />
    </section>
  );
};
