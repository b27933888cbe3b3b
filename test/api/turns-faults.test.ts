import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_MODEL_CALLS } from '../../ada/session.js';
import { MAX_TOOLS } from '../../ada/belt.js';
import { MAX_STEPS } from '../../ada/loop.js';
import type { TestKitchen } from '../kitchen/harness.js';
import {
  answer,
  broken,
  calls,
  half,
  noSchema,
  quota,
  rateLimited,
  scriptedModel,
  slow,
  unauthorized,
  type Recorded,
  type Reply,
  type Script,
  type ScriptedModel,
} from '../support/scripted-model.js';
import { until } from './support.js';
import { disorder, openTalk, PRICES, startTools, type Stored, type Talk, type Told } from './turns-rig.js';

/** Faults of models and tools, over the real API: a bounded number of requests, an end within the time, events in their order, and a cost on the books. */

const DEADLINE_MS = 5_000;
/** What may pass between the deadline and the end of the stream: letting go, writing it down, telling it. */
const SLACK_MS = 15_000;
const ESCALATION = 'de-reserva';

let kitchen: TestKitchen;
let model: ScriptedModel;
/** With all the time that a turn has. */
let talk: Talk;
/** With little, which only what is about time is given: on a busy machine it is soon over. */
let hurried: Talk;
beforeAll(async () => {
  [kitchen, model] = await Promise.all([startTools(), scriptedModel()]);
  model.play(() => hello);
  // The router learns once per process, and a turn that waits for it is given its whole time.
  const before = await openTalk(kitchen, { scripted: model });
  await before.say(await before.begin(), 'hola');
  await before.stop();
  talk = await openTalk(kitchen, { scripted: model });
  hurried = await openTalk(kitchen, { scripted: model, deadlineMs: DEADLINE_MS });
});
afterAll(async () => {
  await hurried?.stop();
  await talk?.stop();
  await model?.close();
  await kitchen?.stop();
});
afterEach(() => kitchen.control('DELETE', '/faults'));

const USED = { input_tokens: 4_000, output_tokens: 50, total_tokens: 4_050 };
/** micro-USD of one answered request. */
const EACH = (USED.input_tokens * PRICES.in + USED.output_tokens * PRICES.out) / 1_000_000;
const priced = (say: Reply): Reply => (typeof say === 'object' && !('status' in say) ? { ...say, usage: USED } : say);
const hello = priced(
  answer({
    intent: { kind: 'responder' },
    narration: 'Aquí estoy.',
    pregunta: null,
    siguiente: { kind: 'mensaje', label: 'Ver licitaciones', target: '¿Qué licitaciones hay?', cost: null },
  }),
);
const read = priced(calls(['board_read', {}]));

const inference = async (at: Talk): Promise<number> =>
  ((await at.api.call('GET', '/v1/balances', { token: await at.anybody() })).body as unknown as { inference: { spent: number } }).inference
    .spent;
/** One message under a script: what was heard, what was kept, how many requests there were. */
const play = async (script: Script, at: Talk = talk): Promise<Told & { kept: Stored; requests: Recorded[]; outcomes: string[] }> => {
  model.play(script);
  const before = await inference(at);
  const told = await at.say(await at.begin(), 'hola, ¿qué haces?');
  const requests = [...model.requests];
  const kept = await at.stored(told.turn);
  const outcomes = kept.attempts.map((one) => one.outcome);
  expect(disorder(told.events)).toEqual([]);
  if (at === hurried) expect(told.ms).toBeLessThan(DEADLINE_MS + SLACK_MS);
  // One entry for each request, and nobody calls again once the person has heard the end.
  expect(kept.attempts).toHaveLength(requests.length);
  expect(requests.length).toBeLessThanOrEqual(MAX_MODEL_CALLS);
  expect(kept.state).toBe(told.answer ? 'finished' : 'refused');
  expect(kept.cost_micros).toBe(told.answer ? told.answer.usage.cost_micros : told.refused?.cost_micros);
  // What is known to have been used is on the workspace's books, too, whatever else was used that nobody knows.
  const known = kept.attempts.reduce((sum, one) => sum + (one.cost_micros ?? 0), 0);
  expect(known).toBe(kept.cost_micros ?? known);
  await until(async () => (await inference(at)) - before === known);
  return { ...told, kept, requests, outcomes };
};
const refusal = ({ refused }: Told): unknown =>
  refused && { status: refused.status, code: refused.code, params: refused.params, cost: refused.cost_micros };

describe('a model that is busy', () => {
  it('is asked once more when it says so, and answers', async () => {
    const told = await play([rateLimited('0'), hello]);
    expect([told.answer?.text, told.outcomes, told.kept.cost_micros]).toEqual(['Aquí estoy.', ['rate_limited', 'ok'], EACH]);
    expect(told.answer?.attempts.map((one) => one.route)).toEqual(['primary', 'primary']);
  });
  it('is asked twice and no more', async () => {
    const told = await play(() => rateLimited('0'));
    expect([told.outcomes, refusal(told)]).toEqual([
      ['rate_limited', 'rate_limited'],
      { status: 503, code: 'model_unavailable', params: { cause: 'rate_limited' }, cost: 0 },
    ]);
  });
  it('for longer than a person waits is not asked again', async () => {
    const told = await play(() => rateLimited('3600'));
    expect([told.outcomes, refusal(told)]).toEqual([
      ['rate_limited'],
      { status: 503, code: 'model_unavailable', params: { cause: 'rate_limited' }, cost: 0 },
    ]);
  });
});

describe('a model that breaks', () => {
  it.each([500, 502, 503, 529])('with %i once answers the second time; what the first cost nobody knows', async (status) => {
    const told = await play([broken(status), hello]);
    expect([told.answer?.text, told.outcomes, told.kept.cost_micros]).toEqual(['Aquí estoy.', ['server_error', 'ok'], null]);
  });
  it('every time is asked twice', async () => {
    const told = await play(() => broken(503));
    expect([told.outcomes, refusal(told)]).toEqual([
      ['server_error', 'server_error'],
      { status: 503, code: 'model_unavailable', params: { cause: 'server_error' }, cost: null },
    ]);
  });
  it('after its tools leaves them in pairs, and then one refusal', async () => {
    const told = await play((_, n) => (n < 2 ? read : broken(500)));
    expect(told.events.map((event) => event.type)).toEqual([
      'turn.accepted',
      'tool.started',
      'tool.finished',
      'tool.started',
      'tool.finished',
      'turn.refused',
    ]);
    expect([told.outcomes, refusal(told)]).toEqual([
      ['ok', 'ok', 'server_error', 'server_error'],
      { status: 503, code: 'model_unavailable', params: { cause: 'server_error' }, cost: null },
    ]);
  });
  it('is not asked again without quota, or with a key that is none', async () => {
    const over = await play(() => quota());
    expect([over.outcomes, refusal(over)]).toEqual([['quota'], { status: 503, code: 'model_quota', params: {}, cost: 0 }]);
    const unknown = await play(() => unauthorized());
    expect([unknown.outcomes, refusal(unknown)]).toEqual([
      ['unauthorized'],
      { status: 503, code: 'model_unauthorized', params: {}, cost: 0 },
    ]);
  });
  it('without quota in the middle of a turn has what it used before on the books', async () => {
    const told = await play((_, n) => (n === 0 ? read : quota()));
    expect([told.outcomes, refusal(told)]).toEqual([['ok', 'quota'], { status: 503, code: 'model_quota', params: {}, cost: EACH }]);
  });
});

describe('a stream that is cut', () => {
  it.each([
    ['end', 'cut'],
    ['reset', 'cut'],
  ] as const)('by %s is asked for once more', async (how, outcome) => {
    const told = await play([half(hello as Parameters<typeof half>[0], how), hello]);
    expect([told.answer?.text, told.outcomes, told.kept.cost_micros]).toEqual(['Aquí estoy.', [outcome, 'ok'], null]);
    // Nothing of the half that came is told.
    expect(told.events.flatMap((event) => (event.type === 'narration.delta' ? [event.text] : [])).join('')).toBe('Aquí estoy.');
  });
  it('every time ends in a refusal after two', async () => {
    const told = await play(() => half(hello as Parameters<typeof half>[0], 'end'));
    expect([told.outcomes, refusal(told)]).toEqual([
      ['cut', 'cut'],
      { status: 503, code: 'model_unavailable', params: { cause: 'cut' }, cost: null },
    ]);
  });
});

describe('time', () => {
  it.each<[string, () => Reply]>([
    ['never answers', () => 'hang'],
    ['begins and then is silent', () => half(hello as Parameters<typeof half>[0], 'hang')],
    ['drips', () => slow(hello as Parameters<typeof slow>[0], 400)],
  ])('a model that %s is left at the deadline', async (_what, reply) => {
    const told = await play(() => reply(), hurried);
    expect(refusal(told)).toMatchObject({ status: 504, code: 'deadline', cost: null });
    expect(told.ms).toBeGreaterThanOrEqual(DEADLINE_MS - 50);
    // The server hears of it a moment later.
    await until(() => told.requests.every((request) => request.left));
    expect(told.outcomes).toEqual(['timeout']);
  });
  it('a tool that does not answer is left at the deadline, and is heard to end', async () => {
    await kitchen.fault({ kind: 'timeout', tool: 'collection_query', workspace: 'ws_demo' });
    const told = await play(
      (_, n) => (n === 0 ? priced(calls(['skill_open', { name: 'como-va-mi-pipeline' }], ['collection_query', { op: 'list' }])) : hello),
      hurried,
    );
    expect(refusal(told)).toMatchObject({ status: 504, code: 'deadline', cost: EACH });
    // By its own limit or by the turn's, whichever clock is first.
    expect(told.tools.at(-1)).toMatchObject({
      tool: 'collection_query',
      ok: false,
      error: expect.stringMatching(/^(?:deadline|timeout)$/) as unknown,
    });
    expect(told.outcomes).toEqual(['ok']);
  });
  it('a tool that breaks is told to the model, which goes on', async () => {
    await kitchen.fault({ kind: 'http_5xx', tool: 'collection_query', workspace: 'ws_demo', status: 503 });
    const told = await play((_, n) =>
      n === 0 ? priced(calls(['skill_open', { name: 'como-va-mi-pipeline' }], ['collection_query', { op: 'list' }])) : hello,
    );
    expect([told.answer?.text, told.outcomes]).toEqual(['Aquí estoy.', ['ok', 'ok']]);
    expect(told.tools.map((one) => [one.tool, one.ok])).toEqual([
      ['skill_open', true],
      ['collection_query', false],
    ]);
  });
});

describe('a model that knows no schema', () => {
  it('is asked for an object from then on, with nothing else taken away', async () => {
    const told = await play((request, n) => (request.format === 'json_schema' ? noSchema() : n === 1 ? read : hello));
    expect(told.requests.map((request) => request.format)).toEqual(['json_schema', 'json_object', 'json_object']);
    expect([told.answer?.text, told.outcomes, told.kept.attempts.map((one) => one.mode), told.kept.cost_micros]).toEqual([
      'Aquí estoy.',
      ['not_capable', 'ok', 'ok'],
      ['json_schema', 'json_object', 'json_object'],
      2 * EACH,
    ]);
    expect(new Set(told.requests.map((request) => request.tools.join()))).toHaveLength(1);
    expect(told.requests[1]?.allowed).toEqual(told.requests[0]?.allowed);
  });
  it('and no object either is refused after two', async () => {
    const told = await play(() => noSchema());
    expect([told.outcomes, refusal(told)]).toEqual([
      ['not_capable', 'not_capable'],
      { status: 503, code: 'model_unavailable', params: { cause: 'not_capable' }, cost: 0 },
    ]);
  });
});

describe('a model that loops', () => {
  it('is stopped within its steps and tools, and pays for what it used', async () => {
    const told = await play(() => priced(calls(['board_read', {}], ['board_read', {}], ['board_read', {}])));
    expect(refusal(told)).toMatchObject({ status: 422, code: 'answer_invalid', cost: told.requests.length * EACH });
    expect(told.requests.length).toBeLessThanOrEqual(MAX_STEPS + 1);
    expect(told.tools.filter((one) => one.ok).length).toBeLessThanOrEqual(MAX_TOOLS);
    expect(told.outcomes.every((one) => one === 'ok')).toBe(true);
  });
});

describe('a second model', () => {
  it('takes over from one that is down, and the route is kept; not from one without quota', async () => {
    const two = await openTalk(kitchen, {
      scripted: model,
      env: { MODEL_ESCALATION: ESCALATION, MODEL_ESCALATION_PRICE_IN_MICROS: PRICES.in, MODEL_ESCALATION_PRICE_OUT_MICROS: PRICES.out },
    });
    try {
      const by =
        (down: Reply) =>
        (request: Recorded, n: number): Reply =>
          request.body['model'] === ESCALATION ? (n === 2 ? read : hello) : down;
      const told = await play(by(rateLimited('0')), two);
      expect([
        told.answer?.text,
        told.answer?.attempts.map((one) => `${one.route} ${one.model} ${one.outcome}`),
        told.kept.cost_micros,
      ]).toEqual([
        'Aquí estoy.',
        [
          'primary descuidado rate_limited',
          'primary descuidado rate_limited',
          `escalation ${ESCALATION} ok`,
          `escalation ${ESCALATION} ok`,
        ],
        2 * EACH,
      ]);
      const over = await play(by(quota()), two);
      expect([over.outcomes, refusal(over)]).toEqual([['quota'], { status: 503, code: 'model_quota', params: {}, cost: 0 }]);
      const both = await play(() => broken(500), two);
      expect([both.outcomes, refusal(both)]).toMatchObject([
        ['server_error', 'server_error', 'server_error', 'server_error'],
        { code: 'model_unavailable' },
      ]);
    } finally {
      await two.stop();
    }
  });
});
