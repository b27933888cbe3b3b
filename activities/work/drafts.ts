import { draftTick, type DraftItem, type DraftOutcome, type DraftTurn } from '../../db/drafts.js';
import { blockRun } from '../../db/people.js';
import { withRun } from '../../db/events.js';
import { workspaceLanguage } from '../../db/runs.js';
import { draftPriceMax, modelDraft, templateDraft, type DraftRequest } from '../model.js';
import type { Context } from '../context.js';
import type { RunRef } from '../../workflows/directives.js';
import { asLane } from './lane.js';
import type { LaneResult } from './people.js';

/** Drafts that a template lane writes in one transaction. */
const TEMPLATE_LOT = 200;
const TRIES = 3;

/** One drafting lane: personal drafts from the model, held and metered one by one, or from the template, labelled as such. */
export const draftLane = async (ctx: Context, { workspace, run, plan_version }: RunRef & { plan_version: number; lane: number; lanes: number }): Promise<LaneResult> =>
  asLane(ctx, run, 's5', async (lane) => {
    const language = await workspaceLanguage(ctx.pool, workspace);
    const byModel = ctx.env.OPENAI_API_KEY !== '';
    const options = { draftMax: draftPriceMax(ctx.env) ?? 0, lot: byModel ? 1 : TEMPLATE_LOT, suppressionKey: ctx.env.CAMPANA_SUPPRESSION_KEY };
    let outcomes: DraftOutcome[] = [];
    let done = 0;
    const tries = new Map<string, number>();
    for (;;) {
      const turn: DraftTurn = await draftTick(ctx.pool, workspace, run, plan_version, { id: lane.id, attempt: lane.attempt }, outcomes, options);
      outcomes = [];
      if ('stop' in turn) {
        if (turn.stop === 'cap') {
          await withRun(ctx.pool, workspace, run, (locked) => blockRun(locked, 's5', { code: 'inference_cap', params: { done: locked.body.contacts.drafted, total: locked.body.contacts.captured } }));
          return { done, stop: 'paused' };
        }
        return { done, stop: turn.stop };
      }
      for (const item of turn.items) {
        const request: DraftRequest = { name: item.name, title: item.title, company: item.company, activity: turn.activity, role: turn.role, language };
        const outcome = byModel ? await byTheModel(ctx, workspace, run, item, request, tries, lane) : { contact_id: item.contact_id, hold_id: null, draft: templateDraft(request), micros: 0, reason: null, again: false };
        outcomes.push(outcome);
        if (outcome.draft) lane.done((done += 1));
      }
    }
  });

const byTheModel = async (ctx: Context, workspace: string, run: string, item: DraftItem, request: DraftRequest, tries: Map<string, number>, lane: { signal: AbortSignal; sleep(ms: number): Promise<void> }): Promise<DraftOutcome> => {
  const base = { contact_id: item.contact_id, hold_id: item.hold_id };
  const result = await modelDraft(ctx.env, request, lane.signal);
  if (result.draft) return { ...base, draft: result.draft, micros: result.micros, reason: null, again: false };
  const tried = (tries.get(item.contact_id) ?? 0) + 1;
  tries.set(item.contact_id, tried);
  if (result.failure === 'quota' || result.failure === 'refused') {
    // The model will not answer anybody: the run pauses and says so; the contact stays to be drafted.
    await withRun(ctx.pool, workspace, run, (locked) => blockRun(locked, 's5', { code: 'model_refused', params: { code: result.failure } }));
    return { ...base, draft: null, micros: result.micros, reason: null, again: true };
  }
  if (tried < TRIES) {
    await lane.sleep(Math.min(result.retryAfterMs ?? 300 * 2 ** tried, 60_000));
    return { ...base, draft: null, micros: result.micros, reason: null, again: true };
  }
  // The model had its tries: the person gets the template's draft, labelled, rather than none.
  return { ...base, draft: templateDraft(request), micros: result.micros, reason: null, again: false };
};
