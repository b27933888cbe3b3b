import type { OpsOverview } from '../../contracts/operations.js';
import type { Balances } from '../../contracts/api.js';
import type { Decision } from '../../contracts/decision.js';
import type { Paso, Progress } from '../../contracts/progress.js';
import { STEP_COST, STEP_SKILL, type DecisionKind, type RunState, type StepId, type StepState } from '../../contracts/states.js';

export const NOW = new Date('2026-11-30T16:42:11Z');
export const AT = '2026-11-30T16:42:08.000Z';
const free = { credits: 0, queries: 0, inference: 0 };

export const paso = (id: StepId, status: StepState, more: Partial<Paso> = {}): Paso => ({
  id,
  skill: STEP_SKILL[id],
  status,
  conteo: null,
  cost: { kind: STEP_COST[id], max: null, held: 0, spent: 0 },
  checkpoint: null,
  reason: null,
  ...more,
});

export const progress = (state: RunState, more: Partial<Progress> = {}): Progress => ({
  run_id: 'run_01',
  version: 57,
  plan_version: 3,
  state,
  reason: null,
  objetivo: '50 personas de compras en Jalisco',
  mode: 'manual',
  last_progress_at: AT,
  poll_after_ms: 50,
  counts: { unit: 'account', total: 50, done: 38, running: 4, pending: 5, not_found: 2, suppressed: 1, skipped: 0, failed: 0 },
  pasos: [
    paso('s0', 'done'),
    paso('s1', 'done', { conteo: { done: 50, total: 50, unit: 'company' } }),
    paso('s2', 'done', { conteo: { done: 50, total: 50, unit: 'company' } }),
    paso('s3', 'running', { conteo: { done: 38, total: 50, unit: 'account' } }),
    paso('s4', 'pending'),
    paso('s5', 'pending'),
    paso('s6', 'pending'),
  ],
  budget: {
    credits: { requested: 50, plan_max: 32, held: 0, spent: 0 },
    queries: { requested: 53, plan_max: 53, held: 5, spent: 48 },
    inference: { cap_micros: 2_000_000, held_micros: 0, used_micros: 310_000 },
  },
  decisions: [],
  contacts: { captured: 0, drafted: 0, unconfirmed: 0 },
  links: { self: '/v1/runs/run_01' },
  ...more,
});

export const decision = (kind: DecisionKind, more: Partial<Decision> = {}): Decision => {
  const base: Decision = {
    id: 'dec_01',
    run_id: 'run_01',
    step: 's4',
    kind,
    state: 'open',
    plan_version: 3,
    payload_hash: 'hash',
    items_total: 0,
    items: [],
    options: [],
    price: { unit_min: 0, unit_max: 0, expected_total: 0, requested_total: 0, valid_until: null },
    balance: { credits: 32, queries: 900, inference: 5_000_000 },
    held_elsewhere: { credits: 8, queries: 0, inference: 0 },
    suppressed: 0,
    ranking: null,
    notes: [],
    expires_at: '2026-12-03T16:42:08.000Z',
    created_at: AT,
    resolved: null,
    superseded_by: null,
    reopened_as: null,
    undo_until: null,
    links: { self: '/v1/decisions/dec_01', run: '/v1/runs/run_01', provider_topup: null },
  };
  if (kind === 'revelar_contactos')
    Object.assign(base, {
      items_total: 32,
      items: Array.from({ length: 5 }, (_, i) => ({
        ref: `per_${i + 1}`,
        label: `Empresa ${i + 1}`,
        detail: 'Gerente de compras',
        price: 1,
        already_yours: false,
      })),
      options: [
        { id: 'all', n: 32, totals: { ...free, credits: 32 } },
        { id: 'choose', n: 32, totals: { ...free, credits: 32 } },
        { id: 'decline', n: 0, totals: free },
      ],
      price: { unit_min: 1, unit_max: 1, expected_total: 32, requested_total: 32, valid_until: null },
      ranking: 'ranking.score',
      notes: [{ code: 'reveal_cannot_be_undone', params: {} }],
      suppressed: 3,
    } satisfies Partial<Decision>);
  if (kind === 'guardar_en_crm')
    Object.assign(base, {
      step: 's2',
      options: [
        { id: 'approve', n: 50, totals: free },
        { id: 'decline', n: 0, totals: free },
      ],
    } satisfies Partial<Decision>);
  if (kind === 'ajustar_presupuesto')
    Object.assign(base, {
      step: 's0',
      options: [
        { id: 'fit_n', n: 32, totals: { credits: 32, queries: 53, inference: 320_000 } },
        { id: 'choose', n: 32, totals: { credits: 32, queries: 53, inference: 320_000 } },
        { id: 'recheck_balance', n: 0, totals: free },
        { id: 'decline', n: 0, totals: free },
      ],
      price: { unit_min: 1, unit_max: 1, expected_total: 32, requested_total: 50, valid_until: null },
      notes: [{ code: 'limited.balance.credits', params: { requested: 50, available: 32 } }],
      ranking: 'ranking.score',
      links: { ...base.links, provider_topup: 'https://proveedor.example/recargar' },
    } satisfies Partial<Decision>);
  if (kind === 'revisar_secuencia')
    Object.assign(base, {
      step: 's6',
      expires_at: null,
      options: [
        { id: 'approve', n: 32, totals: free },
        { id: 'decline', n: 0, totals: free },
      ],
      notes: [{ code: 'nothing_is_sent', params: {} }],
    } satisfies Partial<Decision>);
  return { ...base, ...more };
};

const line = (available: number) => ({ granted: available + 10, available, held: 8, spent: 2, expired: 0 });
export const balances = (credits = 32): Balances => ({
  version: 1,
  credits: line(credits),
  queries: line(900),
  inference: line(5_000_000),
  read_at: AT,
  topup_url: 'https://proveedor.example/recargar',
});

/** An overview of a workspace where something is of every kind. */
export const overview = (more: Partial<OpsOverview> = {}): OpsOverview => {
  const zero = { n: 0, amount: 0 };
  return {
    at: AT,
    runs: {
      open: 3,
      by_state: [{ state: 'running', n: 3, ages: { under_1h: 1, h1_to_24: 2, d1_to_3: 0, over_3d: 0 } }],
      idle: { n: 1, over_ms: 600_000, longest_ms: 900_000, link: '/v1/ops/runs?idle=true' },
    },
    holds: [
      {
        kind: 'credits',
        n: 32,
        amount: 32,
        ages: { under_1h: { n: 30, amount: 30 }, h1_to_24: zero, d1_to_3: zero, over_3d: { n: 2, amount: 2 } },
      },
      { kind: 'queries', ...zero, ages: { under_1h: zero, h1_to_24: zero, d1_to_3: zero, over_3d: zero } },
    ],
    unconfirmed: { n: 2, needs_operator: 1, credits_held: 2, oldest_sent_at: AT, link: '/v1/ops/runs?unconfirmed=true', queue: [] },
    limiter: {
      calls_per_second: null,
      concurrency: 10,
      in_use: 4,
      waiting: 7,
      providers: [{ provider: 'mcp', permits: null, paused_until: AT, paused_ms: 40_000, limited_at: AT, limited_ms: 40_000 }],
    },
    invariants: { ok: true, broken: [], checked: 11, checked_at: AT, duration_ms: 12, link: '/v1/ops/invariants' },
    outbox: { pending: 1, oldest_ms: 20, failing: 0 },
    reconcile: { last_at: AT, took_ms: 5, rounds: 9, settled: 0 },
    temporal_ui: null,
    ...more,
  };
};
