import { Readable } from 'node:stream';
import { z } from 'zod';
import { control, create, estimate, recheckBalance, replan } from '../../activities/control.js';
import {
  ControlAccepted,
  ItemPage,
  Missing,
  PlanEstimate,
  ReplanImpact,
  Run,
  RunAccepted,
  RunPage,
  Timeline,
} from '../../contracts/api.js';
import { CreateRun, Replan } from '../../contracts/criteria.js';
import { Refusal } from '../../contracts/problem.js';
import { Receipt } from '../../contracts/receipt.js';
import { isFinal } from '../../contracts/states.js';
import { receiptOf } from '../../db/close.js';
import { ACCOUNT_STATES, RUN_STATES } from '../../contracts/states.js';
import { read } from '../../db/client.js';
import { readRun } from '../../db/run-view.js';
import { listItems, missingOf } from '../../db/items.js';
import { findRun, listRuns } from '../../db/runs.js';
import { readTimeline } from '../../db/timeline.js';
import { requirePerson, requireRole } from '../auth.js';
import { keyOf } from '../idempotency.js';
import { itemsCsv, wantsCsv } from '../items-csv.js';
import { Flag, Id, Limit, RunParams, Why } from '../schemas.js';
import { knownVersion } from './progress.js';
import type { ApiContext, App } from '../types.js';

/** How soon after a 202 there is something to see. */
const RETRY_AFTER_S = '1';
/** Items read at once for a file. */
const EXPORT_PAGE = 500;

/** Start, list, look at and steer runs. A change is durable before it is answered; the workflow hears of it through the outbox. */
export const runRoutes = (app: App, ctx: ApiContext): void => {
  app.post(
    '/v1/runs',
    {
      config: { roles: ['seller'], changes: 'unless_dry_run', problems: [409, 422] },
      schema: {
        operationId: 'createRun',
        tags: ['runs'],
        summary: 'Start a campaign, or with dry_run say what it would cost at most',
        body: CreateRun,
        querystring: z.object({ dry_run: Flag }),
        response: { 200: PlanEstimate, 202: RunAccepted },
      },
    },
    async (request, reply) => {
      const { caller, body } = request;
      // A cap, and a mode that answers for the person, are what a tap would be: a person with the right to tap.
      if (body.caps !== undefined || body.modo === 'automatico') {
        requirePerson(caller);
        requireRole(caller, ['approver']);
      }
      if (request.query.dry_run) return reply.code(200).send(await estimate(ctx, caller, body));
      const answer = await create(ctx, caller, body, keyOf(request));
      ctx.outbox.kick();
      const accepted = answer.body as RunAccepted;
      return reply.code(202).headers({ location: accepted.links.self, 'retry-after': RETRY_AFTER_S }).send(accepted);
    },
  );

  app.get(
    '/v1/runs',
    {
      schema: {
        operationId: 'listRuns',
        tags: ['runs'],
        summary: 'Runs of the workspace, newest first; all of them, those under way or those that ended',
        querystring: z.object({
          state: z.enum(RUN_STATES).optional(),
          phase: z.enum(['open', 'ended']).optional(),
          cursor: Id.optional(),
          limit: Limit(100, 25),
        }),
        response: { 200: RunPage },
      },
    },
    async (request) => {
      const { state, phase, cursor, limit } = request.query;
      return listRuns(ctx.pool, request.caller.workspace, {
        limit,
        ...(cursor ? { before: cursor } : {}),
        ...(state ? { state } : {}),
        ...(phase ? { open: phase === 'open' } : {}),
      });
    },
  );

  app.get(
    '/v1/runs/:run_id',
    {
      schema: {
        operationId: 'getRun',
        tags: ['runs'],
        summary: 'One run and what it was asked to do',
        params: RunParams,
        response: { 200: Run },
      },
    },
    (request) => readRun(ctx.pool, request.caller.workspace, request.params.run_id),
  );

  app.get(
    '/v1/runs/:run_id/items',
    {
      schema: {
        operationId: 'listItems',
        tags: ['runs'],
        params: RunParams,
        summary:
          'The accounts of a run: who was chosen, who is missing, why, and the way out; all that are asked for as CSV with Accept: text/csv or format=csv (a stream of text/csv, no pages)',
        querystring: z.object({
          state: z.enum(ACCOUNT_STATES).optional(),
          missing: Flag,
          reason: z
            .string()
            .regex(/^[\w.:-]{1,100}$/)
            .optional(),
          format: z.enum(['json', 'csv']).optional(),
          cursor: z
            .string()
            .regex(/^\d{1,9}$/)
            .optional(),
          limit: Limit(500, 100),
        }),
        // What a typed client gets; the file is for whoever saves it.
        response: { 200: ItemPage },
      },
    },
    async (request, reply) => {
      const { state, missing, reason, format, cursor, limit } = request.query;
      const {
        caller: { workspace },
        params: { run_id: run },
        language,
      } = request;
      const page = (after: number, most: number) =>
        listItems(ctx.pool, workspace, run, {
          after,
          limit: most,
          ...(state ? { state } : {}),
          ...(missing ? { missing } : {}),
          ...(reason ? { reason } : {}),
        });
      const first = Number(cursor ?? 0);
      reply.headers({ 'cache-control': 'no-store', vary: 'Accept, Accept-Language' });
      if (format === 'json' || (format === undefined && !wantsCsv(request.headers.accept))) return page(first, limit);
      // Read before anything is answered: a run that is not there is a problem, not an empty file.
      const head = await page(first, EXPORT_PAGE);
      const pages = async function* () {
        for (let { items, next_cursor } = head; ; { items, next_cursor } = await page(Number(next_cursor), EXPORT_PAGE)) {
          yield items;
          if (next_cursor === null) return;
        }
      };
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${run}.csv"`)
        .header('content-language', language);
      return reply.send(Readable.from(itemsCsv(language, pages())) as unknown as ItemPage);
    },
  );

  app.get(
    '/v1/runs/:run_id/missing',
    {
      schema: {
        operationId: 'getMissing',
        tags: ['runs'],
        summary: 'What a run did not get, grouped by why, each with its way out and its first items',
        params: RunParams,
        response: { 200: Missing },
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store');
      return missingOf(ctx.pool, request.caller.workspace, request.params.run_id);
    },
  );

  app.get(
    '/v1/runs/:run_id/timeline',
    {
      config: { documentedHeaders: { 'If-None-Match': '' } },
      schema: {
        operationId: 'getTimeline',
        tags: ['runs'],
        summary: "A run's way so far: at most 300 points of what it had reached and used, and what happened beside them",
        params: RunParams,
        response: { 200: Timeline, 304: z.null().describe('Nothing moved since the version in If-None-Match') },
      },
    },
    async (request, reply) => {
      const {
        caller: { workspace },
        params: { run_id: run },
        language,
      } = request;
      const known = knownVersion(request.headers['if-none-match'], language);
      const headers = (version: number) =>
        reply.headers({
          etag: `W/"${version}-${language}"`,
          'cache-control': 'private, no-cache',
          vary: 'Accept-Language, Authorization, Cookie',
        });
      if (known !== null) {
        const row = await ctx.reader.read(run, known);
        if (!row || row.workspace_id !== workspace) throw new Refusal(404, 'run_not_found', { run_id: run });
        if (row.body === null) return headers(row.version).code(304).send(null);
      }
      const timeline = await readTimeline(ctx.pool, workspace, run);
      return headers(timeline.version).code(200).send(timeline);
    },
  );

  app.get(
    '/v1/runs/:run_id/receipt',
    {
      config: { problems: [409] },
      schema: {
        operationId: 'getReceipt',
        tags: ['runs'],
        summary: 'What a finished run did and cost',
        params: RunParams,
        response: { 200: Receipt },
      },
    },
    async (request) => {
      const run = await findRun(read(ctx.pool), request.caller.workspace, request.params.run_id);
      if (!isFinal(run.state)) throw new Refusal(409, 'run_not_final', { state: run.state }, { retryable: true, retry_after_ms: 2_000 });
      return receiptOf(ctx.pool, request.caller.workspace, run.id);
    },
  );

  for (const action of ['pause', 'resume', 'cancel'] as const) {
    app.post(
      `/v1/runs/:run_id/${action}`,
      {
        config: { roles: ['seller', 'approver', 'operator'], changes: true, problems: [409] },
        schema: {
          operationId: `${action}Run`,
          tags: ['runs'],
          summary: { pause: 'Hold at the next item', resume: 'Go on', cancel: 'Stop; what was sent is settled, the rest is let go' }[
            action
          ],
          params: RunParams,
          body: Why,
          response: { 202: ControlAccepted },
        },
      },
      async (request, reply) => {
        const answer = await control(ctx, request.caller, request.params.run_id, action, request.body?.reason, keyOf(request));
        ctx.outbox.kick();
        return accepted(reply, request.params.run_id)
          .code(202)
          .send(answer.body as ControlAccepted);
      },
    );
  }

  app.post(
    '/v1/runs/:run_id/replan',
    {
      config: { roles: ['seller', 'approver'], changes: 'unless_dry_run', problems: [409, 422] },
      schema: {
        operationId: 'replanRun',
        tags: ['runs'],
        summary: 'Change the plan, or with dry_run say what the change would do',
        params: RunParams,
        querystring: z.object({ dry_run: Flag }),
        body: Replan,
        response: { 200: ReplanImpact, 202: ReplanImpact },
      },
    },
    async (request, reply) => {
      const dry = request.query.dry_run;
      const answer = await replan(ctx, request.caller, request.params.run_id, request.body, dry, dry ? '' : keyOf(request));
      if (dry) return reply.code(200).send(answer.body as ReplanImpact);
      ctx.outbox.kick();
      return accepted(reply, request.params.run_id)
        .code(202)
        .send(answer.body as ReplanImpact);
    },
  );

  app.post(
    '/v1/runs/:run_id/recheck-balance',
    {
      config: { roles: ['seller', 'approver'], changes: true, problems: [409] },
      schema: {
        operationId: 'recheckBalance',
        tags: ['runs'],
        summary: "Read the provider's balance again and show fresh cards",
        params: RunParams,
        body: z.object({}).strict().nullish(),
        response: { 202: ControlAccepted },
      },
    },
    async (request, reply) => {
      const answer = await recheckBalance(ctx, request.caller, request.params.run_id, keyOf(request));
      ctx.outbox.kick();
      return accepted(reply, request.params.run_id)
        .code(202)
        .send(answer.body as ControlAccepted);
    },
  );
};

const accepted = <R extends { headers(values: Record<string, string>): R }>(reply: R, run: string): R =>
  reply.headers({ location: `/v1/runs/${run}`, 'retry-after': RETRY_AFTER_S });
