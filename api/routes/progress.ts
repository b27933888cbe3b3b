import { z } from 'zod';
import { Progress } from '../../contracts/progress.js';
import { Refusal } from '../../contracts/problem.js';
import { RunParams, Wait } from '../schemas.js';
import type { ApiContext, App } from '../types.js';

const ETAG = /^(?:W\/)?"(\d{1,15})-(es-MX|en)"$/;

/** The version an `If-None-Match` names in this language; null when it names none of ours. */
export const knownVersion = (header: string | undefined, language: string): number | null => {
  if (!header) return null;
  for (const part of header.split(',')) {
    const match = ETAG.exec(part.trim());
    if (match?.[1] && match[2] === language) return Number(match[1]);
  }
  return null;
};

/**
 * What every surface polls: one indexed row, never Temporal. The ETag comes from version and language alone, so a 304 needs no
 * body; `?wait=25s` answers when the run moves, or after that time.
 */
export const progressRoute = (app: App, ctx: ApiContext): void => {
  const ok = ctx.meters.progressReplies.labels('200');
  const same = ctx.meters.progressReplies.labels('304');
  app.get(
    '/v1/runs/:run_id/progress',
    {
      config: { rateLimit: false, documentedHeaders: { 'If-None-Match': '' } },
      schema: {
        operationId: 'getProgress',
        tags: ['runs'],
        summary: 'Where a run is; poll with If-None-Match',
        params: RunParams,
        querystring: z.object({ wait: Wait.optional() }),
        response: { 200: Progress, 304: z.null().describe('Nothing moved since the version in If-None-Match') },
      },
      // The row's text goes out as it is.
      serializerCompiler:
        () =>
        (text: unknown): string =>
          text as string,
    },
    async (request, reply) => {
      const { run_id: run } = request.params;
      const { language, caller } = request;
      const known = knownVersion(request.headers['if-none-match'], language);
      const until = Date.now() + (known === null ? 0 : (request.query.wait ?? 0));
      const watch = until > Date.now() ? ctx.hub.watch(run) : undefined;
      const gone = watch ? goneSignal(reply.raw) : undefined;
      let ended = false;
      const forget =
        watch &&
        ctx.sessions.whileOpen(caller, () => {
          ended = true;
          watch.close();
        });
      try {
        for (;;) {
          watch?.reset();
          const row = await ctx.reader.read(run, known);
          if (ended) throw new Refusal(401, 'session_ended', {});
          if (!row || row.workspace_id !== caller.workspace) throw new Refusal(404, 'run_not_found', { run_id: run });
          const left = until - Date.now();
          if (row.body === null && watch && gone && left > 0) {
            // At the end of the wait the row is looked at once more: a notification may have been lost.
            const moved = await watch.wait(row.version, left, gone);
            if (gone.aborted) return reply;
            if (moved || ended || Date.now() >= until) continue;
          }
          reply.headers({
            etag: `W/"${row.version}-${language}"`,
            'cache-control': 'private, no-cache',
            'content-language': language,
            vary: 'Accept-Language, Authorization, Cookie',
          });
          if (row.body === null) {
            same.inc();
            return await reply.code(304).send(null);
          }
          ok.inc();
          return await reply
            .code(200)
            .type('application/json; charset=utf-8')
            .send(row.body as unknown as Progress);
        }
      } finally {
        forget?.();
        watch?.close();
      }
    },
  );
};

const goneSignal = (raw: { once(event: 'close', told: () => void): unknown }): AbortSignal => {
  const controller = new AbortController();
  raw.once('close', () => controller.abort());
  return controller.signal;
};
