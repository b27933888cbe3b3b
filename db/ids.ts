import { createHash, createHmac, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A random id that sorts by time: `<prefix>_` + 26 characters of Crockford base 32 (48 bits of ms, 80 random bits). */
export const newId = (prefix: string, now = Date.now()): string => {
  let value = (BigInt(now) << 80n) | BigInt(`0x${randomBytes(10).toString('hex')}`);
  let out = '';
  for (let i = 0; i < 26; i += 1) {
    out = ALPHABET[Number(value & 31n)] + out;
    value >>= 5n;
  }
  return `${prefix}_${out}`;
};

/** JSON with sorted keys, so that equal values hash equally. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, v: unknown) =>
    v && typeof v === 'object' && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1))) : v,
  );

export const sha256 = (value: unknown): string =>
  createHash('sha256')
    .update(typeof value === 'string' ? value : canonicalJson(value))
    .digest('hex');

/** One spelling for what people write in several: `https://www.Acme.example/` and `@acme.example` are the domain `acme.example`, `ABC-010101-XY1` the RFC `abc010101xy1`. */
const spelled = (kind: string, value: string): string => {
  const plain = value.normalize('NFC').trim().toLowerCase();
  if (kind === 'rfc') return plain.replace(/[\s.-]/g, '');
  if (kind === 'domain')
    return plain
      .replace(/^[a-z]+:\/\//, '')
      .replace(/^.*@/, '')
      .replace(/[/?#:].*$/, '')
      .replace(/^www\./, '')
      .replace(/\.+$/, '');
  return kind === 'email' ? plain.replace(/^mailto:/, '') : plain;
};

/** The keyed hash under which a suppression is kept; the value itself is never stored. */
export const suppressionHash = (key: string, workspace: string, kind: string, value: string): Buffer =>
  createHmac('sha256', key)
    .update(`${workspace}\u0000${kind}\u0000${spelled(kind, value)}`)
    .digest();
