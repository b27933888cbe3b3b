import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuditPage, Invariants, OpsDone, OpsOverview, OpsRunPage, type AuditEntry } from '../../contracts/operations.js';
import {
  Balances,
  ControlAccepted,
  DecisionPage,
  ItemPage,
  LoginCode,
  PlanEstimate,
  ReplanImpact,
  RunAccepted,
  RunPage,
  Session,
  type Item,
} from '../../contracts/api.js';
import { CreateRun, Replan } from '../../contracts/criteria.js';
import { Decision, ResolveDecision } from '../../contracts/decision.js';
import { Problem } from '../../contracts/problem.js';
import { Progress } from '../../contracts/progress.js';
import { Receipt } from '../../contracts/receipt.js';
import { isFinal, type DecisionKind } from '../../contracts/states.js';
import { listenOn } from '../support/listen.js';
import { balances, decision, progress, overview } from './fixtures.js';

interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}
const TOKEN = 'fake-token';

/**
 * A stand-in for the API that speaks the contract: every body it takes and gives passes the same schemas. A run goes through
 * start, save and reveal cards as they are answered; faults are set by the test.
 */
export class FakeApi {
  server: Server;
  url = '';
  progress: Progress = progress('ready', { version: 1, decisions: [] });
  decisions = new Map<string, Decision>();
  overview: OpsOverview = overview();
  audit: AuditEntry[] = [];
  /** What operators asked for, with why. */
  readonly operated: Array<[run: string | undefined, action: string | undefined, reason: string]> = [];
  items: Item[] = [];
  balanceCredits = 50;
  /** The workspace's. */
  zone: string = Intl.DateTimeFormat().resolvedOptions().timeZone;
  /** The run ends like this after the last answer. */
  endState: Progress['state'] = 'completed';
  /** Requests that are worked on but whose reply never arrives. */
  loseReplies = 0;
  /** Requests that are told to come back. */
  busy = 0;
  /** Status of `/healthz` and its parts. */
  healthy = true;
  created: CreateRun[] = [];
  taps: ResolveDecision[] = [];
  keys: string[] = [];
  controls: string[] = [];
  private remembered = new Map<string, Reply>();
  private serial = 0;

  constructor() {
    this.server = createServer((req, res) => void this.handle(req, res));
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }
  async restart(): Promise<void> {
    const { port } = this.server.address() as AddressInfo;
    await this.stop();
    await sleep(300);
    this.server = createServer((req, res) => void this.handle(req, res));
    await listenOn(this.server, port);
  }
  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
  get env(): NodeJS.ProcessEnv {
    return { CAMPANA_API_URL: this.url, CAMPANA_TOKEN: TOKEN, NO_COLOR: '1', CAMPANA_STATE_DIR: '/nonexistent/campana' };
  }

  move(change: Partial<Progress>): void {
    this.progress = { ...this.progress, ...change, version: this.progress.version + 1 };
  }
  open(kind: DecisionKind, more: Partial<Decision> = {}): Decision {
    const d = decision(kind, { id: `dec_${++this.serial}`, ...more });
    this.decisions.set(d.id, d);
    this.move({ state: kind === 'ajustar_presupuesto' ? 'ready' : 'waiting_decision', decisions: [d.id], plan_version: d.plan_version });
    return d;
  }
  private next(after: DecisionKind): void {
    if (after === 'ajustar_presupuesto') this.open('guardar_en_crm');
    else if (after === 'guardar_en_crm') this.open('revelar_contactos');
    else this.move({ state: this.endState, decisions: [], counts: { ...this.progress.counts, running: 0, pending: 0, not_found: 11 } });
  }

  private problem(status: number, code: string, more: Partial<Problem> = {}): Reply {
    return { status, body: Problem.parse({ type: `urn:x:${code}`, title: code, status, code, retryable: status === 503, ...more }) };
  }

  private async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const url = new URL(req.url ?? '/', 'http://x');
    const key = req.headers['idempotency-key'] as string | undefined;
    let reply: Reply;
    if (url.pathname === '/healthz')
      reply = {
        status: this.healthy ? 200 : 503,
        body: {
          alive: true,
          ready: this.healthy,
          parts: {
            database: { ok: true, detail: 'answers' },
            temporal: { ok: this.healthy, detail: this.healthy ? 'answers' : 'no worker' },
          },
        },
      };
    else if (req.headers.authorization !== `Bearer ${TOKEN}`) reply = this.problem(401, 'token_invalid');
    else if (this.busy > 0) {
      this.busy -= 1;
      reply = this.problem(503, 'overloaded', { retry_after_ms: 20 });
    } else if (req.method === 'POST' && !key) reply = this.problem(400, 'idempotency_key_missing');
    else {
      const earlier = key ? this.remembered.get(key) : undefined;
      if (key) this.keys.push(key);
      reply =
        earlier ??
        (await this.route(req.method ?? 'GET', url, text === '' ? undefined : (JSON.parse(text) as unknown), req.headers['if-none-match']));
      if (key && reply.status < 300) this.remembered.set(key, reply);
      if (req.method === 'POST' && this.loseReplies > 0) {
        this.loseReplies -= 1;
        res.destroy();
        return;
      }
    }
    res.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    res.end(reply.status === 304 ? undefined : JSON.stringify(reply.body));
  }

  private async route(method: string, url: URL, body: unknown, etag: string | undefined): Promise<Reply> {
    const path = url.pathname.split('/').slice(2);
    const dry = url.searchParams.get('dry_run') === 'true';
    const [what, id, action] = path;
    if (what === 'session' && id === 'codes')
      return { status: 201, body: LoginCode.parse({ code: 'c0de', expires_at: '2026-11-30T16:52:08.000Z', path: '/#code=c0de' }) };
    if (what === 'session')
      return {
        status: 200,
        body: Session.parse({
          sub: 'luis',
          workspace: 'ws_demo',
          roles: ['seller', 'approver'],
          agent: false,
          expires_at: '2026-12-01T00:00:00.000Z',
          language: 'es-MX',
          zone: this.zone,
          csrf_token: null,
        }),
      };
    if (what === 'balances') return { status: 200, body: Balances.parse(balances(this.balanceCredits)) };
    if (what === 'runs' && !id)
      return method === 'GET'
        ? {
            status: 200,
            body: RunPage.parse({ runs: this.created.length > 0 || this.progress.version > 1 ? [this.summary()] : [], next_cursor: null }),
          }
        : this.create(CreateRun.parse(body), dry);
    if (what === 'runs') return this.run(action, url, body, etag, dry);
    if (what === 'decisions') return this.decide(method, id, action, url, body);
    if (what === 'ops' && id === 'runs' && !path[2])
      return {
        status: 200,
        body: OpsRunPage.parse({
          runs: [
            {
              ...this.summary(),
              workflow_id: 'campana/ws_demo/run_01',
              idle_ms: 700_000,
              outbox_pending: 0,
              temporal_url: null,
              held: { credits: 1, queries: 0, inference: 0 },
              control: 'run',
              open_effects: [{ effect_id: 'eff_1', kind: 'reveal', state: 'unconfirmed', sent_at: null, reads: 1, needs_operator: true }],
            },
          ],
          next_cursor: null,
        }),
      };
    if (what === 'ops' && id === 'invariants')
      return {
        status: 200,
        body: Invariants.parse({
          ok: false,
          invariants: [{ id: 'I1', ok: false, detail: 'available < 0' }],
          checked_at: '2026-11-30T16:42:08.000Z',
          duration_ms: 3,
        }),
      };
    if (what === 'ops' && id === 'overview') return { status: 200, body: OpsOverview.parse(this.overview) };
    if (what === 'ops' && id === 'audit')
      return {
        status: 200,
        body: AuditPage.parse({
          entries: this.audit.filter((e) => url.searchParams.get('ops') !== 'true' || e.action.startsWith('ops.')),
          next_cursor: null,
        }),
      };
    if (what === 'ops') this.operated.push([action, path[3], (body as { reason: string }).reason]);
    if (what === 'ops') return { status: 202, body: OpsDone.parse({ run_id: 'run_01', changed: 1 }) };
    return this.problem(404, 'route_not_found');
  }

  private summary(): Record<string, unknown> {
    const p = this.progress;
    return {
      run_id: p.run_id,
      objetivo: p.objetivo,
      recipe: 'campana',
      state: p.state,
      reason: p.reason,
      version: p.version,
      plan_version: p.plan_version,
      counts: p.counts,
      created_at: p.last_progress_at,
      last_progress_at: p.last_progress_at,
      decisions: p.decisions,
    };
  }
  private accepted(): ControlAccepted {
    return ControlAccepted.parse({
      run_id: 'run_01',
      state: this.progress.state,
      version: this.progress.version,
      plan_version: this.progress.plan_version,
    });
  }

  private create(body: CreateRun, dry: boolean): Reply {
    const fits = Math.min(body.cuentas, body.caps?.credits ?? this.balanceCredits, this.balanceCredits);
    const cost = (n: number) => ({ credits: n, queries: body.cuentas + 3, inference: n * 10_000 });
    if (dry)
      return {
        status: 200,
        body: PlanEstimate.parse({
          cuentas: body.cuentas,
          fits,
          requested: cost(body.cuentas),
          max: cost(fits),
          expected: cost(fits),
          available: { credits: this.balanceCredits, queries: 900, inference: 5_000_000 },
          held_elsewhere: { credits: 0, queries: 0, inference: 0 },
          limited_by: fits < body.cuentas ? [{ kind: 'credits', by: 'balance' }] : [],
        }),
      };
    this.created.push(body);
    this.progress = progress('ready', { version: 1, mode: body.modo, reason: { code: 'reading_prices', params: {} } });
    if (body.modo === 'automatico') setTimeout(() => this.next('revelar_contactos'), 50);
    else if (body.caps) this.open('guardar_en_crm');
    else {
      const all = fits === body.cuentas;
      const whole = decision('ajustar_presupuesto');
      this.open(
        'ajustar_presupuesto',
        all
          ? {
              options: [{ id: 'all', n: body.cuentas, totals: cost(body.cuentas) }, ...whole.options.slice(1)],
              notes: [],
              balance: { ...whole.balance, credits: this.balanceCredits },
            }
          : {},
      );
      this.move({
        reason: {
          code: all ? 'start_needs_tap' : 'start_short',
          params: { n: fits, requested: body.cuentas, credits: fits, balance: this.balanceCredits },
        },
      });
    }
    return {
      status: 202,
      body: RunAccepted.parse({
        run_id: 'run_01',
        state: 'ready',
        version: 1,
        plan_version: 1,
        links: { self: '/v1/runs/run_01', progress: '/v1/runs/run_01/progress' },
      }),
    };
  }

  private async run(action: string | undefined, url: URL, body: unknown, etag: string | undefined, dry: boolean): Promise<Reply> {
    if (action === undefined) return { status: 200, body: { ...this.summary(), workflow_id: 'campana/ws_demo/run_01' } };
    if (action === 'progress') {
      const until = Date.now() + Number.parseInt(url.searchParams.get('wait') ?? '0', 10) * 1000;
      const tag = (): string => `W/"${this.progress.version}-es-MX"`;
      while (etag === tag() && Date.now() < until) await sleep(10);
      return etag === tag() ? { status: 304, body: null } : { status: 200, body: Progress.parse(this.progress), headers: { etag: tag() } };
    }
    if (action === 'items') return { status: 200, body: ItemPage.parse({ items: this.items, next_cursor: null }) };
    if (action === 'receipt')
      return isFinal(this.progress.state) ? { status: 200, body: this.receipt() } : this.problem(409, 'run_not_final', { retryable: true });
    if (action === 'replan') {
      const change = Replan.parse(body);
      if ((change.cuentas ?? 0) > 50) return this.problem(422, 'replan_only_less', { params: { cuentas: 50, asked: change.cuentas ?? 0 } });
      return {
        status: dry ? 200 : 202,
        body: ReplanImpact.parse({
          run_id: 'run_01',
          dry_run: dry,
          plan_version: dry ? 3 : 4,
          kept: { chosen: 38, captured: 0, drafted: 0 },
          dropped: 5,
          freed: { credits: 0, queries: 5, inference: 0 },
          superseded: ['dec_1'],
          steps_removed: ['s5'],
          steps_added: [],
        }),
      };
    }
    this.controls.push(action);
    return { status: 202, body: this.accepted() };
  }

  receipt(): Receipt {
    const none = { plan_max: 50, held: 0, spent: 0 };
    return Receipt.parse({
      run_id: 'run_01',
      state: this.progress.state,
      counts: this.progress.counts,
      contacts: { captured: 38, drafted: 38, unconfirmed: 0 },
      budget: { credits: { ...none, spent: 38 }, queries: none, inference: none },
      decisions: [],
      history_events: { total: 120, people_step: 60 },
      seconds: 12.5,
      reason: null,
      missing: [{ reason: 'no_candidates', count: 11, exit: 'exit.change_role' }],
      freed: { credits: 12, queries: 0 },
      plan_b: [],
      drafts_by: 'template',
    });
  }

  private decide(method: string, id: string | undefined, action: string | undefined, url: URL, body: unknown): Reply {
    if (id === undefined) {
      const state = url.searchParams.get('state');
      return {
        status: 200,
        body: DecisionPage.parse({ decisions: [...this.decisions.values()].filter((d) => !state || d.state === state), next_cursor: null }),
      };
    }
    const d = this.decisions.get(id);
    if (!d) return this.problem(404, 'decision_not_found', { params: { decision_id: id } });
    if (method === 'GET') {
      const full = url.searchParams.get('full') === 'true';
      return {
        status: 200,
        body: Decision.parse(
          full && d.kind === 'revelar_contactos'
            ? {
                ...d,
                items: Array.from({ length: d.items_total }, (_, i) => ({
                  ref: `per_${i + 1}`,
                  label: `Empresa ${i + 1}`,
                  detail: null,
                  price: 1,
                  already_yours: false,
                })),
              }
            : d,
        ),
      };
    }
    if (action === 'reopen') return { status: 201, body: Decision.parse(this.open(d.kind)) };
    if (action === 'undo') return { status: 202, body: Decision.parse(d) };
    const tap = ResolveDecision.parse(body);
    const option = d.options.find((o) => o.id === tap.option);
    if (d.state === 'expired') return this.problem(410, 'decision_expired');
    if (d.state === 'superseded') return this.problem(412, 'plan_changed', { params: { plan_version: 4 } });
    if (d.state !== 'open') return this.problem(409, 'already_resolved', { params: { by: 'ana', at: d.created_at } });
    if (tap.plan_version !== d.plan_version) return this.problem(412, 'plan_changed', { params: { plan_version: d.plan_version } });
    if (!option) return this.problem(422, 'option_not_offered', { params: { option: tap.option } });
    const total = tap.option === 'choose' ? (tap.n ?? tap.items?.length ?? 0) : option.totals.credits;
    if (tap.option !== 'decline' && tap.shown_total !== total)
      return this.problem(409, 'total_differs', { params: { shown: tap.shown_total, total } });
    if (d.kind === 'revelar_contactos' && tap.option !== 'decline' && this.balanceCredits < total) {
      const fresh = this.open('revelar_contactos', {
        options: [
          { id: 'fit_n', n: this.balanceCredits, totals: { credits: this.balanceCredits, queries: 0, inference: 0 } },
          { id: 'decline', n: 0, totals: { credits: 0, queries: 0, inference: 0 } },
        ],
        balance: { credits: this.balanceCredits, queries: 900, inference: 0 },
      });
      this.decisions.set(d.id, { ...d, state: 'superseded', superseded_by: fresh.id });
      return this.problem(409, 'balance_changed', {
        params: { shown: d.balance.credits, now: this.balanceCredits },
        fresh_decision_id: fresh.id,
        decision: fresh,
      });
    }
    this.taps.push(tap);
    const decided: Decision = {
      ...d,
      state: tap.option === 'decline' ? 'declined' : 'approved',
      resolved: { option: tap.option, n: option.n, then: tap.then ?? null, by: 'luis', channel: 'cli', at: d.created_at, total },
    };
    this.decisions.set(d.id, decided);
    if (tap.option === 'decline') this.move({ state: d.kind === 'ajustar_presupuesto' ? 'canceled' : 'paused', decisions: [] });
    else this.next(d.kind);
    return { status: 200, body: Decision.parse(decided) };
  }
}
