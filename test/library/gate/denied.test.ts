import { describe, expect, it } from 'vitest';
import { createChooser } from '../../../ada/library/choose/choose.js';
import { SCOPES } from '../../../ada/library/choose/states.js';
import { carryOver } from '../../../ada/library/gate/carry-over.js';
import { runLibraryTool, type Listed } from '../../../ada/library/gate/session-tools.js';
import { openBySlash } from '../../../ada/library/gate/slash.js';
import { accessOf, codeOf, libraryOf, refusalOf, rigOf, rowOf } from './support.js';

const DENIED = 'secreta';
const library = () =>
  libraryOf(
    {
      plataforma: {
        secreta: {
          tools: 'libre_a',
          gatillos: 'dame la secreta | quiero la secreta | abre la secreta ahora',
          siguiente: 'abierta',
          files: { 'references/uno.md': 'Uno.' },
        },
        abierta: { tools: 'libre_b', gatillos: 'dame la abierta', siguiente: 'secreta tercera' },
        tercera: { gatillos: 'dame la tercera' },
      },
    },
    {
      'bundles/juntas.yaml': 'name: juntas\nskills: [secreta, abierta]\ninstruction: Juntas.\n',
      'bundles/sola.yaml': 'name: sola\nskills: [secreta]\n',
      'references/limites.md': 'Nada.',
    },
  );

describe.each(SCOPES)('a recipe denied in the scope %s', (scope) => {
  const rig = async () => rigOf(await library(), accessOf([rowOf(DENIED, 'never', scope)]));
  const mentions = (value: unknown): boolean => JSON.stringify(value).includes(DENIED);

  it('does not open for the model, the router, a person or a state', async () => {
    const { belt, access } = await rig();
    for (const by of ['model', 'router', 'person', 'always'] as const) expect(codeOf(() => belt.open(DENIED, by))).toBe('skill_denied');
    access.rows.push(rowOf(DENIED, 'always', 'turn'), rowOf(DENIED, 'available', 'turn'));
    expect(codeOf(() => belt.open(DENIED, 'person'))).toBe('skill_denied');
    expect(belt.loaded()).toEqual([]);
  });

  it('is not put in by always of another scope', async () => {
    for (const other of SCOPES.filter((one) => one !== scope))
      expect(rigOf(await library(), accessOf([rowOf(DENIED, 'never', scope), rowOf(DENIED, 'always', other)])).belt.loaded()).toEqual([]);
  });

  it('is in no list, short list, candidate, option or suggestion', async () => {
    const made = await rig();
    expect(mentions(runLibraryTool('skill_list', {}, made))).toBe(false);
    for (const name of ['secret', 'secretaa', 'SECRETA', 'Secreta']) {
      expect(
        mentions((runLibraryTool('skill_open', { name }, made) as { error: { suggestions?: unknown } }).error.suggestions ?? null),
        name,
      ).toBe(false);
      expect(
        mentions(
          (runLibraryTool('skill_reference', { skill: name, ref: 'uno' }, made) as { error: { suggestions?: unknown } }).error
            .suggestions ?? null,
        ),
        name,
      ).toBe(false);
    }
    const choice = createChooser(made.snapshot).choose('dame la secreta', { access: made.access });
    expect(mentions([choice.candidates, choice.options, choice.shortlist.map(({ skill }) => skill.name), choice.ranked])).toBe(false);
  });

  it('shows no reference, not even a shared one', async () => {
    const made = await rig();
    for (const ref of ['uno', 'references/uno.md', 'limites'])
      expect(runLibraryTool('skill_reference', { skill: DENIED, ref }, made)).toMatchObject({ error: { code: 'skill_denied' } });
  });

  it('is not opened by /name nor through a bundle, which says so', async () => {
    const { snapshot, belt } = await rig();
    expect(codeOf(() => openBySlash('/secreta algo', snapshot, belt))).toBe('skill_denied');
    expect(openBySlash('/juntas algo', snapshot, belt)).toMatchObject({
      opened: [{ name: 'abierta' }],
      missing: [{ name: DENIED, code: 'skill_denied' }],
    });
    expect(openBySlash('/sola', snapshot, belt)).toMatchObject({ opened: [], missing: [{ name: DENIED, code: 'skill_denied' }] });
    expect(
      (() => {
        try {
          openBySlash('/secretaa', snapshot, belt);
        } catch (error) {
          return (error as { suggestions: unknown }).suggestions;
        }
        return null;
      })(),
    ).not.toContain(DENIED);
  });

  it('is not what comes next, nor carried over, nor a way to its tool', async () => {
    const { snapshot, belt, call } = await rig();
    expect(belt.open('abierta', 'model').siguiente).toEqual(['tercera']);
    expect(
      carryOver(
        [{ name: DENIED, version: '1.0.0', digest: snapshot.skills.get(DENIED)?.digest ?? '', by: 'model', score: null }],
        snapshot,
        belt,
      ),
    ).toEqual([{ name: DENIED, changed: false, refused: 'skill_denied' }]);
    expect((await refusalOf(belt.execute('libre_a', {}))).suggestions).toEqual([]);
    expect(call).not.toHaveBeenCalled();
  });
});

it('what lacks a connection is listed apart with the reason; without an account nothing is', async () => {
  const snapshot = await libraryOf({ plataforma: { correo: { integrations: 'buzon' }, cara: { capabilities: 'campanas' }, libre: {} } });
  const made = rigOf(snapshot, accessOf([], { integrations: new Set(), capabilities: new Set(['otra']) }));
  const listed = runLibraryTool('skill_list', {}, made) as Listed;
  expect(listed.skills.map(({ name }) => name)).toEqual(['libre']);
  expect(listed.hidden).toEqual([
    { name: 'cara', code: 'skill_needs_capability', params: { skill: 'cara', missing: 'campanas' } },
    { name: 'correo', code: 'skill_needs_integration', params: { skill: 'correo', missing: 'buzon' } },
  ]);
  expect(codeOf(() => made.belt.open('correo', 'person'))).toBe('skill_needs_integration');
  const nobody = rigOf(snapshot, accessOf([], { scopes: { profile: 'p', thread: 't' } }));
  expect(runLibraryTool('skill_list', {}, nobody)).toEqual({ skills: [], hidden: [] });
  expect(codeOf(() => nobody.belt.open('libre', 'model'))).toBe('skill_no_scope');
});
