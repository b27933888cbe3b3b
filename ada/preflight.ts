import type { Speaker, Workspace } from './types.js';

/** A turn that does not happen, or did not end well: typed, with a fixed HTTP status. Texts in the catalog under `ada.refused.<code>`. */
export const REFUSALS = {
  chat_disabled: 403,
  queries_exhausted: 402,
  inference_exhausted: 402,
  model_unavailable: 503,
  model_quota: 503,
  model_unauthorized: 503,
  deadline: 504,
  answer_invalid: 422,
  interrupted: 503,
} as const;
export type TurnRefusalCode = keyof typeof REFUSALS;

export class TurnRefusal extends Error {
  readonly status: number;
  constructor(
    readonly code: TurnRefusalCode,
    readonly params: Record<string, unknown> = {},
  ) {
    super(code);
    this.name = 'TurnRefusal';
    this.status = REFUSALS[code];
  }
}

export interface Allowance {
  queriesLeft: number;
  inferenceLeft: number | null;
}

/**
 * 1 · Before anything: may this workspace chat at all, and is there inference left when the model is paid? A turn itself is free; what it
 * uses is metered. Searches at 0 do not refuse the turn, only the searches.
 */
export const preflight = async (workspace: Workspace, speaker: Speaker, modelIsPaid: boolean): Promise<Allowance> => {
  const { enabled, queriesLeft, inferenceLeft } = await workspace.entitlement(speaker);
  if (!enabled) throw new TurnRefusal('chat_disabled');
  if (modelIsPaid && inferenceLeft !== null && inferenceLeft <= 0) throw new TurnRefusal('inference_exhausted', { left: 0 });
  return { queriesLeft, inferenceLeft };
};
