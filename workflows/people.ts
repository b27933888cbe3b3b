import type { StepRef } from './directives.js';
import { readsFor, toolLane } from './options.js';
import { lanes, runStep, type StepResult } from './step.js';

/**
 * `conseguir-contactos` as a step of a campaign. s3 finds one person per account in lanes; s4 prices them, waits for the tap,
 * reveals one contact per call, and reads back what nobody knows.
 */
export const contactsStep = (ref: StepRef): Promise<StepResult> =>
  runStep(ref, {
    people: (d) =>
      lanes(d.lanes, (lane) =>
        toolLane(`personas · carril ${lane} de ${d.lanes}`).peopleLane({ ...ref, plan_version: d.plan_version, lane, lanes: d.lanes }),
      ),
    quote: () => readsFor('cotizar').quotePeople(ref),
    reveal: (d) =>
      lanes(d.lanes, (lane) =>
        toolLane(`revelar · carril ${lane} de ${d.lanes}`).revealLane({ ...ref, plan_version: d.plan_version, lane, lanes: d.lanes }),
      ),
    read_back: (d) => readsFor(`read back ${d.item ?? ''}`.trim()).readBack({ ...ref, now: Date.now() }),
  });
