import type { Caller } from '../contracts/api.js';
import type { OpsAction } from '../contracts/operations.js';
import { peopleAcquired, type RevealedContact as RevealedContactShape } from '../contracts/tools/people.js';
import type { z } from 'zod';
import { Refusal } from '../contracts/problem.js';
import { findRun } from '../db/runs.js';
import { read, transaction } from '../db/client.js';
import { cancelRun, pauseRun, resumeRun } from '../db/controls.js';
import { auditRow } from '../db/events.js';
import { checkInvariants, checkLedger, type Invariant } from '../db/invariants.js';
import { repairProjection as repair, retryFailed as again } from '../db/ops.js';
import { settleByOperator, unconfirmedOf } from '../db/readback.js';
import { keyed, type Answer } from './decide.js';
import { reachable } from './control.js';
import type { Context } from './context.js';

type RevealedContact = z.infer<typeof RevealedContactShape>;
type Act = (ctx: Context, caller: Caller, runId: string, body: OpsAction, key: string) => Promise<Answer>;

/** An operator's action: what it does leaves its audit row in its own transaction; that it was refused leaves one afterwards. */
const audited =
  (name: string, act: Act): Act =>
  async (ctx, caller, runId, body, key) => {
    try {
      return await act(ctx, caller, runId, body, key);
    } catch (error) {
      // A run of another workspace, a key that stands for another request: nothing that could be told of a run of ours.
      if (error instanceof Refusal && error.status !== 404 && error.code !== 'key_reused' && error.status < 500) {
        await transaction(ctx.pool, (tx) =>
          auditRow(tx, {
            workspace: caller.workspace,
            run: runId,
            actor: caller.sub,
            channel: caller.channel,
            action: `ops.${name}`,
            reason: body.reason,
            result: 'refused',
            detail: { code: error.code },
          }),
        );
      }
      throw error;
    }
  };

const CONTROLS = { pause: pauseRun, resume: resumeRun, cancel: cancelRun } as const;

/** Pause, resume or cancel by an operator: what the seller's own buttons do, with a reason, and said as an operator's. */
const controlled =
  (action: keyof typeof CONTROLS): Act =>
  (ctx, caller, runId, body, key) =>
    keyed(ctx, caller, runId, key, `ops ${action} ${runId}`, body, async (run) => {
      const before = run.body.version;
      await CONTROLS[action](run, caller, body.reason, 'ops');
      const changed = run.body.version > before ? 1 : 0;
      if (!changed)
        await auditRow(run.tx, {
          workspace: run.workspace,
          run: run.id,
          actor: caller.sub,
          channel: caller.channel,
          action: `ops.${action}`,
          reason: body.reason,
          result: 'unchanged',
        });
      return { status: 202, body: { run_id: runId, changed } };
    });

const retryFailed: Act = (ctx, caller, runId, body, key) =>
  keyed(ctx, caller, runId, key, `retry-failed ${runId}`, body, async (run) => ({
    status: 202,
    body: { run_id: runId, changed: await again(run, caller, body.reason) },
  }));

const repairProjection: Act = (ctx, caller, runId, body, key) =>
  keyed(ctx, caller, runId, key, `repair-projection ${runId}`, body, async (run) => ({
    status: 202,
    body: { run_id: runId, changed: (await repair(run, caller, body.reason)) ? 1 : 0 },
  }));

/** What an operator found out about unknown reveals: done (the provider has them: their data are read first) or not done (the hold goes back). */
const settleUnconfirmed: Act = async (ctx, caller, runId, body, key) => {
  await findRun(read(ctx.pool), caller.workspace, runId);
  if (!body.outcome) throw new Refusal(422, 'outcome_missing', {});
  const open = (await unconfirmedOf(ctx.pool, runId)).filter((e) => !body.effect_id || e.id === body.effect_id);
  const theirs = new Map<string, RevealedContact>();
  if (body.outcome === 'captured' && open.length > 0) {
    const { acquired } = await reachable(() =>
      ctx.tools.call(caller.workspace, peopleAcquired, { person_ids: open.map((e) => e.person_id) }, { scope: 'read' }),
    );
    for (const a of acquired) theirs.set(a.person_id, a.contact);
    const missing = open.find((e) => !theirs.has(e.person_id));
    if (missing) throw new Refusal(409, 'provider_does_not_have_it', { effect_id: missing.id });
  }
  return keyed(ctx, caller, runId, key, `settle-unconfirmed ${runId}`, body, async (run) => {
    if (body.effect_id && open.length === 0) throw new Refusal(409, 'effect_not_open', { effect_id: body.effect_id });
    for (const e of open)
      await settleByOperator(run, caller, body.reason, e.id, theirs.get(e.person_id) ?? null, ctx.env.CAMPANA_SUPPRESSION_KEY);
    if (open.length === 0)
      await auditRow(run.tx, {
        workspace: run.workspace,
        run: run.id,
        actor: caller.sub,
        channel: caller.channel,
        action: 'ops.settle-unconfirmed',
        reason: body.reason,
        result: 'unchanged',
        detail: { outcome: body.outcome },
      });
    return { status: 202, body: { run_id: runId, changed: open.length } };
  });
};

/** What an operator may do to a run, by name. Never "terminate": the reconciler settles runs that were. */
export const OPERATOR_ACTIONS = {
  pause: audited('pause', controlled('pause')),
  resume: audited('resume', controlled('resume')),
  cancel: audited('cancel', controlled('cancel')),
  'retry-failed': audited('retry-failed', retryFailed),
  'settle-unconfirmed': audited('settle-unconfirmed', settleUnconfirmed),
  'repair-projection': audited('repair-projection', repairProjection),
} as const;

export interface Checked {
  invariants: Invariant[];
  checked_at: string;
  duration_ms: number;
}
const timed = async (check: () => Promise<Invariant[]>): Promise<Checked> => {
  const since = performance.now();
  const checked_at = new Date().toISOString();
  return { invariants: await check(), checked_at, duration_ms: Math.round(performance.now() - since) };
};

/** The invariants of one workspace (or, for null, of all) that rows can tell. */
export const invariants = (ctx: Context, workspace: string | null): Promise<Checked> => timed(() => checkInvariants(ctx.pool, workspace));
/** Those of the ledger alone. */
export const ledgerInvariants = (ctx: Context, workspace: string): Promise<Checked> => timed(() => checkLedger(ctx.pool, workspace));
