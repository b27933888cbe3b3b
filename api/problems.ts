import type { FastifyError } from 'fastify';
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod';
import { hasText, text, type Language } from '../contracts/catalog/index.js';
import { Refusal, type Problem } from '../contracts/problem.js';
import { isRetryable } from '../db/client.js';

/** The language of an answer, from `Accept-Language`; Mexican Spanish unless English is preferred. */
export const languageOf = (header: string | undefined): Language => {
  if (!header || header === 'es-MX') return 'es-MX';
  const wanted = header.split(',').map((part) => {
    const [tag = '', ...rest] = part.trim().toLowerCase().split(';');
    const q = rest.map((r) => r.trim()).find((r) => r.startsWith('q='));
    return { tag, q: q ? Number(q.slice(2)) || 0 : 1 };
  });
  const best = (prefix: string): number =>
    Math.max(0, ...wanted.filter((w) => w.tag === prefix || w.tag.startsWith(`${prefix}-`)).map((w) => w.q));
  return best('en') > best('es') ? 'en' : 'es-MX';
};

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '');

/** Fastify's own refusals, by its codes. */
const FRAMEWORK: Record<string, [number, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'media_type_unsupported'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'body_too_large'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'body_invalid'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'body_invalid'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'body_invalid'],
  FST_ERR_BAD_URL: [400, 'request_malformed'],
  FST_ERR_ASYNC_CONSTRAINT: [400, 'request_malformed'],
};
/** PostgreSQL's words for text it cannot hold (a NUL, half a surrogate pair). */
const BAD_TEXT = new Set(['22021', '22P05']);

/**
 * A database that cannot do it now and may later: 57014 our own limit on how long a statement may run, 53xxx no room (disk, memory,
 * configuration), 25006 a standby or a server set to read only.
 */
const AWAY = new Set(['57014', '53100', '53200', '53400', '25006']);

/** Any error as a refusal with a code; null for what nobody foresaw (then it is logged and nothing of it is told). */
export const asRefusal = (error: unknown): Refusal | null => {
  if (error instanceof Refusal) return error;
  if (isResponseSerializationError(error)) return null;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issues = error.validation
      .slice(0, 20)
      .map((v) => ({ at: `${error.validationContext ?? ''}${v.instancePath}`, rule: v.keyword, message: v.message ?? '' }));
    return new Refusal(400, 'request_invalid', { at: issues[0]?.at ?? '', issues });
  }
  const known = FRAMEWORK[codeOf(error)];
  if (known) return new Refusal(known[0], known[1], {});
  if (BAD_TEXT.has(codeOf(error))) return new Refusal(400, 'body_invalid', {});
  if (isRetryable(error) || AWAY.has(codeOf(error)))
    return new Refusal(503, 'database_unavailable', {}, { retryable: true, retry_after_ms: 1_000 });
  const status = (error as Partial<FastifyError> | null)?.statusCode;
  if (error instanceof SyntaxError && status === 400) return new Refusal(400, 'body_invalid', {});
  if (typeof status === 'number' && status >= 400 && status < 500) return new Refusal(status, 'request_malformed', {});
  return null;
};

/** Title of a problem: one per status, unless the code has its own. */
const titleOf = (language: Language, refusal: Refusal): string =>
  text(language, hasText(`problem.${refusal.code}`) ? `problem.${refusal.code}` : `problem.${refusal.status}`);

/** RFC 9457 body of a refusal, in the caller's language. @param requestId names this one occurrence; the log has it too */
export const toProblem = (refusal: Refusal, language: Language, requestId: string): Problem => ({
  type: `urn:campana:problem:${refusal.code}`,
  title: titleOf(language, refusal),
  status: refusal.status,
  ...(hasText(refusal.code) ? { detail: text(language, refusal.code, refusal.params) } : {}),
  instance: `urn:campana:request:${requestId}`,
  code: refusal.code,
  ...(Object.keys(refusal.params).length > 0 ? { params: refusal.params } : {}),
  retryable: refusal.extra.retryable ?? (refusal.status === 429 || refusal.status === 503),
  ...(refusal.extra.retry_after_ms !== undefined ? { retry_after_ms: Math.round(refusal.extra.retry_after_ms) } : {}),
  ...(refusal.extra.decision !== undefined ? { decision: refusal.extra.decision } : {}),
  ...(refusal.extra.fresh_decision_id !== undefined ? { fresh_decision_id: refusal.extra.fresh_decision_id } : {}),
});
