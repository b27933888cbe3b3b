import type { Env } from '../contracts/env.js';
import { parseToolTokens, tokenOf } from '../contracts/tool-tokens.js';

/**
 * The tool server's token of a workspace, for reading only: this process never holds one that pays.
 * @throws Error when `TOOLS_TOKENS` is not the JSON that `contracts/env.ts` describes; its text quotes none of it
 */
export const toolTokens = (
  env: Pick<Env, 'TOOLS_TOKENS' | 'TOOLS_READ_TOKEN'>,
): ((workspace: string, scope: 'read' | 'paid') => string | null) => {
  const token = tokenOf(parseToolTokens(env.TOOLS_TOKENS), { read: env.TOOLS_READ_TOKEN, paid: '' });
  return (workspace, scope) => (scope === 'read' ? token(workspace, 'read') : null);
};
