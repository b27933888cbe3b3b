import type { StackOptions } from '../../stack/up.js';
import type { Scenario } from './scenario.js';

/** A scenario's own workspace, so that none disturbs another: who was paid for in one is new in the next. */
export const workspaceOf = (scenario: Scenario): string => `ws_${scenario.name.replaceAll('-', '_')}`;
/** A second workspace of the stack, which nobody pays for. */
export const OTHER_WORKSPACE = 'ws_otro';

/** Settings of a developer's shell that must not decide what the scenarios talk to. */
const FOREIGN = [
  'DATABASE_URL',
  'KITCHEN_DATABASE_URL',
  'TOOLS_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_PROFILE',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'CAMPANA_STATE_DIR',
  'CAMPANA_SKILLS_HOME',
  'CAMPANA_JWT_PUBLIC_KEY',
  'CAMPANA_JWKS_URL',
  'OPERATOR_APPROVALS',
  'CAMPANA_CODEC_KEYS',
  'CAMPANA_CODEC_KEYS_FILE',
];
export const forgetForeign = (): void => {
  for (const name of FOREIGN) delete process.env[name];
};

/** A call is given up after this, ms: longer than any scenario holds one, so that none that is held becomes one that was lost. */
export const TOOLS_TIMEOUT_MS = '55000';

/** Read-backs in seconds instead of a quarter of an hour. */
export const faultsStack = (scenarios: readonly Scenario[]): StackOptions => ({
  ports: 'random',
  faults: true,
  ui: false,
  durable: false,
  attach: false,
  workspaces: [OTHER_WORKSPACE, ...scenarios.map(workspaceOf)],
  env: { CAMPANA_READBACK_MS: '0,1000,2000', TOOLS_TIMEOUT_MS },
});
