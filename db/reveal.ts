import type { Reason } from '../contracts/progress.js';
import type { RevealedContact } from '../contracts/tools/people.js';
import type { z } from 'zod';
import { LEASE_MS, pauseProvider, takeRate, type Lane } from './lanes.js';
import { capture, release, sums, voidHolds } from './ledger.js';
import { blockRun, stopReason, WAITS, type Stop } from './people.js';
import { emailIdentities, suppressedAmong } from './suppressions.js';
import { newId } from './ids.js';
import { withRun, type LockedRun } from './events.js';
import { one, type Pool, type Tx } from './client.js';

type Revealed = z.infer<typeof RevealedContact>;
export interface RevealItem {
  contact_id: string;
  effect_id: string | null;
  person_id: string;
  quote_id: string;
  max_credits: number;
  key: string;
}
/** What became of one reveal. `unknown` is the honest answer when nobody knows; it is never sent again. */
export type RevealOutcome =
  | { contact_id: string; effect_id: string; got: 'revealed'; contact: Revealed }
  | {
      contact_id: string;
      effect_id: string;
      got: 'refused';
      reason: Reason;
      again: 'requote' | 'balance' | 'later' | 'blocked' | 'never';
      waitMs: number;
    }
  | { contact_id: string; effect_id: string; got: 'unknown'; code: string }
  | { contact_id: string; effect_id: null; got: 'yours'; contact: Revealed }
  | { contact_id: string; effect_id: null; got: 'not_yours'; reason: Reason };
export type RevealTurn = { item: RevealItem } | { waitMs: number } | { stop: Stop };

/**
 * One turn of a reveal lane: commits the outcome it brings (the reply and its capture are one transaction), then claims the next
 * contact and commits its effect row as `sent` before the call is made. Everything that makes a paid call lawful is checked
 * in that same transaction: the hold is live, the decision approved, the plan version current, the person not suppressed.
 */
export const revealTick = (
  pool: Pool,
  workspace: string,
  runId: string,
  planVersion: number,
  lane: Lane,
  outcome: RevealOutcome | null,
  suppressionKey: string,
): Promise<RevealTurn> =>
  withRun(pool, workspace, runId, async (run) => {
    if (outcome) await settleOutcome(run, lane, outcome, suppressionKey);
    // Looked at when a lane comes and when it finds nothing more: in between, another lane's death changes nothing for this one.
    if (!outcome) await giveUpOnDeadLanes(run, lane);
    for (let looked = !outcome; ;) {
      const stop = stopReason(run, 's4', planVersion);
      if (stop) return { stop };
      const rate = await takeRate(run.tx, workspace, run.row.prices?.provider ?? 'mcp', 1);
      if (rate.allowed === 0) return { waitMs: rate.waitMs };
      const [next] = await run.tx.q<{
        id: string;
        person_id: string;
        price: number;
        quote_id: string | null;
        hold_id: string | null;
        decision_id: string;
        generation: number;
        already_yours: boolean;
        rfc: string | null;
        domain: string | null;
        live: boolean;
        approved: boolean;
      }>(
        `with head as (select c.id, c.person_id, c.price, c.rank, c.quote_id, c.hold_id, c.decision_id, c.generation, c.already_yours, a.rfc, a.domain,
           c.hold_id is null or coalesce((select h.state = 'live' and h.amount >= c.price from holds h where h.id = c.hold_id), false) as live,
           exists (select 1 from decisions d where d.id = c.decision_id and d.state = 'approved' and d.plan_version = $2) as approved
         from contacts c join accounts a on a.run_id = c.run_id and a.position = c.position
         where c.run_id = $1 and c.state = 'held' and c.lane_id is null order by c.rank limit ${AHEAD})
         select * from head where not exists (select 1 from effects e where e.workspace_id = $3 and e.provider = $4 and e.kind = 'people_reveal' and e.subject = head.person_id and e.state = 'sent'
           and e.sent_at > now() - make_interval(secs => $5::double precision / 1000)) order by rank limit 1`,
        [run.id, planVersion, workspace, run.row.prices?.provider ?? 'mcp', ELSEWHERE_MS],
      );
      if (!next && !looked) {
        await giveUpOnDeadLanes(run, lane);
        looked = true;
        continue;
      }
      if (!next) {
        // All that is left are persons that another campaign is revealing at this moment.
        const [left] = await run.tx.q(`select 1 as x from contacts where run_id = $1 and state = 'held' and lane_id is null limit 1`, [
          run.id,
        ]);
        return left ? { waitMs: ELSEWHERE_POLL_MS } : { stop: 'empty' };
      }
      const [listed] = await suppressedAmong(run.tx, workspace, suppressionKey, [
        [
          { kind: 'person', value: next.person_id },
          { kind: 'rfc', value: next.rfc ?? '' },
          { kind: 'domain', value: next.domain ?? '' },
        ],
      ]);
      if (listed) {
        await letGo(run, next, 'suppressed', { code: 'suppressed', params: {} });
        continue;
      }
      if (!next.live || !next.approved) {
        await letGo(run, next, 'voided', { code: next.approved ? 'balance_lost' : 'not_approved', params: {} });
        continue;
      }
      if (next.already_yours) {
        if (await copyOwn(run, next)) continue;
        await run.tx.q(`update contacts set lane_id = $2, lane_attempt = $3, updated_at = now() where id = $1`, [
          next.id,
          lane.id,
          lane.attempt,
        ]);
        return { item: { contact_id: next.id, effect_id: null, person_id: next.person_id, quote_id: '', max_credits: 0, key: '' } };
      }
      if (next.hold_id === null) {
        await letGo(run, next, 'voided', { code: 'not_approved', params: {} });
        continue;
      }
      const effectId = newId('eff');
      const key = `reveal:${next.id}:${next.generation}`;
      const inserted = await run.tx.q(
        `insert into effects (id, workspace_id, provider, kind, subject, key, run_id, step, contact_id, hold_id, decision_id, plan_version, state, lane_id, lane_attempt, sent_at)
         values ($1, $2, $3, 'people_reveal', $4, $5, $6, 's4', $7, $8, $9, $10, 'sent', $11, $12, clock_timestamp()) on conflict do nothing returning id`,
        [
          effectId,
          workspace,
          run.row.prices?.provider ?? 'mcp',
          next.person_id,
          key,
          run.id,
          next.id,
          next.hold_id,
          next.decision_id,
          planVersion,
          lane.id,
          lane.attempt,
        ],
      );
      if (inserted.length === 0) {
        if ((await elsewhere(run, next, run.row.prices?.provider ?? 'mcp')) === 'wait') return { waitMs: ELSEWHERE_POLL_MS };
        continue;
      }
      await run.tx.q(`update contacts set state = 'sent', lane_id = $2, lane_attempt = $3, updated_at = now() where id = $1`, [
        next.id,
        lane.id,
        lane.attempt,
      ]);
      return {
        item: {
          contact_id: next.id,
          effect_id: effectId,
          person_id: next.person_id,
          quote_id: next.quote_id ?? '',
          max_credits: next.price,
          key,
        },
      };
    }
  });

/** A contact leaves the lot without a call: its hold goes back. */
const letGo = async (
  run: LockedRun,
  contact: { id: string; hold_id: string | null },
  state: 'suppressed' | 'voided',
  reason: Reason,
): Promise<void> => {
  await run.tx.q(`update contacts set state = $2, reason = $3, lane_id = null, updated_at = now() where id = $1`, [
    contact.id,
    state,
    JSON.stringify(reason),
  ]);
  const freed = contact.hold_id ? (await release(run.tx, [contact.hold_id], reason.code)).credits : 0;
  run.emit('contact.let_go', { state, code: reason.code }, { ...run.budget({ credits: [-freed, 0] }), pasos: s4Cost(run, -freed, 0) });
};

const s4Cost = (run: LockedRun, held: number, spent: number, done?: number): NonNullable<Parameters<LockedRun['emit']>[2]['pasos']> => {
  const s4 = run.paso('s4');
  return s4
    ? [
        {
          id: 's4',
          cost: { ...s4.cost, held: s4.cost.held + held, spent: s4.cost.spent + spent },
          ...(done === undefined || !s4.conteo ? {} : { conteo: { ...s4.conteo, done } }),
        },
      ]
    : [];
};

/** How long another campaign's call is waited for before its person is let go here, and how often it is looked at, ms. */
const ELSEWHERE_MS = 60_000;
const ELSEWHERE_POLL_MS = 250;
/** Of how many contacts, best first, one that nobody else is revealing is looked for. */
const AHEAD = 40;

/**
 * The same person is being or was revealed by another campaign of the workspace: never paid twice. A call under way is waited
 * for, since what it brings is this campaign's too; one that nobody knows the outcome of is not.
 */
const elsewhere = async (
  run: LockedRun,
  contact: { id: string; person_id: string; hold_id: string | null },
  provider: string,
): Promise<'wait' | 'settled'> => {
  if (await copyOwn(run, contact)) return 'settled';
  const [theirs] = await run.tx.q<{ waits: boolean }>(
    `select state = 'sent' and sent_at > now() - make_interval(secs => $4::double precision / 1000) as waits from effects
     where workspace_id = $1 and provider = $2 and kind = 'people_reveal' and subject = $3 and state in ('claimed', 'sent', 'captured', 'unconfirmed')`,
    [run.workspace, provider, contact.person_id, ELSEWHERE_MS],
  );
  // Let go there in this very moment: it is free to be asked for here.
  if (!theirs || theirs.waits) return 'wait';
  await letGo(run, contact, 'voided', { code: 'in_other_campaign', params: {} });
  return 'settled';
};

/** What the workspace already paid for is copied from where it is; its hold, if it has one, goes back. @returns whether there was such a contact. */
const copyOwn = async (run: LockedRun, contact: { id: string; person_id: string; hold_id: string | null }): Promise<boolean> => {
  const [theirs] = await run.tx.q<{ name: string; email: string; phone: string | null; charge_id: string | null; acquired_at: string }>(
    `select name, email, phone, charge_id, acquired_at from contacts where workspace_id = $1 and person_id = $2 and id <> $3 and ${OWNED} limit 1`,
    [run.workspace, contact.person_id, contact.id],
  );
  if (!theirs) return false;
  const freed = contact.hold_id ? (await release(run.tx, [contact.hold_id], 'already_yours')).credits : 0;
  await run.tx.q(
    `update contacts set state = 'captured', already_yours = true, price = 0, hold_id = null, name = $2, email = $3, phone = $4, charge_id = $5, acquired_at = $6, lane_id = null, reason = null, updated_at = now() where id = $1`,
    [contact.id, theirs.name, theirs.email, theirs.phone, theirs.charge_id, theirs.acquired_at],
  );
  countCaptured(run, 1, { held: -freed, spent: 0 }, 'contact.yours');
  return true;
};
/** Contacts whose data the workspace holds, by whichever of its campaigns. */
const OWNED = `state in ('captured', 'drafted') and email is not null`;

const countCaptured = (run: LockedRun, n: number, cost: { held: number; spent: number }, kind: string, unconfirmed = 0): void => {
  const contacts = {
    ...run.body.contacts,
    captured: run.body.contacts.captured + n,
    unconfirmed: run.body.contacts.unconfirmed + unconfirmed,
  };
  run.emit(
    kind,
    { n },
    {
      contacts,
      ...run.budget({ credits: [cost.held, cost.spent] }),
      pasos: s4Cost(run, cost.held, cost.spent, contacts.captured),
      ...(run.body.reason && WAITS.has(run.body.reason.code) ? { reason: null } : {}),
    },
  );
};

/** Contacts whose lane died after the call may have gone out: nobody knows, so nobody calls. */
const giveUpOnDeadLanes = async (run: LockedRun, lane: Lane): Promise<void> => {
  const dead = await run.tx.q<{ id: string; contact_id: string }>(
    `update effects e set state = 'unconfirmed', next_read_at = now(), updated_at = now()
     where e.run_id = $1 and e.kind = 'people_reveal' and e.state = 'sent' and (
       (e.lane_id = $2 and e.lane_attempt < $3)
       or (e.lane_id <> $2 and not exists (select 1 from lanes l where l.id = e.lane_id and l.beat_at > now() - make_interval(secs => $4::double precision / 1000))
           and e.sent_at < now() - make_interval(secs => $4::double precision / 1000)))
     returning e.id, e.contact_id`,
    [run.id, lane.id, lane.attempt, LEASE_MS],
  );
  await markUnconfirmed(
    run,
    dead.map((d) => d.contact_id),
  );
  // Contacts that were only being read (already yours) are free to be taken again.
  await run.tx.q(
    `update contacts c set lane_id = null where c.run_id = $1 and c.state = 'held' and (
       (c.lane_id = $2 and c.lane_attempt < $3)
       or (c.lane_id <> $2 and not exists (select 1 from lanes l where l.id = c.lane_id and l.beat_at > now() - make_interval(secs => $4::double precision / 1000))
           and c.updated_at < now() - make_interval(secs => $4::double precision / 1000)))`,
    [run.id, lane.id, lane.attempt, LEASE_MS],
  );
};

export const markUnconfirmed = async (run: LockedRun, contactIds: string[]): Promise<void> => {
  if (contactIds.length === 0) return;
  await run.tx.q(
    `update contacts set state = 'unconfirmed', reason = '{"code":"unconfirmed","params":{}}', lane_id = null, updated_at = now() where id = any($1)`,
    [contactIds],
  );
  run.emit(
    'contact.unconfirmed',
    { n: contactIds.length },
    { contacts: { ...run.body.contacts, unconfirmed: run.body.contacts.unconfirmed + contactIds.length } },
  );
};

interface EffectRow {
  id: string;
  state: string;
  hold_id: string | null;
  contact_id: string;
  key: string;
  sent_at: string;
}
const settleOutcome = async (run: LockedRun, lane: Lane, outcome: RevealOutcome, suppressionKey: string): Promise<void> => {
  // No effect row stands behind a contact that is only read: its lease does, and an attempt that lost it changes nothing.
  if (outcome.effect_id === null) {
    const [mine] = await run.tx.q(
      `select 1 as x from contacts where id = $1 and run_id = $2 and state = 'held' and lane_id = $3 and lane_attempt = $4`,
      [outcome.contact_id, run.id, lane.id, lane.attempt],
    );
    if (!mine) return;
  }
  if (outcome.got === 'yours') {
    await storeContact(run.tx, outcome.contact_id, outcome.contact, true);
    return countCaptured(run, 1, { held: 0, spent: 0 }, 'contact.yours');
  }
  if (outcome.got === 'not_yours') return letGo(run, { id: outcome.contact_id, hold_id: null }, 'voided', outcome.reason);
  if (outcome.got === 'revealed') return confirmEffect(run, outcome.effect_id, outcome.contact, 'reply', suppressionKey);
  const [effect] = await run.tx.q<EffectRow>(
    `select id, state, hold_id, contact_id, key, sent_at from effects where id = $1 and run_id = $2 for update`,
    [outcome.effect_id, run.id],
  );
  if (!effect || effect.state !== 'sent') return;
  if (outcome.got === 'unknown') {
    await run.tx.q(`update effects set state = 'unconfirmed', next_read_at = now(), updated_at = now() where id = $1`, [effect.id]);
    return markUnconfirmed(run, [effect.contact_id]);
  }
  if (outcome.again === 'later' || outcome.again === 'blocked') {
    // Not now, but nothing happened: it keeps its hold and its place in the approved lot, and its next call gets a new key.
    await run.tx.q(`update effects set state = 'voided', settled_by = $2, updated_at = now() where id = $1`, [
      effect.id,
      `refused:${outcome.reason.code}`,
    ]);
    await run.tx.q(`update contacts set state = 'held', generation = generation + 1, lane_id = null, updated_at = now() where id = $1`, [
      effect.contact_id,
    ]);
    if (outcome.again === 'later') {
      await pauseProvider(run.tx, run.workspace, run.row.prices?.provider ?? 'mcp', outcome.waitMs);
      run.emit('provider.waiting', { ms: outcome.waitMs }, { reason: outcome.reason });
    } else await blockRun(run, 's4', outcome.reason);
    return;
  }
  // The provider said no: nothing was charged, so the hold goes back.
  await voidEffect(
    run,
    effect.id,
    `refused:${outcome.reason.code}`,
    outcome.again === 'never' ? { state: 'voided', reason: outcome.reason } : { state: 'quoted', reason: null },
  );
  if (outcome.again !== 'never')
    await run.tx.q(`update run_steps set memory = memory || '{"requote":true}' where run_id = $1 and step = 's4'`, [run.id]);
};

const storeContact = async (tx: Tx, id: string, contact: Revealed, yours: boolean): Promise<void> => {
  await tx.q(
    `update contacts set state = 'captured', name = $2, email = $3, phone = $4, title = coalesce($5, title), charge_id = $6, acquired_at = $7, already_yours = $8, reason = null, lane_id = null, updated_at = now() where id = $1`,
    [id, contact.name, contact.email, contact.phone, contact.title, contact.charge_id, contact.acquired_at, yours],
  );
};

/** The reveal happened: captures its hold and stores the contact, from the reply itself or from a later reading. Once. */
export const confirmEffect = async (
  run: LockedRun,
  effectId: string,
  contact: Revealed,
  by: string,
  suppressionKey: string,
): Promise<void> => {
  const [effect] = await run.tx.q<EffectRow>(
    `select id, state, hold_id, contact_id, key, sent_at from effects where id = $1 and run_id = $2 for update`,
    [effectId, run.id],
  );
  if (!effect || (effect.state !== 'sent' && effect.state !== 'unconfirmed')) return;
  await run.tx.q(
    `update effects set state = 'captured', charge_id = $2, settled_by = $3, next_read_at = null, needs_operator = false, updated_at = now() where id = $1`,
    [effect.id, contact.charge_id, by],
  );
  const settled = effect.hold_id
    ? await captureUpTo(run.tx, effect.hold_id, contact.credits, contact.charge_id)
    : { amount: 0, captured: 0 };
  await storeContact(run.tx, effect.contact_id, contact, false);
  countCaptured(run, 1, { held: -settled.amount, spent: settled.captured }, 'contact.captured', effect.state === 'unconfirmed' ? -1 : 0);
  const [listed] = await suppressedAmong(run.tx, run.workspace, suppressionKey, [emailIdentities(contact.email)]);
  // Paid, never drafted, said in the receipt.
  if (listed)
    await run.tx.q(`update contacts set state = 'suppressed', reason = '{"code":"email_suppressed","params":{}}' where id = $1`, [
      effect.contact_id,
    ]);
};

/** A provider that charges more than was agreed is captured for what was agreed; the difference shows up as drift and is said there. */
const captureUpTo = async (tx: Tx, hold: string, credits: number, ref: string): Promise<{ amount: number; captured: number }> => {
  const [row] = await tx.q<{ amount: number }>(`select amount from holds where id = $1`, [hold]);
  return sums(await capture(tx, [{ id: hold, amount: Math.min(credits, row?.amount ?? 0), ref }])).credits;
};

/** The reveal did not happen: its hold goes back, and the contact ends or is offered anew under a new key. */
export const voidEffect = async (
  run: LockedRun,
  effectId: string,
  by: string,
  contact: { state: 'voided' | 'quoted'; reason: Reason | null },
): Promise<void> => {
  const [effect] = await run.tx.q<EffectRow>(
    `select id, state, hold_id, contact_id, key, sent_at from effects where id = $1 and run_id = $2 for update`,
    [effectId, run.id],
  );
  if (!effect || (effect.state !== 'sent' && effect.state !== 'unconfirmed')) return;
  await run.tx.q(
    `update effects set state = 'voided', settled_by = $2, next_read_at = null, needs_operator = false, updated_at = now() where id = $1`,
    [effect.id, by],
  );
  const freed = effect.hold_id ? sums(await voidHolds(run.tx, [effect.hold_id], by)).credits.amount : 0;
  await run.tx.q(
    `update contacts set state = $2, reason = $3, hold_id = null, decision_id = null, generation = generation + 1, lane_id = null, updated_at = now() where id = $1`,
    [effect.contact_id, contact.state, contact.reason ? JSON.stringify(contact.reason) : null],
  );
  run.emit(
    'contact.not_revealed',
    { by },
    {
      ...run.budget({ credits: [-freed, 0] }),
      pasos: s4Cost(run, -freed, 0),
      contacts: { ...run.body.contacts, unconfirmed: run.body.contacts.unconfirmed - (effect.state === 'unconfirmed' ? 1 : 0) },
    },
  );
};

/** Makes a contact row for each chosen account that has none yet, best score first; suppressed persons are set apart before any hold. */
export const makeContacts = async (run: LockedRun, suppressionKey: string): Promise<void> => {
  const rows = await run.tx.q<{ position: number; person_id: string; title: string | null; score: number }>(
    `select a.position, a.person_id, a.person_title as title, (a.choice ->> 'score')::int as score from accounts a
     where a.run_id = $1 and a.state = 'chosen' and not exists (select 1 from contacts c where c.run_id = a.run_id and c.position = a.position) order by score desc, a.position`,
    [run.id],
  );
  if (rows.length === 0) return;
  const { n } = one(
    await run.tx.q<{ n: number }>(`select coalesce(max(rank), 0)::int as n from contacts where run_id = $1`, [run.id]),
    'rank',
  );
  const listed = await suppressedAmong(
    run.tx,
    run.workspace,
    suppressionKey,
    rows.map((r) => [{ kind: 'person', value: r.person_id }]),
  );
  // Two accounts may have the same person: one contact, one price and one draft.
  const known = new Set(
    (
      await run.tx.q<{ person_id: string }>(`select person_id from contacts where run_id = $1 and person_id = any($2)`, [
        run.id,
        rows.map((r) => r.person_id),
      ])
    ).map((r) => r.person_id),
  );
  const stateOf = (r: (typeof rows)[number], i: number): { state: 'suppressed' | 'voided' | 'quoted'; reason: Reason | null } => {
    const again = known.has(r.person_id);
    known.add(r.person_id);
    return listed[i]
      ? { state: 'suppressed', reason: { code: 'suppressed', params: {} } }
      : again
        ? { state: 'voided', reason: { code: 'same_person', params: {} } }
        : { state: 'quoted', reason: null };
  };
  await run.tx.q(
    `insert into contacts (id, run_id, position, workspace_id, person_id, title, rank, state, reason, price)
     select x.id, $1, x.position, $2, x.person_id, x.title, x.rank, x.state, x.reason, 0
     from jsonb_to_recordset($3::jsonb) as x (id text, position int, person_id text, title text, rank int, state text, reason jsonb)`,
    [
      run.id,
      run.workspace,
      JSON.stringify(
        rows.map((r, i) => ({
          id: newId('con'),
          position: r.position,
          person_id: r.person_id,
          title: r.title,
          rank: n + i + 1,
          ...stateOf(r, i),
        })),
      ),
    ],
  );
};

/** Sets apart whoever came onto the suppression list while they waited for their card. @returns how many. */
export const suppressQuoted = async (run: LockedRun, suppressionKey: string): Promise<number> => {
  const rows = await run.tx.q<{ id: string; person_id: string; rfc: string | null; domain: string | null }>(
    `select c.id, c.person_id, a.rfc, a.domain from contacts c join accounts a on a.run_id = c.run_id and a.position = c.position where c.run_id = $1 and c.state = 'quoted' and c.reason is null`,
    [run.id],
  );
  const listed = await suppressedAmong(
    run.tx,
    run.workspace,
    suppressionKey,
    rows.map((r) => [
      { kind: 'person', value: r.person_id },
      { kind: 'rfc', value: r.rfc ?? '' },
      { kind: 'domain', value: r.domain ?? '' },
    ]),
  );
  const out = rows.filter((_, i) => listed[i]).map((r) => r.id);
  if (out.length > 0) {
    await run.tx.q(
      `update contacts set state = 'suppressed', reason = '{"code":"suppressed","params":{}}', updated_at = now() where id = any($1)`,
      [out],
    );
    run.emit('contact.suppressed', { n: out.length }, {});
  }
  return out.length;
};

/** Persons that wait for a price. */
export const unquoted = async (run: LockedRun): Promise<string[]> =>
  (
    await run.tx.q<{ person_id: string }>(
      `select person_id from contacts where run_id = $1 and state = 'quoted' and reason is null order by rank`,
      [run.id],
    )
  ).map((r) => r.person_id);

export interface Quote {
  quote_id: string;
  valid_until: string;
  prices: Array<{ person_id: string; credits: number; already_acquired: boolean; available: boolean }>;
}

/**
 * Writes a quote onto the contacts that wait for a reveal. What the workspace or the provider says is already yours costs nothing;
 * one that the provider no longer has is voided, with the reason.
 */
export const applyQuotes = async (tx: Tx, run: string, quote: Quote): Promise<void> => {
  await tx.q(
    `with p as (
       select x.person_id, x.credits, x.available, x.already_acquired or exists (
         select 1 from contacts o join runs r on r.id = $1 where o.workspace_id = r.workspace_id and o.person_id = x.person_id and o.${OWNED.replace(' and email', ' and o.email')}) as yours
       from jsonb_to_recordset($2::jsonb) as x (person_id text, credits int, already_acquired boolean, available boolean))
     update contacts c set price = case when p.yours then 0 else p.credits end, already_yours = p.yours, quote_id = $3, quote_until = $4,
       state = case when p.available or p.yours then 'quoted' else 'voided' end,
       reason = case when p.available or p.yours then null else '{"code":"not_available","params":{}}'::jsonb end, updated_at = now()
     from p where c.run_id = $1 and c.person_id = p.person_id and c.state = 'quoted' and c.reason is null`,
    [run, JSON.stringify(quote.prices), quote.quote_id, quote.valid_until],
  );
};
