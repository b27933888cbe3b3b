import { z } from 'zod';

/** What every result carries: an anchor, how much is shown of how much, where to go on, and what was looked at. */
export const ResultMeta = z.object({
  ref: z.string(),
  shown: z.int(),
  total: z.int().nullable(),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
  coverage: z.string(),
});
export const resultOf = <T extends z.ZodRawShape>(shape: T) => ResultMeta.extend(shape);

export type ToolCost = 'gratis' | 'externo' | 'creditos';
/** One entry of the catalogue: name, shapes at the edge, what it costs and who may call it. */
export interface ToolContract<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  name: string;
  description: string;
  input: I;
  output: O;
  costo: ToolCost;
  scope: 'read' | 'paid';
  readOnly: boolean;
}
export const tool = <I extends z.ZodType, O extends z.ZodType>(t: ToolContract<I, O>): ToolContract<I, O> => t;

/**
 * How a tool says no: an MCP result with `isError: true` whose structured content has this shape.
 * `counted` tells whether the provider charged the call all the same.
 */
export const ToolError = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    retry_after_ms: z.int().optional(),
    counted: z.boolean().optional(),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
});
export type ToolError = z.infer<typeof ToolError>;
