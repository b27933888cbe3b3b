import { describe, expect, it } from 'vitest';
import { LIBRARY_TOOLS, runLibraryTool, type Listed, type Page } from '../../../ada/library/gate/session-tools.js';
import { SIZE } from '../../../ada/library/types.js';
import { escapeText } from '../../../ada/library/disclose/escape.js';
import { platformSnapshot } from '../../../evals/routing/library-200.js';
import { libraryOf, realRig, rigOf } from './support.js';

const long = `${'ñandú 🦜 & <b>'.repeat(800)}fin`;
const library = () =>
  libraryOf(
    {
      plataforma: {
        uno: { tools: 'libre_a', files: { 'references/larga.md': long, 'references/corta.md': 'Corta.', 'assets/vacia.txt': '' } },
        dos: {},
      },
    },
    { 'references/limites.md': 'Límites.' },
  );
const errorOf = (value: unknown): string | undefined => (value as { error?: { code: string } }).error?.code;

describe('references', () => {
  it('come in pages that joined are the whole text, by characters and not by halves of them', async () => {
    const rig = rigOf(await library());
    rig.belt.open('uno', 'model');
    let offset: number | null = 0;
    let joined = '';
    let pages = 0;
    while (offset !== null) {
      const page = runLibraryTool('skill_reference', { skill: 'uno', ref: 'larga', offset }, rig) as Page;
      expect(page.total).toBe([...long].length);
      expect(page.text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
      joined += page.text;
      offset = page.next_offset;
      pages++;
    }
    expect(joined).toBe(escapeText(long));
    expect(pages).toBe(Math.ceil([...long].length / SIZE.reference));
  });

  it('say that there is nothing more, before and after the end', async () => {
    const rig = rigOf(await library());
    rig.belt.open('uno', 'model');
    expect(runLibraryTool('skill_reference', { skill: 'uno', ref: 'corta' }, rig)).toMatchObject({
      text: 'Corta.',
      offset: 0,
      total: 6,
      next_offset: null,
    });
    expect(runLibraryTool('skill_reference', { skill: 'uno', ref: 'corta', offset: 99 }, rig)).toMatchObject({
      text: '',
      total: 6,
      next_offset: null,
    });
    expect(runLibraryTool('skill_reference', { skill: 'uno', ref: 'assets/vacia.txt' }, rig)).toMatchObject({
      text: '',
      total: 0,
      next_offset: null,
    });
  });

  it('belong to an open recipe; the shared ones too', async () => {
    const rig = rigOf(await library());
    for (const ref of ['corta', 'limites'])
      expect(errorOf(runLibraryTool('skill_reference', { skill: 'uno', ref }, rig))).toBe('skill_not_open');
    rig.belt.open('dos', 'model');
    expect(errorOf(runLibraryTool('skill_reference', { skill: 'dos', ref: 'corta' }, rig))).toBe('reference_unknown');
    expect(runLibraryTool('skill_reference', { skill: 'dos', ref: 'limites' }, rig)).toMatchObject({ text: 'Límites.' });
    rig.belt.close('dos');
    expect(errorOf(runLibraryTool('skill_reference', { skill: 'dos', ref: 'limites' }, rig))).toBe('skill_not_open');
  });

  it.each(['../SKILL.md', '/etc/passwd', 'references/../../x', 'C:\\x', 'references/%2e%2e/x', 'corta\u0000', '..', '~/.ssh'])(
    'refuses %j as a path',
    async (ref) => {
      const rig = rigOf(await library());
      rig.belt.open('uno', 'model');
      expect(errorOf(runLibraryTool('skill_reference', { skill: 'uno', ref }, rig))).toBe('path_refused');
    },
  );

  it('of every real recipe read whole', async () => {
    const snapshot = await platformSnapshot();
    for (const skill of snapshot.skills.values()) {
      const rig = realRig(snapshot);
      rig.belt.open(skill.name, 'model');
      for (const { name, text } of skill.references) {
        let read = '';
        for (let offset: number | null = 0; offset !== null;) {
          const page = runLibraryTool('skill_reference', { skill: skill.name, ref: name, offset }, rig) as Page;
          read += page.text;
          offset = page.next_offset;
        }
        expect(read).toBe(escapeText(text ?? ''));
      }
    }
  });
});

describe('the doors', () => {
  it('list by category, sorted, and say what is open', async () => {
    const rig = realRig(await platformSnapshot());
    rig.belt.open('cuantos-hay', 'model');
    const all = (runLibraryTool('skill_list', {}, rig) as Listed).skills;
    expect(all.map(({ name }) => name)).toEqual([...rig.snapshot.skills.keys()].sort());
    expect(all.filter(({ open }) => open).map(({ name }) => name)).toEqual(['cuantos-hay']);
    expect((runLibraryTool('skill_list', { category: 'crm' }, rig) as Listed).skills.map(({ name }) => name)).toEqual([
      'como-va-mi-pipeline',
      'guardar-en-crm',
      'trabajar-una-cuenta',
    ]);
    expect((runLibraryTool('skill_list', { category: 'nada' }, rig) as Listed).skills).toEqual([]);
  });

  it.each([
    ['skill_open', {}],
    ['skill_open', { name: 7 }],
    ['skill_open', null],
    ['skill_open', { name: 'x'.repeat(201) }],
    ['skill_reference', { skill: 'uno' }],
    ['skill_reference', { skill: 'uno', ref: 'corta', offset: -1 }],
    ['skill_reference', { skill: 'uno', ref: 'corta', offset: 1.5 }],
    ['skill_list', { category: 1 }],
    ['skill_delete', {}],
  ])('%s refuses %j as a value', async (name, args) => {
    expect(errorOf(runLibraryTool(name as 'skill_list', args, rigOf(await library())))).toBe('arguments_invalid');
  });

  it('open twice and answer with the same digest; a misspelling gets the name', async () => {
    const rig = rigOf(await library());
    const first = runLibraryTool('skill_open', { name: 'uno' }, rig);
    expect(first).toMatchObject({ status: 'abierta', tools: ['libre_a'] });
    expect(runLibraryTool('skill_open', { name: 'uno' }, rig)).toEqual({ ...first, status: 'ya_abierta' });
    expect(runLibraryTool('skill_open', { name: 'unno' }, rig)).toMatchObject({ error: { code: 'skill_unknown', suggestions: ['uno'] } });
  });

  it('are three', () => expect(LIBRARY_TOOLS.map(({ name }) => name)).toEqual(['skill_list', 'skill_open', 'skill_reference']));
});
