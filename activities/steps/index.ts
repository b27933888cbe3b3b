import type { Caller } from '../../contracts/api.js';
import type { Progress } from '../../contracts/progress.js';
import { MONEY_KINDS, type StepId } from '../../contracts/states.js';
import { costlySteps, openCard, revealCard, saveCard, startCard, type Card } from '../../db/cards.js';
import { closeRun, type Closing } from '../../db/close.js';
import { findDecision, type DecisionRow } from '../../db/decisions/decision.js';
import { resolveDecision } from '../../db/decisions/resolve.js';
import { stepWorkflowId, wake, withRun, type LockedRun } from '../../db/events.js';
import { lockLedger } from '../../db/ledger.js';
import { peopleLeft, suppressAccounts } from '../../db/people.js';
import { makeContacts, suppressQuoted, unquoted } from '../../db/reveal/quote.js';
import { setPrices } from '../../db/runs.js';
import {
  concurrency,
  contactsByState,
  draftsLeft,
  latestDecision,
  markBegun,
  nextReading,
  remember,
  revealMemory,
} from '../../db/steps.js';
import type { Awaited, Directive, Phase, StepRef } from '../../workflows/directives.js';
import { runPage } from '../page.js';
import { runPrices, takeReading } from '../readings.js';
import { ToolFailure } from '../mcp.js';
import type { Context } from '../context.js';
import { awaitTap, endStep, gate, isCut } from './gate.js';
import { reviewing } from './review.js';

/** What the campaign's workflow knows of its run at a point: enough for its query, its details and its search attributes. */
export interface Snapshot {
  progress: Progress;
  awaited: Awaited | null;
  control: 'run' | 'pause' | 'cancel';
  undo: boolean;
  steps: StepId[];
  page?: string;
}

const AUTOMATIC: Caller['roles'] = ['seller', 'approver'];
const automatic = (run: LockedRun): Caller => ({
  sub: run.row.created_by,
  workspace: run.workspace,
  roles: AUTOMATIC,
  channel: 'automatico',
});

/**
 * Shows a card; in `automatico` a save or a reveal is answered in the same transaction, through the same resolve as a tap, when
 * the whole lot fits inside the caps. @returns the card's row as it is now.
 */
const propose = async (ctx: Context, run: LockedRun, make: () => Promise<Card>): Promise<DecisionRow> => {
  const answersItself = run.row.mode === 'automatico';
  // What another campaign holds between the card and its own answer would turn the answer into a refusal.
  if (answersItself) await lockLedger(run.tx, run.workspace);
  const card = await make();
  const id = await openCard(run, card);
  const row = await findDecision(run.tx, run.workspace, id);
  if (!answersItself || (card.kind !== 'guardar_en_crm' && card.kind !== 'revelar_contactos')) return row;
  const option = row.payload.options.find((o) => o.id === 'approve' || o.id === 'all' || o.id === 'fit_n');
  if (!option) return row;
  const resolved = await resolveDecision(
    run,
    id,
    { option: option.id as 'approve', plan_version: row.plan_version, payload_hash: row.payload_hash, shown_total: option.totals.credits },
    automatic(run),
    ctx.env.CAMPANA_SUPPRESSION_KEY,
  );
  return 'decision' in resolved ? resolved.decision : findDecision(run.tx, run.workspace, run.paso(card.step)?.checkpoint ?? id);
};

/** Work under the plan as it is now. */
const workOn = (run: LockedRun, phase: Phase, lanes = 1): Directive => ({ do: 'work', phase, lanes, plan_version: run.row.plan_version });

/** Everything a workflow asks of the rows; each is one transaction and may be repeated. */
export const bookkeeping = (ctx: Context) => {
  const key = ctx.env.CAMPANA_SUPPRESSION_KEY;
  const pageOf = (run: string): { page?: string } => {
    const page = runPage(ctx.env, run);
    return page ? { page } : {};
  };

  const advance: Record<'s1' | 's2' | 's3' | 's4' | 's5', (run: LockedRun, now: number) => Promise<Directive>> = {
    async s1(run) {
      const paso = run.paso('s1');
      if (paso && ['done', 'partial'].includes(paso.status)) return endStep(run, 's1', paso.status);
      return workOn(run, 'search');
    },

    async s2(run, now) {
      const last = await latestDecision(run, 's2');
      // Superseded, expired and put off cards are proposed anew; a card that was declined to go on without is an answer.
      const usable =
        last && (last.state === 'open' || last.state === 'approved' || (last.state === 'declined' && last.outcome?.then === 'skip'))
          ? last
          : null;
      if (!usable) {
        const card = await saveCard(run, stepWorkflowId(run.row, 's2'));
        if (card.items.length === 0) return endStep(run, 's2', 'skipped', { code: 'nothing_to_save', params: {} });
        const row = await propose(ctx, run, () => Promise.resolve(card));
        return row.state === 'approved' ? workOn(run, 'save') : awaitTap(run, row, now);
      }
      if (usable.state === 'open') return awaitTap(run, usable, now);
      if (usable.state === 'declined') return endStep(run, 's2', 'skipped', { code: 'declined_skip', params: {} });
      if (run.paso('s2')?.status === 'done') return endStep(run, 's2', 'done');
      return workOn(run, 'save');
    },

    async s3(run) {
      await suppressAccounts(run, key);
      const left = await peopleLeft(run);
      if (left.pending + left.running > 0) {
        const lanes = Math.min(await concurrency(run), left.pending + left.running);
        return workOn(run, 'people', lanes);
      }
      const { done, total } = run.body.counts;
      if (run.body.counts.not_found === total) return endStep(run, 's3', 'skipped', { code: 'no_accounts', params: {} });
      return endStep(run, 's3', done === total ? 'done' : 'partial');
    },

    async s4(run, now) {
      const memory = await revealMemory(run);
      await makeContacts(run, key);
      const left = await contactsByState(run);
      const last = await latestDecision(run, 's4');
      if (last?.state === 'open') return awaitTap(run, last, now);
      if ((left.get('held') ?? 0) + (left.get('sent') ?? 0) > 0) {
        const lanes = Math.min(await concurrency(run), Math.max(1, (left.get('held') ?? 0) + (left.get('sent') ?? 0)));
        return workOn(run, 'reveal', lanes);
      }
      const due = await readingDue(run, now);
      if (due) return due.ms > 0 ? { do: 'sleep', ms: due.ms, item: due.item } : { ...workOn(run, 'read_back'), item: due.item };
      const waiting = await unquoted(run);
      if (waiting.length > 0) {
        if (memory.quoted_for !== waiting.length || memory.requote) return workOn(run, 'quote');
        if ((await suppressQuoted(run, key)) > 0) return advance.s4(run, now);
        await remember(run, { quoted_for: null });
        const row = await propose(ctx, run, () => revealCard(run, stepWorkflowId(run.row, 's4')));
        if (row.state === 'approved') return advance.s4(run, now);
        return awaitTap(run, row, now);
      }
      const { captured, unconfirmed } = run.body.contacts;
      if (unconfirmed > 0) return endStep(run, 's4', 'unconfirmed', { code: 'unconfirmed', params: { n: unconfirmed } });
      if (captured === 0)
        return endStep(run, 's4', 'skipped', { code: last?.state === 'declined' ? 'declined_skip' : 'nobody_to_reveal', params: {} });
      return endStep(run, 's4', captured < run.body.counts.done ? 'partial' : 'done');
    },

    async s5(run) {
      const { unwritten, unsent, failed } = await draftsLeft(run);
      if (unwritten > 0) return workOn(run, 'write', ctx.env.OPENAI_API_KEY ? Math.min(await concurrency(run), unwritten) : 1);
      if (unsent > 0) return workOn(run, 'sequence');
      const { drafted, captured } = run.body.contacts;
      if (drafted === 0) return endStep(run, 's5', 'skipped', { code: captured === 0 ? 'nobody_to_draft' : 'all_suppressed', params: {} });
      return endStep(run, 's5', failed > 0 || drafted < captured ? 'partial' : 'done');
    },
  };

  return {
    ...reviewing(ctx),

    /** Reads prices and balances, computes what fits, and shows the start card; a cap set by a person answers it at once. */
    async openRun({ workspace, run: id }: { workspace: string; run: string }): Promise<Snapshot> {
      const known = await withRun(ctx.pool, workspace, id, (run) =>
        Promise.resolve(run.final || run.row.control === 'cancel' || run.row.prices !== null),
      );
      if (!known) {
        const reading = await takeReading(ctx, workspace).catch(async (error: unknown) => {
          if (error instanceof ToolFailure)
            await withRun(ctx.pool, workspace, id, async (run) => {
              if (run.body.reason?.code !== 'provider_unreachable')
                run.emit(
                  'provider.waiting',
                  { code: error.code },
                  { reason: { code: 'provider_unreachable', params: { code: error.code } } },
                );
              return Promise.resolve();
            });
          throw error;
        });
        await withRun(ctx.pool, workspace, id, async (run) => {
          if (run.final || run.row.prices) return;
          await setPrices(run, runPrices(ctx, reading));
          await proposeStart(ctx, run);
        });
      }
      return this.snapshot({ workspace, run: id });
    },

    /** The run as it is now, for the campaign's workflow; an overdue start card expires here. */
    async snapshot({ workspace, run: id, now }: { workspace: string; run: string; now?: number }): Promise<Snapshot> {
      return withRun(ctx.pool, workspace, id, async (run) => {
        const waiting = run.body.pasos.find((p) => p.status === 'waiting_decision' && p.id !== 's6');
        let awaited: Awaited | null = null;
        if (waiting && !run.final) {
          const row = await latestDecision(run, waiting.id);
          if (row?.state === 'open') {
            const d =
              waiting.id === 's0' && now !== undefined && run.row.control === 'run'
                ? await awaitTap(run, row, now)
                : await awaitTap(run, row, 0);
            awaited = d.do === 'wait' ? d.awaited : null;
          }
        } else if (!run.final && run.row.plan_max === null && run.row.prices && run.row.control === 'run') {
          // The start card was replaced by a replan: the fresh plan needs a fresh card.
          await proposeStart(ctx, run);
        }
        return {
          progress: run.body,
          awaited,
          control: run.row.control,
          undo: run.row.undo?.state === 'asked',
          steps: stepsOf(run),
          ...pageOf(id),
        };
      });
    },

    /** Gives a step its turn and wakes its workflow. @returns whether it was begun; a step cut by a replan is not. */
    async beginStep({ workspace, run: id, step, wake: wakes }: StepRef & { wake: boolean }): Promise<Snapshot & { begun: boolean }> {
      const result = await withRun(ctx.pool, workspace, id, async (run) => {
        const begun = !run.final && run.row.control !== 'cancel' && stepsOf(run).includes(step);
        if (begun) {
          await markBegun(run, step);
          if (run.paso(step)?.status === 'pending') run.emit('step.begun', { step }, { pasos: [{ id: step, status: 'running' }] });
        }
        return {
          begun,
          progress: run.body,
          awaited: null,
          control: run.row.control,
          undo: run.row.undo?.state === 'asked',
          steps: stepsOf(run),
          workflow: stepWorkflowId(run.row, step),
          ...pageOf(id),
        };
      });
      if (result.begun && wakes) await kick(ctx, workspace, id, result.workflow);
      return result;
    },

    /** What a step does next. `now` is the workflow's own clock, ms: windows are measured with it. */
    async advance({ workspace, run: id, step, now }: StepRef & { now: number }): Promise<Directive> {
      return withRun(ctx.pool, workspace, id, async (run) => {
        if (step === 's0' || step === 's6') throw new Error(`step ${step} has no workflow`);
        const held = await gate(run, step);
        return { ...(held ?? (await advance[step](run, now))), ...pageOf(id) };
      });
    },

    /** A step's workflow was canceled while it worked: what it had not sent is let go. The run itself is closed by who closes runs. */
    async settleStep({ workspace, run: id, step }: StepRef): Promise<void> {
      await withRun(ctx.pool, workspace, id, async (run) => {
        if (run.final || !run.paso(step) || !['running', 'waiting_decision', 'paused', 'blocked'].includes(run.paso(step)?.status ?? ''))
          return;
        run.emit('step.canceled', { step }, { pasos: [{ id: step, status: 'canceled' }] });
        return Promise.resolve();
      });
    },

    /** Ends the one-step run of an approved sequence whose workflow was started before the texts were stored anew. */
    async closeReview({ workspace, run: id }: { workspace: string; run: string }): Promise<void> {
      await withRun(ctx.pool, workspace, id, (run) => {
        if (!run.final)
          run.emit('run.closed', { state: 'completed' }, { state: 'completed', reason: null, pasos: [{ id: 's6', status: 'done' }] });
        return Promise.resolve();
      });
    },

    /** Ends the run and says what it ended as. */
    async closeRun({ workspace, run: id, closing }: { workspace: string; run: string; closing: Closing }): Promise<Progress> {
      return withRun(ctx.pool, workspace, id, (run) => closeRun(run, closing));
    },
  };
};

/**
 * The start card. It answers itself where a person has said so beforehand (a cap for this campaign, unless the balance is what falls short) and
 * where there is nothing to agree to: a plan that takes no credit, no query and no inference at most.
 */
const proposeStart = async (ctx: Context, run: LockedRun): Promise<void> => {
  // As in `propose`: the card and the answer that it gets here see one and the same balance.
  if (run.row.caps || !Object.values(costlySteps(run.row)).includes(true)) await lockLedger(run.tx, run.workspace);
  const card = await startCard(run);
  const id = await openCard(run, card);
  const { plan } = card.payload;
  const free = plan !== undefined && MONEY_KINDS.every((kind) => plan.requested[kind] === 0);
  if (!plan || !(free || (run.row.caps && !plan.limitedBy.some((l) => l.by === 'balance')))) return;
  const option = plan.options.find((o) => o.id === 'all' || o.id === 'fit_n');
  if (!option) return;
  const row = await findDecision(run.tx, run.workspace, id);
  await resolveDecision(
    run,
    id,
    { option: option.id as 'all', plan_version: row.plan_version, payload_hash: row.payload_hash, shown_total: plan.cost.max.credits },
    { sub: run.row.created_by, workspace: run.workspace, roles: AUTOMATIC, channel: `${free ? 'free' : 'cap'}:${run.row.channel}` },
    ctx.env.CAMPANA_SUPPRESSION_KEY,
  );
};

/** The steps that have a workflow of their own, in order. */
const stepsOf = (run: LockedRun): StepId[] => run.body.pasos.filter((p) => p.id !== 's0' && p.id !== 's6' && !isCut(p)).map((p) => p.id);

/** The unknown reveal that is due first, and in how long. Those that wait for an operator do not hold the step. */
const readingDue = async (run: LockedRun, now: number): Promise<{ ms: number; item: string } | null> => {
  const row = await nextReading(run);
  if (!row) return null;
  const ms = Math.max(0, Date.parse(row.next_read_at) - now);
  if (ms > 0 && run.body.state !== 'waiting_external') {
    run.emit(
      'run.waiting_external',
      { until: row.next_read_at },
      {
        state: 'waiting_external',
        reason: { code: 'unconfirmed', params: { n: run.body.contacts.unconfirmed } },
        pasos: [{ id: 's4', status: 'unconfirmed', reason: { code: 'unconfirmed', params: { n: run.body.contacts.unconfirmed } } }],
      },
    );
  } else if (ms === 0 && run.body.state === 'waiting_external') {
    run.emit('run.reading_back', {}, { state: 'running', reason: null, pasos: [{ id: 's4', status: 'running', reason: null }] });
  }
  return { ms, item: row.id };
};

/** Wakes a step's workflow now when it can be, and through the outbox when not: a turn given is never lost. */
const kick = async (ctx: Context, workspace: string, run: string, workflowId: string): Promise<void> => {
  try {
    if (!ctx.temporal) throw new Error('no client');
    await ctx.temporal.withDeadline(
      Date.now() + 2000,
      () => ctx.temporal?.workflow.getHandle(workflowId).signal('step.begin') ?? Promise.resolve(),
    );
  } catch {
    await withRun(ctx.pool, workspace, run, (locked) => wake(locked.tx, locked.row, workflowId, 'step.begin', {}));
  }
};
