import { describe, expect, it } from 'vitest';
import { SESSION_TOOLS } from '../../../contracts/profiles/index.js';
import { text } from '../../../contracts/catalog/index.js';
import { BUDGET } from '../../../ada/library/disclose/budget.js';
import { characters } from '../../../ada/library/disclose/escape.js';
import { createBelt } from '../../../ada/library/gate/belt.js';
import { runLibraryTool } from '../../../ada/library/gate/session-tools.js';
import { openBySlash } from '../../../ada/library/gate/slash.js';
import { substitution } from '../../../ada/library/read/variables.js';
import { LibraryRefusal } from '../../../ada/library/refusal.js';
import { allowedTools } from '../../../ada/library/trust.js';
import { platformSnapshot } from '../../../evals/routing/library-200.js';
import { accessOf, blockOf, codeOf, libraryOf, realRig, refusalOf, rigOf, rowOf, TOOLS } from './support.js';

const two = () =>
  libraryOf(
    { plataforma: { uno: { tools: 'libre_a libre_b', siguiente: 'dos' }, dos: { tools: 'libre_b libre_c' } } },
    { 'bundles/ambas.yaml': 'name: ambas\nskills: [uno, dos]\ninstruction: Ambas.\n' },
  );
const refused = async (rig: ReturnType<typeof rigOf>, name: string, args: unknown = {}): Promise<string> => {
  const before = rig.call.mock.calls.length;
  const { code } = await refusalOf(rig.belt.execute(name, args));
  expect(rig.call, `${name} reached the port`).toHaveBeenCalledTimes(before);
  return code;
};

describe('a tool is there only while its recipe is open', () => {
  it('refuses it before opening, runs it while open, refuses it after closing', async () => {
    const rig = rigOf(await two());
    expect(await refused(rig, 'libre_a')).toBe('fuera_de_cinturon');
    expect(rig.belt.callable()).toEqual([...SESSION_TOOLS]);
    rig.belt.open('uno', 'model');
    await expect(rig.belt.execute('libre_a', {})).resolves.toEqual({ ran: 'libre_a' });
    expect(rig.belt.callable()).toEqual([...SESSION_TOOLS, 'libre_a', 'libre_b']);
    rig.belt.close('uno');
    expect(await refused(rig, 'libre_a')).toBe('fuera_de_cinturon');
    expect(rig.belt.callable()).toEqual([...SESSION_TOOLS]);
  });

  it.each([
    'LIBRE_A',
    'Libre_a',
    ' libre_a',
    'libre_a ',
    'libre_a\n',
    'libre_a\u0000',
    'libre-a',
    'lіbre_a',
    'ｌibre_a',
    'libre_á',
    'libre_a\u200b',
    'libre\u00ad_a',
    'functions.libre_a',
    '__proto__',
    'constructor',
    'toString',
    '',
  ])('takes %j for no tool of an open recipe', async (name) => {
    const rig = rigOf(await two());
    rig.belt.open('uno', 'model');
    expect(await refused(rig, name)).toBe('fuera_de_cinturon');
  });

  it('names the recipes that would bring the tool, and none for a tool of nobody', async () => {
    const rig = rigOf(await two(), accessOf([rowOf('dos', 'never')]));
    expect((await refusalOf(rig.belt.execute('libre_b', {}))).suggestions).toEqual(['uno']);
    expect((await refusalOf(rig.belt.execute('libre_c', {}))).suggestions).toEqual([]);
    expect((await refusalOf(rig.belt.execute('x'.repeat(5000), {}))).params['tool']).toHaveLength(80);
  });

  it("does not run session tools: they are the session's", async () => {
    const rig = rigOf(await two());
    for (const name of SESSION_TOOLS) expect(await refused(rig, name)).toBe('fuera_de_cinturon');
  });

  it('keeps a shared tool while another open recipe has it', async () => {
    const rig = rigOf(await two());
    rig.belt.open('uno', 'model');
    rig.belt.open('dos', 'model');
    rig.belt.close('uno');
    await expect(rig.belt.execute('libre_b', {})).resolves.toBeDefined();
    expect(await refused(rig, 'libre_a')).toBe('fuera_de_cinturon');
    rig.belt.close('dos');
    expect(await refused(rig, 'libre_b')).toBe('fuera_de_cinturon');
  });

  it("brings a profile's tools with the recipe that names the profile, and with no other", async () => {
    const snapshot = await libraryOf({ plataforma: { mercadeo: { profiles: 'mercado' }, vacia: {} } });
    const rig = realRig(snapshot);
    rig.belt.open('vacia', 'model');
    expect(await refused(rig, 'market_compare')).toBe('fuera_de_cinturon');
    rig.belt.open('mercadeo', 'model');
    await rig.belt.execute('market_count_suppliers', { activity: 'muebles' });
    rig.belt.close('mercadeo');
    expect(await refused(rig, 'market_count_suppliers')).toBe('fuera_de_cinturon');
  });

  it('opens nothing by reading, listing or being refused', async () => {
    const rig = rigOf(await two());
    runLibraryTool('skill_list', {}, rig);
    runLibraryTool('skill_reference', { skill: 'uno', ref: 'limites' }, rig);
    runLibraryTool('skill_open', { name: 'unoo' }, rig);
    expect(codeOf(() => rig.belt.open('Uno', 'model'))).toBe('skill_unknown');
    expect(await refused(rig, 'libre_a')).toBe('fuera_de_cinturon');
    expect(rig.belt.used()).toEqual([]);
  });

  it("gives the next recipe's tools to nobody because it is the next", async () => {
    const rig = rigOf(await two());
    expect(rig.belt.open('uno', 'model').siguiente).toEqual(['dos']);
    expect(await refused(rig, 'libre_c')).toBe('fuera_de_cinturon');
  });

  it('is not opened by whoever changes an answer', async () => {
    const rig = rigOf(await two());
    const opened = rig.belt.open('uno', 'model');
    opened.tools.push('libre_c');
    rig.belt.open('uno', 'model').tools.push('libre_c');
    for (const loaded of rig.belt.loaded()) (loaded as unknown as { tools?: string[] }).tools?.push('libre_c');
    expect(await refused(rig, 'libre_c')).toBe('fuera_de_cinturon');
    rig.belt.used()[0]!.digest = 'otro';
    expect(rig.belt.used()[0]?.digest).toBe(rig.snapshot.skills.get('uno')?.digest);
  });
});

describe('a recipe that is denied while it is open', () => {
  it('loses tools, body and room at once, and has to be opened again when the word is taken back', async () => {
    const rig = rigOf(await libraryOf({ plataforma: { uno: { tools: 'libre_a' }, dos: {}, tres: {} } }));
    rig.belt.open('uno', 'model');
    rig.belt.open('dos', 'model');
    rig.access.rows.push(rowOf('uno', 'never', 'thread'));
    expect(await refused(rig, 'libre_a')).toBe('fuera_de_cinturon');
    expect(rig.belt.callable()).not.toContain('libre_a');
    expect(rig.belt.loaded().map(({ skill }) => skill.name)).toEqual(['dos']);
    expect(rig.belt.isOpen('uno')).toBe(false);
    expect(rig.belt.open('tres', 'model').status).toBe('abierta');
    rig.access.rows.length = 0;
    expect(await refused(rig, 'libre_a')).toBe('fuera_de_cinturon');
    expect(codeOf(() => rig.belt.open('uno', 'model'))).toBe('no_cabe');
  });

  it('keeps a shared tool for the one that is not denied', async () => {
    const rig = rigOf(await two());
    rig.belt.open('uno', 'model');
    rig.belt.open('dos', 'model');
    rig.access.rows.push(rowOf('uno', 'never'));
    await expect(rig.belt.execute('libre_b', {})).resolves.toBeDefined();
    rig.access.rows.push(rowOf('dos', 'never'));
    expect(await refused(rig, 'libre_b')).toBe('fuera_de_cinturon');
  });

  it('is refused as a member of a bundle, with its tools, while the other member works', async () => {
    const rig = rigOf(await two(), accessOf([rowOf('dos', 'never', 'profile')]));
    expect(openBySlash('/ambas ya', rig.snapshot, rig.belt)).toMatchObject({
      missing: [{ name: 'dos', code: 'skill_denied' }],
      waiting: [],
    });
    await rig.belt.execute('libre_a', {});
    expect(await refused(rig, 'libre_c')).toBe('fuera_de_cinturon');
  });
});

describe('two calls at once', () => {
  it('run both when the recipe is closed after, and none when it is closed before', async () => {
    const rig = rigOf(await two());
    rig.belt.open('uno', 'model');
    const results = await Promise.allSettled([
      rig.belt.execute('libre_a', {}),
      Promise.resolve().then(() => rig.belt.close('uno')),
      Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => rig.belt.execute('libre_a', {})),
    ]);
    expect(results.map((r) => r.status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(rig.call).toHaveBeenCalledTimes(1);
    rig.belt.open('uno', 'model');
    const closed = await Promise.allSettled([
      (async () => rig.belt.close('uno'))(),
      rig.belt.execute('libre_a', {}),
      rig.belt.execute('libre_b', {}),
    ]);
    expect(closed.map((r) => r.status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(rig.call).toHaveBeenCalledTimes(1);
  });
});

describe('what costs takes a tap', () => {
  it('refuses every paid, writing or charging tool whatever is open and whoever stands behind it', async () => {
    const tools = TOOLS.map(({ name }) => name).join(' ');
    for (const trust of ['plataforma', 'propia', 'tercero'] as const) {
      const rig = rigOf(await libraryOf({ [trust]: { todo: { tools, background_tools: tools } } }));
      for (const open of [false, true]) {
        if (open) rig.belt.open('todo', 'person');
        for (const name of ['pagada', 'escribe', 'casi_pagada', 'casi_lectura'])
          expect(await refused(rig, name), `${trust} ${name}`).toBe('solo_con_toque');
      }
      expect(rig.belt.callable().filter((name) => /pagada|escribe|casi/.test(name))).toEqual([]);
    }
  });

  it('refuses the real paid tools with each real recipe open, and the background ones that are only that', async () => {
    const snapshot = await platformSnapshot();
    for (const skill of snapshot.skills.values()) {
      const rig = realRig(snapshot);
      const { tools } = rig.belt.open(skill.name, 'model');
      for (const name of ['people_reveal', 'crm_save_companies', 'crm_undo', 'sequence_create_draft'])
        expect(await refused(rig, name, {})).toBe('solo_con_toque');
      for (const name of skill.backgroundTools.filter((one) => !tools.includes(one)))
        expect(['solo_con_toque', 'fuera_de_cinturon']).toContain(await refused(rig, name, {}));
    }
  });

  it("gives somebody else's recipe free reading only", async () => {
    const tools = TOOLS.map(({ name }) => name).join(' ');
    const of = async (trust: 'plataforma' | 'propia' | 'tercero') =>
      rigOf(await libraryOf({ [trust]: { todo: { tools } } })).belt.open('todo', 'model').tools;
    expect(await of('tercero')).toEqual(['libre_a', 'libre_b', 'libre_c']);
    expect(await of('propia')).toEqual(['libre_a', 'libre_b', 'libre_c', 'externa']);
    expect(await of('plataforma')).toEqual(['libre_a', 'libre_b', 'libre_c', 'externa']);
    const rig = rigOf(await libraryOf({ tercero: { todo: { tools } } }));
    rig.belt.open('todo', 'person');
    expect(await refused(rig, 'externa')).toBe('fuera_de_cinturon');
    expect(allowedTools({ tools: ['nadie', 'libre_a'], trust: 'tercero' }, TOOLS)).toEqual(['libre_a']);
  });
});

describe('arguments', () => {
  it.each([[{ text: 1 }], [{ limit: 6 }], [{ text: 'x'.repeat(21) }], [null], ['texto'], [[]]])(
    'refuses %j before the port is called',
    async (args) => {
      const rig = rigOf(await two());
      rig.belt.open('uno', 'model');
      expect(await refused(rig, 'libre_a', args)).toBe('arguments_invalid');
    },
  );

  it('asks for permission first, and passes on what the schema understood', async () => {
    const rig = rigOf(await two());
    expect(await refused(rig, 'libre_a', { limit: 'x' })).toBe('fuera_de_cinturon');
    rig.belt.open('uno', 'model');
    await rig.belt.execute('libre_a', { text: 'hola', extra: true });
    expect(rig.call).toHaveBeenCalledExactlyOnceWith('libre_a', { text: 'hola', limit: 1 });
  });
});

describe('room', () => {
  it('opens two; a third waits and nothing of it is cut; closing one lets it in', async () => {
    const rig = rigOf(await libraryOf({ plataforma: { uno: {}, dos: {}, tres: { tools: 'libre_a' } } }));
    rig.belt.open('uno', 'router', 0.9);
    rig.belt.open('dos', 'model');
    expect(codeOf(() => rig.belt.open('tres', 'person'))).toBe('no_cabe');
    expect(await refused(rig, 'libre_a')).toBe('fuera_de_cinturon');
    expect(rig.belt.open('uno', 'model')).toMatchObject({ status: 'ya_abierta', digest: rig.snapshot.skills.get('uno')?.digest });
    rig.belt.close('uno');
    expect(rig.belt.open('tres', 'person').status).toBe('abierta');
    expect(rig.belt.used().map(({ name, by, score }) => [name, by, score])).toEqual([
      ['uno', 'router', 0.9],
      ['dos', 'model', null],
      ['tres', 'person', null],
    ]);
  });

  it('counts a body as it will stand in the prompt', async () => {
    const marks = `# Marcas\n\n${'<&>'.repeat(700)}`;
    const rig = rigOf(await libraryOf({ propia: { marcas: { body: marks }, chica: {} } }));
    expect(codeOf(() => rig.belt.open('marcas', 'model'))).toBe('no_cabe');
    expect(rig.belt.open('chica', 'model').status).toBe('abierta');
  });

  it('counts what variables bring into a body, so that two open ones always leave the prompt within its size', async () => {
    const body = (part: string): string => `# V\n\n${part.repeat(Math.floor(2_490 / part.length))}`;
    const made = await libraryOf({
      propia: { carpetas: { body: body('${SKILL_DIR}') }, sesiones: { body: body('${SESSION_ID}') }, chica: {} },
    });
    const snapshot = { ...made, roots: made.roots.map((root) => ({ ...root, directory: `/srv/${'w'.repeat(64)}` })) };
    const rig = rigOf(snapshot);
    expect(codeOf(() => rig.belt.open('carpetas', 'model'))).toBe('no_cabe');
    expect(codeOf(() => rig.belt.open('sesiones', 'model'))).toBe('no_cabe');
    const belt = createBelt({ snapshot, access: rig.access, catalogue: TOOLS, call: rig.call, variables: substitution(snapshot, 's') });
    expect(belt.open('sesiones', 'model').status).toBe('abierta');
    expect(characters(blockOf(belt, snapshot, substitution(snapshot, 's')))).toBeLessThan(BUDGET.bodies);
  });

  it('says why there is no room: what is open, or that it is too long by itself', async () => {
    const rig = rigOf(
      await libraryOf({
        propia: {
          larga: { body: `# L\n\n${'x'.repeat(5_001)}` },
          media: { body: `# M\n\n${'x'.repeat(4_000)}` },
          otra: { body: `# O\n\n${'x'.repeat(2_000)}` },
        },
      }),
    );
    const said = (name: string): string => {
      try {
        rig.belt.open(name, 'person');
      } catch (error) {
        if (error instanceof LibraryRefusal) return text('es-MX', `library.refused.${error.code}`, error.params);
      }
      return '';
    };
    expect(said('larga')).toMatch(/^«larga» no cabe en el prompt.*acortarlo\.$/);
    rig.belt.open('media', 'person');
    expect(said('otra')).toBe('No cabe otra receta: ya está abierta 1 (media). Ciérrala para abrir «otra».');
  });

  it('puts recipes in state always in first, says which found no room, and never fails because of them', async () => {
    const long = `# Larga\n\n${'x'.repeat(2_700)}`;
    const snapshot = await libraryOf({ propia: { a: { body: long }, b: { body: long }, c: {}, d: {} }, tercero: { ajena: {} } });
    const rig = rigOf(snapshot, accessOf(['a', 'b', 'c', 'd', 'ajena'].map((name) => rowOf(name, 'always'))));
    expect(rig.belt.loaded().map(({ skill, by }) => [skill.name, by])).toEqual([
      ['a', 'always'],
      ['c', 'always'],
    ]);
    expect(rig.belt.waiting()).toEqual(['b', 'd']);
    rig.access.rows.push(rowOf('b', 'never', 'turn'));
    expect(rig.belt.waiting()).toEqual(['d']);
    expect(codeOf(() => rig.belt.open('ajena', 'model'))).toBe('no_cabe');
  });
});
