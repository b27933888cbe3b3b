import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../contracts/tools/people.js';
import { areaOf, choosePerson, scoreCandidate } from '../../workflows/choose.js';

const NOW = Date.parse('2026-11-30T00:00:00Z');
const SENIORITIES = ['director', 'gerente', 'jefe', 'coordinador', 'analista', 'otro'] as const;
const AREAS = [
  'compras',
  'Abastecimiento',
  'Logística',
  'operaciones',
  'Producción',
  'ventas',
  'finanzas',
  'Recursos Humanos',
  'calidad',
  'astronomía',
];
const seenAt = fc.integer({ min: 0, max: 60 * 30 }).map((days) => new Date(NOW - days * 86_400_000).toISOString());
const candidate = (over: Partial<Record<keyof Candidate, fc.Arbitrary<string>>> = {}): fc.Arbitrary<Candidate> =>
  fc.record({
    ref: fc.constant('r'),
    person_id: fc.string({ minLength: 1, maxLength: 8 }),
    title: fc.constantFrom('Gerente de Compras', 'Jefe de planta', 'Director', 'Analista', 'Ejecutiva comercial'),
    area: fc.constantFrom(...AREAS),
    seniority: fc.constantFrom(...SENIORITIES),
    seen_at: seenAt,
    ...over,
  }) as fc.Arbitrary<Candidate>;
const people = fc.uniqueArray(candidate(), { selector: (c) => c.person_id, minLength: 1, maxLength: 25 });
const role = fc.constantFrom(
  'compras',
  'procurement',
  'Logística',
  'operaciones',
  'ventas',
  'finanzas',
  'calidad',
  'astronomía',
  'sommelier',
);

describe('choosing a person', () => {
  it('gives the same answer in whatever order the candidates come', () => {
    fc.assert(
      fc.property(
        people.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        role,
        ([all, shuffled], wanted) => {
          expect(choosePerson(shuffled, wanted, NOW)).toEqual(choosePerson(all, wanted, NOW));
        },
      ),
    );
  });

  it('chooses only among the candidates, the one with the best score, and explains it by its parts', () => {
    fc.assert(
      fc.property(people, role, (all, wanted) => {
        const { choice } = choosePerson(all, wanted, NOW);
        if (!choice) return;
        expect(all.map((c) => c.person_id)).toContain(choice.person_id);
        for (const part of [choice.role, choice.seniority, choice.freshness, choice.score]) {
          expect(Number.isInteger(part)).toBe(true);
          expect(part).toBeGreaterThanOrEqual(0);
          expect(part).toBeLessThanOrEqual(100);
        }
        expect(choice.score).toBe(Math.round(0.6 * choice.role + 0.25 * choice.seniority + 0.15 * choice.freshness));
        const suitable = all.map((c) => scoreCandidate(c, wanted, NOW)).filter((c) => c.role > 0);
        expect(choice.score).toBe(Math.max(...suitable.map((c) => c.score)));
      }),
    );
  });

  it('prefers the role to any seniority among people seen at the same time', () => {
    fc.assert(
      fc.property(seenAt, fc.constantFrom(...SENIORITIES), fc.constantFrom(...SENIORITIES), (seen, here, there) => {
        const buyer: Candidate = { ref: 'a', person_id: 'a', title: 'Comprador', area: 'compras', seniority: here, seen_at: seen };
        const neighbour: Candidate = {
          ref: 'b',
          person_id: 'b',
          title: 'Gerente de planta',
          area: 'operaciones',
          seniority: there,
          seen_at: seen,
        };
        const stranger: Candidate = { ref: 'c', person_id: 'c', title: 'Tesorera', area: 'finanzas', seniority: there, seen_at: seen };
        expect(choosePerson([stranger, neighbour, buyer], 'compras', NOW).choice?.person_id).toBe('a');
      }),
    );
  });

  it('reads a role without regard to accents, case or what surrounds it', () => {
    const accents: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú' };
    const written = fc
      .tuple(
        fc.constantFrom('compras', 'logistica', 'operaciones', 'produccion', 'direccion', 'tecnologia', 'almacen', 'abastecimiento'),
        fc.array(fc.nat({ max: 3 }), { minLength: 20, maxLength: 20 }),
      )
      .map(([word, how]) => ({
        word,
        dressed: [...word]
          .map((c, i) => ((how[i] ?? 0) & 1 ? (accents[c] ?? c) : c))
          .map((c, i) => ((how[i] ?? 0) & 2 ? c.toUpperCase() : c))
          .join(''),
      }));
    fc.assert(
      fc.property(written, fc.constantFrom('', 'Gerente de ', 'jefa - '), candidate(), ({ word, dressed }, before, who) => {
        expect(areaOf(`${before}${dressed} `)).toBe(areaOf(word));
        expect(scoreCandidate({ ...who, area: dressed }, word, NOW)).toEqual(scoreCandidate({ ...who, area: word }, dressed, NOW));
      }),
    );
  });

  it('takes the words that people use for an area as that area, and only whole words', () => {
    for (const word of ['Procurement', 'adquisiciones', 'Comprador', 'Head of sourcing', 'ABASTECIMIENTO'])
      expect(areaOf(word)).toBe('compras');
    expect(areaOf('Recursos Humanos')).toBe('recursos humanos');
    expect(areaOf('recompras')).toBe('recompras');
    expect(areaOf('Actividades')).not.toBe('sistemas');
  });

  it('breaks ties by freshness, then by the smaller id', () => {
    const base: Candidate = {
      ref: 'x',
      person_id: 'b',
      title: 'Compras',
      area: 'compras',
      seniority: 'gerente',
      seen_at: new Date(NOW).toISOString(),
    };
    expect(choosePerson([base, { ...base, person_id: 'a' }, { ...base, person_id: 'c' }], 'compras', NOW).choice?.person_id).toBe('a');
    const older = { ...base, person_id: 'a', seen_at: new Date(NOW - 6 * 30 * 86_400_000).toISOString() };
    expect(choosePerson([older, base], 'compras', NOW).choice?.person_id).toBe('b');
  });

  it('never lets an older sighting score more than a newer one', () => {
    fc.assert(
      fc.property(candidate(), seenAt, seenAt, role, (who, a, b, wanted) => {
        const [older, newer] = [a, b].sort();
        expect(scoreCandidate({ ...who, seen_at: older ?? a }, wanted, NOW).score).toBeLessThanOrEqual(
          scoreCandidate({ ...who, seen_at: newer ?? b }, wanted, NOW).score,
        );
      }),
    );
  });

  it('says that nobody is there, or that nobody has the role, and never chooses a stranger', () => {
    expect(choosePerson([], 'compras', NOW)).toEqual({ choice: null, reason: 'no_candidates' });
    fc.assert(
      fc.property(
        fc.array(candidate({ area: fc.constantFrom('ventas', 'recursos humanos'), title: fc.constant('Ejecutiva comercial') }), {
          minLength: 1,
          maxLength: 5,
        }),
        (all) => {
          expect(choosePerson(all, 'compras', NOW)).toEqual({ choice: null, reason: 'no_role_match' });
        },
      ),
    );
  });
});
