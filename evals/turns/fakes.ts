import { randomUUID } from 'node:crypto';
import type {
  AdaPorts,
  Balances,
  Campaigns,
  PastTurn,
  Speaker,
  ThreadState,
  Threads,
  Workspace,
  WorkspaceSummary,
} from '../../ada/types.js';
import { NO_FACT } from '../../ada/types.js';
import type { Access } from '../../ada/library/choose/states.js';
import type { Snapshot } from '../../ada/library/types.js';
import type { RunSummary } from '../../contracts/api.js';
import { CreateRun } from '../../contracts/criteria.js';
import type { Decision, DecisionOption } from '../../contracts/decision.js';
import { Refusal } from '../../contracts/problem.js';
import type { Progress } from '../../contracts/progress.js';
import { isFinal, type DecisionKind, type RunState, type StepId } from '../../contracts/states.js';
import { EMPTY_BOARD, FACT_KEYS, type Facts, type ModelAttempt, type TurnAnswer } from '../../contracts/turn.js';
import { stageFor } from '../../ada/stage.js';
import { capPlan } from '../../workflows/budget.js';
import { emptyBudget, emptyCounts, emptyPaso, planSteps } from '../../workflows/progress.js';
import type { SeedCampaign } from './brief.js';
import type { TurnRecord } from './dump.js';

/** What surrounds a turn, in memory: threads, campaigns and what the workspace has. Reads of tools are real; these keep to what the services answer. */

export const noFacts = (): Facts => Object.fromEntries(FACT_KEYS.map((key) => [key, NO_FACT])) as Facts;
export const emptyState = (): ThreadState => ({
  facts: noFacts(),
  board: EMPTY_BOARD,
  stage: stageFor(noFacts(), EMPTY_BOARD),
  skills: [],
  asked: null,
  declined: [],
});

export class MemoryThreads implements Threads {
  folded = 0;
  refusals: Array<{ status: number; code: string; params: Record<string, unknown> }> = [];
  constructor(
    public current: ThreadState,
    readonly turns: PastTurn[],
  ) {}
  private pending: string | null = null;
  saying(message: string): void {
    this.pending = message;
  }
  state(): Promise<ThreadState> {
    return Promise.resolve(structuredClone(this.current));
  }
  past(_speaker: Speaker, limit: number): Promise<PastTurn[]> {
    return Promise.resolve(this.turns.slice(-limit));
  }
  fold(_speaker: Speaker, _turnId: string, change: { state: ThreadState; answer: TurnAnswer }): Promise<void> {
    this.current = structuredClone(change.state);
    this.turns.push({ message: this.pending ?? '', narration: change.answer.text });
    this.folded++;
    return Promise.resolve();
  }
  refuse(_speaker: Speaker, _turnId: string, refused: { status: number; code: string; params: Record<string, unknown> }): Promise<void> {
    this.refusals.push(refused);
    return Promise.resolve();
  }
}

/** As the demo provider asks. */
const PRICES = { credit_min: 1, credit_max: 1, query: 1, draft_max: 20_000 } as const;
const NOTHING = { credits: 0, queries: 0, inference: 0 };
const HOUR = 3_600_000;

interface Held {
  body: CreateRun;
  progress: Progress;
  decisions: Decision[];
  created: string;
}

export class MemoryCampaigns implements Campaigns {
  private readonly runs = new Map<string, Held>();
  private readonly keys = new Map<string, string>();
  log: TurnRecord['campaigns'] = [];
  constructor(private readonly balances: Balances) {}

  /** One that is under way when the turn begins. */
  seed(campaign: SeedCampaign): string {
    const body = CreateRun.parse({
      criteria: { giro: campaign.giro, cargo: campaign.cargo, ...(campaign.estado ? { estado: campaign.estado } : {}) },
      cuentas: campaign.cuentas,
    });
    const held = this.make(body);
    held.progress = {
      ...held.progress,
      state: campaign.state,
      reason: null,
      decisions: [],
      counts: {
        ...emptyCounts(campaign.cuentas),
        done: campaign.hechas,
        running: campaign.hechas < campaign.cuentas && campaign.state === 'running' ? 1 : 0,
        pending: campaign.cuentas - campaign.hechas - (campaign.hechas < campaign.cuentas && campaign.state === 'running' ? 1 : 0),
      },
      pasos: held.progress.pasos.map((paso) =>
        ['s0', 's1', 's2'].includes(paso.id) && campaign.state !== 'ready'
          ? { ...paso, status: 'done' as const }
          : paso.id === 's3' && campaign.state !== 'ready'
            ? {
                ...paso,
                status: campaign.hechas === campaign.cuentas ? ('done' as const) : ('running' as const),
                conteo: { done: campaign.hechas, total: campaign.cuentas, unit: 'account' as const },
              }
            : paso,
      ),
    };
    held.decisions = [];
    if (campaign.card) this.card(held, campaign.card);
    return held.progress.run_id;
  }

  private plan(body: CreateRun): ReturnType<typeof capPlan> {
    return capPlan({
      accounts: body.accounts ? Math.min(body.accounts.length, body.cuentas) : body.cuentas,
      prices: PRICES,
      available: this.balances,
      heldElsewhere: NOTHING,
      caps: { credits: null, queries: null, inference: null },
      steps: {
        search: body.desde === 's1',
        people: body.hasta !== 'cuentas',
        reveal: body.hasta === 'contactos' || body.hasta === 'borradores',
        drafts: body.hasta === 'borradores',
      },
    });
  }

  private card(held: Held, kind: DecisionKind): Decision {
    const { body, progress } = held;
    const n = body.accounts ? Math.min(body.accounts.length, body.cuentas) : body.cuentas;
    const plan = this.plan(body);
    const step: Record<DecisionKind, StepId> = {
      ajustar_presupuesto: 's0',
      guardar_en_crm: 's2',
      revelar_contactos: 's4',
      revisar_secuencia: 's6',
    };
    const fits = kind === 'revelar_contactos' ? Math.min(n, this.balances.credits) : n;
    const own: DecisionOption[] =
      kind === 'revelar_contactos'
        ? [
            { id: fits === n ? 'all' : 'fit_n', n: fits, totals: { ...NOTHING, credits: fits } },
            { id: 'decline', n: 0, totals: NOTHING },
          ]
        : [
            { id: 'approve', n, totals: NOTHING },
            { id: 'decline', n: 0, totals: NOTHING },
          ];
    const start = kind === 'ajustar_presupuesto';
    const decision: Decision = {
      id: `dec_${randomUUID().slice(0, 8)}`,
      run_id: progress.run_id,
      step: step[kind],
      kind,
      state: 'open',
      plan_version: 1,
      payload_hash: randomUUID(),
      items_total: start ? 0 : n,
      items: [],
      options: start ? plan.options : own,
      price: {
        unit_min: start || kind === 'revelar_contactos' ? PRICES.credit_min : 0,
        unit_max: start || kind === 'revelar_contactos' ? PRICES.credit_max : 0,
        expected_total: start ? plan.cost.expected.credits : (own[0]?.totals.credits ?? 0),
        requested_total: start ? plan.requested.credits : kind === 'revelar_contactos' ? n : 0,
        valid_until: start ? new Date(Date.now() + 24 * HOUR).toISOString() : null,
      },
      balance: { ...this.balances },
      held_elsewhere: NOTHING,
      suppressed: 0,
      ranking: null,
      notes: plan.limitedBy.map((one) => ({
        code: `limited.${one.by}.${one.kind}`,
        params: { requested: plan.requested[one.kind], available: this.balances[one.kind] },
      })),
      expires_at: new Date(Date.now() + 72 * HOUR).toISOString(),
      created_at: new Date().toISOString(),
      resolved: null,
      superseded_by: null,
      reopened_as: null,
      undo_until: null,
      links: { self: '/v1/decisions/x', run: `/v1/runs/${progress.run_id}`, provider_topup: 'https://recargas.example/creditos' },
    };
    held.decisions = [decision];
    held.progress = {
      ...progress,
      state: start ? 'ready' : 'waiting_decision',
      decisions: [decision.id],
      pasos: progress.pasos.map((paso) =>
        paso.id === decision.step ? { ...paso, status: 'waiting_decision' as const, checkpoint: decision.id } : paso,
      ),
    };
    return decision;
  }

  private make(body: CreateRun): Held {
    const run = `run_${randomUUID().slice(0, 8)}`;
    const n = body.accounts ? Math.min(body.accounts.length, body.cuentas) : body.cuentas;
    const plan = this.plan(body);
    const at = new Date().toISOString();
    const held: Held = {
      body,
      created: at,
      decisions: [],
      progress: {
        run_id: run,
        version: 1,
        plan_version: 1,
        state: 'ready',
        reason: null,
        objetivo:
          body.objetivo ??
          `${n} · ${body.criteria.cargo} · ${body.criteria.giro}${body.criteria.estado ? ` · ${body.criteria.estado}` : ''}`,
        mode: body.modo,
        last_progress_at: at,
        poll_after_ms: 2_000,
        counts: emptyCounts(n),
        pasos: planSteps(body.desde, body.hasta).map(emptyPaso),
        budget: emptyBudget(plan.requested),
        decisions: [],
        contacts: { captured: 0, drafted: 0, unconfirmed: 0 },
        links: { self: `/v1/runs/${run}` },
      },
    };
    this.runs.set(run, held);
    return held;
  }

  private held(runId: string): Held {
    const held = this.runs.get(runId);
    if (!held) throw new Refusal(404, 'run_not_found', { run_id: runId });
    return held;
  }
  private note(action: TurnRecord['campaigns'][number]['action'], body: unknown, held: Held | null, refused: string | null): void {
    this.log.push({
      action,
      body,
      refused,
      progress: held ? structuredClone(held.progress) : null,
      decision: held?.decisions[0] ? structuredClone(held.decisions[0]) : null,
    });
  }
  private tried<T>(action: TurnRecord['campaigns'][number]['action'], body: unknown, work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.note(action, body, null, error instanceof Refusal ? error.code : 'failed');
      throw error;
    }
  }

  estimate(_speaker: Speaker, body: CreateRun): Promise<Awaited<ReturnType<Campaigns['estimate']>>> {
    const plan = this.plan(body);
    return Promise.resolve({
      cuentas: body.cuentas,
      fits: plan.fits,
      requested: plan.requested,
      max: plan.cost.max,
      expected: plan.cost.expected,
      available: { ...this.balances },
      held_elsewhere: NOTHING,
      limited_by: plan.limitedBy,
    });
  }
  async start(_speaker: Speaker, body: CreateRun, key: string): ReturnType<Campaigns['start']> {
    const known = this.keys.get(key);
    const held = known
      ? this.held(known)
      : this.tried('start', body, () => {
          if (body.caps !== undefined || body.modo === 'automatico') throw new Refusal(403, 'person_needed', {});
          const parsed = CreateRun.safeParse(body);
          if (!parsed.success)
            throw new Refusal(400, 'body_invalid', {
              problems: parsed.error.issues.slice(0, 5).map((issue) => ({ path: issue.path.join('.'), message: issue.message })),
            });
          if (parsed.data.desde !== 's1' && !parsed.data.accounts?.length)
            throw new Refusal(422, 'accounts_missing', { desde: parsed.data.desde });
          const made = this.make(parsed.data);
          this.keys.set(key, made.progress.run_id);
          this.card(made, 'ajustar_presupuesto');
          this.note('start', body, made, null);
          return made;
        });
    return { progress: structuredClone(held.progress), decision: held.decisions[0] ? structuredClone(held.decisions[0]) : null };
  }
  async status(_speaker: Speaker, runId: string): ReturnType<Campaigns['status']> {
    const held = this.held(runId);
    return { progress: structuredClone(held.progress), decisions: structuredClone(held.decisions.filter((one) => one.state === 'open')) };
  }
  open(): Promise<RunSummary[]> {
    return Promise.resolve(
      [...this.runs.values()]
        .filter((held) => !isFinal(held.progress.state))
        .reverse()
        .map(({ progress, created }) => ({
          run_id: progress.run_id,
          objetivo: progress.objetivo,
          recipe: 'campana',
          state: progress.state,
          reason: progress.reason,
          version: progress.version,
          plan_version: progress.plan_version,
          counts: progress.counts,
          created_at: created,
          last_progress_at: progress.last_progress_at,
          decisions: progress.decisions,
        })),
    );
  }
  async control(_speaker: Speaker, runId: string, action: 'pause' | 'resume' | 'cancel'): Promise<Progress> {
    return this.tried(action, { run: runId }, () => {
      const held = this.held(runId);
      if (isFinal(held.progress.state)) throw new Refusal(409, 'run_final', { state: held.progress.state });
      const to: Record<typeof action, RunState> = {
        pause: 'paused',
        resume: held.decisions.some((one) => one.state === 'open') ? 'waiting_decision' : 'running',
        cancel: 'canceled',
      };
      held.progress = { ...held.progress, state: to[action], version: held.progress.version + 1 };
      this.note(action, { run: runId }, held, null);
      return structuredClone(held.progress);
    });
  }
  async replan(_speaker: Speaker, runId: string, change: { cuentas?: number; cargo?: string }): Promise<Progress> {
    return this.tried('replan', { run: runId, ...change }, () => {
      const held = this.held(runId);
      if (isFinal(held.progress.state)) throw new Refusal(409, 'run_final', { state: held.progress.state });
      if (change.cuentas !== undefined && change.cuentas > held.body.cuentas)
        throw new Refusal(422, 'replan_only_less', { cuentas: held.body.cuentas, asked: change.cuentas });
      const cuentas = change.cuentas ?? held.body.cuentas;
      const { counts } = held.progress;
      const kept = Math.max(cuentas, counts.done + counts.running);
      held.body = { ...held.body, cuentas };
      held.progress = {
        ...held.progress,
        plan_version: held.progress.plan_version + 1,
        version: held.progress.version + 1,
        counts: { ...counts, total: kept, pending: kept - counts.done - counts.running },
      };
      this.note('replan', { run: runId, ...change }, held, null);
      return structuredClone(held.progress);
    });
  }
  decisions(): Promise<Decision[]> {
    return Promise.resolve(
      structuredClone([...this.runs.values()].flatMap((held) => held.decisions.filter((one) => one.state === 'open'))),
    );
  }
}

export interface Metered {
  queries: number;
  micros: number | null;
  attempts: ModelAttempt[];
}

/** What the workspace allows and has; `access` is where an arm without recipes denies them. */
export class MemoryWorkspace implements Workspace {
  metered: Metered | null = null;
  constructor(
    private readonly has: { summary: WorkspaceSummary; snapshot: Snapshot; denied: readonly string[]; always: readonly string[] },
  ) {}
  summary(): Promise<WorkspaceSummary> {
    return Promise.resolve(structuredClone(this.has.summary));
  }
  library(): Promise<Snapshot> {
    return Promise.resolve(this.has.snapshot);
  }
  access(speaker: Speaker, turnId: string): Promise<Access> {
    const row =
      (state: 'never' | 'always') =>
      (skill: string): Access['rows'][number] => ({ scope: 'account', scope_id: speaker.workspace, skill, state });
    return Promise.resolve({
      scopes: { account: speaker.workspace, thread: speaker.thread, turn: turnId },
      rows: [...this.has.denied.map(row('never')), ...this.has.always.map(row('always'))],
      integrations: this.has.summary.mailbox === null ? null : new Set(this.has.summary.mailbox ? ['buzon'] : []),
      capabilities: null,
    });
  }
  entitlement(): Promise<{ enabled: boolean; queriesLeft: number; inferenceLeft: number | null }> {
    return Promise.resolve({
      enabled: true,
      queriesLeft: this.has.summary.balances.queries,
      inferenceLeft: this.has.summary.balances.inference,
    });
  }
  meter(_speaker: Speaker, _turnId: string, used: { queries: number; micros: number | null; attempts: unknown[] }): Promise<void> {
    this.metered = { queries: used.queries, micros: used.micros, attempts: structuredClone(used.attempts) as ModelAttempt[] };
    return Promise.resolve();
  }
}

export type Ports = AdaPorts & { threads: MemoryThreads; campaigns: MemoryCampaigns; workspace: MemoryWorkspace };
