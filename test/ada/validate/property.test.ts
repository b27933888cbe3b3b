import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anchorsOf, resolveAnchors } from '../../../ada/anchors.js';
import { better, repairInstruction } from '../../../ada/repair.js';
import { MAX_STEPS } from '../../../ada/validate/derive.js';
import { literalsOf } from '../../../ada/validate/numbers.js';
import { validate } from '../../../ada/validate/index.js';
import { answer, call, check, contextOf, type World } from './world.js';

const PIECES = [
  '[[run:cs-4]]',
  '[[',
  ']]',
  '[[run:run:cs-4]]',
  '17',
  '$4.6 M',
  '1,234,567.5',
  '10 de diciembre de 2026',
  '¿En qué estado?',
  'Nopaltik Plásticos',
  '. ',
  '\n',
  '%',
  'mil',
  'millones',
  '{',
  '"',
  '\\',
  'ya aprobé',
  'S.A. de C.V.',
  '99999999999999999999',
  '½',
  '\u0301',
  '🙂',
  '\uE000',
  '2024',
  'Ñ',
  '٣',
  'İ',
];
const text = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 6 })), { maxLength: 60 }).map((parts) => parts.join(' ')),
);
const context = contextOf();

const two = (a: number, b: number, unit = 'mxn'): World => ({
  worked: [call('x', { ref: 'run:x-1', a: { ref: 'run:x-1-a', value: a, unit }, b: { ref: 'run:x-1-b', value: b, unit } })],
});
const en = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const money = fc.integer({ min: 1_000, max: 2_000_000_000 });

describe('any text', () => {
  it('never throws, as an attempt or as a narration', () => {
    fc.assert(
      fc.property(text, (attempt) => {
        validate(attempt, context);
        const verdict = validate(JSON.stringify(answer(attempt)), context);
        expect(verdict.ok).toBe(verdict.tags.length === 0);
        expect(verdict.ok).toBe(verdict.problems.length === 0);
        repairInstruction(verdict.problems, 'es-MX');
        const kept = better(verdict, validate(attempt, context));
        // What stands holds; nothing else is ever given back.
        expect(kept.output === null || kept.ok).toBe(true);
        if (kept.output) expect(kept.output.narration.trim()).not.toBe('');
      }),
      { numRuns: 250 },
    );
  });

  it('resolves without a bracket of an anchor left, and places stay places', () => {
    fc.assert(
      fc.property(text, (written) => {
        expect(anchorsOf(resolveAnchors(written, new Map([['run:cs-4', '']])).text)).toEqual([]);
        for (const literal of literalsOf(written, 'es-MX')) expect(literal.text).toBe(written.slice(literal.at, literal.end));
      }),
      { numRuns: 250 },
    );
  });

  it('says the same of the same', () => {
    fc.assert(
      fc.property(text, (written) => {
        const once = validate(JSON.stringify(answer(written)), context);
        const again = validate(JSON.stringify(answer(written)), context);
        expect([once.tags, once.problems, once.derived, once.steps]).toEqual([again.tags, again.problems, again.derived, again.steps]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('derived figures', () => {
  it('accepts sums and differences of known ones, with both as operands', () => {
    fc.assert(
      fc.property(money, money, (a, b) => {
        fc.pre(a !== b);
        const verdict = check(
          answer(
            `De [[run:x-1]] van $${en.format(a)} y $${en.format(b)}: suman $${en.format(a + b)}, con $${en.format(Math.abs(a - b))} de diferencia.`,
          ),
          two(a, b),
        );
        expect(verdict.problems).toEqual([]);
        for (const one of verdict.derived) for (const operand of one.operands) expect([a, b]).toContain(operand.value);
      }),
      { numRuns: 150 },
    );
  });

  it('rejects them when they are off by more than rounding', () => {
    fc.assert(
      fc.property(money, money, fc.integer({ min: 1, max: 5_000 }), fc.boolean(), (a, b, off, up) => {
        const wrong = a + b + (up ? off : -off);
        fc.pre(![a, b, Math.abs(a - b), a + b].includes(wrong) && wrong > 31);
        expect(
          check(answer(`De [[run:x-1]] van $${en.format(a)} y $${en.format(b)}: suman $${en.format(wrong)}.`), two(a, b)).tags,
        ).toEqual(['cifra']);
      }),
      { numRuns: 150 },
    );
  });

  it('accepts averages and shares within their shown precision, and not beyond it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100_000, max: 900_000_000 }), fc.integer({ min: 11, max: 900 }), (total, n) => {
        const world: World = {
          worked: [
            call('x', {
              ref: 'run:x-1',
              n: { ref: 'run:x-1-n', value: n, unit: 'awards' },
              total: { ref: 'run:x-1-sum', value: total, unit: 'mxn' },
            }),
          ],
        };
        const said = (value: string): World['worked'] extends unknown ? string[] : never =>
          check(answer(`Hay [[run:x-1]] ${n} contratos por $${en.format(total)}; el promedio es $${value}.`), world).problems;
        const exact = total / n;
        expect(said(en.format(Math.round(exact)))).toEqual([]);
        expect(said(exact.toFixed(2))).toEqual([]);
        const wrong = Math.round(exact) + 2;
        fc.pre(wrong !== total && wrong !== n && wrong !== total + n);
        expect(said(en.format(wrong))).toHaveLength(1);
      }),
      { numRuns: 100 },
    );
  });

  it('rounds to the digits that are shown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2_000_000, max: 900_000_000 }), (total) => {
        const millions = total / 1e6;
        const said = (value: string): boolean => check(answer(`Suman [[run:x-1-a]] $${value} M.`), two(total, 1)).ok;
        expect(said(millions.toFixed(1))).toBe(true);
        expect(said((Math.round(millions * 10) / 10 + 0.2).toFixed(1))).toBe(false);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the search', () => {
  it('is bound by its steps, whatever the turn brought', () => {
    const worked = ['a', 'b', 'c'].map((name, k) =>
      call(name, {
        ref: `run:${name}-1`,
        rows: Array.from({ length: 160 }, (_, i) => ({
          ref: `record:${name}-${i}`,
          name: `Empresa ${name} ${i}`,
          amount_mxn: 1_000_003 * (i + 1) + k * 17,
        })),
      }),
    );
    const anchors = worked.map((one) => `[[${(one.result as { ref: string }).ref}]]`).join(' ');
    const figures = Array.from({ length: 40 }, (_, i) => `$${7_777_777 + i * 13}`);
    const verdict = check(answer(`${anchors} ${figures.join(', ')}.`), { worked });
    expect(verdict.tags).toContain('cifra');
    expect(verdict.steps).toBeLessThanOrEqual(40 * (MAX_STEPS + 64));
  });

  it('fails closed past the cap of figures: neither rounding nor arithmetic', () => {
    const worked = ['a', 'b', 'c'].map((name) =>
      call(name, {
        ref: `run:${name}-1`,
        list: Array.from({ length: 200 }, (_, i) => ({ ref: `run:${name}-1-${i}`, value: 1_000_000 + i, unit: 'mxn' })),
      }),
    );
    const world: World = { worked };
    expect(contextOf(world).known.overflow).toBe(true);
    expect(check(answer('Vale [[run:a-1-7]] $1,000,007.'), world).tags).toEqual([]);
    expect(check(answer('Vale [[run:a-1-7]] $1.0 M.'), world).tags).toEqual(['cifra']);
    expect(check(answer('Valen [[run:a-1-7]] $1,000,007 y [[run:a-1-8]] $1,000,008: $2,000,015.'), world).tags).toEqual(['cifra']);
    expect(check(answer('Vale [[run:c-1-199]] $1,000,199.'), world).tags).toEqual(['cifra']);
  });
});
