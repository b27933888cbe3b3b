import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  JSONRPCMessageSchema,
  isJSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import type { TokenGrant } from './config.js';
import { Session } from './kitchen.js';
import type { ExchangeTransport } from './protocol.js';

/** Enough for a save of 5,000 companies with long names; more is refused. */
const MAX_BODY = 24 * 1024 * 1024;
/** A reply that never comes ends here, so that no test leaves a connection for ever. */
const NEVER_MS = 150_000;

export const digestToken = (token: string): string => createHash('sha256').update(token).digest('hex');

export const readBody = async (req: IncomingMessage, max = MAX_BODY): Promise<string | null> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    const part = Buffer.from(chunk as Uint8Array);
    size += part.length;
    if (size > max) return null;
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
};

export const sendJson = (res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  const text = JSON.stringify(body);
  res
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      ...headers,
    })
    .end(text);
};
const refuse = (res: ServerResponse, status: number, code: number, message: string, headers: Record<string, string> = {}): void =>
  sendJson(res, status, { jsonrpc: '2.0', id: null, error: { code, message } }, headers);

/** A browser page of another site must not reach a server on loopback. */
const foreignOrigin = (req: IncomingMessage): boolean => {
  const { origin } = req.headers;
  return origin !== undefined && !/^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin);
};

/** Sends a response in the way that the faults of the call ask for. */
const deliver = (res: ServerResponse, message: JSONRPCMessage, session: Session): void => {
  const { delivery } = session;
  switch (delivery.how) {
    case 'sent':
      sendJson(res, 200, message);
      return;
    case 'destroyed':
      res.socket?.destroy();
      return;
    case 'never': {
      const timer = setTimeout(() => res.socket?.destroy(), NEVER_MS).unref();
      res.once('close', () => clearTimeout(timer));
      return;
    }
    case 'truncated': {
      const text = JSON.stringify(message);
      res.writeHead(200, { 'content-type': 'application/json' }).end(text.slice(0, Math.floor(text.length / 2)));
      return;
    }
    case 'twice': {
      const event = `event: message\ndata: ${JSON.stringify(message)}\n\n`;
      res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).end(event + event);
      return;
    }
    case 'http':
      sendJson(
        res,
        delivery.status,
        { error: { code: `http_${delivery.status}`, message: 'Not now.' } },
        delivery.retryAfterS === undefined ? {} : { 'retry-after': String(delivery.retryAfterS) },
      );
  }
};

/**
 * The HTTP server of the tools: `POST /mcp` (streamable HTTP, JSON replies, no protocol sessions) and `GET /healthz`.
 * @param ready tells whether the database answers.
 */
export const makeHttpServer = (transport: ExchangeTransport, tokens: readonly TokenGrant[], ready: () => Promise<boolean>): Server => {
  // Looked up by digest: the time it takes tells nothing about how much of a token was right.
  const grants = new Map(tokens.map((t) => [digestToken(t.token), t]));
  const authorize = (req: IncomingMessage): Session | null => {
    const token = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
    const grant = token === undefined ? undefined : grants.get(digestToken(token));
    return grant ? new Session(grant.workspace, grant.scopes) : null;
  };

  const post = async (req: IncomingMessage, res: ServerResponse, session: Session): Promise<void> => {
    const version = req.headers['mcp-protocol-version'];
    if (typeof version === 'string' && !SUPPORTED_PROTOCOL_VERSIONS.includes(version))
      return refuse(res, 400, -32_000, 'Unsupported protocol version');
    if (!(req.headers['content-type'] ?? '').startsWith('application/json'))
      return refuse(res, 415, -32_000, 'Content-Type must be application/json');
    const body = await readBody(req);
    if (body === null) return refuse(res, 413, -32_000, 'The message is too large', { connection: 'close' });
    let json: unknown;
    try {
      json = JSON.parse(body);
    } catch {
      return refuse(res, 400, -32_700, 'The message is not JSON');
    }
    const parsed = JSONRPCMessageSchema.safeParse(json);
    if (!parsed.success) return refuse(res, 400, -32_600, 'The message is not a JSON-RPC message');
    if (!isJSONRPCRequest(parsed.data)) {
      // Notifications change nothing here, and this server asks nothing that a client could respond to.
      res.writeHead(202).end();
      return;
    }
    deliver(res, await transport.exchange(parsed.data, session), session);
  };

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = (req.url ?? '').split('?')[0];
    if (path === '/healthz') {
      const ok = await ready();
      return sendJson(res, ok ? 200 : 503, { alive: true, ready: ok });
    }
    if (path !== '/mcp') return refuse(res, 404, -32_000, 'Not found');
    if (foreignOrigin(req)) return refuse(res, 403, -32_000, 'Origin not allowed');
    const session = authorize(req);
    if (!session) return refuse(res, 401, -32_000, 'A bearer token is needed', { 'www-authenticate': 'Bearer' });
    // No stream of the server's own and no sessions to end: the protocol asks for 405 then.
    if (req.method !== 'POST') return refuse(res, 405, -32_000, 'Only POST', { allow: 'POST' });
    return post(req, res, session);
  };

  const server = createServer((req, res) => {
    handle(req, res).catch((error: unknown) => {
      process.stderr.write(`${JSON.stringify({ level: 'error', message: error instanceof Error ? error.message : 'unknown' })}\n`);
      if (!res.headersSent) refuse(res, 500, -32_603, 'The tool server failed');
      else res.destroy();
    });
  });
  // Longer than clients keep idle connections, so that they close first and no request meets a closing socket.
  server.keepAliveTimeout = 65_000;
  return server;
};
