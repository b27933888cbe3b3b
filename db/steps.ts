import type { StepId } from '../contracts/states.js';
import type { DecisionRow } from './decisions/decision.js';
import type { LockedRun } from './events.js';

/** What steps ask of their rows. All inside the transaction that holds the run. */

export const stepTimes = async (run: LockedRun, step: StepId): Promise<{ begun: boolean; ended: boolean }> => {
  const [row] = await run.tx.q<{ begun_at: string | null; ended_at: string | null }>(
    `select begun_at, ended_at from run_steps where run_id = $1 and step = $2`,
    [run.id, step],
  );
  return { begun: Boolean(row?.begun_at), ended: Boolean(row?.ended_at) };
};
export const markBegun = async (run: LockedRun, step: StepId): Promise<void> => {
  await run.tx.q(
    `insert into run_steps (run_id, step, begun_at) values ($1, $2, now()) on conflict (run_id, step) do update set begun_at = coalesce(run_steps.begun_at, now())`,
    [run.id, step],
  );
};
export const markEnded = async (run: LockedRun, step: StepId): Promise<void> => {
  await run.tx.q(
    `insert into run_steps (run_id, step, begun_at, ended_at) values ($1, $2, now(), now()) on conflict (run_id, step) do update set ended_at = now()`,
    [run.id, step],
  );
};

/** The newest decision of a step. */
export const latestDecision = async (run: LockedRun, step: StepId): Promise<DecisionRow | null> =>
  (
    await run.tx.q<DecisionRow>(`select * from decisions where run_id = $1 and step = $2 order by created_at desc, id desc limit 1`, [
      run.id,
      step,
    ])
  )[0] ?? null;

/** What the reveal step keeps for itself: whether prices must be asked again, and for how many persons they were asked. */
export interface RevealMemory {
  requote?: boolean;
  quoted_for?: number | null;
}
export const revealMemory = async (run: LockedRun): Promise<RevealMemory> =>
  (await run.tx.q<{ memory: RevealMemory }>(`select memory from run_steps where run_id = $1 and step = 's4'`, [run.id]))[0]?.memory ?? {};
export const remember = async (run: LockedRun, memory: RevealMemory): Promise<void> => {
  await run.tx.q(`update run_steps set memory = memory || $2::jsonb where run_id = $1 and step = 's4'`, [run.id, JSON.stringify(memory)]);
};

/** How many calls a workspace may have in flight at once. */
export const concurrency = async (run: LockedRun): Promise<number> =>
  (await run.tx.q<{ concurrency: number }>(`select concurrency from workspaces where id = $1`, [run.workspace]))[0]?.concurrency ?? 10;

export const contactsByState = async (run: LockedRun): Promise<Map<string, number>> =>
  new Map(
    (
      await run.tx.q<{ state: string; n: number }>(`select state, count(*)::int as n from contacts where run_id = $1 group by state`, [
        run.id,
      ])
    ).map((r) => [r.state, r.n]),
  );

/** The unknown reveal that is due to be read first; those that wait for an operator are not due. */
export const nextReading = async (run: LockedRun): Promise<{ id: string; next_read_at: string } | null> =>
  (
    await run.tx.q<{ id: string; next_read_at: string }>(
      `select id, next_read_at from effects where run_id = $1 and kind = 'people_reveal' and state = 'unconfirmed' and not needs_operator and next_read_at is not null order by next_read_at limit 1`,
      [run.id],
    )
  )[0] ?? null;

export const draftsLeft = async (run: LockedRun): Promise<{ unwritten: number; unsent: number; failed: number }> =>
  (
    await run.tx.q<{ unwritten: number; unsent: number; failed: number }>(
      `select count(*) filter (where draft is null and reason is null)::int as unwritten, count(*) filter (where draft is not null and draft_id is null)::int as unsent,
       count(*) filter (where reason is not null)::int as failed from contacts where run_id = $1 and state = 'captured'`,
      [run.id],
    )
  )[0] ?? { unwritten: 0, unsent: 0, failed: 0 };
