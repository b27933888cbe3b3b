import assert from 'node:assert/strict';
import { hash32, Random } from '../../kitchen/sample/random.js';
import { allProblems } from './checks/index.js';
import type { Scenario } from './scenario.js';
import { workspaceOf } from './stack.js';
import { World, type Ground } from './world.js';

/** Runs one scenario in its world and then holds everything against the invariants. @throws when either fails. */
export const runScenario = async (ground: Ground, scenario: Scenario, seed: number): Promise<void> => {
  const world = await World.open(ground, workspaceOf(scenario));
  try {
    await scenario.run(world, new Random((seed ^ hash32(scenario.name)) >>> 0));
  } finally {
    await world.recover();
  }
  const problems = await allProblems(world);
  assert.deepEqual(problems, [], `${scenario.name}: invariants do not hold`);
};

/** The command that repeats a scenario. */
export const repeatCommand = (scenario: Scenario, seed: number): string => `npm run faults -- --only ${scenario.name} --seed ${seed}`;
