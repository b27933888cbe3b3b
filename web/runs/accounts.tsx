import { useMemo, useState, type ReactNode } from 'react';
import type { Item } from '../../contracts/api.js';
import { ACCOUNT_STATES } from '../../contracts/states.js';
import { clean } from '../../view/words.js';
import { itemsCsv, type ItemFilter } from '../data/api.js';
import { useWords } from '../words/words.js';
import { AccountChip, ContactChip } from './chips.js';
import { ItemPages } from './item-pages.js';
import { useThrottled } from './throttled.js';

/** One account: who was chosen there and why, what became of the contact, or what is missing. */
export const AccountView = ({ item }: { item: Item }): ReactNode => {
  const words = useWords();
  const { say, count, amount } = words;
  const { company, choice, contact } = item;
  const title = clean(contact?.title ?? choice?.title ?? '');
  return (
    <div className="runs-account">
      <div className="runs-account-who">
        <b className="runs-clip clamp">
          <bdi>{company ? clean(company.name) || company.ref : say('web.run.items.no_company', { n: item.position })}</bdi>
        </b>
      </div>
      {choice ? (
        <div className="runs-account-person">
          <span className="runs-clip clamp">
            <bdi>{title || say('web.run.items.no_title')}</bdi>
          </span>
          <span className="quiet runs-number" title={say('web.run.items.score.title')}>
            {say('web.run.items.score', {
              score: count(choice.score),
              role: count(choice.role),
              seniority: count(choice.seniority),
              freshness: count(choice.freshness),
            })}
          </span>
        </div>
      ) : (
        <div className="runs-account-person">
          {item.reason ? (
            <span className="quiet">
              <bdi>{words.missing(item.reason.code, item.reason.params)}</bdi>
            </span>
          ) : null}
        </div>
      )}
      <div className="runs-account-contact">
        {contact && item.state === 'chosen' ? <ContactChip state={contact.state} /> : <AccountChip state={item.state} />}
        {contact?.name ? (
          <span className="runs-clip clamp">
            <bdi>{clean(contact.name)}</bdi>
          </span>
        ) : null}
        {contact?.email ? (
          <span className="runs-clip clamp quiet">
            <bdi>{clean(contact.email)}</bdi>
          </span>
        ) : null}
        {contact && !contact.name && contact.price > 0 ? <span className="quiet">{amount('credits', contact.price)}</span> : null}
        {choice && item.reason ? (
          <span className="quiet">
            <bdi>{words.missing(item.reason.code, item.reason.params)}</bdi>
          </span>
        ) : null}
      </div>
    </div>
  );
};

const accountRow = (item: Item): ReactNode => <AccountView item={item} />;

type Choice = 'all' | 'missing' | (typeof ACCOUNT_STATES)[number];
const filterOf = (choice: Choice): ItemFilter => (choice === 'all' ? {} : choice === 'missing' ? { missing: true } : { state: choice });

/** Every account of a run, fifty at a time. */
export const AccountsSection = ({ run, version }: { run: string; version: number }): ReactNode => {
  const { say } = useWords();
  const [choice, setChoice] = useState<Choice>('all');
  const shown = useThrottled(version, 4_000);
  const filter = useMemo(() => filterOf(choice), [choice]);
  return (
    <section className="panel runs-section" aria-labelledby="runs-accounts">
      <div className="runs-section-head">
        <h2 id="runs-accounts">{say('web.run.items.title')}</h2>
        <div className="runs-section-tools">
          <label className="runs-inline">
            <span>{say('web.run.items.show')}</span>
            <select value={choice} onChange={(event) => setChoice(event.target.value as Choice)}>
              <option value="all">{say('web.run.items.all')}</option>
              <option value="missing">{say('web.run.items.missing')}</option>
              {ACCOUNT_STATES.map((state) => (
                <option key={state} value={state}>
                  {say(`account.state.${state}`)}
                </option>
              ))}
            </select>
          </label>
          <a className="button slim" href={itemsCsv(run, filter)} download={`cuentas-${run}.csv`}>
            {say('web.run.items.csv')}
          </a>
        </div>
      </div>
      <ItemPages key={choice} run={run} filter={filter} version={shown} row={accountRow} />
    </section>
  );
};
