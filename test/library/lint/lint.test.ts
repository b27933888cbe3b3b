import { expect, test } from 'vitest';
import { catalogCodes, text } from '../../../contracts/catalog/index.js';
import { LINT_CODES, lintLibrary, lintSnapshot } from '../../../ada/library/lint/index.js';
import { COUNT_PATH, load, type Pair, render, base, tree } from './base.js';
import contractPairs from './fixtures/contract.js';
import descriptionPairs from './fixtures/description.js';
import graphPairs from './fixtures/graph.js';
import libraryPairs from './fixtures/library.js';
import referencesPairs from './fixtures/references.js';
import scanPairs from './fixtures/scan.js';
import stepsPairs from './fixtures/steps.js';
import templatePairs from './fixtures/template.js';
import toolsPairs from './fixtures/tools.js';
import triggersPairs from './fixtures/triggers.js';
import trustPairs from './fixtures/trust.js';

const pairs: Pair[] = [
  ...contractPairs,
  ...descriptionPairs,
  ...graphPairs,
  ...libraryPairs,
  ...referencesPairs,
  ...scanPairs,
  ...stepsPairs,
  ...templatePairs,
  ...toolsPairs,
  ...triggersPairs,
  ...trustPairs,
];

test('the library that fixtures start from has nothing wrong', async () => {
  expect(await lintLibrary(await load(tree()))).toEqual([]);
});

test('every code has a pair, and its text and fix in both languages', () => {
  const have = new Set(pairs.map((p) => p.code));
  expect(LINT_CODES.filter((c) => !have.has(c))).toEqual([]);
  expect([...have].filter((c) => !LINT_CODES.includes(c))).toEqual([]);
  for (const language of ['es-MX', 'en'] as const) {
    const codes = new Set(catalogCodes(language));
    expect(LINT_CODES.flatMap((c) => [`library.${c}`, `library.${c}.fix`]).filter((k) => !codes.has(k))).toEqual([]);
  }
});

test.each(pairs.map((p, i) => [`${p.code} (${i})`, p] as const))('%s', async (_, p) => {
  const ok = await lintLibrary(await load(p.ok, p.trust));
  expect(ok.filter((f) => f.code === p.code)).toEqual([]);
  const bad = (await lintLibrary(await load(p.bad, p.trust))).filter((f) => f.code === p.code);
  expect(bad.length).toBeGreaterThanOrEqual(p.expected.length);
  // A message that misses a parameter shows its pattern.
  for (const f of bad)
    for (const language of ['es-MX', 'en'] as const)
      for (const key of [`library.${f.code}`, `library.${f.code}.fix`]) expect(text(language, key, f.params)).not.toMatch(/\{/);
  for (const { params, ...where } of p.expected) {
    expect(bad).toContainEqual(expect.objectContaining({ ...where, ...(params ? { params: expect.objectContaining(params) } : {}) }));
  }
});

test('what loading lets pass is an error here', async () => {
  const plain = render(base.count)
    .replace('version: "1.0.0"', 'version: 1.0.0')
    .replace('tools: "market_count_suppliers market_compare"', 'tools: [market_count_suppliers, market_compare]');
  const snapshot = await load(tree({}, { [COUNT_PATH]: plain }));
  expect(snapshot.problems.map((p) => p.severity)).toEqual(['warning', 'warning']);
  expect(lintSnapshot(snapshot).map((p) => [p.severity, p.code, p.line])).toEqual([
    ['error', 'portable_unquoted', 5],
    ['error', 'portable_list', 7],
  ]);
});

test('sizes: one character more than each limit', async () => {
  const long = (n: number): string => 'a'.repeat(n);
  const body = render(base.count).split('---\n')[2]!.trim();
  const description = base.count.description;
  const at = async (change: Parameters<typeof tree>[0], more = {}) =>
    lintSnapshot(await load(tree(change, more)))
      .filter((p) => p.code.endsWith('_long'))
      .map((p) => [p.severity, p.code]);
  expect(await at({ description: description + long(190 - description.length) })).toEqual([]);
  expect(await at({ description: description + long(191 - description.length) })).toEqual([['error', 'description_long']]);
  expect(await at({ body: body + long(2500 - body.length) })).toEqual([]);
  expect(await at({ body: body + long(2501 - body.length) })).toEqual([['error', 'body_long']]);
  expect(await at({}, { 'references/x.md': long(4500) })).toEqual([]);
  expect(await at({}, { 'references/x.md': long(4501) })).toEqual([['error', 'reference_long']]);
});

test('of one skill: its own problems, and none of its neighbours or of the library', async () => {
  const snapshot = await load({
    ...tree({ metadata: { version: '1' } }),
    'mercado/listar-talleres/SKILL.md': render({ ...base.list, metadata: { ...base.list.metadata, version: '2' } }),
  });
  expect(lintSnapshot(snapshot, { skill: 'contar-talleres' }).map((p) => [p.path, p.code])).toEqual([[COUNT_PATH, 'version_not_semver']]);
  expect(lintSnapshot(snapshot, { skill: 'no-hay' })).toEqual([]);
});

test('the same library gives the same problems in the same order, whatever the order of its files', async () => {
  const files = Object.entries(tree({ metadata: { version: '1', siguiente: 'x y', tools: 'a b' }, errores: 'nada' }));
  const one = await lintLibrary(await load(Object.fromEntries(files)));
  expect(one.length).toBeGreaterThan(4);
  expect(await lintLibrary(await load(Object.fromEntries(files.reverse())))).toEqual(one);
});

test('without its files read again, lines of the body are left out and not wrong', async () => {
  const snapshot = await load(tree({ pasos: '1. Cuenta.' }));
  const found = lintSnapshot(snapshot).find((p) => p.code === 'step_without_plan_b');
  expect(found).toMatchObject({ path: COUNT_PATH });
  expect(found?.line).toBeUndefined();
});
