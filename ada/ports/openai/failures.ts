import OpenAI from 'openai';
import { ModelFailure, type FailureCode, type Lack, type TokenUse } from '../model.js';

const NOTHING: TokenUse = { in: 0, out: 0 };

/** Codes that a reply or an error carries, whatever its status. Null: says nothing. */
export const byCode = (code: string): FailureCode | null => {
  if (/quota|billing|insufficient_(funds|balance|credits)/.test(code)) return 'quota';
  if (/rate_limit/.test(code)) return 'rate_limited';
  if (/invalid_prompt|policy|content_filter|safety/.test(code)) return 'refused';
  if (/invalid_api_key|model_not_found|permission/.test(code)) return 'unauthorized';
  if (/context_length/.test(code)) return 'not_capable';
  return null;
};

/** What a 400 is about: by the parameter it names, or by its words. */
const lackOf = (param: string, code: string, message: string): Lack | null => {
  const of = (words: string): Lack | null => {
    if (/text\.format|response_format|json_schema|json_object|structured output/i.test(words)) return 'output';
    if (/reasoning\.summary|reasoning summar/i.test(words)) return 'summary';
    if (/reasoning/i.test(words)) return 'reasoning';
    if (/tool_choice|allowed_tools/i.test(words)) return 'tool_choice';
    if (/stream_options/i.test(words)) return 'stream_options';
    if (/context.{0,3}(length|window)|maximum context|prompt is too long/i.test(words)) return 'context';
    if (/max_(completion_|output_)?tokens/i.test(words)) return 'max_tokens';
    return null;
  };
  return of(param) ?? of(code) ?? of(message.slice(0, 600));
};

const retryAfter = (headers: Headers | undefined): number | null => {
  const ms = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const header = headers?.get('retry-after');
  if (!header) return null;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, Math.ceil(wait)) : null;
};

type APIFailure = InstanceType<typeof OpenAI.APIError>;
const statusFailure = (error: APIFailure, status: number): ModelFailure => {
  const code = typeof error.code === 'string' ? error.code : '';
  const detail = error.message.slice(0, 300);
  const said = byCode(code) ?? byCode(typeof error.type === 'string' ? error.type : '');
  const not = (failure: FailureCode, lacks: Lack | null = null): ModelFailure =>
    new ModelFailure(failure, NOTHING, retryAfter(error.headers), detail, lacks);
  if (status === 402) return not('quota');
  if (status === 429) return not(said === 'quota' ? 'quota' : 'rate_limited');
  if (status === 401 || status === 403) return not(said === 'quota' ? 'quota' : 'unauthorized');
  if (status === 404 || status === 405)
    return said === 'unauthorized' || /model/i.test(detail) ? not('unauthorized') : not('not_capable', 'api');
  if (status === 408) return new ModelFailure('timeout', null, retryAfter(error.headers), detail);
  if (status === 413) return not('not_capable', 'context');
  // 409 is a lock that passes; a 5xx may have worked before it broke.
  if (status === 409 || status >= 500) return new ModelFailure('server_error', null, retryAfter(error.headers), detail);
  const lacks = lackOf(typeof error.param === 'string' ? error.param : '', code, error.message);
  if (lacks) return not('not_capable', lacks);
  return not(said ?? 'rejected');
};

const words = (error: unknown): string => {
  const parts: string[] = [];
  for (let e: unknown = error; e instanceof Error && parts.length < 18; e = e.cause)
    parts.push(e.name, e.message, 'code' in e ? String(e.code) : '');
  return parts.join(' ');
};

/** What went wrong below the reply. `began`: the server had accepted the request. Null for what is no failure of a model. */
export const failureOf = (error: unknown, began: boolean, usage: TokenUse | null): ModelFailure | null => {
  if (error instanceof OpenAI.APIConnectionTimeoutError) return new ModelFailure('timeout', usage, null, error.message);
  if (error instanceof OpenAI.APIConnectionError)
    return new ModelFailure(
      'unreachable',
      /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(words(error)) ? NOTHING : usage,
      null,
      words(error.cause).slice(0, 200),
    );
  if (error instanceof OpenAI.APIUserAbortError) return new ModelFailure('aborted', usage);
  if (error instanceof OpenAI.APIError) {
    if (typeof error.status === 'number') return statusFailure(error as APIFailure, error.status);
    // An error among the events of a stream.
    return new ModelFailure(
      byCode(typeof error.code === 'string' ? error.code : '') ?? 'server_error',
      usage,
      null,
      error.message.slice(0, 300),
    );
  }
  if (error instanceof SyntaxError) return new ModelFailure('bad_reply', usage, null, 'not JSON');
  if (/terminated|fetch failed|other side closed|UND_ERR|ECONNRESET|EPIPE|AbortError/.test(words(error)))
    return new ModelFailure(began ? 'cut' : 'unreachable', usage, null, words(error).slice(0, 200));
  return null;
};
