import { read, type Pool } from '../client.js';

/** The login under which Ada reads and writes. */

/**
 * Makes sure that a login is Ada's and no more.
 * @throws Error when it could hold, spend, answer or start something
 */
export const refuseStrongLogin = async (pool: Pool): Promise<void> => {
  const [row] = await read(pool).q<{ strong: string[] | null }>(
    `select array_agg(x.t order by x.t) as strong from unnest(array['runs', 'run_progress', 'run_events', 'decisions', 'ledger_accounts', 'holds', 'transfers', 'effects', 'contacts', 'accounts', 'outbox', 'idempotency_keys', 'audit', 'workspaces', 'skill_states']) as x (t)
     where has_any_column_privilege(x.t, 'insert, update') or has_table_privilege(x.t, 'delete, truncate, trigger')`,
  );
  if (row?.strong)
    throw new Error(
      `The login of ADA_DATABASE_URL may change ${row.strong.join(', ')}: Ada needs one with the role campana_ada alone. See docs/running.md.`,
    );
};
