import { report, type Rule } from '../rule.js';

/** A skill that ends on purpose says so with this word. */
export const NO_NEXT = 'ninguna';

/** What comes after: it exists, is not itself, and is there at all. */
export const next: Rule = {
  codes: ['next_unknown', 'next_self', 'next_missing'],
  check: (skill, library) => {
    const found = report(skill, library);
    const key = 'metadata.siguiente';
    for (const name of skill.siguiente) {
      if (name === skill.name) found.error('next_self', { key });
      else if (name !== NO_NEXT && !library.snapshot.skills.has(name)) found.error('next_unknown', { key, params: { name } });
    }
    if (skill.siguiente.length === 0 && skill.cierra_con !== 'ninguna') found.error('next_missing', { key });
    return found.problems;
  },
};
