import { describe, expect, it } from 'vitest';
import { EMPTY_BOARD, type Board } from '../../contracts/turn.js';
import { anchorsOf, brokenBrackets, resolveAnchors } from '../../ada/anchors.js';
import { harvest, HARVEST, withOwn, type Known } from '../../ada/harvest.js';
import { call, COMPANIES, failed, facts, PIPELINE, QUOTE, TENDER, AWARDS, TOPIC, TOPICS } from './validate/world.js';

const of = (...worked: Parameters<typeof harvest>[0]['worked']): Known => harvest({ worked, board: EMPTY_BOARD });
const values = (known: Known): number[] => known.figures.filter((f) => f.kind !== 'date').map((f) => f.value);

describe('harvest', () => {
  it('takes the ref of results, of rows and of figures as anchors, with what lies around each', () => {
    const known = of(AWARDS);
    expect([...known.anchors]).toEqual([
      'run:mag-2',
      'run:mag-2-n',
      'run:mag-2-sum',
      'run:mag-2-g1',
      'run:mag-2-g1-n',
      'run:mag-2-g1-sum',
      'run:mag-2-g1-share',
      'run:mag-2-g2',
      'run:mag-2-g2-n',
      'run:mag-2-g2-sum',
      'run:mag-2-g2-share',
    ]);
    expect([...(known.chains.get('run:mag-2-g1-sum') ?? [])]).toEqual(['run:mag-2-g1-sum', 'run:mag-2-g1', 'run:mag-2']);
    expect(known.figures.find((f) => f.value === 50.6)).toMatchObject({ kind: 'percent', ref: 'run:mag-2-g1-share', optional: false });
    expect(known.figures.find((f) => f.value === 107_505_080.1)).toMatchObject({ kind: 'money', unit: 'mxn', ref: 'run:mag-2-sum' });
  });

  it('keeps names of rows, and none for what is only a code', () => {
    const known = of(COMPANIES, TENDER, PIPELINE);
    expect(known.names.get('record:emp-1')).toBe('Nopaltik Plásticos');
    expect(known.names.get('record:lic-000389')).toBe('Papelería y consumibles 2026 para oficinas');
    expect(known.names.get('record:lic-000389-questions-until')).toBe('');
    expect(known.rows.get('comestibles piedra lisa')?.refs).toEqual(new Set(['record:rec-29']));
  });

  it('never takes an id, a code or a number inside a text for a figure', () => {
    const known = of(
      call('x', {
        ref: 'run:x-1',
        id: 99,
        company_id: '777',
        rfc: 'NOP010203AB1',
        phone: '5512345678',
        version: 4,
        score: 0.8,
        name: 'Grupo 88',
        note: 'faltan 12 días',
        undo_token: '123456',
        cp: '76000',
        nested: { ids: [5, 6, 7] },
      }),
    );
    expect(values(known)).toEqual([]);
  });

  it('takes strings that are wholly a figure, and ISO dates', () => {
    const known = of(call('x', { ref: 'run:x-1', monto: '$1,234.50', parte: '12 %', total: '18', dia: '2026-06-15', texto: '18 de 20' }));
    expect(known.figures.map((f) => [f.value, f.kind, f.date])).toEqual([
      [1234.5, 'money', null],
      [12, 'percent', null],
      [18, 'number', null],
      [Date.UTC(2026, 5, 15), 'date', '2026-06-15'],
    ]);
    expect([...known.years]).toEqual([2026]);
  });

  it('takes dates of filters and none of their numbers', () => {
    const known = of(
      call('market_search_awards', { ref: 'run:msa-1', total: 3 }, { from: '2024-12-01', min_amount_mxn: 4_700_000, limit: 10 }),
    );
    expect(values(known)).toEqual([3]);
    expect(known.years.has(2024)).toBe(true);
  });

  it('reads a text only when it was opened, and to be quoted', () => {
    expect(of(TOPICS).figures.filter((f) => f.kind === 'percent')).toEqual([]);
    expect(of(TOPIC).figures.find((f) => f.kind === 'percent')).toMatchObject({ value: 10, quoted: true, ref: 'record:tema-precio' });
  });

  it('lets prices and balances be said without an anchor, amounts of contracts not', () => {
    expect(of(QUOTE).figures.find((f) => f.key === 'credits')).toMatchObject({ value: 1, optional: true });
    expect(of(PIPELINE).figures.find((f) => f.value === 300_000)).toMatchObject({ optional: false, kind: 'money' });
  });

  it('knows the board: selection, list, queries made, pending cards, the plan', () => {
    const board: Board = {
      selection: [{ ref: 'record:emp-77', name: 'Barniz Cobalto', kind: 'company', id: 'emp-77', detail: null }],
      list: [],
      runs: [{ ref: 'run:cs-2', tool: 'company_search', args: {}, total: 31, shown: 25, skill: null, at: '2026-11-01T00:00:00.000Z' }],
      pending: [{ decision_id: 'dec_1', kind: 'guardar_en_crm', run_id: 'run_1' }],
      plan: {
        objetivo: 'x',
        run_id: 'run_2',
        pasos: [{ skill: 'conseguir-contactos', status: 'running', conteo: '38 de 50 cuentas', checkpoint: 'dec_2' }],
      },
    };
    const known = harvest({ worked: [], board });
    expect([...known.anchors]).toEqual(['record:emp-77', 'run:cs-2', 'decision:dec_1', 'run:run_1', 'run:run_2', 'decision:dec_2']);
    expect(values(known)).toEqual([1, 31, 25, 38, 50]);
  });

  it('adds what the turn knows by itself', () => {
    const known = withOwn(of(COMPANIES), {
      message: 'quiero 50 compradores desde 2023',
      facts: facts({ cantidad: '40' }),
      balances: { credits: 32, queries: 100, inference: 4_200_000 },
    });
    expect(values(known).slice(0, 7)).toEqual([50, 40, 32, 100, 4_200_000, 4.2, 3]);
    expect(known.years.has(2023)).toBe(true);
  });

  it('takes particulars of a refusal', () => {
    expect(values(of(failed('people_quote', 'insufficient_credits', { price: 50, balance: 32 })))).toEqual([50, 32]);
  });

  it('stops at its depth, at 200 of a list and at 500 figures, and says so', () => {
    let deep: unknown = { n: 5 };
    for (let i = 0; i < 9; i++) deep = { inner: deep };
    expect(values(of(call('x', { ref: 'run:x-1', deep })))).toEqual([]);
    const long = of(call('x', { ref: 'run:x-1', list: Array.from({ length: 300 }, (_, i) => i) }));
    expect([values(long).length, long.overflow]).toEqual([HARVEST.array, false]);
    const many = of(...['a', 'b', 'c'].map((name) => call(name, { ref: `run:${name}-1`, list: Array.from({ length: 200 }, (_, i) => i) })));
    expect([many.figures.length, many.overflow]).toEqual([HARVEST.figures, true]);
  });
});

describe('anchors', () => {
  const names = new Map([
    ['record:emp-1', 'Nopaltik Plásticos'],
    ['record:lic-1', 'Papelería para oficinas'],
    ['record:col-1', 'Pipeline'],
  ]);
  const read = (text: string): string => resolveAnchors(text, names).text;

  it('lists all of a text, with what is wrong', () => {
    expect(anchorsOf('[[run:cs-3]] y [[run:run:cs-3]], [[ run:x ]] y [[cs]]').map(({ ref, problem }) => [ref, problem])).toEqual([
      ['run:cs-3', null],
      ['run:run:cs-3', 'duplicate_type'],
      ['run:x', 'malformed'],
      ['cs', 'malformed'],
    ]);
    expect(brokenBrackets('[[run:a-1]] [[run:b x y')).toHaveLength(1);
    expect(brokenBrackets('[[run:a-1]] bien [sic]')).toEqual([]);
  });

  it.each([
    ['Encontré [[run:cs-4]] 17 empresas.', 'Encontré 17 empresas.'],
    ['Habla con [[record:emp-1]] hoy.', 'Habla con Nopaltik Plásticos hoy.'],
    ['[[record:emp-1]] Nopaltik Plásticos lleva 59 días.', 'Nopaltik Plásticos lleva 59 días.'],
    ['Mira Nopaltik Plásticos [[record:emp-1]].', 'Mira Nopaltik Plásticos.'],
    ['Cierra el [[record:lic-1]] 10 de diciembre.', 'Cierra el 10 de diciembre.'],
    ['Traes [[record:col-1]] 40 cuentas.', 'Traes 40 cuentas.'],
    ['[[record:emp-1]]: 3 contratos ([[run:mag-1]]).', 'Nopaltik Plásticos: 3 contratos.'],
    ['Hay 17 [[run:cs-4]] , de las que [[decision:d-1]] 3 esperan.', 'Hay 17, de las que 3 esperan.'],
  ])('%s', (written, shown) => expect(read(written)).toBe(shown));

  it('counts what nobody knows and never shows it', () => {
    expect(resolveAnchors('Mira [[record:zz-1]] y [[run:run:cs-3]].', names)).toEqual({
      text: 'Mira y.',
      anchors: [
        { ref: 'record:zz-1', name: null },
        { ref: 'run:run:cs-3', name: null },
      ],
      unresolved: 2,
    });
    expect(resolveAnchors('Hay [[run:cs-9]] 4.', names, new Set(['run:cs-4'])).unresolved).toBe(1);
  });
});
