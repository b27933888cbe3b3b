import type { RevealedContact } from '../contracts/tools/people.js';
import type { z } from 'zod';
import type { Caller } from '../contracts/api.js';
import { confirmEffect, voidEffect } from './reveal/settle.js';
import { auditRow, withRun, type LockedRun } from './events.js';
import { read, type Pool } from './client.js';
import { suppressedAmong } from './suppressions.js';

export interface OpenEffect {
  id: string;
  run_id: string;
  workspace_id: string;
  contact_id: string;
  person_id: string;
  key: string;
  sent_at: string;
  reads: Array<{ at: string; said: 'no' | 'error' }>;
  resent_at: string | null;
  needs_operator: boolean;
  honours_keys: boolean;
  quote_id: string | null;
  price: number;
  next_read_at: string | null;
  state: string;
}

const SELECT = `select e.id, e.run_id, e.workspace_id, e.contact_id, e.subject as person_id, e.key, e.sent_at, e.reads, e.resent_at, e.needs_operator, e.next_read_at, e.state,
    w.honours_keys, c.quote_id, c.price from effects e join contacts c on c.id = e.contact_id join workspaces w on w.id = e.workspace_id
  where e.kind = 'people_reveal'`;

/** Reveals of a run whose outcome nobody knows yet. */
export const unconfirmedOf = (pool: Pool, run: string): Promise<OpenEffect[]> =>
  read(pool).q<OpenEffect>(`${SELECT} and e.run_id = $1 and e.state = 'unconfirmed' order by e.sent_at`, [run]);

/** Unknown outcomes of runs that are over, due for a reading: maintenance goes on where the run's workflow no longer can. */
export const unconfirmedOfFinalRuns = (pool: Pool, limit: number): Promise<OpenEffect[]> =>
  read(pool).q<OpenEffect>(
    `${SELECT} and e.state = 'unconfirmed' and not e.needs_operator and e.next_read_at <= now() and exists (select 1 from runs r where r.id = e.run_id and r.ended_at is not null) order by e.next_read_at limit $1`,
    [limit],
  );

export type Reading =
  | { said: 'yes'; contact: z.infer<typeof RevealedContact>; by: 'read_back' | 'resend' }
  | { said: 'no' }
  | { said: 'error' }
  | { said: 'refused'; by: 'resend' };

/** Moments after the first doubt at which the provider is read, ms. Three at least, over a quarter of an hour. */
export const parseSchedule = (text: string): number[] => text.split(',').map(Number).filter(Number.isFinite);

/**
 * Writes what a reading said. Yes captures. No counts only after three of them spread over the schedule; then the hold goes back
 * and the contact is offered anew under a new key. When the schedule is over without an answer it waits for an operator.
 * @param now the moment of the reading, ms; virtual where the workflow's clock is.
 */
export const recordReading = (
  pool: Pool,
  effect: OpenEffect,
  reading: Reading,
  schedule: number[],
  now: number,
  suppressionKey: string,
): Promise<void> =>
  withRun(pool, effect.workspace_id, effect.run_id, async (run) => {
    if (reading.said === 'yes') return confirmEffect(run, effect.id, reading.contact, reading.by, suppressionKey);
    const offerAnew = run.final
      ? { state: 'voided' as const, reason: { code: 'reveal_failed', params: {} } }
      : { state: 'quoted' as const, reason: null };
    if (reading.said === 'refused') return voidEffect(run, effect.id, reading.by, offerAnew);
    const reads = [...effect.reads, { at: new Date(now).toISOString(), said: reading.said }];
    const nos = reads.filter((r) => r.said === 'no');
    const [first, last] = [nos[0], nos.at(-1)];
    const span = (schedule.at(-1) ?? 0) - (schedule[0] ?? 0);
    if (nos.length >= 3 && first && last && Date.parse(last.at) - Date.parse(first.at) >= span) {
      await run.tx.q(`update effects set reads = $2 where id = $1 and state = 'unconfirmed'`, [effect.id, JSON.stringify(reads)]);
      return voidEffect(run, effect.id, 'read_back_no', offerAnew);
    }
    const start = Date.parse(reads[0]?.at ?? new Date(now).toISOString()) - (schedule[0] ?? 0);
    const next = schedule[reads.length];
    // Past the schedule only missing "no"s are worth more readings; errors to the end mean that nobody can tell but a person.
    const over = next === undefined && !(nos.length > 0 && reads.length < 2 * schedule.length);
    await run.tx.q(
      `update effects set reads = $2, next_read_at = $3, needs_operator = $4, updated_at = now() where id = $1 and state = 'unconfirmed'`,
      [effect.id, JSON.stringify(reads), over ? null : new Date(next === undefined ? now + span / 2 : start + next).toISOString(), over],
    );
    if (over)
      run.emit(
        'contact.needs_operator',
        { effect_id: effect.id },
        { pasos: [{ id: 's4', reason: { code: 'needs_operator', params: { n: 1 } } }] },
      );
  });

/**
 * The one re-send that serves as read-back may go out: marks it before it does. It buys what the first call did not, so it is only
 * for a run that goes on under the plan it was approved in, and for somebody who may still be revealed; otherwise reading has to do.
 * @returns false when it may not go, or already went.
 */
export const claimResend = (pool: Pool, effect: OpenEffect, suppressionKey: string): Promise<boolean> =>
  withRun(pool, effect.workspace_id, effect.run_id, async (run) => {
    if (run.final || run.row.control !== 'run') return false;
    const [who] = await run.tx.q<{ rfc: string | null; domain: string | null }>(
      `select a.rfc, a.domain from effects e join contacts c on c.id = e.contact_id join accounts a on a.run_id = c.run_id and a.position = c.position where e.id = $1 and e.plan_version = $2`,
      [effect.id, run.row.plan_version],
    );
    if (!who) return false;
    const [listed] = await suppressedAmong(run.tx, run.workspace, suppressionKey, [
      [
        { kind: 'person', value: effect.person_id },
        { kind: 'rfc', value: who.rfc ?? '' },
        { kind: 'domain', value: who.domain ?? '' },
      ],
    ]);
    if (listed) return false;
    return (
      (
        await run.tx.q(
          `update effects set resent_at = now(), updated_at = now() where id = $1 and state = 'unconfirmed' and resent_at is null returning id`,
          [effect.id],
        )
      ).length > 0
    );
  });

/** An operator who looked at the provider says what happened; audited with the reason. In the caller's transaction. */
export const settleByOperator = async (
  run: LockedRun,
  caller: Caller,
  reason: string,
  effectId: string,
  contact: z.infer<typeof RevealedContact> | null,
  suppressionKey: string,
): Promise<void> => {
  if (contact) await confirmEffect(run, effectId, contact, `operator:${caller.sub}`, suppressionKey);
  else await voidEffect(run, effectId, `operator:${caller.sub}`, { state: 'voided', reason: { code: 'reveal_failed', params: {} } });
  await auditRow(run.tx, {
    workspace: run.workspace,
    run: run.id,
    actor: caller.sub,
    channel: caller.channel,
    action: 'ops.settle-unconfirmed',
    reason,
    detail: { effect_id: effectId, outcome: contact ? 'captured' : 'voided' },
  });
};
