import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { SourceFinding } from '../dump.js';

/** What no source of Ada may import or call: whatever resolves a card, holds, captures, pays, sets a cap, or speaks past the read-only port. */
const RULES: ReadonlyArray<{ rule: string; pattern: RegExp }> = [
  {
    rule: 'imports what spends',
    pattern:
      /\bfrom\s+['"][^'"]*(?:db\/(?:ledger|accounts|decisions|reveals?|effects?|writes|cards)|activities\/(?:decide|work|steps|readings|control|operator)|workflows\/(?!budget))[^'"]*['"]|\bimport\(\s*['"][^'"]*(?:db|activities|workflows)\//,
  },
  {
    rule: 'calls what spends',
    pattern:
      /(?<![.\w'"`])(?:resolveDecision|resolve_decision|approveStart|hold|capture|captureHold|settle|settleWrite|grant|spendOutside|setCap|setCaps|revealContact|sendWrite|askUndo)\s*\(|\.(?:resolveDecision|approve|capture|reveal|setCaps?|grant|charge)\s*\(/,
  },
  {
    rule: 'calls a tool that pays or writes',
    pattern:
      /\bcall\w*\(\s*(?:[\w.]+\s*,\s*)?['"](?:people_reveal|crm_save_companies|crm_undo|sequence_create_draft)['"]|['"]people_reveal['"]\s*:/,
  },
  { rule: 'a paid token', pattern: /scope:\s*['"]paid['"](?!\s*\|)|\bpaid[_ ]?token\b/i },
  { rule: 'SQL', pattern: /\b(?:insert\s+into|update\s+\w+\s+set|delete\s+from)\b|\bfrom\s+['"]pg['"]/i },
];

/** A rule may be named where it is refused: these lines say no. */
const SAYS_NO = /!==?\s*['"]|===\s*['"]paid['"]|^\s*(?:\/\/|\*|\/\*\*)/;

export const scanText = (file: string, text: string): SourceFinding[] =>
  text.split('\n').flatMap((line, i) => {
    if (SAYS_NO.test(line) && !/\bimport\b/.test(line)) return [];
    return RULES.filter(({ pattern }) => pattern.test(line)).map(({ rule }) => ({
      file,
      line: i + 1,
      text: line.trim().slice(0, 160),
      rule,
    }));
  });

/** All sources under a folder. */
export const scanFolder = async (root: string, folder: string): Promise<{ files: number; findings: SourceFinding[] }> => {
  const findings: SourceFinding[] = [];
  let files = 0;
  const walk = async (at: string): Promise<void> => {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) await walk(path);
      else if (/\.ts$/.test(entry.name)) {
        files++;
        findings.push(...scanText(relative(root, path), await readFile(path, 'utf8')));
      }
    }
  };
  await walk(join(root, folder));
  return { files, findings };
};
