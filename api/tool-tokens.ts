import { z } from 'zod';
import type { Env } from '../contracts/env.js';

const Tokens = z.record(z.string(), z.object({ read: z.string().optional() }));

/**
 * The tool server's token of a workspace, for reading only: this process never holds one that pays.
 * @throws Error when `TOOLS_TOKENS` is not the JSON that `contracts/env.ts` describes
 */
export const toolTokens = (env: Pick<Env, 'TOOLS_TOKENS' | 'TOOLS_READ_TOKEN'>): ((workspace: string, scope: 'read' | 'paid') => string | null) => {
  let byWorkspace: z.infer<typeof Tokens> = {};
  if (env.TOOLS_TOKENS) {
    try {
      byWorkspace = Tokens.parse(JSON.parse(env.TOOLS_TOKENS));
    } catch {
      // Not the parser's own words: they would quote a secret.
      throw new Error('TOOLS_TOKENS is not valid: expected JSON { "<workspace>": { "read": "…" } }.');
    }
  }
  return (workspace, scope) => (scope === 'read' ? (Object.hasOwn(byWorkspace, workspace) ? byWorkspace[workspace]?.read : undefined) || env.TOOLS_READ_TOKEN || null : null);
};
