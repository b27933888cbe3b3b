import { describe, expect, it } from 'vitest';
import { SAMPLE_SUPPRESSIONS } from '../../kitchen/sample-suppressions.js';
import { generateDemo, generateGrande } from '../../kitchen/sample/generate.js';
import { isValidRfc, rfcCheckDigit } from '../../kitchen/sample/rfc.js';
import { digestOf } from '../../kitchen/seed.js';
import { matchActivities, matchArea, matchStates } from '../../kitchen/vocabulary.js';

const demo = generateDemo();
const packaging = demo.companies.filter((c) => c.activity === 'empaque' && c.state === 'Jalisco');
const RESERVED = /(^|\.)(example|test|invalid|example\.(com|org|net))$/;
const RANK = ['otro', 'analista', 'coordinador', 'jefe', 'gerente', 'director'];

describe('RFC', () => {
  it('follows the published rule', () => {
    expect(isValidRfc('GODE561231GR8')).toBe(true);
    expect(isValidRfc('GODE561231GR9')).toBe(false);
    // Worked by hand for an invented company: blank 37·13 + C 12·12 + S 29·11 + O 25·10 + 310614K7 … ≡ 7 (mod 11), so 4.
    expect(rfcCheckDigit('CSO310614K7')).toBe('4');
    expect(isValidRfc('CSO311314K74')).toBe(false);
  });
  it('holds for every company, each with its own', () => {
    const rfcs = demo.companies.flatMap((c) => (c.rfc === null ? [] : [c.rfc]));
    expect(rfcs.filter((r) => r.length !== 12 || !isValidRfc(r))).toEqual([]);
    expect(new Set(rfcs).size).toBe(rfcs.length);
  });
});

describe('demo sample', () => {
  it('has the promised size', () => {
    expect([demo.companies.length, demo.people.length, demo.awards.length, demo.opportunities.length, demo.topics.length]).toEqual([
      5_000, 20_000, 10_000, 1_500, 12,
    ]);
    const years = new Set(demo.awards.map((a) => a.awarded_on.slice(0, 4)));
    expect(years.size).toBeGreaterThanOrEqual(4);
    expect(packaging.length).toBeGreaterThanOrEqual(80);
  });
  it('is the same every time', () => {
    expect(digestOf({ ...generateDemo() })).toBe(digestOf({ ...demo }));
  });
  it('uses reserved names only', () => {
    expect(demo.companies.filter((c) => c.domain !== null && !RESERVED.test(c.domain))).toEqual([]);
    expect(demo.people.filter((p) => !RESERVED.test(p.email.split('@')[1] ?? ''))).toEqual([]);
    expect(demo.people.filter((p) => p.phone !== null && !p.phone.includes(' 000 '))).toEqual([]);
    expect(new Set(demo.people.map((p) => p.email)).size).toBe(demo.people.length);
  });
  it('has known outcomes in the first 50 packaging companies of Jalisco', () => {
    const first = packaging.slice(0, 50);
    const suppressed = first.filter((c) => SAMPLE_SUPPRESSIONS.some((s) => s.value === (s.kind === 'rfc' ? c.rfc : c.domain)));
    expect(suppressed).toHaveLength(1);
    const buyers = new Map(
      first.map((c) => [c.company_id, demo.people.filter((p) => p.company_id === c.company_id && p.area === 'compras')]),
    );
    const without = first.filter((c) => buyers.get(c.company_id)?.length === 0);
    expect(without).toHaveLength(3);
    expect(without).not.toContain(suppressed[0]);
    for (const company of first) {
      const [best, ...others] = [...(buyers.get(company.company_id) ?? [])].sort(
        (a, b) => RANK.indexOf(b.seniority) - RANK.indexOf(a.seniority),
      );
      if (!best) continue;
      for (const other of others) {
        expect(RANK.indexOf(best.seniority)).toBeGreaterThan(RANK.indexOf(other.seniority));
        expect(best.seen_days).toBeLessThan(other.seen_days);
      }
    }
    expect(packaging.slice(50).some((c) => SAMPLE_SUPPRESSIONS.some((s) => s.kind === 'domain' && s.value === c.domain))).toBe(true);
  });
});

describe('bench sample', () => {
  it('adds up to 200,000 rows and keeps what the demo answers first', () => {
    const grande = generateGrande(demo);
    expect(demo.companies.length + demo.people.length + grande.companies.length + grande.people.length).toBe(200_000);
    const more = grande.companies.filter((c) => c.activity === 'empaque' && c.state === 'Jalisco');
    expect(more.length).toBeGreaterThanOrEqual(6_000);
    expect(Math.min(...grande.companies.map((c) => c.pos))).toBe(5_000);
    const buying = new Set(grande.people.filter((p) => p.area === 'compras').map((p) => p.company_id));
    const share = more.filter((c) => buying.has(c.company_id)).length / more.length;
    expect(share).toBeGreaterThan(0.94);
    expect(share).toBeLessThan(0.98);
    const all = [...demo.companies, ...grande.companies];
    expect(new Set(all.map((c) => c.company_id)).size).toBe(all.length);
    expect(new Set(all.flatMap((c) => (c.rfc === null ? [] : [c.rfc]))).size).toBe(all.filter((c) => c.rfc !== null).length);
  });
});

describe('words', () => {
  it.each(['empaque', 'Empaques', 'EMBALAJE', 'Empaque y embalaje', 'cajas de cartón', 'empresas de envases'])(
    'finds packaging by "%s"',
    (text) => {
      expect(matchActivities(text)).toEqual(['empaque']);
    },
  );
  it.each([
    'compras',
    'Comprador',
    'compradora',
    'abastecimiento',
    'procurement',
    'jefe de adquisiciones',
    'gerente de compras',
    'Gerencia de Abastecimiento',
  ])('finds purchasing by "%s"', (text) => {
    expect(matchArea(text)).toBe('compras');
  });
  it('knows states, their short forms and regions, and says nothing of the rest', () => {
    expect(matchStates('jalisco')).toEqual(['Jalisco']);
    expect(matchStates('NUEVO LEON')).toEqual(['Nuevo León']);
    expect(matchStates('Bajío').length).toBeGreaterThan(3);
    expect(matchStates('Atlántida')).toEqual([]);
    expect(matchActivities('submarinos')).toEqual([]);
  });
});
