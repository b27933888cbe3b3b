import { describe, expect, it } from 'vitest';
import { soundOf } from '../../ada/library/text/sound.js';
import { mended } from '../../ada/understand/spelling.js';
import { heartOf } from '../../ada/understand/heart.js';
import { nonePhrases } from '../../ada/library/choose/phrases.js';
import { readCases } from '../../evals/routing/cases.js';

describe('what is written by ear', () => {
  it.each([
    ['kasa', 'casa'],
    ['vender', 'bender'],
    ['ospital', 'hospital'],
    ['cien', 'sien'],
    ['yave', 'llave'],
    ['jente', 'gente'],
    ['kiero', 'quiero'],
    ['campaña', 'canpaña'],
    ['carro', 'caro'],
  ])('%s sounds like %s', (a, b) => {
    expect(soundOf(a)).toBe(soundOf(b));
  });
  it.each([
    ['proveedrees de enpaque', 'proveedores de empaque'],
    ['kuantas fabrikas', 'cuantas fabricas'],
    ['en jalizco,puebla y zonora', 'en jalisco, puebla y sonora'],
    ['una kanpaña con compraz', 'una campaña con compras'],
    ['licitasiones aviertas', 'licitaciones abiertas'],
    ['mi paiplain', 'mi pipeline'],
  ])('%s → %s', (said, meant) => {
    expect(mended(said)).toBe(meant);
  });
  it.each([
    // Other words, near as they are; names; quotes; addresses; English.
    'modelos de bombas',
    'el camino a la planta',
    'tabaco y puros',
    'un pueblo de la sierra',
    'está caliente',
    'me platico de su plan',
    'el director directo',
    'clima laboral',
    'la cita es a las 5',
    'bota y vota',
    'qué sabemos de Bimbo y de Kompras del Norte',
    'la cuenta «Enpaques Rivera»',
    'escribe a ventas@enpake.example',
    'how many companies are there in the north?',
    'Grupo Kual y Konstruye',
  ])('keeps its letters: %s', (said) => {
    expect(mended(said)).toBe(said);
  });
  it('leaves nearly every everyday message as it is', () => {
    const said = [
      ...nonePhrases().map(({ text }) => text),
      ...readCases('tuned')
        .filter((one) => one.expect_none && !one.tags.includes('typo'))
        .map((one) => one.message),
    ];
    const changed = said.filter((message) => mended(message) !== message && !/(?:^|\s)(?:q|k|d|ke|qe|ay|ai)(?=\s|$)|,\S/i.test(message));
    expect(
      changed.length / said.length,
      changed
        .slice(0, 20)
        .map((one) => `${one} → ${mended(one)}`)
        .join('\n'),
    ).toBeLessThan(0.04);
  });
});

describe('the point of a story', () => {
  const STORY =
    'Hola, fíjate que ayer fui a la expo y me encontré a dos conocidos de hace años que ahora venden pintura, uno de ellos me contó que en su zona ya no se da abasto con los pedidos y que hasta anda buscando socios, en fin,';
  it('is what is asked for in it', () => {
    expect(heartOf(`${STORY} quiero saber cuántos proveedores de pintura hay en Hidalgo`)).toBe(
      'quiero saber cuántos proveedores de pintura hay en Hidalgo',
    );
  });
  it('is not what somebody refuses in it', () => {
    expect(heartOf(`${STORY} no quiero una secuencia ni nada de eso por ahora porque apenas voy empezando con esto`)).toBeNull();
  });
  it('is for long messages only', () => {
    expect(heartOf('quiero saber cuántos proveedores de pintura hay en Hidalgo')).toBeNull();
  });
});
