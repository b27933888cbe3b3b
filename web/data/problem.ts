import type { Decision } from '../../contracts/decision.js';

/** A refusal of the API (problem+json): a code of the catalog with its values, and what to look at instead. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly params: Record<string, unknown>,
    readonly detail: string,
    readonly retryable: boolean,
    readonly decision: Decision | null,
    readonly freshDecision: string | null,
  ) {
    super(code);
    this.name = 'ApiProblem';
  }
}

/** No answer came: nobody knows whether it took effect. The same key may be sent again. */
export class NoAnswer extends Error {
  constructor() {
    super('no answer');
    this.name = 'NoAnswer';
  }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const string = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** Reads a problem body without trusting it; null where it is none: a proxy or a portal answered instead of the API. */
export const problemOf = (status: number, body: unknown): ApiProblem | null => {
  const p = record(body);
  if (typeof p['code'] !== 'string') return null;
  return new ApiProblem(
    status,
    p['code'],
    record(p['params']),
    string(p['detail'], string(p['title'], '')),
    p['retryable'] === true || status === 502 || status === 504,
    p['decision'] ? (p['decision'] as Decision) : null,
    typeof p['fresh_decision_id'] === 'string' ? p['fresh_decision_id'] : null,
  );
};
