import { Refusal } from '../contracts/problem.js';
import { MONEY_KINDS, type MoneyKind } from '../contracts/states.js';
import { newId } from './ids.js';
import { one, type Tx } from './client.js';

export interface LedgerAccount {
  kind: MoneyKind;
  granted: number;
  available: number;
  held: number;
  spent: number;
  expired: number;
  version: number;
}
export type Ledger = Record<MoneyKind, LedgerAccount>;

/** A hold lives a week; an open run's are renewed by maintenance. */
const HOLD_DAYS = 7;

const zero = (kind: MoneyKind): LedgerAccount => ({ kind, granted: 0, available: 0, held: 0, spent: 0, expired: 0, version: 0 });
const asLedger = (rows: LedgerAccount[]): Ledger => ({
  credits: rows.find((r) => r.kind === 'credits') ?? zero('credits'),
  inference: rows.find((r) => r.kind === 'inference') ?? zero('inference'),
  queries: rows.find((r) => r.kind === 'queries') ?? zero('queries'),
});

export const readLedger = async (tx: Tx, workspace: string): Promise<Ledger> =>
  asLedger(
    await tx.q<LedgerAccount>(
      `select kind, granted, available, held, spent, expired, version from ledger_accounts where workspace_id = $1`,
      [workspace],
    ),
  );

/** Locks the workspace's three accounts, always in the same order. */
export const lockLedger = async (tx: Tx, workspace: string): Promise<Ledger> =>
  asLedger(
    await tx.q<LedgerAccount>(
      `select kind, granted, available, held, spent, expired, version from ledger_accounts where workspace_id = $1 order by kind for update`,
      [workspace],
    ),
  );

export const ensureLedger = async (tx: Tx, workspace: string): Promise<void> => {
  await tx.q(`insert into ledger_accounts (workspace_id, kind) select $1, k from unnest($2::text[]) k on conflict do nothing`, [
    workspace,
    [...MONEY_KINDS],
  ]);
};

export interface NewHold {
  id?: string;
  amount: number;
  step: string;
  item: string;
}

/**
 * Holds one amount per item, all or none. Throws `insufficient_balance` with what is available when they do not fit together.
 * @returns the hold ids, in the order given.
 */
export const hold = async (
  tx: Tx,
  workspace: string,
  kind: MoneyKind,
  run: string,
  decision: string,
  holds: NewHold[],
): Promise<string[]> => {
  if (holds.length === 0) return [];
  const rows = holds.map((h) => ({ ...h, id: h.id ?? newId('hold') }));
  const total = rows.reduce((sum, h) => sum + h.amount, 0);
  const taken = await tx.q(
    `update ledger_accounts set available = available - $3, held = held + $3, version = version + 1 where workspace_id = $1 and kind = $2 and available >= $3 returning kind`,
    [workspace, kind, total],
  );
  if (taken.length === 0) {
    const ledger = await readLedger(tx, workspace);
    throw new Refusal(409, 'insufficient_balance', { kind, needed: total, available: ledger[kind].available });
  }
  await tx.q(
    `with h as (
       insert into holds (id, workspace_id, kind, run_id, step, item, decision_id, amount, expires_at)
       select x.id, $1, $2, $3, x.step, x.item, $4, x.amount, now() + make_interval(days => $6)
       from jsonb_to_recordset($5::jsonb) as x (id text, step text, item text, amount bigint) returning id, amount)
     insert into transfers (workspace_id, account, kind, amount, hold_id, run_id, key) select $1, $2, 'hold', amount, id, $3, 'hold:' || id from h`,
    [workspace, kind, run, decision, JSON.stringify(rows), HOLD_DAYS],
  );
  return rows.map((h) => h.id);
};

const settle = async (
  tx: Tx,
  kind: 'capture' | 'void',
  entries: Array<{ id: string; amount: number; ref?: string | null }>,
): Promise<Array<{ id: string; kind: MoneyKind; amount: number; captured: number }>> => {
  if (entries.length === 0) return [];
  // The ids once more as an array: a plan that looks each hold up by its key, however few live ones the statistics believe in.
  const done = await tx.q<{
    id: string;
    workspace_id: string;
    kind: MoneyKind;
    amount: number;
    captured: number;
    run_id: string;
    ref: string | null;
  }>(
    `with s as (
       update holds h set state = $4, captured = e.amount from unnest($1::text[], $2::bigint[], $3::text[]) as e (id, amount, ref)
       where h.id = any($1::text[]) and h.id = e.id and h.state = 'live'
       returning h.id, h.workspace_id, h.kind, h.amount, e.amount as captured, h.run_id, e.ref),
     t as (
       insert into transfers (workspace_id, account, kind, amount, released, hold_id, run_id, key, ref)
       select workspace_id, kind, $5, captured, amount - captured, id, run_id, $5 || ':' || id, ref from s),
     l as (
       update ledger_accounts a set held = held - x.amount, spent = spent + x.captured, available = available + x.amount - x.captured, version = version + 1
       from (select workspace_id, kind, sum(amount)::bigint as amount, sum(captured)::bigint as captured from s where captured <= amount group by 1, 2) x
       where a.workspace_id = x.workspace_id and a.kind = x.kind)
     select * from s`,
    [
      entries.map((e) => e.id),
      entries.map((e) => e.amount),
      entries.map((e) => e.ref ?? null),
      kind === 'capture' ? 'captured' : 'voided',
      kind,
    ],
  );
  const over = done.find((d) => d.captured > d.amount);
  if (over) throw new Error(`capture of ${over.captured} exceeds hold ${over.id} of ${over.amount}`);
  return done;
};

/** Captures live holds, each for at most its amount; what is over goes back. Holds already settled are passed over. */
export const capture = (tx: Tx, entries: Array<{ id: string; amount: number; ref?: string | null }>) => settle(tx, 'capture', entries);

/** Lets live holds go. Holds already settled are passed over. */
export const voidHolds = (tx: Tx, ids: string[], ref: string | null = null) =>
  settle(
    tx,
    'void',
    ids.map((id) => ({ id, amount: 0, ref })),
  );

/**
 * Lets a run's holds go. @returns by kind what the run held by them, those included that a loss at the provider had already let
 * go: a reading cannot touch the run, so the run hears of it here.
 */
export const release = async (tx: Tx, ids: string[], ref: string | null = null): Promise<Record<MoneyKind, number>> => {
  await voidHolds(tx, ids, ref);
  const rows =
    ids.length === 0
      ? []
      : await tx.q<{ kind: MoneyKind; n: number }>(
          `select kind, sum(amount)::bigint as n from holds where id = any($1) and state = 'voided' group by kind`,
          [ids],
        );
  const of = (kind: MoneyKind): number => rows.find((r) => r.kind === kind)?.n ?? 0;
  return { credits: of('credits'), inference: of('inference'), queries: of('queries') };
};

/** Sums by kind of what `capture` or `voidHolds` settled. */
export const sums = (
  settled: Array<{ kind: MoneyKind; amount: number; captured: number }>,
): Record<MoneyKind, { amount: number; captured: number }> => {
  const out = { credits: { amount: 0, captured: 0 }, inference: { amount: 0, captured: 0 }, queries: { amount: 0, captured: 0 } };
  for (const s of settled) {
    out[s.kind].amount += s.amount;
    out[s.kind].captured += s.captured;
  }
  return out;
};

/** Adds to (or, by `adjust`, takes from) what is granted. The key makes a repeat harmless. @returns whether it was written now. */
export const grant = async (
  tx: Tx,
  workspace: string,
  kind: MoneyKind,
  amount: number,
  key: string,
  ref: string,
  as: 'grant' | 'adjust' = 'grant',
): Promise<boolean> => {
  if (amount === 0) return false;
  const written = await tx.q(
    `insert into transfers (workspace_id, account, kind, amount, key, ref) values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning id`,
    [workspace, kind, as, amount, key, ref],
  );
  if (written.length === 0) return false;
  await tx.q(
    `update ledger_accounts set granted = granted + $3, available = available + $3, version = version + 1 where workspace_id = $1 and kind = $2`,
    [workspace, kind, amount],
  );
  return true;
};

/**
 * Spends what was used outside any campaign (a chat turn's own model), up to what is available: held and captured at once, so that every sum
 * stays as it is for a campaign. The key makes a repeat harmless. @returns what was spent now.
 */
export const spendOutside = async (
  tx: Tx,
  workspace: string,
  kind: MoneyKind,
  amount: number,
  key: string,
  ref: string,
): Promise<number> => {
  const n = Math.min(amount, (await lockLedger(tx, workspace))[kind].available);
  if (n <= 0) return 0;
  const written = await tx.q(
    `insert into transfers (workspace_id, account, kind, amount, key, ref) values ($1, $2, 'hold', $3, 'hold:' || $4, $5), ($1, $2, 'capture', $3, 'capture:' || $4, $5) on conflict do nothing returning id`,
    [workspace, kind, n, key, ref],
  );
  if (written.length === 0) return 0;
  await tx.q(
    `update ledger_accounts set available = available - $3, spent = spent + $3, version = version + 1 where workspace_id = $1 and kind = $2`,
    [workspace, kind, n],
  );
  return n;
};

/** What is held and what is sent but not known, credits: the width of the band in which the provider's balance may lie. */
const openAtProvider = async (tx: Tx, workspace: string): Promise<{ amount: number; sent: number }> =>
  one(
    await tx.q<{ amount: number; sent: number }>(
      `select coalesce(sum(h.amount), 0)::bigint as amount, count(*) filter (where e.state = 'sent')::int as sent
     from effects e join holds h on h.id = e.hold_id where e.workspace_id = $1 and e.kind = 'people_reveal' and e.state in ('sent', 'unconfirmed')`,
      [workspace],
    ),
    'open effects',
  );

export interface Reading {
  reading_id: string;
  credits: number;
  queries: number;
  inference: number;
  versions: Record<MoneyKind, number>;
}

/**
 * Brings the ledger in line with the provider's own reading. The first reading grants; later an increase grants and a loss
 * adjusts, but only outside the band [available + held − sent and unconfirmed, available + held], never while a call is in
 * flight, and never from a reading taken before the ledger last moved (`versions` are the accounts' as of the reading).
 * @returns the holds that a loss larger than what is available had to let go.
 */
export const applyReading = async (tx: Tx, workspace: string, reading: Reading): Promise<{ changed: MoneyKind[]; voided: string[] }> => {
  await ensureLedger(tx, workspace);
  const ledger = await lockLedger(tx, workspace);
  const open = await openAtProvider(tx, workspace);
  const searching = one(
    await tx.q<{ n: number }>(`select count(*)::int as n from accounts where workspace_id = $1 and state = 'running'`, [workspace]),
    'searches',
  ).n;
  const changed: MoneyKind[] = [];
  const voided: string[] = [];
  for (const kind of MONEY_KINDS) {
    const account = ledger[kind];
    if (account.version !== reading.versions[kind]) continue;
    const found = reading[kind];
    // The inference entitlement is a total; credits and queries are what is left.
    const expected = kind === 'inference' ? account.granted - account.expired : account.available + account.held;
    const slack = kind === 'credits' ? open.amount : kind === 'queries' ? searching : 0;
    if (found >= expected - slack && found <= expected) continue;
    if ((kind === 'credits' && open.sent > 0) || (kind === 'queries' && searching > 0)) continue;
    const delta = found - expected;
    if (delta > 0) await grant(tx, workspace, kind, delta, `reading:${reading.reading_id}`, reading.reading_id);
    else {
      let missing = -delta;
      if (missing > account.available) voided.push(...(await voidNewest(tx, workspace, kind, missing - account.available)));
      const now = (await readLedger(tx, workspace))[kind].available;
      missing = Math.min(missing, now);
      if (missing > 0) await grant(tx, workspace, kind, -missing, `reading:${reading.reading_id}`, reading.reading_id, 'adjust');
    }
    changed.push(kind);
  }
  return { changed, voided };
};

/** Lets the newest holds go that no call has used yet, until `amount` is free. */
const voidNewest = async (tx: Tx, workspace: string, kind: MoneyKind, amount: number): Promise<string[]> => {
  const rows = await tx.q<{ id: string; amount: number }>(
    `select h.id, h.amount from holds h where h.workspace_id = $1 and h.kind = $2 and h.state = 'live' and h.amount > 0
       and not exists (select 1 from effects e where e.hold_id = h.id and e.state in ('sent', 'unconfirmed'))
     order by h.n desc`,
    [workspace, kind],
  );
  const ids: string[] = [];
  let freed = 0;
  for (const row of rows) {
    if (freed >= amount) break;
    ids.push(row.id);
    freed += row.amount;
  }
  await voidHolds(tx, ids, 'balance_lost_at_provider');
  return ids;
};

/** What other runs of the workspace hold, by kind. */
export const heldElsewhere = async (tx: Tx, workspace: string, run: string): Promise<Record<MoneyKind, number>> => {
  const rows = await tx.q<{ kind: MoneyKind; n: number }>(
    `select kind, sum(amount)::bigint as n from holds where workspace_id = $1 and state = 'live' and run_id <> $2 group by kind`,
    [workspace, run],
  );
  return {
    credits: rows.find((r) => r.kind === 'credits')?.n ?? 0,
    queries: rows.find((r) => r.kind === 'queries')?.n ?? 0,
    inference: rows.find((r) => r.kind === 'inference')?.n ?? 0,
  };
};
