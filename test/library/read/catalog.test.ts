import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { catalogCodes } from '../../../contracts/catalog/index.js';
import { ROOT } from '../../../stack/paths.js';

const source = readdirSync(join(ROOT, 'ada/library/read'))
  .filter((f) => f.endsWith('.ts'))
  .map((f) => readFileSync(join(ROOT, 'ada/library/read', f), 'utf8'))
  .join('\n');
/** Codes as they are written: reported, refused in a listing, chosen by a table or a condition. */
const PATTERNS = [
  /\b(?:warn|error|refuse)\('([a-z]\w+)'/g,
  /\breport\('(?:warn|error)', '([a-z]\w+)'/g,
  /\brefused\(path, (?:[^'\n]*\? )?'([a-z]\w+)'/g,
  /\brefused: '([a-z]\w+)'/g,
  /'(portable_\w+|yaml_\w+|link_\w+|file_\w+|key_\w+|skill_\w+|bundle_\w+|reload_\w+|fence_\w+)'/g,
];
const NOT_PROBLEMS = new Set(['skill_unknown', 'bundle_unknown']);
const codes = [...new Set(PATTERNS.flatMap((pattern) => [...source.matchAll(pattern)].map((m) => m[1] as string)))]
  .filter((code) => !NOT_PROBLEMS.has(code))
  .sort();

it('every problem that reading can report has a text and a fix in both languages', () => {
  expect(codes.length).toBeGreaterThan(60);
  for (const language of ['es-MX', 'en'] as const) {
    const known = new Set(catalogCodes(language));
    expect(codes.flatMap((code) => [`library.${code}`, `library.${code}.fix`]).filter((key) => !known.has(key))).toEqual([]);
  }
});
