import type { ResolveDecision } from '../../contracts/decision.js';
import { Refusal } from '../../contracts/problem.js';
import { fitContacts } from '../../workflows/budget.js';
import { costlySteps } from '../cards.js';
import { type LockedRun } from '../events.js';
import { suppressedAmong } from '../suppressions.js';
import type { DecisionRow } from './decision.js';

/** The lot that a tap means: how many, which, and for how much. */

/** The lot a tap means: how many, which, and for how much. */
export const pick = async (
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
