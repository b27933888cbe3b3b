import { describe, expect, it } from 'vitest';
import { file, load, one, skillFile } from './support.js';

const DESCRIPTION =
  'Averigua quién le ha vendido un producto a un comprador público. Úsalo cuando pregunte "quién le vende a" o "quién ganó".';
const BODY = '# Quién le ha vendido\n\n## Pasos\n\n1. `market_search_awards`. Con cero filas, quita el estado.\n';
/** As the proposal wrote it: lists, nothing quoted, comments behind the words. */
const SEED = file(
  `name: uno
description: ${DESCRIPTION}
metadata:
  version: 1.0.0
  reasoning: bajo        # bajo | medio — cuánto razonamiento pide el turno
  tools: [market_search_awards, market_get_supplier_history]
  profiles: [mercado]
  background_tools: [market_screen]
  cierra_con: lista      # lista | conteo | pipeline
  siguiente: [guardar-en-crm, conseguir-contactos]
  requiere: [comprador, producto]
  costo: gratis
  gatillos:
    - quién le vende a
    - quién ganó
  excluye: [búscame, cuántos hay]
  integrations: [buzon]
  capabilities: []
  material: estrecho
  autor: Ana`,
  BODY,
);
const PORTABLE = file(
  `name: uno
description: >-
  ${DESCRIPTION}
metadata:
  version: "1.0.0"
  reasoning: "bajo"
  tools: "market_search_awards market_get_supplier_history"
  profiles: "mercado"
  background_tools: "market_screen"
  cierra_con: "lista"
  siguiente: "guardar-en-crm conseguir-contactos"
  requiere: "comprador producto"
  costo: "gratis"
  gatillos: "quién le vende a | quién ganó"
  excluye: "búscame | cuántos hay"
  integrations: "buzon"
  capabilities: ""
  material: "estrecho"
  autor: "Ana"`,
  BODY,
);

describe('contract', () => {
  it('the form of the proposal and the portable one are the same skill', async () => {
    const [seed, portable] = [await one(SEED), await one(PORTABLE)];
    expect(portable.codes).toEqual([]);
    expect(seed.problems.every((p) => p.severity === 'warning' && p.code.startsWith('portable_'))).toBe(true);
    expect({ ...seed.skill, digest: '' }).toEqual({ ...portable.skill, digest: '' });
    expect(portable.skill).toMatchObject({
      name: 'uno',
      description: DESCRIPTION,
      category: null,
      version: '1.0.0',
      reasoning: 'bajo',
      cierra_con: 'lista',
      siguiente: ['guardar-en-crm', 'conseguir-contactos'],
      tools: ['market_search_awards', 'market_get_supplier_history', 'market_count_suppliers', 'market_search_suppliers', 'market_compare'],
      profiles: ['mercado'],
      backgroundTools: ['market_screen'],
      requiere: ['comprador', 'producto'],
      costo: 'gratis',
      gatillos: ['quién le vende a', 'quién ganó'],
      excluye: ['búscame', 'cuántos hay'],
      integrations: ['buzon'],
      capabilities: [],
      material: 'estrecho',
      extra: { autor: 'Ana' },
      body: BODY.trim(),
      path: 'uno/SKILL.md',
      root: 'platform',
      trust: 'plataforma',
    });
  });

  it('what is not said has a default', async () => {
    const { skill, codes } = await one(file('name: uno\ndescription: Hace algo.'));
    expect(skill).toMatchObject({
      version: '0.0.0',
      reasoning: 'bajo',
      tools: [],
      profiles: [],
      backgroundTools: [],
      cierra_con: 'ninguna',
      siguiente: [],
      requiere: [],
      costo: 'gratis',
      gatillos: [],
      excluye: [],
      integrations: [],
      capabilities: [],
      material: null,
      extra: {},
    });
    expect(codes).toEqual(['version_missing']);
  });

  const meta = (line: string): string => skillFile('uno', 'Hace algo.', `\n  ${line}`);
  it.each<[string, string, string, string, Record<string, unknown>]>([
    ['a cost nobody knows counts as the dearest', meta('costo: "caro"'), 'value_unknown', 'metadata.costo', { costo: 'creditos' }],
    ['an effort nobody knows is the low one', meta('reasoning: "alto"'), 'value_unknown', 'metadata.reasoning', { reasoning: 'bajo' }],
    ['a closing nobody knows is none', meta('cierra_con: "tabla"'), 'value_unknown', 'metadata.cierra_con', { cierra_con: 'ninguna' }],
    ['a material nobody knows is none', meta('material: "todo"'), 'value_unknown', 'metadata.material', { material: null }],
    [
      'an unknown profile brings no tools',
      meta('profiles: "mercado toString"'),
      'profile_unknown',
      'metadata.profiles',
      { profiles: ['mercado', 'toString'], tools: ['market_count_suppliers', 'market_search_suppliers', 'market_compare'] },
    ],
    [
      'an unknown fact is kept',
      meta('requiere: "comprador signo"'),
      'requires_unknown',
      'metadata.requiere',
      { requiere: ['comprador', 'signo'] },
    ],
    [
      'another name than the folder',
      file('name: dos\ndescription: Hace algo.\nmetadata:\n  version: "1"'),
      'name_not_folder',
      'name',
      { name: 'uno' },
    ],
    ['no name', file('description: Hace algo.\nmetadata:\n  version: "1"'), 'name_missing', 'name', { name: 'uno' }],
    [
      'a name with capitals',
      file('name: Uno Dos\ndescription: Hace algo.\nmetadata:\n  version: "1"'),
      'name_invalid',
      'name',
      { name: 'uno' },
    ],
    [
      'a key of ours outside metadata',
      file('name: uno\ndescription: Hace algo.\nversion: "2.0.0"\ncosto: externo'),
      'key_belongs_in_metadata',
      'version',
      { version: '2.0.0', costo: 'externo' },
    ],
    [
      'a key nobody knows',
      file('name: uno\ndescription: Hace algo.\nplatforms: [linux]\nmetadata:\n  version: "1"'),
      'key_unknown',
      'platforms',
      {},
    ],
    ['a long description', skillFile('uno', 'ñ'.repeat(191)), 'description_long', 'description', { description: 'ñ'.repeat(191) }],
    ['a description over the specification', skillFile('uno', 'x'.repeat(1_025)), 'description_over_spec', 'description', {}],
  ])('%s', async (_, content, code, key, fields) => {
    const { skill, problems } = await one(content);
    expect(problems).toContainEqual(expect.objectContaining({ code, key, path: 'uno/SKILL.md' }));
    expect(skill).toMatchObject(fields);
  });

  it('keys of the specification are not reported', async () =>
    expect(
      (
        await one(
          file('name: uno\ndescription: Hace algo.\nlicense: MIT\ncompatibility: Ada\nallowed-tools: Read\nmetadata:\n  version: "1"'),
        )
      ).codes,
    ).toEqual([]));

  it('sizes are counted in code points, reported and not cut', async () => {
    const { skill, codes } = await one(file('name: uno\ndescription: Hace algo.\nmetadata:\n  version: "1"', '😀'.repeat(2_501)));
    expect(codes).toEqual(['body_long']);
    expect([...(skill?.body ?? '')]).toHaveLength(2_501);
    expect((await one(file('name: uno\ndescription: Hace algo.\nmetadata:\n  version: "1"', '😀'.repeat(2_500)))).codes).toEqual([]);
  });

  it.each([
    ['no description', file('name: uno'), 'description_missing'],
    ['an empty body', file('name: uno\ndescription: x', ' \n'), 'body_empty'],
  ])('%s keeps it out', async (_, content, code) => {
    const { skill, codes } = await one(content);
    expect(skill).toBeUndefined();
    expect(codes).toContain(code);
  });

  it('a folder that cannot be a name takes the declared one, and without either it is left out', async () => {
    const { skills, problems } = await load({
      'Mi Carpeta/SKILL.md': skillFile('mi-carpeta'),
      'Otra Carpeta/SKILL.md': skillFile('Otra Más'),
    });
    expect([...skills.keys()]).toEqual(['mi-carpeta']);
    expect(problems.map((p) => [p.path, p.code])).toEqual([
      ['Mi Carpeta/SKILL.md', 'name_not_folder'],
      ['Otra Carpeta/SKILL.md', 'name_invalid'],
    ]);
  });
});
