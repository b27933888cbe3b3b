import type { StepId, StepState } from '../contracts/states.js';

/** What a workflow's input says: ids only. */
export interface RunRef {
  workspace: string;
  run: string;
}
export interface StepRef extends RunRef {
  step: StepId;
}

/** What a step's work is called; each has its activities in the step's own workflow file. */
export type Phase = 'search' | 'save' | 'people' | 'quote' | 'reveal' | 'read_back' | 'write' | 'sequence';

/** What a person is awaited for, as an operator sees it in the Temporal UI. */
export interface Awaited {
  decision_id: string;
  kind: string;
  total: number;
  payload_hash: string;
  plan_version: number;
  since: string;
  until: string | null;
}

/**
 * What a step's workflow is told to do next by its rows, read and changed in one transaction. The workflow does it, and asks
 * again; so any crash, repeated signal or late wake-up ends in the same place.
 */
export type Directive = (
  | { do: 'wait'; why: 'turn' | 'decision' | 'control'; until: string | null; awaited: Awaited | null }
  | { do: 'sleep'; ms: number; item: string }
  /** `item`: the one that the work is about, where it is about one. */
  | { do: 'work'; phase: Phase; lanes: number; plan_version: number; item?: string }
  | { do: 'end'; status: StepState }
) & {
  /** Where people see the run on our page. */
  page?: string;
};
