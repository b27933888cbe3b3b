import type { Reason } from '../../contracts/progress.js';
import { suppressedAmong } from '../suppressions.js';
import { newId } from '../ids.js';
import type { LockedRun } from '../events.js';
import { one, type Tx } from '../client.js';
import { OWNED } from './elsewhere.js';

/** Before the card: a contact for each person chosen, without those on the suppression list, and their prices. */

/** Makes a contact row for each chosen account that has none yet, best score first; suppressed persons are set apart before any hold. */
export const makeContacts = async (run: LockedRun, suppressionKey: string): Promise<void> => {
  const rows = await run.tx.q<{ position: number; person_id: string; title: string | null; score: number }>(
    `select a.position, a.person_id, a.person_title as title, (a.choice ->> 'score')::int as score from accounts a
     where a.run_id = $1 and a.state = 'chosen' and not exists (select 1 from contacts c where c.run_id = a.run_id and c.position = a.position) order by score desc, a.position`,
    [run.id],
  );
  if (rows.length === 0) return;
  const { n } = one(
    await run.tx.q<{ n: number }>(`select coalesce(max(rank), 0)::int as n from contacts where run_id = $1`, [run.id]),
    'rank',
  );
  const listed = await suppressedAmong(
    run.tx,
    run.workspace,
    suppressionKey,
    rows.map((r) => [{ kind: 'person', value: r.person_id }]),
  );
  // Two accounts may have the same person: one contact, one price and one draft.
  const known = new Set(
    (
      await run.tx.q<{ person_id: string }>(`select person_id from contacts where run_id = $1 and person_id = any($2)`, [
        run.id,
        rows.map((r) => r.person_id),
      ])
    ).map((r) => r.person_id),
  );
  const stateOf = (r: (typeof rows)[number], i: number): { state: 'suppressed' | 'voided' | 'quoted'; reason: Reason | null } => {
    const again = known.has(r.person_id);
    known.add(r.person_id);
    return listed[i]
      ? { state: 'suppressed', reason: { code: 'suppressed', params: {} } }
      : again
        ? { state: 'voided', reason: { code: 'same_person', params: {} } }
        : { state: 'quoted', reason: null };
  };
  await run.tx.q(
    `insert into contacts (id, run_id, position, workspace_id, person_id, title, rank, state, reason, price)
     select x.id, $1, x.position, $2, x.person_id, x.title, x.rank, x.state, x.reason, 0
     from jsonb_to_recordset($3::jsonb) as x (id text, position int, person_id text, title text, rank int, state text, reason jsonb)`,
    [
      run.id,
      run.workspace,
      JSON.stringify(
        rows.map((r, i) => ({
          id: newId('con'),
          position: r.position,
          person_id: r.person_id,
          title: r.title,
          rank: n + i + 1,
          ...stateOf(r, i),
        })),
      ),
    ],
  );
};

/** Sets apart whoever came onto the suppression list while they waited for their card. @returns how many. */
export const suppressQuoted = async (run: LockedRun, suppressionKey: string): Promise<number> => {
  const rows = await run.tx.q<{ id: string; person_id: string; rfc: string | null; domain: string | null }>(
    `select c.id, c.person_id, a.rfc, a.domain from contacts c join accounts a on a.run_id = c.run_id and a.position = c.position where c.run_id = $1 and c.state = 'quoted' and c.reason is null`,
    [run.id],
  );
  const listed = await suppressedAmong(
    run.tx,
    run.workspace,
    suppressionKey,
    rows.map((r) => [
      { kind: 'person', value: r.person_id },
      { kind: 'rfc', value: r.rfc ?? '' },
      { kind: 'domain', value: r.domain ?? '' },
    ]),
  );
  const out = rows.filter((_, i) => listed[i]).map((r) => r.id);
  if (out.length > 0) {
    await run.tx.q(
      `update contacts set state = 'suppressed', reason = '{"code":"suppressed","params":{}}', updated_at = now() where id = any($1)`,
      [out],
    );
    run.emit('contact.suppressed', { n: out.length }, {});
  }
  return out.length;
};

/** Persons that wait for a price. */
export const unquoted = async (run: LockedRun): Promise<string[]> =>
  (
    await run.tx.q<{ person_id: string }>(
      `select person_id from contacts where run_id = $1 and state = 'quoted' and reason is null order by rank`,
      [run.id],
    )
  ).map((r) => r.person_id);

export interface Quote {
  quote_id: string;
  valid_until: string;
  prices: Array<{ person_id: string; credits: number; already_acquired: boolean; available: boolean }>;
}

/**
 * Writes a quote onto the contacts that wait for a reveal. What the workspace or the provider says is already yours costs nothing;
 * one that the provider no longer has is voided, with the reason.
 */
export const applyQuotes = async (tx: Tx, run: string, quote: Quote): Promise<void> => {
  await tx.q(
    `with p as (
       select x.person_id, x.credits, x.available, x.already_acquired or exists (
         select 1 from contacts o join runs r on r.id = $1 where o.workspace_id = r.workspace_id and o.person_id = x.person_id and o.${OWNED.replace(' and email', ' and o.email')}) as yours
       from jsonb_to_recordset($2::jsonb) as x (person_id text, credits int, already_acquired boolean, available boolean))
     update contacts c set price = case when p.yours then 0 else p.credits end, already_yours = p.yours, quote_id = $3, quote_until = $4,
       state = case when p.available or p.yours then 'quoted' else 'voided' end,
       reason = case when p.available or p.yours then null else '{"code":"not_available","params":{}}'::jsonb end, updated_at = now()
     from p where c.run_id = $1 and c.person_id = p.person_id and c.state = 'quoted' and c.reason is null`,
    [run, JSON.stringify(quote.prices), quote.quote_id, quote.valid_until],
  );
};
