import { afterAll, beforeAll, describe, it } from 'vitest';
import { startTestStack } from '../support/stack.js';
import type { Stack } from '../../stack/up.js';
import { repeatCommand, runScenario } from './runner.js';
import type { Scenario } from './scenario.js';
import { faultsStack, forgetForeign } from './stack.js';
import { openGround, type Ground } from './world.js';

const STACK_MS = 300_000;
const SCENARIO_MS = 600_000;
const SEED = Number(process.env['FAULTS_SEED'] ?? '1');

/** The scenarios of a group as tests, on one stack that they share. */
export const describeScenarios = (group: string, scenarios: readonly Scenario[], more?: (ground: () => Ground) => void): void => {
  describe(`faults: ${group}`, () => {
    let stack: Stack | undefined;
    let ground: Ground | undefined;
    beforeAll(async () => {
      forgetForeign();
      stack = await startTestStack(faultsStack(scenarios));
      ground = await openGround(stack);
    }, STACK_MS);
    afterAll(async () => {
      await ground?.close();
      await stack?.stop();
    }, STACK_MS);
    const opened = (): Ground => {
      if (!ground) throw new Error('the stack did not start');
      return ground;
    };
    for (const scenario of scenarios) {
      it(
        `${scenario.covers} ${scenario.name} (${repeatCommand(scenario, SEED)})`,
        async () => runScenario(opened(), scenario, SEED),
        SCENARIO_MS,
      );
    }
    more?.(opened);
  });
};
