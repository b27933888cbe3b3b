import { beforeAll, describe, expect, it } from 'vitest';
import { corpusDigest, readCases, type Case } from '../../evals/routing/cases.js';
import { AIM, readSealedScore, retrievalReport, routingReport } from '../../evals/routing/main.js';
import { html, retrievalFigures, routingFigures, table, type RetrievalReport, type RoutingReport } from '../../evals/routing/report.js';
import { SKILLS } from '../../contracts/states.js';
import { platformSnapshot } from '../../evals/routing/library-200.js';
import { phrasesOf } from '../../ada/library/choose/phrases.js';
import { fold } from '../../ada/library/text/fold.js';

const plain = (text: string): string =>
  fold(text)
    .replace(/[^a-z0-9ñ]+/g, ' ')
    .trim();

describe('the corpus', () => {
  const cases = readCases('tuned');
  it('has for every recipe at least ten messages that fire it and ten that must not', () => {
    for (const name of SKILLS) {
      expect(cases.filter((one) => one.relevant.includes(name)).length, name).toBeGreaterThanOrEqual(10);
      expect(cases.filter((one) => one.forbidden.includes(name)).length, name).toBeGreaterThanOrEqual(10);
    }
  });

  it('contradicts itself nowhere', () => {
    const wrong = (one: Case): boolean =>
      one.expect_none !== (one.relevant.length === 0) || one.relevant.some((name) => one.forbidden.includes(name));
    expect(cases.filter(wrong)).toEqual([]);
    expect(new Set(cases.map((one) => one.id)).size).toBe(cases.length);
  });

  it('holds every way of typing', () => {
    const tags = new Set(cases.flatMap((one) => one.tags));
    expect(
      [
        'plain',
        'typo',
        'no-accent',
        'neighbour',
        'negation',
        'english',
        'company-name',
        'slang',
        'long',
        'short',
        'state',
        'none',
        'multi',
      ].filter((tag) => !tags.has(tag)),
    ).toEqual([]);
  });

  it('is not what the skills learn from: of a hundred messages at most one happens to be an example phrase too', async () => {
    const { skills } = await platformSnapshot();
    const learnt = new Set([...skills.values()].flatMap((skill) => phrasesOf(skill).map((phrase) => plain(phrase.text))));
    for (const half of [cases, readCases('sealed')]) {
      const long = half.map((one) => plain(one.message)).filter((message) => message.split(' ').length > 4);
      expect(long.filter((message) => learnt.has(message)).length / long.length).toBeLessThan(0.01);
    }
  });
});

describe('routing', () => {
  let report: RoutingReport & { library: string };
  beforeAll(async () => {
    report = await routingReport('tuned');
  });

  it('finds the recipe first, or none, and never injects a forbidden one', () => {
    process.stdout.write(`${table('Routing, tuned half', routingFigures(report.routing, AIM.tuned))}\n`);
    expect(report.routing.top1).toBeGreaterThanOrEqual(AIM.tuned);
    expect(report.routing.noneRight).toBeGreaterThanOrEqual(0.98);
    expect(report.wrong.filter((one) => one.forbidden.length > 0).map((one) => one.case.message)).toEqual([]);
  });

  it('does so for every recipe and every way of typing, not on average alone', () => {
    const weak = (groups: Record<string, { right: number; of: number }>): string[] =>
      Object.entries(groups)
        .filter(([, { right, of }]) => of >= 10 && right / of < 0.85)
        .map(([key]) => key);
    expect([...weak(report.routing.byLabel), ...weak(report.routing.byTag)]).toEqual([]);
  });

  it('injects a body only when it is the right one, and in most turns that want one', () => {
    expect(report.routing.injectedRight).toBeGreaterThanOrEqual(0.98);
    expect(report.routing.injected / report.routing.asked).toBeGreaterThanOrEqual(0.6);
  });

  it('was scored once on the sealed half, as it is, and held', () => {
    const score = readSealedScore();
    expect(score.corpus).toBe(corpusDigest('sealed'));
    expect(score.cases).toBeGreaterThanOrEqual(300);
    expect(score.top1).toBeGreaterThanOrEqual(AIM.sealed);
    expect(score.none_right).toBeGreaterThanOrEqual(0.95);
    expect(score.forbidden_fires).toBe(0);
  });

  it('reports as a page that shows the tuned messages it got wrong and no sealed one', () => {
    const page = html({
      routing: [
        { ...report, aim: AIM.tuned, examples: true },
        { ...report, corpus: 'sealed', aim: AIM.sealed, examples: false },
      ],
      retrieval: [],
    });
    const message = report.wrong[0]?.case.message ?? '';
    const escaped = message.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
    expect(page.split(escaped).length - 1).toBe(message === '' ? page.length : 1);
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).not.toMatch(/<script|https?:\/\//);
  });
});

describe('retrieval among 200 skills', () => {
  let report: RetrievalReport;
  beforeAll(async () => {
    report = await retrievalReport('mix');
  });

  it('has the right one in the short list and mostly first', () => {
    process.stdout.write(`${table('Retrieval among 200, a real mix', retrievalFigures(report.retrieval))}\n`);
    expect(report.skills).toBe(200);
    expect(report.retrieval.inShort).toBeGreaterThanOrEqual(0.98);
    expect(report.retrieval.first).toBeGreaterThanOrEqual(0.85);
  });

  it('finds skills of an industry at least as well as general ones', () => {
    const { industria, general } = report.retrieval.byKind;
    expect(industria?.first ?? 0).toBeGreaterThanOrEqual(general?.first ?? 1);
  });

  it('asks in about one turn in nine, and the answer doubles what is right there', () => {
    const { clarified, asked } = report.retrieval;
    expect(clarified).toBeGreaterThanOrEqual(0.08);
    expect(clarified).toBeLessThanOrEqual(0.14);
    expect(asked.withQuestion).toBeGreaterThanOrEqual(2 * asked.first);
    expect(asked.questions).toBeLessThan(1.6);
  });
});
