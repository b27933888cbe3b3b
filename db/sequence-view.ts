import type { Caller, Sequence } from '../contracts/api.js';
import { Refusal } from '../contracts/problem.js';
import { auditRow } from './events.js';
import type { Tx } from './client.js';

type Draft = Sequence['drafts'][number];

const find = async (tx: Tx, workspace: string, id: string, lock = false): Promise<Pick<Sequence, 'run_id' | 'state' | 'decision_id'>> => {
  const [row] = await tx.q<{ run_id: string; state: Sequence['state']; decision_id: string | null }>(
    `select run_id, state, coalesce(decision_id, (select d.id from decisions d where d.run_id = s.run_id and d.kind = 'revisar_secuencia' order by d.id desc limit 1)) as decision_id
     from sequences s where id = $1 and workspace_id = $2${lock ? ' for update of s' : ''}`, [id, workspace],
  );
  if (!row) throw new Refusal(404, 'sequence_not_found', { sequence_id: id });
  return row;
};

/** A sequence with its drafts, in the order the contacts were chosen. @throws Refusal 404 `sequence_not_found` */
export const readSequence = async (tx: Tx, workspace: string, id: string): Promise<Sequence> => {
  const row = await find(tx, workspace, id);
  const drafts = await tx.q<Draft>(
    `select coalesce(draft_id, id) as draft_id, id as contact_id, name as to_name, coalesce(subject, '') as subject, coalesce(draft, '') as body, coalesce(written_by, 'template') as written_by
     from contacts where run_id = $1 and sequence_id = $2 order by rank, id`, [row.run_id, id],
  );
  return { sequence_id: id, run_id: row.run_id, state: row.state, decision_id: row.decision_id, drafts };
};

/**
 * Changes the text of one draft while its sequence waits for review.
 * @throws Refusal 404 `draft_not_found`, 409 `sequence_closed`
 */
export const patchDraft = async (tx: Tx, caller: Caller, id: string, draftId: string, change: { subject?: string | undefined; body?: string | undefined }): Promise<Sequence> => {
  const row = await find(tx, caller.workspace, id, true);
  if (row.state !== 'draft') throw new Refusal(409, 'sequence_closed', { state: row.state });
  const done = await tx.q(
    `update contacts set subject = coalesce($4, subject), draft = coalesce($5, draft), updated_at = now()
     where run_id = $1 and sequence_id = $2 and coalesce(draft_id, id) = $3 returning id`,
    [row.run_id, id, draftId, change.subject ?? null, change.body ?? null],
  );
  if (done.length === 0) throw new Refusal(404, 'draft_not_found', { draft_id: draftId });
  await auditRow(tx, { workspace: caller.workspace, run: row.run_id, actor: caller.sub, channel: caller.channel, action: 'draft.changed', detail: { sequence_id: id, draft_id: draftId } });
  return readSequence(tx, caller.workspace, id);
};
