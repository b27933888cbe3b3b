import { sendWrite, settleWrite, type WriteEffect } from './writes.js';
import { blockRun } from './people.js';
import { withRun } from './events.js';
import { newId } from './ids.js';
import type { Pool } from './client.js';
import { withoutSuppressed, type Reached } from './drafts.js';

/** Lots of written drafts on their way to the provider, each under its own key. */

/** Drafts per `sequence_create_draft` call. */
export const DRAFT_LOT = 50;

export interface DraftBatch {
  effect: WriteEffect;
  name: string;
  drafts: Array<{ contact_id: string; person_id: string; subject: string; body: string }>;
}

/** The next lot of written drafts that is not at the provider yet; a lot whose call was cut comes back under its own key. */
export const beginSequence = (pool: Pool, workspace: string, runId: string, suppressionKey: string): Promise<DraftBatch | null> =>
  withRun(pool, workspace, runId, async (run) => {
    if (run.final || run.row.control !== 'run') return null;
    const [start] = await run.tx.q<{ id: string }>(
      `select id from decisions where run_id = $1 and kind = 'ajustar_presupuesto' and state = 'approved' limit 1`,
      [runId],
    );
    let [sequence] = await run.tx.q<{ id: string; client_key: string }>(
      `select s.id, s.client_key from sequences s join effects e on e.key = s.client_key and e.workspace_id = s.workspace_id where s.run_id = $1 and e.state in ('sent', 'unconfirmed') limit 1`,
      [runId],
    );
    while (!sequence) {
      const rows = await run.tx.q<Reached>(
        `select c.id, c.person_id, c.email, a.rfc, a.domain from contacts c join accounts a on a.run_id = c.run_id and a.position = c.position
         where c.run_id = $1 and c.state = 'captured' and c.draft is not null and c.draft_id is null and c.sequence_id is null and c.reason is null order by c.rank limit $2`,
        [runId, DRAFT_LOT],
      );
      if (rows.length === 0) return null;
      // The list may have grown since the drafts were written.
      const lot = await withoutSuppressed(run, rows, suppressionKey);
      if (lot.length === 0) continue;
      const n = (await run.tx.q<{ n: number }>(`select count(*)::int as n from sequences where run_id = $1`, [runId]))[0]?.n ?? 0;
      sequence = { id: newId('seq'), client_key: `sequence:${runId}:${n + 1}` };
      await run.tx.q(`insert into sequences (id, run_id, workspace_id, client_key) values ($1, $2, $3, $4)`, [
        sequence.id,
        runId,
        workspace,
        sequence.client_key,
      ]);
      await run.tx.q(`update contacts set sequence_id = $2 where id = any($1)`, [lot.map((r) => r.id), sequence.id]);
    }
    const effect = await sendWrite(run, 'sequence_create_draft', 's5', sequence.client_key, start?.id ?? '');
    const drafts = await run.tx.q<DraftBatch['drafts'][number]>(
      `select id as contact_id, person_id, subject, draft as body from contacts where run_id = $1 and sequence_id = $2 and state = 'captured' order by rank`,
      [runId, sequence.id],
    );
    return { effect, name: run.row.objetivo.slice(0, 300), drafts };
  });

/** The provider has the lot: its contacts are drafted, and what it could not take is said. */
export const finishSequence = (
  pool: Pool,
  workspace: string,
  runId: string,
  batch: DraftBatch,
  stored: { sequence_id: string; drafts: Array<{ draft_id: string; person_id: string }> },
  problems: Array<{ code: string; count: number }>,
): Promise<void> =>
  withRun(pool, workspace, runId, async (run) => {
    await settleWrite(run, batch.effect.id, 'captured', { sequence_id: stored.sequence_id });
    const done = await run.tx.q<{ id: string }>(
      `update contacts c set draft_id = x.draft_id, stored_draft_id = x.draft_id, state = 'drafted', updated_at = now() from jsonb_to_recordset($3::jsonb) as x (draft_id text, person_id text)
       where c.run_id = $1 and c.person_id = x.person_id and c.state = 'captured' and c.sequence_id = (select id from sequences where client_key = $2) returning c.id`,
      [runId, batch.effect.key, JSON.stringify(stored.drafts)],
    );
    await run.tx.q(`update sequences set problems = $2, stored_id = $3, stored_at = now() where client_key = $1`, [
      batch.effect.key,
      JSON.stringify(problems),
      stored.sequence_id,
    ]);
    const drafted = run.body.contacts.drafted + done.length;
    run.emit(
      'drafts.stored',
      { n: done.length },
      {
        contacts: { ...run.body.contacts, drafted },
        pasos: [
          {
            id: 's5',
            conteo: { done: drafted, total: run.body.contacts.captured, unit: 'draft' },
            reason: problems[0] ? { code: `sequence.${problems[0].code}`, params: { n: problems[0].count } } : null,
          },
        ],
      },
    );
  });

/** The lot could not be stored: its contacts are free for another lot, and the run pauses with the reason. */
export const failSequence = (
  pool: Pool,
  workspace: string,
  runId: string,
  batch: DraftBatch,
  code: string,
  known: boolean,
): Promise<void> =>
  withRun(pool, workspace, runId, async (run) => {
    await settleWrite(run, batch.effect.id, known ? 'voided' : 'unconfirmed', { code });
    if (known)
      await run.tx.q(
        `update contacts set sequence_id = null where run_id = $1 and sequence_id = (select id from sequences where client_key = $2)`,
        [runId, batch.effect.key],
      );

    await blockRun(run, 's5', { code: known ? `sequence.${code}` : 'sequence.unconfirmed', params: { n: batch.drafts.length } });
  });
