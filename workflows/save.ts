import type { StepRef } from './directives.js';
import { toolLane } from './options.js';
import { runStep, type StepResult } from './step.js';

/** `guardar-en-crm` as a step of a campaign (s2): waits for one tap, saves, can be undone for a while. */
export const saveStep = (ref: StepRef): Promise<StepResult> => runStep(ref, { save: () => toolLane('guardar en CRM').saveCompanies(ref) });
