import type { Language } from '../../contracts/catalog/index.js';
import { anchorsOf, flat, type Anchor } from '../anchors.js';
import type { Known } from '../harvest.js';
import { literalsOf, type Literal } from './numbers.js';

/** A narration taken apart once, for all rules. */

export interface Sentence {
  text: string;
  at: number;
  end: number;
  anchors: Anchor[];
}
export interface Mention {
  folded: string;
  at: number;
  end: number;
}
export interface Narration {
  raw: string;
  /** The same length, with anchors, names of rows, addresses and codes blanked out. */
  masked: string;
  /** The same with codes left in: what an id of ours looks like. */
  coded: string;
  sentences: Sentence[];
  anchors: Anchor[];
  mentions: Mention[];
  literals: Literal[];
}

const BLANK = '\uE000';
const NO_PROSE =
  /https?:\/\/\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\p{L}\p{N}])(?:www\.)?[\w-]+\.(?:com|mx|org|net|gob)(?:\.\w{2})?(?:\/\S*)?(?![\p{L}\p{N}])/giu;
/** Words of letters and digits with a dash between, and RFCs: codes, not figures. */
const CODES =
  /(?<![\p{L}\p{N}-])(?=[\p{L}\p{N}-]*\p{L})(?=[\p{L}\p{N}-]*\d)[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+(?![\p{L}\p{N}-])|(?<![\p{L}\p{N}])[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{2,3}(?![\p{L}\p{N}])/gu;
const LEGAL = /[,\s]+(?:s\.?\s?a\.?\b.*|s\.?\s?de\s.*|sapi\b.*|s\.?c\.?|a\.?c\.?|inc\.?|llc\.?|ltd\.?)$/;
/** Dots that end no sentence. */
const SHORTENED =
  /(?:^|[\s(])(?:s\.a|c\.v|r\.l|s|c|v|aprox|no|num|núm|sr|sra|dr|dra|ing|lic|av|art|p\.m|a\.m|ee\.uu|vs|inc|ltd|co|mr|ms|e\.g|i\.e|p\.ej|máx|mín|mx)$/i;

const letter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char);

/** Where names of rows stand in a text. Longer names first, so that one inside another is not found twice. */
export const mentionsOf = (text: string, known: Known): Mention[] => {
  const small = flat(text);
  const taken = new Uint8Array(text.length);
  const found: Mention[] = [];
  const rows = [...known.rows].sort((a, b) => b[0].length - a[0].length);
  for (const [folded, row] of rows) {
    const short = folded.replace(LEGAL, '').trim();
    for (const needle of short.length >= 4 && short !== folded ? [folded, short] : [folded]) {
      for (let at = small.indexOf(needle); at !== -1; at = small.indexOf(needle, at + needle.length)) {
        const end = at + needle.length;
        if (letter(small[at - 1]) || letter(small[end]) || taken[at] || taken[end - 1]) continue;
        // A title in everyday words, or a one-word name, is meant only when written as a name.
        if ((row.title || !needle.includes(' ')) && !/^[\p{Lu}\p{N}]/u.test(text.slice(at))) continue;
        taken.fill(1, at, end);
        found.push({ folded, at, end });
      }
    }
  }
  return found.sort((a, b) => a.at - b.at);
};

const blank = (text: string, spans: ReadonlyArray<{ at: number; end: number }>): string => {
  const chars = text.split('');
  for (const { at, end } of spans) chars.fill(BLANK, at, end);
  return chars.join('');
};
const spansOf = (text: string, pattern: RegExp): Array<{ at: number; end: number }> =>
  [...text.matchAll(pattern)].map((m) => ({ at: m.index, end: m.index + m[0].length }));

/** Cuts at full stops, question and exclamation marks and new lines; not at «S.A. de C.V.», `1.` or 4.6. */
const cut = (masked: string): Array<{ at: number; end: number }> => {
  const parts: Array<{ at: number; end: number }> = [];
  // What is quoted is one citation, however many sentences it has.
  const quotes = spansOf(masked, /«[^«»]*»/g);
  let at = 0;
  for (const match of masked.matchAll(/[.!?…]+["»”)\]]*(?=\s|$)|\n+/g)) {
    const end = match.index + match[0].length;
    if (quotes.some((quote) => match.index > quote.at && end < quote.end)) continue;
    const before = masked.slice(at, match.index);
    if (match[0].startsWith('.') && (SHORTENED.test(before.slice(-12)) || /(?:^|\n)\s*\d{1,2}$/.test(before))) continue;
    if (
      match[0].startsWith('.') &&
      /^\s+\p{Ll}/u.test(masked.slice(end, end + 8)) &&
      before.trim().length > 0 &&
      !/^\s*\n/.test(masked.slice(end))
    )
      continue;
    parts.push({ at, end });
    at = end;
  }
  if (at < masked.length) parts.push({ at, end: masked.length });
  return parts.filter((part) => masked.slice(part.at, part.end).trim() !== '');
};

/** Sentences of a masked text; anchors alone after a full stop belong to the sentence before. */
const spansIn = (masked: string, unanchored: string): Array<{ at: number; end: number }> => {
  const spans: Array<{ at: number; end: number }> = [];
  for (const { at, end } of cut(masked)) {
    const last = spans.at(-1);
    const part = unanchored.slice(at, end);
    if (last && part.includes(BLANK) && part.replace(/[\s.,;\uE000]+/g, '') === '') last.end = end;
    else spans.push({ at, end });
  }
  return spans;
};
export const sentenceSpans = (raw: string): Array<{ at: number; end: number }> => {
  const unanchored = blank(raw, anchorsOf(raw));
  return spansIn(unanchored, unanchored);
};

export const narrationOf = (raw: string, known: Known, language: Language): Narration => {
  const anchors = anchorsOf(raw);
  const unanchored = blank(raw, anchors);
  const mentions = mentionsOf(unanchored, known);
  const named = blank(unanchored, mentions);
  const coded = blank(named, spansOf(named, NO_PROSE));
  const masked = blank(coded, spansOf(coded, CODES));
  const sentences = spansIn(masked, unanchored).map(({ at, end }): Sentence => ({
    text: raw.slice(at, end),
    at,
    end,
    anchors: anchors.filter((a) => a.at >= at && a.at < end),
  }));
  return { raw, masked, coded, sentences, anchors, mentions, literals: literalsOf(masked, language) };
};

export const sentenceAt = (narration: Narration, at: number): Sentence | undefined =>
  narration.sentences.find((s) => at >= s.at && at < s.end);
