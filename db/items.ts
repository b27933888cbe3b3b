import type { Item, Missing } from '../contracts/api.js';
import type { Progress, Reason } from '../contracts/progress.js';
import { isFinal, type AccountState, type Hasta } from '../contracts/states.js';
import { exitOf, findRun } from './runs.js';
import { read, type Pool } from './client.js';

export interface ItemFilter {
  state?: AccountState;
  missing?: boolean;
  reason?: string;
  after: number;
  limit: number;
}

interface Row {
  position: number;
  state: AccountState;
  reason: Item['reason'];
  company_id: string | null;
  name: string | null;
  choice: Item['choice'];
  contact_id: string | null;
  person_id: string;
  title: string | null;
  contact_state: NonNullable<Item['contact']>['state'];
  contact_reason: Item['reason'];
  price: number;
  contact_name: string | null;
  email: string | null;
  why: string | null;
  of: Missing['groups'][number]['of'] | null;
}

/** How far a run goes and whether it is over: what counts as missing depends on both. */
interface Reach {
  final: boolean;
  hasta: Hasta;
}

/**
 * Accounts with their contact and what is missing of them: an account without a person, a person not revealed, a contact without a draft.
 * While a run goes on, only what has ended counts; of one that is over, everything that has no end, as its receipt says it.
 */
const ITEMS = `select a.position, a.state, a.reason, a.company_id, a.name, a.choice, c.id as contact_id, c.person_id, c.title, c.state as contact_state, c.reason as contact_reason, c.price, c.name as contact_name, c.email,
    w.of, case w.of when 'account' then coalesce(a.reason ->> 'code', a.state) when 'contact' then coalesce(c.reason ->> 'code', c.state) when 'draft' then coalesce(c.reason ->> 'code', 'draft_failed') end as why
  from accounts a left join contacts c on c.run_id = a.run_id and c.position = a.position
  cross join lateral (select case
    when a.state <> 'chosen' then case when ($2 or a.state not in ('pending', 'running')) and coalesce(a.reason ->> 'code', '') <> 'only_accounts' then 'account' end
    when $3 and c.state not in ('captured', 'drafted') then case when $2 or c.state in ('voided', 'unconfirmed', 'suppressed') or (c.state = 'quoted' and c.reason is not null) then 'contact' end
    when $4 and c.state = 'captured' then case when $2 or c.reason is not null then 'draft' end end as of) w
  where a.run_id = $1`;
const reached = ({ final, hasta }: Reach): boolean[] => [final, hasta === 'contactos' || hasta === 'borradores', hasta === 'borradores'];

const asItem = (run: string, final: boolean, r: Row): Item => {
  const reason = r.reason ?? r.contact_reason;
  const code = reason?.code ?? r.why;
  return {
    item_id: `${run}:${r.position}`,
    position: r.position,
    state: r.state,
    reason,
    company: r.company_id ? { ref: r.company_id, name: r.name ?? '' } : null,
    choice: r.choice,
    contact: r.contact_id
      ? {
          contact_id: r.contact_id,
          person_id: r.person_id,
          title: r.title,
          state: r.contact_state,
          price: r.price,
          name: r.contact_name,
          email: r.email,
        }
      : null,
    exit: code ? exitOf(code, final) : null,
  };
};

/** The accounts of a run in their order: all, those in a state, or those that miss something, for one reason or any. @throws Refusal 404 `run_not_found` */
export const listItems = async (
  pool: Pool,
  workspace: string,
  run: string,
  filter: ItemFilter,
): Promise<{ items: Item[]; next_cursor: string | null }> => {
  const { state, hasta } = await findRun(read(pool), workspace, run);
  const reach = { final: isFinal(state), hasta };
  const values: unknown[] = [run, ...reached(reach), filter.after];
  const param = (value: unknown): string => `$${values.push(value)}`;
  const where = [
    ...(filter.state === undefined ? [] : [`state = ${param(filter.state)}`]),
    ...(filter.reason === undefined ? [] : [`why = ${param(filter.reason)}`]),
    ...(filter.missing ? ['why is not null'] : []),
  ];
  const rows = await read(pool).q<Row>(
    `select * from (${ITEMS} and a.position > $5) x ${where.length > 0 ? `where ${where.join(' and ')}` : ''} order by position limit ${param(filter.limit + 1)}`,
    values,
  );
  const page = rows.slice(0, filter.limit);
  return {
    items: page.map((r) => asItem(run, reach.final, r)),
    next_cursor: rows.length > filter.limit ? String(page.at(-1)?.position ?? '') : null,
  };
};

/** Items that are shown of each group. */
const FIRST = 5;

/** What a run did not get, grouped by why, the largest group first. @throws Refusal 404 `run_not_found` */
export const missingOf = async (pool: Pool, workspace: string, run: string): Promise<Missing> => {
  const tx = read(pool);
  const row = await findRun(tx, workspace, run);
  const [progress] = await tx.q<{ body: Progress }>(`select body from run_progress where run_id = $1`, [run]);
  if (!progress) throw new Error(`run ${run} has no progress row`);
  const { body } = progress;
  const reach = { final: isFinal(row.state), hasta: row.hasta };
  const rows = await tx.q<Row & { n: number }>(
    `select * from (select x.*, (count(*) over (partition by why, of))::int as n, row_number() over (partition by why, of order by position) as nth from (${ITEMS}) x where why is not null) y
     where nth <= ${FIRST} order by n desc, why, of, position`,
    [run, ...reached(reach)],
  );
  const groups = new Map<string, Missing['groups'][number]>();
  for (const r of rows) {
    const key = `${r.of} ${r.why}`;
    const group =
      groups.get(key) ?? groupOf(run, reach.final, r.why ?? '', r.of ?? 'account', r.n, (r.reason ?? r.contact_reason)?.params ?? {});
    group.first.push(asItem(run, reach.final, r));
    groups.set(key, group);
  }
  // A run that ended before it had account rows misses all of its goal.
  const unborn =
    reach.final && row.plan_max === null && rows.length === 0 && body.counts.total > 0
      ? [groupOf(run, true, body.reason?.code ?? 'canceled', 'account', body.counts.total, body.reason?.params ?? {})]
      : [];
  const all = [...unborn, ...groups.values()];
  return {
    run_id: run,
    version: body.version,
    total: body.counts.total,
    done: body.counts.done,
    missing: all.reduce((sum, g) => sum + g.count, 0),
    groups: all,
  };
};

const groupOf = (
  run: string,
  final: boolean,
  reason: string,
  of: Missing['groups'][number]['of'],
  count: number,
  params: Reason['params'],
): Missing['groups'][number] => ({
  reason,
  params,
  count,
  of,
  exit: exitOf(reason, final) ?? 'exit.new_campaign',
  link: `/v1/runs/${run}/items?missing=true&reason=${encodeURIComponent(reason)}`,
  first: [],
});
