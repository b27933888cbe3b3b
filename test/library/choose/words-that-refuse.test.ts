import { describe, expect, it } from 'vitest';
import { tokens } from '../../../ada/library/choose/features.js';
import { nameWords } from '../../../ada/library/choose/names.js';
import { polarity } from '../../../ada/library/choose/negation.js';
import { says, vetoPhrase } from '../../../ada/library/choose/vetoes.js';
import { words } from '../../../ada/library/text/words.js';

describe('what is asked and what is refused', () => {
  it.each([
    ['no quiero una secuencia, solo los contactos de Bimbo', 'solo los contactos de Bimbo', 'una secuencia'],
    ['solo los contactos, no la secuencia', 'solo los contactos', 'la secuencia'],
    ['no me mandes correos, dame las empresas', 'dame las empresas', 'mandes correos'],
    ['no los guardes, solo enséñamelos', 'solo enséñamelos', 'guardes'],
    ['no guardes nada, nomás dime cuántos hay', 'nomás dime cuántos hay', 'guardes nada'],
    ['dame empresas sin guardarlas', 'dame empresas', 'guardarlas'],
    ['muéstrame proveedores sin contratos', 'muéstrame proveedores', 'contratos'],
    ['en vez de una secuencia dame los contactos', 'dame los contactos', 'una secuencia'],
    ['en lugar de contactos quiero empresas', 'quiero empresas', 'contactos'],
    ['no necesito contactos, necesito empresas', 'necesito empresas', 'contactos'],
    ['no ocupo la lista, ocupo el conteo', 'ocupo el conteo', 'la lista'],
    ['tampoco quiero la secuencia', '', 'la secuencia'],
    ['ni contactos ni correos, solo empresas', 'solo empresas', 'contactos | correos'],
    ['quiero empresas, no contactos', 'quiero empresas', 'contactos'],
    ['olvida la secuencia, mejor los contactos', 'mejor los contactos', 'la secuencia'],
    ['olvídate de los correos y busca empresas', 'busca empresas', 'de los correos y'],
    ['deja la campaña, quiero ver mi pipeline', 'quiero ver mi pipeline', 'la campaña'],
    ["don't send emails, just show me the contacts", 'just show me the contacts', 'send emails'],
    ['not the sequence, only the contacts', 'only the contacts', 'the sequence'],
    ['instead of contacts show me companies', 'show me companies', 'contacts'],
    ['no busques empresas sino proveedores', 'sino proveedores', 'busques empresas'],
    ['no escribas nada todavía', '', 'escribas nada todavía'],
    ['nada de correos, puro teléfono', 'puro teléfono', 'correos'],
    ['no es para campaña, es para ver el mercado', 'es para ver el mercado', 'para campaña'],
    ['no son para guardar, son para ver', 'son para ver', 'para guardar'],
    ['no me interesa el pipeline', '', 'el pipeline'],
    ['no hagas la secuencia', '', 'hagas la secuencia'],
    ['no te vayas a poner a escribir correos, solo dame los contactos', 'solo dame los contactos', 'vayas a poner a escribir correos'],
    ['no armes la campaña todavía, primero cuántos hay', 'primero cuántos hay', 'armes la campaña todavía'],
    ['sin secuencia, los contactos de Bimbo', 'los contactos de Bimbo', 'secuencia'],
    ['no quiero secuencia\nsolo contactos', 'solo contactos', 'secuencia'],
    ['no quiero secuencia. los contactos', 'los contactos', 'secuencia'],
    // Needs and questions that say "no" and refuse nothing.
    ['no sé quién le vende al IMSS', 'no sé quién le vende al IMSS', ''],
    ['no encuentro proveedores de uniformes', 'no encuentro proveedores de uniformes', ''],
    ['no tengo contactos de Bimbo', 'no tengo contactos de Bimbo', ''],
    ['oye, no tengo contactos', 'oye no tengo contactos', ''],
    ['¿no hay licitaciones abiertas?', 'no hay licitaciones abiertas', ''],
    ['¿cuántos proveedores no han ganado contratos?', 'cuántos proveedores no han ganado contratos', ''],
    ['¿por qué no me salen los contactos?', 'por qué no me salen los contactos', ''],
    ['no puedes buscar contactos?', 'no puedes buscar contactos', ''],
    ['no tienes licitaciones de limpieza?', 'no tienes licitaciones de limpieza', ''],
    ['empresas que no estén en mi CRM', 'empresas que no estén en mi CRM', ''],
    ['ni idea de cuántos hay', 'ni idea de cuántos hay', ''],
    ['no', 'no', ''],
    ['', '', ''],
  ])('%j', (message, asked, refused) => {
    const found = polarity(tokens(message));
    expect(found.asked.map((token) => token.word.raw).join(' ')).toBe(asked);
    expect(found.refused.map((part) => part.map((token) => token.word.raw).join(' ')).join(' | ')).toBe(refused);
  });

  it('loses no word but those that refuse', () => {
    for (const message of ['no no no', 'ni ni ni', 'sin', 'sin sin', 'no quiero', 'en vez de', 'no, no quiero, ni', 'no me lo la se te']) {
      const list = tokens(message);
      const { asked, refused } = polarity(list);
      expect(asked.length + refused.flat().length).toBeLessThanOrEqual(list.length);
    }
  });
});

describe('proper names', () => {
  it.each([
    ['contactos de Bimbo', 'Bimbo'],
    ['quién le vende al IMSS', ''],
    ['qué sabemos de Grupo Contactos del Bajío', 'Grupo Contactos del Bajío'],
    ['háblame de Contactos y Relevadores', 'Contactos y Relevadores'],
    ['busca a Aceros del Norte S.A. de C.V. en el crm', 'Aceros del Norte S.A de C.V'],
    ['aceros del norte sa de cv', 'norte sa de cv'],
    ['busca aceros norte s.a. de c.v. en mi lista', 'norte s.a de c.v'],
    ['Secuencias Automotrices S de RL de CV tiene contactos', 'Secuencias Automotrices S de RL de CV'],
    ['dame contactos de secuencias sapi de cv', 'secuencias sapi de cv'],
    ['Aceros SA de Monterrey', 'Aceros SA'],
    ['dame los CONTACTOS de BIMBO', 'BIMBO'],
    ['CUÁNTAS EMPRESAS HAY EN JALISCO', ''],
    ['Cuántas Empresas Hay En Jalisco', ''],
    ['empresas de plásticos en Querétaro', ''],
    ['Empresas de empaque', ''],
    ['contactos de Grupo Bimbo', 'Grupo Bimbo'],
    ['corporativo lala de torreón', 'corporativo lala de torreón'],
    ['contactos en Coca-Cola FEMSA', 'Coca-Cola FEMSA'],
    ['licitaciones de PEMEX y CFE', ''],
    ['qué dice el playbook de Ada', ''],
    ['manda un WhatsApp a Juan Pérez', 'Juan Pérez'],
    ['qué sé de OXXO', 'OXXO'],
    ['mi CRM en Excel', ''],
    ["la empresa L'Oréal", "L'Oréal"],
    ['quién es el director de Nestlé en México', 'Nestlé'],
    ['Guadalajara es buen mercado', ''],
    ['hola', ''],
    ['hola\nEmpresas de empaque', ''],
    ['', ''],
  ])('in %j', (message, names) => {
    const list = words(message);
    const is = nameWords(list);
    expect(is).toHaveLength(list.length);
    expect(
      list
        .filter((_, i) => is[i])
        .map(({ raw }) => raw)
        .join(' '),
    ).toBe(names);
  });
});

describe('phrases that veto', () => {
  it.each([
    ['cuántos contactos me quedan', 'cuántos contactos me quedan', true],
    ['cuantos contactos me quedan', 'oye cuantos contactos ya me quedan', true],
    ['cómo va la campaña', 'como van las campañas', false],
    ['mi pipeline', 'MI PIPELINE por favor', true],
    ['estado de cuenta', 'el estado de la cuenta', true],
    ['estado de cuenta', 'el estado de Jalisco y la cuenta', false],
    ['a b', 'a x a b', true],
    ['mi pipeline', 'pipeline mi', false],
    ['mi pipeline', '', false],
  ])('%j in %j: %s', (phrase, message, found) => expect(says(tokens(message), vetoPhrase(phrase))).toBe(found));
  it('that are empty veto nothing', () => {
    for (const phrase of ['', '¿?', ' ']) expect(says(tokens('lo que sea'), vetoPhrase(phrase))).toBe(false);
  });
  it('do not find their words in a name', () => expect(says(tokens('qué sabemos de Grupo Pipeline'), vetoPhrase('pipeline'))).toBe(false));
});
