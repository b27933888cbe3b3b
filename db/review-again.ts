import type { Caller } from '../contracts/api.js';
import { Refusal } from '../contracts/problem.js';
import { isFinal, type RunState } from '../contracts/states.js';
import { approvedRemain } from './approved.js';
import { auditRow, type LockedRun } from './events.js';
import { createReviewRun } from './review.js';

/**
 * Carries an approval out once more, in a run of its own, where the earlier run ended without it (canceled, terminated, failed). What the earlier
 * one sent is found under the same key and counts once. While a run is at it, that one is meant.
 * @returns the run
 * @throws Refusal 409 `sequence_not_approved`, or `sequence_stored` where the provider has the texts as they were approved
 */
export const reviewAgain = async (campaign: LockedRun, sequence: string, caller: Caller): Promise<string> => {
  const { tx } = campaign;
  const [row] = await tx.q<{ state: string; decision: string | null }>(
    `select s.state, (select d.id from decisions d where d.run_id = s.run_id and d.kind = 'revisar_secuencia' and d.state = 'approved' order by d.resolved_at desc limit 1) as decision
     from sequences s where s.id = $1 and s.run_id = $2`,
    [sequence, campaign.id],
  );
  if (row?.state !== 'approved' || row.decision === null) throw new Refusal(409, 'sequence_not_approved', { sequence_id: sequence });
  const [last] = await tx.q<{ id: string; state: RunState }>(
    `select id, state from runs where linked_run_id = $1 and recipe = 'armar-secuencia' order by id desc limit 1`,
    [campaign.id],
  );
  if (last && !isFinal(last.state)) return last.id;
  if ((await approvedRemain(tx, campaign.id)) === 0) throw new Refusal(409, 'sequence_stored', { sequence_id: sequence });
  const run = await createReviewRun(campaign, row.decision, caller);
  await auditRow(tx, {
    workspace: campaign.workspace,
    run,
    actor: caller.sub,
    channel: caller.channel,
    action: 'sequence.store_again',
    detail: { sequence_id: sequence, decision_id: row.decision },
  });
  return run;
};
