import { describe, expect, it } from 'vitest';
import { Chat } from './chat.js';
import { sound } from './talk.js';

/** A campaign is open; nothing waits for a tap. */
const withCampaign = (state: 'running' | 'paused' = 'running'): Chat => {
  const chat = new Chat();
  chat.addRun('50 · compras · empaque', state, 10, 50, false);
  return chat;
};

const OTHER_WISHES = [
  // "Para" before what it is for.
  'Ármame otra secuencia para los de compras',
  'hazme otra secuencia para lo de calidad',
  'otra vez una secuencia para la gente de logística',
  'hazme otra lista para todo el Bajío',
  'para los de Bimbo prepárame un correo',
  'para Sonora dime cuántos proveedores de limpieza hay',
  'para mañana necesito empresas de acero en Durango',
  'para la campaña necesito otra lista de empresas de textil en Puebla',
  'hazme un correo para la campaña de empaque',
  'quiero contactos para lo de la campaña',
  'lista de proveedores de pintura para todo México',
  'para todos los de compras escribe un mensaje',
  'dame algo para platicar con Lala',
  'armame otra campaña para 20 gerentes de calidad de alimentos',
  'hazme otra campaña de 30 cuentas de textil en Puebla',
  'quiero otra campaña igual para Sonora',
  'otra secuencia pa los de compras',
  'sirve para parar la línea, ¿quién vende bombas en Jalisco?',
  'empresas que venden frenos para camión en Puebla',
  'necesito para ya una lista de constructoras en Yucatán',
  // Letters of a control inside another word, or of another thing.
  'dame el detalle de la licitación de limpieza',
  'quién le vende detergente al IMSS',
  'cuántos talleres de frenos hay en Puebla',
  'proveedores de alto volumen en Jalisco',
  'los de más alto monto del IMSS en uniformes',
  '¿qué licitaciones se cancelaron?',
  'quiero ver las licitaciones canceladas de papelería',
  'las cuentas que cancelaron su pedido',
  'escríbeles a los que cancelaron',
  'cancelaron la junta con Bimbo, ¿qué hago?',
  'quién vende paradores y señalamiento en Sonora',
  'cuántas empresas de seguridad detienen robos en Puebla',
  'busca detectores de humo en Querétaro',
  '¿el IMSS detuvo sus compras de uniformes?',
  'suspendieron la licitación de uniformes, ¿hay otra?',
  'proveedores de suspensión automotriz en Nuevo León',
  'frenaron la obra, ¿qué otras constructoras hay en Sonora?',
  // What goes on, changes or is enough, and is no campaign.
  '¿qué sigue con la cuenta de Lala?',
  '¿quién sigue en la lista?',
  'sigue la licitación de uniformes abierta?',
  'qué sigue',
  'continúa la lista',
  'continuamos con Bimbo el lunes',
  'dale seguimiento a Bimbo',
  'cambia el asunto del correo',
  'cambia la etapa de Lala a propuesta',
  'mejor dame los contactos de compras de Lala',
  'solo dime cuántas empresas de 50 empleados hay en Hidalgo',
  'mejor 10 proveedores de limpieza en Puebla',
  'solo los contactos de compras de Bimbo',
  'agrega 10 empresas al crm',
  'mete esas 5 al CRM',
  'haz el correo más corto, de 3 líneas',
  'menos rollo y dame 10 empresas de acero',
  'quiero una secuencia de solo 3 toques',
  'baja la lista a 10 proveedores',
  'deja los correos en 4 toques',
  // Asked about, refused, under a condition, or a summary.
  'no la pauses',
  'no canceles nada',
  '¿cómo pauso la campaña?',
  '¿puedo cancelar la campaña después?',
  '¿qué pasa si la cancelo?',
  'si no contestan el viernes, cancela la campaña',
  'resume mi pipeline',
  'resume lo que sabemos de Lala',
  'cancela mi suscripción',
  'cancela la cita con Cemex',
  'pausa en el correo entre toques',
  'cancela la secuencia de ayer',
  'elimina a Bimbo del CRM',
  "don't pause it",
  'what would it take to stop losing tenders?',
  'hold on',
  'stop sign suppliers in Jalisco',
  'cancelled tenders of uniforms',
  'continue the list of suppliers',
  'can I pause it later?',
  'find suspension parts makers in Puebla',
];
const ORDERS: ReadonlyArray<readonly [string, 'pause' | 'resume' | 'cancel' | 'replan']> = [
  ['pausa la campaña', 'pause'],
  ['pausa', 'pause'],
  ['pausala', 'pause'],
  ['páusala tantito por favor', 'pause'],
  ['pauza la canpaña', 'pause'],
  ['para la campaña', 'pause'],
  ['para', 'pause'],
  ['párala', 'pause'],
  ['párale', 'pause'],
  ['para todo', 'pause'],
  ['oye ada, para ya', 'pause'],
  ['detén la campaña', 'pause'],
  ['detenla hasta el lunes', 'pause'],
  ['ponla en pausa', 'pause'],
  ['pon la campaña en pausa', 'pause'],
  ['frena la campaña de empaque', 'pause'],
  ['suspéndela por esta semana', 'pause'],
  ['quiero que pauses la campaña', 'pause'],
  ['¿puedes pausar la campaña?', 'pause'],
  ['alto', 'pause'],
  ['ponle alto a la campaña', 'pause'],
  ['aguántala tantito', 'pause'],
  ['deja la campaña en pausa por hoy', 'pause'],
  ['hay que parar la campaña', 'pause'],
  ['pause it', 'pause'],
  ['stop the campaign', 'pause'],
  ['please hold the campaign for now', 'pause'],
  ['stop', 'pause'],
  ['reanuda la campaña', 'resume'],
  ['reanúdala', 'resume'],
  ['reanudala porfa', 'resume'],
  ['quítale la pausa', 'resume'],
  ['quita la pausa a la campaña', 'resume'],
  ['sigue con la campaña', 'resume'],
  ['síguele', 'resume'],
  ['continúa', 'resume'],
  ['ya continúala', 'resume'],
  ['retoma la campaña de empaque', 'resume'],
  ['que siga la campaña', 'resume'],
  ['resume the campaign', 'resume'],
  ['unpause it', 'resume'],
  ['keep going', 'resume'],
  ['cancela la campaña', 'cancel'],
  ['cancélala', 'cancel'],
  ['kancela la campaña', 'cancel'],
  ['cancela', 'cancel'],
  ['ya no la quiero', 'cancel'],
  ['ya no quiero la campaña', 'cancel'],
  ['quiero cancelar la campaña de empaque', 'cancel'],
  ['mejor cancélala de una vez', 'cancel'],
  ['termina la campaña', 'cancel'],
  ['cancel it', 'cancel'],
  ['kill the campaign', 'cancel'],
  ['mejor que sean 20', 'replan'],
  ['bájale a 15', 'replan'],
  ['solo 10 cuentas', 'replan'],
  ['no, 50 son muchas, mejor 30', 'replan'],
  ['déjala en 12', 'replan'],
  ['reduce la campaña a 25 cuentas', 'replan'],
  ['cámbiala a gerentes de calidad', 'replan'],
  ['mejor con los de logística', 'replan'],
  ['only 10 accounts', 'replan'],
];

describe('with a campaign open', () => {
  it('knows both kinds in number', () => {
    expect(OTHER_WISHES.length).toBeGreaterThanOrEqual(60);
    expect(ORDERS.length).toBeGreaterThanOrEqual(40);
  });
  it.each(OTHER_WISHES)('another wish orders nothing of it: %s', async (message) => {
    const chat = withCampaign();
    sound(await chat.say(message), chat);
    expect(chat.controls).toEqual([]);
  });
  it.each(ORDERS)('%s: %s', async (message, action) => {
    const chat = withCampaign(action === 'resume' ? 'paused' : 'running');
    sound(await chat.say(message), chat);
    expect(chat.controls.map((control) => control.split(' ')[0])).toEqual([action]);
  });
  it('a number after a list is of the list', async () => {
    const chat = withCampaign();
    await chat.say('busca proveedores de limpieza en Puebla');
    await chat.say('mejor solo 10');
    expect(chat.controls).toEqual([]);
  });
});
