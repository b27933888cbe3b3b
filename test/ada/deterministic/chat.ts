import { EMPTY_BOARD, FACT_KEYS, type BoardRow, type Facts, type TurnAnswer, type TurnEvent } from '../../../contracts/turn.js';
import type { PlanEstimate, RunSummary } from '../../../contracts/api.js';
import type { CreateRun } from '../../../contracts/criteria.js';
import type { Decision } from '../../../contracts/decision.js';
import type { Progress } from '../../../contracts/progress.js';
import { Refusal } from '../../../contracts/problem.js';
import { deterministicModel } from '../../../ada/deterministic/index.js';
import { runTurn } from '../../../ada/turn.js';
import { NO_FACT, type AdaPorts, type PastTurn, type Speaker, type ThreadState, type WorkspaceSummary } from '../../../ada/types.js';
import { platformSnapshot } from '../../../evals/routing/library-200.js';
import { TODAY, Tools } from './kitchen.js';

const noFacts = (): Facts => Object.fromEntries(FACT_KEYS.map((key) => [key, NO_FACT])) as Facts;
const fresh = (): ThreadState => ({ facts: noFacts(), board: EMPTY_BOARD, stage: 'sin_criterio', skills: [], asked: null, declined: [] });
const at = '2026-11-30T12:00:00.000Z';
const zero = { credits: 0, queries: 0, inference: 0 };

/** A conversation in memory: the real turn, library and checks, the tools over arrays, campaigns that only wait. */
export class Chat {
  state = fresh();
  past: PastTurn[] = [];
  runs: RunSummary[] = [];
  decisions: Decision[] = [];
  started: CreateRun[] = [];
  controls: string[] = [];
  profile: WorkspaceSummary['profile'] = {};
  mailbox: boolean | null = null;
  language: 'es-MX' | 'en' = 'es-MX';
  private turns = 0;
  constructor(
    readonly tools = new Tools(),
    public model = deterministicModel({ now: () => TODAY }),
  ) {}

  select(rows: BoardRow[]): void {
    this.state.board = { ...this.state.board, selection: rows };
  }

  private card(run: string, body: CreateRun): Decision {
    const { credits, queries } = this.tools.balances;
    const reveals = body.hasta === 'contactos' || body.hasta === 'borradores';
    const searches =
      body.hasta === 'cuentas' && body.desde !== 's1'
        ? 0
        : body.desde === 's1'
          ? body.hasta === 'cuentas'
            ? 3
            : body.cuentas + 3
          : body.cuentas;
    const n = reveals ? Math.min(body.cuentas, credits) : body.cuentas;
    return {
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
        { id: n === body.cuentas ? 'all' : 'fit_n', n, totals: { credits: reveals ? n : 0, queries: searches, inference: 0 } },
        { id: 'decline', n: 0, totals: zero },
      ],
      price: { unit_min: 1, unit_max: 1, expected_total: n, requested_total: body.cuentas, valid_until: null },
      balance: { credits, queries, inference: 1_000_000 },
      held_elsewhere: zero,
      suppressed: 0,
      ranking: null,
      notes: [],
      expires_at: null,
      created_at: at,
      resolved: null,
      superseded_by: null,
      reopened_as: null,
      undo_until: null,
      links: { self: `/v1/decisions/dec_${run}`, run: `/v1/runs/${run}`, provider_topup: null },
    };
  }
  progress(id: string): Progress {
    const run = this.runs.find((one) => one.run_id === id);
    if (!run) throw new Refusal(404, 'run_not_found', { run_id: id });
    return {
      run_id: id,
      version: 1,
      plan_version: 1,
      state: run.state,
      reason: null,
      objetivo: run.objetivo,
      mode: 'manual',
      last_progress_at: at,
      poll_after_ms: 1000,
      counts: run.counts,
      pasos: [],
      budget: {
        credits: { requested: 0, plan_max: null, held: 0, spent: 0 },
        queries: { requested: 0, plan_max: null, held: 0, spent: 0 },
        inference: { cap_micros: null, held_micros: 0, used_micros: 0 },
      },
      decisions: run.decisions,
      contacts: { captured: 0, drafted: 0, unconfirmed: 0 },
      links: { self: `/v1/runs/${id}` },
    };
  }
  addRun(objetivo: string, state: RunSummary['state'], done: number, total: number, card: boolean): string {
    const id = `run_${this.runs.length + 100}`;
    this.runs.unshift({
      run_id: id,
      objetivo,
      recipe: 'campana',
      state,
      reason: null,
      version: 1,
      plan_version: 1,
      counts: { unit: 'account', total, done, running: 0, pending: total - done, not_found: 0, suppressed: 0, skipped: 0, failed: 0 },
      created_at: at,
      last_progress_at: at,
      decisions: card ? [`dec_${id}`] : [],
    });
    if (card)
      this.decisions.push(
        this.card(id, {
          criteria: { giro: 'empaque', cargo: 'compras' },
          cuentas: total,
          hasta: 'borradores',
          desde: 's1',
          modo: 'manual',
        }),
      );
    return id;
  }

  private ports(message: string): AdaPorts {
    return {
      model: this.model,
      escalation: null,
      tools: this.tools.port,
      threads: {
        state: async () => this.state,
        past: async (_s, limit) => this.past.slice(-limit),
        fold: async (_s, _t, { state, answer }) => {
          this.state = state;
          this.past.push({ message, narration: answer.text });
        },
        refuse: async () => undefined,
      },
      campaigns: {
        estimate: async () => ({}) as PlanEstimate,
        start: async (_s, body) => {
          this.started.push(body);
          const id = this.addRun(
            body.objetivo ?? `${body.cuentas} · ${body.criteria.cargo} · ${body.criteria.giro}`,
            'ready',
            0,
            body.cuentas,
            false,
          );
          const decision = this.card(id, body);
          this.decisions.push(decision);
          const run = this.runs[0];
          if (run) run.decisions = [decision.id];
          return { progress: this.progress(id), decision };
        },
        status: async (_s, id) => ({ progress: this.progress(id), decisions: this.decisions.filter((one) => one.run_id === id) }),
        open: async () => this.runs.filter((run) => run.state !== 'canceled').map((run) => ({ ...run })),
        decisions: async () => [...this.decisions],
        control: async (_s, id, action) => {
          this.controls.push(`${action} ${id}`);
          const run = this.runs.find((one) => one.run_id === id);
          if (run) run.state = action === 'pause' ? 'paused' : action === 'resume' ? 'running' : 'canceled';
          if (action === 'cancel') this.decisions = this.decisions.filter((one) => one.run_id !== id);
          return this.progress(id);
        },
        replan: async (_s, id, change) => {
          this.controls.push(`replan ${id} ${change.cuentas ?? change.cargo ?? ''}`);
          const run = this.runs.find((one) => one.run_id === id);
          if (run && change.cuentas) {
            run.counts = { ...run.counts, total: change.cuentas };
            this.decisions = this.decisions.filter((one) => one.run_id !== id);
            this.decisions.push(
              this.card(id, {
                criteria: { giro: 'empaque', cargo: 'compras' },
                cuentas: change.cuentas,
                hasta: 'borradores',
                desde: 's1',
                modo: 'manual',
              }),
            );
          }
          return this.progress(id);
        },
      },
      workspace: {
        summary: async () => ({
          collections: [...this.tools.crm].map(([name, rows]) => ({
            name,
            total: rows.length,
            stages: [...new Set(rows.map((r) => r.stage))].map((stage) => ({ stage, n: rows.filter((r) => r.stage === stage).length })),
          })),
          sequences: { draft: 0, approved: 0 },
          mailbox: this.mailbox,
          balances: { ...this.tools.balances },
          profile: this.profile,
        }),
        library: () => platformSnapshot(),
        access: async () => ({ scopes: { account: 'ws_demo' }, rows: [], integrations: null, capabilities: null }),
        entitlement: async () => ({ enabled: true, queriesLeft: this.tools.balances.queries, inferenceLeft: null }),
        meter: async () => undefined,
      },
    };
  }

  /** One turn. Throws when it was refused. */
  async say(message: string): Promise<TurnAnswer> {
    const events: TurnEvent[] = [];
    const speaker: Speaker = { workspace: 'ws_demo', user: 'ana', thread: 'thr_1', profile: null, language: this.language };
    await runTurn(this.ports(message), speaker, { turnId: `turn_${++this.turns}`, message }, (event) => events.push(event), {
      signal: new AbortController().signal,
    });
    const last = events.at(-1);
    if (last?.type !== 'turn.finished') throw new Error(`refused: ${JSON.stringify(last)}`);
    return last.answer;
  }
}
