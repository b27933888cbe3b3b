import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, ListToolsResultSchema, McpError, type ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { ToolError, type ToolContract } from '../contracts/tools/common.js';

/**
 * How a tool call can fail, by what is known of its effect.
 * - `refused`: the provider said no; nothing happened (unless `counted`).
 * - `not_sent`: the call never reached it.
 * - `unknown`: it may have happened: a timeout, a cut connection, an answer nobody can read, a 5xx.
 */
export class ToolFailure extends Error {
  constructor(
    readonly tool: string,
    readonly effect: 'refused' | 'not_sent' | 'unknown',
    readonly code: string,
    readonly retryAfterMs: number | null = null,
    readonly counted = false,
    readonly params: Record<string, unknown> = {},
  ) {
    super(`${tool}: ${code}`);
    this.name = 'ToolFailure';
  }
  /** Worth another try later, as far as the provider's answer tells. */
  get passing(): boolean {
    return this.effect !== 'refused' || this.code === 'rate_limited' || this.code === 'unavailable';
  }
}

export interface ToolOptions {
  scope?: 'read' | 'paid';
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** The tool server, whoever runs it: one method, typed by the catalogue. */
export interface Tools {
  call<I extends z.ZodType, O extends z.ZodType>(
    workspace: string,
    contract: ToolContract<I, O>,
    args: z.input<I>,
    options?: ToolOptions,
  ): Promise<z.output<O>>;
  /**
   * Whether the server lists this input for a tool: one that is optional in our contract is only sent where it is understood.
   * @throws ToolFailure `refused` `tool_missing` when the tool itself is not listed
   */
  accepts(workspace: string, contract: Pick<ToolContract, 'name' | 'scope'>, input: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface ToolsConfig {
  url: string;
  /** The bearer token of a workspace and scope; null when this process has none (then the call is never sent). */
  token(workspace: string, scope: 'read' | 'paid'): string | null;
  timeoutMs: number;
}

/** PostgreSQL text cannot hold NUL, and no honest name has one. */
const withoutNul = (value: unknown): unknown => {
  if (typeof value === 'string') return value.includes('\u0000') ? value.replaceAll('\u0000', '') : value;
  if (Array.isArray(value)) return value.map(withoutNul);
  if (value !== null && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, withoutNul(v)]));
  return value;
};

/** 429 with its Retry-After, which the SDK's own error leaves out. */
const callingFetch =
  (timeoutMs: number): typeof fetch =>
  async (input, init) => {
    // The SDK hands one signal to every request of a connection; each gets its own end instead, well after the call's deadline.
    const response = await fetch(input, init?.method === 'POST' ? { ...init, signal: AbortSignal.timeout(timeoutMs + 60_000) } : init);
    if (response.status !== 429) return response;
    const header = response.headers.get('retry-after');
    await response.body?.cancel();
    const seconds = header === null ? Number.NaN : Number(header);
    const ms = Number.isFinite(seconds) ? seconds * 1000 : header ? Math.max(0, Date.parse(header) - Date.now()) : Number.NaN;
    throw new ToolFailure('http', 'refused', 'rate_limited', Number.isFinite(ms) ? ms : null);
  };

const causes = (error: unknown): string => {
  const parts: string[] = [];
  for (let e: unknown = error; e instanceof Error && parts.length < 5; e = e.cause)
    parts.push('code' in e && typeof e.code === 'string' ? e.code : e.message);
  return parts.join(' ');
};

/** Pages of a tool list that are read at most. */
const LISTED_PAGES = 20;

/** An MCP client over streamable HTTP: one connection per workspace and scope, opened on first use and again when lost. */
export const createTools = (config: ToolsConfig): Tools => {
  const connections = new Map<string, Promise<Client>>();

  const connect = (workspace: string, scope: 'read' | 'paid', tool: string): Promise<Client> => {
    const key = `${workspace} ${scope}`;
    let connection = connections.get(key);
    if (!connection) {
      const token = config.token(workspace, scope);
      if (token === null) return Promise.reject(new ToolFailure(tool, 'not_sent', 'no_token'));
      const client = new Client({ name: 'campana', version: '1' }, { capabilities: {} });
      const transport = new StreamableHTTPClientTransport(new URL(config.url), {
        fetch: callingFetch(config.timeoutMs),
        requestInit: { headers: { authorization: `Bearer ${token}` } },
        reconnectionOptions: { maxRetries: 0, initialReconnectionDelay: 1000, maxReconnectionDelay: 1000, reconnectionDelayGrowFactor: 1 },
      });
      connection = client
        .connect(transport as Parameters<Client['connect']>[0], { timeout: Math.min(config.timeoutMs, 10_000) })
        .then(() => client);
      connections.set(key, connection);
      connection.catch(() => connections.delete(key));
    }
    return connection;
  };
  const forget = (workspace: string, scope: string): void => {
    const old = connections.get(`${workspace} ${scope}`);
    connections.delete(`${workspace} ${scope}`);
    // In-flight calls of others keep their client; it is closed once they had their time.
    if (old) setTimeout(() => void old.then((c) => c.close()).catch(() => undefined), config.timeoutMs).unref();
  };

  /** Reads what went wrong below MCP: by status where there was one, by the socket's error otherwise. */
  const failureOf = (tool: string, error: unknown): ToolFailure => {
    if (error instanceof ToolFailure)
      return error.tool === 'http' ? new ToolFailure(tool, error.effect, error.code, error.retryAfterMs) : error;
    if (error instanceof StreamableHTTPError) {
      const status = error.code ?? 0;
      if (status === 401 || status === 403) return new ToolFailure(tool, 'refused', 'unauthorized');
      if (status === 404 || status === 400) return new ToolFailure(tool, 'not_sent', 'session_lost');
      return new ToolFailure(tool, 'unknown', status >= 500 ? 'server_error' : 'bad_reply');
    }
    if (error instanceof McpError) {
      if (error.code === Number(ErrorCode.RequestTimeout)) return new ToolFailure(tool, 'unknown', 'timeout');
      if (error.code === Number(ErrorCode.MethodNotFound) || error.code === Number(ErrorCode.InvalidParams))
        return new ToolFailure(tool, 'refused', 'tool_missing');
      return new ToolFailure(tool, 'unknown', 'connection_lost');
    }
    const text = causes(error);
    if (/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(text)) return new ToolFailure(tool, 'not_sent', 'unreachable');
    if (/abort/i.test(text)) return new ToolFailure(tool, 'unknown', 'aborted');
    return new ToolFailure(tool, 'unknown', /JSON|Unexpected token|parse/i.test(text) ? 'malformed_reply' : 'connection_lost');
  };

  /**
   * One request over the connection of a workspace and scope. A server that forgot our session did not look at it: it is asked once more.
   * @throws ToolFailure
   */
  const over = async <R>(
    workspace: string,
    scope: 'read' | 'paid',
    tool: string,
    readOnly: boolean,
    ask: (client: Client) => Promise<R>,
  ): Promise<R> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const client = await connect(workspace, scope, tool).catch((error: unknown) => {
          // Opening the connection carries no call, so whatever failed here was not sent.
          const failure = failureOf(tool, error);
          throw failure.effect === 'refused' ? failure : new ToolFailure(tool, 'not_sent', failure.code, failure.retryAfterMs);
        });
        return await ask(client);
      } catch (error) {
        const failure = failureOf(tool, error);
        if (failure.code === 'session_lost') {
          forget(workspace, scope);
          if (attempt === 1) continue; // the server forgot our session: the call was not looked at
          throw new ToolFailure(tool, 'refused', 'bad_request');
        }
        if (failure.code === 'connection_lost' && !readOnly) forget(workspace, scope);
        throw failure;
      }
    }
  };

  return {
    call(workspace, contract, args, options = {}) {
      const { name } = contract;
      return over(workspace, options.scope ?? contract.scope, name, contract.readOnly, async (client) => {
        const result = await client.callTool({ name, arguments: args as Record<string, unknown> }, undefined, {
          timeout: options.timeoutMs ?? config.timeoutMs,
          ...(options.signal ? { signal: options.signal } : {}),
        });
        if (result.isError) {
          const said = ToolError.safeParse(result.structuredContent);
          // A provider that broke inside cannot tell what it had already done.
          if (said.success)
            throw new ToolFailure(
              name,
              said.data.error.code === 'internal_error' ? 'unknown' : 'refused',
              said.data.error.code,
              said.data.error.retry_after_ms ?? null,
              said.data.error.counted ?? false,
              said.data.error.params ?? {},
            );
          throw new ToolFailure(name, 'refused', JSON.stringify(result.content ?? '').includes('not found') ? 'tool_missing' : 'refused');
        }
        const parsed = contract.output.safeParse(withoutNul(result.structuredContent));
        if (!parsed.success) throw new ToolFailure(name, 'unknown', 'malformed_reply');
        return parsed.data;
      });
    },
    accepts(workspace, { name, scope }, input) {
      return over(workspace, scope, name, true, async (client) => {
        for (let cursor: string | undefined, page = 0; page < LISTED_PAGES; page += 1) {
          // Not the client's own listing: that would make it hold every later answer, typed errors too, against the listed output schema.
          const listed: ListToolsResult = await client.request(
            { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
            ListToolsResultSchema,
            { timeout: config.timeoutMs },
          );
          const tool = listed.tools.find((t) => t.name === name);
          if (tool) return Object.hasOwn(tool.inputSchema.properties ?? {}, input);
          cursor = listed.nextCursor;
          if (cursor === undefined) break;
        }
        throw new ToolFailure(name, 'refused', 'tool_missing');
      });
    },
    async close() {
      const open = [...connections.values()];
      connections.clear();
      await Promise.allSettled(open.map(async (c) => (await c).close()));
    },
  };
};
