import { createHmac } from 'node:crypto';
import { one, transaction, type Pool, type Tx } from './client.js';

/** The configured key is not the one that this database's exclusions were hashed with. Nothing of either key is in its text. */
export class SuppressionKeyDiffers extends Error {
  override name = 'SuppressionKeyDiffers';
  constructor(entries: number) {
    super(
      `CAMPANA_SUPPRESSION_KEY is not the key that the ${entries} stored exclusions were hashed with: with this one none of them would be found, and ` +
        'people who asked not to be contacted would be. Set the former key again. If it is lost, the list has to be written anew: empty the table ' +
        '`suppressions`, start with the new key, and add the entries again (docs/running.md, Exclusions).',
    );
  }
}

/** What a key says of itself; the key cannot be got from it, and no entry's hash is made like this (they have a workspace before a NUL). */
export const checkValueOf = (key: string): string => createHmac('sha256', key).update('campana suppression key').digest('hex');

/**
 * Holds the database to one key: the first that is used is noted, another one is refused while the list has entries. An empty list takes
 * the new key. Until the transaction ends nobody else can change which key holds.
 * @returns `unproven`: entries that were there before any key was noted, which only whoever set the key can vouch for
 * @throws SuppressionKeyDiffers
 */
export const holdToKey = async (tx: Tx, key: string): Promise<{ unproven: number }> => {
  const value = checkValueOf(key);
  const entries = async (): Promise<number> => one(await tx.q<{ n: number }>(`select count(*) as n from suppressions`), 'exclusions').n;
  const [held] = await tx.q(`select 1 from suppression_key where check_value = decode($1, 'hex') for share`, [value]);
  if (held) return { unproven: 0 };
  const [first] = await tx.q(
    `insert into suppression_key (check_value) values (decode($1, 'hex')) on conflict (one) do nothing returning one`,
    [value],
  );
  if (first) return { unproven: await entries() };
  // Locked before the entries are counted: an entry under the former key is either committed and counted, or waits for us and is refused.
  const [same] = await tx.q<{ same: boolean }>(`select check_value = decode($1, 'hex') as same from suppression_key for update`, [value]);
  if (same?.same) return { unproven: 0 };
  const n = await entries();
  if (n > 0) throw new SuppressionKeyDiffers(n);
  await tx.q(`update suppression_key set check_value = decode($1, 'hex'), noted_at = now()`, [value]);
  return { unproven: 0 };
};

/** The same in a transaction of its own, for the start of a process. */
export const checkSuppressionKey = (pool: Pool, key: string): Promise<{ unproven: number }> =>
  transaction(pool, (tx) => holdToKey(tx, key), 1);
