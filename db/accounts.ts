import { release } from './ledger.js';
import { type LockedRun } from './events.js';

/** Accounts that leave a campaign. */

/** Lets the query holds of accounts go that will not be searched, and moves their counts. */
export const dropAccounts = async (
  run: LockedRun,
  rows: Array<{ hold_id: string | null }>,
  to: 'skipped' | 'suppressed' | 'not_found',
): Promise<void> => {
  const freed = (
    await release(
      run.tx,
      rows.map((r) => r.hold_id).filter((h): h is string => h !== null),
    )
  ).queries;
  const s3 = run.paso('s3');
  const patch = run.moves([{ from: 'pending', to, n: rows.length }]);
  run.emit(
    'accounts.dropped',
    { n: rows.length, to },
    {
      ...patch,
      ...run.budget({ queries: [-freed, 0] }),
      ...(s3
        ? { pasos: [{ id: 's3', conteo: patch.pasos?.[0]?.conteo ?? s3.conteo, cost: { ...s3.cost, held: s3.cost.held - freed } }] }
        : {}),
    },
  );
};
