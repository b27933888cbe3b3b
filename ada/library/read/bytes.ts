import type { Findings } from './findings.js';

/**
 * Bytes to text. A byte order mark and foreign line ends disappear; what a person could not see in an editor is reported, since a recipe
 * that reads differently for the model than for its reviewer is how third-party text is smuggled in.
 */
export interface Decoded {
  text: string;
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 or nothing: how references are read. */
export const utf8OrNull = (bytes: Uint8Array): string | null => {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
};

const decode = (bytes: Uint8Array): Decoded => {
  // Notepad's "Unicode": without this every second byte would be reported as a NUL.
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { text: new TextDecoder('utf-16le', { ignoreBOM: true }).decode(bytes), encoding: 'utf-16le' };
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return { text: new TextDecoder('utf-16be', { ignoreBOM: true }).decode(bytes), encoding: 'utf-16be' };
  const text = utf8OrNull(bytes);
  return text === null ? { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' } : { text, encoding: 'utf-8' };
};

type Unseen = 'control' | 'feed' | 'bidi' | 'tag' | 'invisible';
const between = (c: number, from: number, to: number): boolean => c >= from && c <= to;

const INVISIBLE = new Set([0x85, 0xad, 0x61c, 0x180e, 0x2028, 0x2029, 0xfeff]);
const unseen = (c: number): Unseen | null => {
  if (c === 0x09 || c === 0x0a) return null;
  if (c === 0x0b || c === 0x0c) return 'feed';
  if (c < 0x20 || between(c, 0x7f, 0x84) || between(c, 0x86, 0x9f) || c === 0xfffe || c === 0xffff) return 'control';
  if (between(c, 0x202a, 0x202e) || between(c, 0x2066, 0x2069)) return 'bidi'; // reorder what is shown
  if (between(c, 0xe0000, 0xe007f) || between(c, 0xe0100, 0xe01ef)) return 'tag'; // carry text that is never shown
  // Zero width, direction marks, soft hyphen, Unicode line ends: often pasted in by accident.
  return between(c, 0x200b, 0x200f) || between(c, 0x2060, 0x2064) || INVISIBLE.has(c) ? 'invisible' : null;
};

const EMOJI_NEAR = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F/u;
const selector = (c: number): boolean => between(c, 0xfe00, 0xfe0f);
const hex = (c: number): string => `U+${c.toString(16).toUpperCase().padStart(4, '0')}`;

/** Reports what cannot be seen, once per kind, with how many and the first line. Form feeds become spaces. */
const inspect = (text: string, findings: Findings): string => {
  const seen = new Map<Unseen, { line: number; code: number; count: number }>();
  let line = 1;
  let before = 0;
  for (const char of text) {
    const c = char.codePointAt(0) as number;
    let kind = unseen(c);
    // A family emoji is joined by zero-width joiners: those are seen.
    if (kind === 'invisible' && c === 0x200d && EMOJI_NEAR.test(String.fromCodePoint(before))) kind = null;
    // One variation selector picks an emoji's look; a run of them carries bytes.
    if (selector(c) && selector(before)) kind = 'tag';
    if (kind) {
      const known = seen.get(kind);
      if (known) known.count++;
      else seen.set(kind, { line, code: c, count: 1 });
    }
    if (c === 0x0a) line++;
    before = c;
  }
  for (const [kind, { line: at, code, count }] of seen) {
    const where = { line: at, params: { char: hex(code), count } };
    if (kind === 'control') findings.refuse('text_control', where);
    else if (kind === 'bidi') findings.refuse('text_bidi', where);
    else if (kind === 'tag') findings.refuse('text_hidden', where);
    else if (kind === 'feed') findings.warn('text_form_feed', where);
    else findings.warn('text_invisible', where);
  }
  return seen.has('feed') ? text.replaceAll('\u000b', ' ').replaceAll('\u000c', ' ') : text;
};

export const readText = (bytes: Uint8Array, findings: Findings): string => {
  const { text: raw, encoding } = decode(bytes);
  if (encoding === 'windows-1252') findings.error('bytes_not_utf8', { params: { encoding } });
  else if (encoding !== 'utf-8') findings.error('bytes_utf16', { params: { encoding } });
  let text = raw;
  if (text.startsWith('\ufeff')) {
    text = text.slice(1);
    if (encoding === 'utf-8') findings.warn('bytes_bom', { line: 1 });
  }
  text = text.replaceAll('\r\n', '\n');
  if (text.includes('\r')) {
    findings.warn('bytes_lone_cr');
    text = text.replaceAll('\r', '\n');
  }
  return inspect(text, findings);
};
