import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Chat } from './rig.js';

/** A city is no filter of any source: its state is searched, and the answer says so. */

let chat: Chat;
beforeAll(async () => {
  chat = await Chat.start();
}, 60_000);
afterAll(() => chat.stop());
afterEach(() => {
  chat.fresh();
});

const heard = async (message: string, language: 'es-MX' | 'en' = 'es-MX'): Promise<string> => {
  const { answer, refused } = await chat.say(message, { language });
  if (!answer) throw new Error(`${message}: ${JSON.stringify(refused)}`);
  expect(answer.validation.at(-1)?.tags, message).toEqual([]);
  return answer.text;
};

describe('a city', () => {
  it.each([
    ['búscame empresas de empaque en Guadalajara', 'Jalisco', 'Guadalajara'],
    ['cuántos proveedores de limpieza hay en zapopan', 'Jalisco', 'Zapopan'],
    ['proveedores de papelería en Monterrey', 'Nuevo León', 'Monterrey'],
    ['licitaciones de mobiliario en mérida', 'Yucatán', 'Mérida'],
    ['quiero llegar a 20 personas de compras de empresas de empaque en Guadalajara', 'Jalisco', 'Guadalajara'],
    ['empresas de plásticos en San Luis Potosí y Tijuana', 'Baja California', 'Tijuana'],
  ])('of «%s» is said to be looked for by its state', async (message, state, city) => {
    const text = await heard(message);
    expect(text).toContain('se filtra por estado, no por ciudad');
    expect(text).toContain(`no solo en ${city}`);
    expect(text).toContain(state);
  });

  it('named after a list of its state brings the state again, and says that too', async () => {
    await heard('búscame empresas de empaque en Jalisco');
    expect(await heard('muéstrame los de Guadalajara')).toMatch(/busqué en Jalisco, no solo en Guadalajara/);
  });

  it('is said in English to whoever speaks it', async () => {
    expect(await heard('find packaging companies in Guadalajara', 'en')).toMatch(
      /by state, not by city: I looked in Jalisco, not only in Guadalajara/,
    );
  });

  it.each([
    'búscame empresas de empaque en Jalisco',
    'cuántos proveedores de limpieza hay en Puebla',
    'proveedores de papelería en CDMX',
    'cómo va mi pipeline',
  ])('is no word where a state was said, or none: %s', async (message) => {
    expect(await heard(message)).not.toMatch(/no por ciudad/);
  });
});
