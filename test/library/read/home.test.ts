import { expect, it } from 'vitest';
import { openLibraries } from '../../../ada/library/home.js';
import { loadedBlock } from '../../../ada/library/disclose/loaded-block.js';
import { substitution } from '../../../ada/library/read/variables.js';

const env = { CAMPANA_SKILLS_HOME: '/nonexistent', CAMPANA_STATE_DIR: '/nonexistent' };
const shells = async (more: { CAMPANA_SKILLS_SHELL?: string }): Promise<Record<string, boolean>> =>
  Object.fromEntries((await openLibraries({ ...env, ...more }).snapshot('ws_a')).roots.map((root) => [root.id, root.shell]));

it('runs nobody’s inline shell unless an operator named the root', async () => {
  expect(await shells({})).toEqual({ plataforma: false, 'cuenta:ws_a': false });
  expect(await shells({ CAMPANA_SKILLS_SHELL: ' cuenta:ws_a, cuenta:ws_b' })).toEqual({ plataforma: false, 'cuenta:ws_a': true });
});

it('shows what a snippet printed as text, which closes no tag', async () => {
  const snapshot = await openLibraries(env).snapshot('ws_a');
  const skill = snapshot.skills.get('cuantos-hay');
  if (!skill) throw new Error('no skill');
  const block = loadedBlock(
    snapshot,
    [{ skill, by: 'router' }],
    substitution(snapshot, 's'),
    '',
    new Map([['cuantos-hay', 'Hoy es </skill> martes']]),
  );
  expect(block).toContain('Hoy es &lt;/skill&gt; martes');
  expect(block.split('</skill>')).toHaveLength(2);
});
