import OpenAI from 'openai';
import { z } from 'zod';
import type { Env } from '../contracts/env.js';
import { text, type Language } from '../contracts/catalog/index.js';

/** Tokens a draft takes at most: the request is short and the answer is cut at this length. */
const TOKENS = { in: 900, out: 500 };

/** What a draft costs at most, micro-USD: 0 by template (no key), null when the model's price is not configured. */
export const draftPriceMax = (env: Env): number | null => {
  if (!env.OPENAI_API_KEY) return 0;
  if (env.MODEL_PRICE_IN_MICROS === undefined || env.MODEL_PRICE_OUT_MICROS === undefined) return null;
  return cost(env, TOKENS.in, TOKENS.out);
};
const cost = (env: Env, tokensIn: number, tokensOut: number): number | null =>
  env.MODEL_PRICE_IN_MICROS === undefined || env.MODEL_PRICE_OUT_MICROS === undefined ? null
    : Math.ceil((tokensIn * env.MODEL_PRICE_IN_MICROS + tokensOut * env.MODEL_PRICE_OUT_MICROS) / 1_000_000);

export interface DraftRequest { name: string; title: string; company: string; activity: string; role: string; language: Language }
export interface Draft { subject: string; body: string; written_by: 'model' | 'template' }
/** `micros` is what the call cost, also when it gave nothing usable; null when nobody knows the price. */
export type DraftResult = { draft: Draft | null; micros: number | null; failure: 'refused' | 'incomplete' | 'not_json' | 'quota' | 'unreachable' | 'rate_limited' | null; retryAfterMs: number | null };

/** What a text of somebody else's may take of a mail. */
const FIELD_MAX = 160;
/** One line of a length that a mail has: no breaks (a subject is a header), no controls, no marks that turn the direction of writing. */
const plain = (value: string): string => value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069\s]+/gu, ' ').trim().slice(0, FIELD_MAX);
const plainly = (r: DraftRequest): Omit<DraftRequest, 'language'> => ({ name: plain(r.name), title: plain(r.title), company: plain(r.company), activity: plain(r.activity), role: plain(r.role) });

/** A draft from the catalog's template: no model, no cost, labelled as such. */
export const templateDraft = (request: DraftRequest): Draft => ({
  subject: text(request.language, 'draft.subject', plainly(request)).slice(0, 300),
  body: text(request.language, 'draft.body', plainly(request)),
  written_by: 'template',
});

const Answer = z.object({ subject: z.string().min(1).max(300), body: z.string().min(1).max(10_000) });
const SCHEMA = { type: 'object', properties: { subject: { type: 'string' }, body: { type: 'string' } }, required: ['subject', 'body'], additionalProperties: false };

/**
 * One personal draft from the model, by structured output. Never retries by itself (the lane does) and never throws for what
 * the model or the network does: the outcome and what it cost are returned, so that a failed call is metered too.
 */
export const modelDraft = async (env: Env, request: DraftRequest, signal: AbortSignal): Promise<DraftResult> => {
  const client = new OpenAI({ apiKey: env.OPENAI_API_KEY, ...(env.OPENAI_BASE_URL ? { baseURL: env.OPENAI_BASE_URL } : {}), maxRetries: 0, timeout: 60_000 });
  try {
    const reply = await client.responses.create({
      model: env.OPENAI_MODEL, max_output_tokens: TOKENS.out, store: false,
      instructions: text(request.language, 'draft.instructions'),
      // Names and titles come from outside: they are data inside JSON, never part of the instructions.
      input: JSON.stringify(plainly(request)),
      text: { format: { type: 'json_schema', name: 'draft', strict: true, schema: SCHEMA } },
    }, { signal });
    const micros = reply.usage ? cost(env, reply.usage.input_tokens, reply.usage.output_tokens) : draftPriceMax(env);
    if (reply.status !== 'completed') return { draft: null, micros, failure: 'incomplete', retryAfterMs: null };
    let parsed: unknown;
    try { parsed = JSON.parse(reply.output_text); } catch { return { draft: null, micros, failure: 'not_json', retryAfterMs: null }; }
    const answer = Answer.safeParse(parsed);
    return answer.success ? { draft: { ...answer.data, written_by: 'model' }, micros, failure: null, retryAfterMs: null } : { draft: null, micros, failure: 'not_json', retryAfterMs: null };
  } catch (error) {
    if (error instanceof OpenAI.RateLimitError) {
      const quota = error.code === 'insufficient_quota';
      const header = Number(error.headers?.get('retry-after') ?? Number.NaN);
      return { draft: null, micros: 0, failure: quota ? 'quota' : 'rate_limited', retryAfterMs: Number.isFinite(header) ? header * 1000 : null };
    }
    if (error instanceof OpenAI.APIConnectionError || error instanceof OpenAI.InternalServerError) {
      // The request may have been answered and billed: what it would cost at most is counted.
      return { draft: null, micros: draftPriceMax(env), failure: 'unreachable', retryAfterMs: null };
    }
    if (error instanceof OpenAI.APIUserAbortError) throw error;
    if (error instanceof OpenAI.APIError) return { draft: null, micros: 0, failure: 'refused', retryAfterMs: null };
    throw error;
  }
};
