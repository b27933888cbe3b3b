import { randomUUID } from 'node:crypto';
import { usage } from '../../contracts/tools/index.js';
import { implement } from '../runtime.js';

/** What one draft costs at the model in micro-USD, as this provider's price list says. */
const DRAFT_MICROS = { min: 4_000, max: 20_000 } as const;
const LIST_MS = 24 * 3_600_000;

export const usageTool = implement(usage, async (_args, context) => {
  const row = await context.store.workspace(context.workspace);
  const now = Date.now();
  const valid_until = new Date(now + LIST_MS).toISOString();
  return {
    ref: context.ref('us'),
    shown: 1,
    total: 1,
    has_more: false,
    next_cursor: null,
    coverage: 'Balances and price list of this workspace',
    reading_id: `rd-${randomUUID()}`,
    read_at: new Date(now).toISOString(),
    provider: 'kitchen',
    balances: { credits: row.credits, queries: row.queries, inference: row.inference },
    prices: [
      { kind: 'credits' as const, unit: 'contact', min: row.price_min, max: row.price_max, valid_until },
      { kind: 'queries' as const, unit: 'search', min: 1, max: 1, valid_until },
      { kind: 'inference' as const, unit: 'draft', ...DRAFT_MICROS, valid_until },
    ],
    honours_idempotency_keys: row.honours_keys,
    topup_url: 'https://recargas.example/creditos',
  };
});
