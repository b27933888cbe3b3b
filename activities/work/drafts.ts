import { CancelledFailure } from '@temporalio/common';
import { draftTick, type DraftItem, type DraftOutcome, type DraftTurn } from '../../db/drafts.js';
import { blockRun } from '../../db/people.js';
import { withRun } from '../../db/events.js';
import { workspaceLanguage } from '../../db/runs.js';
import { draftPriceMax, modelDraft, templateDraft, type DraftFailure, type DraftRequest } from '../model.js';
import type { Context } from '../context.js';
import type { RunRef } from '../../workflows/directives.js';
import { asLane } from './lane.js';
import type { LaneResult } from './people.js';

/** Drafts that a template lane writes in one transaction. */
const TEMPLATE_LOT = 200;
const TRIES = 3;
/** Longest wait that a model may ask for between two tries, ms. */
const MAX_WAIT_MS = 60_000;

/** One drafting lane: personal drafts from the model, held and metered one by one, or from the template, labelled as such. */
export const draftLane = async (
  ctx: Context,
  { workspace, run, plan_version }: RunRef & { plan_version: number; lane: number; lanes: number },
): Promise<LaneResult> =>
  asLane(ctx, run, 's5', async (lane) => {
    const language = await workspaceLanguage(ctx.pool, workspace);
    const byModel = ctx.env.OPENAI_API_KEY !== '';
    const options = {
      draftMax: draftPriceMax(ctx.env) ?? 0,
      lot: byModel ? 1 : TEMPLATE_LOT,
      suppressionKey: ctx.env.CAMPANA_SUPPRESSION_KEY,
    };
    let outcomes: DraftOutcome[] = [];
    let done = 0;
    const tries = new Map<string, number>();
    for (;;) {
      const turn: DraftTurn = await draftTick(
        ctx.pool,
        workspace,
        run,
        plan_version,
        { id: lane.id, attempt: lane.attempt },
        outcomes,
        options,
      );
      outcomes = [];
      if ('stop' in turn) {
        if (turn.stop === 'cap') {
          await withRun(ctx.pool, workspace, run, (locked) =>
            blockRun(locked, 's5', {
              code: 'inference_cap',
              params: { done: locked.body.contacts.drafted, total: locked.body.contacts.captured },
            }),
          );
          return { done, stop: 'paused' };
        }
        return { done, stop: turn.stop };
      }
      for (const item of turn.items) {
        const request: DraftRequest = {
          name: item.name,
          title: item.title,
          company: item.company,
          activity: turn.activity,
          role: turn.role,
          language,
        };
        const outcome = byModel ? await byTheModel(ctx, workspace, run, item, request, tries, lane) : byTemplate(item, request, 0);
        if (outcome === null) break;
        outcomes.push(outcome);
        if (outcome.draft) lane.done((done += 1));
      }
      if (lane.signal.aborted) {
        // What was answered is stored, and nothing else is handed out.
        if (outcomes.length > 0)
          await draftTick(ctx.pool, workspace, run, plan_version, { id: lane.id, attempt: lane.attempt }, outcomes, { ...options, lot: 0 });
        lane.signal.throwIfAborted();
      }
    }
  });

/** What the model answers to nobody: another try, or another person, would change nothing. */
const STANDING: ReadonlySet<DraftFailure> = new Set(['quota', 'unauthorized', 'rejected', 'not_capable']);

/** Canceled with its run; not a worker that shuts down, nor an attempt that another one has replaced. */
const canceled = (signal: AbortSignal): boolean => signal.reason instanceof CancelledFailure && signal.reason.message === 'CANCELLED';

const byTheModel = async (
  ctx: Context,
  workspace: string,
  run: string,
  item: DraftItem,
  request: DraftRequest,
  tries: Map<string, number>,
  lane: { signal: AbortSignal; sleep(ms: number): Promise<void> },
): Promise<DraftOutcome | null> => {
  const result = await modelDraft(ctx.env, request, lane.signal);
  if (result === null) return byTemplate(item, request, 0);
  const { micros } = result;
  const again: DraftOutcome = { contact_id: item.contact_id, hold_id: item.hold_id, draft: null, micros, reason: null, again: true };
  if (result.draft) return { ...again, draft: result.draft, again: false };
  const { failure } = result;
  // A call that was cut off with its run may have been billed. In any other case another attempt goes on under the same hold.
  if (failure === 'aborted') return canceled(lane.signal) ? again : null;
  ctx.log.warn({ run_id: run, contact_id: item.contact_id, code: failure, detail: result.detail }, 'no draft by the model');
  if (STANDING.has(failure)) {
    // The run pauses and says so; the contact stays to be drafted.
    await withRun(ctx.pool, workspace, run, (locked) => blockRun(locked, 's5', { code: 'model_refused', params: { code: failure } }));
    return again;
  }
  const tried = (tries.get(item.contact_id) ?? 0) + 1;
  tries.set(item.contact_id, tried);
  // What it will not write to this person, it will not write on another try either; and whatever else it is had its tries. The person gets the
  // template's draft, labelled, rather than none.
  if (failure === 'refused' || tried >= TRIES) return byTemplate(item, request, micros);
  // Cut short by a cancel: the loop sees it.
  await lane.sleep(Math.min(result.retryAfterMs ?? 300 * 2 ** tried, MAX_WAIT_MS)).catch(() => undefined);
  return again;
};

const byTemplate = (item: DraftItem, request: DraftRequest, micros: number | null): DraftOutcome => ({
  contact_id: item.contact_id,
  hold_id: item.hold_id,
  draft: templateDraft(request),
  micros,
  reason: null,
  again: false,
});
