import { hasPlanB } from '../../read/body.js';
import { bodyOf, report, type Rule, stepLine } from '../rule.js';

/** A step says what to do when it finds nothing. */
export const planB: Rule = {
  codes: ['step_without_plan_b'],
  check: (skill, library) => {
    const found = report(skill, library);
    for (const step of bodyOf(skill).steps) {
      if (!hasPlanB(step.text)) found.error('step_without_plan_b', { at: stepLine(skill, step.number), params: { step: step.number } });
    }
    return found.problems;
  },
};
