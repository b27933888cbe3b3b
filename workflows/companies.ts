import type { StepRef } from './directives.js';
import { toolLane } from './options.js';
import { runStep, type StepResult } from './step.js';

/** `buscar-empresas-y-proveedores` as a step of a campaign (s1): finds the companies, page by page, with plan B. */
export const findCompaniesStep = (ref: StepRef): Promise<StepResult> =>
  runStep(ref, { search: () => toolLane('empresas').searchCompanies(ref) });
