import type { CapPlan } from '../contracts/budget.js';
import type { DecisionItem, DecisionOption } from '../contracts/decision.js';
import type { Reason } from '../contracts/progress.js';
import type { DecisionKind, StepId } from '../contracts/states.js';
import { capPlan, fitContacts } from '../workflows/budget.js';
import { heldElsewhere, readLedger } from './ledger.js';
import { newId, sha256 } from './ids.js';
import type { LockedRun } from './events.js';

type Money = { credits: number; queries: number; inference: number };
export interface CardPayload {
  options: DecisionOption[];
  price: { unit_min: number; unit_max: number; expected_total: number; requested_total: number; valid_until: string | null };
  balance: Money;
  held_elsewhere: Money;
  suppressed: number;
  ranking: string | null;
  notes: Reason[];
  topup_url: string | null;
  /** Start card only: the whole of `capPlan`. */
  plan?: CapPlan;
}
export interface Card {
  kind: DecisionKind;
  step: StepId;
  target: string;
  payload: CardPayload;
  items: DecisionItem[];
  expires: boolean;
  reason: Reason;
}

/** A card waits 72 h for its tap; expiry pauses the run, nothing is lost. */
export const DECISION_HOURS = 72;
const FREE: Money = { credits: 0, queries: 0, inference: 0 };

const money = async (run: LockedRun): Promise<{ balance: Money; elsewhere: Money }> => {
  const ledger = await readLedger(run.tx, run.workspace);
  const elsewhere = await heldElsewhere(run.tx, run.workspace, run.id);
  return {
    balance: { credits: ledger.credits.available, queries: ledger.queries.available, inference: ledger.inference.available },
    elsewhere,
  };
};

/** Which parts of the plan cost something, from where it starts and ends. */
export const costlySteps = (run: {
  desde: StepId;
  hasta: string;
}): { search: boolean; people: boolean; reveal: boolean; drafts: boolean } => ({
  search: run.desde === 's1',
  people: run.hasta !== 'cuentas',
  reveal: run.hasta === 'contactos' || run.hasta === 'borradores',
  drafts: run.hasta === 'borradores',
});

/** The start card: what the whole plan costs at most, what fits, and why it is not more. Needs the provider's prices on the run. */
export const startCard = async (run: LockedRun): Promise<Card> => {
  const { row } = run;
  if (!row.prices) throw new Error(`run ${run.id} has no prices yet`);
  const { balance, elsewhere } = await money(run);
  const plan = capPlan({
    accounts: row.cuentas,
    prices: row.prices,
    available: balance,
    heldElsewhere: elsewhere,
    steps: costlySteps(row),
    caps: { credits: row.caps?.credits ?? null, queries: row.caps?.queries ?? null, inference: row.caps?.inference_micros ?? null },
  });
  const lot = plan.options.find((o) => o.id === 'all' || o.id === 'fit_n');
  return {
    kind: 'ajustar_presupuesto',
    step: 's0',
    target: row.workflow_id,
    items: [],
    expires: true,
    reason: {
      code: plan.limitedBy.length > 0 ? 'start_short' : 'start_needs_tap',
      params: { n: lot?.n ?? 0, requested: row.cuentas, credits: lot?.totals.credits ?? 0, balance: balance.credits },
    },
    payload: {
      plan,
      options: plan.options,
      topup_url: row.prices.topup_url,
      suppressed: 0,
      ranking: 'ranking.score',
      price: {
        unit_min: row.prices.credit_min,
        unit_max: row.prices.credit_max,
        expected_total: plan.cost.expected.credits,
        requested_total: plan.requested.credits,
        valid_until: row.prices.valid_until,
      },
      balance,
      held_elsewhere: elsewhere,
      notes: plan.limitedBy.map((l) => ({
        code: `limited.${l.by}.${l.kind}`,
        params: { requested: plan.requested[l.kind], available: balance[l.kind] },
      })),
    },
  };
};

/** The save card: the companies found, and which filters plan B left out to find them. */
export const saveCard = async (run: LockedRun, target: string): Promise<Card> => {
  const rows = await run.tx.q<{ company_id: string; name: string }>(
    `select company_id, name from accounts where run_id = $1 and company_id is not null and state not in ('suppressed', 'skipped') order by position`,
    [run.id],
  );
  const { balance, elsewhere } = await money(run);
  return {
    kind: 'guardar_en_crm',
    step: 's2',
    target,
    expires: true,
    reason: { code: 'save_needs_tap', params: { n: rows.length } },
    items: rows.map((r) => ({ ref: r.company_id, label: r.name, detail: null, price: 0, already_yours: false })),
    payload: {
      options: [
        { id: 'approve', n: rows.length, totals: FREE },
        ...(rows.length > 1 ? [{ id: 'choose' as const, n: rows.length, totals: FREE }] : []),
        { id: 'decline', n: 0, totals: FREE },
      ],
      price: { unit_min: 0, unit_max: 0, expected_total: 0, requested_total: 0, valid_until: null },
      balance,
      held_elsewhere: elsewhere,
      suppressed: run.body.counts.suppressed,
      ranking: null,
      topup_url: null,
      notes: run.row.plan_b.map((d) => ({ code: `plan_b.${d.dropped}`, params: { value: d.value, found: d.found } })),
    },
  };
};

/** The reveal card: who would be revealed, at what price, and how many fit the balance and the campaign's maximum. */
export const revealCard = async (run: LockedRun, target: string): Promise<Card> => {
  const rows = await run.tx.q<{
    person_id: string;
    title: string | null;
    name: string | null;
    price: number;
    already_yours: boolean;
    rank: number;
    quote_until: string | null;
  }>(
    `select c.person_id, c.title, a.name, c.price, c.already_yours, c.rank, c.quote_until from contacts c
     join accounts a on a.run_id = c.run_id and a.position = c.position where c.run_id = $1 and c.state = 'quoted' and c.reason is null order by c.rank`,
    [run.id],
  );
  const { balance, elsewhere } = await money(run);
  const { budget } = run.body;
  const planRoom =
    budget.credits.plan_max === null ? balance.credits : budget.credits.plan_max - budget.credits.held - budget.credits.spent;
  const room = Math.max(0, Math.min(balance.credits, planRoom));
  const { fitting, total } = fitContacts(rows, room);
  const whole = rows.reduce((sum, r) => sum + r.price, 0);
  const priced = rows.filter((r) => !r.already_yours).map((r) => r.price);
  const complete = fitting.length === rows.length;
  const suppressed =
    (await run.tx.q<{ n: number }>(`select count(*)::int as n from contacts where run_id = $1 and state = 'suppressed'`, [run.id]))[0]?.n ??
    0;
  const option = (id: DecisionOption['id'], n: number, credits: number): DecisionOption => ({
    id,
    n,
    totals: { credits, queries: 0, inference: 0 },
  });
  return {
    kind: 'revelar_contactos',
    step: 's4',
    target,
    expires: true,
    reason: {
      code: complete ? 'reveal_needs_tap' : 'reveal_short',
      params: { n: fitting.length, total: rows.length, credits: total, balance: balance.credits },
    },
    items: rows.map((r) => ({ ref: r.person_id, label: r.name ?? '', detail: r.title, price: r.price, already_yours: r.already_yours })),
    payload: {
      options: [
        ...(complete ? [option('all', rows.length, whole)] : []),
        ...(!complete && fitting.length > 0 ? [option('fit_n', fitting.length, total)] : []),
        ...(fitting.length > 0 ? [option('choose', fitting.length, total)] : []),
        ...(complete ? [] : [option('recheck_balance', 0, 0)]),
        option('decline', 0, 0),
      ],
      price: {
        unit_min: priced.length > 0 ? Math.min(...priced) : 0,
        unit_max: Math.max(0, ...priced),
        expected_total: whole,
        requested_total: whole,
        valid_until: rows.reduce<string | null>(
          (min, r) => (r.quote_until && (min === null || r.quote_until < min) ? r.quote_until : min),
          null,
        ),
      },
      balance,
      held_elsewhere: elsewhere,
      suppressed,
      ranking: 'ranking.score',
      topup_url: run.row.prices?.topup_url ?? null,
      notes: [
        ...(planRoom < balance.credits && !complete
          ? [{ code: 'limited.plan_max', params: { plan_max: budget.credits.plan_max ?? 0 } }]
          : []),
        { code: 'reveal_cannot_be_undone', params: {} },
      ],
    },
  };
};

/** The review card of a finished draft: free, never expires, answered on the dashboard. */
export const sequenceCard = async (run: LockedRun, target: string, sequences: string[]): Promise<Card> => {
  const { balance, elsewhere } = await money(run);
  const n = run.body.contacts.drafted;
  return {
    kind: 'revisar_secuencia',
    step: 's6',
    target,
    expires: false,
    reason: { code: 'sequence_needs_review', params: { n } },
    items: sequences.map((id) => ({ ref: id, label: id, detail: null, price: 0, already_yours: false })),
    payload: {
      options: [
        { id: 'approve', n, totals: FREE },
        { id: 'decline', n: 0, totals: FREE },
      ],
      price: { unit_min: 0, unit_max: 0, expected_total: 0, requested_total: 0, valid_until: null },
      balance,
      held_elsewhere: elsewhere,
      suppressed: 0,
      ranking: null,
      topup_url: null,
      notes: [{ code: 'nothing_is_sent', params: {} }],
    },
  };
};

/** Stores a card as the run's open decision of its step; what was open there becomes superseded by it. @returns its id. */
export const openCard = async (run: LockedRun, card: Card, link: { reopens?: string } = {}): Promise<string> => {
  const id = newId('dec');
  const old = await run.tx.q<{ id: string }>(
    `update decisions set state = 'superseded', superseded_by = $3 where run_id = $1 and step = $2 and state = 'open' returning id`,
    [run.id, card.step, id],
  );
  const hash = sha256({
    run: run.id,
    plan_version: run.row.plan_version,
    kind: card.kind,
    items: card.items,
    options: card.payload.options,
    price: card.payload.price,
    balance: card.payload.balance,
  });
  await run.tx.q(
    `insert into decisions (id, run_id, workspace_id, step, kind, target_workflow_id, plan_version, payload_hash, payload, items, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, case when $11 then now() + make_interval(hours => $12) end)`,
    [
      id,
      run.id,
      run.workspace,
      card.step,
      card.kind,
      card.target,
      run.row.plan_version,
      hash,
      JSON.stringify(card.payload),
      JSON.stringify(card.items),
      card.expires,
      DECISION_HOURS,
    ],
  );
  if (link.reopens) await run.tx.q(`update decisions set reopened_as = $2 where id = $1`, [link.reopens, id]);
  const gone = new Set(old.map((o) => o.id));
  const waits = card.kind !== 'revisar_secuencia';
  run.emit(
    'decision.proposed',
    { decision_id: id, kind: card.kind, supersedes: old[0]?.id ?? null },
    {
      decisions: [...run.body.decisions.filter((d) => !gone.has(d)), id],
      ...(waits
        ? { state: card.kind === 'ajustar_presupuesto' ? ('ready' as const) : ('waiting_decision' as const), reason: card.reason }
        : {}),
      pasos: [
        {
          id: card.step,
          status: 'waiting_decision',
          checkpoint: id,
          reason: card.reason,
          ...(card.kind === 'revelar_contactos'
            ? {
                cost: {
                  kind: 'creditos' as const,
                  max: card.payload.options.reduce((m, o) => Math.max(m, o.totals.credits), 0),
                  held: run.body.budget.credits.held,
                  spent: run.body.budget.credits.spent,
                },
              }
            : {}),
        },
      ],
    },
  );
  return id;
};

/** Marks open cards of a run as superseded without a fresh one (a replan, a cancel). @returns their ids. */
export const supersedeOpen = async (run: LockedRun): Promise<string[]> => {
  const rows = await run.tx.q<{ id: string }>(
    `update decisions set state = 'superseded' where run_id = $1 and state = 'open' and kind <> 'revisar_secuencia' returning id`,
    [run.id],
  );
  const ids = rows.map((r) => r.id);
  if (ids.length > 0) run.emit('decision.superseded', { n: ids.length }, { decisions: run.body.decisions.filter((d) => !ids.includes(d)) });
  return ids;
};
