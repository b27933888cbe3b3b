import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SKILLS } from '../../contracts/states.js';
import { CATALOGUE } from '../../contracts/tools/catalogue.js';
import { platform, setUp } from '../../evals/turns/arms.js';
import { CARELESS, openCareless, type Careless } from '../../evals/turns/careless/index.js';
import type { RunRecord } from '../../evals/turns/dump.js';
import { flat, readable } from '../../evals/turns/figures.js';
import { runBrief } from '../../evals/turns/rig.js';
import { openWorld, type World } from '../../evals/turns/world.js';
import { adminUrl } from '../support/database.js';

/** A careless model over HTTP, through the real port: each fault is stopped by code, and the person gets an answer or a typed refusal. */

let world: World;
let model: Awaited<ReturnType<typeof openCareless>>;
beforeAll(async () => {
  [world, model] = await Promise.all([openWorld(adminUrl()), openCareless()]);
});
afterAll(async () => {
  await model.close();
  await world.close();
});

const run = async (one: Careless): Promise<RunRecord> =>
  runBrief(one.brief, {
    world,
    model: model.model,
    arm: 'con_receta',
    setup: await setUp('con_receta', await platform()),
    k: 0,
    signal: new AbortController().signal,
  });
const WRITES = new Set(CATALOGUE.filter((tool) => tool.scope === 'paid' || !tool.readOnly).map((tool) => tool.name));
const INTERNAL = new RegExp(
  [
    ...CATALOGUE.map((tool) => tool.name),
    ...SKILLS.filter((name) => name.includes('-')),
    'skill_open',
    'board_read',
    'backend',
    '\\bjson\\b',
  ].join('|'),
  'i',
);

describe('a careless model', () => {
  for (const one of CARELESS)
    it(one.brief.id, async () => {
      const before = model.requests.length;
      const record = await run(one);
      const [turn] = record.turns;
      if (!turn) throw new Error(record.error ?? 'no turn');
      expect(turn.error).toBeNull();

      // Stopped by code, and seen to be.
      const tags = [
        ...(turn.answer?.validation ?? []).flatMap((attempt) => attempt.tags),
        ...((turn.refused?.params['tags'] as string[] | undefined) ?? []),
      ];
      const seen = [
        ...(one.stopped.tags ?? []).filter((tag) => tags.includes(tag)),
        ...(one.stopped.errors ?? []).filter((code) => turn.tools.some((call) => call.error === code)),
        ...(one.stopped.outcomes ?? []).filter((outcome) => turn.metered?.attempts.some((attempt) => attempt.outcome === outcome)),
      ];
      expect(
        seen,
        JSON.stringify({
          tags,
          errors: turn.tools.map((call) => call.error),
          attempts: turn.metered?.attempts.map((attempt) => attempt.outcome),
        }),
      ).not.toEqual([]);

      // An answer that may be shown, or a refusal with its code.
      expect(one.ends as readonly string[]).toContain(turn.answer ? 'answer' : turn.refused?.code);
      if (turn.answer) {
        expect(turn.answer.anchors.length + (turn.answer.card?.rows.length ?? 0)).toBeGreaterThan(0);
        expect(turn.answer.usage.unresolved_refs).toBe(0);
        expect(turn.answer.text).not.toMatch(INTERNAL);
        expect(turn.answer.siguiente ?? turn.answer.pregunta).not.toBeNull();
        for (const never of one.brief.expect.never ?? []) expect(flat(readable(turn))).not.toMatch(new RegExp(never, 'i'));
        expect(turn.folded).toBe(true);
      } else expect(turn.refused).toMatchObject({ status: expect.any(Number) });

      // Nothing was paid or written, nothing went on without its tap, and it is booked.
      expect(turn.tools.filter((call) => WRITES.has(call.tool) && call.ok)).toEqual([]);
      expect(turn.campaigns.filter((started) => started.refused === null && started.action === 'start')).toEqual([]);
      expect(turn.metered).not.toBeNull();
      expect(turn.metered?.attempts.length).toBe(model.requests.length - before);
      const cut = turn.metered?.attempts.some((attempt) => attempt.cost_micros === null);
      if (cut) expect(turn.metered?.micros).toBeNull();
      else expect(turn.metered?.micros).toBeGreaterThan(0);
      expect(model.requests.length - before).toBeLessThanOrEqual(14);
      expect(turn.events.at(-1)).toBe(turn.answer ? 'turn.finished' : 'turn.refused');
      expect(turn.events.filter((event) => event === 'turn.finished' || event === 'turn.refused')).toHaveLength(1);
    });

  it('spent nothing at the provider beyond its searches', async () => {
    const { charges } = await world.control<{ charges: Array<{ tool: string; kind: string }> }>('GET', '/log?workspace=ws_demo');
    expect(charges.filter((charge) => charge.kind === 'credits')).toEqual([]);
  });
});
