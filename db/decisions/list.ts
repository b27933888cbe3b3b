import type { DecisionItems, DecisionList, DecisionListed, DecisionTab } from '../../contracts/api.js';
import type { DecisionItem } from '../../contracts/decision.js';
import { Refusal } from '../../contracts/problem.js';
import type { DecisionState, RunState } from '../../contracts/states.js';
import { fitContacts } from '../../workflows/budget.js';
import { decisionView, findDecision, type DecisionRow } from './decision.js';
import { readLedger } from '../ledger.js';
import { read, type Pool, type Tx } from '../client.js';

export const DECISION_SORTS = ['newest', 'expires', 'amount'] as const;
export type DecisionSort = (typeof DECISION_SORTS)[number];
export interface DecisionFilter {
  states?: readonly DecisionState[];
  run?: string;
  sort: DecisionSort;
  cursor?: string;
  limit: number;
}

export const TAB_STATES: Record<DecisionTab, readonly DecisionState[]> = {
  open: ['open'],
  resolved: ['approved', 'declined'],
  expired: ['expired'],
  superseded: ['superseded'],
};

/** How a list is ordered, and where a page of it ends: a value of that order and the id, as text. */
const ORDER: Record<DecisionSort, { by: string; at: string; after: (value: string, id: string) => string; value: RegExp }> = {
  newest: { by: 'd.id desc', at: `''`, after: (_value, id) => `d.id < ${id}`, value: /^$/ },
  expires: {
    by: `coalesce(d.expires_at, 'infinity'::timestamptz), d.id`,
    // In full: a card that expires a microsecond later is on the next page, and not on both.
    at: `coalesce(to_char(d.expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'infinity')`,
    after: (value, id) => `(coalesce(d.expires_at, 'infinity'::timestamptz), d.id) > (${value}::timestamptz, ${id})`,
    value: /^(infinity|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)$/,
  },
  amount: {
    by: 'd.amount desc, d.id desc',
    at: 'd.amount::text',
    after: (value, id) => `(d.amount, d.id) < (${value}::bigint, ${id})`,
    value: /^\d{1,15}$/,
  },
};

const cursorOf = (sort: DecisionSort, value: string, id: string): string => Buffer.from(`${sort} ${value} ${id}`).toString('base64url');
/** @throws Refusal 400 `cursor_invalid` for one that is not ours, or of another order */
const readCursor = (sort: DecisionSort, cursor: string): { value: string; id: string } => {
  const [of, value, id, ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  if (of !== sort || value === undefined || !id || rest.length > 0 || !ORDER[sort].value.test(value) || !/^[A-Za-z0-9_-]{1,100}$/.test(id))
    throw new Refusal(400, 'cursor_invalid', {});
  return { value, id };
};

/** Everything of a decision but the items after the fifth: a card may have thousands. */
const LISTED = `d.id, d.run_id, d.workspace_id, d.step, d.kind, d.target_workflow_id, d.plan_version, d.payload_hash, d.payload - 'plan' as payload, d.state, d.outcome - 'items' as outcome, d.resolved_by, d.channel,
  d.resolved_at, d.superseded_by, d.reopened_as, d.expires_at, d.undo_until, d.created_at, d.amount, jsonb_array_length(d.items) as items_total, jsonb_path_query_array(d.items, '$[0 to 4]') as items, r.objetivo, r.state as run_state`;
type Listed = DecisionRow & { amount: number; items_total: number; objetivo: string; run_state: RunState; at: string };

/** The list's statement, with only the conditions that were asked for. Exported for the test of its plans. */
export const decisionsQuery = (workspace: string, filter: DecisionFilter): { text: string; values: unknown[] } => {
  const values: unknown[] = [workspace];
  const param = (value: unknown): string => `$${values.push(value)}`;
  const order = ORDER[filter.sort];
  const cursor = filter.cursor === undefined ? null : readCursor(filter.sort, filter.cursor);
  const [state, ...others] = filter.states ?? [];
  const where = [
    'd.workspace_id = $1',
    ...(filter.run === undefined ? [] : [`d.run_id = ${param(filter.run)}`]),
    ...(state === undefined
      ? []
      : others.length > 0
        ? [`d.state = any(${param([state, ...others])})`]
        : state === 'open'
          ? [`d.state = 'open'`]
          : [`d.state = ${param(state)}`]),
    ...(cursor ? [order.after(filter.sort === 'newest' ? '' : param(cursor.value), param(cursor.id))] : []),
  ];
  return {
    values,
    text: `select ${LISTED}, ${order.at} as at from decisions d join runs r on r.id = d.run_id where ${where.join(' and ')} order by ${order.by} limit ${param(filter.limit + 1)}`,
  };
};

/** Decisions across runs as a page shows them, how many each tab has, and whether the open ones together cost more than there is. */
export const decisionList = async (pool: Pool, workspace: string, filter: DecisionFilter): Promise<DecisionList> => {
  const tx = read(pool);
  const { text, values } = decisionsQuery(workspace, filter);
  const rows = await tx.q<Listed>(text, values);
  const page = rows.slice(0, filter.limit);
  const end = page.at(-1);
  return {
    decisions: page.map((row): DecisionListed => ({
      ...decisionView(row),
      items_total: row.items_total,
      objetivo: row.objetivo,
      run_state: row.run_state,
      amount: row.amount,
    })),
    next_cursor: rows.length > filter.limit && end ? cursorOf(filter.sort, end.at, end.id) : null,
    counts: await countTabs(tx, workspace, filter.run),
    net: await netOf(tx, workspace),
  };
};

/** Exported for the test of its plan. */
export const COUNT_DECISIONS = `select state, count(*)::int as n from decisions where workspace_id = $1 group by state`;
const countTabs = async (tx: Tx, workspace: string, run?: string): Promise<DecisionList['counts']> => {
  const rows =
    run === undefined
      ? await tx.q<{ state: DecisionState; n: number }>(COUNT_DECISIONS, [workspace])
      : await tx.q<{ state: DecisionState; n: number }>(
          `select state, count(*)::int as n from decisions where run_id = $2 and workspace_id = $1 group by state`,
          [workspace, run],
        );
  const n = (tab: DecisionTab): number => rows.filter((r) => TAB_STATES[tab].includes(r.state)).reduce((sum, r) => sum + r.n, 0);
  return { open: n('open'), resolved: n('resolved'), expired: n('expired'), superseded: n('superseded') };
};

/** What the main buttons of all open cards add up to, beside what is available: each card alone may fit, all of them need not. Exported for the test of its plan. */
export const OPEN_TOTALS = `select (count(*) filter (where t.credits + t.queries + t.inference > 0))::int as paid, coalesce(sum(t.credits), 0)::bigint as credits, coalesce(sum(t.queries), 0)::bigint as queries, coalesce(sum(t.inference), 0)::bigint as inference
  from decisions d cross join lateral (
    select (o ->> 'credits')::bigint as credits, (o ->> 'queries')::bigint as queries, (o ->> 'inference')::bigint as inference
    from jsonb_path_query_first(d.payload, '$.options[*] ? (@.id == "approve" || @.id == "all" || @.id == "fit_n").totals') as o) t
  where d.workspace_id = $1 and d.state = 'open'`;
const netOf = async (tx: Tx, workspace: string): Promise<DecisionList['net']> => {
  const [open] = await tx.q<{ paid: number; credits: number; queries: number; inference: number }>(OPEN_TOTALS, [workspace]);
  const ledger = await readLedger(tx, workspace);
  const totals = { credits: open?.credits ?? 0, queries: open?.queries ?? 0, inference: open?.inference ?? 0 };
  const balance = { credits: ledger.credits.available, queries: ledger.queries.available, inference: ledger.inference.available };
  const over = (kind: keyof typeof totals): number => Math.max(0, totals[kind] - balance[kind]);
  const short = { credits: over('credits'), queries: over('queries'), inference: over('inference') };
  return { paid: open?.paid ?? 0, totals, balance, short, exceeds: short.credits + short.queries + short.inference > 0 };
};

/** Who or what is on a card, in the order of the ranking, page by page. @throws Refusal 404 `decision_not_found` */
export const decisionItems = async (
  pool: Pool,
  workspace: string,
  id: string,
  options: { after: number; limit: number },
): Promise<DecisionItems> => {
  const row = await findDecision(read(pool), workspace, id);
  const main = row.payload.options.find((o) => o.id === 'approve' || o.id === 'all') ?? row.payload.options.find((o) => o.id === 'fit_n');
  // Of an answered card, what was taken; of an open one, what its main button would take.
  const lot = row.outcome?.items
    ? new Set(row.outcome.items)
    : row.state === 'declined' || !main
      ? new Set<string>()
      : row.kind === 'revelar_contactos'
        ? fitting(row.items, main.totals.credits)
        : null;
  return {
    items: row.items
      .slice(options.after, options.after + options.limit)
      .map((item, i) => ({ ...item, position: options.after + i + 1, in_lot: lot?.has(item.ref) ?? true })),
    total: row.items.length,
    next_cursor: row.items.length > options.after + options.limit ? String(options.after + options.limit) : null,
  };
};
const fitting = (items: DecisionItem[], room: number): Set<string> =>
  new Set(
    fitContacts(
      items.map((item, rank) => ({ ...item, rank })),
      room,
    ).fitting.map((i) => i.ref),
  );
