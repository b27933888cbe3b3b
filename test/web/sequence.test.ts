import { describe, expect, it } from 'vitest';
import type { Sequence } from '../../contracts/api.js';
import { hasText, text as catalogText } from '../../contracts/catalog/index.js';
import { Words } from '../../view/words.js';
import { saidOf } from '../../web/sequences/stored.js';
import { edited, faults, rebased, standing, type Local, type Text } from '../../web/sequences/local.js';

const text = (body: string): Text => ({ subject: 'Hola', body });
const draft = (version: number, body: string) => ({ version, ...text(body) });
const local = (version: number, body: string, over: Partial<Local> = {}): Local => ({
  ...text(body),
  version,
  key: 'k',
  sent: null,
  ...over,
});

describe('a text that is being changed', () => {
  it.each([
    ['nothing was changed', draft(1, 'a'), null, 'saved'],
    ['changed from the version that the server has', draft(1, 'a'), local(1, 'b'), 'unsaved'],
    ['somebody else changed it meanwhile', draft(2, 'x'), local(1, 'b'), 'conflict'],
    ['somebody else wrote the very same', draft(2, 'b'), local(1, 'b'), 'saved'],
    ['the answer was lost, the text was not', draft(2, 'b'), local(1, 'b', { sent: text('b') }), 'saved'],
    ['the answer was lost and the person wrote on', draft(2, 'b'), local(1, 'bc', { sent: text('b') }), 'unsaved'],
    ['the answer was lost and somebody else wrote over it', draft(3, 'x'), local(1, 'bc', { sent: text('b') }), 'conflict'],
  ] as const)('%s: %s', (_what, server, mine, expected) => {
    expect(standing(server, mine)).toBe(expected);
  });
  it('is no change any more once it says again what the server has', () => {
    const once = edited(draft(1, 'a'), null, text('ab'), 'k1');
    expect(once).toEqual(local(1, 'ab', { key: 'k1' }));
    expect(edited(draft(1, 'a'), once, text('a'), 'k2')).toBeNull();
  });
  it('has another key with every change, and stays of the version that it was made from', () => {
    const once = edited(draft(1, 'a'), null, text('ab'), 'k1');
    // Somebody else saved version 2 in between: the next keystroke must not hide that.
    const twice = edited(draft(2, 'x'), once, text('abc'), 'k2');
    expect(twice).toMatchObject({ version: 1, key: 'k2' });
    expect(standing(draft(2, 'x'), twice)).toBe('conflict');
    // Typing the other text by hand is taking it, whichever version.
    expect(standing(draft(2, 'x'), edited(draft(2, 'x'), twice, text('x'), 'k3'))).toBe('saved');
  });
  it('can be put over the other one on purpose', () => {
    const mine = rebased(draft(2, 'x'), local(1, 'b', { sent: text('a') }), 'k9');
    expect(mine).toEqual(local(2, 'b', { key: 'k9' }));
    expect(standing(draft(2, 'x'), mine)).toBe('unsaved');
  });
});

describe('what cannot be saved', () => {
  it.each([
    [text('a'), {}],
    [
      { subject: ' ', body: '\n' },
      { subject: 'web.sequence.fault.subject_empty', body: 'web.sequence.fault.body_empty' },
    ],
    [{ subject: 'a'.repeat(300), body: 'b'.repeat(10_000) }, {}],
    [
      { subject: 'a'.repeat(301), body: 'b'.repeat(10_001) },
      { subject: 'web.sequence.fault.subject_long', body: 'web.sequence.fault.body_long' },
    ],
  ])('is said per field (%#)', (given, expected) => expect(faults(given)).toEqual(expected));
});

describe('what the page says of an approved sequence at the provider', () => {
  const words = (language: 'es-MX' | 'en'): Words =>
    new Words(language, { has: hasText, text: (code, params) => catalogText(language, code, params) }, 'America/Mexico_City');
  const stored = { sequence_id: 's', at: new Date().toISOString(), edited: true, left: null };
  const say = (
    state: NonNullable<Sequence['approval']>['state'],
    own = true,
    reason: NonNullable<Sequence['approval']>['reason'] = null,
    language: 'es-MX' | 'en' = 'es-MX',
  ): string => saidOf(words(language), { stored, approval: { state, run_id: 'r', reason } }, own);

  it('is that it has the texts as they were approved, by whom reads it or by somebody else, and since when', () => {
    expect(say('stored')).toBe(`Guardada en el proveedor como la aprobaste, ${words('es-MX').moment(stored.at)}.`);
    expect(say('stored', false)).toBe(`Guardada en el proveedor como se aprobó, ${words('es-MX').moment(stored.at)}.`);
    expect(say('stored', true, null, 'en')).toBe(`Stored at the provider as you approved it, ${words('en').moment(stored.at)}.`);
  });
  it('never claims more than is known: under way, hindered with the reason and the way out, or not there', () => {
    for (const state of ['under_way', 'hindered', 'not_stored', 'unknown'] as const)
      for (const language of ['es-MX', 'en'] as const)
        expect(say(state, true, null, language)).not.toMatch(/como la aprobaste|as you approved/);
    expect(say('hindered', true, { code: 'sequence.mailbox_missing', params: { n: 3 } })).toContain('Configuración → Conexiones');
    expect(say('hindered', true, { code: 'sequence.something_new', params: { n: 3 } })).toContain('reanúdala');
    expect(say('not_stored', true, { code: 'canceled_by_person', params: { by: 'Luis' } })).toContain('Luis');
  });
});
