import type { RunRef, StepRef } from './directives.js';
import { draftsStep } from './drafts.js';
import { rows } from './options.js';
import type { StepResult } from './step.js';

/**
 * `armar-secuencia`: as a step of a campaign it drafts; alone, started by the tap that approved a sequence on the dashboard, it
 * records the activation and ends. Nothing here sends mail.
 */
export const draftsOrReview = async (ref: RunRef | StepRef): Promise<StepResult> => {
  if ('step' in ref) return draftsStep(ref);
  await rows.closeReview(ref);
  return { status: 'done', events: 0 };
};
