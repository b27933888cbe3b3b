import type { z } from 'zod';
import type { ToolContract } from '../contracts/tools/index.js';
import { ToolFailure } from './failure.js';
import type { Library } from './library.js';
import type { Store } from './store.js';

/** What a tool may use during one call. */
export interface CallContext {
  workspace: string;
  library: Library;
  store: Store;
  undoWindowMs: number;
  /** A fresh anchor for a result: `run:<prefix>-<n>`. */
  ref: (prefix: string) => string;
}

/** A contract with the function that fulfils it; input and output are checked around it. */
export interface Tool {
  contract: ToolContract;
  /** @throws ToolFailure for every "no" that a client should read. */
  run: (args: unknown, context: CallContext) => Promise<Record<string, unknown>>;
}

/** Text without NUL, which PostgreSQL cannot hold and JSON can; a company name may well carry one. */
const withoutNul = (value: unknown): unknown => {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '') : value;
  if (Array.isArray(value)) return value.map(withoutNul);
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, withoutNul(v)]))
    : value;
};

/** Binds a handler to its contract, so that types and both schemas hold. */
export const implement = <I extends z.ZodType, O extends z.ZodType<Record<string, unknown>>>(
  contract: ToolContract<I, O>,
  handler: (args: z.output<I>, context: CallContext) => Promise<z.input<O>> | z.input<O>,
): Tool => ({
  contract,
  run: async (args, context) => {
    const input = contract.input.safeParse(withoutNul(args ?? {}));
    if (!input.success) {
      const issues = input.error.issues.slice(0, 20).map((i) => ({ path: i.path.join('.'), message: i.message }));
      throw new ToolFailure('invalid_input', issues.map((i) => `${i.path || 'arguments'}: ${i.message}`).join('; '), {
        counted: false,
        params: { issues },
      });
    }
    // A result outside its own contract is a fault of this server: it never leaves as if it were right.
    const output = contract.output.safeParse(await handler(input.data, context));
    if (!output.success)
      throw new Error(`${contract.name} made a result outside its schema: ${output.error.issues[0]?.path.join('.') ?? ''}`);
    return output.data;
  },
});

/** Numbers the anchors of results, per prefix, for the life of the process. */
export const refCounter = (): ((prefix: string) => string) => {
  const last = new Map<string, number>();
  return (prefix) => {
    const n = (last.get(prefix) ?? 0) + 1;
    last.set(prefix, n);
    return `run:${prefix}-${n}`;
  };
};
