import { one, read, transaction, type Pool } from './client.js';
import { voidHolds } from './ledger.js';
import type { RunRow } from './events.js';

/** Only one process at a time does maintenance; the lock goes with its connection. @returns null when another one has it. */
export const exclusively = async <T>(pool: Pool, work: () => Promise<T>): Promise<T | null> => {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ got: boolean }>(`select pg_try_advisory_lock(726001) as got`);
    if (!rows[0]?.got) return null;
    try {
      return await work();
    } finally {
      await client.query(`select pg_advisory_unlock(726001)`);
    }
  } finally {
    client.release();
  }
};

/** Of open runs (`r`) those whose workflow has to be there: whose start has reached Temporal. */
const STARTED = `r.ended_at is null and r.created_at < now() - interval '5 seconds'
       and not exists (select 1 from outbox o where o.run_id = r.id and o.kind = 'start' and o.delivered_at is null)`;

/** Runs that are not over and whose start has reached Temporal, by id, which is by age: the first `limit` after this one. */
export const openRuns = (pool: Pool, after: string, limit: number): Promise<Array<Pick<RunRow, 'id' | 'workspace_id' | 'workflow_id'>>> =>
  read(pool).q(`select r.id, r.workspace_id, r.workflow_id from runs r where r.id > $1 and ${STARTED} order by r.id limit $2`, [
    after,
    limit,
  ]);

/** How many of them there are, and after which run the comparison goes on. */
export const comparison = async (pool: Pool): Promise<{ open: number; after: string }> =>
  one(
    await read(pool).q<{ open: number; after: string }>(
      `select (select count(*) from runs r where ${STARTED}) as open, coalesce((select after_run from reconciliations), '') as after`,
    ),
    'comparison',
  );

/** Holds of open runs are renewed; those whose time is over go back, unless a call may stand behind them. */
export const keepHolds = async (pool: Pool): Promise<{ renewed: number; expired: number }> =>
  transaction(pool, async (tx) => {
    const renewed = await tx.q(
      `update holds h set expires_at = now() + interval '7 days' where h.state = 'live' and h.expires_at < now() + interval '3 days'
         and exists (select 1 from runs r where r.id = h.run_id and r.ended_at is null) returning id`,
    );
    const over = await tx.q<{ id: string }>(
      `select id from holds h where h.state = 'live' and h.expires_at < now() and not exists (select 1 from effects e where e.hold_id = h.id and e.state in ('sent', 'unconfirmed')) for update`,
    );
    await voidHolds(
      tx,
      over.map((o) => o.id),
      'expired',
    );
    return { renewed: renewed.length, expired: over.length };
  });

/** Progress events are kept 90 days after their run ended; keys and what was said while a turn ran, a week; delivered outbox rows a day; sessions and codes until they expire. */
export const forgetOld = async (pool: Pool): Promise<void> => {
  const tx = read(pool);
  await tx.q(`delete from run_events e using runs r where r.id = e.run_id and r.ended_at < now() - interval '90 days'`);
  await tx.q(`delete from idempotency_keys where created_at < now() - interval '7 days'`);
  await tx.q(`delete from outbox where delivered_at < now() - interval '1 day'`);
  await tx.q(`delete from skill_states where scope = 'turn' and set_at < now() - interval '7 days'`);
  await tx.q(`delete from turn_events e using turns t where t.id = e.turn_id and t.ended_at < now() - interval '7 days'`);
  await tx.q(`delete from lanes where beat_at < now() - interval '1 hour'`);
  await tx.q(`delete from page_sessions where expires_at < now()`);
  await tx.q(`delete from left_everywhere where until < now()`);
  await tx.q(`delete from login_codes where expires_at < now()`);
};
