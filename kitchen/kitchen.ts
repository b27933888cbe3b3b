import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { CATALOGUE, ToolError } from '../contracts/tools/index.js';
import type { CallLog } from './calls.js';
import { ToolFailure } from './failure.js';
import { spoil, type Delivery, type Faults, type Plan } from './faults.js';
import type { Library } from './library.js';
import { refCounter, type Tool } from './runtime.js';
import type { Store } from './store.js';
import { TOOLS } from './tools/index.js';

/** Whose call it is, and how its reply is to leave (set while the call runs). */
export class Session {
  delivery: Delivery = { how: 'sent' };
  constructor(
    readonly workspace: string,
    readonly scopes: readonly string[],
  ) {}
}

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io });
  return rest;
};
const ERROR_SCHEMA = jsonSchema(ToolError, 'output');

/**
 * A tool as clients see it. The output schema admits the error shape too: the SDK's client checks structured content against
 * it also when `isError` is set, and would turn a typed error into an exception otherwise.
 */
const listed = ({ contract }: Tool): ListedTool => ({
  name: contract.name,
  description: contract.description,
  inputSchema: { ...jsonSchema(contract.input, 'input'), type: 'object' },
  outputSchema: { type: 'object', anyOf: [jsonSchema(contract.output, 'output'), ERROR_SCHEMA] },
  annotations: {
    readOnlyHint: contract.readOnly,
    destructiveHint: false,
    idempotentHint: contract.readOnly,
    openWorldHint: contract.costo !== 'gratis',
  },
  _meta: { costo: contract.costo, scope: contract.scope },
});

const reply = (content: Record<string, unknown>, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(content) }],
  structuredContent: content,
  ...(isError ? { isError } : {}),
});
const isArgs = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The tools over the sample and the store; knows nothing of HTTP. */
export class Kitchen {
  private readonly tools = new Map(TOOLS.map((t) => [t.contract.name, t]));
  private readonly listing = CATALOGUE.flatMap((c) => {
    const tool = this.tools.get(c.name);
    return tool ? [{ scope: c.scope, tool: listed(tool) }] : [];
  });
  private readonly ref = refCounter();

  constructor(
    readonly library: Library,
    readonly store: Store,
    readonly faults: Faults,
    readonly calls: CallLog,
    private readonly undoWindowMs: number,
  ) {}

  /** The tools that a session may call, in the order of the catalogue. */
  list(session: Session): ListedTool[] {
    const hidden = this.faults.hidden(session.workspace);
    return this.listing.filter((l) => session.scopes.includes(l.scope) && !hidden.has(l.tool.name) && !hidden.has('*')).map((l) => l.tool);
  }

  /**
   * One call. Always gives a result: what goes wrong is `isError` with a code. `session.delivery` tells the transport when the
   * reply must not leave as usual.
   */
  async call(name: string, given: unknown, session: Session): Promise<CallToolResult> {
    const args = isArgs(given) ? given : {};
    const finish = this.calls.begin(session.workspace, name, args);
    let plan: Plan | undefined;
    let outcome = 'ok';
    try {
      const tool = this.tools.get(name);
      if (!tool || !session.scopes.includes('read')) throw missing(name);
      if (!session.scopes.includes(tool.contract.scope)) {
        throw new ToolFailure('forbidden_scope', `The token of this session may not call ${name}.`, {
          counted: false,
          params: { needs: tool.contract.scope },
        });
      }
      await this.store.ensureWorkspace(session.workspace);
      plan = this.faults.plan({ tool: name, workspace: session.workspace, args });
      return reply(await this.cook(tool, given, session, plan), false);
    } catch (error) {
      if (error instanceof ToolFailure) {
        outcome = error.code;
        return reply(error.toError(), true);
      }
      outcome = 'internal_error';
      // The cause stays here: messages of the database may carry what a client must not see.
      process.stderr.write(
        `${JSON.stringify({ level: 'error', tool: name, message: error instanceof Error ? error.message : 'unknown' })}\n`,
      );
      return reply({ error: { code: 'internal_error', message: 'The tool server failed.', counted: false } }, true);
    } finally {
      plan?.release();
      if (session.delivery.how === 'http') outcome = `http_${session.delivery.status}`;
      finish(outcome, session.delivery.how);
    }
  }

  /** Runs a tool with its faults around it. */
  private async cook(tool: Tool, args: unknown, session: Session, plan: Plan): Promise<Record<string, unknown>> {
    const call = { tool: tool.contract.name, workspace: session.workspace, args: isArgs(args) ? args : {} };
    if (plan.missing) throw missing(call.tool);
    for (const change of plan.change) {
      await this.store.setWorkspace(
        session.workspace,
        change.kind === 'changed_price'
          ? { price_min: change.min, price_max: Math.max(change.min, change.max ?? change.min) }
          : { credits: change.credits, queries: change.queries, inference: change.inference },
      );
    }
    if (plan.delayMs > 0) await sleep(plan.delayMs);
    for (const hold of plan.holdBefore) await this.faults.hold(hold.id ?? '', call);
    if (plan.instead instanceof ToolFailure) throw plan.instead;
    if (plan.instead) {
      session.delivery = plan.instead;
      return {};
    }
    try {
      const result = await tool.run(args, {
        workspace: session.workspace,
        library: this.library,
        store: this.store,
        undoWindowMs: this.undoWindowMs,
        ref: this.ref,
      });
      for (const hold of plan.holdAfter) await this.faults.hold(hold.id ?? '', call);
      return plan.duplicateRows || plan.hostile ? spoil(result, plan) : result;
    } finally {
      session.delivery = plan.delivery;
    }
  }
}

const missing = (name: string): ToolFailure => new ToolFailure('tool_not_found', `Tool ${name.slice(0, 80)} not found`, { counted: false });
