import { z } from 'zod';
import { invariants, repairProjection, retryFailed, settleUnconfirmed } from '../../activities/ops.js';
import { Invariants, OpsAction, OpsDone, OpsRunPage } from '../../contracts/api.js';
import { RUN_STATES } from '../../contracts/states.js';
import { listOpsRuns } from '../../db/operations.js';
import { keyOf } from '../idempotency.js';
import { Flag, Id, Limit, RunParams } from '../schemas.js';
import type { ApiContext, App } from '../types.js';

/** Without progress for this long, a run is looked at. */
const IDLE_MS = 600_000;

const ACTIONS = {
  'retry-failed': { run: retryFailed, operationId: 'opsRetryFailed', summary: 'Try the failed accounts again' },
  'settle-unconfirmed': { run: settleUnconfirmed, operationId: 'opsSettleUnconfirmed', summary: 'Say what became of an outcome that nobody could read back' },
  'repair-projection': { run: repairProjection, operationId: 'opsRepairProjection', summary: 'Make the progress row the fold of its events again' },
} as const;

/** For operators, by role; every action needs a reason and leaves an audit row. */
export const operationRoutes = (app: App, ctx: ApiContext): void => {
  app.get('/v1/ops/runs', {
    config: { roles: ['operator'] },
    schema: {
      operationId: 'opsListRuns', tags: ['operations'], summary: 'Runs by state, without progress for ten minutes, or with unknown outcomes',
      querystring: z.object({ state: z.enum(RUN_STATES).optional(), idle: Flag, unconfirmed: Flag, cursor: Id.optional(), limit: Limit(100, 25) }), response: { 200: OpsRunPage },
    },
  }, (request) => {
    const { state, idle, unconfirmed, cursor, limit } = request.query;
    return listOpsRuns(ctx.pool, request.caller.workspace, { limit, ...(state ? { state } : {}), ...(idle ? { idleMs: IDLE_MS } : {}), ...(unconfirmed ? { unconfirmed } : {}), ...(cursor ? { before: cursor } : {}) });
  });

  app.get('/v1/ops/invariants', {
    config: { roles: ['operator'] },
    schema: { operationId: 'opsInvariants', tags: ['operations'], summary: 'Whether everything adds up', response: { 200: Invariants } },
  }, async (request) => {
    const found = await invariants(ctx, request.caller.workspace);
    return { ok: found.every((i) => i.ok), invariants: found };
  });

  for (const [name, { run, operationId, summary }] of Object.entries(ACTIONS)) {
    app.post(`/v1/ops/runs/:run_id/${name}`, {
      config: { roles: ['operator'], person: true, changes: true, problems: [409] },
      schema: { operationId, tags: ['operations'], summary, params: RunParams, body: OpsAction, response: { 202: OpsDone } },
    }, async (request, reply) => {
      const answer = await run(ctx, request.caller, request.params.run_id, request.body, keyOf(request));
      ctx.outbox.kick();
      return reply.code(202).send(answer.body as OpsDone);
    });
  }
};
