import type { Skill } from '../types.js';

export const SCOPES = ['account', 'profile', 'thread', 'turn'] as const;
export type Scope = (typeof SCOPES)[number];
export const SKILL_STATES = ['always', 'available', 'never'] as const;
/** `always`: its body is in every turn. `available`: it can be opened. `never`: it does not exist here. */
export type SkillState = (typeof SKILL_STATES)[number];

export interface StateRow {
  scope: Scope;
  scope_id: string;
  skill: string;
  state: SkillState;
}
export interface ResolvedState {
  state: SkillState;
  from: Scope | 'default';
  denied: boolean;
}

/**
 * Hard deny > explicit enable > default. A deny in any scope holds: nothing narrower lifts it. Otherwise the narrowest
 * word counts. `rows` are those of the scopes that apply (db/skills.ts reads no others).
 */
export const resolveState = (skill: string, rows: readonly StateRow[]): ResolvedState => {
  const own = SCOPES.flatMap((scope) => rows.filter((row) => row.skill === skill && row.scope === scope));
  const deny = own.find((row) => row.state === 'never');
  if (deny) return { state: 'never', from: deny.scope, denied: true };
  const narrowest = own.at(-1);
  return narrowest
    ? { state: narrowest.state, from: narrowest.scope, denied: false }
    : { state: 'available', from: 'default', denied: false };
};

/** Who asks, and what the account has. */
export interface Access {
  /** Ids of the scopes that apply; without an account nothing is shown. */
  scopes: Partial<Record<Scope, string>>;
  rows: readonly StateRow[];
  /** Connections that work now, e.g. `buzon`; null: not asked, so none is missing. */
  integrations: ReadonlySet<string> | null;
  /** What the account may do; null: everything. */
  capabilities: ReadonlySet<string> | null;
}

export type Hidden =
  | { code: 'skill_denied'; params: { skill: string; scope: Scope } }
  | { code: 'skill_needs_integration' | 'skill_needs_capability'; params: { skill: string; missing: string } }
  | { code: 'skill_no_scope'; params: { skill: string } };
export interface Visible {
  state: 'always' | 'available';
  hidden: null;
}
export type Visibility = Visible | { state: 'never'; hidden: Hidden };

/** Whether a skill is there for whoever asks, and if not, why: the one place where every path asks. */
export const visibility = (skill: Pick<Skill, 'name' | 'integrations' | 'capabilities' | 'trust'>, access: Access): Visibility => {
  const no = (hidden: Hidden): Visibility => ({ state: 'never', hidden });
  if (!access.scopes.account) return no({ code: 'skill_no_scope', params: { skill: skill.name } });
  // A row of a scope that has no id here is nobody's.
  const rows = access.rows.filter((row) => access.scopes[row.scope] === row.scope_id && row.scope_id !== '');
  const { state, from } = resolveState(skill.name, rows);
  if (state === 'never') return no({ code: 'skill_denied', params: { skill: skill.name, scope: from as Scope } });
  const missing = access.integrations && skill.integrations.find((name) => !access.integrations?.has(name));
  if (missing) return no({ code: 'skill_needs_integration', params: { skill: skill.name, missing } });
  const lacking = access.capabilities && skill.capabilities.find((name) => !access.capabilities?.has(name));
  if (lacking) return no({ code: 'skill_needs_capability', params: { skill: skill.name, missing: lacking } });
  // Somebody else's skill is never in every prompt, whatever a row says.
  return { state: state === 'always' && skill.trust === 'tercero' ? 'available' : state, hidden: null };
};
