import { z } from 'zod';
import { reopen, tap, undo } from '../../activities/decide.js';
import { DecisionPage } from '../../contracts/api.js';
import { Decision, ResolveDecision } from '../../contracts/decision.js';
import { DECISION_STATES } from '../../contracts/states.js';
import { read } from '../../db/client.js';
import { decisionView, findDecision } from '../../db/decisions.js';
import { listDecisions } from '../../db/runs.js';
import { keyOf } from '../idempotency.js';
import { DecisionParams, Flag, Id, Limit } from '../schemas.js';
import type { ApiContext, App } from '../types.js';

const Nothing = z.object({}).strict().nullish();

/** Cards and their answers. The first outcome wins; every answer says what the decision now is. */
export const decisionRoutes = (app: App, ctx: ApiContext): void => {
  app.get('/v1/decisions', {
    schema: {
      operationId: 'listDecisions', tags: ['decisions'], summary: 'Decisions of the workspace, newest first; the first five items of each',
      querystring: z.object({ run_id: Id.optional(), state: z.enum(DECISION_STATES).optional(), cursor: Id.optional(), limit: Limit(100, 25) }), response: { 200: DecisionPage },
    },
  }, (request) => {
    const { run_id: run, state, cursor, limit } = request.query;
    return listDecisions(ctx.pool, request.caller.workspace, { limit, ...(run ? { run } : {}), ...(state ? { state } : {}), ...(cursor ? { before: cursor } : {}) });
  });

  app.get('/v1/decisions/:decision_id', {
    schema: { operationId: 'getDecision', tags: ['decisions'], summary: 'One decision; full=true lists every item', params: DecisionParams, querystring: z.object({ full: Flag }), response: { 200: Decision } },
  }, async (request) => decisionView(await findDecision(read(ctx.pool), request.caller.workspace, request.params.decision_id), request.query.full));

  app.post('/v1/decisions/:decision_id/resolve', {
    config: { roles: ['approver'], person: true, changes: true, problems: [409, 410, 412] },
    schema: { operationId: 'resolveDecision', tags: ['decisions'], summary: 'Answer a card with what it showed', params: DecisionParams, body: ResolveDecision, response: { 200: Decision } },
  }, async (request, reply) => {
    const answer = await tap(ctx, request.caller, request.params.decision_id, request.body, keyOf(request));
    ctx.outbox.kick();
    return reply.code(200).send(answer.body as Decision);
  });

  app.post('/v1/decisions/:decision_id/undo', {
    config: { roles: ['approver'], person: true, changes: true, problems: [409, 410] },
    schema: { operationId: 'undoDecision', tags: ['decisions'], summary: 'Take a save to the CRM back, within ten minutes', params: DecisionParams, body: Nothing, response: { 202: Decision } },
  }, async (request, reply) => {
    const answer = await undo(ctx, request.caller, request.params.decision_id, keyOf(request));
    ctx.outbox.kick();
    return reply.code(202).send(answer.body as Decision);
  });

  app.post('/v1/decisions/:decision_id/reopen', {
    config: { roles: ['approver'], person: true, changes: true, problems: [409] },
    schema: { operationId: 'reopenDecision', tags: ['decisions'], summary: 'A new card, at today\'s price, for one that expired or was put off', params: DecisionParams, body: Nothing, response: { 201: Decision } },
  }, async (request, reply) => {
    const answer = await reopen(ctx, request.caller, request.params.decision_id, keyOf(request));
    ctx.outbox.kick();
    const fresh = answer.body as Decision;
    return reply.code(201).header('location', fresh.links.self).send(fresh);
  });
};
