import { describe, expect, it } from 'vitest';
import { Settings } from '../../contracts/api.js';
import { parseLines, type Kind } from '../../web/settings/exclusions.js';
import { changedFields, faultsOf, fieldOfRefusal, fieldsOf, merged, type Fields } from '../../web/settings/form.js';

const stored: Settings = {
  zone: 'America/Mexico_City',
  language: 'es-MX',
  concurrency: 10,
  second_approver_above: null,
  calls_per_second: 20,
  integrations: null,
  capabilities: ['x'],
};
const typed = (over: Partial<Fields>): Fields => ({ ...fieldsOf(stored), ...over });
const isZone = (zone: string): boolean => ['America/Mexico_City', 'America/Tijuana'].includes(zone);

describe('settings as a form', () => {
  it('shown and stored unchanged are the same settings', () => {
    expect(changedFields(stored, fieldsOf(stored))).toEqual([]);
    expect(merged(stored, stored, fieldsOf(stored))).toEqual(stored);
  });
  it('stores what was changed here and keeps what somebody else changed meanwhile', () => {
    const meanwhile: Settings = { ...stored, concurrency: 30, integrations: ['buzon'] };
    const body = merged(stored, meanwhile, typed({ zone: ' America/Tijuana ', second_approver_above: '1,500', calls_per_second: '' }));
    expect(body).toEqual({ ...meanwhile, zone: 'America/Tijuana', second_approver_above: 1500, calls_per_second: null });
    expect(Settings.strict().safeParse(body).success).toBe(true);
  });
  it('names each field that is wrong and lets an empty one be none where that means something', () => {
    expect(faultsOf(typed({ calls_per_second: '', second_approver_above: '' }), isZone)).toEqual({});
    expect(
      Object.keys(faultsOf(typed({ zone: 'CDMX', concurrency: '', calls_per_second: '0', second_approver_above: '-1' }), isZone)).sort(),
    ).toEqual(['calls_per_second', 'concurrency', 'second_approver_above', 'zone']);
    expect(faultsOf(typed({ concurrency: '51' }), isZone)).toEqual({
      concurrency: { code: 'web.settings.fault.number', params: { min: 1, max: 50 } },
    });
    for (const second_approver_above of ['10.5', '1e3', '1,25', '-1', 'cien'])
      expect(faultsOf(typed({ second_approver_above }), isZone)).toHaveProperty('second_approver_above');
  });
  it('puts a refusal where it belongs', () => {
    expect(fieldOfRefusal('zone_unknown', { zone: 'x' }, ['zone'])).toBe('zone');
    expect(fieldOfRefusal('role_missing', { role: 'operator' }, ['zone', 'second_approver_above'])).toBe('second_approver_above');
    expect(fieldOfRefusal('role_missing', { role: 'operator' }, ['capabilities'])).toBe('capabilities');
    expect(fieldOfRefusal('request_invalid', { at: 'body/concurrency' }, ['concurrency'])).toBe('concurrency');
    expect(fieldOfRefusal('overloaded', {}, ['zone'])).toBeNull();
  });
});

describe('entries of the exclusion list, one per line', () => {
  it.each([
    [
      'domain',
      ['empaques.example', 'https://www.empaques.example/contacto', 'ana@empaques.example', 'ñandú.example', 'a.b.example.'],
      ['empaques', 'dos palabras.example', '@', 'http://'],
    ],
    [
      'email',
      ['ana@empaques.example', 'mailto:ana@empaques.example', 'ana+x@b.example'],
      ['ana', 'ana@empaques', 'ana @empaques.example', '@b.example'],
    ],
    ['rfc', ['ABC010203XY1', 'ABCD-010203-XY1', 'ñ&a010203 xy1'], ['ABC', 'ABC010203XY', 'ABC01020XXY1']],
    ['person', ['per-000123', '8f14e45f'], ['Ana López', 'ana@b.example']],
  ] as Array<[Kind, string[], string[]]>)('%s', (kind, good, bad) => {
    const parsed = parseLines(kind, [...good, '', '  ', ...bad].join('\r\n'));
    expect(parsed.entries).toEqual(good.map((value) => ({ kind, value })));
    expect(parsed.wrong.map((w) => w.value)).toEqual(bad.map((b) => b.trim()));
    expect(parsed.wrong.map((w) => w.line)).toEqual(bad.map((_, i) => good.length + 3 + i));
  });
  it('counts a repeated line once and refuses one that is too long', () => {
    expect(parseLines('domain', 'a.example\n a.example \na.example').entries).toHaveLength(1);
    expect(parseLines('person', 'x'.repeat(321))).toMatchObject({ entries: [], wrong: [{ line: 1 }] });
  });
});
