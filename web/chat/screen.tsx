import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { BoardRow } from '../../contracts/turn.js';
import { clean } from '../../view/words.js';
import { isOver, unheard, type ConversationState, type Live } from '../data/turns-state.js';
import type { Conversation } from '../data/turns.js';
import { toolsOf, useConversation, useOutbox } from '../data/threads.js';
import type { Session } from '../data/api.js';
import { useAnnouncer } from '../shell/announcer.js';
import { Problem, sayProblem } from '../shell/problem.js';
import { useWho } from '../shell/session.js';
import { useWords } from '../words/words.js';
import { Composer } from './composer.js';
import { Empty } from './empty.js';
import { History } from './history.js';
import { Narrator, type Line } from './milestones.js';
import type { Choice } from './result-card.js';
import { FOLLOWED, RunWatch, WaitStripView, useOpen, useWaiting } from './runs.js';
import { beginning, cleanLines } from './text.js';
import { TranscriptView } from './transcript.js';
import type { TurnActs } from './turn.js';
import { useBottom } from './use-bottom.js';

const narrators = new WeakMap<Conversation, Narrator>();
const tabStore = (): Storage | null => {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
};
const narratorOf = (conversation: Conversation, who: Session): Narrator => {
  const known =
    narrators.get(conversation) ??
    new Narrator(tabStore(), () => {
      const { thread } = conversation.get();
      return thread === null ? null : `${who.workspace}/${who.sub}/${thread}`;
    });
  narrators.set(conversation, known);
  return known;
};

/** Shows something of the page and puts the focus there: only ever after a tap on a button that says so. @returns false when it is not on the page */
const goTo = (selector: string): boolean => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) return false;
  found.tabIndex = -1;
  found.focus({ preventScroll: true });
  found.scrollIntoView({ block: 'center' });
  return true;
};

/** Says the end of an answer once; what streams is not read aloud. */
const useSpoken = (state: ConversationState): void => {
  const { say, has } = useWords();
  const announcer = useAnnouncer();
  const spoken = useRef(state.heard);
  useEffect(() => {
    if (state.heard === null || state.heard === spoken.current) return;
    spoken.current = state.heard;
    const turn = state.turns.find((one) => one.turn_id === state.heard);
    if (turn?.answer)
      announcer.say('chat', say('web.chat.said', { text: beginning(cleanLines(turn.answer.text).replace(/\n+/g, ' '), 160) }));
    else if (turn?.refused && turn.refused.params['by'] !== 'person')
      announcer.alert(
        say(has(`web.chat.refused.${turn.refused.code}`) ? `web.chat.refused.${turn.refused.code}` : 'web.chat.refused.internal_error'),
      );
  }, [state.heard, state.turns, announcer, say, has]);
};

/** Rows that may be chosen now, and what a tap on one does. */
const useChoice = (conversation: Conversation, state: ConversationState): Choice | null => {
  const { list, selection } = state;
  return useMemo(() => {
    const may = new Set([...list, ...selection].map((one) => one.ref));
    if (may.size === 0) return null;
    const refs = new Set(selection.map((one) => one.ref));
    return {
      may,
      refs,
      choose: (changed, on) =>
        conversation.select(on ? [...refs, ...changed.filter((one) => !refs.has(one))] : [...refs].filter((one) => !changed.includes(one))),
    };
  }, [conversation, list, selection]);
};

/** What was written and not sent, kept on this device. */
const useDraft = (conversation: Conversation, thread: string | null): [string, (text: string) => void] => {
  const outbox = useOutbox(useWho());
  const [draft, setDraft] = useState({ conversation, text: outbox.draft(thread) });
  // Another conversation has its own.
  const mine = draft.conversation === conversation ? draft : { conversation, text: outbox.draft(thread) };
  if (mine !== draft) setDraft(mine);
  const write = useCallback(
    (text: string) => {
      outbox.keepDraft(thread, text);
      setDraft({ conversation, text });
    },
    [outbox, thread, conversation],
  );
  return [mine.text, write];
};

/** What all of them are; `other` where they are several kinds. */
const kindOf = (rows: readonly BoardRow[]): string =>
  rows.every((one) => one.kind === rows[0]?.kind) ? (rows[0]?.kind ?? 'other') : 'other';

const touch = (): boolean => window.matchMedia('(pointer: coarse)').matches;

const Dock = ({ children }: { children: ReactNode }): ReactNode => <div className="chat-dock">{children}</div>;

/** A conversation with Ada: what was said, what is being done, what waits for a tap, and where to write. */
const ChatRoom = ({ thread }: { thread: string | null }): ReactNode => {
  const words = useWords();
  const { say, moment } = words;
  const who = useWho();
  const outbox = useOutbox(who);
  const announcer = useAnnouncer();
  const [, navigate] = useLocation();
  const { conversation, state } = useConversation(who, thread);
  const narrator = narratorOf(conversation, who);
  const lines: readonly Line[] = useSyncExternalStore(narrator.subscribe, narrator.get, narrator.get);
  const choice = useChoice(conversation, state);
  const [text, write] = useDraft(conversation, state.thread);
  const { waiting, waits } = useWaiting();
  const [stopping, setStopping] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const log = useRef<HTMLDivElement>(null);
  useSpoken(state);

  const { turns, status } = state;
  const running = turns.find((one) => !isOver(one)) ?? null;
  const position = turns.at(-1)?.position ?? 0;
  const outgoing = unheard(state);
  const { unseen, go } = useBottom(
    log,
    running !== null || outgoing.some((one) => one.state === 'sending'),
    `${position} ${running?.state ?? ''} ${lines.length}`,
  );

  // A conversation that has just begun has its own address.
  useEffect(() => {
    if (thread === null && state.thread !== null) navigate(`/chat/${encodeURIComponent(state.thread)}`, { replace: true });
  }, [thread, state.thread, navigate]);
  useEffect(() => {
    if (thread !== null && status === 'ready') outbox.remember(thread);
    if (thread !== null && status === 'gone' && outbox.last() === thread) outbox.remember(null);
  }, [thread, status, outbox]);

  const talk = useCallback(
    (message: string) => {
      setFailure(null);
      conversation.say(message);
      go();
    },
    [conversation, go],
  );
  const back = useCallback(() => {
    // The button that was tapped goes away.
    if (touch()) log.current?.querySelector<HTMLElement>('[role=log]')?.focus({ preventScroll: true });
    else box.current?.focus({ preventScroll: true });
  }, []);
  const stop = useCallback(
    (turn: string) => {
      setStopping(turn);
      setFailure(null);
      conversation
        .stop(turn)
        .catch((error: unknown) => {
          setFailure(error);
          announcer.alert(sayProblem(words, error));
        })
        .finally(() => setStopping(null));
    },
    [conversation, announcer, words],
  );
  const edit = useCallback(
    (message: string) => {
      write(message);
      box.current?.focus();
    },
    [write],
  );
  const showDecision = useCallback(
    (id: string) => {
      if (!goTo(`[data-decision="${CSS.escape(id)}"]`)) navigate(`/decisiones/${encodeURIComponent(id)}`);
    },
    [navigate],
  );
  const acts = useMemo<TurnActs>(
    () => ({
      say: (message) => {
        talk(message);
        back();
      },
      stop,
      edit,
      showDecision,
      showRun: (run) => {
        if (!goTo(`[data-run="${CSS.escape(run)}"]`)) navigate(`/campanas/${encodeURIComponent(run)}`);
      },
      tools: (turn): Promise<Live> => toolsOf(conversation.get().thread ?? '', turn),
    }),
    [talk, back, stop, edit, showDecision, conversation, navigate],
  );

  const runs = state.runs.slice(-FOLLOWED);
  // Of the campaign that began last first.
  const open = useOpen([...runs].reverse().flatMap((run) => waiting[run] ?? []));
  const [first] = open;
  const firstId = first?.id ?? null;
  const showFirst = useCallback(() => {
    if (firstId !== null) showDecision(firstId);
  }, [firstId, showDecision]);

  const title = clean(state.title ?? '');
  const nothing = turns.length === 0 && outgoing.length === 0;
  return (
    <div className="chat">
      <header className="chat-head">
        <h1>
          <bdi className="clamp" title={title || undefined}>
            {title || say('web.chat.new')}
          </bdi>
        </h1>
        <div className="buttons">
          <History here={state.thread} />
          <button
            type="button"
            className="button slim"
            onClick={() => {
              outbox.remember(null);
              navigate('/');
              box.current?.focus();
            }}
          >
            {say('web.chat.begin')}
          </button>
        </div>
      </header>
      {status === 'gone' || status === 'failed' ? (
        <Problem error={state.problem} retry={status === 'failed' ? () => conversation.retry() : undefined} />
      ) : null}
      {status === 'gone' ? (
        <p>
          <Link href="/">{say('web.chat.begin')}</Link>
        </p>
      ) : null}
      <div ref={log} className="chat-middle">
        {status === 'loading' ? <p className="quiet">{say('web.loading')}</p> : null}
        {nothing && (status === 'ready' || status === 'new') ? <Empty start={acts.say} /> : null}
        <TranscriptView
          state={state}
          lines={lines}
          choice={choice}
          acts={acts}
          retry={() => conversation.retry()}
          takeBack={(key) => edit(conversation.takeBack(key))}
        />
      </div>
      {runs.map((run) => (
        <RunWatch key={run} run={run} after={position} narrator={narrator} waits={waits} />
      ))}
      {status === 'gone' ? null : (
        <Dock>
          {unseen ? (
            <button type="button" className="button slim chat-down" onClick={go}>
              <span aria-hidden="true">↓</span> {say('web.chat.unseen')}
            </button>
          ) : null}
          <div className="chat-strips">
            {first ? <WaitStripView decision={first} more={open.length - 1} go={showFirst} /> : null}
            {state.offlineSince === null ? null : (
              <div className="chat-strip chat-offline" data-testid="offline">
                <p>
                  {say(outgoing.length > 0 ? 'web.chat.offline_kept' : 'web.chat.offline', {
                    at: moment(new Date(state.offlineSince).toISOString()),
                  })}
                </p>
                <button type="button" className="button" onClick={() => conversation.retry()}>
                  {say('web.retry')}
                </button>
              </div>
            )}
            {state.selection.length > 0 ? (
              <div className="chat-strip chat-selection" data-testid="selection">
                <p>
                  {say('web.chat.selected', { what: say(`web.result.unit.${kindOf(state.selection)}`, { n: state.selection.length }) })}
                </p>
                <button type="button" className="button slim" onClick={() => conversation.select([])}>
                  {say('web.chat.unselect')}
                </button>
              </div>
            ) : null}
          </div>
          {failure ? <Problem error={failure} /> : null}
          <Composer
            text={text}
            write={write}
            box={box}
            stopping={stopping !== null}
            stop={
              running
                ? () => {
                    stop(running.turn_id);
                    back();
                  }
                : null
            }
            send={() => {
              const message = text.trim();
              write('');
              talk(message);
            }}
          />
        </Dock>
      )}
    </div>
  );
};

/** `/` goes on with this device's last conversation, or begins one. */
export const ChatScreen = ({ thread }: { thread: string | null }): ReactNode => {
  const outbox = useOutbox(useWho());
  const [, navigate] = useLocation();
  // Asked once, when somebody comes here: the one that begins here stays where it is.
  const [entered, setEntered] = useState({ thread, last: thread === null ? outbox.last() : null });
  if (entered.thread !== thread) setEntered({ thread, last: thread === null ? outbox.last() : null });
  const { last } = entered;
  useEffect(() => {
    if (last !== null) navigate(`/chat/${encodeURIComponent(last)}`, { replace: true });
  }, [last, navigate]);
  return last === null ? <ChatRoom thread={thread} /> : null;
};
