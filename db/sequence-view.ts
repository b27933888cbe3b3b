import type { Caller, PatchDraft, Sequence } from '../contracts/api.js';
import { Refusal } from '../contracts/problem.js';
import type { Progress } from '../contracts/progress.js';
import { isFinal } from '../contracts/states.js';
import { approvedKey, CORRECTED } from './approved.js';
import { auditRow, lockRun } from './events.js';
import type { Tx } from './client.js';

type Draft = Sequence['drafts'][number];
const DRAFT = `coalesce(c.draft_id, c.id) as draft_id, c.id as contact_id, c.name as to_name, c.title, (select a.name from accounts a where a.run_id = c.run_id and a.position = c.position) as company,
  coalesce(c.subject, '') as subject, coalesce(c.draft, '') as body, coalesce(c.written_by, 'template') as written_by, c.draft_version as version, c.edited_by, c.edited_at, c.stored_draft_id`;

interface Row {
  run_id: string;
  state: Sequence['state'];
  decision_id: string | null;
  decision_hash: string | null;
  problems: Sequence['problems'];
  objetivo: string;
  stored_id: string | null;
  stored_at: string | null;
  stored_edited: boolean;
  left_id: string | null;
  corrected: boolean;
}
const find = async (tx: Tx, workspace: string, id: string, lock = false): Promise<Row> => {
  const [row] = await tx.q<Row>(
    `select s.run_id, s.state, coalesce(s.decision_id, (select d.id from decisions d where d.run_id = s.run_id and d.kind = 'revisar_secuencia' order by d.id desc limit 1)) as decision_id,
       (select d.payload_hash from decisions d where d.run_id = s.run_id and d.kind = 'revisar_secuencia' and d.state = 'open') as decision_hash, s.problems, r.objetivo,
       s.stored_id, s.stored_at, s.stored_edited, s.left_id, ${CORRECTED} as corrected
     from sequences s join runs r on r.id = s.run_id where s.id = $1 and s.workspace_id = $2${lock ? ' for update of s' : ''}`,
    [id, workspace],
  );
  if (!row) throw new Refusal(404, 'sequence_not_found', { sequence_id: id });
  return row;
};

/** The run that carries an approval out, as far as it got. */
const approvalOf = async (tx: Tx, workspace: string, id: string, row: Row): Promise<Sequence['approval']> => {
  if (row.state !== 'approved') return null;
  const [run] = await tx.q<{ id: string; body: Progress }>(
    `select r.id, p.body from runs r join run_progress p on p.run_id = r.id where r.linked_run_id = $1 and r.workspace_id = $2 and r.recipe = 'armar-secuencia' order by r.id desc limit 1`,
    [row.run_id, workspace],
  );
  const run_id = run?.id ?? null;
  // Texts that nobody corrected are there as they were written.
  if (row.stored_id !== null && (row.stored_edited || !row.corrected)) return { state: 'stored', run_id, reason: null };
  if (!run || isFinal(run.body.state)) {
    const [open] = await tx.q(
      `select 1 from effects where workspace_id = $1 and state in ('sent', 'unconfirmed') and starts_with(key, $2) limit 1`,
      [workspace, approvedKey(id, '')],
    );
    return { state: open ? 'unknown' : 'not_stored', run_id, reason: run?.body.reason ?? null };
  }
  return run.body.state === 'paused'
    ? { state: 'hindered', run_id, reason: run.body.reason }
    : { state: 'under_way', run_id, reason: null };
};

/** A sequence with its drafts, in the order the contacts were chosen. @throws Refusal 404 `sequence_not_found` */
export const readSequence = async (tx: Tx, workspace: string, id: string): Promise<Sequence> => {
  const row = await find(tx, workspace, id);
  const approval = await approvalOf(tx, workspace, id, row);
  const drafts = await tx.q<Draft>(`select ${DRAFT} from contacts c where c.run_id = $1 and c.sequence_id = $2 order by c.rank, c.id`, [
    row.run_id,
    id,
  ]);
  const { run_id, state, decision_id, decision_hash, problems, objetivo } = row;
  const stored =
    row.stored_id === null || row.stored_at === null
      ? null
      : { sequence_id: row.stored_id, at: row.stored_at, edited: row.stored_edited, left: row.left_id };
  return { sequence_id: id, run_id, state, decision_id, decision_hash, problems, objetivo, stored, approval, drafts };
};

/**
 * Changes the text of one draft while its sequence waits for review, from the version that the person was looking at.
 * A tap that was sent for the texts before it does not approve this one: the card is another from here on.
 * @throws Refusal 404 `draft_not_found`; 409 `sequence_closed`, or `draft_changed` with the text as somebody else left it
 */
export const patchDraft = async (tx: Tx, caller: Caller, id: string, draftId: string, change: PatchDraft): Promise<void> => {
  // A tap holds the run as well: what is corrected is either approved as it was read or not at all.
  await lockRun(tx, caller.workspace, (await find(tx, caller.workspace, id)).run_id);
  const row = await find(tx, caller.workspace, id, true);
  if (row.state !== 'draft') throw new Refusal(409, 'sequence_closed', { state: row.state });
  const [now] = await tx.q<Draft>(
    `select ${DRAFT} from contacts c where c.run_id = $1 and c.sequence_id = $2 and coalesce(c.draft_id, c.id) = $3 for update of c`,
    [row.run_id, id, draftId],
  );
  if (!now) throw new Refusal(404, 'draft_not_found', { draft_id: draftId });
  const wanted = { subject: change.subject ?? now.subject, body: change.body ?? now.body };
  // It says so already: the reply to the first try was lost, or both wrote the same.
  if (wanted.subject === now.subject && wanted.body === now.body) return;
  if (change.version !== now.version) {
    throw new Refusal(409, 'draft_changed', {
      by: now.edited_by,
      at: now.edited_at,
      version: now.version,
      draft: {
        draft_id: now.draft_id,
        version: now.version,
        subject: now.subject,
        body: now.body,
        edited_by: now.edited_by,
        edited_at: now.edited_at,
      },
    });
  }
  await tx.q(
    `update contacts set subject = $2, draft = $3, draft_version = draft_version + 1, edited_by = $4, edited_at = now(), updated_at = now() where id = $1`,
    [now.contact_id, wanted.subject, wanted.body, caller.sub],
  );
  await tx.q(
    `update decisions set payload_hash = encode(sha256(convert_to(payload_hash || $2, 'UTF8')), 'hex') where run_id = $1 and kind = 'revisar_secuencia' and state = 'open'`,
    [row.run_id, `${now.contact_id}:${now.version + 1}`],
  );
  await auditRow(tx, {
    workspace: caller.workspace,
    run: row.run_id,
    actor: caller.sub,
    channel: caller.channel,
    action: 'draft.changed',
    detail: { sequence_id: id, draft_id: draftId, version: now.version + 1 },
  });
};
