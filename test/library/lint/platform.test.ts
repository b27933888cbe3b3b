import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { text } from '../../../contracts/catalog/index.js';
import { diskStore } from '../../../ada/library/read/disk-store.js';
import { loadSnapshot } from '../../../ada/library/read/snapshot.js';
import { lintLibrary } from '../../../ada/library/lint/index.js';

const directory = fileURLToPath(new URL('../../../skills', import.meta.url));

test('the recipes of the platform have no errors', async () => {
  const snapshot = await loadSnapshot([{ id: 'plataforma', store: diskStore(directory), trust: 'plataforma', shell: false, directory }]);
  expect(snapshot.skills.size).toBeGreaterThanOrEqual(11);
  const errors = (await lintLibrary(snapshot)).filter((p) => p.severity === 'error');
  expect(errors.map((p) => `${p.path}:${p.line ?? ''} ${p.code}: ${text('en', `library.${p.code}`, p.params)}`)).toEqual([]);
});
