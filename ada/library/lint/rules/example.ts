import { fold, toolsIn } from '../../read/body.js';
import { bodyOf, report, type Rule } from '../rule.js';

const ARROW = /→|->|=>/;
const QUOTE = /[«"“][^»"”]{2,}[»"”]/;

/** The example runs from what somebody says over calls and what they brought to the answer. */
export const example: Rule = {
  codes: ['example_incomplete'],
  check: (skill, library) => {
    const found = report(skill, library);
    const section = bodyOf(skill).sections.find((s) => s.heading === 'Ejemplo');
    if (!section) return [];
    const parts = section.text
      .split(ARROW)
      .map((part) => part.trim())
      .filter((part) => part !== '');
    const [question = '', ...rest] = parts;
    const answer = rest.at(-1) ?? '';
    const between = rest.slice(0, -1);
    const isCall = (part: string): boolean => toolsIn(part).length > 0 || /\bpasos? \d/.test(fold(part));
    const call = between.findIndex(isCall);
    const missing = !QUOTE.test(question)
      ? 'question'
      : call < 0
        ? 'call'
        : between.length < 2 || !between.slice(call + 1).some((part) => part.length > 2)
          ? 'result'
          : !QUOTE.test(answer)
            ? 'answer'
            : null;
    if (missing) found.error('example_incomplete', { at: section.line, params: { missing } });
    return found.problems;
  },
};
