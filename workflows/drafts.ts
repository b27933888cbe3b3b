import type { StepRef } from './directives.js';
import { modelLane, toolLane } from './options.js';
import { lanes, runStep, type StepResult } from './step.js';

/** `armar-secuencia` as a step of a campaign (s5): one personal draft per contact, stored at the provider. Nothing is sent. */
export const draftsStep = (ref: StepRef): Promise<StepResult> =>
  runStep(ref, {
    write: (d) =>
      lanes(d.lanes, (lane) =>
        modelLane(`borradores · carril ${lane} de ${d.lanes}`).draftLane({ ...ref, plan_version: d.plan_version, lane, lanes: d.lanes }),
      ),
    sequence: () => toolLane('secuencia').storeSequences(ref),
  });
