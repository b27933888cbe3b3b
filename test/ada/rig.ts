import type { TurnAnswer, TurnEvent } from '../../contracts/turn.js';
import { EMPTY_BOARD, FACT_KEYS, type Facts } from '../../contracts/turn.js';
import type { PlanEstimate, RunSummary } from '../../contracts/api.js';
import type { CreateRun } from '../../contracts/criteria.js';
import type { Decision } from '../../contracts/decision.js';
import type { Progress } from '../../contracts/progress.js';
import { Refusal } from '../../contracts/problem.js';
import { deterministicModel } from '../../ada/deterministic/index.js';
import { readTools } from '../../ada/ports/tools.js';
import type { Model } from '../../ada/ports/model.js';
import { runTurn } from '../../ada/turn.js';
import { NO_FACT, type AdaPorts, type PastTurn, type Speaker, type ThreadState, type WorkspaceSummary } from '../../ada/types.js';
import { platformSnapshot } from '../../evals/routing/library-200.js';
import { READ, TestKitchen } from '../kitchen/harness.js';

const noFacts = (): Facts => Object.fromEntries(FACT_KEYS.map((key) => [key, NO_FACT])) as Facts;
export const freshState = (): ThreadState => ({
  facts: noFacts(),
  board: EMPTY_BOARD,
  stage: 'sin_criterio',
  skills: [],
  asked: null,
  declined: [],
});

export const decisionOf = (run: string, cuentas: number, fits: number, credits: number): Decision => ({
  id: `dec_${run}`,
  run_id: run,
  step: 's0',
  kind: 'ajustar_presupuesto',
  state: 'open',
  plan_version: 1,
  payload_hash: 'h',
  items_total: 0,
  items: [],
  options: [
    { id: fits === cuentas ? 'all' : 'fit_n', n: fits, totals: { credits: fits, queries: cuentas + 3, inference: 0 } },
    { id: 'decline', n: 0, totals: { credits: 0, queries: 0, inference: 0 } },
  ],
  price: { unit_min: 1, unit_max: 1, expected_total: fits, requested_total: cuentas, valid_until: null },
  balance: { credits, queries: 1000, inference: 1_000_000 },
  held_elsewhere: { credits: 0, queries: 0, inference: 0 },
  suppressed: 0,
  ranking: null,
  notes: [],
  expires_at: null,
  created_at: '2026-11-30T12:00:00.000Z',
  resolved: null,
  superseded_by: null,
  reopened_as: null,
  undo_until: null,
  links: { self: `/v1/decisions/dec_${run}`, run: `/v1/runs/${run}`, provider_topup: null },
});
export const progressOf = (run: string, objetivo: string, cuentas: number): Progress => ({
  run_id: run,
  version: 1,
  plan_version: 1,
  state: 'ready',
  reason: null,
  objetivo,
  mode: 'manual',
  last_progress_at: '2026-11-30T12:00:00.000Z',
  poll_after_ms: 1000,
  counts: { unit: 'account', total: cuentas, done: 0, running: 0, pending: cuentas, not_found: 0, suppressed: 0, skipped: 0, failed: 0 },
  pasos: [],
  budget: {
    credits: { requested: 0, plan_max: null, held: 0, spent: 0 },
    queries: { requested: 0, plan_max: null, held: 0, spent: 0 },
    inference: { cap_micros: null, held_micros: 0, used_micros: 0 },
  },
  decisions: [`dec_${run}`],
  contacts: { captured: 0, drafted: 0, unconfirmed: 0 },
  links: { self: `/v1/runs/${run}` },
});

export interface Said {
  answer: TurnAnswer | null;
  refused: Extract<TurnEvent, { type: 'turn.refused' }> | null;
  events: TurnEvent[];
}

/** A conversation in memory with the real library, the real tools over HTTP, and whichever model. */
export class Chat {
  state: ThreadState = freshState();
  past: PastTurn[] = [];
  runs: RunSummary[] = [];
  decisions: Decision[] = [];
  metered: Array<{ queries: number; micros: number | null }> = [];
  started: CreateRun[] = [];
  controls: string[] = [];
  /** Connections of the workspace; null where nobody asked. */
  integrations: ReadonlySet<string> | null = null;
  balances = { credits: 32, queries: 1_000, inference: 5_000_000 };
  private turns = 0;
  private constructor(
    readonly kitchen: TestKitchen,
    private readonly close: () => Promise<void>,
    private readonly tools: AdaPorts['tools'],
    public model: Model,
  ) {}

  static async start(model: Model = deterministicModel()): Promise<Chat> {
    const kitchen = await TestKitchen.start();
    const tools = readTools({ url: kitchen.running.url, token: () => READ, timeoutMs: 15_000 });
    return new Chat(
      kitchen,
      async () => {
        await tools.close();
        await kitchen.stop();
      },
      tools,
      model,
    );
  }
  stop(): Promise<void> {
    return this.close();
  }
  fresh(): this {
    this.state = freshState();
    this.past = [];
    this.runs = [];
    this.decisions = [];
    this.started = [];
    this.controls = [];
    this.integrations = null;
    return this;
  }

  private async summary(): Promise<WorkspaceSummary> {
    return {
      collections: [{ name: 'oportunidades', total: 40, stages: [] }],
      sequences: { draft: 0, approved: 0 },
      mailbox: null,
      balances: this.balances,
      profile: {},
    };
  }

  ports(): AdaPorts {
    const find = (id: string): RunSummary => {
      const run = this.runs.find((one) => one.run_id === id);
      if (!run) throw new Refusal(404, 'run_not_found', { run_id: id });
      return run;
    };
    const current = (id: string): Progress => ({ ...progressOf(id, find(id).objetivo, find(id).counts.total), state: find(id).state });
    return {
      model: this.model,
      escalation: null,
      tools: this.tools,
      threads: {
        state: async () => this.state,
        past: async (_s, limit) => this.past.slice(-limit),
        fold: async (_s, _t, { state, answer }) => {
          this.state = state;
          this.past.push({ message: this.message, narration: answer.text });
        },
        refuse: async () => undefined,
      },
      campaigns: {
        estimate: async () => ({}) as PlanEstimate,
        start: async (_s, body) => {
          this.started.push(body);
          const run = `run_${this.started.length}`;
          const progress = progressOf(run, body.objetivo ?? `${body.cuentas} cuentas de ${body.criteria.giro}`, body.cuentas);
          this.runs.unshift({
            run_id: run,
            objetivo: progress.objetivo,
            recipe: 'campana',
            state: 'ready',
            reason: null,
            version: 1,
            plan_version: 1,
            counts: progress.counts,
            created_at: progress.last_progress_at,
            last_progress_at: progress.last_progress_at,
            decisions: progress.decisions,
          });
          const start = decisionOf(run, body.cuentas, Math.min(body.cuentas, this.balances.credits), this.balances.credits);
          const none = { credits: 0, queries: 0, inference: 0 };
          // What costs nothing starts by itself: its first card is the save's.
          const decision: Decision =
            body.desde === 's2' && body.hasta === 'cuentas'
              ? {
                  ...start,
                  kind: 'guardar_en_crm',
                  step: 's2',
                  items_total: body.cuentas,
                  options: [
                    { id: 'approve', n: body.cuentas, totals: none },
                    { id: 'decline', n: 0, totals: none },
                  ],
                }
              : start;
          this.decisions.push(decision);
          return { progress, decision };
        },
        status: async (_s, id) => ({ progress: current(id), decisions: this.decisions.filter((one) => one.run_id === id) }),
        open: async () => this.runs,
        decisions: async () => this.decisions,
        control: async (_s, id, action) => {
          this.controls.push(`${action} ${id}`);
          find(id).state = action === 'pause' ? 'paused' : action === 'resume' ? 'running' : 'canceled';
          return current(id);
        },
        replan: async (_s, id, change) => {
          this.controls.push(`replan ${id} ${change.cuentas ?? ''}`);
          return current(id);
        },
      },
      workspace: {
        summary: () => this.summary(),
        library: () => platformSnapshot(),
        access: async () => ({ scopes: { account: 'ws_demo' }, rows: [], integrations: this.integrations, capabilities: null }),
        entitlement: async () => ({ enabled: true, queriesLeft: this.balances.queries, inferenceLeft: this.balances.inference }),
        meter: async (_s, _t, { queries, micros }) => {
          this.metered.push({ queries, micros });
        },
      },
    };
  }
  private message = '';

  async say(message: string, options: { language?: 'es-MX' | 'en'; deadlineMs?: number } = {}): Promise<Said> {
    this.message = message;
    const events: TurnEvent[] = [];
    const speaker: Speaker = { workspace: 'ws_demo', user: 'ana', thread: 'thr_1', profile: null, language: options.language ?? 'es-MX' };
    await runTurn(this.ports(), speaker, { turnId: `turn_${++this.turns}`, message }, (event) => events.push(event), {
      signal: new AbortController().signal,
      ...(options.deadlineMs ? { deadlineMs: options.deadlineMs } : {}),
    });
    const finished = events.find((event) => event.type === 'turn.finished');
    const refused = events.find((event) => event.type === 'turn.refused');
    return {
      answer: finished?.type === 'turn.finished' ? finished.answer : null,
      refused: refused?.type === 'turn.refused' ? refused : null,
      events,
    };
  }
}
