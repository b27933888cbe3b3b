import { ModelFailure, type FailureCode, type Prompt, type TextModel, type TokenUse } from '../ada/ports/model.js';
import { configuredModels } from '../ada/ports/openai.js';
import { strictSchema } from '../ada/ports/strict-schema.js';
import { text } from '../contracts/catalog/index.js';
import type { Env } from '../contracts/env.js';
import { DraftAnswer, FIELD_MAX, plainly, readDraft, type Draft, type DraftRequest } from './model-text.js';

export { templateDraft, type Draft, type DraftRequest } from './model-text.js';

/**
 * Tokens that a draft may take, reasoning included: the mail needs about 400, and what is left is for models that think first. With the prompt
 * it still fits the smallest contexts in use (4,096).
 */
const OUTPUT_TOKENS = 3_000;
/** How long one draft may take, ms. */
const DEADLINE_MS = 60_000;
const SCHEMA = strictSchema(DraftAnswer);
const LANGUAGES = ['es-MX', 'en'] as const;

/** `unfit`: answered, with something that is no draft. */
export type DraftFailure = FailureCode | 'unfit';
/**
 * `micros` is what the draft cost, also when it gave nothing usable: the most where nobody says what was used, 0 where surely nothing was, null
 * when nobody knows the price. `detail` is a code, never words of the model or the server.
 */
export type DraftResult =
  | { draft: Draft; micros: number | null; failure: null }
  | { draft: null; micros: number | null; failure: DraftFailure; detail: string | null; retryAfterMs: number | null };

type Mode = Prompt['output']['mode'];
const promptOf = (request: DraftRequest, mode: Mode, deadlineMs: number, signal: AbortSignal): Prompt => ({
  prefix: text(request.language, 'draft.instructions'),
  // Names and titles come from outside: they are data inside JSON, never part of the instructions.
  items: [{ role: 'user', content: JSON.stringify(plainly(request)) }],
  tools: [],
  allowed: [],
  output: { mode, name: 'draft', schema: SCHEMA },
  reasoning: 'low',
  maxOutputTokens: OUTPUT_TOKENS,
  deadlineMs,
  signal,
});

/** What a draft costs at most, micro-USD: one call with the longest data there can be, answered to the limit. Null when the price is not known. */
const mostOf = (model: TextModel): number | null => {
  // Quotes are the characters that take most bytes: each is escaped twice on its way.
  const longest = '"'.repeat(FIELD_MAX);
  const prompts = LANGUAGES.map((language) =>
    promptOf(
      { name: longest, title: longest, company: longest, activity: longest, role: longest, language },
      'json_schema',
      DEADLINE_MS,
      new AbortController().signal,
    ),
  );
  const costs = prompts.map((prompt) => model.cost(model.most(prompt)));
  return costs.includes(null) ? null : Math.max(...costs.filter((c) => c !== null));
};

interface Drafter {
  priceMax: number | null;
  draft(request: DraftRequest, signal: AbortSignal, deadlineMs: number): Promise<DraftResult>;
}
const isNothing = (usage: TokenUse | null): boolean => usage !== null && usage.in === 0 && usage.out === 0;

const drafterWith = (model: TextModel): Drafter => {
  const priceMax = mostOf(model);
  const spent = (usage: TokenUse | null): number | null =>
    isNothing(usage) ? 0 : usage === null || usage.estimated ? priceMax : model.cost(usage);
  let mode: Mode = 'json_schema';

  return {
    priceMax,
    async draft(request, signal, deadlineMs) {
      const end = performance.now() + deadlineMs;
      for (;;) {
        // Lanes share what was learned, and one may learn while another waits for its answer.
        const asked = mode;
        try {
          const reply = await model.complete(promptOf(request, asked, end - performance.now(), signal));
          const micros = spent(reply.usage);
          // No tools were offered.
          if (reply.kind === 'tools') return { draft: null, micros, failure: 'bad_reply', detail: 'tools', retryAfterMs: null };
          const read = readDraft(reply.text, request);
          return 'unfit' in read
            ? { draft: null, micros, failure: 'unfit', detail: read.unfit, retryAfterMs: null }
            : { draft: read, micros, failure: null };
        } catch (error) {
          if (!(error instanceof ModelFailure)) throw error;
          // A call that may have been billed is the only one under its hold; what surely cost nothing is asked again in a way that the server takes.
          if (error.code === 'not_capable' && isNothing(error.usage)) {
            if (error.adapted) continue;
            if (asked === 'json_schema' && (error.lacks === 'output' || error.lacks === null)) {
              mode = 'json_object';
              continue;
            }
          }
          return { draft: null, micros: spent(error.usage), failure: error.code, detail: error.lacks, retryAfterMs: error.retryAfterMs };
        }
      }
    },
  };
};

/** One per environment: what was learned of its server holds for all lanes. Null without a key. */
const drafters = new WeakMap<Env, Drafter | 'template'>();
const drafterOf = (env: Env): Drafter | 'template' => {
  const known = drafters.get(env);
  if (known) return known;
  const { model } = configuredModels(env);
  const made = model ? drafterWith(model) : 'template';
  drafters.set(env, made);
  return made;
};

/** What a draft costs at most, micro-USD: 0 by template (no key), null when the model's price is not configured. */
export const draftPriceMax = (env: Env): number | null => {
  const drafter = drafterOf(env);
  return drafter === 'template' ? 0 : drafter.priceMax;
};

/**
 * One personal draft from the model, by structured output; null where there is none. Never tries again what may have been billed (the lane
 * does) and never throws for what the model or the network does: the outcome and what it cost are returned, so that a failed call is metered too.
 */
export const modelDraft = async (
  env: Env,
  request: DraftRequest,
  signal: AbortSignal,
  deadlineMs = DEADLINE_MS,
): Promise<DraftResult | null> => {
  const drafter = drafterOf(env);
  return drafter === 'template' ? null : drafter.draft(request, signal, deadlineMs);
};
