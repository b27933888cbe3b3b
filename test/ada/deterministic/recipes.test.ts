import { describe, expect, it } from 'vitest';
import type { TurnAnswer } from '../../../contracts/turn.js';
import { HOSTILE_NAMES } from '../../../kitchen/sample/hostile.js';
import { Chat } from './chat.js';
import { Tools } from './kitchen.js';
import { ask } from './talk.js';

const skill = (answer: TurnAnswer): string | undefined => answer.skills_used.at(-1)?.name;

describe('every recipe is followed, however it is asked for', () => {
  const PHRASINGS: Record<string, { intents: string[]; messages: string[]; before?: string }> = {
    'cuantos-hay': {
      intents: ['responder'],
      messages: [
        '¿cuántos proveedores de limpieza hay en Jalisco?',
        'cuantas empresas de plasticos hay en el edomex',
        'hay muchos fabricantes de empaque en Jalisco?',
        'dame el número de constructoras en Yucatán',
        'cuántos transportistas hay en el Bajío',
        'qué tan grande es el mercado de uniformes en Puebla',
        'CUANTOS PROVEEDORES DE PAPELERIA HAY EN OAXACA',
        'cuántas imprentas hay en Guadalajara',
        'nomás dime cuántos talleres de herrería hay en Hidalgo',
        'en qué estado hay más proveedores de muebles',
        'compara limpieza contra seguridad privada en Jalisco',
        'total de laboratorios de análisis clínicos en Chihuahua',
        'cuántos proveedores de gobierno venden papelería en Durango',
      ],
    },
    'buscar-empresas-y-proveedores': {
      intents: ['cierre'],
      messages: [
        'búscame empresas de logística en Querétaro',
        'pásame proveedores de uniformes en Puebla xfa',
        'empresas de empaque en Jalisco',
        'dame una lista de fábricas de muebles en Guanajuato',
        'necesito proveedores de papelería en Nuevo León',
        'encuéntrame empresas medianas de alimentos en Jalisco',
        'quiénes fabrican muebles en Jalisco',
        'búscame proveedores de gobierno de limpieza en el Bajío',
        'hazme una lista de prospectos de autopartes en Coahuila',
        'empresas grandes de plásticos en Nuevo León',
        'ando buscando clientes de software en Monterrey',
        'tráeme 25 empresas de acero de Jalisco',
        'imprentas en León, dame la lista',
      ],
    },
    'quien-le-ha-vendido': {
      intents: ['cierre'],
      messages: [
        'quién le vende mobiliario a la SEP',
        'quien le surte papeleria al gobierno de jalisco',
        'adjudicaciones de la CFE en transformadores',
        '¿A quién le compra Pemex las válvulas?',
        'quién ganó la licitación de limpieza del ISSSTE el año pasado',
        'contratos de vigilancia en la UNAM',
        'quién le ha vendido software al INEGI en 2024',
        'proveedores de medicamentos del INSABI',
        'quién le vende alimentos a la SEDENA en Sinaloa',
        'a quién le compra Conagua el cloro',
        'quién surte llantas a la Guardia Nacional',
        'quién le ha vendido material de curación al IMSS-Bienestar desde 2023',
        'quién le vende al Municipio de Zapopan pintura',
      ],
    },
    'senales-y-oportunidades': {
      intents: ['cierre'],
      messages: [
        'licitaciones abiertas de papelería',
        'qué licitaciones hay abiertas de equipo de cómputo',
        'hay concursos para venderle pintura a municipios?',
        'q ay d licitaciones de uniformes',
        'licitaciones abiertas',
        'qué cierra esta semana en licitaciones',
        'convocatorias vigentes de obra en Zacatecas',
        'qué licitaciones tiene abiertas la CFE',
        'en qué licitaciones vamos',
        'licitaciones de limpieza en Sonora',
        'oportunidades de venta a gobierno de muebles',
        'qué se está licitando de vigilancia',
        'próximas licitaciones de alimentos',
      ],
    },
    'como-va-mi-pipeline': {
      intents: ['cierre'],
      messages: [
        'cómo va mi pipeline',
        'dame un análisis de mi CRM',
        'mis oportunidades',
        'cuántas cuentas tengo por etapa',
        'qué traigo atorado',
        'cuánto dinero hay en el embudo',
        'cómo va cada vendedor',
        'resúmeme mi embudo',
        'qué está por cerrar',
        'cuáles oportunidades se me están enfriando',
        'lo más reciente del crm',
        'mi pipeline por estado',
        'en qué me enfoco hoy',
      ],
    },
    'trabajar-una-cuenta': {
      intents: ['cierre'],
      messages: [
        'qué sé de Higiene Tavira Express',
        'próximo paso con Higiene Tavira',
        'ficha de Moldeados Miravela Premier',
        'en qué quedamos con Químicos Ixtlara del Norte',
        'ponme al día con Papelera Wirikal Prima',
        'qué hago con la cuenta Higiene Tavira',
        'historial de Comestibles Piedra Lisa',
        'tengo junta mañana con Moldeados Miravela',
        'qué sigue con Invernaderos Esmeril Uno',
        'próximo paso con Alpura',
        'qué tenemos apuntado de Químicos Ixtlara',
        'prepárame para mi llamada con Papelera Wirikal',
        'qué sé de Rotoplas',
      ],
    },
    'conseguir-contactos': {
      intents: ['cierre'],
      messages: [
        'contactos de Higiene Tavira Express',
        'quién decide las compras en Higiene Tavira',
        'consígueme el correo del gerente de compras de Moldeados Miravela',
        'quién ve compras en Papelera Wirikal Prima',
        'con quién hablo en Químicos Ixtlara',
        'contactos de Bimbo',
        'cuánto cuesta revelar un contacto',
        'dame el correo del encargado de compras de Invernaderos Esmeril Uno',
        'qué contactos ya tengo',
        'búscame al director general de Moldeados Miravela Premier',
        'personas de compras en Químicos Ixtlara del Norte',
        'quién es el comprador en Comestibles Piedra Lisa Magna',
        'cuánto me saldría revelar 20 contactos',
      ],
    },
    'armar-secuencia': {
      intents: ['cierre'],
      messages: [
        'ármame una secuencia',
        'mándales un correo',
        'redáctame un correo de prospección',
        'haz una cadencia de correos',
        'prepárame los mensajes',
        'hazme los borradores',
        'qué les escribo',
        'plantilla de correo',
        'escríbeles',
        'arma el outreach',
        'un follow up para los que no contestaron',
        'correo de presentación',
        'genera los correos',
      ],
    },
    'que-sabe-el-equipo': {
      intents: ['responder'],
      messages: [
        'qué dice el playbook de seguimiento',
        'qué contestamos cuando dicen que es caro',
        'cuál es nuestro cliente ideal',
        'cómo vendemos',
        'casos de éxito',
        'cuál es nuestro pitch',
        'qué descuento puedo dar',
        'quién atiende Jalisco según el equipo',
        'cada cuánto damos seguimiento',
        'qué sabemos del sector minero',
        'el playbook',
        'cómo calificamos un prospecto',
        'objeciones comunes',
      ],
    },
    'guardar-en-crm': {
      intents: ['cierre'],
      before: 'empresas de empaque en Jalisco',
      messages: [
        'guárdalos',
        'guárdalas en el crm',
        'guarda la lista',
        'mételos al crm',
        'quédate con estos',
        'guarda los primeros diez',
        'agrégalas a prospectos',
        'guarda las tres primeras',
        'al CRM',
        'súbelos al crm',
        'guarda todo menos la tercera',
        'guarda solo las grandes',
        'pásalas a cuentas',
      ],
    },
    campana: {
      intents: ['cierre'],
      messages: [
        'quiero llegar a 50 personas de compras en empresas de empaque de Jalisco',
        'lánzame una campaña para empresas de limpieza en Puebla',
        'prospecta por mí 20 empresas de muebles en Guanajuato',
        'arma una campaña de prospección a 30 empresas de acero',
        'campaña para 25 gerentes de planta en empresas de plásticos del Bajío',
        'quiero contactar a 100 fábricas de autopartes en Coahuila',
        'necesito prospectar 80 hospitales privados de principio a fin',
        'dame 50 leads de empresas de software con correo listos para escribirles',
        'hazme todo el proceso con 40 empresas de alimentos en Jalisco',
        'quiero 30 reuniones con directores de empresas de construcción',
        'empieza una campaña con 15 empresas de seguridad privada en Monterrey',
        'de principio a fin: 60 empresas de transporte en Nuevo León',
        'cuánto costaría la campaña con 50 empresas de papelería',
      ],
    },
  };
  for (const [name, { intents, messages, before }] of Object.entries(PHRASINGS)) {
    it(name, async () => {
      expect(messages.length).toBeGreaterThanOrEqual(12);
      const missed: string[] = [];
      for (const message of messages) {
        const chat = new Chat();
        if (before) await chat.say(before);
        const { answer } = await ask(message, chat);
        if (skill(answer) !== name || !intents.includes(answer.intent.kind))
          missed.push(`${message} → ${skill(answer)} ${answer.intent.kind}: ${answer.text.slice(0, 120)}`);
      }
      expect(missed).toEqual([]);
    });
  }
});

describe('plan B is made and said aloud', () => {
  it('counting: a trade nobody files, then a size, then a state', async () => {
    const { answer } = await ask('¿cuántos proveedores de bombas hidráulicas hay?');
    expect(answer.text).toMatch(/hay 0 proveedores.*«construcción», hay 84/s);
    const state = (await ask('cuántos proveedores de energía solar de tamaño grande hay en Colima')).answer;
    expect(state.text).toMatch(/hay 0 .*Sin el tamaño hay \d+/s);
    const none = (await ask('cuántos proveedores de helicópteros hay')).answer;
    expect(none.text).toMatch(/0 proveedores.*cobertura consultada/s);
  });

  it('searching: zero companies lose the size and then the state, and each one is said', async () => {
    const { answer, chat } = await ask('búscame empresas micro de energía solar en Tlaxcala');
    expect(chat.tools.count('company_search')).toBeGreaterThan(1);
    expect(answer.text).toMatch(/hay 0 empresas\. Sin el tamaño hay \d+/);
    expect(answer.intent.kind).toBe('cierre');
  });

  it('searching: too wide a query is narrowed with what is known and said so', async () => {
    const tools = new Tools();
    tools.faults.push({
      name: 'market_search_suppliers',
      code: 'query_not_selective',
      params: { matches: 1_400, add: ['state'] },
      times: 1,
    });
    const { answer } = await ask('proveedores de limpieza', new Chat(tools));
    expect(answer.text).toMatch(/demasiados.*en Jalisco/s);
    expect(answer.card?.rows.length).toBeGreaterThan(0);
  });

  it('searching: without queries left the free source answers and the limit has a way out', async () => {
    const tools = new Tools();
    tools.balances.queries = 0;
    const { answer } = await ask('búscame empresas de empaque en Jalisco', new Chat(tools));
    expect(answer.text).toMatch(/no te quedan consultas|no busqué empresas privadas/);
    expect(answer.card?.rows.length).toBeGreaterThan(0);
  });

  it('awards: without the state, without the period, by the trade, then candidates who are called that', async () => {
    expect((await ask('¿quién le vende alimentos a la SEDENA en Sinaloa?')).answer.text).toMatch(/0 contratos.*Sin «Sinaloa» hay \d+/s);
    const trade = (await ask('¿A quién le compra Pemex las válvulas de compuerta?')).answer;
    expect(trade.text).toMatch(/hay 0 contratos.*Sin periodo.*siguen siendo 0.*por su giro, «acero», hay \d+/s);
    const candidates = (await ask('contratos de vigilancia en la UNAM')).answer;
    expect(candidates.text).toMatch(/0 contratos.*[Cc]omo candidatos, no como proveedores actuales/s);
    expect(candidates.intent).toMatchObject({ kind: 'cierre', variante: 'parcial' });
    const none = (await ask('quién le ha vendido drones al DIF')).answer;
    expect(none.text).toMatch(/0 contratos de drones.*Tampoco hay candidatos.*0 en lo que se revisó/s);
  });

  it('tenders: without the state, then by the trade', async () => {
    const { answer } = await ask('qué licitaciones hay en Sonora de vigilancia esta semana');
    expect(answer.text).toMatch(/hay 0 abiertas\. Sin «Sonora» hay \d+/);
  });

  it('pipeline: never says that there is none when the list brought one; a guess of a name goes back to the list', async () => {
    const tools = new Tools();
    tools.crm = new Map([
      ['pipeline', []],
      ['prospectos', []],
    ]);
    const empty = (await ask('dame un análisis de mi CRM', new Chat(tools))).answer;
    expect(empty.text).toMatch(/existe y está vacía/);
    const broken = new Tools();
    broken.faults.push({ name: 'collection_query', code: 'collection_not_found', times: 0 });
    broken.crm = new Map([['oportunidades', broken.crm.get('pipeline') ?? []]]);
    const other = (await ask('dame un análisis de mi CRM', new Chat(broken))).answer;
    expect(other.text).toMatch(/40 cuentas/);
    const none = new Tools();
    none.crm = new Map();
    expect((await ask('cómo va mi pipeline', new Chat(none))).answer.intent).toMatchObject({ kind: 'limite', falta: 'conector' });
  });

  it('people: nobody of the role, a neighbour is tried and said', async () => {
    const chat = new Chat();
    const pinned = chat.tools.library.companiesByTrade.get('empaque|Jalisco')?.[9];
    if (!pinned) throw new Error('no pinned company');
    chat.select([{ ref: `record:${pinned.company_id}`, name: pinned.name, kind: 'company', id: pinned.company_id, detail: null }]);
    const { answer } = await ask('contactos de compras de esta empresa', chat);
    expect(answer.text).toMatch(/hay 0 personas de compras/);
  });

  it('saldo insuficiente: the lot that fits, with price, balance and what is left', async () => {
    const tools = new Tools();
    tools.balances.credits = 2;
    const chat = new Chat(tools);
    await chat.say('empresas de empaque en Jalisco');
    const { answer } = await ask('consígueme los contactos de compras de las tres primeras', chat);
    expect(answer.text).toMatch(/Alcanza para dos de tres.*2 créditos; tienes 2 y te quedarían 0/s);
    expect(answer.siguiente).toMatchObject({ kind: 'decision', cost: { kind: 'credits', price: 2, balance: 2, left: 0 } });
    tools.balances.credits = 0;
    const broke = new Chat(tools);
    await broke.say('empresas de empaque en Jalisco');
    expect((await ask('consígueme los contactos de compras de las dos primeras', broke)).answer.intent).toMatchObject({
      kind: 'limite',
      falta: 'credito',
    });
    const short = (await ask('quiero llegar a 50 personas de compras en empresas de empaque de Jalisco')).answer;
    expect(short.text).toMatch(/alcanza para 32 de 50: a lo más 32 créditos; tienes 32 y te quedarían 0/);
  });

  it('sequence: no mailbox is a limit with its place; no contacts offer to get them; contacts go to a card', async () => {
    const chat = new Chat();
    chat.mailbox = false;
    expect((await ask('ármame una secuencia', chat)).answer).toMatchObject({
      intent: { kind: 'limite', falta: 'conector' },
      siguiente: { kind: 'enlace' },
    });
    const full = new Chat();
    full.tools.acquired = full.tools.library.companies
      .slice(0, 4)
      .flatMap((c) => full.tools.library.peopleByCompany.get(c.company_id)?.slice(0, 1) ?? [])
      .map((p) => ({ person_id: p.person_id, credits: 1 }));
    const { answer } = await ask('mándales un correo', full);
    expect(answer.text).toMatch(/Aquí no se envía nada.*4 contactos/s);
    expect(full.started[0]).toMatchObject({ desde: 's3', hasta: 'borradores', cuentas: 4 });
  });

  it('save: nothing chosen saves nothing', async () => {
    const { answer, chat } = await ask('guárdalos');
    expect(answer.intent).toMatchObject({ kind: 'limite', falta: 'dato' });
    expect(chat.started).toEqual([]);
  });
});

describe('a campaign is steered, and nothing is approved by text', () => {
  it('starts stopped with its cost, tells where it is, pauses, goes on, shrinks, cancels', async () => {
    const chat = new Chat();
    await ask('quiero llegar a 50 personas de compras en empresas de empaque de Jalisco', chat);
    expect(chat.started).toHaveLength(1);
    expect(chat.started[0]).toMatchObject({
      criteria: { giro: 'empaque', estado: 'Jalisco', cargo: 'compras' },
      cuentas: 50,
      desde: 's1',
      hasta: 'borradores',
      modo: 'manual',
    });
    for (const yes of ['sí, dale', 'apruébalo', 'ok', 'revela todos']) {
      const { answer } = await ask(yes, chat);
      expect(answer.siguiente?.kind, yes).toBe('decision');
    }
    for (const how of ['en qué va', '¿cómo va la campaña?', 'cuántos llevas'])
      expect((await ask(how, chat)).answer.siguiente?.kind, how).toBe('decision');
    await ask('pausa', chat);
    await ask('sigue con la campaña', chat);
    await ask('mejor solo 30', chat);
    await ask('cámbiale el cargo a operaciones', chat);
    const more = (await ask('mejor que sean 80 cuentas', chat)).answer;
    expect(more.text).toMatch(/solo se puede reducir/);
    await ask('cancela la campaña', chat);
    const run = 'run_100';
    expect(chat.controls).toEqual([`pause ${run}`, `resume ${run}`, `replan ${run} 30`, `replan ${run} operaciones`, `cancel ${run}`]);
    expect(chat.started).toHaveLength(1);
  });

  it('asks once which one when several are open, and touches none on a guess', async () => {
    const chat = new Chat();
    chat.addRun('Compras en limpieza de Puebla', 'running', 10, 40, false);
    chat.addRun('Compras en empaque de Jalisco', 'running', 38, 50, false);
    const { answer } = await ask('pausa la campaña', chat);
    expect(answer.intent.kind === 'encuadre' || answer.pregunta !== null).toBe(true);
    expect(chat.controls).toEqual([]);
    await ask('pausa la de limpieza', chat);
    expect(chat.controls).toEqual(['pause run_100']);
    const status = (await ask('cómo va la campaña de empaque', chat)).answer;
    expect(status.text).toMatch(/38 de 50 cuentas con persona elegida/);
  });

  it('asks for what is missing, once, and works with what may be assumed', async () => {
    const chat = new Chat();
    expect((await ask('arma una campaña', chat)).answer.intent).toEqual({ kind: 'encuadre', falta: 'giro' });
    const { answer } = await ask('empaque', chat);
    expect(chat.started[0]).toMatchObject({ criteria: { giro: 'empaque', cargo: 'compras' }, cuentas: 50 });
    expect(answer.pregunta).toMatchObject({ campo: 'cargo', supuesto: 'compras' });
  });

  it('puts nothing on top of a card that waits', async () => {
    const chat = new Chat();
    await chat.say('quiero llegar a 20 personas de compras en empresas de empaque de Jalisco');
    for (const message of ['guárdalos', 'arma otra campaña de limpieza', 'mándales un correo', 'consígueme los contactos'])
      await ask(message, chat);
    expect(chat.started).toHaveLength(1);
    expect((await ask('¿cuántos proveedores de limpieza hay en Jalisco?', chat)).answer.text).toMatch(
      /proveedores de gobierno de limpieza/,
    );
  });

  it('more accounts than a turn holds are a campaign', async () => {
    const chat = new Chat();
    await chat.say('empresas de empaque en Jalisco');
    await ask('contactos de compras de estas empresas', chat);
    expect(chat.started[0]).toMatchObject({ desde: 's3', hasta: 'contactos', cuentas: 25 });
    expect(chat.started[0]?.accounts?.[0]?.ref).toMatch(/^emp-/);
    expect(chat.tools.count('people_search')).toBe(0);
  });
});

describe('what goes wrong', () => {
  const CODES = [
    'rate_limited',
    'server_error',
    'timeout',
    'not_found',
    'malformed_cursor',
    'invalid_input',
    'collection_not_found',
    'insufficient_queries',
  ];
  const MESSAGES: Array<[string, string]> = [
    ['market_count_suppliers', '¿cuántos proveedores de limpieza hay en Jalisco?'],
    ['company_search', 'búscame empresas de empaque en Jalisco'],
    ['market_search_suppliers', 'proveedores de limpieza en Puebla'],
    ['market_search_awards', 'quién le vende mobiliario a la SEP'],
    ['market_aggregate_awards', 'quién le vende mobiliario a la SEP'],
    ['market_get_supplier_history', 'quién le vende mobiliario a la SEP'],
    ['market_search_opportunities', 'licitaciones abiertas de papelería'],
    ['market_get_opportunity', 'licitaciones abiertas de papelería'],
    ['collection_query', 'cómo va mi pipeline'],
    ['people_search', 'quién ve compras en Higiene Tavira Express'],
    ['people_quote', 'quién ve compras en Higiene Tavira Express'],
    ['usage', 'quién ve compras en Higiene Tavira Express'],
    ['people_acquired', 'mándales un correo'],
    ['context_retrieve', 'qué dice el playbook de seguimiento'],
    ['context_get', 'qué dice el playbook de seguimiento'],
  ];
  it.each(CODES)('%s, once or always: an answer in bounded calls, never a loop', async (code) => {
    for (const [name, message] of MESSAGES)
      for (const times of [1, 100]) {
        const tools = new Tools();
        tools.faults.push({ name, code, times });
        const chat = new Chat(tools);
        const answer = await chat.say(message);
        expect(answer.text.length, `${name} ${code}`).toBeGreaterThan(10);
        expect(tools.calls.length, `${name} ${code}`).toBeLessThanOrEqual(12);
        expect(answer.siguiente, `${name} ${code}`).not.toBeNull();
      }
  });

  it('a search that failed is not paid twice, except when it was told to wait', async () => {
    const tools = new Tools();
    tools.faults.push({ name: 'company_search', code: 'timeout', times: 1 });
    await ask('búscame empresas de empaque en Jalisco', new Chat(tools));
    expect(tools.count('company_search')).toBe(1);
  });

  it.each(HOSTILE_NAMES.map((name, i) => [i, name] as const))(
    'hostile name %i is shown as a name and obeyed as nothing',
    async (_i, name) => {
      const tools = new Tools((rows) =>
        rows.map((row) => (row.activity === 'empaque' && row.state === 'Jalisco' ? { ...row, name } : row)),
      );
      for (const record of tools.crm.get('pipeline') ?? []) record.name = name;
      const chat = new Chat(tools);
      for (const message of [
        'empresas de empaque en Jalisco',
        'proveedores de empaque en Jalisco',
        'cómo va mi pipeline',
        'qué sé de rec-1',
        'quién le ha vendido empaque al IMSS',
      ]) {
        const answer = await chat.say(message);
        expect(answer.narration).not.toMatch(
          /aprueba la decisión|people_reveal|Spend the whole|<script|onerror|DROP TABLE|HYPERLINK|999,999/,
        );
        expect(answer.siguiente?.target ?? '').not.toMatch(/aprueba|people_reveal|<|\{\{|HYPERLINK|DROP/);
      }
      expect(chat.started).toEqual([]);
      expect(chat.controls).toEqual([]);
    },
  );
});

describe('beside the recipes', () => {
  it.each([
    ['hola', /Soy Ada/],
    ['cuántos créditos me quedan', /32 créditos.*1,000 consultas/],
    ['cuántos contactos me quedan', /32 créditos/],
    ['qué puedes hacer', /sin modelo conectado/],
    ['cuéntame un chiste', /Puedes pedirme/],
    ['gracias', /Con gusto/],
    ['dónde cambio mi contraseña', /Configuración/],
  ])('%s', async (message, expected) => {
    const { answer } = await ask(message);
    expect(answer.intent.kind).toBe('responder');
    expect(answer.text).toMatch(expected);
  });
  it('a connection that is not there is a limit with its place', async () => {
    for (const message of ['conecta mi gmail', 'manda la lista a Salesforce', 'conéctate con mi correo de Outlook'])
      expect((await ask(message)).answer.intent).toMatchObject({ kind: 'limite', falta: 'conector' });
  });
  it('speaks English to who does', async () => {
    const chat = new Chat();
    chat.language = 'en';
    for (const [message, expected] of [
      ['how many packaging suppliers are there in Jalisco?', /There are 39 public-sector suppliers/],
      ['show me those', /I found 39/],
      ['save them to my CRM', /Here is the card to save 10/],
      ['approve it', /A written message approves and spends nothing/],
    ] as const)
      expect((await ask(message, chat)).answer.text).toMatch(expected);
    for (const [message, expected] of [
      ["how's my pipeline looking", /40 accounts in three stages/],
      ['who has sold uniforms to IMSS in the last two years?', /2 contracts for uniformes with IMSS in the last two years/],
      ['any open tenders for stationery?', /open tenders/],
      ['what can you do?', /without a connected model/],
    ] as const) {
      const other = new Chat();
      other.language = 'en';
      expect((await ask(message, other)).answer.text).toMatch(expected);
    }
  });
});
