import type { Scenario } from '../scenario.js';
import * as budget from './budget.js';
import * as commits from './commits.js';
import * as controls from './controls.js';
import * as crashes from './crashes.js';
import * as drift from './drift.js';
import * as nothing from './nothing.js';
import * as operators from './operators.js';
import * as progress from './progress.js';
import * as provider from './provider.js';
import * as review from './review.js';
import * as suppression from './suppression.js';
import * as taps from './taps.js';
import * as unknown from './unknown.js';

const of = (...modules: Array<Record<string, Scenario>>): Scenario[] => modules.flatMap((m) => Object.values(m));

/** Scenarios that share a stack in CI; each group is one file there. */
export const GROUPS = {
  decisions: of(budget, drift, controls, suppression, operators, nothing),
  crashes: of(taps, crashes),
  provider: of(unknown, provider, review, progress, commits),
} satisfies Record<string, Scenario[]>;

export const SCENARIOS: Scenario[] = Object.values(GROUPS).flat();
