import { escapeAttribute, escapeText } from '../disclose/escape.js';
import { type Finding } from './finding.js';
import { isBidi, isInvisible, isTag } from './normalise.js';
import { scanText } from './index.js';

/** Where a text of the workspace comes from. */
export type WorkspaceSource = 'playbook' | 'crm' | 'tool_result';
export interface Wrapped {
  text: string;
  findings: Finding[];
}

const TAG = 'workspace_text';
/** Emoji keep their joiners and selectors; everything else that takes no room goes, tags and direction marks always. */
const withoutHidden = (text: string): string => {
  let out = '';
  let before = 0;
  for (const c of text) {
    const cp = c.codePointAt(0)!;
    const emoji =
      (cp === 0x200d || cp === 0xfe0f) && /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u.test(String.fromCodePoint(before));
    before = cp;
    if (isTag(cp) || isBidi(cp) || (isInvisible(cp) && !emoji)) continue;
    // eslint-disable-next-line no-control-regex -- control characters are what is taken out
    out += /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(c) ? ' ' : c;
  }
  return out;
};
/** Brackets of other scripts that a reader takes for ours. */
const BRACKETS: Readonly<Record<string, string>> = {
  '＜': '<',
  '﹤': '<',
  '＞': '>',
  '﹥': '>',
  '＆': '&',
  '［': '[',
  '］': ']',
  '｜': '|',
};

const plain = (text: string): string => withoutHidden(text).replace(/[＜﹤＞﹥＆［］｜]/g, (c) => BRACKETS[c]!);

/** A text as it may stand between tags: what nobody could see is gone, a line that names a speaker is quoted, brackets are escaped once. */
export const readable = ({ source, ref, text }: { source: WorkspaceSource; ref: string; text: string }): Wrapped => {
  const raw = text.replaceAll('\r\n', '\n');
  const findings = scanText(raw, { path: `${source}:${ref}`, trust: 'tercero', quotedOk: false });
  const visible = plain(raw).replace(/\[(\/?)inst\]/gi, '($1INST)');
  // A line that names a speaker is quoted, so that it does not begin one.
  const speakers = new Set(
    scanText(visible, { path: '', trust: 'tercero' })
      .filter((f) => f.category === 'breakout')
      .map((f) => f.line),
  );
  const lines = visible.split('\n').map((line, i) => (speakers.has(i + 1) || SPEAKER.test(line) ? `› ${line}` : line));
  return { text: escapeText(lines.join('\n').trim()), findings };
};

/**
 * Texts of somebody else for the prompt, one after the other: in a tag that says whose they are, escaped once, with exactly one closing tag, never part
 * of a recipe. What would close a block of ours or speak as the system is still there to read and does nothing.
 */
export const inTag = ({ source, ref, parts }: { source: WorkspaceSource; ref: string; parts: readonly Wrapped[] }): Wrapped => {
  const findings = parts.flatMap((part) => part.findings);
  const caution = [...new Set(findings.map((f) => f.category))].sort().join(' ');
  const attributes = `source="${source}" ref="${escapeAttribute(plain(ref))}"${caution === '' ? '' : ` caution="${caution}"`}`;
  return { text: `<${TAG} ${attributes}>\n${parts.map((part) => part.text).join('\n')}\n</${TAG}>`, findings };
};
// The scan stops counting after a while; this does not.
const SPEAKER = /^[ \t>*_#-]{0,20}(?:system|developer|assistant|human)\b[ \t*_a-z]{0,12}:/i;
