import { takeRate, type Lane } from '../lanes.js';
import { stopReason, type Stop } from '../people.js';
import { suppressedAmong } from '../suppressions.js';
import { newId } from '../ids.js';
import { withRun } from '../events.js';
import type { Pool } from '../client.js';
import { giveUpOnDeadLanes, settleOutcome, type RevealOutcome } from './settle.js';
import { copyOwn, elsewhere, ELSEWHERE_MS, ELSEWHERE_POLL_MS } from './elsewhere.js';
import { letGo } from './count.js';

/** One turn of a lane that reveals: what it brings is kept, then the next contact is claimed. Everything that makes a paid call lawful is here. */

/** A contact that a lane may reveal now; without an effect it is only read, since it is yours already. */
export interface RevealItem {
  contact_id: string;
  effect_id: string | null;
  person_id: string;
  quote_id: string;
  max_credits: number;
  key: string;
}
export type RevealTurn = { item: RevealItem } | { waitMs: number } | { stop: Stop };

/**
 * One turn of a reveal lane: commits the outcome it brings (the reply and its capture are one transaction), then claims the next
 * contact and commits its effect row as `sent` before the call is made. Everything that makes a paid call lawful is checked
 * in that same transaction: the hold is live, the decision approved, the plan version current, the person not suppressed.
 */
export const revealTick = (
  pool: Pool,
  workspace: string,
  runId: string,
  planVersion: number,
  lane: Lane,
  outcome: RevealOutcome | null,
  suppressionKey: string,
): Promise<RevealTurn> =>
  withRun(pool, workspace, runId, async (run) => {
    if (outcome) await settleOutcome(run, lane, outcome, suppressionKey);
    // Looked at when a lane comes and when it finds nothing more: in between, another lane's death changes nothing for this one.
    if (!outcome) await giveUpOnDeadLanes(run, lane);
    for (let looked = !outcome; ;) {
      const stop = stopReason(run, 's4', planVersion);
      if (stop) return { stop };
      const rate = await takeRate(run.tx, workspace, run.row.prices?.provider ?? 'mcp', 1);
      if (rate.allowed === 0) return { waitMs: rate.waitMs };
      const [next] = await run.tx.q<{
        id: string;
        person_id: string;
        price: number;
        quote_id: string | null;
        hold_id: string | null;
        decision_id: string;
        generation: number;
        already_yours: boolean;
        rfc: string | null;
        domain: string | null;
        live: boolean;
        approved: boolean;
      }>(
        `with head as (select c.id, c.person_id, c.price, c.rank, c.quote_id, c.hold_id, c.decision_id, c.generation, c.already_yours, a.rfc, a.domain,
           c.hold_id is null or coalesce((select h.state = 'live' and h.amount >= c.price from holds h where h.id = c.hold_id), false) as live,
           exists (select 1 from decisions d where d.id = c.decision_id and d.state = 'approved' and d.plan_version = $2) as approved
         from contacts c join accounts a on a.run_id = c.run_id and a.position = c.position
         where c.run_id = $1 and c.state = 'held' and c.lane_id is null order by c.rank limit ${AHEAD})
         select * from head where not exists (select 1 from effects e where e.workspace_id = $3 and e.provider = $4 and e.kind = 'people_reveal' and e.subject = head.person_id and e.state = 'sent'
           and e.sent_at > now() - make_interval(secs => $5::double precision / 1000)) order by rank limit 1`,
        [run.id, planVersion, workspace, run.row.prices?.provider ?? 'mcp', ELSEWHERE_MS],
      );
      if (!next && !looked) {
        await giveUpOnDeadLanes(run, lane);
        looked = true;
        continue;
      }
      if (!next) {
        // All that is left are persons that another campaign is revealing at this moment.
        const [left] = await run.tx.q(`select 1 as x from contacts where run_id = $1 and state = 'held' and lane_id is null limit 1`, [
          run.id,
        ]);
        return left ? { waitMs: ELSEWHERE_POLL_MS } : { stop: 'empty' };
      }
      const [listed] = await suppressedAmong(run.tx, workspace, suppressionKey, [
        [
          { kind: 'person', value: next.person_id },
          { kind: 'rfc', value: next.rfc ?? '' },
          { kind: 'domain', value: next.domain ?? '' },
        ],
      ]);
      if (listed) {
        await letGo(run, next, 'suppressed', { code: 'suppressed', params: {} });
        continue;
      }
      if (!next.live || !next.approved) {
        await letGo(run, next, 'voided', { code: next.approved ? 'balance_lost' : 'not_approved', params: {} });
        continue;
      }
      if (next.already_yours) {
        if (await copyOwn(run, next)) continue;
        await run.tx.q(`update contacts set lane_id = $2, lane_attempt = $3, updated_at = now() where id = $1`, [
          next.id,
          lane.id,
          lane.attempt,
        ]);
        return { item: { contact_id: next.id, effect_id: null, person_id: next.person_id, quote_id: '', max_credits: 0, key: '' } };
      }
      if (next.hold_id === null) {
        await letGo(run, next, 'voided', { code: 'not_approved', params: {} });
        continue;
      }
      const effectId = newId('eff');
      const key = `reveal:${next.id}:${next.generation}`;
      const inserted = await run.tx.q(
        `insert into effects (id, workspace_id, provider, kind, subject, key, run_id, step, contact_id, hold_id, decision_id, plan_version, state, lane_id, lane_attempt, sent_at)
         values ($1, $2, $3, 'people_reveal', $4, $5, $6, 's4', $7, $8, $9, $10, 'sent', $11, $12, clock_timestamp()) on conflict do nothing returning id`,
        [
          effectId,
          workspace,
          run.row.prices?.provider ?? 'mcp',
          next.person_id,
          key,
          run.id,
          next.id,
          next.hold_id,
          next.decision_id,
          planVersion,
          lane.id,
          lane.attempt,
        ],
      );
      if (inserted.length === 0) {
        if ((await elsewhere(run, next, run.row.prices?.provider ?? 'mcp')) === 'wait') return { waitMs: ELSEWHERE_POLL_MS };
        continue;
      }
      await run.tx.q(`update contacts set state = 'sent', lane_id = $2, lane_attempt = $3, updated_at = now() where id = $1`, [
        next.id,
        lane.id,
        lane.attempt,
      ]);
      return {
        item: {
          contact_id: next.id,
          effect_id: effectId,
          person_id: next.person_id,
          quote_id: next.quote_id ?? '',
          max_credits: next.price,
          key,
        },
      };
    }
  });
/** Of how many contacts, best first, one that nobody else is revealing is looked for. */
const AHEAD = 40;
