import { lookalike } from './confusables.js';
import { type Meter } from './finding.js';

/**
 * Text as it would be understood, with the place of every character in the raw text. Two layers: `flat` undoes encodings and keeps
 * punctuation, lines and accents (for marks, commands and addresses); `words` is what a sentence says (for phrases).
 */
export interface Flat {
  /** Lower case. One UTF-16 unit of it is one entry of `at`. */
  text: string;
  at: Int32Array;
  /** 1 where the character was not written as itself. */
  masked: Uint8Array;
}
export interface Word {
  text: string;
  /** Reading with digits taken as letters (`1gn0ra`), when it has any. */
  alt: string | null;
  from: number;
  to: number;
  disguised: boolean;
  /** A sentence ended before it; any punctuation stands before it. */
  sentence: boolean;
  pause: boolean;
}

/** Stand for a whole address in the stream of words. */
export const URL_WORD = '@url';
export const MAIL_WORD = '@mail';

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  zwj: '',
  zwnj: '',
  colon: ':',
  sol: '/',
  lpar: '(',
  rpar: ')',
  lsqb: '[',
  rsqb: ']',
  newline: '\n',
  tab: ' ',
  vert: '|',
  bsol: '\\',
  excl: '!',
  num: '#',
  period: '.',
  comma: ',',
  aacute: 'á',
  eacute: 'é',
  iacute: 'í',
  oacute: 'ó',
  uacute: 'ú',
  ntilde: 'ñ',
  uuml: 'ü',
  iquest: '¿',
  iexcl: '¡',
};
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,8}));/iy;
const PERCENT = /(?:%[0-9a-f]{2}){1,64}/iy;
const ESCAPE = /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/iy;

export const isTag = (cp: number): boolean => cp >= 0xe0000 && cp <= 0xe007f;
export const isBidi = (cp: number): boolean => (cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069);
/** Takes no room on the screen: zero width, soft hyphen, fillers, variation selectors, directional marks. */
export const isInvisible = (cp: number): boolean =>
  cp === 0xad ||
  cp === 0x34f ||
  cp === 0x61c ||
  cp === 0x115f ||
  cp === 0x1160 ||
  cp === 0x17b4 ||
  cp === 0x17b5 ||
  (cp >= 0x180b && cp <= 0x180f) ||
  (cp >= 0x200b && cp <= 0x200f) ||
  (cp >= 0x2060 && cp <= 0x2064) ||
  (cp >= 0x206a && cp <= 0x206f) ||
  cp === 0x3164 ||
  cp === 0xfeff ||
  cp === 0xffa0 ||
  (cp >= 0xfe00 && cp <= 0xfe0f) ||
  (cp >= 0xe0100 && cp <= 0xe01ef) ||
  isBidi(cp);

const ASCII_LETTER = /^[a-z]$/i;
const fromCodePoint = (digits: string, base: number): string | null => {
  const cp = Number.parseInt(digits, base);
  return cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff) ? null : String.fromCodePoint(cp);
};
const utf8 = new TextDecoder('utf-8', { fatal: true });
const percentDecoded = (text: string): string | null => {
  try {
    return utf8.decode(Uint8Array.from(text.slice(1).split('%'), (h) => Number.parseInt(h, 16)));
  } catch {
    return null;
  }
};

/** What is written at `i` in an encoding, decoded, and how long it was; null when it is plain text. */
const encodedAt = (raw: string, i: number): { text: string; length: number } | null => {
  const c = raw[i];
  const rule = c === '&' ? ENTITY : c === '%' ? PERCENT : c === '\\' ? ESCAPE : null;
  if (!rule) return null;
  rule.lastIndex = i;
  const m = rule.exec(raw);
  if (!m) return null;
  const text =
    c === '%'
      ? percentDecoded(m[0])
      : c === '&' && m[3] !== undefined
        ? (ENTITIES[m[3].toLowerCase()] ?? null)
        : m[1] !== undefined
          ? fromCodePoint(m[1], 16)
          : c === '&'
            ? fromCodePoint(m[2]!, 10)
            : fromCodePoint((m[2] ?? m[3])!, 16);
  return text === null ? null : { text, length: m[0].length };
};

export const flatten = (raw: string, meter?: Meter): Flat => {
  const out: string[] = [];
  const at: number[] = [];
  const masked: number[] = [];
  // An invisible character hides only what it splits.
  let split = false;
  const push = (c: string, from: number, mask: boolean): void => {
    const cp = c.codePointAt(0)!;
    if (cp < 0x80) return emit(c.toLowerCase(), from, mask);
    if (isTag(cp)) return cp > 0xe001f && cp < 0xe007f ? emit(String.fromCharCode(cp - 0xe0000).toLowerCase(), from, true) : undefined;
    if (isInvisible(cp)) return void (split = true);
    const folded = c.normalize('NFKC');
    emit(folded.toLowerCase(), from, mask || (folded !== c && c !== 'ª' && c !== 'º' && ASCII_LETTER.test(folded)));
  };
  const emit = (text: string, from: number, mask: boolean): void => {
    for (const unit of text.split('')) {
      out.push(unit);
      at.push(from);
      masked.push(mask || split ? 1 : 0);
    }
    split = false;
  };
  for (let i = 0; i < raw.length;) {
    if (meter) meter.steps++;
    const encoded = encodedAt(raw, i);
    if (encoded) {
      for (const c of encoded.text) push(c, i, ASCII_LETTER.test(c));
      i += encoded.length;
      continue;
    }
    const cp = raw.codePointAt(i)!;
    const size = cp > 0xffff ? 2 : 1;
    push(raw.slice(i, i + size), i, false);
    i += size;
  }
  return { text: out.join(''), at: Int32Array.from(at), masked: Uint8Array.from(masked) };
};

/** Where a stretch of the flat text lies in the raw one. */
export const rawSpan = (flat: Flat, from: number, to: number, rawLength: number): { from: number; to: number; disguised: boolean } => {
  const last = Math.max(from, to - 1);
  let end = last + 1;
  while (end < flat.at.length && flat.at[end] === flat.at[last]) end++;
  let disguised = false;
  for (let i = from; i < to; i++) if (flat.masked[i] === 1) disguised = true;
  return { from: flat.at[from] ?? rawLength, to: flat.at[end] ?? rawLength, disguised };
};

const WORD_CHAR = /[\p{L}\p{N}]/u;
const MARK = /\p{M}/u;
const LEET: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };
const ADDRESS = /(?:https?|ftp|wss?):\/\/[^\s<>"'`)\]]{1,2000}/y;
const MAIL = /(?:mailto:)?[a-z0-9._+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}/y;
const HOST =
  /(?:[a-z0-9-]{1,63}\.){1,4}(?:com|net|org|io|mx|dev|xyz|co|app|site|ru|cn|info|me|test|example|invalid)(?:\/[^\s<>"'`)\]]{0,500})?(?![a-z0-9.-])/y;
const INLINE_TAG = /<\/?[a-z][^<>]{0,120}>/y;
const DECORATION = new Set(['*', '~', '`', '\\']);

/** A letter or digit as Latin lower case without accents; null when it is not one. Combining marks give ''. */
const foldLetter = (c: string): { text: string; imitated: boolean } | null => {
  if (c < '\u0080') return /[a-z0-9]/.test(c) ? { text: c, imitated: false } : null;
  const like = lookalike(c);
  if (like) return { text: like, imitated: true };
  if (MARK.test(c)) return { text: '', imitated: false };
  const base = String.fromCodePoint(c.normalize('NFD').codePointAt(0)!);
  const again = lookalike(base);
  if (again) return { text: again, imitated: true };
  return WORD_CHAR.test(base) ? { text: base, imitated: false } : null;
};

/** The words of a text, across lines and markdown marks. */
export const wordsOf = (flat: Flat, raw: string, meter?: Meter): Word[] => {
  const { text } = flat;
  const words: Word[] = [];
  let current = '';
  let from = 0;
  let disguised = false;
  let sentence = false;
  let pause = false;
  const rawAt = (i: number): number => flat.at[i] ?? raw.length;
  const close = (i: number): void => {
    if (current === '') return;
    const leet = /[0-9]/.test(current) && /[a-z]/.test(current) ? current.replace(/[013457]/g, (d) => LEET[d]!) : null;
    words.push({ text: current, alt: leet === current ? null : leet, from, to: rawAt(i), disguised, sentence, pause });
    current = '';
    disguised = sentence = pause = false;
  };
  const whole = (word: string, i: number, length: number): void => {
    words.push({ text: word, alt: null, from: rawAt(i), to: rawAt(i + length), disguised: false, sentence, pause });
    sentence = pause = false;
  };
  const letterAt = (i: number): boolean => {
    if (i >= text.length) return false;
    const f = foldLetter(charAt(text, i));
    return f !== null && f.text !== '';
  };
  for (let i = 0; i < text.length;) {
    if (meter) meter.steps++;
    const c = charAt(text, i);
    const letter = foldLetter(c);
    if (letter) {
      if (current === '') {
        const address = addressAt(text, i);
        if (address) {
          whole(address.word, i, address.length);
          i += address.length;
          continue;
        }
        if (letter.text !== '') from = rawAt(i);
      }
      current += letter.text;
      disguised ||= letter.imitated || flat.masked[i] === 1;
      i += c.length;
      continue;
    }
    // Marks inside a word are taken out of it: ig**no**re, ig<b>no</b>re, don't, instruc-⏎ciones.
    const inside = current !== '' ? insideWord(text, i, letterAt) : 0;
    if (inside > 0) {
      disguised ||= c !== "'" && c !== '’' && c !== '-';
      i += inside;
      continue;
    }
    close(i);
    if (c === '<') {
      INLINE_TAG.lastIndex = i;
      const tag = INLINE_TAG.exec(text);
      if (tag) {
        i += tag[0].length;
        continue;
      }
    }
    if ('.,;:!?()[]{}|"—'.includes(c)) pause = true;
    if ('.!?'.includes(c) && endsSentence(raw, rawAt(i))) sentence = true;
    i += c.length;
  }
  close(text.length);
  return words;
};

const charAt = (text: string, i: number): string => String.fromCodePoint(text.codePointAt(i)!);
const addressAt = (text: string, i: number): { word: string; length: number } | null => {
  const before = text[i - 1];
  if (before !== undefined && /[a-z0-9@.]/.test(before)) return null;
  for (const [rule, word] of [
    [ADDRESS, URL_WORD],
    [MAIL, MAIL_WORD],
    [HOST, URL_WORD],
  ] as const) {
    rule.lastIndex = i;
    const m = rule.exec(text);
    if (m) return { word, length: m[0].length };
  }
  return null;
};
const insideWord = (text: string, i: number, letterAt: (i: number) => boolean): number => {
  const c = text[i]!;
  if ((c === "'" || c === '’') && letterAt(i + 1)) return 1;
  if (c === '-' || c === '‐') {
    const broken = /-[ \t]{0,4}\n[ \t>]{0,8}/y;
    broken.lastIndex = i;
    const m = broken.exec(text);
    return m && letterAt(i + m[0].length) ? m[0].length : 0;
  }
  if (c === '<') {
    INLINE_TAG.lastIndex = i;
    const tag = INLINE_TAG.exec(text);
    return tag && letterAt(i + tag[0].length) ? tag[0].length : 0;
  }
  let n = 0;
  while (n < 6 && DECORATION.has(text[i + n]!)) n++;
  return n > 0 && n < 6 && letterAt(i + n) ? n : 0;
};
const SENTENCE_END = /[.!?]["»”)*]{0,3}\s{1,4}["«“¿¡(*]{0,3}\p{Lu}/uy;
const endsSentence = (raw: string, i: number): boolean => {
  SENTENCE_END.lastIndex = i;
  return SENTENCE_END.test(raw);
};

const MIN_SPACED = 5;
/** Joins letters that stand alone (`i g n o r a`): by the wider gaps where there are some, by known words where there are none. */
export const joinSpaced = (words: readonly Word[], known: ReadonlySet<string>): Word[] => {
  const out: Word[] = [];
  for (let i = 0; i < words.length;) {
    let j = i;
    while (j < words.length && words[j]!.text.length === 1 && /[a-z]/.test(words[j]!.alt ?? words[j]!.text)) j++;
    if (j - i < MIN_SPACED) {
      const next = Math.max(j, i + 1);
      while (i < next) out.push(words[i++]!);
      continue;
    }
    for (const word of joinRun(words.slice(i, j), known)) out.push(word);
    i = j;
  }
  return out;
};
const joinRun = (run: readonly Word[], known: ReadonlySet<string>): Word[] => {
  const gaps = run.slice(1).map((w, k) => w.from - run[k]!.to);
  const narrow = gaps.reduce((a, b) => Math.min(a, b), Infinity);
  const pieces: Word[][] = [[run[0]!]];
  run.slice(1).forEach((w, k) => (gaps[k]! > narrow ? pieces.push([w]) : pieces.at(-1)!.push(w)));
  const read = (fromEnd: boolean): Word[] =>
    pieces.flatMap((piece) =>
      segments(piece.map((w) => w.text).join(''), known, fromEnd).map(([a, b]) => ({
        text: piece
          .slice(a, b)
          .map((w) => w.text)
          .join(''),
        alt: null,
        from: piece[a]!.from,
        to: piece[b - 1]!.to,
        disguised: true,
        sentence: piece[a]!.sentence,
        pause: piece[a]!.pause,
      })),
    );
  // "decisionsin" may be cut in two ways; both are read.
  const [there, back] = [read(false), read(true)];
  return there.length === back.length && there.every((w, i) => w.text === back[i]!.text) ? there : [...there, ...back];
};
const LONGEST = 20;
/** Cuts letters into known words, longest first, from the start or from the end; what is not known stays together. */
const segments = (letters: string, known: ReadonlySet<string>, fromEnd: boolean): [number, number][] => {
  const size = letters.length;
  const cuts: [number, number][] = [];
  const at = (i: number, length: number): [number, number] => (fromEnd ? [size - i - length, size - i] : [i, i + length]);
  let loose = 0;
  for (let i = 0; i < size;) {
    let length = Math.min(LONGEST, size - i);
    while (length > 1 && !known.has(letters.slice(...at(i, length)))) length--;
    if (length > 1) {
      if (loose > 0) cuts.push(at(i - loose, loose));
      loose = 0;
      cuts.push(at(i, length));
      i += length;
    } else {
      loose++;
      i++;
    }
  }
  if (loose > 0) cuts.push(at(size - loose, loose));
  return fromEnd ? cuts.reverse() : cuts;
};
