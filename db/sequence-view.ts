import type { Caller, PatchDraft, Sequence } from '../contracts/api.js';
import { Refusal } from '../contracts/problem.js';
import { auditRow } from './events.js';
import type { Tx } from './client.js';

type Draft = Sequence['drafts'][number];
const DRAFT = `coalesce(c.draft_id, c.id) as draft_id, c.id as contact_id, c.name as to_name, c.title, (select a.name from accounts a where a.run_id = c.run_id and a.position = c.position) as company,
  coalesce(c.subject, '') as subject, coalesce(c.draft, '') as body, coalesce(c.written_by, 'template') as written_by, c.draft_version as version, c.edited_by, c.edited_at`;

const find = async (tx: Tx, workspace: string, id: string, lock = false): Promise<Omit<Sequence, 'sequence_id' | 'drafts'>> => {
  const [row] = await tx.q<Omit<Sequence, 'sequence_id' | 'drafts'>>(
    `select s.run_id, s.state, coalesce(s.decision_id, (select d.id from decisions d where d.run_id = s.run_id and d.kind = 'revisar_secuencia' order by d.id desc limit 1)) as decision_id, s.problems, r.objetivo
     from sequences s join runs r on r.id = s.run_id where s.id = $1 and s.workspace_id = $2${lock ? ' for update of s' : ''}`, [id, workspace],
  );
  if (!row) throw new Refusal(404, 'sequence_not_found', { sequence_id: id });
  return row;
};

/** A sequence with its drafts, in the order the contacts were chosen. @throws Refusal 404 `sequence_not_found` */
export const readSequence = async (tx: Tx, workspace: string, id: string): Promise<Sequence> => {
  const row = await find(tx, workspace, id);
  const drafts = await tx.q<Draft>(`select ${DRAFT} from contacts c where c.run_id = $1 and c.sequence_id = $2 order by c.rank, c.id`, [row.run_id, id]);
  return { sequence_id: id, ...row, drafts };
};

/**
 * Changes the text of one draft while its sequence waits for review, from the version that the person was looking at.
 * @throws Refusal 404 `draft_not_found`; 409 `sequence_closed`, or `draft_changed` with the text as somebody else left it
 */
export const patchDraft = async (tx: Tx, caller: Caller, id: string, draftId: string, change: PatchDraft): Promise<void> => {
  const row = await find(tx, caller.workspace, id, true);
  if (row.state !== 'draft') throw new Refusal(409, 'sequence_closed', { state: row.state });
  const [now] = await tx.q<Draft>(`select ${DRAFT} from contacts c where c.run_id = $1 and c.sequence_id = $2 and coalesce(c.draft_id, c.id) = $3 for update of c`, [row.run_id, id, draftId]);
  if (!now) throw new Refusal(404, 'draft_not_found', { draft_id: draftId });
  const wanted = { subject: change.subject ?? now.subject, body: change.body ?? now.body };
  // It says so already: the reply to the first try was lost, or both wrote the same.
  if (wanted.subject === now.subject && wanted.body === now.body) return;
  if (change.version !== now.version) {
    throw new Refusal(409, 'draft_changed', {
      by: now.edited_by, at: now.edited_at, version: now.version,
      draft: { draft_id: now.draft_id, version: now.version, subject: now.subject, body: now.body, edited_by: now.edited_by, edited_at: now.edited_at },
    });
  }
  await tx.q(`update contacts set subject = $2, draft = $3, draft_version = draft_version + 1, edited_by = $4, edited_at = now(), updated_at = now() where id = $1`, [now.contact_id, wanted.subject, wanted.body, caller.sub]);
  await auditRow(tx, { workspace: caller.workspace, run: row.run_id, actor: caller.sub, channel: caller.channel, action: 'draft.changed', detail: { sequence_id: id, draft_id: draftId, version: now.version + 1 } });
};
