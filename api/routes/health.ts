import { Health } from '../../contracts/api.js';
import { createHealth } from '../health.js';
import type { ApiContext, App } from '../types.js';

/** `/healthz` for whoever starts and supervises, `/metrics` for Prometheus; both without a token and without personal data. */
export const healthRoutes = (app: App, ctx: ApiContext): void => {
  const health = createHealth(ctx);
  app.get(
    '/healthz',
    {
      config: { open: true, rateLimit: false },
      schema: {
        operationId: 'health',
        tags: ['operations'],
        summary: 'Whether everything a campaign needs is there',
        response: { 200: Health, 503: Health },
      },
    },
    async (_request, reply) => {
      const answer = await health();
      return reply
        .code(answer.ready ? 200 : 503)
        .header('cache-control', 'no-store')
        .send(answer);
    },
  );
  app.get('/metrics', { config: { open: true, rateLimit: false }, schema: { hide: true } }, async (_request, reply) => {
    ctx.meters.waits.set(ctx.hub.watching());
    return reply.type(ctx.meters.registry.contentType).send(await ctx.meters.registry.metrics());
  });
};
