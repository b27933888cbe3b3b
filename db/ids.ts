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

export const sha256 = (value: unknown): string => createHash('sha256').update(typeof value === 'string' ? value : canonicalJson(value)).digest('hex');

/** The keyed hash under which a suppression is kept; the value itself is never stored. */
export const suppressionHash = (key: string, workspace: string, kind: string, value: string): Buffer =>
  createHmac('sha256', key).update(`${workspace}\u0000${kind}\u0000${value.trim().toLowerCase()}`).digest();
