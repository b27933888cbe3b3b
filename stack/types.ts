import type { PartName } from './part.js';
import type { Say } from './screen.js';

export type { PartName };
export type Role = 'seller' | 'approver' | 'operator';
export type Sample = 'demo' | 'grande';

export interface StackOptions {
  /** Data, logs and record of this stack; default `CAMPANA_STATE_DIR` or `.campana` in the checkout. */
  stateDir?: string;
  /** `usual`: 7233, 8233, 7400, 7411, 55433 or the next free ones. `random`: for tests. */
  ports?: 'usual' | 'random';
  /** Added to the usual ports, so that two stacks side by side stay predictable. */
  portOffset?: number;
  /** Which parts to start; default all. Parts that the checkout does not have yet are left out with a line. */
  parts?: readonly PartName[];
  /** Size of the kitchen's made-up data. */
  sample?: Sample;
  /** Opens the kitchen's control port (faults and counts), with a token of its own. */
  faults?: boolean;
  /** Workspaces that get tool tokens; `ws_demo` always does. */
  workspaces?: readonly string[];
  /** Extra environment of kitchen, worker and api. */
  env?: Record<string, string>;
  /** Extra environment of one part. */
  envFor?: Partial<Record<PartName, Record<string, string>>>;
  /** Temporal's web UI; default on. */
  ui?: boolean;
  /** Encrypts Temporal's payloads with a key that stays in the state folder; a folder that has one is always encrypted. Keys of the environment win. */
  encrypt?: boolean;
  /** False flushes less while a database is made (a throw-away state folder). Commits are always durable. */
  durable?: boolean;
  /** Use a stack that already runs on the same state folder; default true. Otherwise finding one is an error. */
  attach?: boolean;
  /** Ctrl-C and SIGTERM stop everything in order, a second one at once; default false. */
  signals?: boolean;
  /** Gets one line per event; default stderr. `quiet` silences it. */
  say?: Say;
  quiet?: boolean;
}

export interface StackUrls {
  /** Base of the HTTP API, e.g. `http://127.0.0.1:7400`. */
  api: string;
  /** MCP endpoint of the tools. */
  tools: string;
  /** Control endpoint of the kitchen, only with `faults`. */
  toolsControl?: string;
  /** host:port of the Temporal frontend. */
  temporal: string;
  temporalUi?: string;
}

/** Connection strings with their passwords: in memory only, never recorded or logged. */
export interface StackDatabases {
  /** Owner of the campaign database. */
  campana: string;
  /** The same database as Ada's turns see it; undefined when the database is yours. */
  ada?: string;
  kitchen?: string;
  /** Superuser of the embedded server; undefined when the database is yours. */
  admin?: string;
}

export interface Stack {
  /** True when another process owns the parts: `stop` then leaves them running and `restart` is refused. */
  readonly attached: boolean;
  readonly stateDir: string;
  readonly urls: StackUrls;
  /** Empty strings when attached. */
  readonly databases: StackDatabases;
  /** Environment of a client of this stack: CAMPANA_API_URL, CAMPANA_TOKEN_FILE, TEMPORAL_ADDRESS, CAMPANA_TEMPORAL_UI, and when owned DATABASE_URL, KITCHEN_CONTROL_*. */
  readonly env: Record<string, string>;
  /** Development token of `ws_demo`, also in `tokenFile` (mode 0600); empty when the keys are yours. */
  readonly token: string;
  readonly tokenFile: string;
  readonly pids: Partial<Record<PartName, number>>;
  /** ms until ready, by part and for `build`, `workflows`, `databases`, `migrations`, `total`. */
  readonly timings: Record<string, number>;
  /** Signs a development token. @throws Error when attached or when the keys are not ours. */
  mintToken(claims: { workspace: string; roles?: Role[]; sub?: string; expiresIn?: string }): Promise<string>;
  /** Ends a part (default SIGKILL) and leaves it down until `restart`. */
  kill(part: PartName, signal?: NodeJS.Signals): Promise<void>;
  /** Stops a part if it runs and starts it again on the same port; resolves when ready, with ms. */
  restart(part: PartName, env?: Record<string, string>): Promise<number>;
  /** Stops everything in reverse order. */
  stop(): Promise<void>;
}
