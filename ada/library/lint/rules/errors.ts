import { bodyOf, report, type Rule } from '../rule.js';

/** Every frequent error has its cause and its correction: `code` → cause → correction. */
export const errors: Rule = {
  codes: ['errors_missing', 'error_without_fix'],
  check: (skill, library) => {
    const found = report(skill, library);
    const section = bodyOf(skill).sections.find((s) => s.heading === 'Errores frecuentes');
    if (!section) return [];
    const lines = section.text.split('\n');
    const starts = lines.flatMap((line, i) => (/^\s{0,3}[-*+•]\s+\S/.test(line) || /^\s{0,3}\d{1,2}[.)]\s+\S/.test(line) ? [i] : []));
    if (starts.length === 0) found.error('errors_missing', { at: section.line });
    starts.forEach((from, k) => {
      const item = lines.slice(from, starts[k + 1]).join(' ');
      const parts = item.split(/→|->|=>/).filter((part) => part.trim().length > 1);
      if (parts.length < 3)
        found.error('error_without_fix', {
          at: lineIn(skill.body, lines[from]!, section.line),
          params: { error: lines[from]!.trim().slice(0, 60) },
        });
    });
    return found.problems;
  },
};
const lineIn = (body: string, line: string, after: number): number =>
  Math.max(after, body.split('\n').findIndex((l, i) => i >= after && l === line) + 1);
