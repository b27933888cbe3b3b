import { setTimeout as sleep } from 'node:timers/promises';
import { isRetryable } from '../db/client.js';
import { checkSuppressionKey } from '../db/suppression-key.js';
import type { Context } from './context.js';

/** Between two tries while the database is away, ms. */
const EVERY_MS = 1_000;

/**
 * Resolves when the configured key is the one that this database's exclusions were hashed with; waits while the database is away.
 * @throws SuppressionKeyDiffers, or Error when the database has no such table yet
 */
export const suppressionKeyHolds = async (ctx: Pick<Context, 'pool' | 'env' | 'log'>): Promise<void> => {
  for (;;) {
    try {
      const { unproven } = await checkSuppressionKey(ctx.pool, ctx.env.CAMPANA_SUPPRESSION_KEY);
      if (unproven > 0)
        ctx.log.warn(
          { exclusions: unproven },
          'exclusions were stored before their key was noted: they count only if CAMPANA_SUPPRESSION_KEY is still the key of then',
        );
      return;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === '42P01') {
        throw new Error('The database is older than this program: migrate it first (`npm run migrate`, docs/running.md).', {
          cause: error,
        });
      }
      if (!isRetryable(error)) throw error;
      await sleep(EVERY_MS);
    }
  }
};
