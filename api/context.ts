import type { Context } from '../activities/context.js';
import { deterministicModel } from '../ada/deterministic/index.js';
import { openLibraries } from '../ada/library/home.js';
import { configuredModels } from '../ada/ports/openai.js';
import { readTools } from '../ada/ports/tools.js';
import type { AdaPorts } from '../ada/types.js';
import type { Outbox } from '../activities/outbox.js';
import { createAnsweringPool } from '../db/api-pool.js';
import { openAda } from './ada-ports.js';
import { createVerifier } from './auth.js';
import { createHub } from './hub.js';
import { countLive } from '../db/operations.js';
import { addGauge, addGauges, createMeters, type Meters } from './metrics.js';
import { ProgressReader } from './progress-reader.js';
import { createSessions } from './sessions.js';
import { toolTokens } from './tool-tokens.js';
import { startTurns, type TurnsOptions } from './turns.js';
import type { ApiContext, ServerContext } from './types.js';

export interface OpenedApi {
  api: ServerContext;
  close(): Promise<void>;
}
/** What a test or a measurement replaces. */
export interface OpenOptions {
  turns?: TurnsOptions;
  model?: AdaPorts['model'];
  tools?: AdaPorts['tools'];
  cardWithinMs?: number;
}

/**
 * Everything the routes need beyond the shared context: keys, notifications, the progress reader, the skill libraries, Ada
 * with the turns that wait for her, and meters.
 * @param meters the ones that the Temporal client counts into, when there is one
 */
export const openApi = async (
  ctx: Context,
  outbox: Pick<Outbox, 'kick' | 'state'>,
  meters: Meters = createMeters(),
  options: OpenOptions = {},
): Promise<OpenedApi> => {
  const verify = await createVerifier(ctx.env);
  const pollPool = createAnsweringPool(ctx.env.DATABASE_URL, { max: 2, name: 'campana-progress', statementMs: 5_000 });
  const hub = createHub(ctx.env.DATABASE_URL);
  const sessions = createSessions(ctx.pool, hub, verify);
  const reader = new ProgressReader(pollPool);
  const skills = openLibraries(ctx.env);
  addGauge(meters, 'campana_outbox_pending', 'Rows not delivered to Temporal yet', () => outbox.state().pending);
  addGauge(meters, 'campana_outbox_oldest_ms', 'Age of the oldest row not delivered yet', () => outbox.state().oldest_ms);
  addGauge(meters, 'campana_outbox_delivered', 'Rows delivered by this process', () => outbox.state().delivered);
  addGauge(meters, 'campana_progress_statements', 'Statements that answered progress requests', () => reader.counts.statements);
  addGauge(meters, 'campana_progress_answers', 'Progress requests answered by those statements', () => reader.counts.answers);
  addGauge(meters, 'campana_database_waiting', 'Requests that wait for a database connection', () => ctx.pool.waitingCount);
  addGauge(meters, 'campana_listening', '1 while notifications of PostgreSQL arrive', () => (hub.connected() ? 1 : 0));
  const live = cached(5_000, () => countLive(pollPool));
  addGauges(meters, 'campana_runs', 'Runs that are not over, by state', 'state', async () =>
    Object.fromEntries((await live()).runs.map((r) => [r.state, r.n])),
  );
  addGauge(meters, 'campana_effects_unconfirmed', 'Calls whose outcome nobody knows yet', async () => (await live()).unconfirmed);
  addGauge(
    meters,
    'campana_run_idle_ms',
    'The longest time that a running run has been without progress',
    async () => (await live()).idlest_ms,
  );
  const base: ApiContext = { ...ctx, sessions, hub, reader, outbox, meters, pollPool, library: skills.snapshot };
  const token = toolTokens(ctx.env);
  const tools = readTools({ url: ctx.env.TOOLS_URL, token: (workspace) => token(workspace, 'read'), timeoutMs: ctx.env.TOOLS_TIMEOUT_MS });
  const models = configuredModels(ctx.env);
  const ada = openAda(
    base,
    { tools: options.tools ?? tools, model: options.model ?? models.model ?? deterministicModel(), escalation: models.escalation },
    options.cardWithinMs === undefined ? {} : { cardWithinMs: options.cardWithinMs },
  );
  const turns = startTurns({ pool: ada.pool, ports: ada.ports, hub, log: ctx.log }, options.turns);
  addGauge(meters, 'campana_turns_running', 'Turns of conversations that run in this process', () => turns.running());
  return {
    api: { ...base, ada, turns },
    close: async () => {
      await turns.stop();
      await Promise.allSettled([ada.close(), tools.close()]);
      skills.close();
      sessions.close();
      await hub.stop();
      await pollPool.end();
    },
  };
};

/** One reading for everybody who asks within `ms`. */
const cached = <T>(ms: number, read: () => Promise<T>): (() => Promise<T>) => {
  let last: { at: number; value: Promise<T> } | undefined;
  return () => {
    if (!last || Date.now() - last.at > ms) last = { at: Date.now(), value: read() };
    return last.value;
  };
};
