import type { Invariants } from '../../../contracts/operations.js';
import type { z } from 'zod';
import type { World } from '../world.js';
import { moneyProblems } from './money.js';
import { privacyProblems } from './privacy.js';
import { executions, historyProblems, openProblems } from './temporal.js';

/**
 * Everything that has to hold after any scenario: the invariants of the rows as the operators' route tells them, and those that
 * need the provider (I3, I4), Temporal (I10, I16) or the logs (I15). @returns what does not hold.
 */
export const allProblems = async (world: World): Promise<string[]> => {
  const opened = await openProblems(world);
  const rows = await world.api.get<z.infer<typeof Invariants>>('/v1/ops/invariants');
  const infos = await executions(world);
  return [
    ...opened,
    ...rows.invariants.filter((i) => !i.ok).map((i) => `${i.id}: ${i.detail}`),
    ...(await moneyProblems(world)),
    ...historyProblems(infos),
    ...(await privacyProblems(world, infos)),
  ];
};
