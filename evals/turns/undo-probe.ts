import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { create } from '../../activities/control.js';
import type { Context } from '../../activities/context.js';
import { tap, undo } from '../../activities/decide.js';
import { ToolFailure } from '../../activities/mcp.js';
import { bookkeeping } from '../../activities/steps/index.js';
import type { Caller, RunAccepted } from '../../contracts/api.js';
import { CreateRun } from '../../contracts/criteria.js';
import type { Decision } from '../../contracts/decision.js';
import { Env } from '../../contracts/env.js';
import { collectionQuery, companySearch, crmSaveCompanies, crmUndo } from '../../contracts/tools/index.js';
import { openCard, saveCard } from '../../db/cards.js';
import { createPool, read } from '../../db/client.js';
import { decisionView, findDecision } from '../../db/decisions/decision.js';
import { stepWorkflowId, withRun } from '../../db/events.js';
import { migrate } from '../../db/migrate.js';
import { listDecisions } from '../../db/runs.js';
import { beginSave, beginUndo, finishSave, finishUndo } from '../../db/writes.js';
import type { UndoProbe } from './dump.js';
import { UNDO, type World } from './world.js';

/** What is saved and undone: other trades, states and roles, and one account as well as a lot. */
const CASES = [
  { id: 'empaque-jalisco', giro: 'empaque', estado: 'Jalisco', cargo: 'compras', cuentas: 4 },
  { id: 'muebles-puebla', giro: 'muebles', estado: 'Puebla', cargo: 'operaciones', cuentas: 1 },
  { id: 'textil-guanajuato', giro: 'textil', estado: 'Guanajuato', cargo: 'calidad', cuentas: 9 },
] as const;
type Case = (typeof CASES)[number];

/**
 * Blocking eval 8, on the database and the tool server without Temporal: a campaign's save through its cards as a person taps them, undone; and one
 * that stays, since somebody worked on a row of it. Once for each case, one after the other: they share the CRM.
 */
export const probeUndo = async (world: World): Promise<UndoProbe[]> => {
  const found: UndoProbe[] = [];
  for (const one of CASES) found.push(await probeCase(world, one));
  return found;
};

const probeCase = async (world: World, { id, giro, estado, cargo, cuentas }: Case): Promise<UndoProbe> => {
  const probe: UndoProbe = {
    case: id,
    wanted: cuentas,
    saved: 0,
    undo_token: false,
    undo_until: null,
    window_ms: 0,
    card_undo_until: null,
    removed: null,
    left: -1,
    refused_after_edit: null,
    error: null,
  };
  const url = await world.database();
  await migrate(url);
  const pool = createPool(url, { max: 4, name: `evals-undo-${id}` });
  const ctx: Context = {
    pool,
    tools: world.paid,
    temporal: null,
    log: pino({ level: 'silent' }),
    env: Env.parse({ DATABASE_URL: url, NODE_ENV: 'test' }),
  };
  const caller: Caller = { sub: 'evals', workspace: UNDO, roles: ['seller', 'approver'], channel: 'web' };
  const key = (): string => randomUUID();

  /** Up to the rows in the CRM. */
  const saved = async (
    from: number,
  ): Promise<{ run: string; decision: Decision; token: string; until: string; n: number; clientKey: string }> => {
    const { companies } = await world.paid.call(UNDO, companySearch, { activity: giro, state: estado, limit: 25 }, { scope: 'paid' });
    const accounts = companies
      .slice(from, from + cuentas)
      .map((company) => ({ ref: company.company_id, name: company.name.slice(0, 300) }));
    const made = await create(
      ctx,
      caller,
      CreateRun.parse({ criteria: { giro, estado, cargo }, cuentas: accounts.length, accounts, desde: 's2', hasta: 'cuentas' }),
      key(),
    );
    const run = (made.body as RunAccepted).run_id;
    await bookkeeping(ctx).openRun({ workspace: UNDO, run });
    const card = async (kind: Decision['kind']): Promise<Decision> => {
      const found = (await listDecisions(pool, UNDO, { state: 'open', limit: 10, run })).decisions.find((one) => one.kind === kind);
      if (!found) throw new Error(`no card ${kind}`);
      return found;
    };
    const press = async (decision: Decision): Promise<void> => {
      const option = decision.options.find((one) => one.id === 'approve' || one.id === 'all');
      if (!option) throw new Error(`nothing to press on ${decision.kind}`);
      await tap(
        ctx,
        caller,
        decision.id,
        {
          option: option.id as 'approve' | 'all',
          plan_version: decision.plan_version,
          payload_hash: decision.payload_hash,
          shown_total: option.totals.credits,
        },
        key(),
      );
    };
    // Saving alone costs nothing: the campaign has started by itself.
    await withRun(pool, UNDO, run, async (locked) => openCard(locked, await saveCard(locked, stepWorkflowId(locked.row, 's2'))));
    const save = await card('guardar_en_crm');
    await press(save);
    const begun = await beginSave(pool, UNDO, run);
    if (!begun) throw new Error('the approved save does not begin');
    const result = await world.paid.call(
      UNDO,
      crmSaveCompanies,
      { client_key: begun.effect.key, companies: begun.companies },
      { scope: 'paid' },
    );
    await finishSave(pool, UNDO, run, begun.effect, result);
    return {
      run,
      decision: decisionView(await findDecision(read(pool), UNDO, save.id)),
      token: result.undo_token,
      until: result.undo_until,
      n: result.saved,
      clientKey: begun.effect.key,
    };
  };
  const begunUndo = async (run: string, decision: string): Promise<NonNullable<Awaited<ReturnType<typeof beginUndo>>>> => {
    await undo(ctx, caller, decision, key());
    const begun = await beginUndo(pool, UNDO, run);
    if (!begun) throw new Error('the undo that was asked for does not begin');
    return begun;
  };

  try {
    const first = await saved(0);
    Object.assign(probe, {
      saved: first.n,
      undo_token: first.token !== '',
      undo_until: first.until,
      window_ms: Date.parse(first.until) - Date.now(),
      card_undo_until: first.decision.undo_until,
    });
    const begun = await begunUndo(first.run, first.decision.id);
    probe.removed = (await world.paid.call(UNDO, crmUndo, { undo_token: begun.token }, { scope: 'paid' })).removed;
    await finishUndo(pool, UNDO, first.run, begun.effect);
    probe.left = (
      await world.paid.call(
        UNDO,
        collectionQuery,
        { op: 'query', collection: 'prospectos', client_key: first.clientKey },
        { scope: 'read' },
      )
    ).rows.length;

    const second = await saved(cuentas);
    await world.control('POST', '/touch-row', {
      workspace: UNDO,
      company_id: (
        await world.paid.call(
          UNDO,
          collectionQuery,
          { op: 'query', collection: 'prospectos', client_key: second.clientKey },
          { scope: 'read' },
        )
      ).rows[0]?.['company_id'],
    });
    const again = await begunUndo(second.run, second.decision.id);
    probe.refused_after_edit = await world.paid.call(UNDO, crmUndo, { undo_token: again.token }, { scope: 'paid' }).then(
      () => null,
      (error: unknown) => (error instanceof ToolFailure ? error.code : String(error)),
    );
  } catch (error) {
    probe.error = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
  } finally {
    await pool.end();
  }
  return probe;
};
