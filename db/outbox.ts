import { read, type Pool } from './client.js';

export interface OutboxRow {
  id: number;
  workspace_id: string;
  run_id: string;
  kind: 'start' | 'signal';
  workflow_id: string;
  payload: { workflow_type: string; cuentas: number } | { signal: string; args: unknown[] };
  attempts: number;
  age_ms: number;
}

/**
 * Leases what is due, whole runs at a time: a run's rows are only handed out when its oldest undelivered one is due, so that their
 * order holds over any number of processes. A lease is just a later `next_at`: a process that dies gives its rows back by itself.
 * @param runs at most this many runs
 * @param leaseMs how long nobody else gets these rows
 * @returns the rows, in order of id
 */
export const leaseOutbox = async (pool: Pool, runs: number, leaseMs: number): Promise<OutboxRow[]> => {
  const rows = await read(pool).q<OutboxRow>(
    `with heads as (select distinct on (run_id) run_id, id from outbox where delivered_at is null order by run_id, id),
     due as (
       select o.run_id, o.id from outbox o join heads h on h.id = o.id where o.delivered_at is null and o.next_at <= now()
       order by o.id limit $1 for update of o skip locked),
     taken as (
       select o.id from outbox o join due on due.run_id = o.run_id where o.delivered_at is null and o.id < due.id + 1000)
     update outbox o set attempts = o.attempts + 1, next_at = now() + make_interval(secs => $2::float8 / 1000)
     from taken where o.id = taken.id and o.delivered_at is null
     returning o.id, o.workspace_id, o.run_id, o.kind, o.workflow_id, o.payload, o.attempts, (extract(epoch from now() - o.created_at) * 1000)::int as age_ms`,
    [runs, leaseMs],
  );
  return rows.sort((a, b) => a.id - b.id);
};

/** Notes what was delivered; `note` says how, when it was not the usual way. */
export const markDelivered = async (pool: Pool, rows: Array<{ id: number; note: string | null }>): Promise<void> => {
  if (rows.length === 0) return;
  await read(pool).q(
    `update outbox o set delivered_at = now(), error = x.note from jsonb_to_recordset($1::jsonb) as x (id bigint, note text) where o.id = x.id and o.delivered_at is null`,
    [JSON.stringify(rows)],
  );
};

/** Gives a row back for another try after `delayMs`; the run's later rows wait behind it. */
export const postpone = async (pool: Pool, id: number, later: number[], delayMs: number, error: string | null): Promise<void> => {
  await read(pool).q(
    `update outbox set next_at = now() + make_interval(secs => $3::float8 / 1000), error = case when id = $1 then $4 else error end,
       attempts = case when id = $1 then attempts else attempts - 1 end
     where (id = $1 or id = any($2)) and delivered_at is null`,
    [id, later, delayMs, error],
  );
};

/** Makes everything due at once, after a time in which nothing could be delivered. */
export const hurryOutbox = async (pool: Pool, leaseMs: number): Promise<void> => {
  await read(pool).q(
    `update outbox set next_at = now() where delivered_at is null and error = 'unreachable' and next_at > now() and next_at <= now() + make_interval(secs => $1::float8 / 1000)`,
    [leaseMs],
  );
};

/** True while the run's own start still has to be delivered. */
export const startPending = async (pool: Pool, run: string): Promise<boolean> =>
  (await read(pool).q(`select 1 as x from outbox where run_id = $1 and kind = 'start' and delivered_at is null limit 1`, [run])).length > 0;

export interface OutboxStats {
  pending: number;
  oldest_ms: number;
  failing: number;
}

/** How much waits, since when, and how much of it was tried three times or more. */
export const outboxStats = async (pool: Pool): Promise<OutboxStats> => {
  const [row] = await read(pool).q<OutboxStats>(
    `select count(*)::int as pending, coalesce(extract(epoch from now() - min(created_at)) * 1000, 0)::bigint as oldest_ms,
       (count(*) filter (where attempts >= 3))::int as failing from outbox where delivered_at is null`,
  );
  return row ?? { pending: 0, oldest_ms: 0, failing: 0 };
};
