import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TurnEvent } from '../../contracts/turn.js';
import type { Stack } from '../../stack/up.js';
import { listen } from '../api/sse-client.js';
import { campana } from '../cli/run.js';
import { answer, scriptedModel, type ScriptedModel } from '../support/scripted-model.js';
import { startTestStack } from '../support/stack.js';

const START_MS = 300_000;
const hello = answer({
  intent: { kind: 'responder' },
  narration: 'Aquí estoy.',
  pregunta: null,
  siguiente: { kind: 'mensaje', label: 'Contar proveedores', target: '¿Cuántos proveedores de empaque hay en Jalisco?', cost: null },
});

describe('conversations while processes die', () => {
  let stack: Stack;
  let model: ScriptedModel;
  let state: string;
  beforeAll(async () => {
    model = await scriptedModel();
    state = await mkdtemp(join(tmpdir(), 'campana-chat-e2e-'));
    stack = await startTestStack({ envFor: { api: { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: model.url } } });
  }, START_MS);
  afterAll(async () => {
    await stack?.stop();
    await model?.close();
    await rm(state, { recursive: true });
  }, START_MS);

  const at = () => ({ url: stack.urls.api, token: stack.token });
  const call = async <T = { state: string; refused: { code: string } | null }>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> => {
    for (let tries = 0; ; tries += 1) {
      try {
        const response = await fetch(at().url + path, {
          method,
          headers: {
            authorization: `Bearer ${stack.token}`,
            'idempotency-key': randomUUID(),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        if (response.status < 500) return (await response.json()) as T;
      } catch (error) {
        if (tries > 200) throw error;
      }
      await sleep(100);
    }
  };
  const begin = async (): Promise<string> => (await call<{ thread_id: string }>('POST', '/v1/threads', {})).thread_id;
  const ask = (thread: string, message: string) =>
    listen(at(), `/v1/threads/${thread}/turns`, { method: 'POST', body: { message }, headers: { 'idempotency-key': randomUUID() } });
  const asked = async (n: number): Promise<void> => {
    while (model.requests.length < n) await sleep(20);
  };
  const ended = async (path: string): Promise<{ state: string; refused: { code: string } | null }> => {
    for (;;) {
      const turn = await call('GET', path);
      if (!['queued', 'running'].includes(turn.state)) return turn;
      await sleep(100);
    }
  };

  it('an API killed in the middle of a turn leaves a thread that says so and goes on', async () => {
    model.play(['hang', hello, hello, hello]);
    const thread = await begin();
    const lost = await ask(thread, 'hola, ¿qué haces?');
    const next = await call<{ turn_id: string }>('POST', `/v1/threads/${thread}/turns`, { message: '¿sigues ahí?' });
    await asked(1);
    await stack.kill('api');
    await lost.over;
    expect(lost.events.map((one) => one.data.type)).not.toContain('turn.refused');
    await stack.restart('api');
    const path = String(lost.headers.get('location'));
    expect(await ended(path)).toMatchObject({ state: 'interrupted', refused: { code: 'interrupted' } });
    const again = await listen(at(), `${path}/events`);
    await again.over;
    expect(again.events.at(-1)?.data).toMatchObject({ type: 'turn.refused', code: 'interrupted' });
    expect((await ended(`/v1/threads/${thread}/turns/${next.turn_id}`)).state).not.toBe('interrupted');
  });

  it('an API told to go marks the turns that do not end in time, at once', async () => {
    model.play(['hang', hello, hello]);
    const thread = await begin();
    const running = await ask(thread, 'hola de nuevo');
    await asked(1);
    await stack.restart('api');
    await running.over;
    // Whoever was listening was told before the process went.
    expect(running.events.at(-1)?.data).toMatchObject({ type: 'turn.refused', code: 'interrupted' });
    // Read once: who went has marked it, and nobody has to find it abandoned.
    expect((await call('GET', String(running.headers.get('location')))).state).toBe('interrupted');
  });

  it('the command hears its turn to the end over a killed API', async () => {
    model.play(['hang', hello, hello, hello]);
    const env = { CAMPANA_API_URL: stack.urls.api, CAMPANA_TOKEN: stack.token, NO_COLOR: '1', CAMPANA_STATE_DIR: state };
    const ran = campana({ env }, ['chat', '--json', 'hola', 'otra', 'vez']);
    await asked(1);
    await stack.kill('api');
    await stack.restart('api');
    const { exit, lines } = await ran;
    expect(JSON.parse(lines.at(-1) ?? '') as TurnEvent).toMatchObject({ type: 'turn.refused', code: 'interrupted' });
    expect(exit).toBe(130);
  });
});
