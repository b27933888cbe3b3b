import type { bookkeeping } from './steps/index.js';
import type { LaneResult } from './work/people.js';
import type { RunRef } from '../workflows/directives.js';
import type { operatorDesk } from './operator.js';

/** What workflows may ask of the rows, by local activities. */
export type Bookkeeping = Omit<ReturnType<typeof bookkeeping>, 'openRun'> & ReturnType<typeof operatorDesk>;

export interface LaneArgs extends RunRef {
  plan_version: number;
  lane: number;
  lanes: number;
}
/** What workflows may ask of the outside world, by activities on the queue that the profile names. */
export interface Activities extends Pick<ReturnType<typeof bookkeeping>, 'openRun'> {
  searchCompanies(ref: RunRef): Promise<void>;
  saveCompanies(ref: RunRef): Promise<void>;
  undoSave(ref: RunRef): Promise<void>;
  peopleLane(args: LaneArgs): Promise<LaneResult>;
  quotePeople(ref: RunRef): Promise<void>;
  revealLane(args: LaneArgs): Promise<LaneResult>;
  readBack(args: RunRef & { now: number }): Promise<void>;
  draftLane(args: LaneArgs): Promise<LaneResult>;
  storeSequences(ref: RunRef): Promise<void>;
  storeApproved(ref: RunRef): Promise<void>;
}
