import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { pageBase } from '../../activities/page.js';
import { Refusal } from '../../contracts/problem.js';
import { buildMcp } from '../mcp.js';
import type { App, ServerContext } from '../types.js';

/** A request of a client; one that waits for progress is one too. */
const CALLS_PER_MINUTE = 600;

/**
 * Ada for other programs: MCP over streamable HTTP, by the API's own tokens. Without protocol sessions: every request brings its token, so any
 * process may answer it, also after a restart.
 */
export const mcpRoute = (app: App, ctx: ServerContext): void => {
  // Behind TLS neither the protocol nor, with some proxies, the host of a request is what its client used.
  const here = pageBase(ctx.env);
  const open = new Set<() => void>();
  app.post(
    '/mcp',
    { config: { rateLimit: { max: CALLS_PER_MINUTE, timeWindow: 60_000 } }, schema: { hide: true } },
    async (request, reply) => {
      if (request.body === undefined) throw new Refusal(400, 'body_invalid', {});
      const { caller, language } = request;
      const server = buildMcp(ctx, { caller, language, origin: here ?? `${request.protocol}://${request.host}` });
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
      let forget = (): void => undefined;
      const end = (): void => {
        open.delete(end);
        forget();
        void server.close();
      };
      open.add(end);
      forget = ctx.sessions.whileOpen(caller, end);
      reply.raw.once('close', end);
      await server.connect(transport);
      const headers = reply.getHeaders();
      reply.hijack();
      for (const [name, value] of Object.entries(headers)) if (value !== undefined) reply.raw.setHeader(name, value);
      await transport.handleRequest(request.raw, reply.raw, request.body);
      return reply;
    },
  );
  app.addHook('preClose', (done) => {
    for (const end of [...open]) end();
    done();
  });
};
