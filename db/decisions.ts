import type { Caller } from '../contracts/api.js';
import type { GivenAccount } from '../contracts/criteria.js';
import type { Decision, DecisionItem, ResolveDecision } from '../contracts/decision.js';
import { Refusal } from '../contracts/problem.js';
import type { DecisionKind, DecisionState, StepId } from '../contracts/states.js';
import { fitContacts, searchPages } from '../workflows/budget.js';
import { applyCancel } from './controls.js';
import { costlySteps, openCard, revealCard, saveCard, sequenceCard, startCard, type Card, type CardPayload } from './cards.js';
import { hold, lockLedger, release } from './ledger.js';
import { auditRow, stepWorkflowId, wake, type LockedRun } from './events.js';
import { sha256 } from './ids.js';
import { deniedAnswer } from './skills.js';
import { createReviewRun } from './review.js';
import { one, type Tx } from './client.js';
import { suppressedAmong } from './suppressions.js';

export interface Outcome {
  option: ResolveDecision['option'];
  n: number;
  then: 'skip' | 'wait' | 'cancel' | null;
  total: number;
  items: string[] | null;
}
export interface DecisionRow {
  id: string;
  run_id: string;
  workspace_id: string;
  step: StepId;
  kind: DecisionKind;
  target_workflow_id: string;
  plan_version: number;
  payload_hash: string;
  payload: CardPayload;
  items: DecisionItem[];
  state: DecisionState;
  outcome: Outcome | null;
  resolved_by: string | null;
  channel: string | null;
  resolved_at: string | null;
  superseded_by: string | null;
  reopened_as: string | null;
  expires_at: string | null;
  undo_until: string | null;
  created_at: string;
}

/** A tap is answered from a quote at most a day old. */
export const QUOTE_HOURS = 24;

/** What the API shows of a decision; `full` lists every item, otherwise the first five. */
export const decisionView = (row: DecisionRow, full = false): Decision => ({
  id: row.id,
  run_id: row.run_id,
  step: row.step,
  kind: row.kind,
  state: row.state,
  plan_version: row.plan_version,
  payload_hash: row.payload_hash,
  items_total: row.items.length,
  items: full ? row.items : row.items.slice(0, 5),
  options: row.payload.options,
  price: row.payload.price,
  balance: row.payload.balance,
  held_elsewhere: row.payload.held_elsewhere,
  suppressed: row.payload.suppressed,
  ranking: row.payload.ranking,
  notes: row.payload.notes,
  expires_at: row.expires_at,
  created_at: row.created_at,
  resolved:
    row.outcome && row.resolved_at
      ? {
          option: row.outcome.option,
          n: row.outcome.n,
          then: row.outcome.then,
          by: row.resolved_by ?? '',
          channel: row.channel ?? '',
          at: row.resolved_at,
          total: row.outcome.total,
        }
      : null,
  superseded_by: row.superseded_by,
  reopened_as: row.reopened_as,
  undo_until: row.undo_until,
  links: { self: `/v1/decisions/${row.id}`, run: `/v1/runs/${row.run_id}`, provider_topup: row.payload.topup_url },
});

export const findDecision = async (tx: Tx, workspace: string, id: string): Promise<DecisionRow> => {
  const [row] = await tx.q<DecisionRow>(`select * from decisions where id = $1 and workspace_id = $2`, [id, workspace]);
  if (!row) throw new Refusal(404, 'decision_not_found', { decision_id: id });
  return row;
};

/** Marks an open card whose prices the provider has changed; the next tap replaces it. */
const MOVED = 'moved:';
export const markMoved = async (tx: Tx, id: string): Promise<void> => {
  await tx.q(
    `update decisions set payload_hash = $2 || payload_hash where id = $1 and state = 'open' and payload_hash not like $2 || '%'`,
    [id, MOVED],
  );
};

/** Where a sequence can be approved: the page that shows its texts, never a cap, the automatic mode, a chat, a command or the Temporal UI. */
const REVIEWED_ON = 'web';

/** The card that a person should look at instead: the step's open one, else what came after this one. */
const currentCard = async (
  tx: Tx,
  row: DecisionRow,
): Promise<{ fresh_decision_id: string; decision: Decision } | Record<string, never>> => {
  const [fresh] = await tx.q<DecisionRow>(
    `select * from decisions where run_id = $1 and step = $2 and id <> $3 and (state = 'open' or id > $3) order by state = 'open' desc, id desc limit 1`,
    [row.run_id, row.step, row.id],
  );
  return fresh ? { fresh_decision_id: fresh.id, decision: decisionView(fresh) } : {};
};

/** A refusal that leaves something behind (a fresh card, an expiry): returned, so that its transaction commits, then thrown. */
export type Resolution = { decision: DecisionRow } | { refused: Refusal };

/** What declining means when the person did not say: the start has nothing to wait for, a review nothing to stop. */
const thenOf = (kind: DecisionKind, said: ResolveDecision['then']): 'skip' | 'wait' | 'cancel' =>
  kind === 'ajustar_presupuesto' ? 'cancel' : kind === 'revisar_secuencia' ? 'skip' : (said ?? 'wait');
const sameOutcome = (kind: DecisionKind, a: Outcome, b: Pick<ResolveDecision, 'option' | 'then' | 'n' | 'items'>): boolean =>
  a.option === b.option &&
  (b.option !== 'decline' || a.then === thenOf(kind, b.then)) &&
  (b.option !== 'choose' || (b.items ? JSON.stringify([...b.items].sort()) === JSON.stringify([...(a.items ?? [])].sort()) : a.n === b.n));

const cardOf = (run: LockedRun, row: DecisionRow): Promise<Card> => {
  switch (row.kind) {
    case 'ajustar_presupuesto':
      return startCard(run);
    case 'guardar_en_crm':
      return saveCard(run, row.target_workflow_id);
    case 'revelar_contactos':
      return revealCard(run, row.target_workflow_id);
    case 'revisar_secuencia':
      return sequenceCard(
        run,
        row.target_workflow_id,
        row.items.map((i) => i.ref),
      );
  }
};

/** Replaces an open card that no longer says the truth by one that does. @returns the fresh card's id. */
export const refreshCard = async (run: LockedRun, row: DecisionRow): Promise<string> => openCard(run, await cardOf(run, row));

/**
 * Resolves a decision in the caller's transaction; the run is locked. The first outcome wins; everything that was shown is
 * checked again (plan version, hash, total, balance, quote age, expiry, suppression), then one hold per item is taken and the
 * waiting workflow is woken. Nothing is spent here.
 *
 * Refusals: 403 role, second approver or a skill that is denied, 409 other outcome, price or balance moved (with the fresh card), 410 expired,
 * 412 plan changed, 422 option not on the card.
 */
export const resolveDecision = async (
  run: LockedRun,
  id: string,
  tap: ResolveDecision,
  caller: Caller,
  suppressionKey: string,
): Promise<Resolution> => {
  const { tx } = run;
  const row = await findDecision(tx, run.workspace, id);
  if (row.run_id !== run.id) throw new Refusal(404, 'decision_not_found', { decision_id: id });
  if (!caller.roles.includes('approver')) throw new Refusal(403, 'role_missing', { role: 'approver' });
  if (row.outcome && (row.state === 'approved' || row.state === 'declined')) {
    if (sameOutcome(row.kind, row.outcome, tap)) return { decision: row };
    throw new Refusal(
      409,
      'already_resolved',
      { outcome: row.state, option: row.outcome.option, n: row.outcome.n, by: row.resolved_by, channel: row.channel, at: row.resolved_at },
      { decision: decisionView(row) },
    );
  }
  if (row.state === 'expired')
    throw new Refusal(410, 'decision_expired', { decision_id: id, reopened_as: row.reopened_as }, await currentCard(tx, row));
  if (row.state === 'superseded') {
    const fresh = await currentCard(tx, row);
    throw new Refusal(
      run.row.plan_version !== row.plan_version ? 412 : 409,
      run.row.plan_version !== row.plan_version ? 'plan_changed' : 'card_replaced',
      { plan_version: run.row.plan_version, fresh: fresh.fresh_decision_id ?? null },
      fresh,
    );
  }
  if (row.expires_at && Date.parse(row.expires_at) <= Date.now()) {
    await expireDecision(run, row);
    return { refused: new Refusal(410, 'decision_expired', { decision_id: id }) };
  }
  if (run.final && row.kind !== 'revisar_secuencia') throw new Refusal(409, 'run_final', { state: run.body.state });
  if (run.row.control === 'cancel' && row.kind !== 'revisar_secuencia') throw new Refusal(409, 'run_stopping', {});
  if (tap.plan_version !== run.row.plan_version || row.plan_version !== run.row.plan_version) {
    // The card itself may be the current one, and only what was on the screen is old.
    const fresh =
      row.plan_version === run.row.plan_version ? { fresh_decision_id: row.id, decision: decisionView(row) } : await currentCard(tx, row);
    throw new Refusal(412, 'plan_changed', { plan_version: run.row.plan_version, fresh: fresh.fresh_decision_id ?? null }, fresh);
  }
  if (tap.option === 'decline') return { decision: await decline(run, row, tap, caller) };
  if (row.kind === 'revisar_secuencia' && caller.channel !== REVIEWED_ON)
    throw new Refusal(403, 'review_on_page', { channel: caller.channel, page: `/decisiones/${row.id}` });
  // A skill may have been denied since the card was shown: the card stays open. Declining is always possible.
  const denied = await deniedAnswer(run, row.step);
  if (denied) return { refused: denied };

  const moved = async (code: string, params: Record<string, unknown>): Promise<Resolution> => {
    const fresh = await refreshCard(run, row);
    const card = decisionView(await findDecision(tx, run.workspace, fresh));
    const { expected_total: now } = card.price;
    const said = code === 'price_changed' ? { ...params, now, differs: now === params['shown'] ? 'no' : 'yes' } : params;
    return { refused: new Refusal(409, code, said, { fresh_decision_id: fresh, decision: card }) };
  };
  // The provider was read before this tap and its prices differ from the card's.
  if (row.payload_hash.startsWith(MOVED)) return moved('price_changed', { shown: row.payload.price.expected_total });
  const ledger = await lockLedger(tx, run.workspace);
  const now = { credits: ledger.credits.available, queries: ledger.queries.available, inference: ledger.inference.available };
  const spends = row.kind === 'ajustar_presupuesto' || row.kind === 'revelar_contactos';
  if (
    spends &&
    (now.credits !== row.payload.balance.credits ||
      (row.kind === 'ajustar_presupuesto' &&
        (now.queries !== row.payload.balance.queries || now.inference !== row.payload.balance.inference)))
  ) {
    return moved('balance_changed', { shown: row.payload.balance.credits, now: now.credits });
  }
  if (
    row.payload.price.valid_until &&
    (Date.parse(row.payload.price.valid_until) <= Date.now() || Date.parse(row.created_at) + QUOTE_HOURS * 3_600_000 <= Date.now())
  ) {
    if (row.kind === 'revelar_contactos') await requoteLater(run);
    return row.kind === 'revelar_contactos' ? staleQuote(run, row) : moved('quote_expired', { valid_until: row.payload.price.valid_until });
  }
  if (tap.payload_hash !== row.payload_hash)
    return { refused: new Refusal(409, 'card_changed', {}, { decision: decisionView(row), fresh_decision_id: row.id }) };
  const option = row.payload.options.find((o) => o.id === tap.option);
  if (!option) throw new Refusal(422, 'option_not_offered', { option: tap.option, offered: row.payload.options.map((o) => o.id) });

  const picked = await pick(run, row, tap, option.n, suppressionKey);
  if ('moved' in picked) return moved(picked.moved, {});
  if (tap.shown_total !== picked.total)
    throw new Refusal(
      409,
      'total_differs',
      { shown: tap.shown_total, total: picked.total },
      { decision: decisionView(row), fresh_decision_id: row.id },
    );
  const second = await secondApprover(run, row, caller, picked);
  if (second) return { refused: second };

  const outcome: Outcome = { option: tap.option, n: picked.n, then: null, total: picked.total, items: picked.items };
  const decided = await store(run, row, 'approved', outcome, caller);
  if (row.kind === 'ajustar_presupuesto') await approveStart(run, row, picked.n, tap.option === 'choose');
  else if (row.kind === 'guardar_en_crm') await approveSave(run, row, picked.items);
  else if (row.kind === 'revelar_contactos') await approveReveal(run, decided, picked.items ?? [], picked.total);
  else await approveSequence(run, row, caller);
  if (row.kind !== 'revisar_secuencia' && !answersItself(caller))
    await wake(tx, run.row, row.target_workflow_id, 'decision.resolved', { decision_id: row.id });
  return { decision: decided };
};

/** An answer given by the waiting workflow's own activity (a cap, a start that costs nothing, `automatico`): it reads the row next and needs no waking. */
const answersItself = (caller: Caller): boolean => caller.channel === 'automatico' || /^(?:cap|free):/.test(caller.channel);

/** The lot a tap means: how many, which, and for how much. */
const pick = async (
  run: LockedRun,
  row: DecisionRow,
  tap: ResolveDecision,
  n: number,
  suppressionKey: string,
): Promise<{ n: number; total: number; items: string[] | null } | { moved: string }> => {
  if (row.kind === 'ajustar_presupuesto') {
    const plan = row.payload.plan;
    const chosen = tap.option === 'choose' ? tap.n : n;
    if (!chosen || chosen > n) throw new Refusal(422, 'n_out_of_range', { max: n });
    const perContact = costlySteps(run.row).reveal ? (run.row.prices?.credit_max ?? 0) : 0;
    return { n: chosen, total: tap.option === 'choose' ? chosen * perContact : (plan?.cost.max.credits ?? 0), items: null };
  }
  if (row.kind === 'revisar_secuencia') return { n, total: 0, items: null };
  const offered = new Map(row.items.map((i) => [i.ref, i]));
  if (tap.option === 'choose') {
    const refs = [...new Set(tap.items ?? [])];
    if (refs.length === 0 || refs.some((r) => !offered.has(r))) throw new Refusal(422, 'items_not_on_card', {});
    if (row.kind === 'guardar_en_crm') return { n: refs.length, total: 0, items: refs };
    const total = refs.reduce((sum, r) => sum + (offered.get(r)?.price ?? 0), 0);
    const most = row.payload.options.find((o) => o.id === 'choose')?.totals.credits ?? 0;
    if (total > most) throw new Refusal(422, 'more_than_fits', { total, fits: most });
    return suppressedSince(run, refs, total, suppressionKey);
  }
  if (row.kind === 'guardar_en_crm') return { n, total: 0, items: row.items.map((i) => i.ref) };
  const option = row.payload.options.find((o) => o.id === tap.option);
  const { fitting, total } = fitContacts(
    row.items.map((i, rank) => ({ ...i, rank })),
    option?.totals.credits ?? 0,
  );
  return suppressedSince(
    run,
    fitting.map((f) => f.ref),
    total,
    suppressionKey,
  );
};

/** Somebody on the card may have been put on the suppression list since it was shown: then the card is not the truth any more. */
const suppressedSince = async (
  run: LockedRun,
  refs: string[],
  total: number,
  key: string,
): Promise<{ n: number; total: number; items: string[] } | { moved: string }> => {
  const rows = await run.tx.q<{ id: string; person_id: string; rfc: string | null; domain: string | null }>(
    `select c.id, c.person_id, a.rfc, a.domain from contacts c join accounts a on a.run_id = c.run_id and a.position = c.position where c.run_id = $1 and c.person_id = any($2)`,
    [run.id, refs],
  );
  const listed = await suppressedAmong(
    run.tx,
    run.workspace,
    key,
    rows.map((r) => [
      { kind: 'person', value: r.person_id },
      { kind: 'rfc', value: r.rfc ?? '' },
      { kind: 'domain', value: r.domain ?? '' },
    ]),
  );
  const ids = rows.filter((_, i) => listed[i]).map((r) => r.id);
  if (ids.length === 0) return { n: refs.length, total, items: refs };
  await run.tx.q(`update contacts set state = 'suppressed', updated_at = now() where id = any($1) and state = 'quoted'`, [ids]);
  return { moved: 'suppression_changed' };
};

/** Above the workspace's threshold a second person has to tap too; the first tap is kept and said. */
const secondApprover = async (
  run: LockedRun,
  row: DecisionRow,
  caller: Caller,
  picked: { n: number; total: number; items: string[] | null },
): Promise<Refusal | null> => {
  const { total } = picked;
  const [ws] = await run.tx.q<{ second_approver_above: number | null }>(`select second_approver_above from workspaces where id = $1`, [
    run.workspace,
  ]);
  const threshold = ws?.second_approver_above ?? null;
  if (threshold === null || total <= threshold || caller.channel === 'automatico') return null;
  // Both have to mean the same lot: the same sum of other people is another purchase.
  const lot = sha256({ n: picked.n, total, items: picked.items ? [...picked.items].sort() : null });
  const [first] = await run.tx.q<{ actor: string }>(
    `select actor from audit where workspace_id = $1 and action = 'first_approval' and detail ->> 'decision_id' = $2 and detail ->> 'lot' = $3 and actor <> $4 limit 1`,
    [run.workspace, row.id, lot, caller.sub],
  );
  if (first) return null;
  await auditRow(run.tx, {
    workspace: run.workspace,
    run: run.id,
    actor: caller.sub,
    channel: caller.channel,
    action: 'first_approval',
    detail: { decision_id: row.id, total, lot },
  });
  return new Refusal(403, 'second_approver_needed', { total, threshold });
};

const store = async (
  run: LockedRun,
  row: DecisionRow,
  state: 'approved' | 'declined',
  outcome: Outcome,
  caller: Caller,
): Promise<DecisionRow> => {
  const decided = one(
    await run.tx.q<DecisionRow>(
      `update decisions set state = $2, outcome = $3, resolved_by = $4, channel = $5, resolved_at = now() where id = $1 and state = 'open' returning *`,
      [row.id, state, JSON.stringify(outcome), caller.sub, caller.channel],
    ),
    'decision',
  );
  await auditRow(run.tx, {
    workspace: run.workspace,
    run: run.id,
    actor: caller.sub,
    channel: caller.channel,
    action: `decision.${state}`,
    detail: { decision_id: row.id, kind: row.kind, option: outcome.option, n: outcome.n, total: outcome.total },
  });
  return decided;
};
/** Where an answered card leaves the run: going on, or still paused when a person paused it meanwhile. */
const goesOn = (run: LockedRun): { state: 'running' | 'paused'; reason: LockedRun['body']['reason'] } =>
  run.row.control === 'pause' ? { state: 'paused', reason: run.row.control_reason ?? run.body.reason } : { state: 'running', reason: null };
const closed = (run: LockedRun, id: string): { decisions: string[] } => ({ decisions: run.body.decisions.filter((d) => d !== id) });

const decline = async (run: LockedRun, row: DecisionRow, tap: ResolveDecision, caller: Caller): Promise<DecisionRow> => {
  const then = thenOf(row.kind, tap.then);
  const decided = await store(run, row, 'declined', { option: 'decline', n: 0, then, total: 0, items: null }, caller);
  run.emit('decision.declined', { decision_id: row.id, then }, closed(run, row.id));
  if (row.kind === 'revisar_secuencia')
    await run.tx.q(`update sequences set state = 'declined' where run_id = $1 and state = 'draft'`, [run.id]);
  else if (then === 'cancel')
    await applyCancel(run, {
      code: row.kind === 'ajustar_presupuesto' ? 'start_declined' : 'canceled_by_person',
      params: { by: caller.sub },
    });
  else if (then === 'wait') {
    await run.tx.q(`update runs set control = 'pause' where id = $1`, [run.id]);
    run.row.control = 'pause';
    run.emit(
      'run.paused',
      { why: 'declined' },
      { state: 'paused', reason: { code: 'declined_wait', params: { kind: row.kind } }, pasos: [{ id: row.step, status: 'paused' }] },
    );
  } else {
    if (row.kind === 'revelar_contactos')
      await run.tx.q(
        `update contacts set reason = '{"code":"declined_skip","params":{}}' where run_id = $1 and state = 'quoted' and reason is null`,
        [run.id],
      );
    // A declined card after an undo: the campaign goes on without the save.
    if (run.row.undo?.state === 'done') await afterUndo(run);
    run.emit(
      'step.skipping',
      { step: row.step },
      { ...goesOn(run), pasos: [{ id: row.step, status: 'running', reason: { code: 'declined_skip', params: {} } }] },
    );
  }
  if (row.kind !== 'revisar_secuencia') await wake(run.tx, run.row, row.target_workflow_id, 'decision.resolved', { decision_id: row.id });
  if (then === 'cancel' && row.target_workflow_id !== run.row.workflow_id)
    await wake(run.tx, run.row, run.row.workflow_id, 'control.changed', {});
  return decided;
};

/**
 * Accounts that a person named by reference alone, with the RFC and domain under which an earlier campaign knew them: the exclusion list
 * is held against those, and must not be passed by leaving them out.
 */
const identified = async ({ tx, workspace }: LockedRun, given: GivenAccount[]): Promise<GivenAccount[]> => {
  const bare = given.filter((account) => account.ref && (!account.rfc || !account.domain)).map((account) => account.ref);
  if (bare.length === 0) return given;
  const known = new Map(
    (
      await tx.q<{ company_ref: string; rfc: string | null; domain: string | null }>(
        `select company_ref, max(rfc) as rfc, max(domain) as domain from accounts where workspace_id = $1 and company_ref = any($2) group by company_ref`,
        [workspace, bare],
      )
    ).map((row) => [row.company_ref, row]),
  );
  return given.map((account) => ({
    ...account,
    rfc: account.rfc ?? known.get(account.ref)?.rfc ?? undefined,
    domain: account.domain ?? known.get(account.ref)?.domain ?? undefined,
  }));
};

/** Fixes the campaign's maximum per kind, makes its account rows and holds its queries: one per page, one per account. */
const approveStart = async (run: LockedRun, row: DecisionRow, n: number, chosen: boolean): Promise<void> => {
  const { tx, row: r } = run;
  const plan = row.payload.plan;
  if (!plan || !r.prices) throw new Error(`start card ${row.id} has no plan`);
  const steps = costlySteps(r);
  const searched = chosen ? Math.min(n, plan.accounts) : plan.accounts;
  const pages = steps.search ? searchPages(searched) : 0;
  const reveals = steps.reveal ? Math.min(n, plan.fits) : 0;
  const max = {
    credits: reveals * r.prices.credit_max,
    queries: (pages + (steps.people ? searched : 0)) * r.prices.query,
    inference: steps.drafts ? reveals * r.prices.draft_max : 0,
  };
  const held = await hold(tx, run.workspace, 'queries', run.id, row.id, [
    ...Array.from({ length: pages }, (_, i) => ({ amount: r.prices?.query ?? 1, step: 's1', item: `page:${i + 1}` })),
    ...(steps.people
      ? Array.from({ length: searched }, (_, i) => ({ amount: r.prices?.query ?? 1, step: 's3', item: `account:${i + 1}` }))
      : []),
  ]);
  const accountHolds = held.slice(pages);
  const given = await identified(
    run,
    (await tx.q<{ given: GivenAccount[] | null }>(`select given from runs where id = $1`, [run.id]))[0]?.given ?? [],
  );
  await tx.q(
    `insert into accounts (run_id, position, workspace_id, state, reason, hold_id, company_ref, company_id, name, rfc, domain)
     select $1, x.position, $2, x.state, x.reason, x.hold_id, x.ref, x.ref, x.name, x.rfc, x.domain
     from jsonb_to_recordset($3::jsonb) as x (position int, state text, reason jsonb, hold_id text, ref text, name text, rfc text, domain text)`,
    [
      run.id,
      run.workspace,
      JSON.stringify(
        Array.from({ length: r.cuentas }, (_, i) => ({
          position: i + 1,
          state: i < searched ? 'pending' : 'skipped',
          hold_id: accountHolds[i] ?? null,
          reason: i < searched ? null : { code: chosen ? 'not_chosen' : 'queries_limit', params: {} },
          ref: given[i]?.ref ?? null,
          name: given[i]?.name ?? null,
          rfc: given[i]?.rfc ?? null,
          domain: given[i]?.domain ?? null,
        })),
      ),
    ],
  );
  await tx.q(`update runs set plan_max = $2, started_at = coalesce(started_at, now()) where id = $1`, [run.id, JSON.stringify(max)]);
  r.plan_max = max;
  const queries = (pages + (steps.people ? searched : 0)) * r.prices.query;
  const budget = structuredClone(run.body.budget);
  budget.credits = { ...budget.credits, requested: plan.requested.credits, plan_max: max.credits };
  budget.queries = { requested: plan.requested.queries, plan_max: max.queries, held: queries, spent: 0 };
  budget.inference = {
    ...budget.inference,
    cap_micros: r.caps?.inference_micros !== undefined ? Math.min(r.caps.inference_micros, Math.max(max.inference, 0)) : max.inference,
  };
  run.emit(
    'decision.approved',
    { decision_id: row.id, n, credits: max.credits, queries: max.queries },
    {
      ...closed(run, row.id),
      ...goesOn(run),
      budget,
      ...run.moves([{ from: 'pending', to: 'skipped', n: r.cuentas - searched }]),
      pasos: [
        { id: 's0', status: 'done', checkpoint: row.id, reason: null },
        ...(steps.search
          ? [{ id: 's1' as const, cost: { kind: 'externo' as const, max: pages * r.prices.query, held: pages * r.prices.query, spent: 0 } }]
          : []),
        ...(steps.people
          ? [
              {
                id: 's3' as const,
                conteo: { done: 0, total: r.cuentas, unit: 'account' as const },
                cost: { kind: 'externo' as const, max: searched * r.prices.query, held: searched * r.prices.query, spent: 0 },
              },
            ]
          : []),
        ...(steps.reveal ? [{ id: 's4' as const, cost: { kind: 'creditos' as const, max: max.credits, held: 0, spent: 0 } }] : []),
        ...(steps.drafts ? [{ id: 's5' as const, cost: { kind: 'inferencia' as const, max: max.inference, held: 0, spent: 0 } }] : []),
      ],
    },
  );
};

/** The sequence is approved on the dashboard, after the campaign is over: a one-step run of its recipe does the rest. */
const approveSequence = async (run: LockedRun, row: DecisionRow, caller: Caller): Promise<void> => {
  await run.tx.q(`update sequences set state = 'approved' where run_id = $1 and state = 'draft'`, [run.id]);
  run.emit(
    'decision.approved',
    { decision_id: row.id, n: row.items.length },
    { ...closed(run, row.id), pasos: [{ id: 's6', status: 'done', reason: null }] },
  );
  await createReviewRun(run, row.id, caller);
};

const approveSave = async (run: LockedRun, row: DecisionRow, items: string[] | null): Promise<void> => {
  const keep = new Set(items ?? []);
  const left = row.items.map((i) => i.ref).filter((r) => !keep.has(r));
  if (left.length > 0) {
    // What the person left out is not looked at any further; accounts that already have a person keep it.
    const dropped = await run.tx.q<{ hold_id: string | null }>(
      `update accounts set state = 'skipped', reason = '{"code":"not_chosen","params":{}}', updated_at = now() where run_id = $1 and company_id = any($2) and state = 'pending' returning hold_id`,
      [run.id, left],
    );
    await dropAccounts(run, dropped, 'skipped');
  }
  const resumed = run.row.undo?.state === 'done';
  if (resumed) await afterUndo(run);
  run.emit(
    'decision.approved',
    { decision_id: row.id, n: keep.size },
    {
      ...closed(run, row.id),
      ...goesOn(run),
      pasos: [
        { id: 's2', status: 'running', reason: null },
        ...(resumed && run.paso('s3')?.status === 'paused' ? [{ id: 's3' as const, status: 'running' as const, reason: null }] : []),
      ],
    },
  );
};

/** The run was paused for an undo; the tap on the fresh card lets it go on. */
const afterUndo = async (run: LockedRun): Promise<void> => {
  await run.tx.q(`update runs set control = 'run', undo = null where id = $1`, [run.id]);
  run.row.control = 'run';
  run.row.undo = null;
  for (const step of ['s3', 's4'] as const) await wake(run.tx, run.row, stepWorkflowId(run.row, step), 'control.changed', {});
};

/** Lets the query holds of accounts go that will not be searched, and moves their counts. */
export const dropAccounts = async (
  run: LockedRun,
  rows: Array<{ hold_id: string | null }>,
  to: 'skipped' | 'suppressed' | 'not_found',
): Promise<void> => {
  const freed = (
    await release(
      run.tx,
      rows.map((r) => r.hold_id).filter((h): h is string => h !== null),
    )
  ).queries;
  const s3 = run.paso('s3');
  const patch = run.moves([{ from: 'pending', to, n: rows.length }]);
  run.emit(
    'accounts.dropped',
    { n: rows.length, to },
    {
      ...patch,
      ...run.budget({ queries: [-freed, 0] }),
      ...(s3
        ? { pasos: [{ id: 's3', conteo: patch.pasos?.[0]?.conteo ?? s3.conteo, cost: { ...s3.cost, held: s3.cost.held - freed } }] }
        : {}),
    },
  );
};

/** One credit hold per contact, under the plan's maximum; contacts already yours cost nothing and get none. */
const approveReveal = async (run: LockedRun, row: DecisionRow, refs: string[], total: number): Promise<void> => {
  const { tx } = run;
  const max = run.row.plan_max?.credits ?? 0;
  const { held, spent } = run.body.budget.credits;
  if (spent + held + total > max) throw new Refusal(409, 'plan_max_exceeded', { total, plan_max: max, spent, held });
  const rows = await tx.q<{ id: string; price: number; person_id: string; already_yours: boolean }>(
    `select id, price, person_id, already_yours from contacts where run_id = $1 and state = 'quoted' and reason is null and person_id = any($2)`,
    [run.id, refs],
  );
  if (rows.length !== refs.length) throw new Refusal(409, 'items_changed', {});
  // A reveal that costs nothing today is still a purchase, and has its hold; one that is yours already is not.
  const paid = rows.filter((r) => !r.already_yours);
  const ids = await hold(
    tx,
    run.workspace,
    'credits',
    run.id,
    row.id,
    paid.map((r) => ({ amount: r.price, step: 's4', item: r.id })),
  );
  const holds = paid.map((r, i) => ({ id: r.id, hold_id: ids[i] ?? null }));
  await tx.q(
    `update contacts c set state = 'held', decision_id = $2, hold_id = x.hold_id, updated_at = now()
     from jsonb_to_recordset($1::jsonb) as x (id text, hold_id text) where c.id = x.id`,
    [JSON.stringify([...holds, ...rows.filter((r) => r.already_yours).map((r) => ({ id: r.id, hold_id: null }))]), row.id],
  );
  // Whoever was on the card but not in the lot is told apart from whoever is still to be offered.
  await tx.q(`update contacts set reason = $2 where run_id = $1 and state = 'quoted' and reason is null`, [
    run.id,
    JSON.stringify({ code: row.outcome?.option === 'choose' ? 'not_chosen' : 'credits_limit', params: {} }),
  ]);
  const s4 = run.paso('s4');
  run.emit(
    'decision.approved',
    { decision_id: row.id, n: rows.length, credits: total },
    {
      ...closed(run, row.id),
      ...goesOn(run),
      ...run.budget({ credits: [total, 0] }),
      pasos: [
        {
          id: 's4',
          status: 'running',
          reason: null,
          conteo: { done: run.body.contacts.captured, total: run.body.contacts.captured + rows.length, unit: 'contact' },
          cost: { kind: 'creditos', max: spent + total, held: (s4?.cost.held ?? 0) + total, spent: s4?.cost.spent ?? 0 },
        },
      ],
    },
  );
};

/** Marks the quoted list as in need of fresh prices: the step's workflow asks the provider again before the next card. */
const requoteLater = async (run: LockedRun): Promise<void> => {
  await run.tx.q(
    `insert into run_steps (run_id, step, memory) values ($1, 's4', '{"requote":true}') on conflict (run_id, step) do update set memory = run_steps.memory || '{"requote":true}'`,
    [run.id],
  );
};
const staleQuote = async (run: LockedRun, row: DecisionRow): Promise<Resolution> => {
  await run.tx.q(`update decisions set state = 'superseded' where id = $1`, [row.id]);
  run.emit(
    'quote.expired',
    { decision_id: row.id },
    {
      ...closed(run, row.id),
      ...(run.row.control === 'pause' ? goesOn(run) : { state: 'running' as const, reason: { code: 'requoting', params: {} } }),
      pasos: [{ id: 's4', status: 'running', reason: { code: 'requoting', params: {} } }],
    },
  );
  await wake(run.tx, run.row, row.target_workflow_id, 'decision.resolved', { decision_id: row.id });
  return {
    refused: new Refusal(409, 'quote_expired', { valid_until: row.payload.price.valid_until }, { retryable: true, retry_after_ms: 2000 }),
  };
};

/** After 72 h without a tap: the card expires and the run pauses; nothing is lost and nothing was held. */
export const expireDecision = async (run: LockedRun, row: Pick<DecisionRow, 'id' | 'step' | 'kind'>): Promise<void> => {
  const done = await run.tx.q(`update decisions set state = 'expired' where id = $1 and state = 'open' returning id`, [row.id]);
  if (done.length === 0) return;
  await run.tx.q(`update runs set control = 'pause', control_reason = '{"code":"decision_expired","params":{}}' where id = $1`, [run.id]);
  run.row.control = 'pause';
  run.emit(
    'decision.expired',
    { decision_id: row.id },
    {
      ...closed(run, row.id),
      state: 'paused',
      reason: { code: 'decision_expired', params: { kind: row.kind, decision_id: row.id } },
      pasos: [{ id: row.step, status: 'paused', reason: { code: 'decision_expired', params: {} } }],
    },
  );
};

const ENDED_STEPS = new Set<string>(['done', 'partial', 'skipped', 'canceled', 'failed']);

/** A new card for an expired one (or one declined with `wait`), at today's price; the old row stays as it ended. */
export const reopenDecision = async (run: LockedRun, id: string, caller: Caller): Promise<DecisionRow> => {
  const row = await findDecision(run.tx, run.workspace, id);
  if (!caller.roles.includes('approver')) throw new Refusal(403, 'role_missing', { role: 'approver' });
  if (row.reopened_as) return findDecision(run.tx, run.workspace, row.reopened_as);
  const waits = row.state === 'expired' || (row.state === 'declined' && row.outcome?.then === 'wait');
  // Only a step's last card, and only while its step waits for it: an earlier one was answered by another since.
  const [last] = await run.tx.q<{ id: string }>(
    `select id from decisions where run_id = $1 and step = $2 order by created_at desc, id desc limit 1`,
    [run.id, row.step],
  );
  const over = ENDED_STEPS.has(run.paso(row.step)?.status ?? 'skipped');
  if (!waits || run.final || run.row.control === 'cancel' || last?.id !== row.id || over)
    throw new Refusal(409, 'not_reopenable', { state: row.state, run: run.body.state });
  if (run.row.undo?.state === 'asked') throw new Refusal(409, 'undo_in_progress', {}, { retryable: true, retry_after_ms: 1000 });
  await run.tx.q(`update runs set control = 'run', control_reason = null where id = $1`, [run.id]);
  run.row.control = 'run';
  const fresh = await openCard(run, await cardOf(run, row), { reopens: row.id });
  await auditRow(run.tx, {
    workspace: run.workspace,
    run: run.id,
    actor: caller.sub,
    channel: caller.channel,
    action: 'decision.reopened',
    detail: { decision_id: id, fresh },
  });
  await wake(run.tx, run.row, row.target_workflow_id, 'control.changed', {});
  if (row.target_workflow_id !== run.row.workflow_id) await wake(run.tx, run.row, run.row.workflow_id, 'control.changed', {});
  return findDecision(run.tx, run.workspace, fresh);
};

/** Asks for the undo of a save. The run pauses at the next item; the campaign's workflow does it and shows a fresh card. */
export const askUndo = async (run: LockedRun, id: string, caller: Caller): Promise<DecisionRow> => {
  const row = await findDecision(run.tx, run.workspace, id);
  if (!caller.roles.includes('approver')) throw new Refusal(403, 'role_missing', { role: 'approver' });
  if (row.kind !== 'guardar_en_crm' || row.state !== 'approved')
    throw new Refusal(409, 'nothing_to_undo', { kind: row.kind, state: row.state });
  if (run.row.undo?.decision_id === id && run.row.undo.state !== 'refused') return row;
  if (!row.undo_until) throw new Refusal(409, 'not_saved_yet', {}, { retryable: true, retry_after_ms: 1000 });
  if (Date.parse(row.undo_until) <= Date.now()) throw new Refusal(410, 'undo_window_closed', { undo_until: row.undo_until });
  const [held] = await run.tx.q(`select 1 as x from holds where run_id = $1 and kind = 'credits' limit 1`, [run.id]);
  if (held) throw new Refusal(409, 'reveal_already_held', {});
  if (run.final) throw new Refusal(409, 'run_final', { state: run.body.state });
  if (run.row.control === 'cancel') throw new Refusal(409, 'run_stopping', {});
  const undo = { decision_id: id, by: caller.sub, state: 'asked' as const };
  await run.tx.q(`update runs set control = 'pause', undo = $2 where id = $1`, [run.id, JSON.stringify(undo)]);
  run.row.control = 'pause';
  run.row.undo = undo;
  const gone = await run.tx.q<{ id: string }>(
    `update decisions set state = 'superseded' where run_id = $1 and state = 'open' and kind = 'revelar_contactos' returning id`,
    [run.id],
  );
  run.emit(
    'undo.asked',
    { decision_id: id },
    {
      state: 'paused',
      reason: { code: 'undoing_save', params: {} },
      decisions: run.body.decisions.filter((d) => !gone.some((g) => g.id === d)),
      ...(gone.length > 0 ? { pasos: [{ id: 's4', status: 'paused', reason: null, checkpoint: null }] } : {}),
    },
  );
  await auditRow(run.tx, {
    workspace: run.workspace,
    run: run.id,
    actor: caller.sub,
    channel: caller.channel,
    action: 'save.undo',
    detail: { decision_id: id },
  });
  await wake(run.tx, run.row, run.row.workflow_id, 'control.changed', {});
  return row;
};
