import { HEADINGS } from '../../read/body.js';
import { bodyOf, report, type Rule, stepLine } from '../rule.js';

/** The fixed template: a title and five headings, in order, with numbered steps. */
export const template: Rule = {
  codes: [
    'template_title_missing',
    'template_heading_missing',
    'template_heading_order',
    'template_heading_twice',
    'template_heading_extra',
    'steps_missing',
    'steps_out_of_order',
  ],
  check: (skill, library) => {
    const found = report(skill, library);
    const body = bodyOf(skill);
    if (!body.title) found.error('template_title_missing', { at: 1 });
    const present = body.sections.map((s) => s.heading);
    for (const heading of HEADINGS) if (!present.includes(heading)) found.error('template_heading_missing', { params: { heading } });
    body.sections.forEach((s, i) => {
      if (present.indexOf(s.heading) < i) found.error('template_heading_twice', { at: s.line, params: { heading: s.heading } });
      else if (i > 0 && HEADINGS.indexOf(s.heading) < HEADINGS.indexOf(present[i - 1]!)) {
        found.error('template_heading_order', { at: s.line, params: { heading: s.heading, before: present[i - 1]! } });
      }
    });
    for (const heading of body.others) found.warn('template_heading_extra', { params: { heading: heading.slice(0, 60) } });
    if (present.includes('Pasos') && body.steps.length === 0)
      found.error('steps_missing', { at: body.sections.find((s) => s.heading === 'Pasos')!.line });
    const wrong = body.steps.find((step, i) => step.number !== i + 1);
    if (wrong) found.warn('steps_out_of_order', { at: stepLine(skill, wrong.number), params: { step: wrong.number } });
    return found.problems;
  },
};
