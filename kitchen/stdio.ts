import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { readKitchenEnv } from './config.js';
import { Session } from './kitchen.js';
import { makeServer } from './protocol.js';
import { openKitchen } from './start.js';

/**
 * Entry of the tool server over stdio, for one client. `KITCHEN_WORKSPACE` (default `ws_demo`) and `KITCHEN_SCOPES` (default
 * `read`, separated by blanks) say whose it is. There is no control endpoint, and faults that break a connection do nothing.
 */
const main = async (): Promise<void> => {
  const { kitchen, close } = await openKitchen({ ...readKitchenEnv(), controlToken: undefined });
  const scopes = (process.env['KITCHEN_SCOPES'] ?? 'read').split(/[\s,]+/).filter((s) => s === 'read' || s === 'paid');
  const server = makeServer(kitchen, new Session(process.env['KITCHEN_WORKSPACE'] ?? 'ws_demo', scopes));
  const end = (): void => {
    void close().finally(() => process.exit(0));
  };
  server.onclose = end;
  process.stdin.once('end', end);
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  await server.connect(new StdioServerTransport());
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
