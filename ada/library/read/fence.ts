import type { Findings } from './findings.js';
import { OUR_KEYS, SPEC_KEYS } from './keys.js';

/** Front matter and body of a file, and the line of the file at which each begins (from 1). */
export interface Fenced {
  matter: string;
  matterLine: number;
  body: string;
  bodyLine: number;
}

const FENCE = /^---[ \t]*$/;
const HEADING = /^#{1,6} /;
const CODE = /^ {0,3}(```|~~~)/;
const CONTINUES = new RegExp(`^(?:(?:${SPEC_KEYS.join('|')}):|[ \\t]+(?:${OUR_KEYS.join('|')}):)(?:[ \\t]|$)`);

/** A fence is a whole line, so `---` in a sentence or indented in a block is text. Null when the file has no front matter. */
export const splitFence = (text: string, findings: Findings): Fenced | null => {
  const lines = text.split('\n');
  const open = lines.findIndex((line) => line.trim() !== '');
  if (open < 0 || !FENCE.test(lines[open] as string)) {
    findings.refuse('fence_missing', { line: 1 });
    return null;
  }
  if (open > 0) findings.warn('fence_not_first', { line: open + 1 });
  const close = lines.findIndex((line, i) => i > open && FENCE.test(line));
  for (const i of [open, close]) if (i >= 0 && lines[i] !== '---') findings.warn('fence_trailing_space', { line: i + 1 });
  if (close < 0) {
    // What is there: up to the first heading (to YAML only a comment) or, without one, the first blank line.
    findings.error('fence_unclosed', { line: open + 1 });
    const heading = lines.findIndex((line, i) => i > open && HEADING.test(line));
    const blank = lines.findIndex((line, i) => i > open + 1 && line.trim() === '');
    const end = heading > 0 ? heading : blank > 0 ? blank : lines.length;
    return { matter: lines.slice(open + 1, end).join('\n'), matterLine: open + 2, body: lines.slice(end).join('\n'), bodyLine: end + 1 };
  }
  // Front matter that goes on after the fence: a `---` written inside a value ended it early, and what followed was lost from the contract.
  for (let i = close + 1; i < lines.length; i++) {
    const line = lines[i] as string;
    if (FENCE.test(line) || HEADING.test(line) || CODE.test(line)) break;
    if (CONTINUES.test(line)) {
      findings.refuse('fence_cuts_value', { line: close + 1, params: { lost: i + 1 } });
      break;
    }
  }
  return {
    matter: lines.slice(open + 1, close).join('\n'),
    matterLine: open + 2,
    body: lines.slice(close + 1).join('\n'),
    bodyLine: close + 2,
  };
};
