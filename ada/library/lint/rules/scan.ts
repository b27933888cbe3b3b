import { CATEGORIES, type Finding, scanSkill, scanSnapshot } from '../../scan/index.js';
import { POLICY } from '../../trust.js';
import { type Problem } from '../../types.js';
import { type LibraryRule, report, type Rule } from '../rule.js';

const codeOf = (finding: Finding): string => `scan_${finding.category}`;
const paramsOf = (finding: Finding): Record<string, string> => ({ rule: finding.rule, excerpt: finding.excerpt });

/** What in a skill tries to steer its reader. */
export const scan: Rule = {
  codes: CATEGORIES.map((c) => `scan_${c}`),
  check: (skill, library) => {
    const found = report(skill, library);
    for (const finding of scanSkill(skill)) {
      // From somebody we do not know, what a person should look at stops the skill until one did.
      const stops = finding.severity === 'block' || POLICY[skill.trust].strict;
      const beside = finding.path === skill.path ? undefined : finding.path.slice(skill.path.lastIndexOf('/') + 1);
      found[stops ? 'error' : 'warn'](codeOf(finding), {
        ...(finding.key !== undefined
          ? { key: finding.key }
          : beside === undefined
            ? { at: finding.line }
            : { reference: beside, line: finding.line }),
        params: paramsOf(finding),
      });
    }
    return found.problems;
  },
};

/** The same in shared references and bundles. */
export const scanShared: LibraryRule = {
  codes: CATEGORIES.map((c) => `scan_${c}`),
  checkAll: ({ snapshot }) =>
    scanSnapshot({ ...snapshot, skills: new Map() }).map((f): Problem => ({
      severity: f.severity === 'block' ? 'error' : 'warning',
      code: codeOf(f),
      path: f.path,
      line: f.line,
      params: paramsOf(f),
    })),
};
