import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_BOARD, FACT_KEYS, type Facts } from '../../contracts/turn.js';
import { closesBefore, countIn, daysOf, periodIn, rowsMeant } from '../../ada/understand/amounts.js';
import { asksToShow, corrects, factsFromMessage, isRefinement, read, topicIn } from '../../ada/understand/index.js';
import { placesIn } from '../../ada/understand/places.js';
import { areaIn } from '../../ada/understand/roles.js';
import { tradeOf, widerThan } from '../../ada/understand/trades.js';
import { NO_FACT } from '../../ada/types.js';

const TODAY = new Date('2026-11-30T12:00:00.000Z');
const nothing = (): Facts => Object.fromEntries(FACT_KEYS.map((key) => [key, NO_FACT])) as Facts;

describe('trade, place and size', () => {
  it.each([
    ['¿Cuántos proveedores de bombas hidráulicas hay?', 'bombas hidráulicas', null], ['cuantas empresas de plasticos hay en el edomex', 'plasticos', 'Estado de México'], ['hay muchos fabricantes de empaque en Jalisco?', 'empaque', 'Jalisco'], ['cuántos transportistas en el Bajío', 'transportistas', 'Bajío'],
    ['how many packaging suppliers are there in Nuevo León', 'empaque', 'Nuevo León'], ['empresas del sector textil en Puebla', 'textil', 'Puebla'], ['tamaño del mercado de muebles en Monterrey', 'muebles', 'Nuevo León'], ['búscame empresas que fabrican autopartes en San Luis Potosí', 'autopartes', 'San Luis Potosí'], ['proveedores de gobierno de limpieza, CDMX', 'limpieza', 'Ciudad de México'],
    ['quiero llegar a 50 personas de compras en empresas de empaque de Jalisco', 'empaque', 'Jalisco'], ['laboratorios de análisis clínicos en Chihuahua', 'laboratorios de análisis clínicos', 'Chihuahua'], ['licitaciones de equipo de cómputo', 'equipo de cómputo', null], ['cuantos provedores de uniformes existen en mexico', 'uniformes', 'todo México'],
  ])('%s', (message, giro, estado) => { expect(read(message)).toMatchObject({ giro, estado }); });
  it('sizes', () => {
    expect(['empresas medianas de software', 'solo grandes', 'nomás las chicas', 'micro empresas de limpieza', 'qué tan grande es el mercado'].map((m) => read(m).tamano)).toEqual(['mediana', 'grande', 'pequena', 'micro', null]);
  });
  it('both sides of a comparison', () => {
    expect(read('Compara el segmento de estructuras de acero contra el de herrería industrial').giros).toEqual(['estructuras de acero', 'herrería']);
    expect(read('compara limpieza contra seguridad privada en Jalisco').giros).toHaveLength(2);
  });
  it('a name of a place inside another word or a company is none', () => {
    expect(placesIn('contactos electricos del norte')).toEqual([]);
    expect(placesIn('vamos a la paz mundial').map((one) => one.name)).not.toContain('Nuevo León');
    expect(placesIn('en nuevo leon').map((one) => one.name)).toEqual(['Nuevo León']);
  });
  it('knows the trade behind a product, and what is wider', () => {
    expect(['uniformes deportivos', 'llantas', 'gasas', 'helicópteros'].map(tradeOf)).toEqual(['textil', 'autopartes', 'equipo médico', null]);
    expect([widerThan('empaque'), widerThan('cajas de cartón'), widerThan('helicópteros')]).toEqual([null, 'empaque', null]);
  });
});

describe('public buyers and what they buy', () => {
  it.each([
    ['¿Quién le ha vendido uniformes al IMSS en los últimos dos años?', 'IMSS', 'uniformes'], ['quien le bende gasas y jeringas al imss bienestar', 'IMSS-Bienestar', 'gasas y jeringas'], ['quién le surte papelería al SAT?', 'SAT', 'papelería'], ['proveedores de uniformes del Seguro Social', 'IMSS', 'uniformes'],
    ['qué equipo médico compró el Hospital General de México y a quién', 'Hospital General de México', 'equipo médico'], ['quien le surte papeleria al gobierno de jalisco', 'Gobierno de jalisco', 'papeleria'], ['who supplies Conagua with chlorine', 'CONAGUA', 'cloro'], ['contratos anteriores de vigilancia en la UNAM', 'UNAM', 'vigilancia'], ['quién le vende pintura al municipio de Zapopan', 'Municipio de Zapopan', 'pintura'],
  ])('%s', (message, comprador, producto) => {
    const { comprador: buyer, producto: product } = read(message);
    expect(buyer?.toLowerCase()).toBe(comprador.toLowerCase());
    expect(product).toBe(producto);
  });
  it('the government alone is nobody', () => { expect(read('proveedores de gobierno de limpieza').comprador).toBeNull(); });
});

describe('counts, times, rows', () => {
  it('how many', () => {
    expect(['50 personas', 'treinta empresas', '1,200 cuentas', 'dos mil personas', 'en los ultimos 2 anos', 'contratos de 2024', 'mejor solo 30', 'RFC ABC310614K71', 'ninguna'].map((m) => countIn(m.toLowerCase()))).toEqual([50, 30, 1200, 2000, null, null, 30, null, null]);
  });
  it('when', () => {
    expect(['en los ultimos dos anos', 'desde 2023', 'entre 2023 y 2025', 'el ano pasado', 'en 2024', 'hoy'].map(periodIn)).toEqual(['últimos 2 años', '2023-', '2023-2025', 'año pasado', '2024', null]);
    expect(['últimos 2 años', '2023-', '2023-2025', 'año pasado', '2024', 'todo'].map((p) => daysOf(p, TODAY))).toEqual([
      { from: '2024-11-30', to: null }, { from: '2023-01-01', to: null }, { from: '2023-01-01', to: '2025-12-31' }, { from: '2025-01-01', to: '2025-12-31' }, { from: '2024-01-01', to: '2024-12-31' }, { from: null, to: null },
    ]);
    expect(['esta semana', 'en los proximos quince dias', 'hoy'].map((m) => closesBefore(m, TODAY))).toEqual(['2026-12-07', '2026-12-15', null]);
  });
  it('which rows', () => {
    expect(['la primera', 'las tres primeras', 'los primeros diez', 'todo menos la tercera', 'el ultimo', 'guardalos'].map((m) => rowsMeant(m, 5))).toEqual([[0], [0, 1, 2], [0, 1, 2, 3, 4], [0, 1, 3, 4], [4], null]);
  });
  it('roles', () => { expect(['gerente de planta', 'jefa de abastecimiento', 'el director general', 'rh', 'la dueña'.normalize('NFD').replace(/[\u0300-\u036f]/g, ''), 'nadie'].map(areaIn)).toEqual(['operaciones', 'compras', 'direccion', 'recursos humanos', 'direccion', null]); });
});

describe('what leans on what was said', () => {
  it('shows, corrects, refines', () => {
    expect(['muestramelos', 'a ver cuales son', 'show me those', 'ensenamelas', 'pasalas a cuentas', 'quien le vende al imss'].map(asksToShow)).toEqual([true, true, true, true, false, false]);
    expect(['mejor en puebla', 'solo grandes', 'no, 50 son muchos', 'y en sonora?', 'cuantos hay'].map(corrects)).toEqual([true, true, true, true, false]);
    expect(['mejor en Puebla', 'solo grandes', 'y de limpieza?', 'y al ISSSTE?', 'búscame empresas de empaque en Jalisco'].map((m) => isRefinement(read(m)))).toEqual([true, true, true, true, false]);
  });
  it('accounts and topics', () => {
    expect(['qué hago con piedra lisa', 'contactos de Bimbo', 'qué sé de Grupo Lala', 'quién ve compras en Nopaltik', 'ficha de «Contactos y Relevadores»'].map((m) => read(m).cuenta)).toEqual(['piedra lisa', 'Bimbo', 'Grupo Lala', 'Nopaltik', 'Contactos y Relevadores']);
    expect(['qué dice el playbook de seguimiento', 'qué sabemos de la industria minera'].map(topicIn)).toEqual(['seguimiento', 'industria minera']);
  });
});

describe('facts of a message', () => {
  const say = (message: string, facts: Partial<Facts> = {}, asked: string | null = null) => factsFromMessage(message, { facts: { ...nothing(), ...facts }, board: EMPTY_BOARD, asked });
  it('fills what it says and nothing else', () => {
    expect(say('quiero llegar a 50 personas de compras en empresas de empaque de Jalisco').said).toEqual({ giro: 'empaque', estado: 'Jalisco', cargo: 'compras', cantidad: '50' });
    expect(say('hola').said).toEqual({});
    expect(say('gracias, eso es todo').said).toEqual({});
  });
  it('a short answer to what was asked is that', () => {
    expect(say('empaque', {}, 'giro').said.giro).toBe('empaque');
    expect(say('al IMSS', {}, 'comprador').said.comprador).toBe('IMSS');
    expect(say('gasolineras', {}, 'giro').said.giro).toBe('gasolineras');
    expect(say('no sé', {}, 'giro').said.giro).toBeUndefined();
  });
  it('another value corrects, the same one does not', () => {
    const before: Partial<Facts> = { estado: { status: 'dicho', value: 'Jalisco' } };
    expect(say('mejor en Puebla', before)).toEqual({ said: { estado: 'Puebla' }, corrects: true });
    expect(say('proveedores de limpieza en Jalisco', before).corrects).toBe(false);
    expect(say('en todo México', before).said.estado).toBe('todo México');
  });
  it('takes any text, and never more than a fact holds', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.constantFrom(null, ...FACT_KEYS), (text, asked) => {
      for (const value of Object.values(say(text, {}, asked).said)) if ([...value].length > 300) return false;
      return true;
    }), { numRuns: 300 });
    const long = 'empresas de ' + 'muy '.repeat(3_000);
    const since = Date.now();
    say(long);
    expect(Date.now() - since).toBeLessThan(1_000);
  });
});
