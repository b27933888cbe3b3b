import type { Caller, OpsAction } from '../contracts/api.js';
import type { z } from 'zod';
import { peopleAcquired, type RevealedContact as RevealedContactShape } from '../contracts/tools/people.js';
import { Refusal } from '../contracts/problem.js';
import { findRun } from '../db/runs.js';
import { read } from '../db/client.js';
import { checkInvariants, type Invariant } from '../db/invariants.js';
import { repairProjection as repair, retryFailed as again } from '../db/ops.js';
import { settleByOperator, unconfirmedOf } from '../db/readback.js';
import { keyed, type Answer } from './decide.js';
import { reachable } from './control.js';
import type { Context } from './context.js';

type Action = z.infer<typeof OpsAction>;
type RevealedContact = z.infer<typeof RevealedContactShape>;

export const retryFailed = (ctx: Context, caller: Caller, runId: string, body: Action, key: string): Promise<Answer> =>
  keyed(ctx, caller, runId, key, `retry-failed ${runId}`, body, async (run) => ({ status: 202, body: { run_id: runId, changed: await again(run, caller, body.reason) } }));

export const repairProjection = (ctx: Context, caller: Caller, runId: string, body: Action, key: string): Promise<Answer> =>
  keyed(ctx, caller, runId, key, `repair-projection ${runId}`, body, async (run) => ({ status: 202, body: { run_id: runId, changed: (await repair(run, caller, body.reason)) ? 1 : 0 } }));

/** What an operator found out about unknown reveals: done (the provider has them: their data are read first) or not done (the hold goes back). */
export const settleUnconfirmed = async (ctx: Context, caller: Caller, runId: string, body: Action, key: string): Promise<Answer> => {
  await findRun(read(ctx.pool), caller.workspace, runId);
  if (!body.outcome) throw new Refusal(422, 'outcome_missing', {});
  const open = (await unconfirmedOf(ctx.pool, runId)).filter((e) => !body.effect_id || e.id === body.effect_id);
  const theirs = new Map<string, RevealedContact>();
  if (body.outcome === 'captured' && open.length > 0) {
    const { acquired } = await reachable(() => ctx.tools.call(caller.workspace, peopleAcquired, { person_ids: open.map((e) => e.person_id) }, { scope: 'read' }));
    for (const a of acquired) theirs.set(a.person_id, a.contact);
    const missing = open.find((e) => !theirs.has(e.person_id));
    if (missing) throw new Refusal(409, 'provider_does_not_have_it', { effect_id: missing.id });
  }
  return keyed(ctx, caller, runId, key, `settle-unconfirmed ${runId}`, body, async (run) => {
    if (body.effect_id && open.length === 0) throw new Refusal(409, 'effect_not_open', { effect_id: body.effect_id });
    for (const e of open) await settleByOperator(run, caller, body.reason, e.id, theirs.get(e.person_id) ?? null, ctx.env.CAMPANA_SUPPRESSION_KEY);
    return { status: 202, body: { run_id: runId, changed: open.length } };
  });
};

/** The invariants of one workspace (or, for null, of all) that rows can tell. */
export const invariants = (ctx: Context, workspace: string | null): Promise<Invariant[]> => checkInvariants(ctx.pool, workspace);
