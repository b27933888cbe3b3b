import type { Context } from '../activities/context.js';
import { takeReading } from '../activities/readings.js';

/** How long a provider that did not answer is left alone, ms. */
const RETRY_MS = 5_000;
/** Workspaces remembered; far more than one process serves within `RETRY_MS`. */
const MOST = 1_000;

/**
 * Reads what a workspace has at the provider when nobody has heard of it yet: until then its ledger says nothing, which is not the same as zero.
 * Several who ask at once share one reading; one that fails is no error, what is known stands.
 * @param timeoutMs how long somebody who asks waits for it
 */
export const firstReading = (ctx: Context, timeoutMs: number): ((workspace: string) => Promise<void>) => {
  const tried = new Map<string, { until: number; reading: Promise<void> }>();
  return (workspace) => {
    const before = tried.get(workspace);
    if (before && before.until > Date.now()) return before.reading;
    const reading = takeReading(ctx, workspace, { timeoutMs }).then(
      () => undefined,
      (error: unknown) => {
        ctx.log.warn(
          { workspace, failure: error instanceof Error ? error.name : 'unknown' },
          'balances not read at the provider; what is known stands',
        );
      },
    );
    tried.delete(workspace);
    if (tried.size >= MOST) tried.delete(tried.keys().next().value ?? '');
    tried.set(workspace, { until: Date.now() + RETRY_MS, reading });
    return reading;
  };
};
