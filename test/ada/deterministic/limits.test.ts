import { describe, expect, it } from 'vitest';
import { Chat } from './chat.js';
import { ask, calls, companies, inEnglish, skills } from './talk.js';

const chatFor = (message: string): Chat =>
  /\b(?:the|my|we|our|these|suppliers|in|for)\b/.test(message) && !/[áéíóúñ¿¡]|\b(?:de|la|el|mi|que|en)\b/.test(message)
    ? inEnglish()
    : new Chat();
const withRun = (objetivo: string, total: number, done: number): Chat => {
  const chat = new Chat();
  chat.addRun(objetivo, 'running', done, total, false);
  return chat;
};

describe('what nobody does here is said as a limit, with its kind and a way out', () => {
  it.each([
    ['conector', 'sincroniza mis oportunidades con Zoho'],
    ['conector', 'we use Pipedrive, pull my deals from there'],
    ['conector', 'pásame lo que tengo en Salesforce'],
    ['conector', 'exporta estos prospectos a HubSpot'],
    ['conector', '¿puedes leer mis cuentas de Dynamics?'],
    ['conector', 'conecta mi Outlook para mandar los correos'],
    ['conector', 'quiero vincular mi gmail'],
    ['operacion', 'sube a negociación la cuenta Papelera Wirikal Prima'],
    ['operacion', 'cambia el monto de Higiene Tavira Express a 300 mil'],
    ['operacion', 'delete the account Higiene Tavira Express from my pipeline'],
    ['operacion', 'mark Moldeados Miravela as won'],
    ['operacion', 'ponle una nota a Químicos Ixtlara: llamar el lunes'],
    ['operacion', 'apunta en la guía de ventas que el mínimo de compra es de 200 piezas'],
    ['operacion', "write in the playbook that we don't sell on credit"],
    ['operacion', 'actualiza el playbook con los precios nuevos'],
    ['operacion', 'llámale a Químicos Ixtlara y agenda una reunión'],
    ['operacion', 'mándales un whatsapp a los tres primeros'],
    ['cobertura', '¿me puedes bajar el pliego de la licitación de papelería que cierra antes?'],
    ['cobertura', 'send me the tender documents for the cleaning bid'],
    ['cobertura', 'quiero los anexos técnicos del concurso de uniformes'],
    ['cobertura', 'empresas de empaque en Costa Rica'],
    ['cobertura', 'suppliers of steel in Texas'],
    ['cobertura', 'distribuidores de alimentos de Guatemala y El Salvador'],
    ['cobertura', '¿cuántos proveedores de software hay en Colombia?'],
    ['cobertura', 'búscame fabricantes chinos de autopartes'],
  ])('%s: %s', async (tipo, message) => {
    const { answer, chat } = await ask(message, chatFor(message));
    expect(answer.intent).toMatchObject({ kind: 'limite', falta: tipo });
    expect(chat.started).toEqual([]);
    expect(calls(chat, 'company_search')).toEqual([]);
  });

  it.each([
    'empresas que implementan SAP en Monterrey',
    'proveedores de licencias de Salesforce para gobierno',
    '¿quién le ha vendido SAP a la CFE?',
  ])('the same name as what somebody sells is no limit: %s', async (message) => {
    const { answer } = await ask(message);
    expect(answer.intent.kind).not.toBe('limite');
  });
  it.each(['súbelos al embudo en etapa de prospecto', 'guárdalas en mi CRM como prospectos'])(
    'to keep what was found is no change of the CRM: %s',
    async (message) => {
      const chat = new Chat();
      chat.state.board = { ...chat.state.board, list: await companies(chat, 'empaque', 'Jalisco', 5) };
      const { answer } = await ask(message, chat);
      expect(skills(answer)).toEqual(['guardar-en-crm']);
      expect(answer.siguiente?.kind).toBe('decision');
    },
  );
  it.each(['pásame las que están en negociación', '¿cuáles siguen en propuesta?', 'muéstrame lo que está en contactado'])(
    'to look at a stage changes none: %s',
    async (message) => {
      const { answer } = await ask(message);
      expect(answer.intent.kind).not.toBe('limite');
    },
  );

  it('a place inside and one outside: what is inside is done, what is outside is said', async () => {
    const { answer, chat } = await ask('fabricantes de muebles de España y de Jalisco');
    expect(calls(chat, 'company_search')).toMatchObject([{ activity: 'muebles', state: 'Jalisco' }]);
    expect(answer.intent).toMatchObject({ kind: 'cierre', variante: 'parcial' });
    expect(answer.text).toContain('España');
  });
  it('a country is no part of the trade, and what is offered instead is', async () => {
    const { answer } = await ask('distribuidores farmacéuticos de Honduras con sus ventas');
    expect(answer.siguiente?.target).not.toMatch(/Honduras/);
    expect(answer.siguiente?.target).toMatch(/farmac|médic/);
  });
  it('the note that cannot be written is left ready to paste', async () => {
    const { answer } = await ask('agrega al playbook que la garantía es de dos años');
    expect(answer.text).toContain('«La garantía es de dos años»');
  });
  it('the tender is told even where its papers are not here', async () => {
    const { answer, chat } = await ask('necesito las bases completas de la licitación de limpieza que vence primero');
    expect(calls(chat, 'market_search_opportunities')).toMatchObject([{ status: 'open' }]);
    expect(answer.siguiente?.target).toMatch(/lic-\d{6}/);
  });
});

describe('what no source can leave out or check is said, and the answer is partial', () => {
  it.each([
    ['proveedores de empaque de Jalisco que no le vendan a Liverpool', 'que no le vendan a Liverpool'],
    ['empresas de transporte en Nuevo León, excepto las que ya trabajan con mi primo', 'las que ya trabajan con mi primo'],
    [
      'fabricantes de uniformes en Puebla, sin contar a los que le compran tela a mi competencia',
      'los que le compran tela a mi competencia',
    ],
    ['list food companies in Sonora except those that already work with Walmart', 'those that already work with Walmart'],
    ['búscame talleres de herrería en Hidalgo con más de 200 trabajadores', 'con más de 200 trabajadores'],
    ['proveedores de limpieza en Puebla que tengan certificación ISO 9001', 'ISO 9001'],
    ['¿cuántas empresas de plásticos hay en Querétaro que no exporten?', null],
  ])('%s', async (message, what) => {
    const { answer, chat } = await ask(message, chatFor(message));
    if (what) {
      expect(answer.text).toContain(what);
      expect(answer.intent).toMatchObject({ kind: 'cierre', variante: 'parcial' });
    }
    for (const args of calls(chat, 'company_search'))
      expect(String(args['activity'])).not.toMatch(/Liverpool|primo|Walmart|trabajadores|ISO/);
    expect(chat.started).toEqual([]);
  });
  it('a figure inside a condition is no number of companies', async () => {
    const { chat } = await ask('búscame 10 empresas de alimentos en Jalisco con más de 300 empleados');
    expect(calls(chat, 'company_search')).toMatchObject([{ activity: 'alimentos', state: 'Jalisco' }]);
    expect(chat.started).toEqual([]);
  });
});

describe('how big a campaign may be', () => {
  it.each([
    ['campaña para 12 mil cuentas de alimentos con dirección general', '12,000'],
    ['quiero prospectar 7,500 empresas de transporte de todo el país', '7,500'],
    ['haz una campaña de 9 mil cuentas de papelería con compras', '9,000'],
  ])('more accounts than one campaign takes: the limit is said, and never fifty in silence: %s', async (message, asked) => {
    const chat = new Chat();
    chat.tools.balances = { ...chat.tools.balances, credits: 120 };
    const { answer } = await ask(message, chat);
    expect(chat.started).toMatchObject([{ cuentas: 5_000 }]);
    expect(answer.text).toContain('5,000');
    expect(answer.text).toContain(asked);
    // The lot that the balance covers.
    expect(answer.text).toMatch(/120/);
    expect(answer.intent).toMatchObject({ kind: 'cierre', variante: 'parcial' });
  });
  it.each([
    ['súbele a 90 cuentas', 60, 30],
    ['que la campaña sea de 100', 60, 40],
    ['agrégale cuentas hasta llegar a 75', 60, 15],
    ['make the campaign bigger, 150 accounts', 60, 90],
  ])('a running one only shrinks, and the rest goes in another: %s', async (message, total, rest) => {
    const chat = withRun('60 · compras · acero · Puebla', total, 20);
    const { answer } = await ask(message, chat);
    expect(chat.controls).toEqual([]);
    expect(answer.text).toContain(String(total));
    expect(answer.intent).toMatchObject({ kind: 'cierre', variante: 'parcial' });
    expect(answer.siguiente?.target).toContain(String(rest));
    // What the button says prepares that other campaign.
    const next = await ask(answer.siguiente?.target ?? '', chat);
    expect(chat.started).toMatchObject([{ cuentas: rest, criteria: { giro: 'acero', estado: 'Puebla' } }]);
    expect(next.answer.siguiente?.kind).toBe('decision');
  });
  it.each(['bájale a 30', 'mejor solo 30', 'make it 30'])('fewer is a change of the plan: %s', async (message) => {
    const chat = withRun('60 · compras · acero · Puebla', 60, 20);
    await ask(message, chat);
    expect(chat.controls).toEqual([`replan ${chat.runs[0]?.run_id ?? ''} 30`]);
  });
  it.each(['pausa la campaña', 'cancélala', '¿en qué va la campaña?', 'cancel it'])(
    'of two open ones it is asked which, and the answer does it: %s',
    async (message) => {
      const chat = withRun('60 · compras · acero · Puebla', 60, 20);
      chat.addRun('25 · sistemas · software', 'running', 5, 25, false);
      const { answer } = await ask(message, chat);
      expect(chat.controls).toEqual([]);
      expect(answer.pregunta?.campo).toBe('seleccion');
      expect(answer.text + JSON.stringify(answer.pregunta)).toMatch(/acero/);
      const done = await ask('la de acero', chat);
      expect(done.answer.text).toMatch(/acero|pausé|cancel/);
      expect(done.answer.pregunta).toBeNull();
    },
  );
  it('what a purchasing team is, is no trade', async () => {
    for (const message of [
      'lánzame una campaña de 50 con los de compras',
      'haz una campaña de 40 con los de mantenimiento',
      'me interesa una campaña con los jefes de almacén, 30 cuentas',
    ]) {
      const { answer, chat } = await ask(message);
      expect(answer.pregunta?.campo, message).toBe('giro');
      expect(chat.started, message).toEqual([]);
    }
  });
});
