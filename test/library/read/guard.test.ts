import { REFUSALS } from '../../../ada/library/refusal.js';
import { describe, expect, it } from 'vitest';
import { hasText, text } from '../../../contracts/catalog/index.js';
import { LibraryRefusal, lookUpReference, lookUpSkill, PATH_REASONS, pathReason, suggest } from '../../../ada/library/read/guard.js';
import { memoryStore } from '../../../ada/library/read/memory-store.js';
import { loadSnapshot } from '../../../ada/library/read/snapshot.js';
import { root, skillFile } from './support.js';

const B = String.fromCharCode;
const FILES = {
  'mercado/cuantos-hay/SKILL.md': skillFile('cuantos-hay'),
  'mercado/cuantos-hay/references/sinónimos.md': 'S',
  'mercado/cuantos-hay/templates/correo.md': 'C',
  'mercado/cuantos-hay/assets/logo.png': new Uint8Array([0x89, 0x50, 0, 0xff]),
  'campana/SKILL.md': skillFile('campana'),
  'references/limites.md': 'L',
  'secreto.md': 'no',
  'bundles/campana.yaml': 'skills: [cuantos-hay]',
};
const refusal = (act: () => unknown): LibraryRefusal => {
  try {
    act();
  } catch (error) {
    if (error instanceof LibraryRefusal) return error;
    throw error;
  }
  throw new Error('it was let through');
};

/** Every way to write a path that is none of the library's. */
const TRAVERSALS: ReadonlyArray<readonly [string, (typeof PATH_REASONS)[number]]> = [
  ['', 'empty'],
  ['   ', 'empty'],
  ['..', 'dots'],
  ['../secreto.md', 'dots'],
  ['../../etc/passwd', 'dots'],
  ['references/../../secreto.md', 'dots'],
  ['references/./limites.md', 'dots'],
  ['references//limites.md', 'dots'],
  ['references/...', 'dots'],
  ['references/.. /x', 'dots'],
  ['/etc/passwd', 'absolute'],
  ['~/x', 'absolute'],
  ['//host/share', 'absolute'],
  ['C:\\x', 'backslash'],
  ['C:/x', 'drive'],
  ['c:x', 'drive'],
  ['file:///etc/passwd', 'drive'],
  ['limites.md::$DATA', 'drive'],
  ['..\\secreto.md', 'backslash'],
  ['\\\\host\\share', 'backslash'],
  ['%2e%2e%2fsecreto.md', 'encoded'],
  ['%2E%2E/secreto.md', 'encoded'],
  ['%252e%252e%252fsecreto.md', 'encoded'],
  ['..%c0%afsecreto.md', 'encoded'],
  ['%u002e%u002e', 'encoded'],
  ['\\u002e\\u002e/x', 'encoded'],
  ['&#46;&#46;/x', 'encoded'],
  [`limites.md${B(0)}.png`, 'control'],
  [`limites${B(10)}.md`, 'control'],
  [`limites${B(0x200b)}.md`, 'control'],
  [`${B(0x202e)}dm.setimil`, 'control'],
  ['\uff0e\uff0e/secreto.md', 'lookalike'],
  ['\u2024\u2024/secreto.md', 'lookalike'],
  ['\u2025/secreto.md', 'lookalike'],
  ['..\u2215secreto.md', 'lookalike'],
  ['..\u2044secreto.md', 'lookalike'],
  ['..\uff0fsecreto.md', 'lookalike'],
  ['..\u29f8secreto.md', 'lookalike'],
  ['references\uff3climites.md', 'lookalike'],
  ['limites.md.', 'trailing'],
  ['limites.md ', 'trailing'],
  [' limites.md', 'trailing'],
  ['references /limites.md', 'trailing'],
  ['a/'.repeat(150), 'long'],
];

describe('guard', async () => {
  // A store whose files may not be read any more: whatever is answered comes from the snapshot.
  const memory = memoryStore(FILES);
  let closed = false;
  const snapshot = await loadSnapshot([
    root({ list: memory.list, read: (path) => (closed ? Promise.reject(new Error('read')) : memory.read(path)) }),
  ]);
  closed = true;
  const skill = lookUpSkill(snapshot, 'cuantos-hay');

  it.each(TRAVERSALS)('%j is refused as %s, as a name and as a reference', (path, reason) => {
    for (const refused of [refusal(() => lookUpSkill(snapshot, path)), refusal(() => lookUpReference(snapshot, skill, path))]) {
      expect(refused).toMatchObject({ code: 'path_refused', params: { reason }, suggestions: [] });
      expect(String(refused.params['name'])).not.toMatch(/\p{Cc}/u);
      expect(String(refused.params['name']).length).toBeLessThanOrEqual(80);
    }
  });

  it('every reason has a text', () => {
    const other = text('es-MX', 'library.refused.path_refused', { name: 'x', reason: 'unlisted' });
    for (const reason of PATH_REASONS.filter((r) => r !== 'unlisted'))
      expect(text('es-MX', 'library.refused.path_refused', { name: 'x', reason })).not.toBe(other);
    for (const code of REFUSALS) expect(hasText(`library.refused.${code}`)).toBe(true);
  });

  it('looks a reference up by its name, its file or its short form, shared ones too', () => {
    for (const name of ['references/sinónimos.md', 'sinónimos.md', 'sinónimos'])
      expect(lookUpReference(snapshot, skill, name).text).toBe('S');
    for (const name of ['references/limites.md', 'limites.md', 'limites']) expect(lookUpReference(snapshot, skill, name).text).toBe('L');
    expect(lookUpReference(snapshot, skill, 'templates/correo.md').text).toBe('C');
    expect(lookUpReference(snapshot, skill, 'assets/logo.png')).toMatchObject({ text: null, bytes: 4 });
  });

  it('names of objects and of other files are not references', () => {
    for (const name of ['secreto.md', 'SKILL.md', 'SKILL', 'constructor', '__proto__', 'toString'])
      expect(refusal(() => lookUpReference(snapshot, skill, name)).code).toBe('reference_unknown');
    for (const name of ['constructor', '__proto__', 'mercado/cuantos-hay', 'mercado'])
      expect(refusal(() => lookUpSkill(snapshot, name)).code).toBe('skill_unknown');
  });

  it.each(['Cuantos-Hay', 'CUANTOS-HAY', 'cuantos_hay', 'cuántos-hay', 'cuantos hay', 'cuanto-hay', 'cuantos'])(
    '%s is not opened but suggested',
    (name) => expect(refusal(() => lookUpSkill(snapshot, name))).toMatchObject({ code: 'skill_unknown', suggestions: ['cuantos-hay'] }),
  );
  it('case tricks on a reference are suggested too', () =>
    expect(refusal(() => lookUpReference(snapshot, skill, 'References/Limites.MD'))).toMatchObject({
      code: 'reference_unknown',
      suggestions: ['references/limites.md'],
    }));
  it('what may not be seen is neither opened nor suggested', () => {
    expect(refusal(() => lookUpSkill(snapshot, 'cuantos-hay', () => false))).toMatchObject({ code: 'skill_unknown', suggestions: [] });
    expect(refusal(() => lookUpSkill(snapshot, 'cuantos-hai', () => false)).suggestions).toEqual([]);
  });
  it('ordinary names pass', () => {
    for (const name of ['limites.md', 'references/a/b.v2.md', 'sinónimos y más.md', 'año-2026.md', 'ﬁrma.md'])
      expect(pathReason(name)).toBeNull();
  });
  it('suggests at most three', () => expect(suggest('uno', ['uno1', 'uno2', 'uno3', 'uno4', 'lejano'])).toEqual(['uno1', 'uno2', 'uno3']));
});
