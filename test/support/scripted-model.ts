import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A body as it came. */
type Body = ReturnType<typeof JSON.parse>;

/**
 * A model that says what a script tells it to, over HTTP: the Responses and the chat-completions API, streaming and not, with their faults.
 * It refuses what the real one refuses (a schema that is not strict, an unknown tool, an answer to a call nobody made), and keeps every request.
 */
export interface Say {
  text?: string;
  tools?: Array<{ name: string; args: unknown; id?: string }>;
  /** Reasoning that is told before the rest. */
  reasoning?: string;
  refusal?: string;
  /** As it goes on the wire; null for none. Made up from lengths when not given. */
  usage?: unknown;
  /** Why it ended; `completed` when not given. */
  ended?: 'completed' | 'max_tokens' | 'content_filter' | 'failed';
  failure?: { code: string; message: string };
  /** Characters per delta, and the pause before each. */
  chunk?: number;
  pauseMs?: number;
  /** Ends the stream after so many deltas: `end` as if it were over, `reset` with a broken connection, `hang` never. */
  cut?: { after: number; how: 'end' | 'reset' | 'hang' };
  /** Answers a streaming request with one JSON body, as servers do that do not stream. */
  plain?: boolean;
  /** Says the message of the final item only in deltas, and leaves the final output empty, as some servers do. */
  bare?: boolean;
}
export interface Fault {
  status: number;
  error?: Record<string, unknown>;
  body?: string;
  headers?: Record<string, string>;
}
export type Reply = Say | Fault | 'hang' | 'reset';
export interface Recorded {
  n: number;
  api: 'responses' | 'chat';
  /** The body as it came, to compare bytes. */
  raw: string;
  body: Record<string, Body>;
  headers: IncomingHttpHeaders;
  /** The same of both APIs. */
  prefix: string;
  items: Array<{ role: 'system' | 'user' | 'assistant' | 'tool_request' | 'tool_result'; content: string; id?: string; name?: string }>;
  tools: string[];
  /** Null when the request leaves it open. */
  allowed: string[] | null;
  format: 'json_schema' | 'json_object' | null;
  /** The client hung up before the answer was over. */
  left: boolean;
}
export type Script = Reply[] | ((request: Recorded, n: number) => Reply | Promise<Reply>);
export interface ScriptedModel {
  /** As `OPENAI_BASE_URL`. */
  url: string;
  requests: Recorded[];
  /** Another script, and no requests so far. */
  play(script: Script): void;
  close(): Promise<void>;
}

// What scripts are made of.
export const answer = (json: unknown, more: Say = {}): Say => ({ text: JSON.stringify(json), ...more });
export const prose = (text: string, more: Say = {}): Say => ({ text, ...more });
export const fenced = (json: unknown): Say => ({ text: `Claro:\n\`\`\`json\n${JSON.stringify(json, null, 2)}\n\`\`\`\n` });
export const calls = (...tools: Array<[name: string, args: unknown]>): Say => ({ tools: tools.map(([name, args]) => ({ name, args })) });
export const half = (say: Say, how: 'end' | 'reset' | 'hang' = 'end', after = 2): Say => ({ chunk: 8, ...say, cut: { after, how } });
export const slow = (say: Say, pauseMs: number): Say => ({ chunk: 4, ...say, pauseMs });
export const rateLimited = (retryAfter?: string): Fault => ({
  status: 429,
  error: { code: 'rate_limit_exceeded', type: 'requests', message: 'Rate limit reached' },
  ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
});
export const quota = (): Fault => ({
  status: 429,
  error: { code: 'insufficient_quota', type: 'insufficient_quota', message: 'You exceeded your current quota' },
});
export const broken = (status = 500): Fault => ({
  status,
  error: { code: null, type: 'server_error', message: 'The server had an error' },
});
export const unauthorized = (status = 401): Fault => ({
  status,
  error: { code: 'invalid_api_key', message: 'Incorrect API key provided' },
});
const unsupported = (param: string, message: string): Fault => ({
  status: 400,
  error: { code: 'unsupported_parameter', type: 'invalid_request_error', param, message },
});
export const noSchema = (): Fault => ({
  status: 400,
  error: {
    code: null,
    type: 'invalid_request_error',
    param: null,
    message: "'response_format' of type 'json_schema' is not supported with this model",
  },
});
export const noReasoning = (): Fault =>
  unsupported('reasoning.effort', "Unsupported parameter: 'reasoning.effort' is not supported with this model.");
export const noSummary = (): Fault =>
  unsupported('reasoning.summary', 'Your organization must be verified to generate reasoning summaries.');
export const noAllowedTools = (): Fault => ({
  status: 400,
  error: {
    message: "Invalid value for 'tool_choice': expected one of none, auto, required",
    type: 'BadRequestError',
    param: null,
    code: 400,
  },
});

/** What a strict schema may not have, by path; empty when a provider would take it. */
export const strictProblems = (schema: unknown, path = '$', depth = 0): string[] => {
  const KNOWN = new Set([
    'type',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'enum',
    'const',
    'anyOf',
    'description',
    'title',
    '$ref',
    '$defs',
    'definitions',
  ]);
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return [`${path}: not a schema`];
  const s = schema as Record<string, Body>;
  const found = Object.keys(s)
    .filter((k) => !KNOWN.has(k))
    .map((k) => `${path}.${k}: unsupported`);
  if (depth === 0 && (s['type'] !== 'object' || s['anyOf'])) found.push(`${path}: the root must be an object`);
  if (depth > 10) found.push(`${path}: too deep`);
  if (s['type'] === undefined && !s['anyOf'] && !s['$ref'] && s['enum'] === undefined && s['const'] === undefined)
    found.push(`${path}: says nothing`);
  if (s['type'] === 'object') {
    const properties = (s['properties'] ?? {}) as Record<string, unknown>;
    if (s['additionalProperties'] !== false) found.push(`${path}: additionalProperties must be false`);
    const required = new Set((s['required'] ?? []) as string[]);
    for (const name of Object.keys(properties)) if (!required.has(name)) found.push(`${path}.${name}: must be required`);
    for (const name of required) if (!(name in properties)) found.push(`${path}.${name}: required but not there`);
    for (const [name, child] of Object.entries(properties)) found.push(...strictProblems(child, `${path}.${name}`, depth + 1));
  }
  if (s['type'] === 'array') found.push(...strictProblems(s['items'], `${path}[]`, depth + 1));
  for (const [i, child] of ((s['anyOf'] ?? []) as unknown[]).entries()) found.push(...strictProblems(child, `${path}|${i}`, depth + 1));
  for (const [name, child] of Object.entries((s['$defs'] ?? s['definitions'] ?? {}) as Record<string, unknown>))
    found.push(...strictProblems(child, `${path}#${name}`, depth + 1));
  return found;
};

const text = (content: unknown): string =>
  typeof content === 'string' ? content : Array.isArray(content) ? content.map((c: Body) => c?.text ?? '').join('') : '';
const read = (n: number, api: Recorded['api'], raw: string, headers: IncomingHttpHeaders): Recorded => {
  const body = JSON.parse(raw) as Record<string, Body>;
  const items: Recorded['items'] = [];
  let prefix = '';
  if (api === 'responses') {
    prefix = body['instructions'] ?? '';
    for (const item of Array.isArray(body['input']) ? body['input'] : [{ role: 'user', content: body['input'] }]) {
      if (item.type === 'function_call') items.push({ role: 'tool_request', content: item.arguments, id: item.call_id, name: item.name });
      else if (item.type === 'function_call_output') items.push({ role: 'tool_result', content: text(item.output), id: item.call_id });
      else items.push({ role: item.role === 'developer' ? 'system' : item.role, content: text(item.content) });
    }
  } else {
    for (const [i, message] of (body['messages'] as Body[]).entries()) {
      if (i === 0 && message.role === 'system') prefix = text(message.content);
      else if (message.tool_calls)
        for (const c of message.tool_calls)
          items.push({ role: 'tool_request', content: c.function.arguments, id: c.id, name: c.function.name });
      else if (message.role === 'tool') items.push({ role: 'tool_result', content: text(message.content), id: message.tool_call_id });
      else items.push({ role: message.role, content: text(message.content) });
    }
  }
  const tools = ((body['tools'] ?? []) as Body[]).map((t) => t.name ?? t.function?.name);
  const choice = body['tool_choice'];
  const named = (choice?.tools ?? choice?.allowed_tools?.tools) as Body[] | undefined;
  const format = api === 'responses' ? body['text']?.format?.type : body['response_format']?.type;
  return {
    n,
    api,
    raw,
    body,
    headers,
    prefix,
    items,
    tools,
    allowed: choice === 'none' ? [] : named ? named.map((t) => t.name ?? t.function?.name) : null,
    format: format ?? null,
    left: false,
  };
};

/** What the real one answers 400 to, whatever the script says. */
const refuses = (r: Recorded): Fault | null => {
  const no = (param: string, message: string, code: string | null = null): Fault => ({
    status: 400,
    error: { code, type: 'invalid_request_error', param, message },
  });
  const given = r.api === 'responses' ? r.body['text']?.format : r.body['response_format']?.json_schema;
  if (r.format === 'json_schema' && given?.strict === true) {
    const problems = strictProblems(given.schema);
    if (problems.length > 0)
      return no(
        'text.format.schema',
        `Invalid schema for response_format '${given.name}': ${problems.slice(0, 3).join('; ')}`,
        'invalid_json_schema',
      );
  }
  if (r.format === 'json_object' && !/json/i.test(JSON.stringify(r.api === 'responses' ? r.body['input'] : r.body['messages'])))
    return no('input', "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.");
  for (const name of r.allowed ?? [])
    if (!r.tools.includes(name)) return no('tool_choice', `Tool choice '${name}' not found in 'tools' parameter.`);
  if (r.body['tool_choice'] !== undefined && r.tools.length === 0)
    return no('tool_choice', 'When using `tool_choice`, `tools` must be set.');
  const asked = new Set(r.items.filter((i) => i.role === 'tool_request').map((i) => i.id));
  for (const i of r.items) {
    if (i.role === 'tool_result' && !asked.has(i.id))
      return no('input', `No tool call found for function call output with call_id ${i.id}.`);
    if (i.role === 'tool_request') {
      try {
        JSON.parse(i.content);
      } catch {
        return no('input', 'arguments are not JSON');
      }
    }
  }
  return null;
};

const chunks = (value: string, size: number): string[] =>
  Array.from({ length: Math.ceil(value.length / size) }, (_, i) => value.slice(i * size, (i + 1) * size));
const args = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Events of one answer; deltas are marked, since they are what a cut counts. */
interface Sent {
  event: string | null;
  data: unknown;
  delta: boolean;
}
const responses = (say: Say, r: Recorded): { events: Sent[]; whole: unknown } => {
  const size = say.chunk ?? 16;
  const out: Body[] = [];
  const events: Sent[] = [];
  let sequence = 0;
  const send = (type: string, data: object, delta = false): void => {
    events.push({ event: type, data: { type, sequence_number: sequence++, ...data }, delta });
  };
  const usage =
    'usage' in say
      ? say.usage
      : {
          input_tokens: Math.ceil(r.raw.length / 4),
          output_tokens: Math.ceil(((say.text ?? '').length + args(say.tools ?? []).length) / 4),
          total_tokens: 0,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens_details: { reasoning_tokens: 0 },
        };
  const base = { id: `resp_${r.n}`, object: 'response', created_at: 0, model: r.body['model'] };
  send('response.created', { response: { ...base, status: 'in_progress', output: [], usage: null } });
  const item = (open: object, body: (index: number, id: string) => object): void => {
    const index = out.length;
    const id = `item_${r.n}_${index}`;
    send('response.output_item.added', { output_index: index, item: { id, ...open } });
    const done = { id, ...body(index, id) };
    out.push(done);
    send('response.output_item.done', { output_index: index, item: done });
  };
  if (say.reasoning)
    item({ type: 'reasoning', summary: [] }, (output_index, item_id) => {
      for (const delta of chunks(say.reasoning ?? '', size))
        send('response.reasoning_summary_text.delta', { item_id, output_index, summary_index: 0, delta }, true);
      return { type: 'reasoning', summary: [{ type: 'summary_text', text: say.reasoning }] };
    });
  for (const [i, tool] of (say.tools ?? []).entries())
    item(
      { type: 'function_call', call_id: tool.id ?? `call_${r.n}_${i}`, name: tool.name, arguments: '', status: 'in_progress' },
      (output_index, item_id) => {
        for (const delta of chunks(args(tool.args), size))
          send('response.function_call_arguments.delta', { item_id, output_index, delta }, true);
        send('response.function_call_arguments.done', { item_id, output_index, name: tool.name, arguments: args(tool.args) });
        return {
          type: 'function_call',
          call_id: tool.id ?? `call_${r.n}_${i}`,
          name: tool.name,
          arguments: args(tool.args),
          status: 'completed',
        };
      },
    );
  if (say.text !== undefined || say.refusal !== undefined)
    item({ type: 'message', role: 'assistant', status: 'in_progress', content: [] }, (output_index, item_id) => {
      const said = say.refusal ?? say.text ?? '';
      const kind = say.refusal === undefined ? 'output_text' : 'refusal';
      for (const delta of chunks(said, size)) send(`response.${kind}.delta`, { item_id, output_index, content_index: 0, delta }, true);
      return {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [say.refusal === undefined ? { type: 'output_text', text: said, annotations: [] } : { type: 'refusal', refusal: said }],
      };
    });
  const ended = say.ended ?? 'completed';
  const status = ended === 'completed' || ended === 'failed' ? ended : 'incomplete';
  const whole = {
    ...base,
    status,
    output: say.bare ? [] : out,
    usage,
    incomplete_details: status === 'incomplete' ? { reason: ended === 'max_tokens' ? 'max_output_tokens' : 'content_filter' } : null,
    error: status === 'failed' ? (say.failure ?? { code: 'server_error', message: 'failed' }) : null,
  };
  send(`response.${status}`, { response: whole });
  return {
    events: say.bare ? events.filter((e) => e.event !== 'response.output_item.done' || (e.data as Body).item.type !== 'message') : events,
    whole,
  };
};
const chat = (say: Say, r: Recorded): { events: Sent[]; whole: unknown } => {
  const size = say.chunk ?? 16;
  const events: Sent[] = [];
  const base = { id: `chatcmpl_${r.n}`, created: 0, model: r.body['model'] };
  const send = (delta: object | null, more: object = {}, counts = true): void => {
    events.push({
      event: null,
      data: {
        ...base,
        object: 'chat.completion.chunk',
        choices: delta ? [{ index: 0, delta, finish_reason: null, ...more }] : [],
        ...(delta ? {} : more),
      },
      delta: counts,
    });
  };
  send({ role: 'assistant', content: '' }, {}, false);
  for (const reasoning_content of chunks(say.reasoning ?? '', size)) send({ reasoning_content });
  for (const [index, tool] of (say.tools ?? []).entries()) {
    send(
      { tool_calls: [{ index, id: tool.id ?? `call_${r.n}_${index}`, type: 'function', function: { name: tool.name, arguments: '' } }] },
      {},
      false,
    );
    for (const part of chunks(args(tool.args), size)) send({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  for (const refusal of chunks(say.refusal ?? '', size)) send({ refusal });
  for (const content of chunks(say.text ?? '', size)) send({ content });
  const finish_reason =
    say.ended === 'max_tokens' ? 'length' : say.ended === 'content_filter' ? 'content_filter' : say.tools ? 'tool_calls' : 'stop';
  if (say.ended === 'failed')
    events.push({ event: null, data: { error: say.failure ?? { code: 'server_error', message: 'failed' } }, delta: false });
  else send({}, { finish_reason }, false);
  const usage =
    'usage' in say
      ? say.usage
      : {
          prompt_tokens: Math.ceil(r.raw.length / 4),
          completion_tokens: Math.ceil(((say.text ?? '').length + args(say.tools ?? []).length) / 4),
          total_tokens: 0,
        };
  if (r.body['stream_options']?.include_usage && usage !== null) send(null, { usage }, false);
  const message = {
    role: 'assistant',
    content: say.text ?? null,
    refusal: say.refusal ?? null,
    ...(say.reasoning ? { reasoning_content: say.reasoning } : {}),
    ...(say.tools
      ? {
          tool_calls: say.tools.map((tool, i) => ({
            id: tool.id ?? `call_${r.n}_${i}`,
            type: 'function',
            function: { name: tool.name, arguments: args(tool.args) },
          })),
        }
      : {}),
  };
  return {
    events,
    whole: { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], ...(usage === null ? {} : { usage }) },
  };
};

export const scriptedModel = async (script: Script = []): Promise<ScriptedModel> => {
  let current = script;
  const requests: Recorded[] = [];
  const sockets = new Set<Socket>();
  const over = new AbortController();

  const perform = async (r: Recorded, reply: Reply, response: ServerResponse): Promise<void> => {
    if (reply === 'hang') return;
    if (reply === 'reset') {
      response.socket?.resetAndDestroy();
      return;
    }
    if ('status' in reply) {
      response.writeHead(reply.status, { 'content-type': reply.body === undefined ? 'application/json' : 'text/html', ...reply.headers });
      response.end(reply.body ?? JSON.stringify({ error: reply.error ?? { message: 'no' } }));
      return;
    }
    const { events, whole } = r.api === 'responses' ? responses(reply, r) : chat(reply, r);
    if (r.body['stream'] !== true || reply.plain) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(whole));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.flushHeaders();
    let deltas = 0;
    for (const sent of events) {
      if (sent.delta) {
        if (reply.cut && deltas >= reply.cut.after) {
          if (reply.cut.how === 'end') response.end();
          // What was written goes out before the connection breaks.
          if (reply.cut.how === 'reset') {
            await wait(20);
            response.socket?.destroy();
          }
          return;
        }
        deltas += 1;
        if (reply.pauseMs) await wait(reply.pauseMs, undefined, { signal: over.signal });
        if (response.destroyed) return;
      }
      response.write(`${sent.event ? `event: ${sent.event}\n` : ''}data: ${JSON.stringify(sent.data)}\n\n`);
    }
    if (r.api === 'chat') response.write('data: [DONE]\n\n');
    response.end();
  };

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (d: Buffer) => parts.push(d));
    request.on('end', () => {
      const api = request.url?.endsWith('/responses') ? 'responses' : request.url?.endsWith('/chat/completions') ? 'chat' : null;
      if (api === null) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such path"}}');
        return;
      }
      const recorded = read(requests.length, api, Buffer.concat(parts).toString(), request.headers);
      requests.push(recorded);
      response.on('close', () => {
        recorded.left = !response.writableFinished;
      });
      const next = async (): Promise<Reply> => {
        const refused = refuses(recorded);
        if (refused) return refused;
        if (typeof current === 'function') return current(recorded, recorded.n);
        return current[recorded.n] ?? { status: 500, error: { message: `the script has no reply ${recorded.n}` } };
      };
      void next()
        .then((reply) => perform(recorded, reply, response))
        .catch((error: unknown) => {
          if (over.signal.aborted || response.destroyed) return;
          if (response.headersSent) response.destroy();
          else
            response
              .writeHead(500, { 'content-type': 'application/json' })
              .end(JSON.stringify({ error: { message: `the script failed: ${String(error)}` } }));
        });
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    play(next) {
      current = next;
      requests.length = 0;
    },
    async close() {
      over.abort();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
};
