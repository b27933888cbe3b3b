import { approvedLeft, closeApproved } from '../../db/approved.js';
import { closeRun } from '../../db/close.js';
import { withRun } from '../../db/events.js';
import type { Directive, RunRef } from '../../workflows/directives.js';
import { runPage } from '../page.js';
import type { Context } from '../context.js';
import { blockDenied } from './gate.js';

/** What the run of an approved sequence asks of its rows; each is one transaction and may be repeated. */
export const reviewing = (ctx: Context) => ({
  /** What comes next: store what a person corrected, wait while the run is paused, or end. Nothing corrected, nothing done. */
  async advanceReview({ workspace, run: id }: RunRef): Promise<Directive> {
    const page = runPage(ctx.env, id);
    const next = await withRun(ctx.pool, workspace, id, async (run): Promise<Directive> => {
      if (run.final) return { do: 'end', status: run.body.state === 'completed' ? 'done' : 'canceled' };
      if (run.row.control === 'cancel') {
        await closeRun(run, { as: 'canceled', reason: null, events: null });
        return { do: 'end', status: 'canceled' };
      }
      if (run.row.control === 'pause' || (await blockDenied(run, 's6'))) return { do: 'wait', why: 'control', until: null, awaited: null };
      if ((await approvedLeft(run)) > 0) return { do: 'work', phase: 'sequence', lanes: 1, plan_version: run.row.plan_version };
      await closeApproved(run);
      return { do: 'end', status: 'done' };
    });
    return { ...next, ...(page ? { page } : {}) };
  },

  /** The run's workflow was canceled over it: the run ends as canceled; a call that was sent stays as it is known. */
  async settleReview({ workspace, run: id }: RunRef): Promise<void> {
    await withRun(ctx.pool, workspace, id, (run) =>
      closeRun(run, { as: 'canceled', reason: { code: 'operator_canceled', params: {} }, events: null }),
    );
  },
});
