import type { Caller, RejectDecisions } from '../contracts/api.js';
import type { Decision, ResolveDecision } from '../contracts/decision.js';
import { askUndo } from '../db/decisions/undo.js';
import { decisionView, findDecision, type DecisionRow } from '../db/decisions/decision.js';
import { reopenDecision } from '../db/decisions/lapse.js';
import { resolveDecision } from '../db/decisions/resolve.js';
import { lockRun } from '../db/events.js';
import { ensureWorkspace, forgetKey, rememberAnswer, reserveKey } from '../db/runs.js';
import { read, transaction } from '../db/client.js';
import { Refusal } from '../contracts/problem.js';
import { checkBeforeTap, priceAnew } from './readings.js';
import type { Context } from './context.js';

export interface Answer {
  status: number;
  body: unknown;
}

/**
 * A person's tap on a decision: the provider is asked once more, then one transaction checks what was shown, stores the outcome,
 * takes the holds and puts the wake-up into the outbox. The same key with the same body always gets the same answer.
 * @throws Refusal as in `resolveDecision`, and 422 `key_reused`.
 */
export const tap = async (ctx: Context, caller: Caller, decisionId: string, body: ResolveDecision, key: string): Promise<Answer> => {
  const known = await findDecision(read(ctx.pool), caller.workspace, decisionId);
  if (body.option !== 'decline') await checkBeforeTap(ctx, known);
  return keyed(ctx, caller, known.run_id, key, `resolve ${decisionId}`, body, async (run) => {
    const resolved = await resolveDecision(run, decisionId, body, caller, ctx.env.CAMPANA_SUPPRESSION_KEY);
    return 'refused' in resolved ? resolved : { status: 200, body: decisionView(resolved.decision) };
  });
};

export interface Rejected {
  id: string;
  decision: Decision | null;
  refusal: Refusal | null;
}

/**
 * Declines several cards as they are now, one transaction each: a card that cannot be declined any more does not keep the others. The key
 * stands for the whole request and, with its id, for each card, so that a repeat goes on where the first try was cut.
 * @throws Refusal 422 `key_reused`, and whatever keeps all of them from being looked at
 */
export const rejectAll = async (ctx: Context, caller: Caller, body: RejectDecisions, key: string): Promise<Rejected[]> => {
  await transaction(ctx.pool, async (tx) => {
    await ensureWorkspace(tx, caller.workspace);
    await reserveKey(tx, caller.workspace, key, 'reject', body);
  });
  const results: Rejected[] = [];
  for (const id of new Set(body.ids)) {
    try {
      const { plan_version, payload_hash } = await findDecision(read(ctx.pool), caller.workspace, id);
      // By the plan that the card is of: a tap on a card of an older plan is refused, here as anywhere.
      const answer = await tap(
        ctx,
        caller,
        id,
        { option: 'decline', plan_version, payload_hash, shown_total: 0, ...(body.then ? { then: body.then } : {}) },
        `${key} ${id}`,
      );
      results.push({ id, decision: answer.body as Decision, refusal: null });
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      results.push({ id, decision: null, refusal: error });
    }
  }
  return results;
};

/** Shows an expired card again, as a new row at the price of the day. */
export const reopen = async (ctx: Context, caller: Caller, decisionId: string, key: string): Promise<Answer> => {
  const known = await findDecision(read(ctx.pool), caller.workspace, decisionId);
  if ((known.state === 'expired' || known.state === 'declined') && !known.reopened_as) await priceAnew(ctx, known);
  return onDecision(ctx, caller, decisionId, key, 'reopen', reopenDecision, 201);
};
/** Asks for the undo of a save; 202, since the campaign's workflow does it at the provider. */
export const undo = (ctx: Context, caller: Caller, decisionId: string, key: string): Promise<Answer> =>
  onDecision(ctx, caller, decisionId, key, 'undo', askUndo, 202);

const onDecision = async (
  ctx: Context,
  caller: Caller,
  decisionId: string,
  key: string,
  action: string,
  change: (run: Awaited<ReturnType<typeof lockRun>>, id: string, caller: Caller) => Promise<DecisionRow>,
  status: number,
): Promise<Answer> => {
  const known = await findDecision(read(ctx.pool), caller.workspace, decisionId);
  return keyed(ctx, caller, known.run_id, key, `${action} ${decisionId}`, null, async (run) => ({
    status,
    body: decisionView(await change(run, decisionId, caller)),
  }));
};

/**
 * One change of one run under an idempotency key, all in one transaction: lock, look the key up, change, remember, write events.
 * A change may return a refusal that has to leave something behind (a fresh card): it is thrown after the commit, not remembered.
 */
export const keyed = async (
  ctx: Context,
  caller: Caller,
  runId: string,
  key: string,
  route: string,
  body: unknown,
  change: (run: Awaited<ReturnType<typeof lockRun>>) => Promise<Answer | { refused: Refusal }>,
): Promise<Answer> => {
  const result = await transaction(ctx.pool, async (tx): Promise<Answer | { refused: Refusal }> => {
    const run = await lockRun(tx, caller.workspace, runId);
    const earlier = await reserveKey(tx, caller.workspace, key, route, body);
    if (earlier) return { status: earlier.status, body: earlier.response };
    const changed = await change(run);
    if ('refused' in changed) await forgetKey(tx, caller.workspace, key);
    else await rememberAnswer(tx, caller.workspace, key, changed.status, changed.body);
    await run.flush();
    return changed;
  });
  if ('refused' in result) throw result.refused;
  return result;
};
