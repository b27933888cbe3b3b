import type { Caller } from '../contracts/api.js';
import { Refusal } from '../contracts/problem.js';
import type { SkillScope, SkillState } from '../contracts/skills.js';
import { STEP_SKILL, type Hasta, type StepId } from '../contracts/states.js';
import { planSteps } from '../workflows/progress.js';
import { auditRow, type LockedRun } from './events.js';
import type { Tx } from './client.js';

/** Where a word about a skill holds. The account's id is the workspace's. */
export interface ScopeRef {
  scope: SkillScope;
  scope_id: string;
}
export interface StoredState extends ScopeRef {
  skill: string;
  state: SkillState;
}

/** Says a state; a repeat of the same word changes nothing and is not audited again. */
export const setState = async (
  tx: Tx,
  caller: Caller,
  at: ScopeRef,
  skill: string,
  state: SkillState,
  reason: string | null,
): Promise<{ changed: boolean }> => {
  const before = await stateAt(tx, caller.workspace, at, skill);
  const changed = await tx.q(
    `insert into skill_states (workspace_id, scope, scope_id, skill, state, reason, set_by) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (workspace_id, scope, scope_id, skill) do update set state = excluded.state, reason = excluded.reason, set_by = excluded.set_by, set_at = now()
     where (skill_states.state, skill_states.reason) is distinct from (excluded.state, excluded.reason) returning skill`,
    [caller.workspace, at.scope, at.scope_id, skill, state, reason, caller.sub],
  );
  if (changed.length > 0) await audit(tx, caller, at, skill, before, state, reason);
  return { changed: changed.length > 0 };
};

/** Takes the word of one scope back; the others keep theirs. */
export const clearState = async (
  tx: Tx,
  caller: Caller,
  at: ScopeRef,
  skill: string,
  reason: string | null,
): Promise<{ changed: boolean }> => {
  const gone = await tx.q<{ state: SkillState }>(
    `delete from skill_states where workspace_id = $1 and scope = $2 and scope_id = $3 and skill = $4 returning state`,
    [caller.workspace, at.scope, at.scope_id, skill],
  );
  if (gone[0]) await audit(tx, caller, at, skill, gone[0].state, null, reason);
  return { changed: gone.length > 0 };
};

const stateAt = async (tx: Tx, workspace: string, at: ScopeRef, skill: string): Promise<SkillState | null> =>
  (
    await tx.q<{ state: SkillState }>(
      `select state from skill_states where workspace_id = $1 and scope = $2 and scope_id = $3 and skill = $4 for update`,
      [workspace, at.scope, at.scope_id, skill],
    )
  )[0]?.state ?? null;

const audit = (
  tx: Tx,
  caller: Caller,
  at: ScopeRef,
  skill: string,
  before: SkillState | null,
  after: SkillState | null,
  reason: string | null,
): Promise<void> =>
  auditRow(tx, {
    workspace: caller.workspace,
    actor: caller.sub,
    channel: caller.channel,
    action: 'skill.state',
    reason,
    detail: { skill, scope: at.scope, scope_id: at.scope_id, before, after },
  });

/** The words of every scope that applies, in one statement; a scope without an id has none. */
export const statesFor = (
  tx: Tx,
  where: { workspace: string; profileId?: string | undefined; threadId?: string | undefined; turnId?: string | undefined },
): Promise<StoredState[]> =>
  tx.q<StoredState>(
    `select s.scope, s.scope_id, s.skill, s.state from skill_states s
     join (values ('account', $1::text), ('profile', $2::text), ('thread', $3::text), ('turn', $4::text)) as x (scope, scope_id) on x.scope = s.scope and x.scope_id = s.scope_id
     where s.workspace_id = $1 order by s.skill, s.scope`,
    [where.workspace, where.profileId ?? null, where.threadId ?? null, where.turnId ?? null],
  );

/** What the account has for skills that need it; null: nobody has said. */
export const connectionsOf = async (tx: Tx, workspace: string): Promise<{ integrations: string[] | null; capabilities: string[] | null }> =>
  (
    await tx.q<{ integrations: string[] | null; capabilities: string[] | null }>(
      `select integrations, capabilities from workspaces where id = $1`,
      [workspace],
    )
  )[0] ?? { integrations: null, capabilities: null };

// Campaigns. A step belongs to no thread, so only what the account says counts for them.

/** The skills of a plan: its recipe's and its steps'. */
const skillsOfPlan = (plan: { recipe: string; desde: StepId; hasta: Hasta }): string[] => [
  ...new Set([
    plan.recipe,
    ...planSteps(plan.desde, plan.hasta)
      .filter((s) => s !== 's0')
      .map((s) => STEP_SKILL[s]),
  ]),
];

/** The first of these skills that the account denies, in their order. */
const deniedAmong = async (tx: Tx, workspace: string, skills: string[]): Promise<string | null> => {
  const rows = await tx.q<{ skill: string }>(
    `select skill from skill_states where workspace_id = $1 and scope = 'account' and scope_id = $1 and state = 'never' and skill = any($2)`,
    [workspace, skills],
  );
  const denied = new Set(rows.map((r) => r.skill));
  return skills.find((s) => denied.has(s)) ?? null;
};
const refusal = (skill: string): Refusal => new Refusal(403, 'skill_denied', { skill, scope: 'account' });

/** @throws Refusal 403 `skill_denied` when the plan needs a skill that the account denies, whoever asks. */
export const refuseDeniedPlan = async (tx: Tx, workspace: string, plan: { recipe: string; desde: StepId; hasta: Hasta }): Promise<void> => {
  const skill = await deniedAmong(tx, workspace, skillsOfPlan(plan));
  if (skill) throw refusal(skill);
};

/** The skill that keeps a step from going on, or null. */
export const deniedAtStep = (run: LockedRun, step: StepId): Promise<string | null> =>
  deniedAmong(run.tx, run.workspace, [run.row.recipe, STEP_SKILL[step]]);

/** Why a card may not be approved now: its start needs a denied skill, or its step does. */
export const deniedAnswer = async (run: LockedRun, step: StepId): Promise<Refusal | null> => {
  const skill = await (step === 's0' ? deniedAmong(run.tx, run.workspace, skillsOfPlan(run.row)) : deniedAtStep(run, step));
  return skill ? refusal(skill) : null;
};

/** Runs of the workspace that may be working: whoever denies a skill looks at them. */
export const runsAtWork = async (tx: Tx, workspace: string): Promise<string[]> =>
  (
    await tx.q<{ id: string }>(
      `select id from runs where workspace_id = $1 and ended_at is null and control = 'run' and plan_max is not null order by id`,
      [workspace],
    )
  ).map((r) => r.id);

// Usage.

export interface Counts {
  viewed: number;
  used: number;
  helped: number;
  omitted: number;
}
export interface UsageEntry extends Partial<Counts> {
  skill: string;
  version: string;
}

/**
 * Adds the counters of a turn, in one statement of its own. Rows are taken in one and the same order by everybody, pairs first, so
 * two turns never wait for each other in a circle.
 * @param together names of skills that were open in the same turn
 */
export const addUsage = async (
  tx: Tx,
  workspace: string,
  entries: readonly UsageEntry[],
  together: readonly string[] = [],
): Promise<void> => {
  const names = [...new Set(together)].sort();
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => ({ a, b })));
  if (entries.length === 0 && pairs.length === 0) return;
  await tx.q(
    `with p as (
       insert into skill_couse as c (workspace_id, a, b, times)
       select $1, x.a, x.b, 1 from (select least(a collate "C", b collate "C") as a, greatest(a collate "C", b collate "C") as b from jsonb_to_recordset($3::jsonb) as r (a text, b text)) x order by 2, 3
       on conflict (workspace_id, a, b) do update set times = c.times + excluded.times returning 1)
     insert into skill_usage as u (workspace_id, skill, version, viewed, used, helped, omitted, last_at)
     select $1, x.skill collate "C", x.version collate "C", sum(x.viewed), sum(x.used), sum(x.helped), sum(x.omitted), case when sum(x.viewed + x.used + x.helped) > 0 then now() end
     from jsonb_to_recordset($2::jsonb) as x (skill text, version text, viewed bigint, used bigint, helped bigint, omitted bigint)
     -- Reading the pairs makes them go first.
     where (select count(*) from p) >= 0
     group by 2, 3 order by 2, 3
     on conflict (workspace_id, skill, version) do update set viewed = u.viewed + excluded.viewed, used = u.used + excluded.used, helped = u.helped + excluded.helped,
       omitted = u.omitted + excluded.omitted, last_at = coalesce(excluded.last_at, u.last_at)`,
    [
      workspace,
      JSON.stringify(
        entries.map(({ skill, version, viewed = 0, used = 0, helped = 0, omitted = 0 }) => ({
          skill,
          version,
          viewed,
          used,
          helped,
          omitted,
        })),
      ),
      JSON.stringify(pairs),
    ],
  );
};

export interface UsageRow extends Counts {
  skill: string;
  version: string;
  first_at: string;
  last_at: string | null;
}
/** Totals of a skill over its versions; `last_at` is when it was last opened or used. */
export interface UsageTotals extends Counts {
  skill: string;
  first_at: string;
  last_at: string | null;
  versions: UsageRow[];
}

/** Everything that was counted, by name. What of it is worth a look: `ada/library/usage.ts`. */
export const usageReport = async (tx: Tx, workspace: string): Promise<UsageTotals[]> => {
  const rows = await tx.q<UsageRow>(
    `select skill, version, viewed, used, helped, omitted, first_at, last_at from skill_usage where workspace_id = $1 order by skill, first_at, version`,
    [workspace],
  );
  const totals = new Map<string, UsageTotals>();
  for (const row of rows) {
    const t = totals.get(row.skill) ?? {
      skill: row.skill,
      viewed: 0,
      used: 0,
      helped: 0,
      omitted: 0,
      first_at: row.first_at,
      last_at: null,
      versions: [],
    };
    for (const key of ['viewed', 'used', 'helped', 'omitted'] as const) t[key] += row[key];
    if (row.last_at !== null && (t.last_at === null || row.last_at > t.last_at)) t.last_at = row.last_at;
    t.versions.push(row);
    totals.set(row.skill, t);
  }
  return [...totals.values()];
};

/** Pairs of skills that were open in the same turn, the most frequent first. */
export const usedTogether = (tx: Tx, workspace: string, limit = 50): Promise<Array<{ a: string; b: string; times: number }>> =>
  tx.q(`select a, b, times from skill_couse where workspace_id = $1 order by times desc, a, b limit $2`, [workspace, limit]);
