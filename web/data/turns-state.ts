import type { BoardRow, Turn, TurnEvent } from '../../contracts/turn.js';
import type { Kept } from './turns-outbox.js';

/** What a page knows of a conversation, and how a turn or an event of its stream changes it. Nothing here asks or waits. */

/** A tool of a turn, as a quiet line: what is being done and what it brought, in counts and words. Call 0 is no tool's. */
export interface ToolLine {
  call: number;
  label: string;
  state: 'running' | 'done' | 'failed';
  brought: string | null;
}
/** What was heard of a turn while it ran. */
export interface Live {
  tools: readonly ToolLine[];
  text: string;
}
/** `held`: not sent yet, it goes by itself. `refused`: it does not go as it is; see `problem`. */
export interface Outgoing extends Kept {
  state: 'sending' | 'held' | 'refused';
  problem: unknown;
}

export interface ConversationState {
  /** null until the first message made it. */
  thread: string | null;
  /** `failed`: it could not be read, see `problem`. */
  status: 'new' | 'loading' | 'ready' | 'gone' | 'failed';
  problem: unknown;
  title: string | null;
  /** Ids of its campaigns. */
  runs: readonly string[];
  /** Rows that may be chosen, and those that are. */
  list: readonly BoardRow[];
  selection: readonly BoardRow[];
  turns: readonly Turn[];
  live: Readonly<Record<string, Live>>;
  outgoing: readonly Outgoing[];
  /** Since when the server has not answered, server's ms; null while it does. */
  offlineSince: number | null;
  /** The turn whose end was heard last. */
  heard: string | null;
}
/** How far the two clocks may be apart. */
const CLOCK_MS = 2_000;

const AGE = { queued: 0, running: 1, finished: 2, refused: 2, interrupted: 2 } as const;
export const isOver = (turn: Turn): boolean => AGE[turn.state] === 2;

/** Messages under way that are not among the turns yet: a reload may read the turn before it hears that its message arrived. */
export const unheard = (state: ConversationState): Outgoing[] =>
  state.outgoing.filter(
    (one) => !state.turns.some((turn) => turn.message === one.text.trim() && Date.parse(turn.created_at) >= one.at - CLOCK_MS),
  );

/** An event of the stream; null for one that this page does not know. */
export const eventOf = (data: string): TurnEvent | null => {
  try {
    const event = JSON.parse(data) as Partial<TurnEvent> | null;
    return typeof event?.type === 'string' ? (event as TurnEvent) : null;
  } catch {
    return null;
  }
};

/** Turns by id, in order; what was seen of one never goes back. */
export const mergeTurns = (known: readonly Turn[], fresh: readonly Turn[]): Turn[] => {
  const byId = new Map(known.map((one) => [one.turn_id, one]));
  for (const turn of fresh) {
    const before = byId.get(turn.turn_id);
    if (!before || AGE[turn.state] > AGE[before.state] || (!before.answer && turn.answer)) byId.set(turn.turn_id, turn);
  }
  return [...byId.values()].sort((a, b) => a.position - b.position);
};

/** What an event adds to what was heard of a turn. */
export const applyEvent = (live: Live, event: TurnEvent): Live => {
  switch (event.type) {
    case 'tool.started':
      return {
        ...live,
        tools: [
          ...live.tools.filter((one) => one.call !== event.call),
          { call: event.call, label: event.label, state: 'running', brought: null },
        ],
      };
    case 'tool.finished': {
      const line: ToolLine = {
        call: event.call,
        label: event.label,
        state: event.ok ? 'done' : 'failed',
        brought: event.call > 0 && event.ok && /^\s*[^\s{[]/.test(event.summary) ? event.summary : null,
      };
      return {
        ...live,
        tools: live.tools.some((one) => one.call === event.call)
          ? live.tools.map((one) => (one.call === event.call ? line : one))
          : [...live.tools, line],
      };
    }
    case 'narration.delta':
      return { ...live, text: live.text + event.text };
    default:
      return live;
  }
};
