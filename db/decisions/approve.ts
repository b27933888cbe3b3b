import type { Caller } from '../../contracts/api.js';
import type { GivenAccount } from '../../contracts/criteria.js';
import { Refusal } from '../../contracts/problem.js';
import { searchPages } from '../../workflows/budget.js';
import { costlySteps } from '../cards.js';
import { hold } from '../ledger.js';
import type { LockedRun } from '../events.js';
import { createReviewRun } from '../review.js';
import type { DecisionRow } from './decision.js';
import { afterUndo, closed, goesOn } from './answer.js';
import { dropAccounts } from '../accounts.js';

/** What an approval sets going, by kind of card: the holds, the rows and what the run shows. */

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
export const approveStart = async (run: LockedRun, row: DecisionRow, n: number, chosen: boolean): Promise<void> => {
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
export const approveSequence = async (run: LockedRun, row: DecisionRow, caller: Caller): Promise<void> => {
  await run.tx.q(`update sequences set state = 'approved' where run_id = $1 and state = 'draft'`, [run.id]);
  run.emit(
    'decision.approved',
    { decision_id: row.id, n: row.items.length },
    { ...closed(run, row.id), pasos: [{ id: 's6', status: 'done', reason: null }] },
  );
  await createReviewRun(run, row.id, caller);
};

/** Lets the accounts that were left out go; the step saves the others. */
export const approveSave = async (run: LockedRun, row: DecisionRow, items: string[] | null): Promise<void> => {
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

/** One credit hold per contact, under the plan's maximum; contacts already yours cost nothing and get none. */
export const approveReveal = async (run: LockedRun, row: DecisionRow, refs: string[], total: number): Promise<void> => {
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
