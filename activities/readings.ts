import { usage, type Usage } from '../contracts/tools/usage.js';
import { peopleQuote } from '../contracts/tools/people.js';
import type { Price } from '../contracts/budget.js';
import type { MoneyKind } from '../contracts/states.js';
import { applyReading, readLedger } from '../db/ledger.js';
import { bookTurns } from '../db/turn-books.js';
import { ensureWorkspace, noteProvider, setPrices } from '../db/runs.js';
import { read, transaction } from '../db/client.js';
import { applyQuotes, type Quote } from '../db/reveal/quote.js';
import type { RunPrices } from '../db/events.js';
import type { DecisionRow } from '../db/decisions/decision.js';
import { markMoved } from '../db/decisions/decision.js';
import { withRun } from '../db/events.js';
import { draftPriceMax } from './model.js';
import { ToolFailure } from './mcp.js';
import type { Context } from './context.js';

/** Ids per `people_quote` call. */
export const QUOTE_LOT = 500;

/**
 * Reads the provider's balances and prices and brings the workspace's ledger in line with them.
 * @throws ToolFailure when the provider cannot be asked.
 */
export const takeReading = async (ctx: Context, workspace: string, options: { timeoutMs?: number } = {}): Promise<Usage> => {
  const before = await readLedger(read(ctx.pool), workspace);
  const reading = await ctx.tools.call(workspace, usage, {}, { scope: 'read', ...options });
  const { balances } = reading;
  // Most readings say what the ledger says: then there is nothing to lock. The inference entitlement is a total, the others are what is left.
  const same =
    before.credits.granted + before.queries.granted > 0 &&
    balances.credits === before.credits.available + before.credits.held &&
    balances.queries === before.queries.available + before.queries.held &&
    balances.inference === before.inference.granted - before.inference.expired;
  if (same) {
    await noteProvider(read(ctx.pool), workspace, reading);
    return reading;
  }
  const versions: Record<MoneyKind, number> = {
    credits: before.credits.version,
    queries: before.queries.version,
    inference: before.inference.version,
  };
  await transaction(ctx.pool, async (tx) => {
    await ensureWorkspace(tx, workspace);
    await noteProvider(tx, workspace, reading);
    await applyReading(tx, workspace, { reading_id: reading.reading_id, ...balances, versions });
    // What conversations used before anybody had read the balance.
    await bookTurns(tx, workspace);
  });
  return reading;
};

/** A lot's prices from the provider; whoever it does not name is not available. */
export const quoteLot = async (ctx: Context, workspace: string, ids: string[], options: { timeoutMs?: number } = {}): Promise<Quote> => {
  const quote = await ctx.tools.call(workspace, peopleQuote, { person_ids: ids }, { scope: 'read', ...options });
  const named = new Set(quote.prices.map((p) => p.person_id));
  return {
    ...quote,
    prices: [
      ...quote.prices,
      ...ids.filter((id) => !named.has(id)).map((person_id) => ({ person_id, credits: 0, already_acquired: false, available: false })),
    ],
  };
};

const price = (prices: Price[], kind: MoneyKind, end: 'min' | 'max'): number =>
  Math.max(0, ...prices.filter((p) => p.kind === kind).map((p) => p[end]));

/** The prices a plan is computed with, from a reading; a draft costs what our own model does at most (nothing by template). */
export const runPrices = (ctx: Context, reading: Usage): RunPrices => ({
  credit_min: price(reading.prices, 'credits', 'min'),
  credit_max: price(reading.prices, 'credits', 'max'),
  query: Math.max(1, price(reading.prices, 'queries', 'max')),
  draft_max: draftPriceMax(ctx.env) ?? 0,
  valid_until: reading.prices.reduce(
    (min, p) => (p.valid_until < min ? p.valid_until : min),
    reading.prices[0]?.valid_until ?? new Date(Date.now() + 3_600_000).toISOString(),
  ),
  topup_url: reading.topup_url,
  honours_keys: reading.honours_idempotency_keys,
  provider: reading.provider,
  reading_id: reading.reading_id,
});

/**
 * Before an expired card is shown again: reads what the plan or the persons on it cost today. A provider that does not answer
 * changes nothing; the tap reads it again.
 */
export const priceAnew = async (ctx: Context, decision: DecisionRow, timeoutMs = 5000): Promise<void> => {
  if (decision.kind !== 'revelar_contactos' && decision.kind !== 'ajustar_presupuesto') return;
  const { workspace_id: workspace, run_id: run } = decision;
  try {
    const reading = await takeReading(ctx, workspace, { timeoutMs });
    if (decision.kind === 'ajustar_presupuesto')
      return await withRun(ctx.pool, workspace, run, (locked) =>
        locked.final ? Promise.resolve() : setPrices(locked, runPrices(ctx, reading)),
      );
    for (let i = 0; i < decision.items.length; i += QUOTE_LOT) {
      const quote = await quoteLot(
        ctx,
        workspace,
        decision.items.slice(i, i + QUOTE_LOT).map((item) => item.ref),
        { timeoutMs },
      );
      await withRun(ctx.pool, workspace, run, (locked) => applyQuotes(locked.tx, run, quote));
    }
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    ctx.log.warn(
      { run_id: run, decision_id: decision.id, code: error.code },
      'provider not read before the card was shown again; its old prices stand',
    );
  }
};

/**
 * Before a tap that spends: reads balance and prices once more, so that what moved at the provider is seen before anything is
 * held. A provider that does not answer in time changes nothing: the quote holds for its time, and the reveal refuses a price
 * above it.
 */
export const checkBeforeTap = async (ctx: Context, decision: DecisionRow, timeoutMs = 2500): Promise<void> => {
  if (decision.state !== 'open' || (decision.kind !== 'revelar_contactos' && decision.kind !== 'ajustar_presupuesto')) return;
  const { workspace_id: workspace, run_id: run } = decision;
  try {
    const priced = decision.kind === 'revelar_contactos' ? decision.items.filter((i) => !i.already_yours) : [];
    const lot = (from: number): string[] => priced.slice(from, from + QUOTE_LOT).map((i) => i.ref);
    const [reading, quote] = await Promise.all([
      takeReading(ctx, workspace, { timeoutMs }),
      priced.length > 0 ? quoteLot(ctx, workspace, lot(0), { timeoutMs }) : null,
    ]);
    if (decision.kind === 'ajustar_presupuesto') {
      const prices = runPrices(ctx, reading);
      const { unit_min, unit_max, valid_until } = decision.payload.price;
      const moved = prices.credit_max !== unit_max || prices.credit_min !== unit_min;
      // A list that lapsed is replaced even when it says the same: the fresh card has to be one that can be tapped.
      if (moved || (valid_until && Date.parse(valid_until) <= Date.now())) {
        await withRun(ctx.pool, workspace, run, async (locked) => {
          if (locked.row.plan_max !== null) return;
          await setPrices(locked, prices);
          if (moved) await markMoved(locked.tx, decision.id);
        });
      }
    } else if (quote) {
      const shown = new Map(priced.map((i) => [i.ref, i.price]));
      const moved = quote.prices.filter((p) => shown.get(p.person_id) !== p.credits || p.already_acquired || !p.available);
      if (moved.length > 0) {
        // One lot tells that prices moved; the fresh card needs everybody's.
        const quotes = [quote];
        for (let from = QUOTE_LOT; from < priced.length; from += QUOTE_LOT)
          quotes.push(await quoteLot(ctx, workspace, lot(from), { timeoutMs }));
        await withRun(ctx.pool, workspace, run, async (locked) => {
          for (const q of quotes) await applyQuotes(locked.tx, run, q);
          await markMoved(locked.tx, decision.id);
        });
      }
    }
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    ctx.log.warn({ run_id: run, decision_id: decision.id, code: error.code }, 'provider not read before the tap; the quote stands');
  }
};
