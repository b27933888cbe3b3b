import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Turn, type Thread } from '../../contracts/turn.js';
import type { TestKitchen } from '../kitchen/harness.js';
import { answer, calls, scriptedModel, type Reply, type ScriptedModel } from '../support/scripted-model.js';
import { listen, type Heard } from './sse-client.js';
import { until } from './support.js';
import { openTalk, startTools, type Talk } from './turns-rig.js';

/** The same turn asked for again, others behind it, and clients that go away: over the real API with the real turn, counted at the model. */

let kitchen: TestKitchen;
let model: ScriptedModel;
let talk: Talk;
beforeAll(async () => {
  [kitchen, model] = await Promise.all([startTools(), scriptedModel()]);
  talk = await openTalk(kitchen, { scripted: model });
  model.play(() => said('hola'));
  await talk.say(await talk.begin(), 'hola');
});
afterAll(async () => {
  await talk?.stop();
  await model?.close();
  await kitchen?.stop();
});

const NEXT = { kind: 'mensaje', label: 'Ver licitaciones', target: '¿Qué licitaciones hay?', cost: null };
const said = (narration: string): Reply => answer({ intent: { kind: 'responder' }, narration, pregunta: null, siguiente: NEXT });
/** A model that answers one message at a time, when it is told to. */
const held = (): { asked: string[]; go(): void; script: Parameters<ScriptedModel['play']>[0] } => {
  const asked: string[] = [];
  const waiting: Array<() => void> = [];
  return {
    asked,
    go: () => waiting.shift()?.(),
    script: (request) => {
      const message = request.items.filter((item) => item.role === 'user').at(-1)?.content ?? '';
      asked.push(message);
      return new Promise((resolve) => waiting.push(() => resolve(said(`Sobre «${message}».`))));
    },
  };
};
const hear = (thread: string, message: string, headers: Record<string, string> = {}) =>
  listen(talk.api, `/v1/threads/${thread}/turns`, {
    method: 'POST',
    body: { message },
    headers: { 'idempotency-key': randomUUID(), ...headers },
    token: talk.speakerOf(thread),
  });
const read = async (thread: string): Promise<Thread> =>
  (await talk.api.call('GET', `/v1/threads/${thread}`, { token: talk.speakerOf(thread) })).body as unknown as Thread;
const types = (events: readonly Heard[]): string[] => events.map((one) => one.data.type);

describe('a turn by its key', () => {
  it('is one, however many ask for it at the same moment: one request at the model, one answer for all', async () => {
    const thread = await talk.begin();
    const one = held();
    model.play(one.script);
    const key = randomUUID();
    const all = await Promise.all(Array.from({ length: 10 }, () => hear(thread, 'lo mismo', { 'idempotency-key': key })));
    await until(() => one.asked.length === 1);
    one.go();
    await Promise.all(all.map((each) => each.over));
    expect(new Set(all.map((each) => each.headers.get('location'))).size).toBe(1);
    for (const each of all) expect(each.events).toEqual(all[0]?.events);
    expect(types(all[0]?.events ?? [])).toEqual(['turn.accepted', 'narration.delta', 'turn.finished']);
    // Long after, too: nothing is asked or written again.
    const again = await hear(thread, 'lo mismo', { 'idempotency-key': key });
    await again.over;
    expect(again.events).toEqual(all[0]?.events);
    expect(one.asked).toEqual(['lo mismo']);
    expect((await read(thread)).turns.map((turn) => turn.state)).toEqual(['finished']);
    const other = await talk.api.call('POST', `/v1/threads/${thread}/turns`, {
      key,
      token: talk.speakerOf(thread),
      body: { message: 'otra cosa' },
    });
    expect(other.body).toMatchObject({ status: 422, code: 'key_reused' });
  });
});

describe('two turns in one conversation', () => {
  it('run one after the other, and the second knows what came of the first', async () => {
    const thread = await talk.begin();
    const one = held();
    model.play(one.script);
    const first = await hear(thread, 'el primero');
    await until(() => one.asked.length === 1);
    const second = await hear(thread, 'el segundo');
    const elsewhere = await hear(await talk.begin(), 'en otra conversación');
    await until(() => one.asked.length === 2);
    expect(one.asked).toEqual(['el primero', 'en otra conversación']);
    expect((await read(thread)).turns.map((turn) => turn.state)).toEqual(['running', 'queued']);
    expect(second.events).toEqual([]);
    one.go();
    await first.over;
    await until(() => one.asked.length === 3);
    one.go();
    one.go();
    await Promise.all([second.over, elsewhere.over]);
    expect(one.asked[2]).toBe('el segundo');
    expect(model.requests[2]?.items.find((item) => item.role === 'system')?.content).toContain('Sobre «el primero».');
    expect((await read(thread)).turns.map((turn) => [turn.position, turn.state])).toEqual([
      [1, 'finished'],
      [2, 'finished'],
    ]);
  });
});

describe('a client that goes away', () => {
  it('finds the turn finished when it comes back, from wherever it had heard', async () => {
    const thread = await talk.begin();
    const one = held();
    model.play(async (request, n) =>
      n === 0 ? calls(['board_read', {}]) : await (one.script as (r: typeof request, n: number) => Promise<Reply>)(request, n),
    );
    const key = randomUUID();
    const gone = await hear(thread, 'me voy', { 'idempotency-key': key });
    await until(() => gone.events.length === 3);
    expect(types(gone.events)).toEqual(['turn.accepted', 'tool.started', 'tool.finished']);
    gone.hang();
    await gone.over;
    await until(() => one.asked.length === 1);
    one.go();
    const path = String(gone.headers.get('location'));
    const turn = await until(async () => {
      const now = Turn.parse((await talk.api.call('GET', path, { token: talk.speakerOf(thread) })).body);
      return now.state === 'finished' && now;
    });
    expect(turn.answer?.text).toBe('Sobre «me voy».');
    // By the key it was asked with, by its own address, and from the beginning.
    const byKey = await hear(thread, 'me voy', { 'idempotency-key': key, 'last-event-id': gone.events.at(-1)?.id ?? '' });
    await byKey.over;
    expect(types(byKey.events)).toEqual(['narration.delta', 'turn.finished']);
    const whole = await listen(talk.api, `${path}/events`, { token: talk.speakerOf(thread) });
    await whole.over;
    expect(whole.events).toEqual([...gone.events, ...byKey.events]);
    expect(whole.events.at(-1)?.data).toMatchObject({ type: 'turn.finished', answer: { text: turn.answer?.text } });
    expect(model.requests).toHaveLength(2);
    expect((await talk.stored(turn.turn_id)).cost_micros).toBe(turn.answer?.usage.cost_micros);
  });
});
