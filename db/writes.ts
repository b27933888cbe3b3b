import type { z } from 'zod';
import type { crmSaveCompanies } from '../contracts/tools/crm.js';
import { withRun, type LockedRun } from './events.js';
import { newId } from './ids.js';
import { openCard, saveCard } from './cards.js';
import { stepWorkflowId } from './events.js';
import type { Pool } from './client.js';

/**
 * Free writes at the provider (a save, its undo, a sequence of drafts) under a client key that it honours and can be read by.
 * Their effect row is committed as `sent` before the call, like a paid one's; an unknown outcome is read back by the key.
 */
export interface WriteEffect {
  id: string;
  key: string;
  state: 'sent' | 'captured' | 'unconfirmed' | 'voided';
  fresh: boolean;
}

export const sendWrite = async (
  run: LockedRun,
  kind: 'crm_save_companies' | 'crm_undo' | 'sequence_create_draft',
  step: string,
  key: string,
  decision: string,
  provider = run.row.prices?.provider ?? 'mcp',
): Promise<WriteEffect> => {
  const inserted = await run.tx.q<{ id: string }>(
    `insert into effects (id, workspace_id, provider, kind, subject, key, run_id, step, decision_id, plan_version, state, sent_at)
     values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, 'sent', now()) on conflict do nothing returning id`,
    [newId('eff'), run.workspace, provider, kind, key, run.id, step, decision, run.row.plan_version],
  );
  if (inserted[0]) return { id: inserted[0].id, key, state: 'sent', fresh: true };
  const [row] = await run.tx.q<{ id: string; state: WriteEffect['state'] }>(
    `select id, state from effects where workspace_id = $1 and provider = $2 and key = $3`,
    [run.workspace, provider, key],
  );
  if (!row) throw new Error(`effect ${key} is neither new nor there`);
  // Refused before, so nothing happened under this key: it is sent as if for the first time.
  if (row.state === 'voided') {
    await run.tx.q(
      `update effects set state = 'sent', sent_at = now(), result = null, settled_by = null, updated_at = now() where id = $1`,
      [row.id],
    );
    return { id: row.id, key, state: 'sent', fresh: false };
  }
  return { id: row.id, key, state: row.state, fresh: false };
};
/** What is known of a call now. That it happened is true whoever says so; nothing that is said later takes it back. */
export const settleWrite = async (
  run: LockedRun,
  id: string,
  state: 'captured' | 'voided' | 'unconfirmed',
  result: unknown,
): Promise<void> => {
  await run.tx.q(
    `update effects set state = $2, result = $3, settled_by = 'reply', needs_operator = $4, updated_at = now()
     where id = $1 and (state in ('sent', 'unconfirmed') or ($2 = 'captured' and state = 'voided'))`,
    [id, state, JSON.stringify(result ?? null), state === 'unconfirmed'],
  );
};

export interface SaveItem {
  company_id: string;
  name: string;
  rfc: string | null;
  domain: string | null;
}
type Saved = Pick<z.infer<typeof crmSaveCompanies.output>, 'saved' | 'already_there' | 'undo_token' | 'undo_until'>;

/** The save that was approved, if there is one to do now: checked against the decision, the plan and the run in one transaction. */
export const beginSave = (pool: Pool, workspace: string, runId: string): Promise<{ effect: WriteEffect; companies: SaveItem[] } | null> =>
  withRun(pool, workspace, runId, async (run) => {
    if (run.final || run.row.control !== 'run') return null;
    const [d] = await run.tx.q<{ id: string; items: string[] }>(
      `select id, outcome -> 'items' as items from decisions where run_id = $1 and kind = 'guardar_en_crm' and state = 'approved' order by resolved_at desc limit 1`,
      [runId],
    );
    if (!d) return null;
    const companies = await run.tx.q<SaveItem>(
      `select company_id, name, rfc, domain from accounts where run_id = $1 and company_id = any($2) and state <> 'suppressed' order by position`,
      [runId, d.items],
    );
    if (companies.length === 0) return null;
    return { effect: await sendWrite(run, 'crm_save_companies', 's2', `save:${d.id}`, d.id), companies };
  });

export const finishSave = (pool: Pool, workspace: string, runId: string, effect: WriteEffect, saved: Saved): Promise<void> =>
  withRun(pool, workspace, runId, async (run) => {
    await settleWrite(run, effect.id, 'captured', { undo_token: saved.undo_token, saved: saved.saved });
    const decision = effect.key.slice('save:'.length);
    await run.tx.q(`update decisions set undo_until = $2 where id = $1 and undo_until is null`, [decision, saved.undo_until]);
    const n = saved.saved + saved.already_there;
    if (run.paso('s2')?.status !== 'done')
      run.emit(
        'companies.saved',
        { n: saved.saved, already_there: saved.already_there },
        { pasos: [{ id: 's2', status: 'done', reason: null, conteo: { done: n, total: n, unit: 'company' } }] },
      );
  });

/** The undo that a person asked for, with its token. */
export const beginUndo = (
  pool: Pool,
  workspace: string,
  runId: string,
): Promise<{ effect: WriteEffect; decision: string; token: string } | null> =>
  withRun(pool, workspace, runId, async (run) => {
    const asked = run.row.undo;
    if (!asked || asked.state !== 'asked' || run.final) return null;
    const [saved] = await run.tx.q<{ token: string | null }>(
      `select result ->> 'undo_token' as token from effects where run_id = $1 and key = $2 and state = 'captured'`,
      [runId, `save:${asked.decision_id}`],
    );
    if (!saved?.token) return null;
    return {
      effect: await sendWrite(run, 'crm_undo', 's2', `undo:${asked.decision_id}`, asked.decision_id),
      decision: asked.decision_id,
      token: saved.token,
    };
  });

/** The save is undone: s2 waits for a tap again, people found are kept. */
export const finishUndo = (pool: Pool, workspace: string, runId: string, effect: WriteEffect): Promise<void> =>
  withRun(pool, workspace, runId, async (run) => {
    if (run.row.undo?.state !== 'asked') return;
    await settleWrite(run, effect.id, 'captured', {});
    const undo = { ...run.row.undo, state: 'done' as const };
    await run.tx.q(`update runs set undo = $2 where id = $1`, [runId, JSON.stringify(undo)]);
    run.row.undo = undo;
    run.emit(
      'save.undone',
      {},
      {
        pasos: [
          { id: 's2', status: 'waiting_decision' },
          ...(run.paso('s3')?.status === 'running' ? [{ id: 's3' as const, status: 'paused' as const }] : []),
        ],
      },
    );
    await run.tx.q(`update run_steps set ended_at = null where run_id = $1 and step = 's2'`, [runId]);
    await openCard(run, await saveCard(run, stepWorkflowId(run.row, 's2')));
  });

/** The provider would not undo (rows changed, window over), or nobody knows whether it did: the run stays paused and says which; asking again reads first. */
export const refuseUndo = (
  pool: Pool,
  workspace: string,
  runId: string,
  effect: WriteEffect,
  code: string,
  params: Record<string, string | number | boolean | null>,
  known: boolean,
): Promise<void> =>
  withRun(pool, workspace, runId, async (run) => {
    if (run.row.undo?.state !== 'asked') return;
    await settleWrite(run, effect.id, known ? 'voided' : 'unconfirmed', { code });
    const undo = { ...run.row.undo, state: 'refused' as const };
    await run.tx.q(`update runs set undo = $2 where id = $1`, [runId, JSON.stringify(undo)]);
    run.row.undo = undo;
    run.emit('undo.refused', { code }, { state: 'paused', reason: { code: `undo_refused.${code}`, params } });
  });
