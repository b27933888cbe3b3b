import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deterministicModel } from '../../ada/deterministic/index.js';
import { SKILLS } from '../../contracts/states.js';
import { readBriefs } from '../../evals/turns/brief.js';
import { compare } from '../../evals/turns/compare.js';
import type { Dump } from '../../evals/turns/dump.js';
import { METERS } from '../../evals/turns/meters/index.js';
import { html, textComparison, textReport } from '../../evals/turns/report.js';
import { runAll } from '../../evals/turns/run.js';
import { readKnown, score, withoutKnown, type Scorecard } from '../../evals/turns/score.js';
import { openWorld, type World } from '../../evals/turns/world.js';
import { adminUrl } from '../support/database.js';

/** Every brief with the model that needs no key, with its recipes and without: what `npm run evals` does, on every `npm test`. */

const briefs = readBriefs();
let world: World;
let dump: Dump;
let card: Scorecard;
beforeAll(async () => {
  world = await openWorld(adminUrl());
  dump = await runAll({
    world,
    model: deterministicModel(),
    briefs,
    arms: ['con_receta', 'sin_receta'],
    k: 1,
    signal: new AbortController().signal,
  });
  card = score(dump, briefs);
}, 600_000);
afterAll(() => world.close());

const wrong = (list: ReadonlyArray<{ ok: boolean | null; title: string; misses: Array<{ brief: string; why: string }> }>): string[] =>
  list.filter((one) => one.ok === false).map((one) => `${one.title}: ${one.misses.map((miss) => `${miss.brief} ${miss.why}`).join(' · ')}`);

describe('the briefs without a key', () => {
  it('all run, none breaks', () => {
    expect(dump.runs).toHaveLength(briefs.length * 2);
    expect(dump.runs.filter((run) => run.outcome === 'errored').map((run) => `${run.brief}: ${run.error}`)).toEqual([]);
  });
  it('hold the eight blocking evals, on every brief', () => {
    expect(wrong(card.blocking)).toEqual([]);
    expect(wrong(score(dump, briefs, undefined, {}).blocking)).toEqual([]);
  });
  it('exercise each blocking eval in at least three cases', () => {
    expect(card.blocking.filter((one) => one.looked < 3).map((one) => one.title)).toEqual([]);
  });
  it('are within what the meters aim at, those apart that are known to be missed', () => {
    const held = withoutKnown(dump, readKnown('deterministic'));
    expect(wrong(METERS.map((meter) => meter.measure(held, briefs)))).toEqual([]);
    // With all of them, what was asked is understood and answered.
    for (const [id, least] of [
      ['intent', 0.96],
      ['skill_trigger', 0.96],
      ['utilidad', 0.96],
      ['pregunta_correcta', 0.9],
      ['siguiente_ofrecido', 1],
      ['costo_declarado', 1],
    ] as const)
      expect(card.meters.find((one) => one.id === id)?.value, id).toBeGreaterThanOrEqual(least);
  });
  it('are helped by every recipe', () => {
    expect(card.skills.map((one) => one.skill).sort()).toEqual([...SKILLS].sort());
    expect(card.skills.filter((one) => !one.ok).map((one) => `${one.skill} ${one.utility}`)).toEqual([]);
    expect(card.ok, card.why.join('; ')).toBe(true);
  });
  it('know of every miss that is listed', () => {
    const ids = new Set(briefs.map((brief) => brief.id));
    expect(Object.keys(readKnown('deterministic')).filter((id) => !ids.has(id))).toEqual([]);
    expect(Object.keys(readKnown('deterministic')).length).toBeLessThanOrEqual(5);
  });
  it('never have a prompt over 15,000 characters', () => {
    const long = dump.runs.flatMap((run) =>
      run.turns.filter((turn) => turn.prompt_characters > 15_000).map((turn) => `${run.brief} ${turn.prompt_characters}`),
    );
    expect(long).toEqual([]);
    expect(Math.max(...dump.runs.flatMap((run) => run.turns.map((turn) => turn.prompt_characters)))).toBeGreaterThan(3_000);
  });
  it('keep the arguments of every call', () => {
    const calls = dump.runs.flatMap((run) => run.turns.flatMap((turn) => turn.tools));
    expect(calls.length).toBeGreaterThan(100);
    expect(calls.every((call) => call.args !== undefined && call.args !== null)).toBe(true);
  });
});

describe('reports', () => {
  it('are a page without outside parts, with what others wrote as text', () => {
    const spoiled: Dump = structuredClone(dump);
    const turn = spoiled.runs[0]?.turns[0];
    if (turn?.answer) turn.answer.narration = '<script>alert(1)</script>';
    const page = html(spoiled, card, briefs, compare(dump, dump, briefs));
    expect(page).not.toMatch(/<script|https?:\/\/(?!recargas\.example)[^\s"<]+\.(?:js|css)|<link|<img/);
    expect(page).toContain('&lt;script&gt;');
    expect(textReport(dump, card)).toContain('Blocking');
  });
  it('compare two dumps: no change with itself, and what got worse by name', () => {
    const same = compare(dump, dump, briefs);
    expect([same.gained, same.lost, same.changes.every((one) => one.better === null)]).toEqual([[], [], true]);
    const worse: Dump = structuredClone(dump);
    const run = worse.runs.find((one) => one.brief === 'receta-cuantos-muebles' && one.arm === 'con_receta');
    for (const turn of run?.turns ?? []) turn.judged = { respondio: false, salidas: false, no_invento: true, by: 'checks', why: [] };
    const found = compare(dump, worse, briefs);
    expect(found.lost).toEqual(['receta-cuantos-muebles']);
    expect(found.changes.find((one) => one.what === 'usefulness')?.better).toBe(false);
    expect(textComparison(found)).toContain('Worse: receta-cuantos-muebles');
  });
});
