import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { draftPriceMax } from '../../activities/model.js';
import { draftLane } from '../../activities/work/drafts.js';
import type { LaneResult } from '../../activities/work/people.js';
import { Env } from '../../contracts/env.js';
import { resumeRun } from '../../db/controls.js';
import {
  answer,
  half,
  noSchema,
  prose,
  quota,
  rateLimited,
  scriptedModel,
  type Script,
  type ScriptedModel,
} from '../support/scripted-model.js';
import {
  advance,
  approve,
  begin,
  inRun,
  KEY,
  ledgerOf,
  newWorkspace,
  openLab,
  person,
  progressOf,
  revealAll,
  runAtReveal,
  sql,
  violations,
  type Lab,
  type OpenRun,
} from '../support/runs.js';

/** Drafting lanes on real rows, with a model over HTTP: what each call cost is in the ledger, whatever came of it. */

let lab: Lab;
let server: ScriptedModel;
beforeAll(async () => {
  [lab, server] = await Promise.all([openLab(), scriptedModel()]);
});
afterAll(async () => {
  await Promise.all([lab.close(), server.close()]);
});

const MAIL = {
  subject: 'Empaque para tu planta',
  body: 'Hola Luz:\n\nVi que llevas compras y creo que podemos ayudarte con el empaque. ¿Te late una llamada?',
};

describe.each(['responses', 'chat'] as const)('a drafting lane with a model over %s', (mode) => {
  const usage = (used: number, out: number): object =>
    mode === 'responses' ? { input_tokens: used, output_tokens: out } : { prompt_tokens: used, completion_tokens: out };
  const good = (out = 100) => answer(MAIL, { usage: usage(300, out) });
  const envOf = (more: Record<string, unknown> = {}): Env =>
    Env.parse({
      DATABASE_URL: 'x',
      CAMPANA_SUPPRESSION_KEY: KEY,
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: server.url,
      OPENAI_API_MODE: mode,
      MODEL_PRICE_IN_MICROS: 1_000_000,
      MODEL_PRICE_OUT_MICROS: 4_000_000,
      ...more,
    });
  const most = (): number => draftPriceMax(envOf()) ?? 0;

  /** A run with everybody revealed, at its drafts, whose plan allows `times` drafts at their most. */
  const atDrafts = async (cuentas: number, times = 10): Promise<OpenRun> => {
    const workspace = await newWorkspace(lab, { credits: 200, inference: 10_000_000 });
    const at = await runAtReveal(lab, workspace, { cuentas, prices: { draft_max: most() } });
    await sql(
      lab,
      `update run_progress set body = jsonb_set(body, '{budget,inference,cap_micros}', to_jsonb($2::bigint)) where run_id = $1`,
      [at.run, times * most()],
    );
    await approve(lab, at, 's4');
    await revealAll(lab, at);
    await advance(lab, at, 's4');
    await begin(lab, at, 's5');
    return at;
  };
  const lane = (
    at: OpenRun,
    env = envOf(),
    activity = new MockActivityEnvironment({ attempt: 1 }),
    log = lab.ctx.log,
  ): Promise<LaneResult> =>
    activity.run(() => draftLane({ ...lab.ctx, env, log }, { workspace: at.workspace, run: at.run, plan_version: 1, lane: 1, lanes: 1 }));
  const drafts = (at: OpenRun) =>
    sql<{ draft: string | null; written_by: string | null; draft_micros: number | null }>(
      lab,
      `select draft, written_by, draft_micros from contacts where run_id = $1 order by rank`,
      [at.run],
    );
  const money = async (at: OpenRun) => {
    const { inference } = (await progressOf(lab, at)).budget;
    const ledger = (await ledgerOf(lab, at.workspace)).inference;
    expect(ledger.held).toBe(inference.held_micros);
    expect(await violations(lab, at.workspace)).toEqual([]);
    return { used: inference.used_micros, held: inference.held_micros, spent: ledger.spent };
  };
  const play = (script: Script): void => {
    server.play(script);
  };

  it('writes to everybody, and captures what each draft cost', async () => {
    const at = await atDrafts(3);
    play(() => good());
    expect(await lane(at)).toEqual({ done: 3, stop: 'empty' });
    expect(await drafts(at)).toEqual(Array.from({ length: 3 }, () => ({ draft: MAIL.body, written_by: 'model', draft_micros: 700 })));
    expect(await money(at)).toEqual({ used: 2_100, held: 0, spent: 2_100 });
  });

  it('asks again after a limit that passes, after a cut, and after what is no mail; each is metered', async () => {
    const at = await atDrafts(1);
    play([rateLimited('0'), { ...prose('{"subject":'), ended: 'max_tokens', usage: usage(300, 3_000) }, good()]);
    expect(await lane(at)).toEqual({ done: 1, stop: 'empty' });
    expect(await drafts(at)).toEqual([{ draft: MAIL.body, written_by: 'model', draft_micros: 12_300 + 700 }]);
    expect(await money(at)).toEqual({ used: 13_000, held: 0, spent: 13_000 });
  });

  it('gives the template, labelled, to whom the model refuses, and after three answers that are no mail, and counts what they cost', async () => {
    const refused = await atDrafts(1);
    play([{ refusal: 'No', usage: usage(300, 10) }]);
    expect(await lane(refused)).toMatchObject({ done: 1 });
    expect(await drafts(refused)).toMatchObject([{ written_by: 'template', draft_micros: 340 }]);
    expect(await money(refused)).toMatchObject({ used: 340, held: 0 });

    const hostile = await atDrafts(1);
    const wrong = [`<p>${MAIL.body}</p>`, 'a'.repeat(10_000), MAIL.body.replace('Luz', '{nombre}')];
    play(wrong.map((body) => answer({ ...MAIL, body }, { usage: usage(300, 100) })));
    expect(await lane(hostile)).toMatchObject({ done: 1 });
    expect(server.requests).toHaveLength(3);
    const [row] = await drafts(hostile);
    expect(row).toMatchObject({ written_by: 'template', draft_micros: 2_100 });
    expect(row?.draft).toContain('Luz');
    expect(await money(hostile)).toMatchObject({ used: 2_100, held: 0 });
  });

  it('pauses the run with the reason where there is no quota, asks once, and goes on when it is resumed', async () => {
    const at = await atDrafts(2);
    play([quota()]);
    expect(await lane(at)).toEqual({ done: 0, stop: 'paused' });
    expect(server.requests).toHaveLength(1);
    expect(await progressOf(lab, at)).toMatchObject({ state: 'paused', reason: { code: 'model_refused', params: { code: 'quota' } } });
    expect(await money(at)).toEqual({ used: 0, held: 0, spent: 0 });
    play(() => good());
    await inRun(lab, at, (run) => resumeRun(run, person(at.workspace)));
    await advance(lab, at, 's5');
    expect(await lane(at)).toEqual({ done: 2, stop: 'empty' });
    expect(await money(at)).toMatchObject({ used: 1_400, held: 0 });
  });

  it('pauses likewise where the server takes the request from nobody', async () => {
    for (const [reply, code] of [
      [{ status: 401, error: { code: 'invalid_api_key' } }, 'unauthorized'],
      [{ status: 404, error: { message: 'no such path' } }, 'not_capable'],
      [{ status: 400, error: { message: 'odd' } }, 'rejected'],
    ] as const) {
      const at = await atDrafts(1);
      play([reply]);
      expect(await lane(at)).toEqual({ done: 0, stop: 'paused' });
      expect((await progressOf(lab, at)).reason).toEqual({ code: 'model_refused', params: { code } });
      expect(await drafts(at)).toEqual([{ draft: null, written_by: null, draft_micros: 0 }]);
    }
  });

  it('degrades once for all where the server has no json_schema', async () => {
    const at = await atDrafts(3);
    play((r) => (r.format === 'json_schema' ? noSchema() : good()));
    expect(await lane(at)).toEqual({ done: 3, stop: 'empty' });
    expect(server.requests.map((r) => r.format)).toEqual(['json_schema', 'json_object', 'json_object', 'json_object']);
    expect(await money(at)).toMatchObject({ used: 2_100 });
  });

  it('counts the most for a call whose end nobody knows, never more than was held, and stops at the cap', async () => {
    const at = await atDrafts(2, 2);
    play([half(good(), 'reset'), half(good(), 'reset'), good()]);
    expect(await lane(at)).toEqual({ done: 0, stop: 'paused' });
    expect((await progressOf(lab, at)).reason).toMatchObject({ code: 'inference_cap' });
    expect(await money(at)).toEqual({ used: 2 * most(), held: 0, spent: 2 * most() });
  });

  it('leaves the total unknown where the model has no known price, never zero', async () => {
    const at = await atDrafts(1);
    play(() => good());
    await lane(at, envOf({ MODEL_PRICE_IN_MICROS: undefined }));
    expect((await progressOf(lab, at)).budget.inference.used_micros).toBeNull();
  });

  it('that is canceled in the middle of a call counts it, and one whose worker shuts down leaves it to the next attempt', async () => {
    for (const [reason, used] of [
      ['CANCELLED', most()],
      ['WORKER_SHUTDOWN', 0],
    ] as const) {
      const at = await atDrafts(1);
      const activity = new MockActivityEnvironment({ attempt: 1 });
      play(() => 'hang');
      const ended = lane(at, envOf(), activity).then(
        () => 'returned',
        (error: unknown) => (error as Error).name,
      );
      await expect.poll(() => server.requests.length).toBe(1);
      activity.cancel(reason);
      expect(await ended).toBe('CancelledFailure');
      expect(await money(at)).toMatchObject({ used, held: most() - used });
      if (used > 0) continue;
      play(() => good());
      expect(await lane(at, envOf(), new MockActivityEnvironment({ attempt: 2 }))).toEqual({ done: 1, stop: 'empty' });
      expect(await money(at)).toEqual({ used: 700, held: 0, spent: 700 });
    }
  });

  it('that is canceled while it waits for another try has stored what the first one cost', async () => {
    const at = await atDrafts(1);
    const activity = new MockActivityEnvironment({ attempt: 1 });
    play(() => ({ status: 503, error: { message: 'later' }, headers: { 'retry-after': '60' } }));
    // The last thing that a lane does before it waits.
    const warn = vi.fn();
    const log = Object.assign(Object.create(lab.ctx.log) as typeof lab.ctx.log, { warn });
    const ended = lane(at, envOf(), activity, log).then(
      () => 'returned',
      (error: unknown) => (error as Error).name,
    );
    await expect.poll(() => warn.mock.calls.map(([what]) => (what as { code: string }).code)).toEqual(['server_error']);
    activity.cancel('CANCELLED');
    expect(await ended).toBe('CancelledFailure');
    expect(await money(at)).toMatchObject({ used: most(), held: 0 });
  });
});
