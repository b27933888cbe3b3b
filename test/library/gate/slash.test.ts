import { describe, expect, it } from 'vitest';
import { openBySlash, slashName } from '../../../ada/library/gate/slash.js';
import { BUNDLE_INSTRUCTION_MAX } from '../../../ada/library/disclose/budget.js';
import { substitution } from '../../../ada/library/read/variables.js';
import type { LibraryRefusal } from '../../../ada/library/refusal.js';
import { platformSnapshot } from '../../../evals/routing/library-200.js';
import { accessOf, blockOf, codeOf, libraryOf, realRig, rigOf, rowOf } from './support.js';

describe('a command', () => {
  it.each([
    ['/prospeccion empresas de empaque', 'prospeccion'],
    ['/cuantos-hay', 'cuantos-hay'],
    ['  /cuantos-hay\nen jalisco', 'cuantos-hay'],
    ['/Prospeccion hola', 'prospeccion'],
    ['/prospección hola', 'prospeccion'],
    ['/señales-y-oportunidades', 'senales-y-oportunidades'],
    ['/PROSPECCIÓN', 'prospeccion'],
    ['/prospeccio\u0301n x', 'prospeccion'],
  ])('%j names %s', (message, name) => expect(slashName(message)).toBe(name));

  it.each([
    'nos vemos el 24/12',
    '24/12',
    '/',
    ' / ',
    '/ prospeccion',
    '//prospeccion',
    '/usr/bin',
    '/home/ana/lista.csv',
    'https://ejemplo.mx/prospeccion',
    've a /prospeccion',
    'y/o',
    '/prospeccion/otra',
    '/-x',
    '/_x',
    `/${'a'.repeat(65)}`,
    '/\u0000',
    '/🦜',
    '',
    '1/2 tonelada',
    'c/u',
    '\\prospeccion',
    '／prospeccion',
  ])('%j is plain text', async (message) => {
    expect(slashName(message)).toBeNull();
    const rig = realRig(await platformSnapshot());
    expect(openBySlash(message, rig.snapshot, rig.belt)).toBeNull();
    expect(rig.belt.loaded()).toEqual([]);
  });
});

describe('a bundle', () => {
  it('opens its members in order within two bodies, says what waits, and puts its words before the bodies', async () => {
    const rig = realRig(await platformSnapshot());
    const opened = openBySlash('/prospeccion empresas de empaque en Jalisco', rig.snapshot, rig.belt);
    expect(opened).toMatchObject({
      kind: 'bundle',
      name: 'prospeccion',
      waiting: ['conseguir-contactos'],
      missing: [],
      rest: 'empresas de empaque en Jalisco',
    });
    expect(opened?.opened.map(({ name }) => name)).toEqual(['buscar-empresas-y-proveedores', 'guardar-en-crm']);
    expect(rig.belt.used().map(({ by }) => by)).toEqual(['person', 'person']);
    const block = blockOf(rig.belt, rig.snapshot, substitution(rig.snapshot, 's'), opened?.instruction);
    expect(block.indexOf('<instruction>')).toBeGreaterThan(-1);
    expect(block.indexOf('<instruction>')).toBeLessThan(block.indexOf('<skill name='));
    rig.belt.close('buscar-empresas-y-proveedores');
    expect(rig.belt.open('conseguir-contactos', 'person').status).toBe('abierta');
  });

  it('wins over a recipe of its name, and counts what is open already', async () => {
    const rig = rigOf(
      await libraryOf({ plataforma: { ventas: {}, otra: {}, mas: {} } }, { 'bundles/ventas.yaml': 'name: ventas\nskills: [otra, mas]\n' }),
    );
    rig.belt.open('otra', 'model');
    expect(openBySlash('/ventas', rig.snapshot, rig.belt)).toMatchObject({
      kind: 'bundle',
      opened: [
        { name: 'otra', status: 'ya_abierta' },
        { name: 'mas', status: 'abierta' },
      ],
      waiting: [],
    });
    expect(rig.belt.isOpen('ventas')).toBe(false);
  });

  it('lists what is missing or denied and goes on; a member named twice counts once', async () => {
    const rig = rigOf(
      await libraryOf(
        { plataforma: { a: {}, b: {}, c: { integrations: 'buzon' }, d: {} } },
        { 'bundles/todo.yaml': 'name: todo\nskills: [no-hay, a, b, a, c, d, d]\n' },
      ),
      accessOf([rowOf('a', 'never', 'turn')], { integrations: new Set() }),
    );
    const opened = openBySlash('/todo', rig.snapshot, rig.belt);
    expect(opened?.missing).toEqual([
      { name: 'no-hay', code: 'skill_unknown' },
      { name: 'a', code: 'skill_denied' },
      { name: 'c', code: 'skill_needs_integration' },
    ]);
    expect(opened?.opened.map(({ name }) => name)).toEqual(['b', 'd']);
    expect(opened?.waiting).toEqual([]);
  });

  it('keeps its order when a long body has to wait: a short one does not pass it', async () => {
    const body = `# Larga\n\n${'x'.repeat(2_600)}`;
    const rig = rigOf(
      await libraryOf(
        { plataforma: { a: { body }, b: { body }, c: {}, d: {} } },
        { 'bundles/todo.yaml': 'name: todo\nskills: [a, b, c, d]\n' },
      ),
      accessOf([rowOf('d', 'never')]),
    );
    expect(openBySlash('/todo', rig.snapshot, rig.belt)).toMatchObject({
      opened: [{ name: 'a' }],
      waiting: ['b', 'c'],
      missing: [{ name: 'd', code: 'skill_denied' }],
    });
  });

  it('leaves words that would burst the prompt out whole, and says so', async () => {
    const rig = rigOf(
      await libraryOf(
        { plataforma: { a: {} } },
        { 'bundles/larga.yaml': `name: larga\nskills: [a]\ninstruction: ${'x'.repeat(BUNDLE_INSTRUCTION_MAX + 1)}\n` },
      ),
    );
    expect(openBySlash('/larga', rig.snapshot, rig.belt)).toMatchObject({
      instruction: '',
      opened: [{ name: 'a' }],
      missing: [{ name: 'larga', code: 'budget_exceeded' }],
    });
    for (const bundle of (await platformSnapshot()).bundles.values())
      expect([...bundle.instruction].length).toBeLessThanOrEqual(BUNDLE_INSTRUCTION_MAX);
  });
});

describe('a recipe by name', () => {
  it('opens for a person, with the rest of the message', async () => {
    const rig = realRig(await platformSnapshot());
    expect(openBySlash('/cuantos-hay de muebles en Puebla', rig.snapshot, rig.belt)).toMatchObject({
      kind: 'skill',
      instruction: '',
      opened: [{ name: 'cuantos-hay' }],
      rest: 'de muebles en Puebla',
    });
    expect(rig.belt.used()).toMatchObject([{ name: 'cuantos-hay', by: 'person' }]);
  });

  it('misspelt is refused with what it may have been, bundles too; a third one has no room', async () => {
    const rig = realRig(await platformSnapshot());
    const suggestions = (message: string): readonly string[] => {
      try {
        openBySlash(message, rig.snapshot, rig.belt);
      } catch (error) {
        return (error as LibraryRefusal).suggestions;
      }
      return [];
    };
    expect(suggestions('/prospecion x')).toContain('prospeccion');
    expect(suggestions('/cuanto-hay')).toContain('cuantos-hay');
    openBySlash('/prospeccion', rig.snapshot, rig.belt);
    expect(codeOf(() => openBySlash('/cuantos-hay', rig.snapshot, rig.belt))).toBe('no_cabe');
    expect(codeOf(() => openBySlash('/constructor', rig.snapshot, rig.belt))).toBe('skill_unknown');
  });
});
