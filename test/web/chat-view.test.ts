import { describe, expect, it } from 'vitest';
import { hasText, text } from '../../contracts/catalog/index.js';
import type { Progress } from '../../contracts/progress.js';
import type { BoardRow, Turn, TurnAnswer } from '../../contracts/turn.js';
import { Words } from '../../view/words.js';
import { Narrator, newsOf } from '../../web/chat/milestones.js';
import { placeCards } from '../../web/chat/placement.js';
import { filtersOf, stagesOf, tableOf } from '../../web/chat/rows.js';
import { beginning, cleanLines, ownPath, withNames } from '../../web/chat/text.js';

const words = new Words('es-MX', { has: hasText, text: (code, params) => text('es-MX', code, params) }, 'America/Mexico_City');

const run = (version: number, over: Partial<Progress> = {}): Progress => ({
  run_id: 'run_1',
  version,
  plan_version: 1,
  state: 'running',
  reason: null,
  objetivo: '12 · compras · Jalisco',
  mode: 'manual',
  last_progress_at: '2026-11-30T10:00:00Z',
  poll_after_ms: 1_000,
  counts: { unit: 'account', total: 12, done: 0, running: 0, pending: 12, not_found: 0, suppressed: 0, skipped: 0, failed: 0 },
  pasos: [],
  budget: {
    credits: { requested: 12, plan_max: 12, held: 0, spent: 0 },
    queries: { requested: 15, plan_max: 15, held: 0, spent: 0 },
    inference: { cap_micros: null, held_micros: 0, used_micros: 0 },
  },
  decisions: [],
  contacts: { captured: 0, drafted: 0, unconfirmed: 0 },
  links: { self: '/v1/runs/run_1' },
  ...over,
});
const step = (id: 's1' | 's3', status: Progress['pasos'][number]['status'], done: number): Progress['pasos'][number] => ({
  id,
  skill: 'campana',
  status,
  conteo: { done, total: 12, unit: 'company' },
  cost: { kind: 'gratis', max: 0, held: 0, spent: 0 },
  checkpoint: null,
  reason: null,
});
const counts = (done: number): Progress['counts'] => ({
  unit: 'account',
  total: 12,
  done,
  running: 0,
  pending: 12 - done,
  not_found: 0,
  suppressed: 0,
  skipped: 0,
  failed: 0,
});

describe('what a conversation tells of its campaigns', () => {
  it('tells a step that ended, a decision, a stop and the end, with counts that have a noun', () => {
    const texts = (before: Progress, now: Progress): string[] => newsOf(before, now, words).map((one) => one.text);
    expect(texts(run(1, { pasos: [step('s1', 'running', 3)] }), run(2, { pasos: [step('s1', 'done', 12)] }))).toEqual([
      'Empresas: Listo · 12 de 12 empresas encontradas',
    ]);
    expect(texts(run(1), run(2, { state: 'waiting_decision', decisions: ['dec_1'] }))).toEqual(['Espera tu toque']);
    expect(texts(run(1), run(2, { state: 'paused' }))).toEqual(['En pausa']);
    expect(texts(run(1, { state: 'paused' }), run(2))).toEqual(['En marcha']);
    expect(texts(run(1), run(2, { state: 'completed', counts: counts(12) }))).toEqual(['Lista · 12 de 12 cuentas con persona elegida']);
    expect(texts(run(1, { pasos: [step('s1', 'running', 3)] }), run(2, { pasos: [step('s1', 'running', 4)] }))).toEqual([]);
  });

  it('says each thing once, nothing of how things stood at first, and plain progress once a minute', () => {
    const narrator = new Narrator();
    const at = (version: number, ms: number, over: Partial<Progress>): void => narrator.take(run(version, over), words, ms, 3);
    at(1, 0, { state: 'waiting_decision', decisions: ['dec_1'] });
    expect(narrator.get()).toEqual([]);
    at(2, 1_000, { pasos: [step('s3', 'running', 1)], counts: counts(1) });
    for (let n = 3; n <= 100; n += 1) at(n, n * 1_000, { pasos: [step('s3', 'running', 2)], counts: counts(2) });
    expect(narrator.get().map((one) => [one.text, one.at / 1_000, one.after])).toEqual([
      ['Personas: 2 de 12 cuentas con persona elegida', 60, 3],
    ]);
    at(101, 101_000, { pasos: [step('s3', 'done', 12)] });
    at(101, 102_000, { pasos: [step('s3', 'done', 12)] });
    at(99, 103_000, { pasos: [step('s3', 'running', 2)] });
    expect(narrator.get().at(-1)?.text).toBe('Personas: Listo · 12 de 12 cuentas con persona elegida');
    expect(narrator.get()).toHaveLength(2);
  });

  it('names the campaign where there are several, and goes on after a reload with what happened meanwhile', () => {
    const kept = new Map<string, string>();
    const store = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    };
    const narrator = (): Narrator => new Narrator(store, () => 'ws/luis/thr_1');
    const first = narrator();
    first.take(run(1), words, 0, 1);
    first.take({ ...run(1), run_id: 'run_2', objetivo: 'otra\u202E' }, words, 0, 1);
    const second = narrator();
    second.take({ ...run(5, { state: 'completed', counts: counts(12) }), run_id: 'run_2', objetivo: 'otra\u202E' }, words, 9, 2);
    expect(second.get().map((one) => one.text)).toEqual(['otra · Lista · 12 de 12 cuentas con persona elegida']);
    expect(narrator().get()).toEqual(second.get());
    kept.set('campana.chat.lines.ws/luis/thr_1', '{"lines":7}');
    expect(narrator().get()).toEqual([]);
  });
});

const row = (name: string, detail: string | null, kind: BoardRow['kind'] = 'supplier'): BoardRow => ({
  ref: `record:${name}`,
  name,
  kind,
  id: name,
  detail,
});

describe('rows and filters of a result', () => {
  it('puts the parts of a detail into their columns, and leaves one that does not fit as it is', () => {
    const { columns, rows } = tableOf(
      [row('A', 'Empaque y embalaje · Jalisco · pequena'), row('B', 'Jalisco · micro'), row('C', null), row('D', 'x · y · z', 'record')],
      words,
    );
    expect(columns).toEqual(['activity', 'state', 'size']);
    expect(rows.map((one) => [one.cells, one.whole])).toEqual([
      [['Empaque y embalaje', 'Jalisco', 'pequeña'], 'Empaque y embalaje · Jalisco · pequeña'],
      [null, 'Jalisco · micro'],
      [null, ''],
      [null, 'x · y · z'],
    ]);
  });

  it('has a column of pesos where a row has some: what a list is sorted by can be seen', () => {
    const shown = tableOf(
      [
        { ...row('A', 'Empaque y embalaje · Jalisco · micro'), amount_mxn: 18_232_200 },
        { ...row('B', null), amount_mxn: 0 },
        row('C', null),
      ],
      words,
    );
    expect([shown.amounts, ...shown.rows.map((one) => one.amount)]).toEqual([true, '$18,232,200', '$0', null]);
    expect(tableOf([row('A', null)], words).amounts).toBe(false);
  });

  it('writes days and deadlines as people do, in the zone of the workspace', () => {
    expect(tableOf([row('A', 'IMSS · Material · 2025-05-11', 'award')], words).rows[0]?.cells?.[2]).toBe('11 may 2025');
    expect(tableOf([row('A', 'IMSS · Jalisco · 2026-12-03T00:00:00.000Z', 'opportunity')], words).rows[0]?.cells?.[2]).toBe('2 dic, 18:00');
  });

  it('says filters with their names, without what only steers a tool or is an id', () => {
    expect(
      filtersOf(
        { state: 'Jalisco', size: 'pequena', from: '2024-11-30', op: 'list', supplier_id: 'prv-1', weird: '<b>\u202Ex</b>', empty: ' ' },
        words,
      ).map((one) => one.text),
    ).toEqual(['Estado: Jalisco', 'Tamaño: pequeña', 'Desde 30 nov 2024', '<b> x</b>']);
  });

  it('counts the stages of a pipeline only where every row tells its own', () => {
    expect(
      stagesOf(
        [
          row('A', 'propuesta · Jalisco · Ximena', 'record'),
          row('B', 'negociacion · Jalisco · Ximena', 'record'),
          row('C', 'propuesta · Jalisco · Ximena', 'record'),
        ],
        words,
      ),
    ).toEqual([
      { stage: 'propuesta', n: 2 },
      { stage: 'negociación', n: 1 },
    ]);
    expect(stagesOf([row('A', 'propuesta · Jalisco · Ximena', 'record'), row('B', 'Jalisco · Ximena', 'record')], words)).toBeNull();
  });
});

describe('text from outside', () => {
  it('keeps lines and loses what would turn them around', () => {
    expect(cleanLines('uno\u202E\n\n- dos\u0007\n')).toBe('uno \n\n- dos');
  });

  it('cuts whole characters, and words where one ends nearby', () => {
    expect(beginning('corto', 100)).toBe('corto');
    expect(beginning('una frase que sigue y sigue', 22)).toBe('una frase que sigue y…');
    expect(beginning('👩‍👩‍👧‍👦'.repeat(400), 10)).not.toMatch(/[\uD800-\uDBFF]…/);
  });

  it('sets names apart as they stand, whatever characters they have', () => {
    expect(withNames('Le siguen A+B (C), S.A. y A+B.', ['A+B (C), S.A.', 'A+B', null, '']).map((one) => [one.text, one.name])).toEqual([
      ['Le siguen ', false],
      ['A+B (C), S.A.', true],
      [' y ', false],
      ['A+B', true],
      ['.', false],
    ]);
  });

  it('goes only to pages of its own', () => {
    const own = (target: string): string | null => ownPath(target, 'https://campana.example.com');
    expect(own('/decisiones/dec_1')).toBe('/decisiones/dec_1');
    expect(own('/configuracion/creditos?x=1#y')).toBe('/configuracion/creditos?x=1#y');
    for (const target of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'javascript:alert(1)',
      '/a b',
      '/\tevil',
      '/%09/../\\x',
      'decisiones',
      '',
      '/v1/runs',
      '/mcp',
    ])
      expect(own(target)).toBeNull();
    expect(own('/..//evil.example')).toBeNull();
  });
});

describe('where cards stand', () => {
  const turn = (position: number, answer: object): Turn => ({
    turn_id: `turn_${position}`,
    thread_id: 'thr_1',
    position,
    state: 'finished',
    message: '',
    refused: null,
    created_at: '',
    ended_at: null,
    answer: answer as TurnAnswer,
  });
  const progress = { run_id: 'run_1' };
  const decision = { id: 'dec_1', run_id: 'run_1' };

  it('shows a campaign live at its latest turn only, and a decision where no card of its campaign shows it', () => {
    const places = placeCards(
      [
        turn(1, { progress, decision }),
        turn(2, {}),
        turn(3, { progress, decision: null }),
        turn(4, { decision: { id: 'dec_9', run_id: 'run_9' } }),
        turn(5, { decision: { id: 'dec_9', run_id: 'run_9' } }),
      ],
      ['run_1'],
    );
    expect([...places.values()]).toEqual([
      { run: null, olderRun: 'run_1', decision: null },
      { run: null, olderRun: null, decision: null },
      { run: 'run_1', olderRun: null, decision: null },
      { run: null, olderRun: null, decision: null },
      { run: null, olderRun: null, decision: 'dec_9' },
    ]);
  });

  it('follows a next step to a campaign of the conversation, and to no other', () => {
    const next = (target: string): object => ({ siguiente: { kind: 'campana', label: 'Ver', target, cost: null } });
    expect([...placeCards([turn(1, next('run_1')), turn(2, next('run_7'))], ['run_1']).values()].map((one) => one.run)).toEqual([
      'run_1',
      null,
    ]);
  });
});
