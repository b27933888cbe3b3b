import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { Session, type Kitchen } from './kitchen.js';

/**
 * The protocol side: the SDK's server with the two tool methods.
 * @param fixed the session of a transport that has only one client (stdio); over HTTP each message brings its own.
 */
export const makeServer = (kitchen: Kitchen, fixed?: Session): Server => {
  const server = new Server({ name: 'campana-kitchen', version: '1.0.0' }, { capabilities: { tools: {} } });
  const sessionOf = (extra: Record<string, unknown> | undefined): Session => {
    const session = extra?.['session'];
    if (session instanceof Session) return session;
    // How a reply leaves belongs to one call: each gets its own session.
    if (fixed) return new Session(fixed.workspace, fixed.scopes);
    throw new Error('A message without session');
  };
  server.setRequestHandler(ListToolsRequestSchema, (_request, extra) => ({ tools: kitchen.list(sessionOf(extra.authInfo?.extra)) }));
  server.setRequestHandler(CallToolRequestSchema, (request, extra) =>
    kitchen.call(request.params.name, request.params.arguments, sessionOf(extra.authInfo?.extra)),
  );
  return server;
};

/**
 * One transport for every HTTP client: a message in, its response out. There are no protocol sessions, so a client survives a
 * restart of this server and no request builds a server of its own, which is what a stateless transport of the SDK costs.
 * Ids of different clients may be equal; each request travels under a number of ours.
 */
export class ExchangeTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  private last = 0;
  private readonly pending = new Map<RequestId, { id: RequestId; resolve: (message: JSONRPCMessage) => void }>();

  start(): Promise<void> {
    return Promise.resolve();
  }
  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
  /** A response finds its request; what the server says by itself has nobody to hear it and is dropped. */
  send(message: JSONRPCMessage): Promise<void> {
    if ('id' in message && message.id !== undefined && !('method' in message)) {
      const waiting = this.pending.get(message.id);
      this.pending.delete(message.id);
      waiting?.resolve({ ...message, id: waiting.id });
    }
    return Promise.resolve();
  }
  /** Hands a request to the server. @returns its response, under the id that the client gave. */
  exchange(request: JSONRPCRequest, session: Session): Promise<JSONRPCMessage> {
    return new Promise((resolve) => {
      const number = ++this.last;
      this.pending.set(number, { id: request.id, resolve });
      this.onmessage?.(
        { ...request, id: number },
        { authInfo: { token: '', clientId: session.workspace, scopes: [...session.scopes], extra: { session } } },
      );
    });
  }
}
