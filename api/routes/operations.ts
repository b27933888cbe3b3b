import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invariants, ledgerInvariants, OPERATOR_ACTIONS, type Checked } from '../../activities/ops.js';
import { AuditPage, Invariants, OpsAction, OpsDone, OpsOverview, OpsRunPage } from '../../contracts/operations.js';
import { Refusal } from '../../contracts/problem.js';
import { RUN_STATES } from '../../contracts/states.js';
import { listAudit } from '../../db/audit.js';
import { listOpsRuns } from '../../db/operations.js';
import { readOverview } from '../../db/overview.js';
import { keyOf } from '../idempotency.js';
import { Flag, Id, Limit, RunParams } from '../schemas.js';
import { temporalUi, workflowLinks } from '../temporal-ui.js';
import type { ApiContext, App } from '../types.js';

/** Without progress for this long, a run is looked at. */
const IDLE_MS = 600_000;
/** The ledger is summed up for everybody who looks at the overview within this time. */
const LEDGER_MS = 15_000;

const SUMMARY: Record<keyof typeof OPERATOR_ACTIONS, [operationId: string, summary: string]> = {
  pause: ['opsPauseRun', 'Hold a run at its next item'],
  resume: ['opsResumeRun', 'Let a run go on'],
  cancel: ['opsCancelRun', 'Stop a run; what was sent is settled, the rest is let go'],
  'retry-failed': ['opsRetryFailed', 'Try the failed accounts again'],
  'settle-unconfirmed': ['opsSettleUnconfirmed', 'Say what became of an outcome that nobody could read back'],
  'repair-projection': ['opsRepairProjection', 'Make the progress row the fold of its events again'],
};

/** An action without a reason is refused with a code of its own: it is what the form has to ask for. */
const needsReason = (request: FastifyRequest): void => {
  const { reason } = (request.body ?? {}) as { reason?: unknown };
  if (typeof reason !== 'string' || reason.trim().length < 3) throw new Refusal(422, 'reason_missing', {});
};

/** For operators, by role; every action needs a reason and leaves an audit row. */
export const operationRoutes = (app: App, ctx: ApiContext): void => {
  const linkTo = workflowLinks(ctx);
  const ledger = ledgerOf(ctx);

  app.get(
    '/v1/ops/overview',
    {
      config: { roles: ['operator'] },
      schema: {
        operationId: 'opsOverview',
        tags: ['operations'],
        summary: 'Runs, holds, unknown outcomes, limits, invariants and deliveries, at a glance',
        response: { 200: OpsOverview },
      },
    },
    async (request, reply) => {
      const { workspace } = request.caller;
      const [seen, checked] = await Promise.all([readOverview(ctx.pool, workspace, IDLE_MS), ledger(workspace)]);
      const broken = checked.invariants?.filter((i) => !i.ok).map(({ id, detail }) => ({ id, detail })) ?? [];
      return reply
        .header('cache-control', 'no-store')
        .send({
          ...seen,
          unconfirmed: { ...seen.unconfirmed, queue: seen.unconfirmed.queue.map((e) => ({ ...e, temporal_url: linkTo(e.workflow_id) })) },
          invariants: {
            ok: checked.invariants === null ? null : broken.length === 0,
            broken,
            checked: checked.invariants?.length ?? 0,
            checked_at: checked.checked_at,
            duration_ms: checked.duration_ms,
            link: '/v1/ops/invariants',
          },
          temporal_ui: temporalUi(ctx.env),
        });
    },
  );

  app.get(
    '/v1/ops/runs',
    {
      config: { roles: ['operator'] },
      schema: {
        operationId: 'opsListRuns',
        tags: ['operations'],
        summary: "Runs by state, without progress for ten minutes where it is a machine's turn, or with unknown outcomes",
        querystring: z.object({
          state: z.enum(RUN_STATES).optional(),
          idle: Flag,
          unconfirmed: Flag,
          cursor: Id.optional(),
          limit: Limit(100, 25),
        }),
        response: { 200: OpsRunPage },
      },
    },
    async (request) => {
      const { state, idle, unconfirmed, cursor, limit } = request.query;
      const page = await listOpsRuns(ctx.pool, request.caller.workspace, {
        limit,
        ...(state ? { state } : {}),
        ...(idle ? { idleMs: IDLE_MS } : {}),
        ...(unconfirmed ? { unconfirmed } : {}),
        ...(cursor ? { before: cursor } : {}),
      });
      return { ...page, runs: page.runs.map((run) => ({ ...run, temporal_url: linkTo(run.workflow_id) })) };
    },
  );

  app.get(
    '/v1/ops/audit',
    {
      config: { roles: ['operator'] },
      schema: {
        operationId: 'opsAudit',
        tags: ['operations'],
        summary: 'Who did what and why, newest first; ops=true only what operators did or were refused',
        querystring: z.object({
          run_id: Id.optional(),
          actor: z.string().min(1).max(200).optional(),
          ops: Flag,
          cursor: z
            .string()
            .regex(/^\d{1,15}$/)
            .optional(),
          limit: Limit(200, 50),
        }),
        response: { 200: AuditPage },
      },
    },
    (request, reply) => {
      const { run_id: run, actor, ops, cursor, limit } = request.query;
      reply.header('cache-control', 'no-store');
      return listAudit(ctx.pool, request.caller.workspace, {
        limit,
        ...(run ? { run } : {}),
        ...(actor ? { actor } : {}),
        ...(ops ? { operators: true } : {}),
        ...(cursor ? { before: Number(cursor) } : {}),
      });
    },
  );

  app.get(
    '/v1/ops/invariants',
    {
      config: { roles: ['operator'] },
      schema: { operationId: 'opsInvariants', tags: ['operations'], summary: 'Whether everything adds up', response: { 200: Invariants } },
    },
    async (request) => {
      const found = await invariants(ctx, request.caller.workspace);
      return { ok: found.invariants.every((i) => i.ok), ...found };
    },
  );

  for (const [name, act] of Object.entries(OPERATOR_ACTIONS)) {
    const [operationId, summary] = SUMMARY[name as keyof typeof OPERATOR_ACTIONS];
    app.post(
      `/v1/ops/runs/:run_id/${name}`,
      {
        config: { roles: ['operator'], person: true, changes: true, problems: [409] },
        schema: { operationId, tags: ['operations'], summary, params: RunParams, body: OpsAction, response: { 202: OpsDone } },
        preValidation: (request, _reply, done) => {
          needsReason(request);
          done();
        },
      },
      async (request, reply) => {
        const answer = await act(ctx, request.caller, request.params.run_id, request.body, keyOf(request));
        ctx.outbox.kick();
        return reply.code(202).send(answer.body as OpsDone);
      },
    );
  }
};

type Ledger = Omit<Checked, 'invariants'> & { invariants: Checked['invariants'] | null };

/** The ledger's invariants of a workspace, read once for everybody who asks within a while. Too long for the database is an answer too. */
const ledgerOf = (ctx: ApiContext): ((workspace: string) => Promise<Ledger>) => {
  const known = new Map<string, { at: number; found: Promise<Ledger> }>();
  return (workspace) => {
    const now = Date.now();
    const last = known.get(workspace);
    if (last && now - last.at < LEDGER_MS) return last.found;
    for (const [other, { at }] of known) if (now - at >= LEDGER_MS) known.delete(other);
    const checked_at = new Date(now).toISOString();
    const found = ledgerInvariants(ctx, workspace).catch((error: unknown): Ledger => {
      known.delete(workspace);
      // 57014: our own limit on how long a statement may run.
      if (error instanceof Error && 'code' in error && error.code === '57014')
        return { invariants: null, checked_at, duration_ms: Date.now() - now };
      throw error;
    });
    known.set(workspace, { at: now, found });
    return found;
  };
};
