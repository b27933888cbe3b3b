import { describe, expect, it } from 'vitest';
import { Chat } from './chat.js';
import { ask, calls, inEnglish, skills } from './talk.js';

describe('several things in one message are done in their order', () => {
  it.each([
    ['¿Cuántas fábricas de muebles hay en Guanajuato? Enséñame las cinco más fuertes.', 'muebles', 'Guanajuato'],
    ['dime cuántos proveedores de vigilancia operan en Veracruz y luego lístamelos', 'vigilancia', 'Veracruz'],
    ['How many cleaning suppliers are there in Puebla, and show me the top ones', 'limpieza', 'Puebla'],
    [
      'Ofrecemos tarimas. ¿Cuántos transportistas de Sonora le venden a gobierno? Cuéntalos y pásame los principales.',
      'transportistas',
      'Sonora',
    ],
  ])('counted and listed: %s', async (message, activity, state) => {
    const { answer, chat } = await ask(message);
    expect(calls(chat, 'market_count_suppliers')).toMatchObject([{ activity, state }]);
    expect(calls(chat, 'market_search_suppliers')).toMatchObject([{ activity, state }]);
    expect(answer.intent).toMatchObject({ kind: 'cierre', variante: 'completo' });
    expect(chat.state.board.list.length).toBeGreaterThan(0);
  });

  it.each([
    ['¿Quién le ha vendido mobiliario a la SEP, a la UNAM y al IPN?', ['SEP', 'UNAM', 'IPN'], 'mobiliario'],
    ['who has sold medicines to IMSS and ISSSTE?', ['IMSS', 'ISSSTE'], 'medicamentos'],
    ['a quién le compran uniformes la SEDENA y el Gobierno de Sonora', ['SEDENA', 'Gobierno de Sonora'], 'uniformes'],
  ])('several buyers, one search each: %s', async (message, buyers, product) => {
    const { answer, chat } = await ask(message, /^who/.test(message) ? inEnglish() : new Chat());
    expect(calls(chat, 'market_search_awards').map((args) => args['buyer'])).toEqual(buyers);
    expect(calls(chat, 'market_search_awards').map((args) => args['product'])).toEqual(buyers.map(() => product));
    for (const buyer of buyers) expect(answer.text).toContain(buyer);
    expect(skills(answer)).toEqual(['quien-le-ha-vendido']);
  });

  it('more buyers than searches: three are done and the others are named', async () => {
    const { answer, chat } = await ask('¿Quién le ha vendido papelería a la SEP, al IMSS, a la UNAM, al SAT y al INEGI?');
    expect(calls(chat, 'market_search_awards').map((args) => args['buyer'])).toEqual(['SEP', 'IMSS', 'UNAM']);
    expect(answer.intent).toMatchObject({ kind: 'cierre', variante: 'parcial' });
    expect(answer.text).toContain('SAT');
    expect(answer.text).toContain('INEGI');
    expect(answer.siguiente?.target).toMatch(/SAT/);
  });

  it('market, contracts and open tenders in one message', async () => {
    const { answer, chat } = await ask(
      'Cuántos proveedores de acero hay en Coahuila; quién le vendió acero a la CFE; y qué licitaciones de acero siguen abiertas',
    );
    expect(calls(chat, 'market_count_suppliers')).toMatchObject([{ activity: 'acero', state: 'Coahuila' }]);
    expect(calls(chat, 'market_search_awards')).toMatchObject([{ buyer: 'CFE', product: 'acero' }]);
    expect(calls(chat, 'market_search_opportunities')).toMatchObject([{ text: 'acero', status: 'open' }]);
    expect(answer.intent.kind).toBe('cierre');
  });

  it('what one head is said for reaches every part', async () => {
    const { chat } = await ask('Para Yucatán: cuántas empresas de alimentos hay, y pásame las diez con más monto adjudicado');
    expect(calls(chat, 'market_count_suppliers')).toMatchObject([{ activity: 'alimentos', state: 'Yucatán' }]);
    expect(calls(chat, 'market_search_suppliers')).toMatchObject([{ activity: 'alimentos', state: 'Yucatán', sort: 'amount' }]);
  });

  it('a list and what is to be kept of it: found first, then the card', async () => {
    const { answer, chat } = await ask('Búscame empresas de plásticos en Querétaro y guárdalas en el CRM');
    expect(calls(chat, 'company_search')).toHaveLength(1);
    expect(chat.started).toMatchObject([{ hasta: 'cuentas' }]);
    expect(answer.siguiente?.kind).toBe('decision');
  });

  it('find, contacts and texts for more accounts than a turn holds is a campaign, to the drafts', async () => {
    const { chat } = await ask('búscame 10 empresas de software en Jalisco, consigue el contacto de sistemas y prepárales un correo');
    expect(chat.started).toMatchObject([
      { cuentas: 10, hasta: 'borradores', criteria: { giro: 'software', estado: 'Jalisco', cargo: 'sistemas' } },
    ]);
  });

  it('an errand nobody does here beside one that is: that is done, and the rest is said', async () => {
    const { answer, chat } = await ask('Busca proveedores de papelería en Oaxaca y luego súbelos a Salesforce');
    expect(calls(chat, 'market_search_suppliers').length).toBeGreaterThan(0);
    expect(answer.intent).toMatchObject({ kind: 'cierre', variante: 'parcial' });
    expect(answer.text).toMatch(/Conexiones/);
  });
});

describe('trades and places side by side', () => {
  it.each([
    ['compárame alimentos, papelería y limpieza en Yucatán', ['alimentos', 'papelería', 'limpieza'], ['Yucatán']],
    ['compare packaging, plastics and steel in Querétaro', ['empaque', 'plásticos', 'acero'], ['Querétaro']],
    ['cuánto le han adjudicado a limpieza contra vigilancia en CDMX', ['limpieza', 'vigilancia'], ['Ciudad de México']],
    ['¿dónde hay más proveedores de autopartes, Coahuila o Aguascalientes?', ['autopartes'], ['Coahuila', 'Aguascalientes']],
    [
      'Compara muebles contra textil en Jalisco y Puebla: cuántos proveedores hay y dónde hay menos competencia',
      ['muebles', 'textil'],
      ['Jalisco', 'Puebla'],
    ],
  ])('%s', async (message, segments, geographies) => {
    const { answer, chat } = await ask(message);
    expect(calls(chat, 'market_compare')).toEqual([{ segments, geographies }]);
    expect(skills(answer)).toEqual(['cuantos-hay']);
    expect(chat.started).toEqual([]);
  });

  it('more trades than one comparison takes: the others are named and are the next step', async () => {
    const { answer, chat } = await ask('compara empaque, plásticos, acero, textil, papelería, limpieza, software y muebles en Puebla');
    expect(calls(chat, 'market_compare')).toMatchObject([
      { segments: ['empaque', 'plásticos', 'acero', 'textil', 'papelería', 'limpieza'] },
    ]);
    expect(answer.text).toMatch(/software/);
    expect(answer.siguiente?.target).toMatch(/software.*muebles/);
  });

  it.each([
    '¿en qué entidad nos convendría abrir si ya cubrimos Puebla con textiles?',
    'Ya vendemos textiles en todo Puebla. ¿A qué otro estado conviene movernos?',
    'we already cover Puebla with textiles; which other state should we move to?',
  ])('where to go next is a comparison, never a campaign: %s', async (message) => {
    const { answer, chat } = await ask(message);
    const [args] = calls(chat, 'market_compare');
    expect(args?.['geographies']).not.toContain('Puebla');
    expect(chat.started).toEqual([]);
    expect(answer.siguiente?.kind).toBe('mensaje');
  });

  it('the same after a list of the conversation, whose trade it goes on with', async () => {
    const chat = new Chat();
    await ask('búscame proveedores de limpieza en Veracruz', chat);
    const { answer } = await ask('ya los conocemos a todos, ¿a qué otra plaza nos conviene entrarle?', chat);
    expect(calls(chat, 'market_compare')).toMatchObject([{ segments: ['limpieza'] }]);
    expect(answer.intent.kind).toBe('responder');
  });

  it('companies of a trade in several states are a list of each', async () => {
    const { answer, chat } = await ask('empresas de software en CDMX, Puebla y Querétaro');
    expect(calls(chat, 'company_search').map((args) => args['state'])).toEqual(['Ciudad de México', 'Puebla', 'Querétaro']);
    expect(answer.card?.total).toBe(chat.state.board.list.length);
    expect(skills(answer)).toEqual(['buscar-empresas-y-proveedores']);
  });
});

describe('two sources crossed', () => {
  it.each([
    'Busca transportistas de Jalisco que hayan ganado contratos y crúzalos con las licitaciones abiertas',
    'cruza a los proveedores de construcción de Jalisco con lo que está abierto hoy',
    'cross-check the cleaning suppliers of Puebla with the open tenders',
  ])('suppliers and open tenders: %s', async (message) => {
    const { chat } = await ask(message);
    expect(calls(chat, 'market_search_opportunities').length).toBeGreaterThan(0);
    expect(calls(chat, 'market_search_suppliers').length).toBeGreaterThan(0);
  });
  it.each(['coteja mis cuentas del CRM contra el padrón de proveedores', 'cross-check my CRM accounts against the supplier register'])(
    'the own accounts and the register: %s',
    async (message) => {
      const { answer, chat } = await ask(message);
      expect(calls(chat, 'collection_query').length).toBeGreaterThan(0);
      expect(calls(chat, 'market_screen')).toHaveLength(1);
      expect(answer.card?.total).toBeGreaterThan(0);
    },
  );
});
