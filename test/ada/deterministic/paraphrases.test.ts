import { describe, expect, it } from 'vitest';
import { Chat } from './chat.js';
import { Tools } from './kitchen.js';

/** The three cases that the recipes have to be right in, said in many ways and about others. */
const sound = async (chat: Chat, message: string) => {
  const answer = await chat.say(message);
  expect(
    answer.validation.flatMap((one) => one.problems),
    message,
  ).toEqual([]);
  expect(answer.usage.unresolved_refs, message).toBe(0);
  expect(answer.siguiente, message).not.toBeNull();
  return answer;
};

describe('who has sold what to a public buyer', () => {
  const SAID = [
    '¿Quién le ha vendido uniformes al IMSS en los últimos dos años?',
    'quien le vende uniformes al imss',
    'oye, ¿quiénes le surten uniformes al Seguro Social?',
    'proveedores que le han vendido uniformes al IMSS estos últimos 2 años',
    'a quién le compra uniformes el IMSS',
    'quién ganó los contratos de uniformes del IMSS en los últimos dos años',
    'adjudicaciones de uniformes en el IMSS, últimos dos años',
    'quiero saber quién trae amarrado lo de uniformes en el IMSS',
    'QUIEN LE HA VENDIDO UNIFORMES AL IMSS',
    'who has sold uniforms to IMSS in the last two years?',
    'dime qué empresas le han vendido uniformes al Instituto Mexicano del Seguro Social',
  ];
  it.each(SAID)('%s', async (message) => {
    const chat = new Chat();
    const answer = await sound(chat, message);
    expect(answer.intent.kind).toBe('cierre');
    const call = chat.tools.calls.find((one) => one.name === 'market_search_awards');
    expect(call?.args).toMatchObject({ buyer: 'IMSS' });
    expect(String(call?.args['product'])).toMatch(/uniforme/);
    // Suppliers by their anchors, with amounts beside theirs.
    expect(answer.narration).toMatch(/\[\[record:prv-\d+\]\], con \[\[run:mag-\d+-g\d+-sum\]\] \$[\d,]+/);
    expect(answer.card?.rows.length).toBeGreaterThan(0);
  });
  it.each([
    ['quién le ha vendido mobiliario a la SEP', 'SEP', /mobiliario/],
    ['quién le surte papelería al gobierno de Jalisco', 'Gobierno de Jalisco', /papeler/],
    ['a quién le compra la CFE transformadores', 'CFE', /transformador/],
    ['quién le ha vendido vigilancia a la UNAM', 'UNAM', /vigilancia/],
    ['quién le vende llantas a la Guardia Nacional desde 2023', 'Guardia Nacional', /llantas/],
    ['contratos de software con el INEGI en 2024', 'INEGI', /software/],
    ['quién le ha vendido gasas al ISSSTE', 'ISSSTE', /gasas/],
    ['quién le vende luminarias al municipio de Zapopan', 'Municipio de Zapopan', /luminarias/],
    ['quién le ha vendido drones a la Semar', 'SEMAR', /drones/],
  ])('%s', async (message, buyer, product) => {
    const chat = new Chat();
    const answer = await sound(chat, message);
    const call = chat.tools.calls.find((one) => one.name === 'market_search_awards');
    expect(String(call?.args['buyer']).toLowerCase()).toBe(buyer.toLowerCase());
    expect(String(call?.args['product'])).toMatch(product);
    // Amounts with their anchors, or 0 in what was looked at and candidates called that.
    expect(answer.text).toMatch(/con \$[\d,]+|0 contratos/);
    if (/0 contratos/.test(answer.text) && !/hay [1-9]\d* *\.|hay [1-9]/.test(answer.text)) expect(answer.text).toMatch(/candidatos/);
  });
});

describe('an analysis of the CRM', () => {
  const SAID = [
    'Dame un análisis de mi CRM',
    'analiza mi crm',
    'cómo va mi pipeline',
    'hazme un resumen de mi CRM por etapas',
    'qué hay en mi crm',
    'resúmeme mi embudo',
    'cómo vienen mis oportunidades',
    'cómo está mi CRM, en qué me enfoco',
    'dame un corte de mi pipeline',
    'mi crm como anda',
    'ANALISIS DE MI CRM POR FAVOR',
  ];
  it.each(SAID)('%s', async (message) => {
    const chat = new Chat();
    const answer = await sound(chat, message);
    expect(answer.text).toMatch(/40 cuentas en tres etapas/);
    expect(answer.text).toMatch(/negociación 11, propuesta 15 y contactado 14/);
    expect(answer.text).toMatch(/cinco más recientes/);
    expect(answer.narration.match(/\[\[record:rec-\d+\]\]/g)?.length).toBeGreaterThanOrEqual(6);
    expect(answer.text).toMatch(/Yo empezaría por/);
    expect(answer.text).not.toMatch(/no existe|no hay CRM|no veo/i);
  });
  it('another CRM gives another answer', async () => {
    const tools = new Tools();
    tools.crm.set(
      'pipeline',
      (tools.crm.get('pipeline') ?? [])
        .slice(0, 9)
        .map((row, i) => ({
          ...row,
          stage: i < 6 ? 'propuesta' : 'negociacion',
          days_in_stage: 1,
          changed_at: `2026-11-${10 + i}T00:00:00.000Z`,
        })),
    );
    const answer = await sound(new Chat(tools), 'Dame un análisis de mi CRM');
    expect(answer.text).toMatch(/9 cuentas en dos etapas/);
    expect(answer.text).toMatch(/Ninguna está parada/);
    expect(answer.narration).toMatch(/Las cinco más recientes son \[\[record:rec-9\]\], \[\[record:rec-8\]\]/);
  });
});

describe('count, and then show them', () => {
  const SAID: Array<[string, string]> = [
    ['¿Cuántos proveedores de bombas hidráulicas hay?', 'Muéstramelos'],
    ['cuantos provedores de limpieza hay en jalisco', 'a ver cuáles son'],
    ['dame el número de proveedores de muebles en Guanajuato', 'enséñamelos'],
    ['hay muchos proveedores de papelería en Nuevo León?', 'muéstrame esos'],
    ['qué tantos proveedores de seguridad privada hay en Puebla', 'pásame la lista'],
    ['cuántos proveedores de uniformes hay', 'muéstramelas'],
    ['CUANTOS PROVEEDORES DE ALIMENTOS HAY EN SONORA', 'Muéstramelos por favor'],
    ['cuántos transportistas hay en el Bajío', 'quiénes son'],
    ['how many packaging suppliers are there in Jalisco?', 'show me those'],
    ['total de proveedores de equipo médico en la Ciudad de México', 'cuáles son'],
    ['nomás dime cuántos proveedores de plásticos hay en Querétaro', 'ahora sí muéstramelos'],
  ];
  it.each(SAID)('%s … %s', async (count, show) => {
    const chat = new Chat();
    const counted = await sound(chat, count);
    expect(counted.intent.kind).toBe('responder');
    const made = chat.tools.calls.filter((one) => one.name === 'market_count_suppliers').at(-1)?.args ?? {};
    const shown = await sound(chat, show);
    const searched = chat.tools.calls.find((one) => one.name === 'market_search_suppliers')?.args ?? {};
    expect({ activity: searched['activity'], state: searched['state'], size: searched['size'] }).toEqual({
      activity: made['activity'],
      state: made['state'],
      size: made['size'],
    });
    expect(shown.card?.rows.length).toBeGreaterThan(0);
    for (const filter of [made['activity'], made['state']]) if (typeof filter === 'string') expect(shown.text).toContain(filter);
  });
  it('corrections keep the rest', async () => {
    const chat = new Chat();
    await sound(chat, 'cuántos proveedores de construcción hay en Jalisco');
    for (const [message, args] of [
      ['mejor en Puebla', { activity: 'construcción', state: 'Puebla' }],
      ['solo grandes', { activity: 'construcción', state: 'Puebla', size: 'grande' }],
      ['y de limpieza?', { activity: 'limpieza', state: 'Puebla' }],
      ['en todo México', { activity: 'limpieza' }],
    ] as const) {
      await sound(chat, message);
      expect(chat.tools.calls.at(-1)?.args, message).toMatchObject(args);
    }
    expect(chat.tools.calls.at(-1)?.args['state']).toBeUndefined();
  });
});
