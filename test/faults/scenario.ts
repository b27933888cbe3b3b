import type { Random } from '../../kitchen/sample/random.js';
import type { World } from './world.js';

/** One thing that goes wrong and what must come of it. All invariants are checked after every one; `invariants` names those it is about. */
export interface Scenario {
  name: string;
  /** Number in the acceptance list, or `matrix` for a row of the fault matrix. */
  covers: string;
  invariants: readonly string[];
  /** Leaves every run at rest. Moments come from `rng`, so that the same seed breaks the same thing again. */
  run(world: World, rng: Random): Promise<void>;
}
