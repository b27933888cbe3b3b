import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readTools, ToolFailure } from '../../../ada/ports/tools.js';
import { CATALOGUE } from '../../../contracts/tools/catalogue.js';
import type { Usage } from '../../../contracts/tools/usage.js';
import { until } from '../../support/until.js';

/** As much of an MCP server as a client needs to call a tool, and faults. */
interface Call {
  tool: string;
  args: unknown;
  authorization: string | undefined;
}
type Reply =
  | { result: unknown }
  | { tool: 'says'; code: string; more?: object }
  | { status: number; headers?: Record<string, string> }
  | 'hang'
  | 'reset';
let server: Server;
let url = '';
let reply: Reply = 'hang';
let opening: 'answers' | 'hangs' = 'answers';
let calls: Call[] = [];
let posts = 0;
/** With whose token each of them came. */
let tokens: Array<string | undefined> = [];
const json = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' }).end(JSON.stringify(body));
};
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    posts += 1;
    tokens.push(request.headers.authorization);
    let text = '';
    request.on('data', (d: Buffer) => {
      text += d.toString();
    });
    request.on('end', () => {
      const message = JSON.parse(text);
      if (message.method === 'initialize') {
        if (opening === 'answers')
          json(response, {
            jsonrpc: '2.0',
            id: message.id,
            result: {
              protocolVersion: message.params.protocolVersion,
              capabilities: { tools: {} },
              serverInfo: { name: 'fake', version: '1' },
            },
          });
        return;
      }
      if (message.method !== 'tools/call') {
        response.writeHead(202).end();
        return;
      }
      calls.push({ tool: message.params.name, args: message.params.arguments, authorization: request.headers.authorization });
      if (reply === 'hang') return;
      if (reply === 'reset') {
        request.socket.destroy();
        return;
      }
      if ('status' in reply) {
        response.writeHead(reply.status, reply.headers).end();
        return;
      }
      const result =
        'result' in reply
          ? { content: [], structuredContent: reply.result }
          : { isError: true, content: [], structuredContent: { error: { code: reply.code, message: 'no', ...reply.more } } };
      json(response, { jsonrpc: '2.0', id: message.id, result });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});
afterAll(
  () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    }),
);

const TOKENS: Record<string, string> = { ws_1: 'read-one', ws_2: 'read-two' };
let tools: ReturnType<typeof readTools>;
beforeEach(() => {
  calls = [];
  posts = 0;
  tokens = [];
  opening = 'answers';
  tools = readTools({ url, token: (workspace) => TOKENS[workspace] ?? null, timeoutMs: 20_000 });
});
afterEach(() => tools.close());
const call = (
  name: string,
  args: Record<string, unknown> = {},
  options: { signal?: AbortSignal; timeoutMs?: number } = {},
  workspace = 'ws_1',
): Promise<unknown> =>
  tools.call(workspace, name, args, { signal: options.signal ?? new AbortController().signal, timeoutMs: options.timeoutMs ?? 20_000 });
const failure = async (promise: Promise<unknown>): Promise<ToolFailure> => {
  const error: unknown = await promise.then(
    () => {
      throw new Error('it answered');
    },
    (e: unknown) => e,
  );
  if (!(error instanceof ToolFailure)) throw error;
  return error;
};
const GOOD: Usage = {
  ref: 'usage:1',
  shown: 1,
  total: 1,
  has_more: false,
  next_cursor: null,
  coverage: 'Padrón',
  reading_id: 'r-1',
  read_at: '2026-01-05T10:00:00.000Z',
  provider: 'fake',
  balances: { credits: 5, queries: 7, inference: 9 },
  prices: [],
  honours_idempotency_keys: true,
  topup_url: null,
};

describe('tools that a turn may read with', () => {
  it('answer as the contract says, with the token of the workspace and without NUL', async () => {
    reply = { result: { ...GOOD, coverage: 'Pa\u0000drón' } };
    expect(await call('usage')).toMatchObject({ coverage: 'Padrón' });
    await call('usage', {}, {}, 'ws_2');
    expect(calls.map((c) => c.authorization)).toEqual(['Bearer read-one', 'Bearer read-two']);
  });

  it('never send what writes or pays, whoever asks', async () => {
    const others = CATALOGUE.filter((t) => t.scope !== 'read' || !t.readOnly);
    expect(others.map((t) => t.name)).toContain('people_reveal');
    for (const { name } of others) expect(await failure(call(name))).toMatchObject({ code: 'not_allowed', effect: 'not_sent' });
    for (const name of ['no_such_tool', '__proto__', 'constructor'])
      expect(await failure(call(name))).toMatchObject({ code: 'tool_missing', effect: 'not_sent' });
    expect(posts).toBe(0);
  });

  it('never send arguments that the contract refuses, nor for a workspace without a token', async () => {
    expect(await failure(call('people_search', { limit: 'many' }))).toMatchObject({ code: 'arguments_invalid', effect: 'not_sent' });
    expect((await failure(call('people_search', { limit: 'many' }))).params['issues']).not.toHaveLength(0);
    expect(await failure(call('usage', {}, {}, 'ws_other'))).toMatchObject({ code: 'no_token', effect: 'not_sent' });
    expect(posts).toBe(0);
  });

  it('say what went wrong', async () => {
    const faults: Array<[Reply, object]> = [
      [
        { tool: 'says', code: 'rate_limited', more: { retry_after_ms: 700 } },
        { code: 'rate_limited', retryAfterMs: 700, passing: true },
      ],
      [
        { tool: 'says', code: 'not_found', more: { params: { id: 'x' } } },
        { code: 'not_found', passing: false, params: { id: 'x' } },
      ],
      [
        { status: 429, headers: { 'retry-after': '2' } },
        { code: 'rate_limited', retryAfterMs: 2_000 },
      ],
      [{ status: 503 }, { code: 'server_error' }],
      [{ status: 401 }, { code: 'unauthorized' }],
      [{ result: { ...GOOD, total: 'forty' } }, { code: 'malformed_reply' }],
    ];
    for (const [said, expected] of faults) {
      reply = said;
      expect(await failure(call('usage'))).toMatchObject(expected);
    }
    reply = 'reset';
    expect(['connection_lost', 'unreachable']).toContain((await failure(call('usage'))).code);
  });

  it('end within the time left, whether the server answers late or never opens', async () => {
    reply = 'hang';
    for (const how of ['answers', 'hangs'] as const) {
      opening = how;
      tools = readTools({ url, token: () => 't', timeoutMs: 30_000 });
      const started = performance.now();
      expect(await failure(call('usage', {}, { timeoutMs: 200 }))).toMatchObject({ code: 'timeout', passing: true });
      // Long before the 30 s that the server may take.
      expect(performance.now() - started).toBeLessThan(20_000);
    }
    opening = 'answers';
    tools = readTools({ url, token: () => 't', timeoutMs: 30_000 });
    const stop = new AbortController();
    calls = [];
    const stopped = failure(call('usage', {}, { signal: stop.signal }));
    await until(() => calls.length > 0);
    stop.abort();
    expect(await stopped).toMatchObject({ code: 'aborted' });
    expect(await failure(call('usage', {}, { signal: AbortSignal.timeout(100) }))).toMatchObject({ code: 'timeout' });
    // Told by their token: of what was let go of before, something may still be on its way.
    await tools.close();
    tools = readTools({ url, token: () => 'never', timeoutMs: 30_000 });
    expect(await failure(call('usage', {}, { signal: AbortSignal.abort() }))).toMatchObject({ code: 'aborted', effect: 'not_sent' });
    expect(await failure(call('usage', {}, { timeoutMs: 0 }))).toMatchObject({ code: 'timeout', effect: 'not_sent' });
    expect(tokens).not.toContain('Bearer never');
  });
});
