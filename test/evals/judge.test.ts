import { describe, expect, it } from 'vitest';
import { ModelFailure, type Model, type ModelReply, type ModelRequest } from '../../ada/ports/model.js';
import { judgeByChecks, judgeByModel } from '../../evals/turns/judge.js';
import { score } from '../../evals/turns/score.js';
import { BRIEFS, golden, of, spoiled } from './golden.js';

const saying = (reply: (request: ModelRequest) => string | Error): Model => ({
  name: 'juez',
  kind: 'scripted',
  cost: () => 0,
  complete: async (request): Promise<ModelReply> => {
    const said = reply(request);
    if (said instanceof Error) throw said;
    return { kind: 'answer', text: said, usage: { in: 1, out: 1 }, ttftMs: 1 };
  },
});
const expectOf = (id: string) => {
  const brief = BRIEFS.find((one) => one.id === id);
  if (!brief) throw new Error(id);
  return brief.expect;
};
const verdict = (over: object = {}): string =>
  JSON.stringify({ respondio: true, salidas: true, no_invento: true, por_que: 'bien', ...over });
const { signal } = new AbortController();

describe('who judges usefulness', () => {
  it('a model, with what was asked, answered and read before it as data', async () => {
    let asked = '';
    const judged = await judgeByModel(
      saying((request) => {
        asked = request.items.map((item) => ('content' in item ? item.content : '')).join();
        return verdict({ salidas: false });
      }),
      of(golden(), 'g-lista'),
      expectOf('g-lista'),
      signal,
    );
    expect(judged).toEqual({ respondio: true, salidas: false, no_invento: true, by: 'model', why: ['bien'] });
    expect(asked).toContain('<data>');
    expect(asked).toContain('Cartones del Lago');
  });
  it('not what it says of anchors that resolve to nothing', async () => {
    const turn = of(golden(), 'g-lista');
    turn.answer.usage.unresolved_refs = 1;
    expect(
      (
        await judgeByModel(
          saying(() => verdict()),
          turn,
          expectOf('g-lista'),
          signal,
        )
      ).no_invento,
    ).toBe(false);
  });
  it('the checks, where it gives no verdict or does not answer', async () => {
    const turn = of(golden(), 'g-lista');
    for (const reply of ['nada', '{"respondio":"sí"}', new ModelFailure('unreachable')])
      expect(
        (
          await judgeByModel(
            saying(() => reply),
            turn,
            expectOf('g-lista'),
            signal,
          )
        ).by,
      ).toBe('checks');
    expect(judgeByChecks(turn, expectOf('g-lista'))).toMatchObject({ respondio: true, salidas: true, no_invento: true, why: [] });
  });
});

describe('what counts', () => {
  it('keeps runs that broke apart from answers that miss', () => {
    const broken = spoiled((d) => {
      const run = d.runs.find((one) => one.brief === 'g-lista');
      if (run) Object.assign(run, { outcome: 'errored', error: 'model_unavailable' });
    });
    const card = score(broken, BRIEFS, {}, {});
    expect([card.ok, card.arms[0]?.errored, card.meters.find((one) => one.id === 'intent')?.value]).toEqual([true, 1, 1]);
    expect(
      score(
        spoiled((d) => {
          for (const run of d.runs) Object.assign(run, { outcome: 'errored' });
        }),
        BRIEFS,
        {},
        {},
      ).ok,
    ).toBe(false);
  });
  it('fails for a recipe that does not help, unless it is listed with a reason', () => {
    const both = spoiled((d) => {
      d.arms.push('sin_receta');
      d.runs.push(...d.runs.map((run) => ({ ...structuredClone(run), arm: 'sin_receta' as const })));
    });
    expect(score(both, BRIEFS, {}, {}).why.join()).toContain('cuantos-hay: usefulness +0.000');
    const reason = 'Its briefs are answered as well by the tools alone.';
    expect(score(both, BRIEFS, { 'cuantos-hay': reason, 'buscar-empresas-y-proveedores': reason, campana: reason }, {}).ok).toBe(true);
  });
  it('leaves known misses out of what hangs on language and of nothing else', () => {
    const limit = spoiled((d) => {
      of(d, 'g-limite').answer.intent = { kind: 'responder' };
    });
    expect(score(limit, BRIEFS, {}, { 'g-limite': 'no lo entiende' })).toMatchObject({
      ok: true,
      apart: { missed: ['g-limite'], right: [] },
    });
    const invented = spoiled((d) => {
      of(d, 'g-limite').answer.narration = 'Facturan 73,518 al mes.';
    });
    expect(score(invented, BRIEFS, {}, { 'g-limite': 'no lo entiende' }).ok).toBe(false);
  });
});
