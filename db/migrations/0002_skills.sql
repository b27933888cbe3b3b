-- What people say about skills, in four scopes: a row says always, available or never; no row says nothing. How the rows of several
-- scopes add up is ada/library/choose/states.ts.
create table skill_states (
  workspace_id text not null references workspaces (id),
  scope text not null check (scope in ('account', 'profile', 'thread', 'turn')),
  -- The account's own is the workspace; there is no row without an id.
  scope_id text not null check (scope_id <> '' and (scope <> 'account' or scope_id = workspace_id)),
  skill text not null,
  state text not null check (state in ('always', 'available', 'never')),
  reason text,
  set_by text not null,
  set_at timestamptz not null default now(),
  primary key (workspace_id, scope, scope_id, skill)
);
create index skill_states_turns on skill_states (set_at) where scope = 'turn';

-- How often a skill's text was opened, its steps followed, its result kept, and how often it stayed closed although the router was
-- sure. Per version, so that a change can be seen to have helped. Never deleted. In "C", so that every process sorts rows alike.
create table skill_usage (
  workspace_id text not null,
  skill text collate "C" not null,
  version text collate "C" not null,
  viewed bigint not null default 0 check (viewed >= 0),
  used bigint not null default 0 check (used >= 0),
  helped bigint not null default 0 check (helped >= 0),
  omitted bigint not null default 0 check (omitted >= 0),
  first_at timestamptz not null default now(),
  -- Null while it has only been omitted.
  last_at timestamptz,
  primary key (workspace_id, skill, version)
) with (fillfactor = 70);

-- Skills that were open in the same turn.
create table skill_couse (
  workspace_id text not null,
  a text collate "C" not null,
  b text collate "C" not null,
  times bigint not null default 0 check (times >= 0),
  primary key (workspace_id, a, b),
  check (a < b)
) with (fillfactor = 70);

-- Connections that work and what the account may do; null: nobody has said, so nothing is missing.
alter table workspaces add column integrations text[], add column capabilities text[];
