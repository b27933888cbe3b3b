import { describe, expect, it } from 'vitest';
import { file, one, skillFile } from './support.js';

const META = 'name: uno\ndescription: Hace algo.\nmetadata:\n  version: "1.0.0"';
const withMeta = (line: string): string => file(`${META}\n  ${line}`);
const describedBy = (line: string): string => file(`name: uno\n${line}\nmetadata:\n  version: "1.0.0"\n  costo: "externo"`);
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
const B = String.fromCharCode; // what cannot be seen is written by number

describe('bytes', () => {
  it.each<[string, string | Uint8Array, string[], string]>([
    ['plain UTF-8', skillFile('uno', 'Averigua quién.'), [], 'Averigua quién.'],
    ['a byte order mark', `\ufeff${skillFile('uno')}`, ['bytes_bom'], 'Hace algo.'],
    ['CRLF', skillFile('uno').replaceAll('\n', '\r\n'), [], 'Hace algo.'],
    ['lone CR', skillFile('uno').replaceAll('\n', '\r'), ['bytes_lone_cr'], 'Hace algo.'],
    ['CRLF after a mark', `\ufeff${skillFile('uno')}`.replaceAll('\n', '\r\n'), ['bytes_bom'], 'Hace algo.'],
    ['latin-1', latin1(skillFile('uno', 'Averigua quién ganó.')), ['bytes_not_utf8'], 'Averigua quién ganó.'],
    [
      'UTF-16 as Notepad writes it',
      new Uint8Array(Buffer.from(`\ufeff${skillFile('uno', 'Averigua quién.')}`, 'utf16le')),
      ['bytes_utf16'],
      'Averigua quién.',
    ],
    ['a form feed', skillFile('uno').replace('Haz algo', `Haz${B(12)}algo`), ['text_form_feed'], 'Hace algo.'],
    ['a zero-width space', skillFile('uno').replace('Haz algo', `Haz${B(0x200b)} algo`), ['text_invisible'], 'Hace algo.'],
    ['a direction mark', skillFile('uno').replace('Haz', `Haz${B(0x200f)}`), ['text_invisible'], 'Hace algo.'],
    ['a family emoji', skillFile('uno', 'Familias 👨‍👩‍👧 y ✔️.'), [], 'Familias 👨‍👩‍👧 y ✔️.'],
  ])('%s loads', async (_, content, codes, description) => {
    const read = await one(content);
    expect(read.codes).toEqual(codes.length > 0 ? codes : []);
    expect(read.skill?.description).toBe(description);
    expect(read.skill?.body).not.toMatch(/\r|\ufeff/);
  });

  it.each([
    ['a NUL', B(0), 'text_control', 'U+0000'],
    ['an escape', B(27), 'text_control', 'U+001B'],
    ['a delete', B(127), 'text_control', 'U+007F'],
    ['an override of direction', B(0x202e), 'text_bidi', 'U+202E'],
    ['an isolate', B(0x2066), 'text_bidi', 'U+2066'],
    ['tag characters', String.fromCodePoint(0xe0049, 0xe0067), 'text_hidden', 'U+E0049'],
    ['variation selectors in a row', 'a\ufe00\ufe01\ufe02', 'text_hidden', 'U+FE01'],
  ])('%s keeps a recipe out, with line and character', async (_, hidden, code, char) => {
    const read = await one(skillFile('uno').replace('Haz algo', `Haz${hidden} algo`));
    expect(read.skill).toBeUndefined();
    const problem = read.problems.find((p) => p.code === code);
    expect(problem).toMatchObject({ severity: 'error', path: 'uno/SKILL.md', line: 12, params: { char } });
  });
});

describe('fence', () => {
  it.each<[string, string, string[], number?]>([
    ['trailing spaces', skillFile('uno').replace('---\n', '---  \n'), ['fence_trailing_space'], 1],
    ['a blank first line', `\n${skillFile('uno')}`, ['fence_not_first'], 2],
    ['no closing line', skillFile('uno').replace('\n---\n\n', '\n\n'), ['fence_unclosed'], 1],
    ['`---` inside a sentence', skillFile('uno', 'Uno --- y dos.'), []],
    ['`---` indented in a block', describedBy('description: |\n  Uno\n  ---\n  dos.'), []],
    ['`---` as a rule in the body', skillFile('uno').replace('## Pasos', 'Nota: nada.\n\n---\n\n## Pasos'), []],
  ])('%s loads', async (_, content, codes, line) => {
    const read = await one(content);
    expect(read.codes).toEqual(codes);
    if (line) expect(read.problems[0]?.line).toBe(line);
    expect(read.skill?.version).toBe('1.0.0');
    expect(read.skill?.body).toMatch(/^# Uno/);
  });

  it('a line `---` that cuts a value is an error with both lines', async () => {
    const read = await one(file('name: uno\ndescription: |\n  Uno\n---\n  dos\nmetadata:\n  costo: "creditos"'));
    expect(read.skill).toBeUndefined();
    expect(read.problems).toContainEqual(
      expect.objectContaining({ code: 'fence_cuts_value', severity: 'error', line: 5, params: { lost: 7 } }),
    );
  });

  it.each([
    ['no fence', '# Uno\n\nHaz algo.'],
    ['nothing', ''],
    ['text first', `Hola\n${skillFile('uno')}`],
    ['four dashes', skillFile('uno').replaceAll('---', '----')],
  ])('%s is reported', async (_, content) => {
    const read = await one(content);
    expect(read.skill).toBeUndefined();
    expect(read.codes).toContain('fence_missing');
  });
});

describe('values', () => {
  it.each<[string, string, string, string[]]>([
    ['a colon', 'description: Averigua: quién le vende', 'Averigua: quién le vende', ['yaml_colon_in_value']],
    ['a colon at the end', 'description: Averigua esto:', 'Averigua esto:', ['yaml_colon_in_value']],
    ['two colons over two lines', 'description: Uno: dos\n  tres: cuatro', 'Uno: dos tres: cuatro', ['yaml_colon_in_value']],
    ['a colon without a space', 'description: Ver https://ejemplo.mx a las 10:30', 'Ver https://ejemplo.mx a las 10:30', []],
    ['double quotes first', 'description: "Quién le vende" y "quién ganó".', '"Quién le vende" y "quién ganó".', ['yaml_quote_then_text']],
    ['single quotes first', "description: 'Quién' dijo", "'Quién' dijo", ['yaml_quote_then_text']],
    ['an unclosed quote', 'description: "Quién le vende', '"Quién le vende', ['yaml_quote_then_text']],
    ['an apostrophe and a colon', "description: It's this: that", "It's this: that", ['yaml_colon_in_value']],
    ['guillemets first', 'description: «Quién» le vende', '«Quién» le vende', []],
    ['a bracket first', 'description: [Beta] Busca empresas', '[Beta] Busca empresas', ['yaml_reread']],
    ['a backtick first', 'description: `campana` y más', '`campana` y más', ['yaml_reread']],
    ['an at sign first', 'description: @ada responde', '@ada responde', ['yaml_reread']],
    ['a hyphen first', 'description: - uno', '- uno', ['yaml_reread']],
    ['a star first', 'description: *Importante* hacer', '*Importante* hacer', ['yaml_reread']],
    ['a comment', 'description: Busca al #1 del giro', 'Busca al', ['yaml_comment_cuts_value']],
    ['a comment inside two lines', 'description: Busca al #1\n  del giro', 'Busca al #1 del giro', ['yaml_comment_cuts_value']],
    ['a hash without a space', 'description: C#1 y más', 'C#1 y más', []],
    ['a comment after a quoted value', 'description: "Busca" # nota', 'Busca', []],
    ['literal', 'description: |\n  Uno: dos\n  tres #4', 'Uno: dos tres #4', []],
    ['literal, stripped', 'description: |-\n  Uno\n\n  dos', 'Uno dos', []],
    ['literal, kept', 'description: |+\n  Uno\n\n', 'Uno', []],
    ['folded', 'description: >\n  Uno\n  dos', 'Uno dos', []],
    ['folded, stripped', 'description: >-\n  "Uno": dos\n  tres', '"Uno": dos tres', []],
    ['folded, kept', 'description: >+\n  Uno\n', 'Uno', []],
    ['an indentation indicator', 'description: |2-\n    Uno\n  dos', 'Uno dos', []],
    ['plain over lines', 'description: Uno\n  dos\n  tres', 'Uno dos tres', []],
    ['double quoted with escapes', 'description: "Uno\\u00e1 \\"dos\\""', 'Unoá "dos"', []],
  ])('%s', async (_, line, description, codes) => {
    const read = await one(describedBy(line));
    expect(read.skill?.description).toBe(description);
    expect(read.codes).toEqual(codes);
    // What stands after it is not swallowed.
    expect(read.skill).toMatchObject({ version: '1.0.0', costo: 'externo' });
    if (codes.length > 0) expect(read.problems[0]).toMatchObject({ severity: 'error', path: 'uno/SKILL.md', key: 'description', line: 3 });
  });

  it('several broken values are each read again and reported at their own line', async () => {
    const read = await one(
      file('name: uno\ndescription: Uno: dos\nmetadata:\n  version: "1.0.0"\n  gatillos: "quién" | "qué: ganó"\n  excluye: no: esto'),
    );
    expect(read.problems.map((p) => [p.code, p.key, p.line])).toEqual([
      ['yaml_colon_in_value', 'description', 3],
      ['yaml_quote_then_text', 'metadata.gatillos', 6],
      ['yaml_colon_in_value', 'metadata.excluye', 7],
    ]);
    expect(read.skill?.gatillos).toEqual(['quién', 'qué: ganó']);
    expect(read.skill?.excluye).toEqual(['no: esto']);
  });

  it('a value that YAML takes for nothing but a comment is missing and reported', async () => {
    const read = await one(describedBy('description: #1 en ventas'));
    expect(read.codes).toEqual(expect.arrayContaining(['yaml_comment_cuts_value', 'description_missing']));
    expect(read.skill).toBeUndefined();
  });

  it('a sentence with a colon in a list stays a sentence', async () => {
    const read = await one(file(`${META}\n  gatillos:\n    - cuántos hay: los que sean\n    - quién ganó`));
    expect(read.skill?.gatillos).toEqual(['cuántos hay: los que sean', 'quién ganó']);
    expect(read.codes).toEqual(expect.arrayContaining(['yaml_colon_in_value']));
  });

  it('a hash in a list is reported too', async () => {
    const read = await one(file(`${META}\n  gatillos:\n    - el #1 del giro`));
    expect(read.problems).toContainEqual(expect.objectContaining({ code: 'yaml_comment_cuts_value', key: 'metadata.gatillos', line: 7 }));
  });

  it.each<[string, string, string]>([
    ['1.0', '1.0', 'portable_number'],
    ['1', '1', 'portable_number'],
    ['0x1F', '0x1F', 'portable_number'],
    ['1_000', '1_000', 'portable_number'],
    ['12:30', '12:30', 'portable_number'],
    ['true', 'true', 'portable_bool'],
    ['no', 'no', 'portable_bool'],
    ['Yes', 'Yes', 'portable_bool'],
    ['null', '', 'portable_null'],
    ['~', '', 'portable_null'],
    ['', '', 'portable_null'],
    ['2026-09-11', '2026-09-11', 'portable_date'],
    ['[a, 1.0, no]', 'a 1.0 no', 'portable_list'],
    ['hola', 'hola', 'portable_unquoted'],
  ])('`otra: %s` in metadata is the text %j with %s', async (written, text, code) => {
    const read = await one(withMeta(`otra: ${written}`));
    expect(read.skill?.extra).toEqual({ otra: text });
    expect(read.problems).toEqual([{ severity: 'warning', code, path: 'uno/SKILL.md', root: 'platform', key: 'metadata.otra', line: 6 }]);
  });

  it('a version written as a number keeps its digits', async () => {
    const read = await one(file('name: uno\ndescription: Hace algo.\nmetadata:\n  version: 1.10'));
    expect(read.skill?.version).toBe('1.10');
    expect(read.codes).toEqual(['portable_number']);
  });

  it('the first of two keys counts', async () => {
    const read = await one(describedBy('description: La primera.\ndescription: La segunda.'));
    expect(read.skill?.description).toBe('La primera.');
    expect(read.problems).toEqual([
      expect.objectContaining({ code: 'yaml_duplicate_key', severity: 'error', key: 'description', line: 4 }),
    ]);
  });

  it.each([
    ['tabs in the indentation', file('name: uno\ndescription: Hace algo.\nmetadata:\n\tversion: "1.0.0"'), 'yaml_tab', 5],
    ['tabs in a block', file('name: uno\ndescription: |\n\tHace algo.\nmetadata:\n  version: "1.0.0"'), 'yaml_tab', 4],
  ])('%s are read as spaces', async (_, content, code, line) => {
    const read = await one(content);
    expect(read.skill).toMatchObject({ description: 'Hace algo.', version: '1.0.0' });
    expect(read.problems).toEqual([expect.objectContaining({ code, severity: 'error', line })]);
  });

  it('a tab after the colon is nothing special', async () =>
    expect((await one(describedBy('description:\tHace algo.'))).codes).toEqual([]));

  it.each([
    ['an anchor', 'otra: &a "x"', 'yaml_anchor'],
    ['an alias', 'otra: *a', 'yaml_alias'],
    ['a tag', 'otra: !!str 1', 'yaml_tag'],
    ['a local tag', 'otra: !x 1', 'yaml_tag'],
    ['a merge key', '<<: {a: "1"}', 'yaml_merge_key'],
    ['__proto__', '__proto__: "x"', 'yaml_reserved_key'],
    ['constructor', 'constructor: "x"', 'yaml_reserved_key'],
    ['prototype', 'prototype: {a: 1}', 'yaml_reserved_key'],
    ['an open list', 'otra: [a, b', 'yaml_invalid'],
    ['a key that is a list', '? [a]\n  : b', 'yaml_invalid'],
    ['a known key indented too far', 'otra: x\n    costo: gratis', 'yaml_invalid'],
  ])('%s is refused', async (_, line, code) => {
    const read = await one(withMeta(line));
    expect(read.skill).toBeUndefined();
    expect(read.problems).toContainEqual(expect.objectContaining({ code, severity: 'error', path: 'uno/SKILL.md' }));
    expect(read.problems.find((p) => p.code === code)?.line).toBeGreaterThanOrEqual(5);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it('aliases that multiply cost nothing', async () => {
    const laughs = Array.from(
      { length: 12 },
      (_, i) =>
        `  l${i}: &l${i} [${Array(10)
          .fill(i === 0 ? 'x' : `*l${i - 1}`)
          .join(', ')}]`,
    ).join('\n');
    const read = await one(file(`${META}\n${laughs}`));
    expect(read.codes).toEqual(expect.arrayContaining(['yaml_alias', 'yaml_anchor']));
  });

  it.each([
    ['a YAML end mark', file(`${META}\n...\n  costo: "externo"`), 'yaml_document_end'],
    ['an empty matter', '---\n---\nHola', 'matter_empty'],
    ['a list', file('- a\n- b'), 'matter_not_map'],
    ['a sentence', file('hola'), 'matter_not_map'],
    ['a matter of 70,000 characters', file(`${META}\n  otra: "${'x'.repeat(70_000)}"`), 'matter_large'],
    ['nesting without end', file(`name: uno\ndescription: x\nmetadata: ${'['.repeat(20_000)}`), 'yaml_invalid'],
  ])('%s is reported', async (_, content, code) => {
    const read = await one(content);
    expect(read.skill).toBeUndefined();
    expect(read.codes).toContain(code);
  });

  it('front matter of 6,000 characters loads', async () => {
    const phrases = Array.from({ length: 240 }, (_, i) => `quién le vende a ${i}`);
    const content = withMeta(`gatillos: "${phrases.join(' |\n    ')}"`);
    expect(content.length).toBeGreaterThan(6_000);
    const read = await one(content);
    expect(read.codes).toEqual([]);
    expect(read.skill?.gatillos).toEqual(phrases);
  });

  it('a matter of thousands of broken lines is given up quickly', async () => {
    const before = process.cpuUsage();
    const read = await one(file(`${META}\n${Array.from({ length: 2_500 }, (_, i) => `  k${i}: uno: dos ${i}`).join('\n')}`));
    expect(read.codes).toContain('yaml_invalid');
    const { user, system } = process.cpuUsage(before);
    // Of this process, not of the clock: the machine may be busy with other tests.
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });

  it.each([
    ['top level', 'platforms: {linux: true}', 'matter_nested', 'platforms'],
    ['metadata', 'metadata: hola', 'metadata_not_map', 'metadata'],
  ])('a map or a text in the wrong place (%s) is reported', async (_, line, code, key) => {
    const read = await one(file(`name: uno\ndescription: Hace algo.\n${line}`));
    expect(read.skill).toBeDefined();
    expect(read.problems).toContainEqual(expect.objectContaining({ code, key, line: 4 }));
  });
});
