import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, newId, sha256, suppressionHash } from '../../db/ids.js';

const value = fc.jsonValue();
/** The same value with the keys of every object in another order. */
const reorder = (v: unknown): unknown =>
  Array.isArray(v)
    ? v.map(reorder)
    : v !== null && typeof v === 'object'
      ? Object.fromEntries(
          Object.entries(v)
            .reverse()
            .map(([k, x]) => [k, reorder(x)]),
        )
      : v;

describe('canonical JSON', () => {
  it('is the same whatever the order of keys, at every depth', () => {
    fc.assert(
      fc.property(value, (v) => {
        expect(canonicalJson(reorder(v))).toBe(canonicalJson(v));
        expect(sha256({ v: reorder(v) })).toBe(sha256({ v }));
      }),
    );
  });

  it('says the same value again, and is its own canonical form', () => {
    fc.assert(
      fc.property(value, (v) => {
        const text = canonicalJson(v);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(v)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('keeps different values apart, and the order of lists', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))));
      }),
    );
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
    expect(sha256({ a: 1 })).not.toBe(sha256({ a: '1' }));
  });
});

describe('ids', () => {
  it('have their prefix, 26 characters that nobody misreads, and sort by the moment they were made', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 47 }), fc.integer({ min: 1, max: 2 ** 40 }), (at, later) => {
        const first = newId('run', at);
        expect(first).toMatch(/^run_[0-9A-HJKMNP-TV-Z]{26}$/);
        expect(newId('run', at + later) > first).toBe(true);
      }),
    );
  });

  it('never repeat, also within one millisecond', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId('x', 1))).size).toBe(10_000);
  });
});

describe('the hash of a suppressed identity', () => {
  it('is the same for the same identity written differently, and another for another key, workspace, kind or value', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        const hash = suppressionHash('k', 'ws', 'email', email).toString('hex');
        expect(suppressionHash('k', 'ws', 'email', `  ${email.toUpperCase()} `).toString('hex')).toBe(hash);
        for (const other of [
          suppressionHash('k2', 'ws', 'email', email),
          suppressionHash('k', 'ws2', 'email', email),
          suppressionHash('k', 'ws', 'domain', email),
          suppressionHash('k', 'ws', 'email', `${email}x`),
        ])
          expect(other.toString('hex')).not.toBe(hash);
        expect(hash).not.toContain(Buffer.from(email).toString('hex'));
      }),
    );
  });

  it('is one for the spellings that people use of a domain, an RFC or an address', () => {
    const hash = (kind: string, value: string): string => suppressionHash('k', 'ws', kind, value).toString('hex');
    for (const domain of [
      'Acme.example',
      'www.acme.example',
      'https://www.acme.example/contacto?x=1',
      '@acme.example',
      'ventas@acme.example',
      'acme.example.',
      'http://acme.example:8080',
    ])
      expect(hash('domain', domain)).toBe(hash('domain', 'acme.example'));
    for (const rfc of ['ABC 010101 XY1', 'abc-010101-xy1']) expect(hash('rfc', rfc)).toBe(hash('rfc', 'ABC010101XY1'));
    expect(hash('email', 'mailto:Ana@acme.example')).toBe(hash('email', 'ana@acme.example'));
    expect(hash('domain', 'otra.example')).not.toBe(hash('domain', 'acme.example'));
    expect(hash('person', 'per-1')).not.toBe(hash('person', 'per1'));
  });
});
