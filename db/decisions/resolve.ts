import type { Caller } from '../../contracts/api.js';
import type { ResolveDecision } from '../../contracts/decision.js';
import { Refusal } from '../../contracts/problem.js';
import type { DecisionKind } from '../../contracts/states.js';
import { lockLedger } from '../ledger.js';
import { auditRow, wake, type LockedRun } from '../events.js';
import { sha256 } from '../ids.js';
import { deniedAnswer } from '../skills.js';
import { currentCard, decisionView, findDecision, MOVED, refreshCard, type DecisionRow, type Outcome } from './decision.js';
import { decline, thenOf } from './decline.js';
import { expireDecision } from './lapse.js';
import { pick } from './lot.js';
import { closed, goesOn, store } from './answer.js';
import { approveReveal, approveSave, approveSequence, approveStart } from './approve.js';

/** A tap: everything that was shown is checked again, then what it means is written, once. */

/** A tap is answered from a quote at most a day old. */
export const QUOTE_HOURS = 24;

/** Where a sequence can be approved: the page that shows its texts, never a cap, the automatic mode, a chat, a command or the Temporal UI. */
const REVIEWED_ON = 'web';

/** A refusal that leaves something behind (a fresh card, an expiry): returned, so that its transaction commits, then thrown. */
export type Resolution = { decision: DecisionRow } | { refused: Refusal };

const sameOutcome = (kind: DecisionKind, a: Outcome, b: Pick<ResolveDecision, 'option' | 'then' | 'n' | 'items'>): boolean =>
  a.option === b.option &&
  (b.option !== 'decline' || a.then === thenOf(kind, b.then)) &&
  (b.option !== 'choose' || (b.items ? JSON.stringify([...b.items].sort()) === JSON.stringify([...(a.items ?? [])].sort()) : a.n === b.n));

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
