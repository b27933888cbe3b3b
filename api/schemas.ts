import { z } from 'zod';

/** Ids as we make them; anything else cannot exist. */
export const Id = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/);
export const RunParams = z.object({ run_id: Id });
export const DecisionParams = z.object({ decision_id: Id });
export const Limit = (most: number, usual: number) => z.coerce.number().int().min(1).max(most).default(usual);
export const Flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((v) => v === 'true');
export const Why = z
  .object({ reason: z.string().max(300).optional() })
  .strict()
  .nullish();

/** `25s` or `1500ms`, at most 30 s, as ms. */
export const Wait = z
  .string()
  .regex(/^\d{1,6}(ms|s)$/)
  .transform((v) => Math.min(30_000, Number.parseInt(v, 10) * (v.endsWith('ms') ? 1 : 1000)));
