import { z } from 'zod';

/** A key that everybody knows: fit for trying things out, and for nothing else. */
const PUBLIC_KEY = 'development-only';

/**
 * Every setting the processes read, in one place. `stack/` fills them for a local start; in production they come from the
 * environment. Temporal's own (`TEMPORAL_*`, `temporal.toml`) are read by `@temporalio/envconfig`.
 */
export const Env = z.object({
  /** Owner of the campaign database (migrations, API, workers). */
  DATABASE_URL: z.string(),
  /** The same database through a login whose only role is `campana_ada`: what Ada's turns read and write with. Only the API needs it. */
  ADA_DATABASE_URL: z.string().default(''),
  /** Who may chat with Ada: `on`, `off`, or workspaces separated by commas. */
  CAMPANA_CHAT: z.string().default('on'),
  /** The tool server, streamable HTTP. */
  TOOLS_URL: z.string().default('http://127.0.0.1:7411/mcp'),
  /** Bearer token with scope `read` (API, Ada) and with scopes `read paid` (activity worker only). */
  TOOLS_READ_TOKEN: z.string().default(''),
  TOOLS_PAID_TOKEN: z.string().default(''),
  /** The same per workspace, JSON `{ "<workspace>": { "read": "…", "paid": "…" } }`; without `paid` in the API. The two above serve where this has no entry. */
  TOOLS_TOKENS: z.string().default(''),
  TOOLS_TIMEOUT_MS: z.coerce.number().int().default(20_000),
  CAMPANA_API_PORT: z.coerce.number().int().default(7400),
  CAMPANA_API_HOST: z.string().default('127.0.0.1'),
  /** PEM or JWKS URL that verifies tokens; in development a key pair made at start. */
  CAMPANA_JWT_PUBLIC_KEY: z.string().default(''),
  CAMPANA_JWKS_URL: z.string().default(''),
  /** The key of the suppression list's hashes; production has to set one of its own (`readEnv`). */
  CAMPANA_SUPPRESSION_KEY: z.string().default(PUBLIC_KEY),
  CAMPANA_STATE_DIR: z.string().default('.campana'),
  /** A folder per workspace with its own skills; `<CAMPANA_STATE_DIR>/skills` when not set. */
  CAMPANA_SKILLS_HOME: z.string().default(''),
  /** Roots of skills whose inline shell may run, by id and comma: `plataforma`, `cuenta:<workspace>`. None by default. */
  CAMPANA_SKILLS_SHELL: z.string().default(''),
  CAMPANA_WORKFLOW_BUNDLE: z.string().default(''),
  OPENAI_API_KEY: z.string().default(''),
  OPENAI_BASE_URL: z.string().default(''),
  OPENAI_MODEL: z.string().default('gpt-5-mini'),
  /** `chat` for compatible servers that lack the Responses API. */
  OPENAI_API_MODE: z.enum(['responses', 'chat']).default('responses'),
  /** A second model of the same server, asked when the first cannot or fails; none when empty. */
  MODEL_ESCALATION: z.string().default(''),
  /** micro-USD per million tokens in and out; without them a model has no known price. */
  MODEL_PRICE_IN_MICROS: z.coerce.number().int().optional(),
  MODEL_PRICE_OUT_MICROS: z.coerce.number().int().optional(),
  MODEL_ESCALATION_PRICE_IN_MICROS: z.coerce.number().int().optional(),
  MODEL_ESCALATION_PRICE_OUT_MICROS: z.coerce.number().int().optional(),
  OPERATOR_APPROVALS: z.enum(['on', 'off']).default('off'),
  /** Moments of the three read-backs after an unknown outcome, ms. */
  CAMPANA_READBACK_MS: z.string().default('0,450000,900000'),
  CAMPANA_LOG_LEVEL: z.string().default('info'),
  CAMPANA_TEMPORAL_UI: z.string().default(''),
  /** Keys of Temporal's payloads, `id:base64` of 32 bytes each: the first encrypts, all decrypt; or the file that holds them. None: payloads stay in the open. */
  CAMPANA_CODEC_KEYS: z.string().default(''),
  CAMPANA_CODEC_KEYS_FILE: z.string().default(''),
  /** Origins whose pages may have payloads decoded, by comma; the Temporal UI's own when not set. */
  CAMPANA_CODEC_ORIGINS: z.string().default(''),
  /** Development only, on a loopback address: the secret in the address that the dev server's UI decodes at, because it has nobody's token. */
  CAMPANA_CODEC_UI_TOKEN: z.string().default(''),
  /** Where people open our page; operators get links to it. None when empty. */
  CAMPANA_PAGE_URL: z.string().default(''),
  /** Exact origins of other front ends whose pages may read the API, by comma; none: ours alone, from its own address. */
  CAMPANA_ORIGINS: z.string().default(''),
  /** Folder of the built page (`npm run build`), served at `/`; empty: the API serves no page. */
  CAMPANA_PAGE_DIR: z.string().default(''),
  NODE_ENV: z.string().default('development'),
});
export type Env = z.infer<typeof Env>;

/** Reads and checks the environment. @throws Error with the names of what is wrong, or that production lacks a secret of its own */
export const readEnv = (from: NodeJS.ProcessEnv = process.env): Env => {
  // An empty variable means "not set".
  const given = Object.fromEntries(Object.entries(from).filter(([, v]) => v !== ''));
  const parsed = Env.safeParse(given);
  if (!parsed.success) {
    const names = parsed.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('; ');
    throw new Error(`The environment is not usable: ${names}. See docs/running.md.`);
  }
  if (parsed.data.NODE_ENV === 'production' && parsed.data.CAMPANA_SUPPRESSION_KEY === PUBLIC_KEY) {
    throw new Error(
      'CAMPANA_SUPPRESSION_KEY is not set, and NODE_ENV is production: whoever asked not to be contacted is kept as a hash under this key, and under ' +
        'the one that everybody knows the hashes could be read back. Make one (`openssl rand -base64 32`), give API and workers the same, and keep it ' +
        'for good: with another key the stored exclusions are not found. See docs/running.md.',
    );
  }
  return parsed.data;
};
