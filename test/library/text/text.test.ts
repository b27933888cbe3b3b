import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../ada/library/text/fold.js';
import { edits, speller } from '../../../ada/library/text/nearest.js';
import { stem } from '../../../ada/library/text/stem.js';
import { words } from '../../../ada/library/text/words.js';

const stemOf = (word: string): string => stem(fold(word));

describe('folding', () => {
  it.each([
    ['Búsqueda', 'busqueda'],
    ['LICITACIÓN', 'licitacion'],
    ['pingüino', 'pinguino'],
    ['Año', 'año'],
    ['an\u0303o', 'año'],
    ['AN\u0303O', 'año'],
    ['ÑANDÚ', 'ñandu'],
    ['ano', 'ano'],
    ['ＩＭＳＳ', 'imss'],
    ['ﬁrma', 'firma'],
    ['İstanbul', 'istanbul'],
    ['a\u0001o', 'a\u0001o'],
    ['', ''],
  ])('%j is %j', (text, folded) => expect(fold(text)).toBe(folded));
  it('folds what is folded into itself', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'aábcñÑüÜé\u0301\u0303nN ı9-'), { maxLength: 20 }), (letters) => {
        const once = fold(letters.join(''));
        expect(fold(once)).toBe(once);
        expect(once).toBe(once.toLowerCase());
      }),
    ));
});

describe('stems', () => {
  it.each([
    ['buscar busca busco buscando búscame buscame búscamelos buscarlos busquen busques'],
    ['búsqueda busqueda búsquedas'],
    ['guardar guárdalos guardalos guárdamelas guárdalas guarda guardame guardarlos guardándolos'],
    ['conseguir consígueme consigueme consígueles consigue consiga'],
    ['licitación licitaciones licitacion LICITACIÓN'],
    ['contacto contactos CONTACTOS'],
    ['empresa empresas'],
    ['proveedor proveedores'],
    ['año años AÑOS'],
    ['enséñame enseñame ensename enseñar enseña'],
    ['añádelos añadelos anadelos añade añadir'],
    ['muéstramelos muestramelos muestra mostrar muéstrame'],
    ['mándales mandarles mándaselo mandar'],
    ['escríbeles escribeles escribir escribe escribirle'],
    ['dámelos dame dar'],
    ['ponlos pónmelos pon poner'],
    ['vender vende vendido vendió vendio vendieron'],
    ['ganar ganó gano ganaron ganado'],
    ['cotización cotizacion cotizaciones'],
    ['reunión reunion reuniones'],
    ['correo correos'],
  ])('%s are one', (family) => expect(new Set(family.split(' ').map(stemOf)), family).toHaveProperty('size', 1));

  it.each([
    ['año', 'ano'],
    ['contacto', 'contrato'],
    ['proveedor', 'prospecto'],
    ['vender', 'ver'],
    ['pena', 'peña'],
    ['compañía', 'campaña'],
  ])('%s is not %s', (a, b) => expect(stemOf(a)).not.toBe(stemOf(b)));

  it('knows no word by what JavaScript calls its things', () => {
    for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'])
      expect(typeof stemOf(word)).toBe('string');
  });
  it('gives every word a stem, the same each time', () =>
    fc.assert(
      fc.property(fc.string({ maxLength: 70 }), (text) => {
        const folded = fold(text);
        expect(stem(folded)).toBe(stem(folded));
        if (folded !== '') expect(stem(folded)).not.toBe('');
      }),
    ));
});

describe('edits', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcdñ'), maxLength: 9 });
  const max = fc.integer({ min: 0, max: 4 });
  it('are as many one way as the other', () =>
    fc.assert(
      fc.property(word, word, max, (a, b, most) => {
        expect(edits(a, b, most)).toBe(edits(b, a, most));
      }),
      { numRuns: 2_000 },
    ));
  it('are none if and only if the words are equal', () =>
    fc.assert(
      fc.property(word, word, max, (a, b, most) => {
        expect(edits(a, b, most) === 0).toBe(a === b);
        expect(edits(a, a, most)).toBe(0);
      }),
      { numRuns: 1_000 },
    ));
  it('are never told beyond one more than what was asked', () =>
    fc.assert(
      fc.property(word, word, max, (a, b, most) => {
        const n = edits(a, b, most);
        expect(n).toBeGreaterThanOrEqual(0);
        expect(n).toBeLessThanOrEqual(most + 1);
      }),
      { numRuns: 2_000 },
    ));
  it('do not depend on how far one looks, as far as one does', () =>
    fc.assert(
      fc.property(word, word, max, (a, b, most) => {
        expect(edits(a, b, most)).toBe(Math.min(edits(a, b, 20), most + 1));
      }),
      { numRuns: 2_000 },
    ));
  it.each([
    ['correo', 'correo', 0],
    ['correo', 'coreo', 1],
    ['correo', 'corroe', 1],
    ['correo', 'carreo', 1],
    ['correo', 'correos', 1],
    ['', 'abc', 3],
    ['licitacion', 'lisitasion', 2],
    ['abc', 'cba', 2],
    ['contacto', 'contrato', 2],
  ] as const)('%s → %s: %i', (a, b, n) => expect(edits(a, b, 5)).toBe(n));
});

describe('misspellings', () => {
  const known = new Map<string, number>([
    ['licitacion', 20],
    ['licitaciones', 20],
    ['proveedores', 30],
    ['contactos', 40],
    ['contratos', 40],
    ['empresas', 50],
    ['secuencia', 20],
    ['correo', 20],
    ['que', 90],
    ['crm', 30],
    ['lista', 20],
    ['pipeline', 10],
    ['correas', 1],
    ['año', 9],
  ]);
  const spell = speller(known);
  it.each([
    ['licitacon', 'licitacion'],
    ['licitasion', 'licitacion'],
    ['lictacion', 'licitacion'],
    ['provedores', 'proveedores'],
    ['porveedores', 'proveedores'],
    ['contctos', 'contactos'],
    ['cotnactos', 'contactos'],
    ['empreas', 'empresas'],
    ['epmresas', 'empresas'],
    ['secuensia', 'secuencia'],
    ['corroe', 'correo'],
    ['cmr', 'crm'],
    ['pipelin', 'pipeline'],
    ['qeu', 'que'],
  ])('%s is %s', (typed, meant) => expect(spell.correct(typed)).toBe(meant));
  it.each([
    'licitacion',
    'contratos',
    'contactos',
    'xyzzy',
    'correas',
    'ano',
    'a',
    '',
    'qe',
    '12345',
    'licitacion2',
    'x'.repeat(25),
    'constructor',
    '__proto__',
    'montacargas',
    'gatos',
  ])('%j stays as it is', (typed) => expect(spell.correct(typed)).toBeNull());
  it('never answers with the word itself or one that nobody knows', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'licatonesprvduqmx'), maxLength: 14 }), (typed) => {
        const found = spell.correct(typed);
        if (found !== null) {
          expect(known.has(found)).toBe(true);
          expect(found).not.toBe(typed);
        }
      }),
    ));
});

describe('words', () => {
  const of = (text: string): string[] => words(text).map(({ raw }) => raw);
  it.each([
    ['¿Quién le vende al IMSS?', ['Quién', 'le', 'vende', 'al', 'IMSS']],
    ['Coca-Cola, S.A. de C.V.', ['Coca-Cola', 'S.A', 'de', 'C.V']],
    ["L'Oréal y AT&T", ["L'Oréal", 'y', 'AT&T']],
    ['ana@x.test 1,500.50', ['ana@x.test', '1', '500.50']],
    ['🦜🦜', []],
    ['...¡!?', []],
    ['', []],
    ['\u0000a\u0000b', ['a', 'b']],
    ['‏שלום‏ עולם', ['שלום', 'עולם']],
    ['مرحبا ada', ['مرحبا', 'ada']],
    ['e\u0301xito', ['e\u0301xito']],
    ['-x- _y_', ['x', 'y']],
  ])('of %j', (text, list) => expect(of(text)).toEqual(list));

  it('say where a sentence begins: after a stop and after a new line', () => {
    expect(
      words('hola Ada. Dame Bimbo: Lala\nContactos de Oxxo')
        .filter(({ first }) => first)
        .map(({ raw }) => raw),
    ).toEqual(['hola', 'Dame', 'Lala', 'Contactos']);
    expect(words('uno\r\n\r\ndos').at(1)).toMatchObject({ first: true, before: '\n' });
    expect(words('uno, dos').at(1)).toMatchObject({ first: false, before: ',' });
    expect(words('\nuno dos').map(({ before }) => before)).toEqual(['', '']);
  });

  it('are never more than four hundred, nor longer than sixty-four, whatever comes', () => {
    const hundred = 100_000;
    for (const text of [
      'a '.repeat(hundred / 2),
      'lo'.repeat(hundred / 2),
      'ñ'.repeat(hundred),
      '.'.repeat(hundred),
      `${'x-'.repeat(hundred / 2)}x`,
      `a${'\u0301'.repeat(hundred)}`,
      '🦜'.repeat(hundred / 2),
      '\u0000'.repeat(hundred),
      ' '.repeat(hundred),
      `${'melos'.repeat(20_000)} guarda`,
    ]) {
      const found = words(text);
      expect(found.length).toBeLessThanOrEqual(400);
      for (const word of found) {
        expect(word.raw.length).toBeLessThanOrEqual(64);
        stem(word.folded);
      }
    }
    expect(words('a b c d', 2)).toHaveLength(2);
  });
  it('cut a word without losing the next one', () =>
    expect(words(`${'x'.repeat(200)} guarda`).map(({ raw, before }) => [raw.length, before])).toEqual([
      [64, ''],
      [6, ''],
    ]));
});
