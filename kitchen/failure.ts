import type { ToolError } from '../contracts/tools/index.js';

type Details = Omit<ToolError['error'], 'code' | 'message'>;

/** A tool says no. It becomes a result with `isError: true`, never an exception at the client. */
export class ToolFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly details: Details = {},
  ) {
    super(message);
    this.name = 'ToolFailure';
  }
  /** The structured content of the answer. */
  toError(): ToolError {
    return { error: { code: this.code, message: this.message, ...this.details } };
  }
}
export const notFound = (what: string): ToolFailure => new ToolFailure('not_found', `${what} not found`, { counted: false });
