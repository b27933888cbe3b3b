import { z } from 'zod';

/** RFC 9457 problem with our extensions; `code` and `params` key the catalog. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    instance: z.string().optional(),
    code: z.string(),
    params: z.record(z.string(), z.unknown()).optional(),
    retryable: z.boolean(),
    retry_after_ms: z.int().optional(),
    /** The fresh state the caller should look at: the decision as it now is, or the card that replaces it. */
    decision: z.unknown().optional(),
    fresh_decision_id: z.string().optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;

/** A typed refusal that any layer may throw; the API turns it into problem+json, the CLI into an exit code. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly params: Record<string, unknown> = {},
    readonly extra: { retryable?: boolean; retry_after_ms?: number; decision?: unknown; fresh_decision_id?: string } = {},
  ) {
    super(code);
    this.name = 'Refusal';
  }
}
