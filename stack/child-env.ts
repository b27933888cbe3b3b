import type { StackCodec } from './codec.js';
import type { ToolTokens } from './tokens.js';
import { parseToolTokens, readOnlyTokens } from '../contracts/tool-tokens.js';
import { kitchenTokens } from './tokens.js';
import type { Sample } from './types.js';

/** Everything the parts need to know about each other. */
export interface Wiring {
  stateDir: string;
  databaseUrl: string;
  /** Undefined when the database is yours: then it comes from the environment. */
  adaDatabaseUrl: string | undefined;
  kitchenDatabaseUrl: string;
  toolsUrl: string;
  /** Undefined when the tools are yours: then their tokens come from the environment. */
  toolTokens: Record<string, ToolTokens> | undefined;
  temporalAddress: string | undefined;
  temporalUi: string | undefined;
  apiPort: number;
  kitchenPort: number;
  /** Undefined: payloads stay in the open. */
  codec: StackCodec | undefined;
  control: { port: number; token: string } | undefined;
  publicKeyPem: string;
  suppressionKey: string;
  workflowBundle: string;
  /** Folder of the built page. */
  pageDir: string;
  sample: Sample;
}

const WORKSPACE = 'ws_demo';

/** Variables that each part gets on purpose, or that belong to the tool that started us. */
const NOT_INHERITED = /^(TOOLS_|KITCHEN_|(ADA_)?DATABASE_URL$|PG[A-Z]+$|NODE_OPTIONS$|VITEST|TEST$|npm_)/;

/** Our environment without what a part must not have. */
const inherited = (): NodeJS.ProcessEnv => Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name)));

const given = (names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

const common = (wiring: Wiring): NodeJS.ProcessEnv => ({
  ...inherited(),
  DATABASE_URL: wiring.databaseUrl,
  TOOLS_URL: wiring.toolsUrl,
  ...given(['TOOLS_TIMEOUT_MS']),
  ...(wiring.temporalAddress ? { TEMPORAL_ADDRESS: wiring.temporalAddress, TEMPORAL_NAMESPACE: 'default' } : {}),
  ...(wiring.temporalUi ? { CAMPANA_TEMPORAL_UI: wiring.temporalUi } : {}),
  ...wiring.codec?.env,
  CAMPANA_PAGE_URL: process.env['CAMPANA_PAGE_URL'] || `http://127.0.0.1:${wiring.apiPort}`,
  CAMPANA_STATE_DIR: wiring.stateDir,
  CAMPANA_SUPPRESSION_KEY: wiring.suppressionKey,
});

/** Of your own tools the API gets what it may read with; whoever holds the rest could pay. */
const ownTokensForReading = (): NodeJS.ProcessEnv => {
  const text = process.env['TOOLS_TOKENS'];
  return text ? { TOOLS_TOKENS: readOnlyTokens(parseToolTokens(text)) } : {};
};

/** The API: reads with the tools, never pays. */
export const apiEnv = (wiring: Wiring): NodeJS.ProcessEnv => ({
  ...common(wiring),
  ...(wiring.adaDatabaseUrl ? { ADA_DATABASE_URL: wiring.adaDatabaseUrl } : given(['ADA_DATABASE_URL'])),
  CAMPANA_API_PORT: String(wiring.apiPort),
  ...(wiring.codec?.uiToken ? { CAMPANA_CODEC_UI_TOKEN: wiring.codec.uiToken } : {}),
  CAMPANA_PAGE_DIR: wiring.pageDir,
  ...(wiring.publicKeyPem ? { CAMPANA_JWT_PUBLIC_KEY: wiring.publicKeyPem } : {}),
  ...(wiring.toolTokens
    ? { TOOLS_READ_TOKEN: wiring.toolTokens[WORKSPACE]?.read, TOOLS_TOKENS: readOnlyTokens(wiring.toolTokens) }
    : { ...given(['TOOLS_READ_TOKEN']), ...ownTokensForReading() }),
});

/** The worker: the only holder of tokens that can spend. */
export const workerEnv = (wiring: Wiring): NodeJS.ProcessEnv => ({
  ...common(wiring),
  CAMPANA_WORKFLOW_BUNDLE: wiring.workflowBundle,
  ...(wiring.toolTokens
    ? {
        TOOLS_READ_TOKEN: wiring.toolTokens[WORKSPACE]?.read,
        TOOLS_PAID_TOKEN: wiring.toolTokens[WORKSPACE]?.paid,
        TOOLS_TOKENS: JSON.stringify(wiring.toolTokens),
      }
    : given(['TOOLS_READ_TOKEN', 'TOOLS_PAID_TOKEN', 'TOOLS_TOKENS'])),
});

/** The kitchen stands for somebody else's service: it gets its own database and nothing of ours. */
export const kitchenEnv = (wiring: Wiring): NodeJS.ProcessEnv => ({
  ...given(['PATH', 'HOME', 'LANG', 'NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'CAMPANA_LOG_LEVEL']),
  // What someone set for a try (faults, honoured keys, …); the lines below win.
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('KITCHEN_'))),
  KITCHEN_DATABASE_URL: wiring.kitchenDatabaseUrl,
  KITCHEN_HOST: '127.0.0.1',
  KITCHEN_PORT: String(wiring.kitchenPort),
  KITCHEN_TOKENS: kitchenTokens(wiring.toolTokens ?? {}),
  KITCHEN_SAMPLE: wiring.sample,
  ...(wiring.control ? { KITCHEN_CONTROL_PORT: String(wiring.control.port), KITCHEN_CONTROL_TOKEN: wiring.control.token } : {}),
});
