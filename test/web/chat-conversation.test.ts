import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EMPTY_BOARD, type BoardRow, type Thread, type Turn, type TurnAnswer, type TurnEvent } from '../../contracts/turn.js';
import { ApiProblem, NoAnswer } from '../../web/data/problem.js';
import { Conversation, type ConversationCalls } from '../../web/data/turns.js';
import { unheard } from '../../web/data/turns-state.js';
import { Outbox, type Store } from '../../web/data/turns-outbox.js';

const memory = (): Store => {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  };
};
const refusal = (status: number, code: string, retryable = false): ApiProblem =>
  new ApiProblem(status, code, {}, '', retryable, null, null);
const row = (ref: string): BoardRow => ({ ref, name: ref, kind: 'company', id: ref, detail: null });
const answer = (turn: string, text: string): TurnAnswer => ({
  turn_id: turn,
  thread_id: 'thr_1',
  intent: { kind: 'responder' },
  text,
  narration: text,
  anchors: [],
  pregunta: null,
  siguiente: null,
  card: null,
  decision: null,
  progress: null,
  stage: 'buscando',
  skills_used: [],
  skill_omitida: [],
  attempts: [],
  validation: [],
  model: { name: 'sin-modelo', kind: 'deterministic' },
  usage: {
    steps: 1,
    tool_calls: 0,
    searches: 0,
    repairs: 0,
    model_calls: 0,
    tokens_in: 0,
    tokens_out: 0,
    cost_micros: 0,
    ttft_ms: 0,
    duration_ms: 0,
    prompt: { characters: 0, saved_characters: 0, saved_tokens: 0 },
    unresolved_refs: 0,
    refs_available: 0,
  },
});

/** A server as it is behind the API: turns by key, in order, their events numbered. `lose` takes the reply of the next call away after it took effect. */
class Server {
  threads = new Map<string, string>();
  turns: Turn[] = [];
  keys = new Map<string, string>();
  events = new Map<string, TurnEvent[]>();
  lose = new Set<'begin' | 'say' | 'read' | 'events'>();
  away = false;
  refuse: ApiProblem | null = null;
  list: BoardRow[] = [];
  selection: BoardRow[] = [];
  asked: string[] = [];
  places: Array<string | null> = [];
  runs: string[] = [];
  private woken: Array<() => void> = [];

  private reply<T>(what: 'begin' | 'say' | 'read' | 'events', value: T): Promise<T> {
    return this.lose.delete(what) ? Promise.reject(new NoAnswer()) : Promise.resolve(value);
  }
  private check(): void {
    if (this.away) throw new NoAnswer();
    if (this.refuse) throw this.refuse;
  }
  thread(n = 100): Thread {
    return {
      thread_id: 'thr_1',
      title: this.turns[0]?.message ?? null,
      created_at: '2026-11-30T10:00:00Z',
      stage: 'buscando',
      facts: {} as Thread['facts'],
      board: { ...EMPTY_BOARD, list: this.list, selection: this.selection },
      turns: this.turns.slice(-n),
      runs: this.runs,
    };
  }
  add(message: string, key = `other ${this.turns.length}`): Turn {
    const turn: Turn = {
      turn_id: `turn_${this.turns.length + 1}`,
      thread_id: 'thr_1',
      position: this.turns.length + 1,
      state: 'queued',
      message,
      answer: null,
      refused: null,
      created_at: new Date().toISOString(),
      ended_at: null,
    };
    this.turns.push(turn);
    this.keys.set(key, turn.turn_id);
    this.events.set(turn.turn_id, []);
    return turn;
  }
  happen(turn: string, ...events: TurnEvent[]): void {
    this.events.get(turn)?.push(...events);
    const last = events.find((one) => one.type === 'turn.finished');
    if (last) this.turns = this.turns.map((one) => (one.turn_id === turn ? { ...one, state: 'finished', answer: last.answer } : one));
    for (const one of this.woken.splice(0)) one();
  }
  /** Every open stream ends without its last event. */
  hangUp(): void {
    for (const one of this.hung.splice(0)) one();
  }
  private hung: Array<() => void> = [];

  calls: ConversationCalls = {
    begin: async (key) => {
      this.check();
      this.asked.push(`begin ${key}`);
      this.threads.set(key, 'thr_1');
      return this.reply('begin', this.thread());
    },
    read: async (_thread, n) => {
      this.check();
      return this.reply('read', this.thread(n));
    },
    say: async (_thread, message, key) => {
      this.check();
      this.asked.push(`say ${message}`);
      const known = this.turns.find((one) => one.turn_id === this.keys.get(key)) ?? this.add(message, key);
      return this.reply('say', known);
    },
    turn: async (_thread, turn) => this.turns.find((one) => one.turn_id === turn) ?? Promise.reject(refusal(404, 'turn_not_found')),
    events: (_thread, turn, after, signal) => this.stream(turn, after, signal),
    stop: async (_thread, turn) => {
      this.turns = this.turns.map((one) =>
        one.turn_id === turn
          ? { ...one, state: 'interrupted', refused: { status: 503, code: 'interrupted', params: { by: 'person' } } }
          : one,
      );
      this.hangUp();
      return this.turns.find((one) => one.turn_id === turn) as Turn;
    },
    select: async (_thread, refs) => {
      this.check();
      this.asked.push(`select ${refs.join()}`);
      this.selection = this.list.filter((one) => refs.includes(one.ref));
      return { selection: this.selection, stage: 'con_seleccion' };
    },
  };

  private async *stream(turn: string, after: string | null, signal: AbortSignal): AsyncGenerator<{ id: string; data: string }> {
    this.check();
    this.places.push(after);
    let open = true;
    this.hung.push(() => {
      open = false;
      for (const one of this.woken.splice(0)) one();
    });
    for (let seq = Number(after ?? 0); open && !signal.aborted;) {
      const event = this.events.get(turn)?.[seq];
      if (event) {
        seq += 1;
        yield { id: String(seq), data: JSON.stringify(event) };
        if (event.type === 'turn.finished' || event.type === 'turn.refused') return;
      } else
        await new Promise<void>((resolve) => {
          this.woken.push(resolve);
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
    }
    if (!signal.aborted && this.lose.delete('events')) throw new NoAnswer();
  }
}

const accepted = (turn: string): TurnEvent => ({
  type: 'turn.accepted',
  turn_id: turn,
  thread_id: 'thr_1',
  stage: 'buscando',
  model: 'sin-modelo',
});
const delta = (text: string): TurnEvent => ({ type: 'narration.delta', text });
const finished = (turn: string, text: string): TurnEvent => ({ type: 'turn.finished', answer: answer(turn, text) });

describe('a conversation on the page', () => {
  let server: Server;
  let store: Store;
  const stops: Array<() => void> = [];
  beforeEach(() => {
    vi.useFakeTimers();
    server = new Server();
    store = memory();
  });
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
    vi.useRealTimers();
  });
  /** A page that is opened: what it keeps is what the one before it kept. */
  const open = (thread: string | null = 'thr_1', hooks = {}) => {
    const conversation = new Conversation(server.calls, new Outbox(store, 'ws/luis'), thread, hooks);
    const stop = conversation.subscribe(() => undefined);
    stops.push(stop);
    return { conversation, stop, state: conversation.get, pass: (ms = 50) => vi.advanceTimersByTimeAsync(ms) };
  };

  it('begins with the first message, which is one turn of one conversation although both replies were lost', async () => {
    server.lose = new Set(['begin', 'say']);
    const named = vi.fn();
    const { conversation, state, pass } = open(null, { named });
    conversation.say('hola');
    expect(state().outgoing.map((one) => one.text)).toEqual(['hola']);
    await pass(5_000);
    expect(new Set(server.asked.filter((one) => one.startsWith('begin'))).size).toBe(1);
    expect(server.turns.map((one) => one.message)).toEqual(['hola']);
    expect(state()).toMatchObject({ thread: 'thr_1', outgoing: [], offlineSince: null });
    expect(named.mock.calls).toEqual([['thr_1']]);
  });

  it('sends what a reload interrupted, under the same key, and shows it once', async () => {
    server.lose = new Set(['say']);
    const first = open();
    first.conversation.say('¿cuántos hay?');
    await first.pass(1);
    first.stop();
    const second = open();
    expect(second.state().outgoing).toHaveLength(1);
    await second.pass(1);
    expect(server.turns).toHaveLength(1);
    expect([...second.state().turns.map((one) => one.message), ...unheard(second.state()).map((one) => one.text)]).toEqual([
      '¿cuántos hay?',
    ]);
    expect(second.state().outgoing).toEqual([]);
    expect(open().state().outgoing).toEqual([]);
  });

  it('picks a running turn up from its beginning after a reload, and from the last event after a lost line', async () => {
    server.add('hola');
    server.happen('turn_1', accepted('turn_1'), { type: 'tool.started', call: 1, tool: 'x', label: 'Buscando' }, delta('Hay '));
    const { state, pass } = open();
    await pass();
    expect(state().live['turn_1']).toMatchObject({ text: 'Hay ', tools: [{ label: 'Buscando', state: 'running' }] });
    expect(state().turns[0]?.state).toBe('running');
    server.lose.add('events');
    server.hangUp();
    await pass(2_000);
    server.happen('turn_1', delta('39.'));
    await pass();
    expect(state().live['turn_1']?.text).toBe('Hay 39.');
    expect(server.places).toEqual([null, '3']);
    server.happen('turn_1', finished('turn_1', 'Hay 39.'));
    await pass();
    expect(state()).toMatchObject({ heard: 'turn_1', turns: [{ state: 'finished', answer: { text: 'Hay 39.' } }] });
  });

  it('keeps what is written while nobody answers and sends it in order, by itself', async () => {
    const { conversation, state, pass } = open();
    await pass();
    server.away = true;
    conversation.say('uno');
    conversation.say('dos');
    await pass(3_000);
    expect(state().offlineSince).not.toBeNull();
    expect(state().outgoing.map((one) => [one.text, one.state])).toEqual([
      ['uno', 'held'],
      ['dos', 'sending'],
    ]);
    server.away = false;
    await pass(15_000);
    expect(server.turns.map((one) => one.message)).toEqual(['uno', 'dos']);
    expect(state()).toMatchObject({ outgoing: [], offlineSince: null });
  });

  it('waits without a word about the line where the queue is full', async () => {
    const { conversation, state, pass } = open();
    await pass();
    server.refuse = refusal(429, 'thread_busy', true);
    conversation.say('otra');
    await pass(1_000);
    expect(state()).toMatchObject({ offlineSince: null, outgoing: [{ state: 'held' }] });
    server.refuse = null;
    await pass(5_000);
    expect(state().outgoing).toEqual([]);
  });

  it('shows why a message does not go, lets the next one through, and gives the text back', async () => {
    const { conversation, state, pass } = open();
    await pass();
    server.refuse = refusal(422, 'request_malformed');
    conversation.say('no');
    await pass();
    server.refuse = null;
    conversation.say('sí');
    await pass();
    expect(state().outgoing).toMatchObject([{ text: 'no', state: 'refused', problem: { code: 'request_malformed' } }]);
    expect(server.turns.map((one) => one.message)).toEqual(['sí']);
    const [message] = state().outgoing;
    expect(conversation.takeBack(message?.key ?? '')).toBe('no');
    expect(state().outgoing).toEqual([]);
  });

  it('hears queued turns one after the other, and stops the one that runs', async () => {
    const { conversation, state, pass } = open();
    conversation.say('uno');
    conversation.say('dos');
    await pass();
    expect(server.places).toHaveLength(1);
    await conversation.stop('turn_1');
    await pass(2_000);
    expect(state().turns.map((one) => one.state)).toEqual(['interrupted', 'queued']);
    server.happen('turn_2', accepted('turn_2'), finished('turn_2', 'listo'));
    await pass();
    expect(state().turns.map((one) => one.state)).toEqual(['interrupted', 'finished']);
  });

  it('learns of turns and campaigns that began elsewhere, all of them where more than a few did', async () => {
    const { state, pass } = open();
    await pass();
    for (let n = 0; n < 9; n += 1) {
      const { turn_id: id } = server.add(`otra ${n}`);
      server.happen(id, accepted(id), finished(id, 'x'));
    }
    server.runs = ['run_1'];
    await pass(16_000);
    expect(state().turns.map((one) => one.position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(state().runs).toEqual(['run_1']);
  });

  it('never shows an older state of a turn than it has shown', async () => {
    server.add('hola');
    server.happen('turn_1', accepted('turn_1'));
    const { state, pass } = open();
    await pass();
    expect(state().turns[0]?.state).toBe('running');
    // The row still says that it waits.
    await pass(16_000);
    expect(state().turns[0]?.state).toBe('running');
  });

  it('saves several choices at once, the last of them, and keeps what is shown until it is saved', async () => {
    server.list = ['a', 'b', 'c'].map(row);
    const { conversation, state, pass } = open();
    await pass();
    conversation.select(['a']);
    conversation.select(['a', 'b', 'unknown']);
    expect(state().selection.map((one) => one.ref)).toEqual(['a', 'b']);
    await pass(1_000);
    expect(server.asked).toEqual(['select a,b']);
    server.refuse = refusal(409, 'turn_running', true);
    conversation.select([]);
    await pass(1_000);
    expect(state().selection).toEqual([]);
    server.refuse = null;
    await pass(20_000);
    expect(server.selection).toEqual([]);
    expect(state().selection).toEqual([]);
  });

  it('says that a conversation is gone, and stops asking', async () => {
    server.refuse = refusal(404, 'thread_not_found');
    const { state, pass } = open();
    await pass();
    expect(state().status).toBe('gone');
    server.refuse = null;
    await pass(60_000);
    expect(state().status).toBe('gone');
  });

  it('keeps what one person wrote from the next one on the same device', () => {
    const mine = new Outbox(store, 'ws/luis');
    mine.keepDraft(null, 'a medias');
    mine.keep('thr_1', { key: 'k', text: 'hola', at: 1 });
    const other = new Outbox(store, 'ws/ana');
    expect([other.draft(null), other.messages('thr_1')]).toEqual(['', []]);
    expect([mine.draft(null), mine.messages('thr_1').map((one) => one.text)]).toEqual(['a medias', ['hola']]);
  });

  it('works where the browser keeps nothing, and with what somebody else left there', () => {
    const broken: Store = {
      getItem: () => 'not json {',
      setItem: () => {
        throw new Error('full');
      },
      removeItem: () => undefined,
    };
    const outbox = new Outbox(broken, 'ws/luis');
    outbox.keep('thr_1', { key: 'k', text: 'hola', at: 1 });
    expect(outbox.messages('thr_1')).toEqual([]);
    expect(new Outbox(null, 'ws/luis').draft(null)).toBe('');
  });
});
