import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_BOARD, FACT_KEYS, type Facts } from '../../contracts/turn.js';
import { closesBefore, countIn, daysOf, periodIn, rowsMeant } from '../../ada/understand/amounts.js';
import { asksToShow, corrects, factsFromMessage, isRefinement, read, topicIn } from '../../ada/understand/index.js';
import { placesIn } from '../../ada/understand/places.js';
import { areaIn } from '../../ada/understand/roles.js';
import { tradeOf, widerThan } from '../../ada/understand/trades.js';
import { NO_FACT } from '../../ada/types.js';
import { wishOf, wishesIn } from '../../ada/understand/wishes.js';

const TODAY = new Date('2026-11-30T12:00:00.000Z');
const nothing = (): Facts => Object.fromEntries(FACT_KEYS.map((key) => [key, NO_FACT])) as Facts;

describe('trade, place and size', () => {
  it.each([
    ['¿Cuántos proveedores de bombas hidráulicas hay?', 'bombas hidráulicas', null],
    ['cuantas empresas de plasticos hay en el edomex', 'plasticos', 'Estado de México'],
    ['hay muchos fabricantes de empaque en Jalisco?', 'empaque', 'Jalisco'],
    ['cuántos transportistas en el Bajío', 'transportistas', 'Bajío'],
    ['how many packaging suppliers are there in Nuevo León', 'empaque', 'Nuevo León'],
    ['empresas del sector textil en Puebla', 'textil', 'Puebla'],
    ['tamaño del mercado de muebles en Monterrey', 'muebles', 'Nuevo León'],
    ['búscame empresas que fabrican autopartes en San Luis Potosí', 'autopartes', 'San Luis Potosí'],
    ['proveedores de gobierno de limpieza, CDMX', 'limpieza', 'Ciudad de México'],
    ['quiero llegar a 50 personas de compras en empresas de empaque de Jalisco', 'empaque', 'Jalisco'],
    ['laboratorios de análisis clínicos en Chihuahua', 'laboratorios de análisis clínicos', 'Chihuahua'],
    ['licitaciones de equipo de cómputo', 'equipo de cómputo', null],
    ['cuantos provedores de uniformes existen en mexico', 'uniformes', 'todo México'],
  ])('%s', (message, giro, estado) => {
    expect(read(message)).toMatchObject({ giro, estado });
  });
  it('sizes', () => {
    expect(
      [
        'empresas medianas de software',
        'solo grandes',
        'nomás las chicas',
        'micro empresas de limpieza',
        'qué tan grande es el mercado',
      ].map((m) => read(m).tamano),
    ).toEqual(['mediana', 'grande', 'pequena', 'micro', null]);
  });
  it('both sides of a comparison', () => {
    expect(read('Compara el segmento de estructuras de acero contra el de herrería industrial').giros).toEqual([
      'estructuras de acero',
      'herrería',
    ]);
    expect(read('compara limpieza contra seguridad privada en Jalisco').giros).toHaveLength(2);
  });
  it('a name of a place inside another word or a company is none', () => {
    expect(placesIn('contactos electricos del norte')).toEqual([]);
    expect(placesIn('vamos a la paz mundial').map((one) => one.name)).not.toContain('Nuevo León');
    expect(placesIn('en nuevo leon').map((one) => one.name)).toEqual(['Nuevo León']);
  });
  it('knows the trade behind a product, and what is wider', () => {
    expect(['uniformes deportivos', 'llantas', 'gasas', 'helicópteros'].map(tradeOf)).toEqual([
      'textil',
      'autopartes',
      'equipo médico',
      null,
    ]);
    expect([widerThan('empaque'), widerThan('cajas de cartón'), widerThan('helicópteros')]).toEqual([null, 'empaque', null]);
  });
});

describe('public buyers and what they buy', () => {
  it.each([
    ['¿Quién le ha vendido uniformes al IMSS en los últimos dos años?', 'IMSS', 'uniformes'],
    ['quien le bende gasas y jeringas al imss bienestar', 'IMSS-Bienestar', 'gasas y jeringas'],
    ['quién le surte papelería al SAT?', 'SAT', 'papelería'],
    ['proveedores de uniformes del Seguro Social', 'IMSS', 'uniformes'],
    ['qué equipo médico compró el Hospital General de México y a quién', 'Hospital General de México', 'equipo médico'],
    ['quien le surte papeleria al gobierno de jalisco', 'Gobierno de jalisco', 'papeleria'],
    ['who supplies Conagua with chlorine', 'CONAGUA', 'cloro'],
    ['contratos anteriores de vigilancia en la UNAM', 'UNAM', 'vigilancia'],
    ['quién le vende pintura al municipio de Zapopan', 'Municipio de Zapopan', 'pintura'],
  ])('%s', (message, comprador, producto) => {
    const { comprador: buyer, producto: product } = read(message);
    expect(buyer?.toLowerCase()).toBe(comprador.toLowerCase());
    expect(product).toBe(producto);
  });
  it('the government alone is nobody', () => {
    expect(read('proveedores de gobierno de limpieza').comprador).toBeNull();
  });
});

describe('counts, times, rows', () => {
  it('how many', () => {
    expect(
      [
        '50 personas',
        'treinta empresas',
        '1,200 cuentas',
        'dos mil personas',
        'en los ultimos 2 anos',
        'contratos de 2024',
        'mejor solo 30',
        'RFC ABC310614K71',
        'ninguna',
      ].map((m) => countIn(m.toLowerCase())),
    ).toEqual([50, 30, 1200, 2000, null, null, 30, null, null]);
  });
  it('when', () => {
    expect(['en los ultimos dos anos', 'desde 2023', 'entre 2023 y 2025', 'el ano pasado', 'en 2024', 'hoy'].map(periodIn)).toEqual([
      'últimos 2 años',
      '2023-',
      '2023-2025',
      'año pasado',
      '2024',
      null,
    ]);
    expect(['últimos 2 años', '2023-', '2023-2025', 'año pasado', '2024', 'todo'].map((p) => daysOf(p, TODAY))).toEqual([
      { from: '2024-11-30', to: null },
      { from: '2023-01-01', to: null },
      { from: '2023-01-01', to: '2025-12-31' },
      { from: '2025-01-01', to: '2025-12-31' },
      { from: '2024-01-01', to: '2024-12-31' },
      { from: null, to: null },
    ]);
    expect(['esta semana', 'en los proximos quince dias', 'hoy'].map((m) => closesBefore(m, TODAY))).toEqual([
      '2026-12-07',
      '2026-12-15',
      null,
    ]);
  });
  it('which rows', () => {
    expect(
      ['la primera', 'las tres primeras', 'los primeros diez', 'todo menos la tercera', 'el ultimo', 'guardalos'].map((m) =>
        rowsMeant(m, 5),
      ),
    ).toEqual([[0], [0, 1, 2], [0, 1, 2, 3, 4], [0, 1, 3, 4], [4], null]);
  });
  it('roles', () => {
    expect(
      [
        'gerente de planta',
        'jefa de abastecimiento',
        'el director general',
        'rh',
        'la dueña'.normalize('NFD').replace(/[\u0300-\u036f]/g, ''),
        'nadie',
      ].map(areaIn),
    ).toEqual(['operaciones', 'compras', 'direccion', 'recursos humanos', 'direccion', null]);
  });
});

describe('what leans on what was said', () => {
  it('shows, corrects, refines', () => {
    expect(
      ['muestramelos', 'a ver cuales son', 'show me those', 'ensenamelas', 'pasalas a cuentas', 'quien le vende al imss'].map(asksToShow),
    ).toEqual([true, true, true, true, false, false]);
    expect(['mejor en puebla', 'solo grandes', 'no, 50 son muchos', 'y en sonora?', 'cuantos hay'].map(corrects)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(
      ['mejor en Puebla', 'solo grandes', 'y de limpieza?', 'y al ISSSTE?', 'búscame empresas de empaque en Jalisco'].map((m) =>
        isRefinement(read(m)),
      ),
    ).toEqual([true, true, true, true, false]);
  });
  it('accounts and topics', () => {
    expect(
      [
        'qué hago con piedra lisa',
        'contactos de Bimbo',
        'qué sé de Grupo Lala',
        'quién ve compras en Nopaltik',
        'ficha de «Contactos y Relevadores»',
      ].map((m) => read(m).cuenta),
    ).toEqual(['piedra lisa', 'Bimbo', 'Grupo Lala', 'Nopaltik', 'Contactos y Relevadores']);
    expect(['qué dice el playbook de seguimiento', 'qué sabemos de la industria minera'].map(topicIn)).toEqual([
      'seguimiento',
      'industria minera',
    ]);
  });
});

describe('facts of a message', () => {
  const say = (message: string, facts: Partial<Facts> = {}, asked: string | null = null) =>
    factsFromMessage(message, { facts: { ...nothing(), ...facts }, board: EMPTY_BOARD, asked });
  it('fills what it says and nothing else', () => {
    expect(say('quiero llegar a 50 personas de compras en empresas de empaque de Jalisco').said).toEqual({
      giro: 'empaque',
      estado: 'Jalisco',
      cargo: 'compras',
      cantidad: '50',
    });
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
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.constantFrom(null, ...FACT_KEYS), (text, asked) => {
        for (const value of Object.values(say(text, {}, asked).said)) if ([...value].length > 300) return false;
        return true;
      }),
      { numRuns: 300 },
    );
    const long = 'empresas de ' + 'muy '.repeat(3_000);
    const before = process.cpuUsage();
    say(long);
    const { user, system } = process.cpuUsage(before);
    // Of this process, not of the clock: the machine may be busy with other tests.
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });
});

describe('several of a kind in one message', () => {
  it.each([
    ['¿Quién le ha vendido mobiliario a la SEP, a la UNAM y al IPN?', ['SEP', 'UNAM', 'IPN']],
    ['quién le vende al gobierno de Sonora y al de Sinaloa', ['Gobierno de Sonora', 'Gobierno de Sinaloa']],
    ['compras del Municipio de Zapopan y del Ayuntamiento de Mérida', ['Municipio de Zapopan', 'Municipio de Mérida']],
    ['quién le vende al IMSS, al IMSS-Bienestar y al ISSSTE', ['IMSS', 'IMSS-Bienestar', 'ISSSTE']],
    ['En Tabasco, quién le vende al gobierno del estado', ['Gobierno de Tabasco']],
    ['who has sold to CFE and PEMEX', ['CFE', 'PEMEX']],
  ])('buyers: %s', (message, buyers) => {
    expect(read(message).compradores).toEqual(buyers);
  });
  it.each([
    'quién le vende al gobierno del país',
    '¿a quién le compra el gobierno federal?',
    'proveedores de gobierno en todo el país',
    'exporta en PDF los proveedores de limpieza',
    'pásame un CSV de lo que se ha adjudicado',
    'compras de la RFC que te di',
  ])('no buyer: %s', (message) => {
    expect(read(message).compradores).toEqual([]);
  });
  it.each([
    ['compara limpieza y vigilancia en Jalisco', ['limpieza', 'vigilancia']],
    ['papelería, muebles y software', ['papelería', 'muebles', 'software']],
    ['gasas y jeringas', []],
    ['empresas de alimentos y bebidas en Jalisco', ['alimentos y bebidas']],
    ['compare steel, plastics and food', ['acero', 'plásticos', 'alimentos']],
    ['¿cuántas constructoras y herrerías hay en Hidalgo?', ['constructoras', 'herrerías']],
  ])('trades: %s', (message, giros) => {
    expect(read(message).giros).toEqual(giros);
  });
  it.each([
    ['uniformes en Nuevo León, Chihuahua y Coahuila', ['Nuevo León', 'Chihuahua', 'Coahuila']],
    ['entre Jalisco o Querétaro', ['Jalisco', 'Querétaro']],
    ['packaging in Puebla and Mexico City', ['Puebla', 'Ciudad de México']],
    ['los de Monterrey y Guadalajara', ['Nuevo León', 'Jalisco']],
  ])('places: %s', (message, estados) => {
    expect(read(message).estados).toEqual(estados);
  });
  it('what somebody sells is no trade of whom they look for', () => {
    expect(read('Ofrecemos tarimas. ¿Cuántos transportistas hay en Sonora?')).toMatchObject({ giro: 'transportistas', oferta: 'tarimas' });
    expect(read('we sell labels: how many food companies are there in Jalisco?').giro).toBe('alimentos');
    // Nothing else says it: then it is all there is.
    expect(read('vendo uniformes, ¿a quién le puedo vender?').giro).toBe('uniformes');
  });
});

describe('what is not here, or cannot be told apart', () => {
  it.each([
    ['empresas de empaque en Costa Rica', ['Costa Rica']],
    ['distribuidores de Guatemala, Honduras y El Salvador', ['Guatemala', 'Honduras', 'El Salvador']],
    ['suppliers of steel in Texas', ['Texas']],
    ['fabricantes chinos de autopartes', ['']],
    ['empresas que exportan a Estados Unidos', []],
    ['máquinas hechas en China', []],
    ['proveedores de comida china', []],
    ['muebles en Jalisco', []],
  ])('abroad: %s', (message, places) => {
    expect(read(message).abroad).toEqual(places);
  });
  it('a country is no part of the trade', () => {
    const { giro, subject } = read('distribuidores farmacéuticos de Honduras');
    expect(`${giro ?? ''} ${subject ?? ''}`).toContain('farmacéuticos');
    expect(`${giro ?? ''} ${subject ?? ''}`).not.toContain('Honduras');
  });
  it.each([
    ['empresas de empaque, excepto las que ya trabajan con Liverpool', ['exclusion:las que ya trabajan con Liverpool']],
    ['sin contar a los que surten a mi competencia, talleres de herrería', ['exclusion:los que surten a mi competencia']],
    ['food companies except those that already work with Walmart', ['exclusion:those that already work with Walmart']],
    ['plantas con más de 200 trabajadores', ['condition:con más de 200 trabajadores']],
    ['proveedores que no exporten nada', ['condition:que no exporten nada']],
    ['guarda todas menos la tercera', []],
    ['sin gastar créditos', []],
    ['todo excepto la primera', []],
  ])('unresolved: %s', (message, some) => {
    const found = read(message).unresolved.map((one) => `${one.kind}:${one.text}`);
    if (some.length === 0) expect(found).toEqual([]);
    else
      for (const one of some)
        expect(
          found.some((other) => one.includes(other) || other.includes(one)),
          `${message}: ${found.join(' | ')}`,
        ).toBe(true);
  });
  it('a figure of a condition is no count', () => {
    expect(read('10 empresas de alimentos con más de 300 empleados').cantidad).toBe(10);
    expect(read('empresas de alimentos con más de 300 empleados').cantidad).toBeNull();
  });
  it.each([
    ['otro_crm', ['sincroniza con Zoho', 'pasa esto a HubSpot', 'mis oportunidades de Salesforce', 'pull my deals from Pipedrive']],
    ['buzon', ['conecta mi Outlook', 'quiero vincular mi gmail']],
    [
      'crm_no_edita',
      ['cambia la etapa de Bimbo a propuesta', 'sube a negociación la cuenta Lala', 'mark Alpura as won', 'elimina la cuenta Zafira'],
    ],
    ['playbook_lectura', ['agrega al playbook que damos crédito', 'anota en la guía de ventas lo del descuento']],
    ['bases', ['pásame las bases de la licitación de uniformes', 'send me the tender documents']],
    ['llamar', ['llámales mañana', 'mándale un whatsapp a Lala']],
    [
      null,
      [
        'guárdalos en el CRM',
        'súbelos al embudo como prospectos',
        'pásame las que están en negociación',
        'empresas que venden licencias de Salesforce',
        'quién le ha vendido SAP a la CFE',
        'qué dice el playbook',
        'licitaciones abiertas de limpieza',
        '¿con quién hablo en Bimbo?',
        'cambia la campaña a 20 cuentas',
      ],
    ],
  ])('beyond: %s', (code, messages) => {
    for (const message of messages) expect(read(message).beyond, message).toBe(code);
  });
});

describe('pointing, paging, going on', () => {
  it('at what was chosen, and never at a name', () => {
    for (const message of [
      'contactos de la que marqué',
      'guarda las que seleccioné',
      'escríbele a la empresa elegida',
      'the ones I picked',
      'mi selección',
      'los tres que escogí',
    ])
      expect(read(message).selected, message).toBe(true);
    for (const message of ['marca de uniformes', 'la selección mexicana de futbol', 'búscame empresas', 'qué marcas venden'])
      expect(read(message).selected, message).toBe(false);
    expect(read('contactos de la que marqué').cuenta).toBeNull();
  });
  it('at several rows', () => {
    expect(
      [
        'la segunda y la cuarta',
        'las filas 2, 4 y 5',
        'rows 1 and 3',
        'la primera',
        'las tres primeras',
        'y segundo, otra cosa',
        'la segunda vez',
      ].map((m) => rowsMeant(m, 8)),
    ).toEqual([[1, 3], [1, 3, 4], [0, 2], [0], [0, 1, 2], null, null]);
  });
  it('at how many, in thousands', () => {
    expect(
      ['9 mil cuentas', '12 mil empresas', '7,500 cuentas', 'nueve mil cuentas', '9000 accounts', '25k accounts'].map(countIn),
    ).toEqual([9_000, 12_000, 7_500, 9_000, 9_000, 25_000]);
  });
  it('at another state, which is a comparison', () => {
    for (const message of [
      'a que otro estado conviene movernos',
      'en que entidad nos convendria abrir',
      'which other state should we move to',
      'a donde nos conviene crecer',
    ])
      expect(wishOf(message), message).toBe('comparar');
    for (const message of ['a que etapa muevo la cuenta', 'en que estado esta mi campana', 'mueve la oportunidad a propuesta'])
      expect(wishOf(message), message).not.toBe('comparar');
  });
  it('wishes in their order, and what only tells more is part of the one before', () => {
    const named = (text: string): boolean => {
      const own = read(text);
      return own.giro !== null || own.comprador !== null || own.estado !== null;
    };
    const kinds = (message: string): string[] => wishesIn(message, named).map((one) => one.kind);
    expect(kinds('¿Cuántas fábricas de muebles hay en Puebla? Enséñame las principales.')).toEqual(['contar', 'listar']);
    expect(kinds('busca plásticos en Querétaro... y guárdalas')).toContain('guardar');
    expect(kinds('¿quién le vende a la SEP y cuáles repiten?')).toEqual(['vendido']);
    expect(kinds('compara empaque y acero en Jalisco: cuántos hay y cuánto se les ha adjudicado')).toEqual(['comparar']);
    expect(kinds('¿cómo va mi pipeline y qué licitaciones de limpieza hay?')).toEqual(['pipeline', 'abiertas']);
    expect(kinds('hola, ¿cómo estás?')).toEqual([]);
    expect(wishesIn('Para Oaxaca: cuántas imprentas hay, y enséñame las mejores', named).map((one) => one.text)).toEqual([
      'Para Oaxaca: cuántas imprentas hay',
      'Para Oaxaca: enséñame las mejores',
    ]);
  });
});
