import type { Caller, ControlAccepted, PlanEstimate } from '../contracts/api.js';
import type { CreateRun, Replan } from '../contracts/criteria.js';
import { Refusal } from '../contracts/problem.js';
import { capPlan } from '../workflows/budget.js';
import { costlySteps } from '../db/cards.js';
import { cancelRun, pauseRun, replanRun, resumeRun } from '../db/controls.js';
import { findDecision, refreshCard } from '../db/decisions/decision.js';
import { lockRun, type LockedRun } from '../db/events.js';
import { heldElsewhere, readLedger } from '../db/ledger.js';
import { createRun, ensureWorkspace, findRun, rememberAnswer, reserveKey, setPrices } from '../db/runs.js';
import { refuseDeniedPlan } from '../db/skills.js';
import { read, transaction } from '../db/client.js';
import { keyed, type Answer } from './decide.js';
import { ToolFailure } from './mcp.js';
import { draftPriceMax } from './model.js';
import { runPrices, takeReading } from './readings.js';
import type { Context } from './context.js';

const accepted = (run: LockedRun): ControlAccepted => ({
  run_id: run.id,
  state: run.body.state,
  version: run.body.version,
  plan_version: run.body.plan_version,
});

/** Stores a run; its workflow is started by the outbox. The same key is one run. */
export const create = async (ctx: Context, caller: Caller, body: CreateRun, key: string): Promise<Answer> => {
  if (body.modo === 'automatico' && body.hasta === 'borradores' && draftPriceMax(ctx.env) === null)
    throw new Refusal(422, 'model_price_unknown', { model: ctx.env.OPENAI_MODEL });
  return transaction(ctx.pool, async (tx) => {
    await ensureWorkspace(tx, caller.workspace);
    const earlier = await reserveKey(tx, caller.workspace, key, 'POST /v1/runs', body);
    if (earlier) return { status: earlier.status, body: earlier.response };
    const p = await createRun(tx, caller, body);
    const answer = {
      run_id: p.run_id,
      state: p.state,
      version: p.version,
      plan_version: p.plan_version,
      links: { self: `/v1/runs/${p.run_id}`, progress: `/v1/runs/${p.run_id}/progress` },
    };
    await rememberAnswer(tx, caller.workspace, key, 202, answer);
    return { status: 202, body: answer };
  });
};

/** Pause, resume or cancel: one transaction on the run row plus outbox. Lanes see it at their next claim. */
export const control = (
  ctx: Context,
  caller: Caller,
  runId: string,
  action: 'pause' | 'resume' | 'cancel',
  reason: string | undefined,
  key: string,
): Promise<Answer> =>
  keyed(ctx, caller, runId, key, `${action} ${runId}`, { reason: reason ?? null }, async (run) => {
    if (action === 'pause') await pauseRun(run, caller, reason);
    else if (action === 'resume') await resumeRun(run, caller, reason);
    else await cancelRun(run, caller, reason);
    return { status: 202, body: accepted(run) };
  });

/** Changes the plan or, with `dryRun`, says what that would do. */
export const replan = async (ctx: Context, caller: Caller, runId: string, body: Replan, dryRun: boolean, key: string): Promise<Answer> => {
  if (dryRun) {
    return transaction(ctx.pool, async (tx) => {
      return { status: 200, body: await replanRun(await lockRun(tx, caller.workspace, runId), body, caller, true) };
    });
  }
  return keyed(ctx, caller, runId, key, `replan ${runId}`, body, async (run) => ({
    status: 202,
    body: await replanRun(run, body, caller, false),
  }));
};

/** Reads the provider's balance again (after a top-up there) and shows a fresh card in the place of each open one that spends. */
export const recheckBalance = async (ctx: Context, caller: Caller, runId: string, key: string): Promise<Answer> => {
  await findRun(read(ctx.pool), caller.workspace, runId);
  const reading = await reachable(() => takeReading(ctx, caller.workspace));
  return keyed(ctx, caller, runId, key, `recheck-balance ${runId}`, null, async (run) => {
    if (run.row.prices) await setPrices(run, runPrices(ctx, reading));
    for (const id of [...run.body.decisions]) {
      const row = await findDecision(run.tx, run.workspace, id);
      if (row.state === 'open' && (row.kind === 'ajustar_presupuesto' || row.kind === 'revelar_contactos')) await refreshCard(run, row);
    }
    return { status: 202, body: accepted(run) };
  });
};

/** What a run would cost at most, before it exists; one that could not be started has no price. */
export const estimate = async (ctx: Context, caller: Caller, body: CreateRun): Promise<PlanEstimate> => {
  await refuseDeniedPlan(read(ctx.pool), caller.workspace, { recipe: 'campana', desde: body.desde, hasta: body.hasta });
  const prices = runPrices(ctx, await reachable(() => takeReading(ctx, caller.workspace)));
  const ledger = await readLedger(read(ctx.pool), caller.workspace);
  const elsewhere = await heldElsewhere(read(ctx.pool), caller.workspace, '');
  const available = { credits: ledger.credits.available, queries: ledger.queries.available, inference: ledger.inference.available };
  const cuentas = body.accounts ? Math.min(body.accounts.length, body.cuentas) : body.cuentas;
  const plan = capPlan({
    accounts: cuentas,
    prices,
    available,
    heldElsewhere: elsewhere,
    steps: costlySteps({ desde: body.desde, hasta: body.hasta }),
    caps: { credits: body.caps?.credits ?? null, queries: body.caps?.queries ?? null, inference: body.caps?.inference_micros ?? null },
  });
  return {
    cuentas,
    fits: plan.fits,
    requested: plan.requested,
    max: plan.cost.max,
    expected: plan.cost.expected,
    available,
    held_elsewhere: elsewhere,
    limited_by: plan.limitedBy,
  };
};

/** A provider that does not answer is said as such, with when to try again. */
export const reachable = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ToolFailure)
      throw new Refusal(503, 'provider_unreachable', { code: error.code }, { retryable: true, retry_after_ms: error.retryAfterMs ?? 5000 });
    throw error;
  }
};
