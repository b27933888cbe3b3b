import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stack } from '../../stack/up.js';
import { option } from '../faults/api.js';
import { allProblems } from '../faults/checks/index.js';
import { faultsStack, forgetForeign, OTHER_WORKSPACE } from '../faults/stack.js';
import { openGround, World, type Ground } from '../faults/world.js';
import { quota, scriptedModel, type Recorded, type Reply, type ScriptedModel } from '../support/scripted-model.js';
import { startTestStack } from '../support/stack.js';

const START_MS = 300_000;
const N = 4;
/** What each draft uses, as the server says it: 300 tokens in at 1, 150 out at 4 micro-USD. */
const USED = { prompt_tokens: 300, completion_tokens: 150 };
const COST = 900;

/** A mail to whoever the data name. */
const mail = (request: Recorded): Reply => {
  const { name, company } = JSON.parse(request.items.at(-1)?.content ?? '{}') as { name: string; company: string };
  return {
    text: JSON.stringify({
      subject: `Empaque para ${company}`.slice(0, 150),
      body: `Hola ${name}:\n\nVi que llevas compras y creo que podemos ayudarte con el empaque.\n\n¿Te late una llamada esta semana?`,
    }),
    usage: USED,
  };
};

describe('a campaign with a model whose server has chat completions alone', () => {
  let stack: Stack;
  let ground: Ground;
  let world: World;
  let model: ScriptedModel;
  beforeAll(async () => {
    forgetForeign();
    model = await scriptedModel();
    const options = faultsStack([]);
    stack = await startTestStack({
      ...options,
      env: {
        ...options.env,
        OPENAI_API_KEY: 'test',
        OPENAI_BASE_URL: model.url,
        OPENAI_API_MODE: 'chat',
        MODEL_PRICE_IN_MICROS: '1000000',
        MODEL_PRICE_OUT_MICROS: '4000000',
      },
    });
    ground = await openGround(stack);
    world = await World.open(ground, OTHER_WORKSPACE);
  }, START_MS);
  afterAll(async () => {
    await ground?.close();
    await stack?.stop();
    await model?.close();
  }, START_MS);

  it('pauses where the model has no quota, and drafts for everybody once it has, at what it cost', async () => {
    model.play((r) => (r.api === 'chat' ? quota() : { status: 404, error: { message: 'no such path' } }));
    const run = await world.start({ cuentas: N });
    const start = await world.api.card(run, 'ajustar_presupuesto');
    const planned = option(start, 'all').totals.inference;
    await world.api.approve(start, { option: 'all' });
    await world.api.approve(await world.api.card(run, 'guardar_en_crm'), { option: 'approve' });
    await world.api.approve(await world.api.card(run, 'revelar_contactos'), { option: 'all' });
    // Every call that was out has come back.
    const paused = await world.api.until(run, 'the pause', (p) => p.state === 'paused' && p.budget.inference.held_micros === 0);
    expect(paused.reason).toEqual({ code: 'model_refused', params: { code: 'quota' } });
    // Each lane may have had one call out; none asked twice.
    expect(model.requests.length).toBeLessThanOrEqual(N);
    expect(paused.budget.inference.used_micros).toBe(0);

    model.play((r) => (r.api === 'chat' ? mail(r) : { status: 404, error: { message: 'no such path' } }));
    await world.api.send('POST', `/v1/runs/${run}/resume`);
    const end = await world.api.ended(run);
    expect(end.contacts).toMatchObject({ captured: N, drafted: N });
    expect(end.budget.inference).toEqual({ cap_micros: planned, held_micros: 0, used_micros: N * COST });
    expect(planned).toBeGreaterThanOrEqual(N * COST);
    expect(model.requests.map((r) => [r.api, r.format, r.body['reasoning_effort']])).toEqual(
      Array.from({ length: N }, () => ['chat', 'json_schema', 'low']),
    );
    const written = await world.rows<{ written_by: string; draft: string; name: string; draft_micros: string }>(
      `select written_by, draft, name, draft_micros from contacts where run_id = $1`,
      [run],
    );
    expect(written).toHaveLength(N);
    for (const one of written) {
      expect(one).toMatchObject({ written_by: 'model', draft: expect.stringContaining(`Hola ${one.name}:`) as string });
      expect(Number(one.draft_micros)).toBe(COST);
    }
    assert.deepEqual(await allProblems(world), []);
  }, 600_000);
});
