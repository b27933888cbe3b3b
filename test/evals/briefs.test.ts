import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SKILLS } from '../../contracts/states.js';
import { readBriefs } from '../../evals/turns/brief.js';
import { careless } from '../../evals/turns/careless/index.js';
import { ROOT } from '../../stack/paths.js';

const briefs = readBriefs();
const group = (name: string): typeof briefs => briefs.filter((brief) => brief.group === name);
const SEED = [
  'empaque-jalisco-gobierno',
  'imss-nuevo-leon-insumos',
  'software-federal-2024',
  'screening-rfc-lista',
  'permisos-construccion-queretaro',
  'cuantos-transportistas-bajio',
  'licitaciones-abiertas-salud',
  'ampliar-territorio',
  'brief-vago-clientes-nuevos',
  'comparar-segmentos-acero',
  'historial-proveedor-rfc',
  'guardar-seleccion-prospeccion',
  'contactos-diez-mejores',
  'gmail-inexistente',
  'salesforce-inexistente',
  'alimentos-sedena-sinaloa',
  'uniformes-estados-norte',
  'energia-solar-yucatan',
  'agregado-adjudicaciones-2023-2025',
  'farmaceutica-sin-cobertura',
];

describe('the briefs', () => {
  it('hold the twenty of every day, as they are distributed, with the two that now propose', () => {
    expect(group('semilla').map((brief) => brief.id)).toEqual(SEED);
    const only = (kind: string): number => group('semilla').filter((brief) => brief.expect.intent[0] === kind).length;
    expect([only('cierre'), only('limite'), only('responder'), only('encuadre')]).toEqual([14, 3, 2, 1]);
    expect(group('semilla').filter((brief) => brief.expect.forbid_question)).toHaveLength(19);
    expect(group('semilla').filter((brief) => brief.expect.must_count)).toHaveLength(4);
    for (const id of ['guardar-seleccion-prospeccion', 'contactos-diez-mejores'])
      expect(briefs.find((brief) => brief.id === id)?.expect.must_deliver).toContain('decision');
  });
  it('hold two more for each recipe', () => {
    for (const skill of SKILLS)
      expect(group('receta').filter((brief) => brief.expect.skill?.includes(skill)).length, skill).toBeGreaterThanOrEqual(2);
    expect(group('receta')).toHaveLength(22);
  });
  it('hold the three cases with ten paraphrases each, over other buyers, products and states', () => {
    for (const n of [1, 2, 3]) expect(group('caso').filter((brief) => brief.id.startsWith(`caso-${n}-`))).toHaveLength(11);
    expect(
      group('caso')
        .filter((brief) => brief.id.startsWith('caso-3-'))
        .every((brief) => brief.messages.length === 2 && brief.expect.same_filters),
    ).toBe(true);
  });
  it('hold questions, balances, and a limit for at least ten lines of the table', () => {
    expect(new Set(briefs.map((brief) => brief.expect.must_ask)).size).toBeGreaterThanOrEqual(5);
    expect(briefs.filter((brief) => brief.expect.must_ask).length).toBeGreaterThanOrEqual(12);
    for (const has of ['must_count', 'forbid_question', 'decision', 'falta'] as const)
      expect(briefs.filter((brief) => brief.expect[has]).length, has).toBeGreaterThanOrEqual(3);
    expect(briefs.some((brief) => brief.id === 'saldo-insuficiente-lote-parcial' && brief.expect.lote === 32)).toBe(true);
    const codes = new Set(
      [...readFileSync(join(ROOT, 'skills/references/limites.md'), 'utf8').matchAll(/^\| `([a-z_]+)`/gm)].map((m) => m[1]),
    );
    const limits = group('limite');
    expect(limits.length).toBeGreaterThanOrEqual(10);
    expect(limits.filter((brief) => !codes.has(brief.limit ?? '')).map((brief) => brief.limit)).toEqual([]);
    expect(new Set(limits.map((brief) => brief.limit)).size).toBe(limits.length);
  });
  it('stand nowhere in what answers them', () => {
    const sources: string[] = [];
    const walk = (at: string): void => {
      for (const entry of readdirSync(at, { withFileTypes: true })) {
        const path = join(at, entry.name);
        if (entry.isDirectory()) walk(path);
        else if (/\.(?:ts|md|json|txt)$/.test(entry.name)) sources.push(readFileSync(path, 'utf8').toLowerCase());
      }
    };
    walk(join(ROOT, 'ada'));
    walk(join(ROOT, 'skills'));
    const small = (text: string): string => text.toLowerCase();
    expect(
      [...briefs, ...careless()]
        .flatMap((brief) => brief.messages)
        .filter((message) => message.length > 24 && sources.some((source) => source.includes(small(message)))),
    ).toEqual([]);
  });
});
