import { type Trust } from '../types.js';

/** What kind of attack a text looks like. */
export const CATEGORIES = [
  'override',
  'role_change',
  'exfiltration',
  'hidden_text',
  'breakout',
  'foreign',
  'destructive',
  'credentials',
  'auto_approval',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** Something in a text that tries to steer whoever reads it. */
export interface Finding {
  category: Category;
  /** `block`: the text may not be used. `report`: a person should look. */
  severity: 'block' | 'report';
  /** Stable id of the rule, e.g. `override.previous_instructions`. */
  rule: string;
  path: string;
  /** Front-matter key when it is not in the body, e.g. `metadata.gatillos`. */
  key?: string;
  /** Line in the text that was scanned, from 1. */
  line: number;
  /** The raw text around it, invisible characters and brackets escaped, ≤ 80 code points. */
  excerpt: string;
  /** It lies in quotes, a code span, a blockquote or a table of limits. */
  quoted: boolean;
  /** It was written so that a person would not read it: other scripts, split letters, encoded. */
  disguised: boolean;
}

export interface ScanOptions {
  path: string;
  trust: Trust;
  /** A quoted attack is a report. By default true except for third parties, who could quote anything. */
  quotedOk?: boolean;
  /** Names that may be called besides the catalogue's and the session's; hosts that may be linked besides the reserved ones. */
  tools?: readonly string[];
  hosts?: readonly string[];
  /** Counts the work done, so that a test can bound it. */
  meter?: Meter;
}
export interface Meter {
  steps: number;
}

/** A place found by a rule, in offsets of the raw text. */
export interface Hit {
  from: number;
  to: number;
  disguised?: boolean;
}

const VISIBLE_LIMIT = 80;
/** Raw text as a person can read it safely: what is invisible becomes `\u{…}`, brackets become entities. */
export const escapeExcerpt = (raw: string): string => {
  const escaped: string[] = [];
  for (const c of raw) {
    if (c === '\n' || c === '\t' || c === '\r') escaped.push(' ');
    else if (c === '<') escaped.push('&lt;');
    else if (c === '>') escaped.push('&gt;');
    else if (/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/u.test(c))
      escaped.push(`\\u{${c.codePointAt(0)!.toString(16)}}`);
    else escaped.push(c);
  }
  let text = '';
  let size = 0;
  for (const piece of escaped) {
    const more = [...piece].length;
    if (size + more > VISIBLE_LIMIT - 1) return `${text}…`;
    text += piece;
    size += more;
  }
  return text;
};
