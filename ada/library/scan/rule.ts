import { type Category, type Finding, type Hit, type ScanOptions } from './finding.js';
import { type Flat, rawSpan } from './normalise.js';
import { phrase, type Phrase } from './phrases.js';

export interface RuleBase {
  id: string;
  category: Category;
  severity: Finding['severity'];
}
/** Looks for what sentences say, in Spanish and English. */
export interface PhraseRule extends RuleBase {
  phrases: readonly Phrase[];
}
export interface Scanned {
  raw: string;
  flat: Flat;
  options: ScanOptions;
}
/** Looks for marks, commands and addresses. `evenQuoted`: nobody can see it, so quoting excuses nothing. */
export interface TextRule extends RuleBase {
  evenQuoted?: true;
  find(scanned: Scanned): Hit[];
}

export const phraseRule = (
  id: string,
  severity: Finding['severity'],
  patterns: readonly string[],
  options?: { negationCounts?: boolean },
): PhraseRule => ({ id, category: id.split('.')[0] as Category, severity, phrases: patterns.map((p) => phrase(id, p, options)) });
export const textRule = (
  id: string,
  severity: Finding['severity'],
  find: TextRule['find'],
  options: { evenQuoted?: true } = {},
): TextRule => ({ id, category: id.split('.')[0] as Category, severity, find, ...options });

/**
 * Every place where one of the expressions matches the flat text. They have no nested quantifiers and bounded gaps: time grows with
 * the text only.
 */
export const inFlat =
  (...rules: readonly RegExp[]) =>
  ({ raw, flat }: Scanned): Hit[] =>
    rules.flatMap((r) => [...flat.text.matchAll(r)].map((m) => rawSpan(flat, m.index, m.index + m[0].length, raw.length)));
/** The same on the text as it was written. Only for what must be as it is to work: keys, tokens. */
export const inRaw =
  (...rules: readonly RegExp[]) =>
  ({ raw }: Scanned): Hit[] =>
    rules.flatMap((r) => [...raw.matchAll(r)].map((m) => ({ from: m.index, to: m.index + m[0].length })));
