import { BUDGET } from '../../disclose/budget.js';
import { characters } from '../../disclose/escape.js';
import { indexBlock, WHOLE_UP_TO } from '../../disclose/index-block.js';
import { type LibraryRule } from '../rule.js';

/** All skills with their tags in the prompt's index. A larger library is never shown whole, so only its nearest few count. */
export const indexSize: LibraryRule = {
  codes: ['index_long'],
  checkAll: ({ snapshot }) => {
    const skills = [...snapshot.skills.values()];
    const longest = skills.sort((a, b) => characters(b.description) - characters(a.description)).slice(0, WHOLE_UP_TO);
    const size = longest.length === 0 ? 0 : characters(indexBlock(longest));
    if (size <= BUDGET.index) return [];
    return [{ severity: 'error', code: 'index_long', path: '', params: { size, limit: BUDGET.index, skills: longest.length } }];
  },
};
