import { cost } from './cost.js';
import { declaredCost } from './declared-cost.js';
import { defects } from './defects.js';
import { intent } from './intent.js';
import { limitExit } from './limit-exit.js';
import type { Meter } from './meter.js';
import { nextStep } from './next-step.js';
import { refsAvailable } from './refs-available.js';
import { rightQuestion } from './right-question.js';
import { route } from './route.js';
import { skillTrigger } from './skill-trigger.js';
import { time } from './time.js';
import { toolErrors } from './tool-errors.js';
import { tools } from './tools.js';
import { unresolvedRefs } from './unresolved-refs.js';
import { utility } from './utility.js';
import { worseRepair } from './worse-repair.js';

/** The eight of every turn first, then those of single promises. */
export const METERS: readonly Meter[] = [
  intent,
  unresolvedRefs,
  defects,
  route,
  cost,
  time,
  refsAvailable,
  tools,
  skillTrigger,
  utility,
  nextStep,
  rightQuestion,
  declaredCost,
  limitExit,
  worseRepair,
  toolErrors,
];
