import { randomUUID } from 'node:crypto';
import { sequenceCheck, sequenceCreateDraft } from '../../contracts/tools/index.js';
import { ToolFailure } from '../failure.js';
import { implement, type CallContext } from '../runtime.js';

interface DraftRow {
  draft_id: string;
  person_id: string;
  blank: boolean;
  acquired: boolean;
}
const toDrafts = (rows: DraftRow[]) => rows.map((d) => ({ ref: `record:${d.draft_id}`, draft_id: d.draft_id, person_id: d.person_id }));

const draftsOf = (context: CallContext, sequenceId: string): Promise<DraftRow[]> =>
  context.store.rows<DraftRow>(
    'drafts',
    `SELECT d.draft_id, d.person_id, (btrim(d.subject) = '' OR btrim(d.body) = '') AS blank, a.person_id IS NOT NULL AS acquired
     FROM drafts d LEFT JOIN acquired a ON a.workspace = $1 AND a.person_id = d.person_id WHERE d.sequence_id = $2 ORDER BY d.place`,
    [context.workspace, sequenceId],
  );

interface SequenceRow {
  sequence_id: string;
  replaced_by: string | null;
}
const findSequence = async (
  context: CallContext,
  by: { sequence_id?: string | undefined; client_key?: string | undefined },
): Promise<SequenceRow | null> =>
  (
    await context.store.rows<SequenceRow>(
      'sequence-find',
      'SELECT sequence_id, replaced_by FROM sequences WHERE workspace = $1 AND ($2::text IS NULL OR sequence_id = $2) AND ($3::text IS NULL OR client_key = $3) LIMIT 1',
      [context.workspace, by.sequence_id ?? null, by.client_key ?? null],
    )
  )[0] ?? null;

/** Nothing was written although its key was free: what it was to replace is not there, or something else has its place. */
const refuseReplacing = async (context: CallContext, replaces: string): Promise<never> => {
  const old = await findSequence(context, { sequence_id: replaces });
  if (old === null) throw new ToolFailure('not_found', 'The sequence to replace was not found', { counted: false });
  throw new ToolFailure('already_replaced', 'That sequence was replaced before', {
    counted: false,
    params: { replaced_by: old.replaced_by },
  });
};

export const sequenceCreateTool = implement(sequenceCreateDraft, async (args, context) => {
  const existing = await findSequence(context, { client_key: args.client_key });
  if (existing === null) {
    if (!(await context.store.workspace(context.workspace)).mailbox) {
      throw new ToolFailure('mailbox_missing', 'No mailbox is connected. Connect one to store drafts.', {
        counted: false,
        params: { connect_url: 'https://panel.example/buzones' },
      });
    }
    // As with saves, the row of the key decides: of two calls at once only one writes drafts. The lock on the old row makes two that would
    // replace it wait for each other, so that a sequence has one successor at most.
    await context.store.rows(
      'sequence-create',
      `WITH old AS (SELECT sequence_id FROM sequences WHERE workspace = $1 AND sequence_id = $8 AND replaced_by IS NULL FOR UPDATE),
       made AS (
         INSERT INTO sequences (workspace, client_key, sequence_id, name) SELECT $1, $2, $3, $4 WHERE $8::text IS NULL OR EXISTS (SELECT 1 FROM old)
         ON CONFLICT (workspace, client_key) DO NOTHING RETURNING sequence_id),
       gone AS (UPDATE sequences s SET replaced_by = made.sequence_id FROM made, old WHERE s.workspace = $1 AND s.sequence_id = old.sequence_id)
       INSERT INTO drafts (sequence_id, place, draft_id, person_id, subject, body)
       SELECT made.sequence_id, g.place, 'drf-' || gen_random_uuid(), g.person_id, g.subject, g.body
       FROM made CROSS JOIN unnest($5::text[], $6::text[], $7::text[]) WITH ORDINALITY AS g (person_id, subject, body, place)`,
      [
        context.workspace,
        args.client_key,
        `seq-${randomUUID()}`,
        args.name,
        args.drafts.map((d) => d.person_id),
        args.drafts.map((d) => d.subject),
        args.drafts.map((d) => d.body),
        args.replaces ?? null,
      ],
    );
  }
  const found = existing ?? (await findSequence(context, { client_key: args.client_key }));
  if (found === null && args.replaces !== undefined) return refuseReplacing(context, args.replaces);
  if (found === null) throw new Error('The sequence left no row');
  const { sequence_id } = found;
  const drafts = toDrafts(await draftsOf(context, sequence_id));
  return {
    ref: context.ref('sq'),
    shown: drafts.length,
    total: drafts.length,
    has_more: false,
    next_cursor: null,
    sequence_id,
    created: drafts.length,
    client_key: args.client_key,
    drafts,
    coverage: 'Drafts only; nothing is sent',
  };
});

export const sequenceCheckTool = implement(sequenceCheck, async (args, context) => {
  if (args.sequence_id === undefined && args.client_key === undefined) {
    throw new ToolFailure('invalid_input', 'arguments: sequence_id or client_key is needed', { counted: false });
  }
  const found = await findSequence(context, args);
  const sequence_id = found?.sequence_id ?? null;
  const rows = sequence_id === null ? [] : await draftsOf(context, sequence_id);
  const { mailbox } = await context.store.workspace(context.workspace);
  const problems = [
    { code: 'replaced', count: (found?.replaced_by ?? null) === null ? 0 : 1 },
    { code: 'mailbox_missing', count: mailbox ? 0 : 1 },
    { code: 'draft_blank', count: rows.filter((d) => d.blank).length },
    { code: 'contact_not_acquired', count: rows.filter((d) => !d.acquired).length },
    { code: 'contact_repeated', count: rows.length - new Set(rows.map((d) => d.person_id)).size },
  ].filter((p) => sequence_id !== null && p.count > 0);
  return {
    ref: context.ref('sk'),
    shown: rows.length,
    total: rows.length,
    has_more: false,
    next_cursor: null,
    found: sequence_id !== null,
    sequence_id,
    ready: sequence_id !== null && problems.length === 0,
    drafts: toDrafts(rows),
    problems,
    replaced_by: found?.replaced_by ?? null,
    coverage: sequence_id === null ? 'No sequence by that id or key in this workspace' : 'One sequence',
  };
});
