/** Text that was written in an encoding; each is decoded once and never again. */
export interface Blob {
  text: string;
  from: number;
  to: number;
  encoding: 'base64' | 'hex';
}

const RUN = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
const SPACED_HEX = /(?<![0-9A-Fa-f])(?:[0-9A-Fa-f]{2}[ :]){7,4000}[0-9A-Fa-f]{2}(?![0-9A-Fa-f])/g;
const MAX_BLOB = 64 * 1024;
const READABLE = 0.9;
const utf8 = new TextDecoder('utf-8', { fatal: true });

const readable = (bytes: Uint8Array): string | null => {
  if (bytes.length < 8) return null;
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return null;
  }
  const printable = text.replace(/[^\p{L}\p{N}\p{P}\p{S}\p{Zs}\n\r\t]/gu, '').length;
  const letters = text.replace(/[^\p{L}]/gu, '').length;
  return printable >= text.length * READABLE && letters >= text.length / 2 ? text : null;
};

const fromHex = (digits: string): string | null => (digits.length % 2 === 0 ? readable(Buffer.from(digits, 'hex')) : null);
const fromBase64 = (digits: string): string | null => readable(Buffer.from(digits.replace(/-/g, '+').replace(/_/g, '/'), 'base64'));

export const blobs = (raw: string): Blob[] => {
  const found: Blob[] = [];
  const take = (digits: string, from: number, to: number): void => {
    const cut = digits.slice(0, MAX_BLOB);
    const hex = /^(?:0x)?[0-9A-Fa-f]+$/.test(cut) ? fromHex(cut.replace(/^0x/, '')) : null;
    const text = hex ?? fromBase64(cut);
    if (text !== null) found.push({ text, from, to, encoding: hex === null ? 'base64' : 'hex' });
  };
  // A blob may be wrapped over lines: runs with nothing but one line end between them are tried together, then alone.
  let group: { digits: string; from: number; to: number; parts: number } | null = null;
  const flush = (): void => {
    if (group && group.parts > 1) take(group.digits, group.from, group.to);
    group = null;
  };
  for (const m of raw.matchAll(RUN)) {
    const to = m.index + m[0].length;
    take(m[0].replace(/=+$/, ''), m.index, to);
    const joins =
      group !== null &&
      /^[ \t>]{0,4}\r?\n[ \t>]{0,8}$/.test(raw.slice(group.to, Math.min(m.index, group.to + 16))) &&
      m.index - group.to < 16;
    if (joins && group) group = { digits: group.digits + m[0].replace(/=+$/, ''), from: group.from, to, parts: group.parts + 1 };
    else {
      flush();
      group = { digits: m[0].replace(/=+$/, ''), from: m.index, to, parts: 1 };
    }
  }
  flush();
  for (const m of raw.matchAll(SPACED_HEX)) {
    const text = fromHex(m[0].replace(/[ :]/g, ''));
    if (text !== null) found.push({ text, from: m.index, to: m.index + m[0].length, encoding: 'hex' });
  }
  return found;
};

const A = 97;
/** A word thirteen letters further; words are already lower-case Latin. */
export const rot13 = (word: string): string => word.replace(/[a-z]/g, (c) => String.fromCharCode(A + ((c.charCodeAt(0) - A + 13) % 26)));
