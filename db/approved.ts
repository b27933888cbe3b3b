import type { Reason } from '../contracts/progress.js';
import { withoutSuppressed, type Reached } from './drafts.js';
import type { DraftBatch } from './draft-lots.js';
import { lockRun, withRun, type LockedRun } from './events.js';
import { blockRun } from './people.js';
import { sendWrite, settleWrite } from './writes.js';
import type { Pool, Tx } from './client.js';

/**
 * What an approved sequence still needs: people correct our copy of its texts, the provider has them as they were written. Where somebody
 * corrected one, the run of the approval stores the sequence anew in the place of the earlier one. The texts no longer change by then.
 */
export interface ApprovedBatch extends DraftBatch {
  sequence: string;
  /** The provider's sequence that these texts take the place of; null where it has none. */
  replaces: string | null;
}
/** A lot without drafts: whoever it was for is on the suppression list by now, and only what an earlier call did is left to find out. */
export const isOnlyRead = (batch: ApprovedBatch): boolean => batch.drafts.length === 0;

/** Somebody corrected a draft of the sequence `s`. */
export const CORRECTED = `exists (select 1 from contacts c where c.run_id = s.run_id and c.sequence_id = s.id and c.draft_version > 1)`;

/** The client key of what an approval stores: whoever repeats anything of it finds the same. `n`: a later lot that takes somebody out again. */
export const approvedKey = (sequence: string, decision: string, n = 1): string =>
  `sequence:${sequence}:${decision}${n === 1 ? '' : `:${n}`}`;

const campaignOf = (run: LockedRun): string | null => run.row.linked_run_id;

/** How many approved sequences of a campaign the provider has in another form than they were approved in. */
export const approvedRemain = async (tx: Tx, campaign: string | null): Promise<number> =>
  (
    await tx.q<{ n: number }>(
      `select count(*)::int as n from sequences s where s.run_id = $1 and s.state = 'approved' and not s.stored_edited and ${CORRECTED}`,
      [campaign],
    )
  )[0]?.n ?? 0;
/** The same, for the run that carries the approval out. */
export const approvedLeft = (run: LockedRun): Promise<number> => approvedRemain(run.tx, campaignOf(run));

/** Drafts in sequences that had to be stored anew: how many are, of how many. */
const counted = async (run: LockedRun): Promise<{ done: number; total: number; unit: 'draft' }> => {
  const [row] = await run.tx.q<{ done: number; total: number }>(
    `select count(c.id) filter (where s.stored_edited)::int as done, count(c.id)::int as total from sequences s join contacts c on c.run_id = s.run_id and c.sequence_id = s.id
     where s.run_id = $1 and s.state = 'approved' and ${CORRECTED}`,
    [campaignOf(run)],
  );
  return { done: row?.done ?? 0, total: row?.total ?? 0, unit: 'draft' };
};

/** Earlier sequences that stay at the provider beside the approved ones, because it could not be told to replace them. */
const leftBehind = async (run: LockedRun): Promise<Reason | null> => {
  const rows = await run.tx.q<{ left_id: string }>(`select left_id from sequences where run_id = $1 and left_id is not null order by id`, [
    campaignOf(run),
  ]);
  return rows.length === 0 ? null : { code: 'sequence.old_left', params: { n: rows.length, ids: rows.map((r) => r.left_id).join(', ') } };
};

/**
 * The next approved sequence to be stored anew, its effect committed as sent; one whose call was cut comes back under its own key. People
 * who were put on the suppression list since are left out. The review's run is locked first, then its campaign: nobody takes them in the
 * other order.
 */
export const beginApproved = (pool: Pool, workspace: string, runId: string, suppressionKey: string): Promise<ApprovedBatch | null> =>
  withRun(pool, workspace, runId, async (run) => {
    const decision = run.paso('s6')?.checkpoint ?? null;
    const linked = campaignOf(run);
    if (run.final || run.row.control !== 'run' || linked === null || decision === null) return null;
    const campaign = await lockRun(run.tx, workspace, linked);
    const batch = await nextLot(run, campaign, decision, suppressionKey);
    const conteo = await counted(run);
    const said = run.paso('s6')?.conteo ?? null;
    if (conteo.done !== said?.done || conteo.total !== said.total)
      run.emit('drafts.storing', { n: conteo.total - conteo.done }, { pasos: [{ id: 's6', status: 'running', reason: null, conteo }] });
    await campaign.flush();
    return batch;
  });

const nextLot = async (run: LockedRun, campaign: LockedRun, decision: string, suppressionKey: string): Promise<ApprovedBatch | null> => {
  const { tx } = run;
  for (;;) {
    const [next] = await tx.q<{ id: string; stored_id: string | null }>(
      `select s.id, s.stored_id from sequences s where s.run_id = $1 and s.state = 'approved' and not s.stored_edited and ${CORRECTED} order by s.id limit 1`,
      [campaign.id],
    );
    if (!next) return null;
    const lot = await withoutSuppressed(
      campaign,
      await tx.q<Reached>(
        `select c.id, c.person_id, c.email, a.rfc, a.domain from contacts c join accounts a on a.run_id = c.run_id and a.position = c.position
       where c.run_id = $1 and c.sequence_id = $2 and c.draft is not null order by c.rank, c.id`,
        [campaign.id, next.id],
      ),
      suppressionKey,
    );
    const sent = await tx.q<{ state: string }>(
      `select state from effects where workspace_id = $1 and starts_with(key, $2) and state in ('sent', 'unconfirmed', 'captured')`,
      [run.workspace, approvedKey(next.id, decision)],
    );
    const key = approvedKey(next.id, decision, 1 + sent.filter((e) => e.state === 'captured').length);
    if (lot.length === 0 && sent.every((e) => e.state === 'captured')) {
      // Nobody is left to be written to, and there is no empty sequence: what the provider has stays there, and is said.
      await tx.q(`update sequences set stored_edited = true, left_id = stored_id where id = $1`, [next.id]);
      continue;
    }
    const effect = await sendWrite(run, 'sequence_create_draft', 's6', key, decision, campaign.row.prices?.provider);
    const drafts = await tx.q<DraftBatch['drafts'][number]>(
      `select id as contact_id, person_id, subject, draft as body from contacts where id = any($1) order by rank, id`,
      [lot.map((c) => c.id)],
    );
    return { effect, sequence: next.id, replaces: next.stored_id, name: campaign.row.objetivo.slice(0, 300), drafts };
  }
};

/** Drafts at the provider for people who are not to be written to: said before anything else. */
export const SUPPRESSED_LEFT = 'suppressed_left';
type StoredLot = { sequence_id: string; drafts: Array<{ draft_id: string; person_id: string }> };
/** Of an approved lot at the provider, who is not to be written to: put on the list between a call whose reply was lost and its read-back. */
export const surplusOf = (batch: ApprovedBatch, stored: StoredLot): string[] =>
  stored.drafts.map((d) => d.person_id).filter((id) => !batch.drafts.some((d) => d.person_id === id));

/**
 * The provider has the texts as they were approved. `left`: other sequences of this lot that are still there. `again`: the lot has somebody who
 * is not to be written to any more, and one without them takes its place next.
 */
export const finishApproved = (
  pool: Pool,
  workspace: string,
  runId: string,
  batch: ApprovedBatch,
  stored: StoredLot,
  found: { problems: Array<{ code: string; count: number }>; left: string[]; again?: boolean },
): Promise<void> =>
  withRun(pool, workspace, runId, async (run) => {
    await settleWrite(run, batch.effect.id, 'captured', { sequence_id: stored.sequence_id, replaces: batch.replaces, left: found.left });
    const done = await run.tx.q<{ id: string }>(
      `update sequences set stored_id = $2, stored_at = now(), stored_edited = $5, problems = $3, left_id = $4 where id = $1 and not stored_edited returning id`,
      [batch.sequence, stored.sequence_id, JSON.stringify(found.problems), found.left.join(', ') || null, found.again !== true],
    );
    // Repeated by a second attempt of the same call: it is stored and said already.
    if (done.length === 0) return;
    await run.tx.q(
      `update contacts c set stored_draft_id = x.draft_id, updated_at = now() from jsonb_to_recordset($2::jsonb) as x (draft_id text, person_id text) where c.sequence_id = $1 and c.person_id = x.person_id`,
      [batch.sequence, JSON.stringify(stored.drafts)],
    );
    if (found.again) return;
    const left = await leftBehind(run);
    const problem = found.problems[0] ? { code: `sequence.${found.problems[0].code}`, params: { n: found.problems[0].count } } : null;
    run.emit(
      'drafts.stored',
      { n: batch.drafts.length },
      {
        pasos: [
          { id: 's6', conteo: await counted(run), reason: found.problems[0]?.code === SUPPRESSED_LEFT ? problem : (left ?? problem) },
        ],
      },
    );
  });

/** Nobody is left to be written to and the earlier call did nothing: what the provider had before stays there, and is said. */
export const dropApproved = (pool: Pool, workspace: string, runId: string, batch: ApprovedBatch): Promise<void> =>
  withRun(pool, workspace, runId, async (run) => {
    await settleWrite(run, batch.effect.id, 'voided', { code: 'nobody_left' });
    await run.tx.q(`update sequences set stored_edited = true, left_id = stored_id where id = $1 and not stored_edited`, [batch.sequence]);
  });

/** It could not be stored, or nobody knows whether it was: the run pauses with the reason; resumed, it goes on under the same key. */
export const failApproved = (
  pool: Pool,
  workspace: string,
  runId: string,
  batch: ApprovedBatch,
  code: string,
  known: boolean,
): Promise<void> =>
  withRun(pool, workspace, runId, async (run) => {
    await settleWrite(run, batch.effect.id, known ? 'voided' : 'unconfirmed', { code });
    await blockRun(run, 's6', { code: known ? `sequence.${code}` : 'sequence.unconfirmed', params: { n: batch.drafts.length } });
  });

/** Ends the run of an approved sequence: the provider has its texts as they were approved. */
export const closeApproved = async (run: LockedRun): Promise<void> => {
  if (run.final) return;
  run.emit(
    'run.closed',
    { state: 'completed' },
    { state: 'completed', reason: await leftBehind(run), pasos: [{ id: 's6', status: 'done' }] },
  );
};
