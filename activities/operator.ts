import { ResolveDecision } from '../contracts/decision.js';
import { Replan } from '../contracts/criteria.js';
import { Refusal } from '../contracts/problem.js';
import type { Caller } from '../contracts/api.js';
import { auditRow } from '../db/events.js';
import { findDecision } from '../db/decisions/decision.js';
import { newId } from '../db/ids.js';
import { read, transaction } from '../db/client.js';
import type { OperatorApproval, OperatorDecline, OperatorReply } from '../workflows/messages.js';
import type { RunRef } from '../workflows/directives.js';
import { control, replan } from './control.js';
import { tap } from './decide.js';
import type { Context } from './context.js';

/**
 * What a person in the Temporal UI may do. It goes through the same transactions as the API; the identity that comes with it is
 * nobody's proof, so it is stored as unverified, approvals are off unless configured, and whatever is not allowed leaves an
 * audit row and nothing else.
 */
export const operatorDesk = (ctx: Context) => {
  const caller = (workspace: string, operator: string): Caller => ({
    sub: `unverified:${operator || 'temporal-ui'}`,
    workspace,
    roles: ['seller', 'approver', 'operator'],
    channel: 'temporal-ui',
  });
  const guarded = async (
    { workspace, run }: RunRef,
    action: string,
    operator: string,
    detail: Record<string, unknown>,
    act: () => Promise<unknown>,
  ): Promise<OperatorReply> => {
    try {
      await act();
      return { ok: true, code: 'done' };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await transaction(ctx.pool, (tx) =>
        auditRow(tx, {
          workspace,
          run,
          actor: `unverified:${operator}`,
          channel: 'temporal-ui',
          action: `${action}.ignored`,
          reason: error.code,
          result: 'refused',
          detail: { ...detail, code: error.code },
        }),
      );
      return { ok: false, code: error.code };
    }
  };
  return {
    async operatorDecision(args: RunRef & { decision: OperatorDecline | OperatorApproval }): Promise<OperatorReply> {
      const { decision: d } = args;
      const operator = d.operator ?? '';
      return guarded(args, 'decision', operator, { decision_id: d.decision_id }, async () => {
        const row = await findDecision(read(ctx.pool), args.workspace, d.decision_id);
        if (row.run_id !== args.run) throw new Refusal(404, 'decision_not_found');
        if ('then' in d) {
          const body = ResolveDecision.parse({
            option: 'decline',
            plan_version: row.plan_version,
            payload_hash: row.payload_hash,
            shown_total: 0,
            then: d.then,
          });
          return tap(ctx, caller(args.workspace, operator), row.id, body, newId('key'));
        }
        if (ctx.env.OPERATOR_APPROVALS !== 'on') throw new Refusal(403, 'operator_approvals_off');
        const option = row.payload.options.find((o) => o.id === 'all' || o.id === 'fit_n' || o.id === 'approve');
        if (!option) throw new Refusal(422, 'option_not_offered');
        const body = ResolveDecision.parse({
          option: option.id,
          plan_version: d.plan_version,
          payload_hash: d.payload_hash,
          shown_total: d.total,
        });
        return tap(ctx, caller(args.workspace, operator), row.id, body, newId('key'));
      });
    },
    async operatorControl(args: RunRef & { action: 'pause' | 'resume' | 'cancel'; reason: string }): Promise<OperatorReply> {
      return guarded(args, args.action, '', { reason: args.reason }, () =>
        control(ctx, caller(args.workspace, ''), args.run, args.action, args.reason, newId('key')),
      );
    },
    async operatorReplan(args: RunRef & { change: Record<string, unknown> }): Promise<OperatorReply> {
      return guarded(args, 'replan', '', args.change, () => {
        const change = Replan.safeParse(args.change);
        if (!change.success) throw new Refusal(422, 'bad_change');
        return replan(ctx, caller(args.workspace, ''), args.run, change.data, false, newId('key'));
      });
    },
  };
};
