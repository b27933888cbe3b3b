import { z } from 'zod';
import { rejectAll, reopen, tap, undo } from '../../activities/decide.js';
import { DECISION_TABS, DecisionItems, DecisionList, DecisionsRejected, RejectDecisions } from '../../contracts/api.js';
import { Decision, ResolveDecision } from '../../contracts/decision.js';
import { DECISION_STATES } from '../../contracts/states.js';
import { read } from '../../db/client.js';
import { decisionView, findDecision } from '../../db/decisions/decision.js';
import { decisionItems, decisionList, DECISION_SORTS, TAB_STATES } from '../../db/decisions/list.js';
import { keyOf } from '../idempotency.js';
import { toProblem } from '../problems.js';
import { DecisionParams, Flag, Id, Limit } from '../schemas.js';
import type { ApiContext, App } from '../types.js';

const Nothing = z.object({}).strict().nullish();

/** Cards and their answers. The first outcome wins; every answer says what the decision now is. */
export const decisionRoutes = (app: App, ctx: ApiContext): void => {
  app.get(
    '/v1/decisions',
    {
      schema: {
        operationId: 'listDecisions',
        tags: ['decisions'],
        summary:
          'Decisions of all runs by tab or state, in the order asked for, the first five items of each; and what the open ones cost together',
        querystring: z.object({
          run_id: Id.optional(),
          tab: z.enum(DECISION_TABS).optional(),
          state: z.enum(DECISION_STATES).optional(),
          sort: z.enum(DECISION_SORTS).default('newest'),
          cursor: z
            .string()
            .regex(/^[A-Za-z0-9_-]{1,400}$/)
            .optional(),
          limit: Limit(100, 25),
        }),
        response: { 200: DecisionList },
      },
    },
    (request, reply) => {
      const { run_id: run, tab, state, sort, cursor, limit } = request.query;
      const states = state ? [state] : tab ? TAB_STATES[tab] : undefined;
      reply.header('cache-control', 'no-store');
      return decisionList(ctx.pool, request.caller.workspace, {
        sort,
        limit,
        ...(run ? { run } : {}),
        ...(states ? { states } : {}),
        ...(cursor ? { cursor } : {}),
      });
    },
  );

  app.post(
    '/v1/decisions/reject',
    {
      config: { roles: ['approver'], person: true, changes: true },
      schema: {
        operationId: 'rejectDecisions',
        tags: ['decisions'],
        summary: 'Decline up to a hundred open cards; each has its own result. There is no such thing for approving',
        body: RejectDecisions,
        response: { 200: DecisionsRejected },
      },
    },
    async (request, reply) => {
      const results = await rejectAll(ctx, request.caller, request.body, keyOf(request));
      ctx.outbox.kick();
      const rejected = results.filter((r) => r.decision !== null).length;
      return reply
        .code(200)
        .send({
          rejected,
          refused: results.length - rejected,
          results: results.map(({ id, decision, refusal }) => ({
            id,
            ok: decision !== null,
            decision,
            problem: refusal ? toProblem(refusal, request.language, request.id) : null,
          })),
        });
    },
  );

  app.get(
    '/v1/decisions/:decision_id',
    {
      schema: {
        operationId: 'getDecision',
        tags: ['decisions'],
        summary: 'One decision; full=true lists every item',
        params: DecisionParams,
        querystring: z.object({ full: Flag }),
        response: { 200: Decision },
      },
    },
    async (request) =>
      decisionView(await findDecision(read(ctx.pool), request.caller.workspace, request.params.decision_id), request.query.full),
  );

  app.get(
    '/v1/decisions/:decision_id/items',
    {
      schema: {
        operationId: 'listDecisionItems',
        tags: ['decisions'],
        summary: 'Who or what is on a card, in the order of the ranking, and who of them the main button takes',
        params: DecisionParams,
        querystring: z.object({
          cursor: z
            .string()
            .regex(/^\d{1,9}$/)
            .optional(),
          limit: Limit(500, 100),
        }),
        response: { 200: DecisionItems },
      },
    },
    (request) =>
      decisionItems(ctx.pool, request.caller.workspace, request.params.decision_id, {
        after: Number(request.query.cursor ?? 0),
        limit: request.query.limit,
      }),
  );

  app.post(
    '/v1/decisions/:decision_id/resolve',
    {
      config: { roles: ['approver'], person: true, changes: true, problems: [409, 410, 412] },
      schema: {
        operationId: 'resolveDecision',
        tags: ['decisions'],
        summary: 'Answer a card with what it showed',
        params: DecisionParams,
        body: ResolveDecision,
        response: { 200: Decision },
      },
    },
    async (request, reply) => {
      const answer = await tap(ctx, request.caller, request.params.decision_id, request.body, keyOf(request));
      ctx.outbox.kick();
      return reply.code(200).send(answer.body as Decision);
    },
  );

  app.post(
    '/v1/decisions/:decision_id/undo',
    {
      config: { roles: ['approver'], person: true, changes: true, problems: [409, 410] },
      schema: {
        operationId: 'undoDecision',
        tags: ['decisions'],
        summary: 'Take a save to the CRM back, within ten minutes',
        params: DecisionParams,
        body: Nothing,
        response: { 202: Decision },
      },
    },
    async (request, reply) => {
      const answer = await undo(ctx, request.caller, request.params.decision_id, keyOf(request));
      ctx.outbox.kick();
      return reply.code(202).send(answer.body as Decision);
    },
  );

  app.post(
    '/v1/decisions/:decision_id/reopen',
    {
      config: { roles: ['approver'], person: true, changes: true, problems: [409] },
      schema: {
        operationId: 'reopenDecision',
        tags: ['decisions'],
        summary: "A new card, at today's price, for one that expired or was put off",
        params: DecisionParams,
        body: Nothing,
        response: { 201: Decision },
      },
    },
    async (request, reply) => {
      const answer = await reopen(ctx, request.caller, request.params.decision_id, keyOf(request));
      ctx.outbox.kick();
      const fresh = answer.body as Decision;
      return reply.code(201).header('location', fresh.links.self).send(fresh);
    },
  );
};
