import { ToolFailure, createTools } from '../../activities/mcp.js';
import { CATALOGUE } from '../../contracts/tools/catalogue.js';
import type { ReadTools } from '../types.js';

/** What a failed read says: `code`, `retryAfterMs`, `passing`, `params`. */
export { ToolFailure };

export interface ReadToolsConfig {
  url: string;
  /** The workspace's bearer token with scope `read`; null when it has none. */
  token(workspace: string): string | null;
  timeoutMs: number;
}

const reasonOf = (signal: AbortSignal): string =>
  signal.reason instanceof Error && signal.reason.name === 'TimeoutError' ? 'timeout' : 'aborted';
const CONTRACTS = new Map(CATALOGUE.map((c) => [c.name, c]));

/**
 * The tool server as a turn may use it: reads only. Whatever writes or pays is refused before anything is sent, and this holds no token that
 * could.
 */
export const readTools = (config: ReadToolsConfig): ReadTools & { close(): Promise<void> } => {
  const tools = createTools({
    url: config.url,
    token: (workspace, scope) => (scope === 'read' ? config.token(workspace) : null),
    timeoutMs: config.timeoutMs,
  });
  return {
    async call(workspace, name, args, options) {
      const contract = CONTRACTS.get(name);
      if (!contract) throw new ToolFailure(name, 'not_sent', 'tool_missing');
      if (contract.scope !== 'read' || !contract.readOnly) throw new ToolFailure(name, 'not_sent', 'not_allowed');
      const checked = contract.input.safeParse(args);
      if (!checked.success)
        throw new ToolFailure(name, 'not_sent', 'arguments_invalid', null, false, {
          issues: checked.error.issues.slice(0, 5).map((i) => ({ path: i.path.join('.'), message: i.message })),
        });
      const timeoutMs = Math.min(config.timeoutMs, options.timeoutMs);
      if (options.signal.aborted) throw new ToolFailure(name, 'not_sent', reasonOf(options.signal));
      if (!(timeoutMs > 0)) throw new ToolFailure(name, 'not_sent', 'timeout');
      // Opening the connection counts too, and knows no signal of ours.
      const own = new AbortController();
      let stop: (code: string) => void = () => undefined;
      const stopped = new Promise<never>((_, reject) => {
        stop = (code) => {
          reject(new ToolFailure(name, 'unknown', code));
          own.abort();
        };
      });
      const timer = setTimeout(() => {
        stop('timeout');
      }, timeoutMs);
      const leave = (): void => {
        stop(reasonOf(options.signal));
      };
      options.signal.addEventListener('abort', leave, { once: true });
      try {
        return await Promise.race([
          tools.call(workspace, contract, args, { scope: 'read', timeoutMs: timeoutMs + 1_000, signal: own.signal }),
          stopped,
        ]);
      } finally {
        clearTimeout(timer);
        options.signal.removeEventListener('abort', leave);
      }
    },
    close: () => tools.close(),
  };
};
