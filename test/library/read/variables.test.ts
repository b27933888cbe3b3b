import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expandBody, splitWords, type ShellOptions } from '../../../ada/library/shell/inline-shell.js';
import { substitute, substitution } from '../../../ada/library/read/variables.js';
import { memoryStore } from '../../../ada/library/read/memory-store.js';
import type { Root, Skill } from '../../../ada/library/types.js';
import { one, root, skillFile } from './support.js';

const AT = { root: 'platform', path: 'cat/uno/SKILL.md' };
describe('variables', () => {
  const roots = (directory: string | null): { roots: Root[] } => ({ roots: [root(memoryStore(), { directory })] });
  it.each([
    ['a ${SESSION_ID} b', 'a s-1 b'],
    ['${SKILL_DIR}/x', '/srv/skills/cat/uno/x'],
    ['${SESSION_ID}${SESSION_ID}', 's-1s-1'],
    ['${OTRA} ${session_id} $SESSION_ID ${ SESSION_ID }', '${OTRA} ${session_id} $SESSION_ID ${ SESSION_ID }'],
    ['${${SESSION_ID}}', '${s-1}'],
    ['${toString} ${__proto__}', '${toString} ${__proto__}'],
  ])('%s', (text, expected) => expect(substitute(text, AT, substitution(roots('/srv/skills/'), 's-1'))).toBe(expected));
  it('values are put in as they are', () => {
    for (const id of ['$&', '$1', '${SKILL_DIR}', '${SESSION_ID}', '$$'])
      expect(substitute('<${SESSION_ID}>', AT, substitution(roots('/srv'), id))).toBe(`<${id}>`);
  });
  it('without a disk the folder stays a name', () =>
    expect(substitute('${SKILL_DIR}', AT, substitution(roots(null), 's'))).toBe('${SKILL_DIR}'));
});

describe('inline shell', () => {
  let base: string;
  let skill: Skill;
  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'campana-shell-'));
    mkdirSync(join(base, 'uno/references'), { recursive: true });
    writeFileSync(join(base, 'uno/references/a.md'), 'uno dos\n');
    writeFileSync(join(base, 'uno/SKILL.md'), 'x');
    const read = (await one(skillFile('uno'))).skill as Skill;
    skill = { ...read, references: [{ name: 'references/a.md', text: 'uno dos\n', bytes: 8, digest: '' }] };
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  const expand = (
    body: string,
    over: Partial<Root> = {},
    options: ShellOptions = {},
    trust: Skill['trust'] = 'plataforma',
    session = 's-1',
  ): Promise<string> =>
    expandBody({ roots: [root(memoryStore(), { shell: true, directory: base, ...over })] }, { ...skill, body, trust }, session, options);

  it('runs what is allowed, in the folder of the skill, and nothing else in the text changes', async () => {
    expect(await expand('Hoy es !`date +%Y-%m-%d`.')).toMatch(/^Hoy es \d{4}-\d\d-\d\d\.$/);
    expect(await expand('!`echo \'hola  mundo\' "y más"` y !`uname -s`')).toMatch(/^hola {2}mundo y más y \w+$/);
    expect(await expand('!`wc -w references/a.md`')).toBe('2 references/a.md');
    expect(await expand('!`pwd`')).toBe(`${base}/uno`);
    expect(await expand('sin nada `date`')).toBe('sin nada `date`');
  });

  it('is off where nobody turned it on, and for what comes from others', async () => {
    expect(await expand('a !`date` b', { shell: false })).toBe('a [shell: off] b');
    expect(await expand('!`date`', { directory: null })).toBe('[shell: off]');
    expect(await expand('!`date`', {}, {}, 'tercero')).toBe('[shell: off]');
    expect(await expand('!`date`', { id: 'otra' })).toBe('[shell: off]');
  });

  it.each([
    ['rm -rf /', 'command'],
    ['cat /etc/passwd', 'command'],
    ['/bin/date', 'command'],
    ['DATE', 'command'],
    ['env', 'command'],
    ['toString', 'command'],
    ['__proto__', 'command'],
    ['bash -c date', 'command'],
    ['date; rm x', 'syntax'],
    ['date | cat', 'syntax'],
    ['date && rm x', 'syntax'],
    ['echo $(id)', 'syntax'],
    ['echo $HOME', 'syntax'],
    ['echo ${HOME}', 'syntax'],
    ['echo a > b', 'syntax'],
    ['echo < b', 'syntax'],
    ['echo *', 'syntax'],
    ['echo a\\ b', 'syntax'],
    ['echo "a', 'syntax'],
    ['', 'syntax'],
    ['  ', 'syntax'],
    ['date --set=2020-01-01', 'argument'],
    ['date -s 2020', 'argument'],
    ['date -f /etc/passwd', 'argument'],
    ['date -r SKILL.md', 'argument'],
    ['wc /etc/passwd', 'argument'],
    ['wc ../otro', 'argument'],
    ['wc --files0-from=SKILL.md', 'argument'],
    ['wc', 'argument'],
    ['uname --help', 'argument'],
    ['wc references/../SKILL.md', 'argument'],
  ])('`%s` leaves the marker %s and the rest of the text', async (source, code) =>
    expect(await expand(`a !\`${source}\` b`)).toBe(`a [shell: ${code}] b`),
  );

  it('what fails, takes long, says too much or comes too often is a marker too', async () => {
    expect(await expand('!`echo 123456789`', {}, { maxBytes: 5 })).toBe('[shell: output]');
    expect(await expand('!`date`', { directory: join(base, 'nada') })).toBe('[shell: failed]');
    expect(await expand('!`echo 1` !`echo 2` !`echo 3`', {}, { maxSnippets: 2 })).toBe('1 2 [shell: many]');
    expect(await expand('!`wc -w SKILL.md`', { directory: base }, { timeoutMs: 1 })).toMatch(/^(\[shell: timeout\]|1 SKILL\.md)$/);
  });

  it('a value is one word, and what a snippet prints is not read again', async () => {
    expect(await expand('!`echo ${SESSION_ID}` ${SESSION_ID}', {}, {}, 'plataforma', 'a; rm -rf / `id` $(id)')).toBe(
      'a; rm -rf / `id` $(id) a; rm -rf / `id` $(id)',
    );
    expect(await expand('!`echo ${SESSION_ID}`', {}, {}, 'plataforma', '${SKILL_DIR}')).toBe('${SKILL_DIR}');
  });

  it('words are split as a shell would', () => expect(splitWords('echo "a b" c\'d\'')).toEqual(['echo', 'a b', 'cd']));

  it('a snippet in a code fence is an example', async () =>
    expect(await expand('```\n!`date`\n${SESSION_ID}\n```')).toBe('```\n!`date`\ns-1\n```'));
});
