import { PINNED } from './sample/pinned.js';
import { rfcCheckDigit } from './sample/rfc.js';

/**
 * The suppression list that goes with the sample: who asked not to be contacted. The orchestrator loads it through its own
 * API; this server never reads it. Exactly one entry meets the first 50 packaging companies of Jalisco.
 */
export const SAMPLE_SUPPRESSIONS: ReadonlyArray<{ kind: 'rfc' | 'domain'; value: string }> = [
  { kind: 'rfc', value: PINNED.suppressedByRfc.rfcBody + rfcCheckDigit(PINNED.suppressedByRfc.rfcBody) },
  { kind: 'domain', value: PINNED.suppressedByDomain.domain },
];
