import type { z } from 'zod';
import { collectionQuery, crmSaveCompanies, crmUndo } from '../../contracts/tools/crm.js';
import { sequenceCheck, sequenceCreateDraft } from '../../contracts/tools/sequences.js';
import type { ToolContract } from '../../contracts/tools/common.js';
import { withRun } from '../../db/events.js';
import { blockRun } from '../../db/people.js';
import { beginSave, beginUndo, finishSave, finishUndo, refuseUndo, settleWrite } from '../../db/writes.js';
import { beginSequence, failSequence, finishSequence, type DraftBatch } from '../../db/draft-lots.js';
import {
  beginApproved,
  dropApproved,
  failApproved,
  finishApproved,
  isOnlyRead,
  SUPPRESSED_LEFT,
  surplusOf,
  type ApprovedBatch,
} from '../../db/approved.js';
import { ToolFailure } from '../mcp.js';
import type { Context } from '../context.js';
import type { RunRef } from '../../workflows/directives.js';
import { asLane } from './lane.js';

/** A failure after a call whose outcome is not known: whatever the provider says to the question, it says nothing of that call. */
const doubtful = (error: ToolFailure): ToolFailure =>
  error.effect === 'unknown' ? error : new ToolFailure(error.tool, 'unknown', error.code, error.retryAfterMs);

/**
 * A free write under a client key: called, and when its outcome is unknown read back by the key; when the provider does not have
 * it, sent once more under the same key, which its contract answers with the first result.
 * @throws ToolFailure `refused` only where nothing happened under the key, in none of the calls
 */
const writeOnce = async <I extends z.ZodType, O extends z.ZodType, R>(
  ctx: Context,
  workspace: string,
  contract: ToolContract<I, O>,
  args: z.input<I>,
  fresh: boolean,
  readBack: () => Promise<R | null>,
  of: (reply: z.output<O>) => R,
  sleep: (ms: number) => Promise<void>,
): Promise<R> => {
  let unknown = !fresh;
  for (let attempt = 1; ; attempt += 1) {
    let reading = unknown;
    try {
      if (reading) {
        const there = await readBack();
        if (there !== null) return there;
        reading = false;
      }
      return of(await ctx.tools.call(workspace, contract, args, { scope: 'paid', timeoutMs: 60_000 }));
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      const refused = error.effect === 'refused' && !error.passing;
      // It looked for the key first: what it refuses it has not got.
      if (refused && !reading) throw error;
      if (error.effect === 'unknown') unknown = true;
      if (attempt >= 6) throw unknown ? doubtful(error) : error;
      await sleep(error.retryAfterMs ?? Math.min(200 * 2 ** attempt, 5000));
    }
  }
};

/** Saves the companies that were approved, once. */
export const saveCompanies = async (ctx: Context, { workspace, run }: RunRef): Promise<void> =>
  asLane(ctx, run, 's2', async (lane) => {
    const begun = await beginSave(ctx.pool, workspace, run);
    if (!begun) return;
    const { effect, companies } = begun;
    try {
      const saved = await writeOnce(
        ctx,
        workspace,
        crmSaveCompanies,
        { client_key: effect.key, companies },
        effect.fresh,
        async () =>
          (
            await ctx.tools.call(
              workspace,
              collectionQuery,
              { op: 'query', collection: 'prospectos', client_key: effect.key },
              { scope: 'read' },
            )
          ).save,
        (reply) => reply,
        lane.sleep,
      );
      await finishSave(ctx.pool, workspace, run, effect, saved);
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      await withRun(ctx.pool, workspace, run, async (locked) => {
        if (error.effect === 'refused') await settleWrite(locked, effect.id, 'voided', { code: error.code });
        await blockRun(locked, 's2', { code: 'save_failed', params: { code: error.code } });
      });
    }
  });

/** Undoes the save that a person asked to undo; refused by the provider when rows changed since, and said so. */
export const undoSave = async (ctx: Context, { workspace, run }: RunRef): Promise<void> =>
  asLane(ctx, run, 's2', async (lane) => {
    const begun = await beginUndo(ctx.pool, workspace, run);
    if (!begun) return;
    try {
      await writeOnce(
        ctx,
        workspace,
        crmUndo,
        { undo_token: begun.token },
        begun.effect.fresh,
        async () =>
          (
            await ctx.tools.call(
              workspace,
              collectionQuery,
              { op: 'query', collection: 'prospectos', client_key: `save:${begun.decision}` },
              { scope: 'read' },
            )
          ).save === null
            ? true
            : null,
        () => true,
        lane.sleep,
      );
      await finishUndo(ctx.pool, workspace, run, begun.effect);
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      // Which rows somebody changed since, as far as a reason can hold them.
      const rows = Array.isArray(error.params['rows']) ? error.params['rows'].filter((r): r is string => typeof r === 'string') : [];
      const known = error.effect !== 'unknown';
      await refuseUndo(
        ctx.pool,
        workspace,
        run,
        begun.effect,
        known ? error.code : 'unconfirmed',
        rows.length > 0 ? { rows: rows.slice(0, 20).join(', '), n: rows.length } : {},
        known,
      );
    }
  });

type Stored = Pick<z.infer<typeof sequenceCreateDraft.output>, 'sequence_id' | 'drafts'>;
const storeLot = (
  ctx: Context,
  workspace: string,
  batch: DraftBatch,
  replaces: string | null,
  sleep: (ms: number) => Promise<void>,
): Promise<Stored> =>
  writeOnce(
    ctx,
    workspace,
    sequenceCreateDraft,
    {
      client_key: batch.effect.key,
      name: batch.name,
      drafts: batch.drafts.map(({ person_id, subject, body }) => ({ person_id, subject, body })),
      ...(replaces === null ? {} : { replaces }),
    },
    batch.effect.fresh,
    async () => {
      const check = await ctx.tools.call(workspace, sequenceCheck, { client_key: batch.effect.key }, { scope: 'read' });
      return check.found && check.sequence_id ? { sequence_id: check.sequence_id, drafts: check.drafts } : null;
    },
    (reply) => ({ sequence_id: reply.sequence_id, drafts: reply.drafts }),
    sleep,
  );

/** What the provider's check says of a sequence; null when it does not answer, which is no reason to stop. */
const checked = (ctx: Context, workspace: string, sequence_id: string): Promise<z.infer<typeof sequenceCheck.output> | null> =>
  ctx.tools.call(workspace, sequenceCheck, { sequence_id }, { scope: 'read' }).catch((error: unknown) => {
    if (error instanceof ToolFailure) return null;
    throw error;
  });

/** Stores written drafts at the provider, lot by lot. Sends nothing to anybody. */
export const storeSequences = async (ctx: Context, { workspace, run }: RunRef): Promise<void> =>
  asLane(ctx, run, 's5', async (lane) => {
    for (;;) {
      const batch = await beginSequence(ctx.pool, workspace, run, ctx.env.CAMPANA_SUPPRESSION_KEY);
      if (!batch) return;
      try {
        const stored = await storeLot(ctx, workspace, batch, null, lane.sleep);
        const check = await checked(ctx, workspace, stored.sequence_id);
        await finishSequence(ctx.pool, workspace, run, batch, stored, check?.problems ?? []);
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error;
        return failSequence(ctx.pool, workspace, run, batch, error.code, error.effect === 'refused');
      }
    }
  });

/**
 * Stores the texts as they were approved, in the place of what the provider has, where a person corrected one. A provider that cannot be
 * told which sequence they replace gets them as a sequence of its own, and the earlier one is said to be still there.
 */
export const storeApproved = async (ctx: Context, { workspace, run }: RunRef): Promise<void> =>
  asLane(ctx, run, 's6', async (lane) => {
    let replaces: boolean;
    try {
      replaces = await patiently(() => ctx.tools.accepts(workspace, sequenceCreateDraft, 'replaces'), lane.sleep);
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      // Nothing was sent in this attempt; a call of an earlier one is read back when the run goes on.
      return withRun(ctx.pool, workspace, run, (locked) => blockRun(locked, 's6', { code: `sequence.${error.code}`, params: {} }));
    }
    for (;;) {
      const batch = await beginApproved(ctx.pool, workspace, run, ctx.env.CAMPANA_SUPPRESSION_KEY);
      if (!batch) return;
      try {
        const found = isOnlyRead(batch)
          ? await storedBefore(ctx, workspace, batch, lane.sleep)
          : await storeOver(ctx, workspace, batch, replaces, lane.sleep);
        if (found === null) {
          await dropApproved(ctx.pool, workspace, run, batch);
          continue;
        }
        const { stored, other } = found;
        const check = await checked(ctx, workspace, stored.sequence_id);
        const old = batch.replaces === null ? null : await checked(ctx, workspace, batch.replaces);
        // What it says of the earlier one counts; where it does not say, it is as good as its word.
        const gone =
          batch.replaces === null || (old?.found === false ? true : old?.replaced_by === undefined ? replaces : old.replaced_by !== null);
        const surplus = surplusOf(batch, stored).length;
        const again = surplus > 0 && replaces && !isOnlyRead(batch);
        const left = [
          ...(gone || batch.replaces === null ? [] : [batch.replaces]),
          ...(other === null ? [] : [other]),
          ...(isOnlyRead(batch) ? [stored.sequence_id] : []),
        ];
        const problems = [...(surplus > 0 && !again ? [{ code: SUPPRESSED_LEFT, count: surplus }] : []), ...(check?.problems ?? [])];
        await finishApproved(ctx.pool, workspace, run, batch, stored, { problems, left, again });
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error;
        return failApproved(ctx.pool, workspace, run, batch, error.code, error.effect === 'refused');
      }
    }
  });

/** `other`: what somebody else put in the place of the earlier sequence, and is still there beside the approved texts. */
interface Over {
  stored: Stored;
  other: string | null;
}
const storeOver = async (
  ctx: Context,
  workspace: string,
  batch: ApprovedBatch,
  replaces: boolean,
  sleep: (ms: number) => Promise<void>,
): Promise<Over> => {
  try {
    return { stored: await storeLot(ctx, workspace, batch, replaces ? batch.replaces : null, sleep), other: null };
  } catch (error) {
    // Somebody deleted the earlier one at the provider, or put another in its place: then there is no place to take, and no other try would find it.
    if (
      !(error instanceof ToolFailure) ||
      error.effect !== 'refused' ||
      !replaces ||
      batch.replaces === null ||
      !PLACE_GONE.has(error.code)
    )
      throw error;
    const by = error.params['replaced_by'];
    return {
      stored: await storeLot(ctx, workspace, { ...batch, effect: { ...batch.effect, fresh: false } }, null, sleep),
      other: typeof by === 'string' ? by : null,
    };
  }
};
const PLACE_GONE: ReadonlySet<string> = new Set(['not_found', 'already_replaced']);

/** What an earlier call under the lot's key did, without repeating it. */
const storedBefore = async (
  ctx: Context,
  workspace: string,
  batch: ApprovedBatch,
  sleep: (ms: number) => Promise<void>,
): Promise<Over | null> => {
  try {
    const check = await patiently(
      () => ctx.tools.call(workspace, sequenceCheck, { client_key: batch.effect.key }, { scope: 'read' }),
      sleep,
    );
    return check.found && check.sequence_id ? { stored: { sequence_id: check.sequence_id, drafts: check.drafts }, other: null } : null;
  } catch (error) {
    throw error instanceof ToolFailure ? doubtful(error) : error;
  }
};

/** A question that changes nothing, asked again while its failure may pass. */
const patiently = async <R>(ask: () => Promise<R>, sleep: (ms: number) => Promise<void>): Promise<R> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ToolFailure) || !error.passing || attempt >= 6) throw error;
      await sleep(error.retryAfterMs ?? Math.min(200 * 2 ** attempt, 5000));
    }
  }
};
