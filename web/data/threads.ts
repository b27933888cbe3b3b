import { useMemo, useSyncExternalStore } from 'react';
import type { Turn } from '../../contracts/turn.js';
import { createThread, createTurn, getThread, getTurn, putSelection, stopTurn, type Session } from './api.js';
import { progress } from './progress.js';
import { keys, queries } from './queries.js';
import { Conversation } from './turns.js';
import { applyEvent, eventOf, type ConversationState, type Live } from './turns-state.js';
import { turnEvents } from './turns-events.js';
import { Outbox } from './turns-outbox.js';

const CALLS = {
  begin: createThread,
  read: getThread,
  say: createTurn,
  turn: getTurn,
  events: turnEvents,
  stop: stopTurn,
  select: putSelection,
};
/** Conversations whose tools and pieces of text are remembered while the page is open. */
const REMEMBERED = 8;
/** Hearing a turn that is over again takes no longer, ms. */
const TOOLS_MS = 15_000;
const open = new Map<string, Conversation>();

const storage = (): Storage | null => {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
};
const whoOf = ({ workspace, sub }: Session): string => `${workspace}/${sub}`;
export const useOutbox = (who: Session): Outbox => {
  const name = whoOf(who);
  return useMemo(() => new Outbox(storage(), name), [name]);
};

/** What a turn may have changed elsewhere on the page. */
const ended = (turn: Turn): void => {
  for (const queryKey of [keys.balances, keys.threads, keys.runs, keys.decisions]) void queries.invalidateQueries({ queryKey });
  if (turn.answer?.progress) progress.refresh(turn.answer.progress.run_id);
};

const conversationOf = (who: string, outbox: Outbox, thread: string | null): Conversation => {
  const name = `${who}/${thread ?? 'new'}`;
  const known = open.get(name);
  if (known) return known;
  const made = new Conversation(CALLS, outbox, thread, {
    ended,
    // The one that was new goes on under its own address.
    named: (id) => {
      open.delete(name);
      open.set(`${who}/${id}`, made);
      outbox.remember(id);
      void queries.invalidateQueries({ queryKey: keys.threads });
    },
  });
  open.set(name, made);
  for (const old of [...open.keys()].slice(0, -REMEMBERED)) open.delete(old);
  return made;
};

/** The tools of a turn that is over, heard again from its beginning. @throws NoAnswer, ApiProblem */
export const toolsOf = async (thread: string, turn: string): Promise<Live> => {
  let live: Live = { tools: [], text: '' };
  for await (const { data } of turnEvents(thread, turn, null, AbortSignal.timeout(TOOLS_MS))) {
    const event = eventOf(data);
    if (event) live = applyEvent(live, event);
  }
  return live;
};

/** A conversation, kept up to date while it is shown; `null` is one that has not begun. */
export const useConversation = (who: Session, thread: string | null): { conversation: Conversation; state: ConversationState } => {
  const outbox = useOutbox(who);
  const name = whoOf(who);
  const conversation = useMemo(() => conversationOf(name, outbox, thread), [name, outbox, thread]);
  return { conversation, state: useSyncExternalStore(conversation.subscribe, conversation.get, conversation.get) };
};
