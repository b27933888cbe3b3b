import { capture, hold, sums, voidHolds } from './ledger.js';
import { emailIdentities, suppressedAmong, type Identity } from './suppressions.js';
import { stopReason, type Stop } from './people.js';
import { withRun, type LockedRun } from './events.js';
import { Refusal } from '../contracts/problem.js';
import type { Lane } from './lanes.js';
import type { Pool } from './client.js';

/** Drafts: handed out to lanes, paid for and kept. */

export interface DraftItem {
  contact_id: string;
  name: string;
  title: string;
  company: string;
  hold_id: string | null;
}
export interface DraftOutcome {
  contact_id: string;
  hold_id: string | null;
  draft: { subject: string; body: string; written_by: 'model' | 'template' } | null;
  micros: number | null;
  reason: string | null;
  again: boolean;
}
export type DraftTurn = { items: DraftItem[]; activity: string; role: string } | { stop: Stop | 'cap' };

/**
 * One turn of a drafting lane: stores the drafts it brings with what they cost, then hands out the next contacts: captured,
 * without a draft, and not on the suppression list by any of their identities. With a model each is held for at most
 * `draftMax` micro-USD first; when the cap is reached the lane stops and the run says so.
 */
export const draftTick = (
  pool: Pool,
  workspace: string,
  runId: string,
  planVersion: number,
  lane: Lane,
  outcomes: DraftOutcome[],
  options: { draftMax: number; lot: number; suppressionKey: string },
): Promise<DraftTurn> =>
  withRun(pool, workspace, runId, async (run) => {
    await storeDrafts(run, outcomes);
    const stop = stopReason(run, 's5', planVersion);
    if (stop) return { stop };
    for (;;) {
      const rows = await run.tx.q<{
        id: string;
        name: string | null;
        title: string | null;
        company: string | null;
        person_id: string;
        email: string | null;
        rfc: string | null;
        domain: string | null;
      }>(
        `select c.id, c.name, c.title, a.name as company, c.person_id, c.email, a.rfc, a.domain from contacts c join accounts a on a.run_id = c.run_id and a.position = c.position
         where c.run_id = $1 and c.state = 'captured' and c.draft is null and c.reason is null and (c.lane_id is null or (c.lane_id = $2 and c.lane_attempt < $3)
           or (c.updated_at < now() - interval '2 seconds' and not exists (select 1 from lanes l where l.id = c.lane_id and l.beat_at > now() - interval '2 seconds')))
         order by c.rank limit $4`,
        [run.id, lane.id, lane.attempt, options.lot],
      );
      if (rows.length === 0) return { stop: 'empty' };
      const left = await withoutSuppressed(run, rows, options.suppressionKey);
      if (left.length === 0) continue;
      const holds = await holdDrafts(
        run,
        left.map((r) => r.id),
        options.draftMax,
      );
      if (holds === null) return { stop: 'cap' };
      await run.tx.q(`update contacts set lane_id = $2, lane_attempt = $3, updated_at = now() where id = any($1)`, [
        left.map((r) => r.id),
        lane.id,
        lane.attempt,
      ]);
      return {
        items: left.map((r, i) => ({
          contact_id: r.id,
          name: r.name ?? '',
          title: r.title ?? '',
          company: r.company ?? '',
          hold_id: holds[i] ?? null,
        })),
        activity: run.row.criteria.giro,
        role: run.row.criteria.cargo,
      };
    }
  });

export interface Reached {
  id: string;
  person_id: string;
  email: string | null;
  rfc: string | null;
  domain: string | null;
}
/**
 * Sets apart the contacts that are on the list by any of their identities: paid, never drafted, said in the receipt. One whose draft was
 * stored already is no longer counted as drafted. @returns the others.
 */
export const withoutSuppressed = async <C extends Reached>(run: LockedRun, contacts: C[], suppressionKey: string): Promise<C[]> => {
  const listed = await suppressedAmong(
    run.tx,
    run.workspace,
    suppressionKey,
    contacts.map((c): Identity[] => [
      { kind: 'person', value: c.person_id },
      { kind: 'rfc', value: c.rfc ?? '' },
      { kind: 'domain', value: c.domain ?? '' },
      ...emailIdentities(c.email),
    ]),
  );
  const out = contacts.filter((_, i) => listed[i]).map((c) => c.id);
  if (out.length > 0) {
    const [was] = await run.tx.q<{ drafted: number }>(
      `select count(*)::int as drafted from contacts where id = any($1) and state = 'drafted'`,
      [out],
    );
    await run.tx.q(
      `update contacts set state = 'suppressed', reason = '{"code":"email_suppressed","params":{}}', sequence_id = null, draft_id = null, stored_draft_id = null, updated_at = now() where id = any($1)`,
      [out],
    );
    const drafted = run.body.contacts.drafted - (was?.drafted ?? 0);
    run.emit('contact.suppressed', { n: out.length }, was?.drafted ? { contacts: { ...run.body.contacts, drafted } } : {});
  }
  return contacts.filter((_, i) => !listed[i]);
};

const holdDrafts = async (run: LockedRun, contacts: string[], draftMax: number): Promise<string[] | null> => {
  if (draftMax === 0) return [];
  const { inference } = run.body.budget;
  // An attempt that died held for these already: its hold goes on, so that a crash does not use the cap up.
  const old = new Map(
    (
      await run.tx.q<{ id: string; item: string }>(
        `select id, item from holds where run_id = $1 and kind = 'inference' and state = 'live' and item = any($2)`,
        [run.id, contacts],
      )
    ).map((h) => [h.item, h.id]),
  );
  const fresh = contacts.filter((c) => !old.has(c));
  const need = fresh.length * draftMax;
  if (inference.cap_micros !== null && (inference.used_micros ?? 0) + inference.held_micros + need > inference.cap_micros) return null;
  const [start] = await run.tx.q<{ id: string }>(
    `select id from decisions where run_id = $1 and kind = 'ajustar_presupuesto' and state = 'approved' limit 1`,
    [run.id],
  );
  try {
    const ids = await hold(
      run.tx,
      run.workspace,
      'inference',
      run.id,
      start?.id ?? '',
      fresh.map((c) => ({ amount: draftMax, step: 's5', item: c })),
    );
    if (need > 0) run.emit('drafts.held', { n: fresh.length }, { ...run.budget({ inference: [need, 0] }) });
    const taken = new Map([...old, ...fresh.map((c, i): [string, string] => [c, ids[i] ?? ''])]);
    return contacts.map((c) => taken.get(c) ?? '');
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
};

const storeDrafts = async (run: LockedRun, outcomes: DraftOutcome[]): Promise<void> => {
  if (outcomes.length === 0) return;
  await run.tx.q(
    `update contacts c set subject = x.subject, draft = x.body, written_by = x.written_by, draft_micros = coalesce(c.draft_micros, 0) + coalesce(x.micros, 0), lane_id = null,
       reason = case when x.code is null then c.reason else jsonb_build_object('code', x.code, 'params', '{}'::jsonb) end, updated_at = now()
     from jsonb_to_recordset($1::jsonb) as x (id text, subject text, body text, written_by text, micros bigint, code text) where c.id = x.id and c.state = 'captured' and c.draft is null`,
    [
      JSON.stringify(
        outcomes.map((o) => ({
          id: o.contact_id,
          subject: o.draft?.subject ?? null,
          body: o.draft?.body ?? null,
          written_by: o.draft?.written_by ?? null,
          micros: o.micros,
          code: o.draft || o.again ? null : (o.reason ?? 'draft_failed'),
        })),
      ),
    ],
  );
  const paid = outcomes.filter((o): o is DraftOutcome & { hold_id: string } => o.hold_id !== null);
  const held = new Map(
    (await run.tx.q<{ id: string; amount: number }>(`select id, amount from holds where id = any($1)`, [paid.map((o) => o.hold_id)])).map(
      (h) => [h.id, h.amount],
    ),
  );
  // A call that cost more than its most (of a server that goes over the limit it was sent) is captured for what was held.
  const captured = sums(
    await capture(
      run.tx,
      paid.filter((o) => (o.micros ?? 0) > 0).map((o) => ({ id: o.hold_id, amount: Math.min(o.micros ?? 0, held.get(o.hold_id) ?? 0) })),
    ),
  ).inference;
  const freed = sums(
    await voidHolds(
      run.tx,
      paid.filter((o) => (o.micros ?? 0) === 0).map((o) => o.hold_id),
      'draft_free',
    ),
  ).inference;
  const written =
    (await run.tx.q<{ n: number }>(`select count(*)::int as n from contacts where run_id = $1 and draft is not null`, [run.id]))[0]?.n ?? 0;
  const s5 = run.paso('s5');
  const unknown = outcomes.some((o) => o.micros === null);
  run.emit(
    'drafts.written',
    { n: outcomes.filter((o) => o.draft).length },
    {
      ...run.budget({ inference: [-(captured.amount + freed.amount), unknown ? null : captured.captured] }),
      ...(s5
        ? {
            pasos: [
              {
                id: 's5',
                conteo: { done: written, total: run.body.contacts.captured, unit: 'draft' },
                cost: { ...s5.cost, spent: s5.cost.spent + captured.captured },
              },
            ],
          }
        : {}),
    },
  );
};
