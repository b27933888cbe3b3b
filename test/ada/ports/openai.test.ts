import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ModelFailure, type ChatItem, type Model, type ModelReply, type ModelRequest, type TextModel } from '../../../ada/ports/model.js';
import { configuredModels, openaiModel } from '../../../ada/ports/openai.js';
import { strictSchema } from '../../../ada/ports/strict-schema.js';
import { Env } from '../../../contracts/env.js';
import { TurnOutput } from '../../../contracts/turn.js';
import type { TurnView } from '../../../ada/turn-view.js';
import {
  answer,
  broken,
  calls,
  fenced,
  half,
  noAllowedTools,
  noReasoning,
  noSchema,
  noSummary,
  prose,
  quota,
  rateLimited,
  scriptedModel,
  slow,
  unauthorized,
  type Reply,
  type ScriptedModel,
} from '../../support/scripted-model.js';
import { NOBODY } from '../../support/listen.js';
import { until } from '../../support/until.js';

const OUTPUT: TurnOutput = {
  intent: { kind: 'responder' },
  narration: 'Hay 40 registros en tres etapas, ¡listo!',
  pregunta: null,
  siguiente: null,
};
const TOOLS = ['market_count', 'companies_find', 'people_find'].map((name) => ({
  name,
  description: `What ${name} does`,
  parameters: z.toJSONSchema(z.object({ giro: z.string(), limit: z.int().optional() })),
}));
const ask = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  prefix: 'Eres Ada. Reglas del manual.',
  items: [{ role: 'user', content: '¿Cuántos proveedores hay?' }],
  tools: TOOLS,
  allowed: ['market_count', 'people_find'],
  output: { mode: 'json_schema', name: 'turn', schema: strictSchema(TurnOutput) },
  reasoning: 'low',
  maxOutputTokens: 2_000,
  deadlineMs: 30_000,
  signal: new AbortController().signal,
  view: {} as TurnView,
  ...more,
});

let server: ScriptedModel;
beforeAll(async () => {
  server = await scriptedModel();
});
afterAll(() => server.close());

describe.each(['responses', 'chat'] as const)('a model over %s', (mode) => {
  const made = (more: Partial<Parameters<typeof openaiModel>[0]> = {}): TextModel =>
    openaiModel({ apiKey: 'not-a-key', baseUrl: server.url, model: 'm-1', mode, prices: { in: 1_000_000, out: 4_000_000 }, ...more });
  const hear = (reply: Reply, more: Partial<ModelRequest> = {}, model = made()): Promise<ModelReply> => {
    server.play([reply]);
    return model.complete(ask(more));
  };
  /** The failure of one request, which was sent exactly once. */
  const fails = async (reply: Reply, more: Partial<ModelRequest> = {}, model = made()): Promise<ModelFailure> => {
    const failure: unknown = await hear(reply, more, model).then(
      (r) => {
        throw new Error(`answered: ${JSON.stringify(r)}`);
      },
      (error: unknown) => error,
    );
    if (!(failure instanceof ModelFailure)) throw failure;
    expect(server.requests).toHaveLength(1);
    return failure;
  };

  it('answers with its text, its use and the time to the first token, told as it comes', async () => {
    const heard: string[] = [];
    const thought: string[] = [];
    const usage = mode === 'responses' ? { input_tokens: 900, output_tokens: 120 } : { prompt_tokens: 900, completion_tokens: 120 };
    const model = made();
    const reply = await hear(
      answer(OUTPUT, { reasoning: 'primero cuento', usage }),
      { onText: (d) => heard.push(d), onReasoning: (d) => thought.push(d) },
      model,
    );
    expect(reply).toMatchObject({ kind: 'answer', usage: { in: 900, out: 120 } });
    if (reply.kind !== 'answer') return;
    expect(TurnOutput.parse(JSON.parse(reply.text))).toEqual(OUTPUT);
    expect(heard.length).toBeGreaterThan(3);
    expect(heard.join('')).toBe(reply.text);
    expect(thought.join('')).toBe('primero cuento');
    expect(reply.text).not.toContain('primero cuento');
    expect(reply.ttftMs).toBeGreaterThanOrEqual(0);
    expect(model.cost(reply.usage)).toBe(900 + 480);
    expect(made({ prices: null }).cost(reply.usage)).toBeNull();
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      prefix: 'Eres Ada. Reglas del manual.',
      format: 'json_schema',
      api: mode,
      headers: { authorization: 'Bearer not-a-key' },
    });
    expect(server.requests[0]?.body[mode === 'responses' ? 'reasoning' : 'reasoning_effort']).toEqual(
      mode === 'responses' ? { effort: 'low', summary: 'auto' } : 'low',
    );
    if (mode === 'responses') expect(server.requests[0]?.body['store']).toBe(false);
  });

  it('calls tools, several at once, and takes their answers back', async () => {
    const first = await hear(calls(['market_count', { giro: 'empaque' }], ['people_find', { giro: 'ñandú "x"' }]));
    expect(first).toMatchObject({
      kind: 'tools',
      calls: [
        { name: 'market_count', args: { giro: 'empaque' } },
        { name: 'people_find', args: { giro: 'ñandú "x"' } },
      ],
    });
    if (first.kind !== 'tools') return;
    const items: ChatItem[] = [
      { role: 'user', content: 'hola' },
      { role: 'tool_request', calls: first.calls },
      ...first.calls.map((c): ChatItem => ({ role: 'tool_result', id: c.id, name: c.name, content: '{"total":40}' })),
      { role: 'system', content: 'Receta' },
    ];
    expect(await hear(answer(OUTPUT), { items })).toMatchObject({ kind: 'answer' });
    expect(server.requests[0]?.items.map((i) => i.role)).toEqual([
      'user',
      'tool_request',
      'tool_request',
      'tool_result',
      'tool_result',
      'system',
    ]);
    expect(server.requests[0]?.items[2]).toMatchObject({
      name: 'people_find',
      content: JSON.stringify({ giro: 'ñandú "x"' }),
      id: first.calls[1]?.id,
    });
  });

  it('keeps arguments that are no object as text, marked, and can send them back', async () => {
    for (const written of ['{"giro": "emp', '[1]', '"hola"', 'null']) {
      const reply = await hear(calls(['market_count', written]));
      expect(reply).toMatchObject({ kind: 'tools', calls: [{ args: written, malformed: true }] });
      if (reply.kind !== 'tools') return;
      expect(
        await hear(answer(OUTPUT), {
          items: [
            { role: 'tool_request', calls: reply.calls },
            { role: 'tool_result', id: reply.calls[0]?.id ?? '', name: 'market_count', content: 'arguments_invalid' },
          ],
        }),
      ).toMatchObject({ kind: 'answer' });
    }
    expect(await hear(calls(['market_count', '']))).toMatchObject({ calls: [{ args: {} }] });
    expect(await hear({ tools: [{ name: 'market_count', args: {}, id: '' }] }, { items: [{ role: 'user', content: 'x' }] })).toMatchObject({
      calls: [{ id: 'call_1_0' }],
    });
    expect((await fails(calls(['', {}]))).code).toBe('bad_reply');
  });

  it('hands on what is not JSON as it is: prose and fenced JSON are for the validation', async () => {
    expect(await hear(prose('No sé'))).toMatchObject({ kind: 'answer', text: 'No sé' });
    expect(await hear(fenced(OUTPUT))).toMatchObject({ kind: 'answer', text: expect.stringContaining('```json') as string });
    expect(await fails(prose('  '))).toMatchObject({ code: 'bad_reply', passing: true });
  });

  it('reads the answer of a server that does not stream', async () => {
    const heard: string[] = [];
    expect(await hear(answer(OUTPUT, { plain: true }), { onText: (d) => heard.push(d) })).toMatchObject({
      kind: 'answer',
      text: JSON.stringify(OUTPUT),
      ttftMs: null,
    });
    expect(heard.join('')).toBe(JSON.stringify(OUTPUT));
    expect(await hear({ ...calls(['market_count', { giro: 'x' }]), plain: true })).toMatchObject({ kind: 'tools' });
    expect(await fails({ ...prose('{"a'), plain: true, ended: 'max_tokens' })).toMatchObject({ code: 'cut' });
    expect(await hear({ ...answer(OUTPUT), bare: true })).toMatchObject({ kind: 'answer', text: JSON.stringify(OUTPUT) });
  });

  it('never takes half an answer for one', async () => {
    expect(await fails(half(answer(OUTPUT), 'end'))).toMatchObject({ code: 'cut', passing: true, usage: null });
    expect(await fails(half(answer(OUTPUT), 'reset'))).toMatchObject({ code: 'cut', passing: true });
    expect(await fails(half(calls(['market_count', { giro: 'empaques y más empaques' }]), 'end', 1))).toMatchObject({ code: 'cut' });
    expect(await fails(half(answer(OUTPUT), 'end', 0))).toMatchObject({ code: 'cut' });
    const usage = mode === 'responses' ? { input_tokens: 900, output_tokens: 2_000 } : { prompt_tokens: 900, completion_tokens: 2_000 };
    expect(await fails({ ...prose('{"intent":'), ended: 'max_tokens', usage })).toMatchObject({
      code: 'cut',
      usage: { in: 900, out: 2_000 },
    });
  });

  it('ends within the deadline and says so, whenever the server stops', async () => {
    // Long enough for the request to have been sent, on a busy machine too.
    for (const reply of ['hang', half(answer(OUTPUT), 'hang'), slow(answer(OUTPUT), 1_000)] as Reply[])
      expect(await fails(reply, { deadlineMs: 1_500 })).toMatchObject({ code: 'timeout', passing: true });
    expect(await hear(slow(prose('{"a":1}'), 30))).toMatchObject({ kind: 'answer' });
    server.play([]);
    await expect(made().complete(ask({ deadlineMs: 0 }))).rejects.toMatchObject({ code: 'timeout', usage: { in: 0, out: 0 } });
    expect(server.requests).toHaveLength(0);
  });

  it('is aborted at once, before, while waiting and while listening', async () => {
    for (const reply of ['hang', half(answer(OUTPUT), 'hang')] as Reply[]) {
      const stop = new AbortController();
      let heard = 0;
      const failing = fails(reply, { signal: stop.signal, onText: () => void (heard += 1) });
      await until(() => server.requests.length === 1 && (reply === 'hang' || heard > 0));
      stop.abort();
      expect(await failing).toMatchObject({ code: 'aborted', passing: false });
      await until(() => server.requests[0]?.left);
    }
    expect(await fails('hang', { signal: AbortSignal.timeout(1_500) })).toMatchObject({ code: 'timeout' });
    server.play([]);
    await expect(made().complete(ask({ signal: AbortSignal.abort() }))).rejects.toMatchObject({ code: 'aborted' });
    expect(server.requests).toHaveLength(0);
  });

  it('tells a limit that passes, and when, from a quota that does not', async () => {
    expect(await fails(rateLimited('7'))).toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 7_000,
      passing: true,
      usage: { in: 0, out: 0 },
    });
    expect(await fails(rateLimited())).toMatchObject({ code: 'rate_limited', retryAfterMs: null });
    expect((await fails(rateLimited(new Date(Date.now() + 600_000).toUTCString()))).retryAfterMs).toBeGreaterThan(500_000);
    expect(await fails(rateLimited('soon'))).toMatchObject({ code: 'rate_limited', retryAfterMs: null });
    expect(await fails(quota())).toMatchObject({ code: 'quota', passing: false, usage: { in: 0, out: 0 } });
    expect(await fails({ status: 402, error: { message: 'Insufficient Balance' } })).toMatchObject({ code: 'quota' });
  });

  it('maps what servers answer', async () => {
    for (const status of [500, 502, 503])
      expect(await fails(broken(status))).toMatchObject({ code: 'server_error', passing: true, usage: null });
    expect(await fails({ status: 503, body: '<html>later</html>', headers: { 'retry-after': '3' } })).toMatchObject({
      code: 'server_error',
      retryAfterMs: 3_000,
    });
    for (const status of [401, 403]) expect(await fails(unauthorized(status))).toMatchObject({ code: 'unauthorized', passing: false });
    expect(await fails({ status: 404, error: { code: 'model_not_found', message: 'The model m-1 does not exist' } })).toMatchObject({
      code: 'unauthorized',
    });
    expect(await fails({ status: 404, error: { message: 'no such path' } })).toMatchObject({ code: 'not_capable', lacks: 'api' });
    expect(await fails({ status: 400, error: { message: 'This prompt is odd', code: 'invalid_value' } })).toMatchObject({
      code: 'rejected',
      passing: false,
    });
    expect(await fails({ status: 400, error: { message: 'This prompt is odd', code: 'content_policy_violation' } })).toMatchObject({
      code: 'refused',
      passing: false,
    });
    expect(await fails({ status: 400, error: { message: 'Too long', code: 'context_length_exceeded', param: 'input' } })).toMatchObject({
      code: 'not_capable',
      lacks: 'context',
    });
    expect(await fails({ status: 200, body: '<html>log in</html>' })).toMatchObject({ code: 'bad_reply' });
    expect(await fails({ status: 200, body: 'data: {"half\n\n', headers: { 'content-type': 'text/event-stream' } })).toMatchObject({
      code: 'bad_reply',
    });
    expect(await fails({ refusal: 'No puedo ayudar con eso' })).toMatchObject({ code: 'refused', passing: false });
    expect(await fails({ ...prose('x'), ended: 'content_filter' })).toMatchObject({ code: 'refused' });
    expect(await fails({ ended: 'failed' })).toMatchObject({ code: 'server_error' });
    expect(await fails({ ended: 'failed', failure: { code: 'rate_limit_exceeded', message: 'slow' } })).toMatchObject({
      code: 'rate_limited',
    });
    expect(await fails({ ended: 'failed', failure: { code: 'insufficient_quota', message: 'none' } })).toMatchObject({ code: 'quota' });
  });

  it('says what a model or its server lacks, and leaves it out of the next request', async () => {
    const model = made();
    expect(await fails(noSchema(), {}, model)).toMatchObject({ code: 'not_capable', lacks: 'output', passing: false, adapted: false });
    const object = { ...ask().output, mode: 'json_object' as const };
    expect(await hear(answer(OUTPUT), { output: object }, model)).toMatchObject({ kind: 'answer' });
    expect(server.requests[0]).toMatchObject({
      format: 'json_object',
      prefix: expect.stringMatching(/^Eres Ada\. Reglas del manual\./) as string,
    });
    expect(server.requests[0]?.raw).toContain('follows this schema');

    expect(await fails(noReasoning(), {}, model)).toMatchObject({ code: 'not_capable', lacks: 'reasoning', adapted: true });
    expect(await fails(noReasoning(), {}, model)).toMatchObject({ code: 'not_capable', lacks: null, adapted: false });
    await hear(answer(OUTPUT), {}, model);
    expect(server.requests[0]?.raw).not.toContain('"reasoning');
    if (mode === 'responses') {
      const other = made();
      expect(await fails(noSummary(), { onReasoning: () => undefined }, other)).toMatchObject({ lacks: 'summary' });
      await hear(answer(OUTPUT), { onReasoning: () => undefined }, other);
      expect(server.requests[0]?.body['reasoning']).toEqual({ effort: 'low' });
      expect(await fails(noAllowedTools(), {}, other)).toMatchObject({ code: 'not_capable', lacks: 'tool_choice' });
      await hear(answer(OUTPUT), {}, other);
      expect(server.requests[0]?.body['tool_choice']).toBe('auto');
    } else {
      const other = made();
      expect(
        await fails(
          { status: 400, error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.", param: 'max_tokens' } },
          {},
          other,
        ),
      ).toMatchObject({ lacks: 'max_tokens' });
      await hear(answer(OUTPUT), {}, other);
      expect(server.requests[0]?.body).toMatchObject({ max_completion_tokens: 2_000 });
    }
  });

  it('leaves out what was refused to several at once, each of which may ask again', async () => {
    const model = made();
    server.play((r) => (r.raw.includes('"reasoning') ? noReasoning() : answer(OUTPUT)));
    const refused = await Promise.all(
      Array.from({ length: 4 }, () =>
        model.complete(ask()).then(
          () => null,
          (error: unknown) => error,
        ),
      ),
    );
    for (const one of refused) expect(one).toMatchObject({ code: 'not_capable', lacks: 'reasoning', adapted: true });
    expect(await model.complete(ask())).toMatchObject({ kind: 'answer' });
  });

  it('says the most that a request can be billed: every byte of its longest body, what servers add, and the limit of its answer', async () => {
    for (const [output, refusal] of [
      [ask().output, null],
      [{ ...ask().output, mode: 'json_object' as const }, null],
      [ask().output, mode === 'chat' ? 'max_tokens' : null],
    ] as const) {
      const model = made();
      if (refusal) await fails({ status: 400, error: { message: 'Unsupported', param: refusal } }, {}, model);
      const most = model.most(ask());
      await hear(answer(OUTPUT), { output }, model);
      expect(most.out).toBe(2_000);
      expect(most.in).toBeGreaterThanOrEqual(Buffer.byteLength(server.requests[0]?.raw ?? '') + 1_000);
      expect(most.in).toBeLessThan(Buffer.byteLength(server.requests[0]?.raw ?? '') * 2 + 1_000);
    }
  });

  it('does not believe a use that cannot be true', async () => {
    const names = mode === 'responses' ? ['input_tokens', 'output_tokens'] : ['prompt_tokens', 'completion_tokens'];
    const used = (a: unknown, b: unknown): Record<string, unknown> => ({ [names[0] ?? '']: a, [names[1] ?? '']: b });
    for (const usage of [
      null,
      {},
      used(-4, 10),
      used('900', 10),
      used(900, 0),
      used(0, 10),
      used(1e12, 10),
      used(900, 1e9),
      used(1.5, 2),
    ]) {
      const reply = await hear(answer(OUTPUT, { usage }));
      expect(reply.usage).toMatchObject({ estimated: true });
      expect(reply.usage.in).toBeGreaterThan(200);
      expect(reply.usage.in).toBeLessThan(10_000);
      expect(reply.usage.out).toBeGreaterThan(10);
    }
  });

  it('cannot be reached, and says so without a guess', async () => {
    await expect(made({ baseUrl: `${NOBODY}/v1` }).complete(ask())).rejects.toMatchObject({
      code: 'unreachable',
      passing: true,
      usage: { in: 0, out: 0 },
    });
    expect(await fails('reset')).toMatchObject({ code: 'unreachable', usage: null });
  });

  it('sends the same first bytes in every turn of a thread, and the same tools whatever is allowed', async () => {
    const model = made();
    const thread: ChatItem[] = [{ role: 'user', content: 'uno' }];
    server.play(() => answer(OUTPUT));
    await model.complete(ask({ items: thread, allowed: ['market_count'] }));
    await model.complete(
      ask({
        items: [...thread, { role: 'assistant', content: 'dos' }, { role: 'user', content: 'tres' }],
        allowed: ['people_find', 'companies_find', 'unknown'],
        reasoning: 'medium',
      }),
    );
    await model.complete(ask({ items: thread, allowed: [], deadlineMs: 900 }));
    const [one, two, three] = server.requests;
    if (!one || !two || !three) throw new Error('three requests');
    let same = 0;
    while (one.raw[same] === two.raw[same]) same += 1;
    const common = one.raw.slice(0, same);
    expect(common).toContain('Eres Ada. Reglas del manual.');
    expect(common).toContain(JSON.stringify(one.body['tools']));
    expect(common).toContain('uno');
    expect(JSON.stringify(two.body['tools'])).toBe(JSON.stringify(one.body['tools']));
    expect(JSON.stringify(three.body['tools'])).toBe(JSON.stringify(one.body['tools']));
    expect([one.tools, two.tools]).toEqual([TOOLS.map((t) => t.name), TOOLS.map((t) => t.name)]);
    expect(three.body['tool_choice']).toBe('none');
    if (mode === 'responses') expect([one.allowed, two.allowed]).toEqual([['market_count'], ['companies_find', 'people_find']]);
    else expect(two.body['tool_choice']).toBe('auto');
    expect(one.raw).not.toContain('deadline');
  });

  it('mends half a character pair, and sends no tools where there are none', async () => {
    await hear(answer(OUTPUT), { items: [{ role: 'user', content: '😀'.slice(0, 1) }], tools: [], allowed: [] });
    expect(server.requests[0]?.items[0]?.content).toBe('\uFFFD');
    expect(server.requests[0]?.body).not.toHaveProperty('tools');
    expect(server.requests[0]?.body).not.toHaveProperty('tool_choice');
  });

  it('lets an error of its listener through, and stops listening', async () => {
    server.play([slow(answer(OUTPUT), 5)]);
    await expect(
      made().complete(
        ask({
          onText: () => {
            throw new Error('the client left');
          },
        }),
      ),
    ).rejects.toThrow('the client left');
    await expect.poll(() => server.requests[0]?.left).toBe(true);
  });
});

describe('chat completions of servers that differ', () => {
  const model = (): Model => openaiModel({ apiKey: '', baseUrl: server.url, model: 'local', mode: 'chat', prices: null });
  it('parts reasoning that is written into the answer, however it is cut', async () => {
    for (const chunk of [1, 3, 7, 500]) {
      const heard: string[] = [];
      const thought: string[] = [];
      server.play([prose('\n<think>¿cuento < o >?</think>{"a":1}', { chunk })]);
      expect(await model().complete(ask({ onText: (d) => heard.push(d), onReasoning: (d) => thought.push(d) }))).toMatchObject({
        text: '{"a":1}',
      });
      expect([heard.join(''), thought.join('')]).toEqual(['{"a":1}', '¿cuento < o >?']);
    }
    server.play([prose('<thin', { chunk: 2 })]);
    expect(await model().complete(ask())).toMatchObject({ text: '<thin' });
  });

  it('keeps apart calls that share an index, or have none', async () => {
    const event = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    for (const index of [0, undefined]) {
      const body =
        event({ tool_calls: [{ index, id: 'a', function: { name: 'market_count', arguments: '{"giro":"x"}' } }] }) +
        event({ tool_calls: [{ index, id: 'b', function: { name: 'people_find', arguments: { giro: 'y' } } }] }) +
        event({}, 'stop') +
        'data: [DONE]\n\n';
      server.play([{ status: 200, body, headers: { 'content-type': 'text/event-stream' } }]);
      expect(await model().complete(ask())).toMatchObject({
        kind: 'tools',
        calls: [
          { id: 'a', name: 'market_count', args: { giro: 'x' } },
          { id: 'b', name: 'people_find', args: { giro: 'y' } },
        ],
      });
    }
  });
});

describe('the models of the environment', () => {
  const env = (more: Record<string, string>): Env => Env.parse({ DATABASE_URL: 'x', ...more });
  it('are none without a key, and two when there is one to escalate to, each with its own price', () => {
    expect(configuredModels(env({ OPENAI_MODEL: 'a', MODEL_ESCALATION: 'b' }))).toEqual({ model: null, escalation: null });
    const { model, escalation } = configuredModels(
      env({
        OPENAI_API_KEY: 'k',
        OPENAI_MODEL: 'a',
        MODEL_ESCALATION: 'b',
        MODEL_PRICE_IN_MICROS: '10',
        MODEL_PRICE_OUT_MICROS: '20',
        MODEL_ESCALATION_PRICE_IN_MICROS: '100',
      }),
    );
    expect([model?.name, model?.cost({ in: 1_000_000, out: 1 }), escalation?.name, escalation?.cost({ in: 1, out: 1 })]).toEqual([
      'a',
      11,
      'b',
      null,
    ]);
    expect(configuredModels(env({ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'a', MODEL_ESCALATION: 'a' })).escalation).toBeNull();
  });
});
