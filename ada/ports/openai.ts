import OpenAI from 'openai';
import type { Env } from '../../contracts/env.js';
import { ModelFailure, type Lack, type ModelReply, type Prompt, type TextModel, type TokenUse } from './model.js';
import { chatWire } from './openai/chat.js';
import { byCode, failureOf } from './openai/failures.js';
import { responsesWire } from './openai/responses.js';
import { AROUND, believable, estimated, record, type Lacks } from './openai/wire.js';

/** A reply longer than this is no reply: nobody asked for it and it would fill the memory. */
const REPLY_MAX = 400_000;
/** How long an answered stream may take to close, so that its connection serves again. */
const CLOSE_MS = 1_000;
const isTimeout = (signal: AbortSignal): boolean => signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
const NOTHING: TokenUse = { in: 0, out: 0 };

export interface OpenAIOptions {
  apiKey: string;
  /** Of a compatible server; empty for the provider itself. */
  baseUrl: string;
  model: string;
  mode: 'responses' | 'chat';
  /** micro-USD per million tokens; null when not known. */
  prices: { in: number; out: number } | null;
  kind?: 'openai' | 'scripted';
  fetch?: typeof fetch;
}

/** Closes what was answered in its own time; its connection is kept if it does so soon. */
const drain = async (events: AsyncIterator<unknown>, own: AbortController): Promise<void> => {
  const timer = setTimeout(() => {
    own.abort();
  }, CLOSE_MS);
  timer.unref();
  try {
    while (!(await events.next()).done);
  } catch {
    /* it was answered before */
  } finally {
    clearTimeout(timer);
  }
};

/**
 * A model behind an OpenAI-compatible API. One HTTP request per `complete`, over within its deadline, whatever the server does; a reply counts
 * only when the server says that it is complete.
 */
export const openaiModel = (options: OpenAIOptions): TextModel => {
  const client = new OpenAI({
    // Servers of one's own often have no key, and the library wants one.
    apiKey: options.apiKey || 'none',
    baseURL: options.baseUrl || 'https://api.openai.com/v1',
    maxRetries: 0,
    logLevel: 'off',
    ...(options.fetch ? { fetch: options.fetch } : {}),
  });
  const wire = options.mode === 'responses' ? responsesWire : chatWire(options.baseUrl === '');
  const lacks = new Set<Lack>();
  const bodyOf = (request: Prompt, without: Lacks): Record<string, unknown> => ({ model: options.model, ...wire.body(request, without) });

  const send = (body: Record<string, unknown>, signal: AbortSignal, timeout: number) =>
    options.mode === 'responses'
      ? client.responses.create(body as unknown as OpenAI.Responses.ResponseCreateParamsStreaming, { signal, timeout }).withResponse()
      : client.chat.completions.create(body as unknown as OpenAI.ChatCompletionCreateParamsStreaming, { signal, timeout }).withResponse();

  return {
    name: options.model,
    kind: options.kind ?? 'openai',
    cost: (usage) => (options.prices ? Math.ceil((usage.in * options.prices.in + usage.out * options.prices.out) / 1_000_000) : null),

    most(request) {
      const bodies = (['json_schema', 'json_object'] as const).flatMap((mode) =>
        [new Set<Lack>(), new Set<Lack>(['max_tokens'])].map((without) =>
          bodyOf({ ...request, output: { ...request.output, mode } }, without),
        ),
      );
      return { in: Math.max(...bodies.map((body) => Buffer.byteLength(JSON.stringify(body)))) + AROUND, out: request.maxOutputTokens };
    },

    async complete(request): Promise<ModelReply> {
      if (request.signal.aborted) throw new ModelFailure(isTimeout(request.signal) ? 'timeout' : 'aborted', NOTHING);
      if (!(request.deadlineMs > 0)) throw new ModelFailure('timeout', NOTHING, null, 'no time left');
      // Others ask at the same time, and may learn something meanwhile that this request does not know yet.
      const without = new Set(lacks);
      const body = bodyOf(request, without);
      const started = performance.now();
      const own = new AbortController();
      let late = false;
      let ttftMs: number | null = null;
      let received = 0;
      // The library's own timeout ends with the headers; this one holds to the end of the body.
      const timer = setTimeout(
        () => {
          late = true;
          own.abort();
        },
        Math.min(request.deadlineMs, 2 ** 31 - 1),
      );
      const leave = (): void => {
        own.abort();
      };
      request.signal.addEventListener('abort', leave, { once: true });

      const reader = wire.reader(request, {
        text: (delta) => {
          received += delta.length;
          request.onText?.(delta);
        },
        reasoning: (delta) => {
          received += delta.length;
          request.onReasoning?.(delta);
        },
        token: () => {
          ttftMs ??= Math.round(performance.now() - started);
        },
      });
      const sentBytes = (): number => Buffer.byteLength(JSON.stringify(body));
      const used = (): TokenUse | null => believable(wire.tokens(record(reader.usage())), sentBytes(), received, request.maxOutputTokens);
      // A signal that was made of a time limit is one too.
      const stopped = (): ModelFailure | null =>
        request.signal.aborted && !isTimeout(request.signal)
          ? new ModelFailure('aborted', used())
          : late || request.signal.aborted
            ? new ModelFailure('timeout', used())
            : null;

      let began = false;
      let type = '';
      let over = false;
      let closing: NodeJS.Timeout | null = null;
      try {
        const { data, response } = await send(body, own.signal, Math.ceil(request.deadlineMs) + 1_000);
        began = true;
        type = response.headers.get('content-type') ?? '';
        if (type.includes('json')) {
          reader.whole(await response.json());
          ttftMs = null;
        } else {
          const events = (data as AsyncIterable<unknown>)[Symbol.asyncIterator]();
          for (;;) {
            const next = await events.next();
            if (next.done) break;
            over = reader.event(next.value);
            if (over) {
              void drain(events, own);
              break;
            }
            // Said, but not closed: what is still to come, like the usage, has a moment.
            if (!closing && reader.heard())
              closing = setTimeout(() => {
                own.abort();
              }, CLOSE_MS);
            if (received > REPLY_MAX) {
              own.abort();
              throw new ModelFailure('bad_reply', used(), null, 'too long');
            }
          }
        }
      } catch (error) {
        // A reply that was complete before the connection broke is one.
        if (error instanceof ModelFailure || request.signal.aborted || reader.heard() === null) {
          const failure = error instanceof ModelFailure ? error : (stopped() ?? failureOf(error, began, used()));
          own.abort();
          if (failure?.adapted && failure.lacks) {
            // Refused although it was left out: there is nothing to try again.
            if (without.has(failure.lacks)) throw new ModelFailure('not_capable', failure.usage, null, failure.message);
            lacks.add(failure.lacks);
          }
          throw failure ?? error;
        }
      } finally {
        clearTimeout(timer);
        if (closing) clearTimeout(closing);
        request.signal.removeEventListener('abort', leave);
      }

      const heard = reader.heard();
      if (request.signal.aborted && !isTimeout(request.signal) && !over) throw new ModelFailure('aborted', used());
      if (!heard) throw stopped() ?? new ModelFailure(/event-stream/.test(type) || received > 0 ? 'cut' : 'bad_reply', used(), null, type);
      const { ended } = heard;
      switch (ended.how) {
        case 'cut':
          throw new ModelFailure('cut', used(), null, ended.detail);
        case 'refused':
          throw new ModelFailure('refused', used(), null, ended.detail.slice(0, 300));
        case 'failed':
          throw new ModelFailure(byCode(ended.code) ?? 'server_error', used(), null, `${ended.code} ${ended.detail}`.slice(0, 300));
        case 'completed':
          break;
      }
      const length = heard.text.length + heard.calls.reduce((sum, c) => sum + JSON.stringify(c.args).length, 0);
      const usage =
        believable(wire.tokens(record(heard.usage)), sentBytes(), length, request.maxOutputTokens) ??
        estimated(sentBytes(), Math.max(length, received));
      if (heard.calls.some((c) => c.name === '')) throw new ModelFailure('bad_reply', usage, null, 'a call of no tool');
      if (heard.calls.length > 0) return { kind: 'tools', calls: heard.calls, usage, ttftMs };
      if (heard.text.trim() === '') throw new ModelFailure('bad_reply', usage, null, 'nothing said');
      return { kind: 'answer', text: heard.text, usage, ttftMs };
    },
  };
};

/** The models of the environment; none without a key. */
export const configuredModels = (env: Env): { model: TextModel | null; escalation: TextModel | null } => {
  if (!env.OPENAI_API_KEY) return { model: null, escalation: null };
  const of = (model: string, priceIn: number | undefined, priceOut: number | undefined): TextModel =>
    openaiModel({
      apiKey: env.OPENAI_API_KEY,
      baseUrl: env.OPENAI_BASE_URL,
      model,
      mode: env.OPENAI_API_MODE,
      prices: priceIn === undefined || priceOut === undefined ? null : { in: priceIn, out: priceOut },
    });
  return {
    model: of(env.OPENAI_MODEL, env.MODEL_PRICE_IN_MICROS, env.MODEL_PRICE_OUT_MICROS),
    escalation:
      env.MODEL_ESCALATION && env.MODEL_ESCALATION !== env.OPENAI_MODEL
        ? of(env.MODEL_ESCALATION, env.MODEL_ESCALATION_PRICE_IN_MICROS, env.MODEL_ESCALATION_PRICE_OUT_MICROS)
        : null,
  };
};
