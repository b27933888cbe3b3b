import { randomUUID } from 'node:crypto';
import { createTools, type Tools } from '../../activities/mcp.js';
import { runTurn } from '../../ada/turn.js';
import { TurnEvent, type TurnAnswer } from '../../contracts/turn.js';
import type { Env } from '../../contracts/env.js';
import { read } from '../../db/client.js';
import { READ, TestKitchen, type Caller } from '../kitchen/harness.js';
import type { ScriptedModel } from '../support/scripted-model.js';
import { listen } from './sse-client.js';
import { startApi, token, until, type TestApi } from './support.js';

/** Conversations over the real API: PostgreSQL, the tool server over MCP, HTTP with server-sent events. Only the model may be a scripted one. */

export const WORKSPACE = 'ws_demo';
/** micro-USD per million tokens of the scripted model: what a turn cost can be told from its tokens. */
export const PRICES = { in: 250_000, out: 2_000_000 };

export type Finished = Extract<TurnEvent, { type: 'tool.finished' }>;
export interface Told {
  turn: string;
  /** Every event that came, as it came. */
  events: TurnEvent[];
  answer: TurnAnswer | null;
  refused: Extract<TurnEvent, { type: 'turn.refused' }> | null;
  /** Calls of the turn with what they were asked; the router's note is none. */
  tools: Finished[];
  /** Milliseconds from asking to the end of the stream. */
  ms: number;
}
export interface Stored {
  state: string;
  queries: number;
  cost_micros: number | null;
  attempts: Array<{ outcome: string; mode: string; cost_micros: number | null; model: string }>;
}

export interface Talk {
  api: TestApi;
  /** Reads of the same workspace, made beside the turn: what is true. */
  tools: Caller;
  /** A token of somebody of the workspace. */
  anybody(): Promise<string>;
  begin(): Promise<string>;
  /** The token of whoever began a conversation. */
  speakerOf(thread: string): string;
  /** One message, heard to its end over server-sent events. */
  say(thread: string, message: string): Promise<Told>;
  /** What the database keeps of a turn once it is metered, which is the last thing that happens to it. */
  stored(turn: string): Promise<Stored>;
  stop(): Promise<void>;
}

/** The tool server with its database; the workspace has the 40 records that a new one gets. */
export const startTools = (): Promise<TestKitchen> => TestKitchen.start();

/** The API of conversations over a tool server. With a scripted model it speaks to that one through the real port; without, Ada follows her recipes by herself. */
export const openTalk = async (
  kitchen: TestKitchen,
  options: { scripted?: ScriptedModel; env?: Partial<Env>; workspace?: string; toolToken?: string; deadlineMs?: number } = {},
): Promise<Talk> => {
  const { scripted, workspace = WORKSPACE, toolToken = READ, deadlineMs } = options;
  const tools: Tools = createTools({
    url: kitchen.running.url,
    token: (ws, scope) => (ws === workspace && scope === 'read' ? toolToken : null),
    timeoutMs: 15_000,
  });
  const env = {
    TOOLS_URL: kitchen.running.url,
    TOOLS_TOKENS: JSON.stringify({ [workspace]: { read: toolToken } }),
    ...(scripted
      ? {
          OPENAI_API_KEY: 'test',
          OPENAI_BASE_URL: scripted.url,
          OPENAI_MODEL: 'descuidado',
          MODEL_PRICE_IN_MICROS: PRICES.in,
          MODEL_PRICE_OUT_MICROS: PRICES.out,
        }
      : {}),
    ...options.env,
  };
  // The turn itself, with less time than a person would wait.
  const run: typeof runTurn = (ports, speaker, turn, emit, more) =>
    runTurn(ports, speaker, turn, emit, { ...more, ...(deadlineMs ? { deadlineMs } : {}) });
  const api = await startApi({ tools, env, open: { turns: { run } } });
  const caller = await kitchen.connect(toolToken);
  // Each conversation is somebody else's, since each person may only ask so often in a minute.
  const speakers = new Map<string, string>();
  return {
    api,
    tools: caller,
    speakerOf: (thread) => speakers.get(thread) ?? '',
    anybody: () => token({ ws: workspace, sub: 'quien-mira' }),
    begin: async () => {
      const speaker = await token({ ws: workspace, sub: `ana-${speakers.size}` });
      const begun = await api.call('POST', '/v1/threads', { token: speaker, body: {} });
      const { thread_id: thread } = begun.body as unknown as { thread_id: string };
      speakers.set(thread, speaker);
      return thread;
    },
    say: async (thread, message) => {
      const since = performance.now();
      const heard = await listen(api, `/v1/threads/${thread}/turns`, {
        method: 'POST',
        body: { message },
        headers: { 'idempotency-key': randomUUID() },
        token: speakers.get(thread) ?? '',
      });
      await heard.over;
      const ms = Math.round(performance.now() - since);
      if (heard.status !== 200) throw new Error(`${message}: ${heard.status} ${heard.text()}`);
      const events = heard.events.map((one) => TurnEvent.parse(one.data));
      const finished = events.find((event) => event.type === 'turn.finished');
      const refused = events.find((event) => event.type === 'turn.refused');
      return {
        turn: String(heard.headers.get('location')).split('/').at(-1) ?? '',
        events,
        ms,
        answer: finished?.type === 'turn.finished' ? finished.answer : null,
        refused: refused?.type === 'turn.refused' ? refused : null,
        tools: events.flatMap((event) => (event.type === 'tool.finished' && event.tool !== 'router' ? [event] : [])),
      };
    },
    stored: (turn) =>
      until(async () => {
        const [row] = await read(api.pool).q<Stored>(`select state, queries, cost_micros, attempts from turns where id = $1`, [turn]);
        return row && row.attempts.length > 0 && row;
      }),
    stop: async () => {
      await api.stop();
      await tools.close();
    },
  };
};

/** What is wrong with the order of a turn's events; empty when nothing is. */
export const disorder = (events: readonly TurnEvent[]): string[] => {
  const wrong: string[] = [];
  const types = events.map((event) => event.type);
  const ends = types.filter((type) => type === 'turn.finished' || type === 'turn.refused');
  if (ends.length !== 1) wrong.push(`${ends.length} ends`);
  if (!/^turn\.(?:finished|refused)$/.test(types.at(-1) ?? '')) wrong.push(`ends with ${types.at(-1) ?? 'nothing'}`);
  if (types.includes('turn.accepted') ? types.indexOf('turn.accepted') !== 0 : types.length > 1)
    wrong.push('does not begin with turn.accepted');
  if (types.filter((type) => type === 'turn.accepted').length > 1) wrong.push('accepted twice');
  const STAGES = ['turn.accepted', 'tool', 'narration.delta', 'decision.proposed', 'end'];
  const places = types.map((type) =>
    STAGES.indexOf(type.startsWith('tool.') ? 'tool' : /^turn\.(?:finished|refused)$/.test(type) ? 'end' : type),
  );
  if (places.some((place, i) => place < (places[i - 1] ?? 0))) wrong.push(`out of order: ${types.join(' ')}`);
  let open: number | null = null;
  for (const event of events) {
    // The router's note is one event: it is no call of the turn.
    if (event.type === 'tool.finished' && event.tool === 'router') continue;
    if (event.type === 'tool.started') {
      if (open !== null) wrong.push(`call ${event.call} began inside ${open}`);
      open = event.call;
    }
    if (event.type === 'tool.finished') {
      if (open !== event.call) wrong.push(`call ${event.call} ended without having begun`);
      open = null;
    }
  }
  if (open !== null) wrong.push(`call ${open} never ended`);
  return wrong;
};
