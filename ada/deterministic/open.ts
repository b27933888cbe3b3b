import type { Skill } from '../../contracts/states.js';
import type { Turn } from './answer.js';
import type { Steps } from './follow.js';

/** Recipes that bring counting and comparing along with their own tools. */
const COUNTS: ReadonlySet<string> = new Set(['cuantos-hay', 'buscar-empresas-y-proveedores', 'quien-le-ha-vendido']);

/** Opens a recipe unless it is open. False when it cannot be: no room for a third, or not theirs. `counts`: any open one that counts will do. */
export const opened = function* (turn: Turn, name: Skill, counts = false): Steps<boolean> {
  const { open } = turn.view;
  if (open.some((skill) => skill.name === name) || (counts && open.some((skill) => COUNTS.has(skill.name)))) return true;
  const [outcome] = yield [{ name: 'skill_open', args: { name } }];
  return outcome?.ok === true || outcome?.code === 'ya_abierta';
};
