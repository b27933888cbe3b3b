import { z } from 'zod';

/** Bearer tokens of one workspace at the tool server; `paid` only where something is bought. */
const WorkspaceTokens = z.object({ read: z.string().optional(), paid: z.string().optional() });
export type ToolTokenMap = Record<string, z.infer<typeof WorkspaceTokens>>;

const TokenMap = z.record(z.string(), WorkspaceTokens);

/**
 * `TOOLS_TOKENS`; none when it is empty.
 * @throws Error that says what is expected and quotes nothing of the value: it is full of secrets
 */
export const parseToolTokens = (text: string): ToolTokenMap => {
  if (text === '') return {};
  try {
    return TokenMap.parse(JSON.parse(text));
  } catch {
    // Not the parser's own words, nor as a cause: they would quote a secret.
    throw new Error('TOOLS_TOKENS is not valid: expected JSON { "<workspace>": { "read": "…", "paid": "…" } }.');
  }
};

/** The same without what can pay, as text again. */
export const readOnlyTokens = (tokens: ToolTokenMap): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(tokens).flatMap(([workspace, { read }]) => (read === undefined ? [] : [[workspace, { read }]]))),
  );

/** The token of a workspace for a scope: its own, else the one for workspaces without an entry, else none. */
export const tokenOf =
  (tokens: ToolTokenMap, others: { read: string; paid: string }): ((workspace: string, scope: 'read' | 'paid') => string | null) =>
  (workspace, scope) =>
    (Object.hasOwn(tokens, workspace) ? tokens[workspace]?.[scope] : undefined) || others[scope] || null;
