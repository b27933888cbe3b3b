import { z } from 'zod';
import { CreateSuppressions, Suppression, SuppressionPage } from '../../contracts/api.js';
import { read } from '../../db/client.js';
import { auditRow } from '../../db/events.js';
import { sha256 } from '../../db/ids.js';
import { listSuppressions, removeSuppression } from '../../db/suppression-list.js';
import { addSuppressions } from '../../db/suppressions.js';
import { keyOf, once } from '../idempotency.js';
import { Id, Limit } from '../schemas.js';
import type { ApiContext, App } from '../types.js';

const Added = z.object({ suppressions: z.array(Suppression) }).meta({ id: 'SuppressionsAdded' });

/** Who is never to be looked for, revealed or written to. Only keyed hashes are kept: an entry can be added and removed, never read. */
export const suppressionRoutes = (app: App, ctx: ApiContext): void => {
  app.get(
    '/v1/suppressions',
    {
      schema: {
        operationId: 'listSuppressions',
        tags: ['workspace'],
        summary: 'The list, without what it holds',
        querystring: z.object({ cursor: Id.optional(), limit: Limit(500, 100) }),
        response: { 200: SuppressionPage },
      },
    },
    (request) => {
      const { cursor, limit } = request.query;
      return listSuppressions(read(ctx.pool), request.caller.workspace, { limit, ...(cursor ? { before: cursor } : {}) });
    },
  );

  app.post(
    '/v1/suppressions',
    {
      config: { roles: ['seller', 'approver', 'operator'], changes: true },
      schema: {
        operationId: 'addSuppressions',
        tags: ['workspace'],
        summary: 'Add companies, domains, people or addresses; a repeat changes nothing',
        body: CreateSuppressions,
        response: { 201: Added },
      },
    },
    async (request, reply) => {
      const { caller, body } = request;
      // The key's row must not hold what the list itself does not: the body is remembered by a hash of a hash.
      const answer = await once(ctx.pool, caller, keyOf(request), 'POST /v1/suppressions', sha256(body), async (tx) => {
        const suppressions = await addSuppressions(tx, caller, ctx.env.CAMPANA_SUPPRESSION_KEY, body.entries);
        await auditRow(tx, {
          workspace: caller.workspace,
          actor: caller.sub,
          channel: caller.channel,
          action: 'suppression.added',
          detail: { n: suppressions.length },
        });
        return { status: 201, body: { suppressions } };
      });
      return reply.code(201).send(answer.body as z.infer<typeof Added>);
    },
  );

  app.delete(
    '/v1/suppressions/:suppression_id',
    {
      config: { roles: ['approver', 'operator'], person: true, changes: true },
      schema: {
        operationId: 'removeSuppression',
        tags: ['workspace'],
        summary: 'Take one entry off the list',
        params: z.object({ suppression_id: Id }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const id = request.params.suppression_id;
      await once(ctx.pool, request.caller, keyOf(request), `DELETE /v1/suppressions/${id}`, null, async (tx) => {
        await removeSuppression(tx, request.caller, id);
        return { status: 204, body: null };
      });
      return reply.code(204).send(null);
    },
  );
};
