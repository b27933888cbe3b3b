import { z } from 'zod';
import { keyed } from '../../activities/decide.js';
import { PatchDraft, Sequence } from '../../contracts/api.js';
import { read } from '../../db/client.js';
import { reviewAgain } from '../../db/review-again.js';
import { patchDraft, readSequence } from '../../db/sequence-view.js';
import { keyOf, once } from '../idempotency.js';
import { Id } from '../schemas.js';
import type { ApiContext, App } from '../types.js';

/** Drafts as they wait for review. Nothing here sends mail. */
export const sequenceRoutes = (app: App, ctx: ApiContext): void => {
  app.get(
    '/v1/sequences/:sequence_id',
    {
      schema: {
        operationId: 'getSequence',
        tags: ['sequences'],
        summary: 'A sequence and its drafts',
        params: z.object({ sequence_id: Id }),
        response: { 200: Sequence },
      },
    },
    async (request, reply) =>
      reply
        .header('cache-control', 'no-store')
        .send(await readSequence(read(ctx.pool), request.caller.workspace, request.params.sequence_id)),
  );

  app.patch(
    '/v1/sequences/:sequence_id/drafts/:draft_id',
    {
      config: { roles: ['seller', 'approver'], changes: true, problems: [409] },
      schema: {
        operationId: 'patchDraft',
        tags: ['sequences'],
        summary: 'Change the text of a draft before it is reviewed, from the version that was shown',
        params: z.object({ sequence_id: Id, draft_id: Id }),
        body: PatchDraft,
        response: { 200: Sequence },
      },
    },
    async (request, reply) => {
      const { sequence_id, draft_id } = request.params;
      // Read again for the answer instead of remembered: a draft is personal, and the key's row outlives an erasure.
      await once(ctx.pool, request.caller, keyOf(request), `PATCH ${sequence_id}/${draft_id}`, request.body, async (tx) => {
        await patchDraft(tx, request.caller, sequence_id, draft_id, request.body);
        return { status: 200, body: null };
      });
      return reply
        .code(200)
        .header('cache-control', 'no-store')
        .send(await readSequence(read(ctx.pool), request.caller.workspace, sequence_id));
    },
  );

  app.post(
    '/v1/sequences/:sequence_id/store',
    {
      config: { roles: ['approver'], person: true, changes: true, problems: [409] },
      schema: {
        operationId: 'storeSequence',
        tags: ['sequences'],
        summary: 'Store the approved texts at the provider once more, where the run that was to do it ended without it',
        params: z.object({ sequence_id: Id }),
        body: z.object({}).strict().nullish(),
        response: { 202: Sequence },
      },
    },
    async (request, reply) => {
      const { sequence_id } = request.params;
      const { workspace } = request.caller;
      const { run_id } = await readSequence(read(ctx.pool), workspace, sequence_id);
      await keyed(ctx, request.caller, run_id, keyOf(request), `store ${sequence_id}`, null, async (run) => {
        await reviewAgain(run, sequence_id, request.caller);
        return { status: 202, body: null };
      });
      ctx.outbox.kick();
      return reply
        .code(202)
        .header('cache-control', 'no-store')
        .send(await readSequence(read(ctx.pool), workspace, sequence_id));
    },
  );
};
