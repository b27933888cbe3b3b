import { peopleAcquired, peopleReveal } from '../../contracts/tools/people.js';
import { withRun } from '../../db/events.js';
import { revealTick, type RevealItem, type RevealTurn } from '../../db/reveal/turn.js';
import { applyQuotes, unquoted } from '../../db/reveal/quote.js';
import type { RevealOutcome } from '../../db/reveal/settle.js';
import { claimResend, parseSchedule, recordReading, unconfirmedOf, type OpenEffect, type Reading } from '../../db/readback.js';
import { remember } from '../../db/steps.js';
import { blockRun } from '../../db/people.js';
import { ToolFailure } from '../mcp.js';
import { QUOTE_LOT, quoteLot, takeReading } from '../readings.js';
import type { Context } from '../context.js';
import type { RunRef } from '../../workflows/directives.js';
import { asLane } from './lane.js';
import type { LaneResult } from './people.js';

/** Asks for the price of everyone who waits for one, and for the balance; the card is computed from both. */
export const quotePeople = async (ctx: Context, { workspace, run }: RunRef): Promise<void> => {
  const ids = await withRun(ctx.pool, workspace, run, unquoted);
  try {
    await takeReading(ctx, workspace);
    for (let i = 0; i < ids.length; i += QUOTE_LOT) {
      const quote = await quoteLot(ctx, workspace, ids.slice(i, i + QUOTE_LOT));
      await withRun(ctx.pool, workspace, run, (locked) => applyQuotes(locked.tx, run, quote));
    }
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    if (error.passing) {
      // Temporal tries again, until it answers or the run is stopped; meanwhile people see what is waited for.
      const goesOn = await withRun(ctx.pool, workspace, run, async (locked) => {
        if (locked.final || locked.row.control === 'cancel') return Promise.resolve(false);
        if (locked.row.control === 'run' && locked.body.reason?.code !== 'provider_unreachable')
          locked.emit('provider.waiting', { code: error.code }, { reason: { code: 'provider_unreachable', params: { code: error.code } } });
        return Promise.resolve(true);
      });
      if (goesOn) throw error;
      return;
    }
    await withRun(ctx.pool, workspace, run, (locked) => blockRun(locked, 's4', { code: 'provider_refused', params: { code: error.code } }));
    return;
  }
  await withRun(ctx.pool, workspace, run, async (locked) =>
    remember(locked, { quoted_for: (await unquoted(locked)).length, requote: false }),
  );
};

/** One reveal lane: the effect row is committed as sent before each call, the reply and the capture are one transaction. */
export const revealLane = async (
  ctx: Context,
  { workspace, run, plan_version }: RunRef & { plan_version: number; lane: number; lanes: number },
): Promise<LaneResult> =>
  asLane(ctx, run, 's4', async (lane) => {
    let outcome: RevealOutcome | null = null;
    let done = 0;
    for (;;) {
      const turn: RevealTurn = await revealTick(
        ctx.pool,
        workspace,
        run,
        plan_version,
        { id: lane.id, attempt: lane.attempt },
        outcome,
        ctx.env.CAMPANA_SUPPRESSION_KEY,
      );
      outcome = null;
      if ('stop' in turn) return { done, stop: turn.stop };
      if ('waitMs' in turn) {
        await lane.sleep(Math.min(Math.max(turn.waitMs, 10), 5000));
        continue;
      }
      outcome = await revealOne(ctx, workspace, turn.item);
      lane.done((done += 1));
    }
  });

/** Codes with which a provider says that it did nothing, and what follows for the contact. */
const REFUSALS: Record<string, { again: 'requote' | 'balance' | 'later' | 'blocked'; code: string }> = {
  price_changed: { again: 'requote', code: 'price_changed' },
  quote_expired: { again: 'requote', code: 'price_changed' },
  insufficient_credits: { again: 'balance', code: 'balance_lost' },
  rate_limited: { again: 'later', code: 'provider_limit' },
  unavailable: { again: 'later', code: 'provider_limit' },
  unauthorized: { again: 'blocked', code: 'provider_refused' },
  forbidden_scope: { again: 'blocked', code: 'provider_refused' },
  tool_not_found: { again: 'blocked', code: 'provider_refused' },
  bad_request: { again: 'blocked', code: 'provider_refused' },
  tool_missing: { again: 'blocked', code: 'provider_refused' },
  no_token: { again: 'blocked', code: 'provider_refused' },
};

const revealOne = async (ctx: Context, workspace: string, item: RevealItem): Promise<RevealOutcome> => {
  if (item.effect_id === null) return readYours(ctx, workspace, item);
  const base = { contact_id: item.contact_id, effect_id: item.effect_id };
  try {
    // Not aborted on cancel: the call is out, its answer is worth more than the time.
    const reply = await ctx.tools.call(
      workspace,
      peopleReveal,
      { person_id: item.person_id, quote_id: item.quote_id, max_credits: item.max_credits, idempotency_key: item.key },
      { scope: 'paid' },
    );
    if (reply.contact.person_id !== item.person_id) return { ...base, got: 'unknown', code: 'other_person' };
    return { ...base, got: 'revealed', contact: reply.contact };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    if (error.effect === 'unknown') return { ...base, got: 'unknown', code: error.code };
    const known = REFUSALS[error.code];
    const waitMs = error.retryAfterMs ?? 1000;
    if (error.effect === 'not_sent' && !known)
      return { ...base, got: 'refused', reason: { code: 'provider_unreachable', params: {} }, again: 'later', waitMs };
    if (!known)
      return { ...base, got: 'refused', reason: { code: 'reveal_failed', params: { code: error.code } }, again: 'never', waitMs: 0 };
    return {
      ...base,
      got: 'refused',
      reason: { code: known.code, params: { code: error.code, seconds: Math.ceil(waitMs / 1000) } },
      again: known.again,
      waitMs,
    };
  }
};

/** A contact that the workspace already has costs nothing: its data are read, nothing is revealed. */
const readYours = async (ctx: Context, workspace: string, item: RevealItem): Promise<RevealOutcome> => {
  const base = { contact_id: item.contact_id, effect_id: null };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { acquired } = await ctx.tools.call(workspace, peopleAcquired, { person_ids: [item.person_id] }, { scope: 'read' });
      const mine = acquired.find((a) => a.person_id === item.person_id);
      return mine
        ? { ...base, got: 'yours', contact: { ...mine.contact, credits: 0 } }
        : { ...base, got: 'not_yours', reason: { code: 'not_available', params: {} } };
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      if (attempt >= 3) return { ...base, got: 'not_yours', reason: { code: 'search_failed', params: { code: error.code } } };
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs ?? 300 * attempt));
    }
  }
};

/** Reads the provider about every reveal of the run whose outcome nobody knows, and writes what it said. */
export const readBack = async (ctx: Context, { workspace, run, now }: RunRef & { now: number }): Promise<void> => {
  const due = (await unconfirmedOf(ctx.pool, run)).filter(
    (e) => !e.needs_operator && (!e.next_read_at || Date.parse(e.next_read_at) <= now),
  );
  for (const effect of due) await readOne(ctx, workspace, effect, now);
};

/** One reading. Yes counts only with our key, or when the provider has had the contact since after we asked for it. */
export const readOne = async (ctx: Context, workspace: string, effect: OpenEffect, now: number): Promise<void> => {
  const schedule = parseSchedule(ctx.env.CAMPANA_READBACK_MS);
  const record = (reading: Reading): Promise<void> =>
    recordReading(ctx.pool, effect, reading, schedule, now, ctx.env.CAMPANA_SUPPRESSION_KEY);
  let said: Reading;
  try {
    const { acquired } = await ctx.tools.call(workspace, peopleAcquired, { person_ids: [effect.person_id] }, { scope: 'read' });
    const match = acquired.find(
      (a) =>
        a.person_id === effect.person_id &&
        (a.key === effect.key || (a.key === null && Date.parse(a.acquired_at) >= Date.parse(effect.sent_at))),
    );
    said = match ? { said: 'yes', contact: match.contact, by: 'read_back' } : { said: 'no' };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    said = { said: 'error' };
  }
  if (said.said !== 'yes' && effect.honours_keys && (await claimResend(ctx.pool, effect, ctx.env.CAMPANA_SUPPRESSION_KEY))) {
    try {
      const reply = await ctx.tools.call(
        workspace,
        peopleReveal,
        { person_id: effect.person_id, quote_id: effect.quote_id ?? '', max_credits: effect.price, idempotency_key: effect.key },
        { scope: 'paid' },
      );
      if (reply.contact.person_id === effect.person_id) said = { said: 'yes', contact: reply.contact, by: 'resend' };
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      if (error.effect === 'refused' && !error.passing) said = { said: 'refused', by: 'resend' };
    }
  }
  await record(said);
};
