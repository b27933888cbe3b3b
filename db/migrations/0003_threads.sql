-- Conversations with Ada. Locks in this order: threads → turns → skill counters → runs.

create table threads (
  id text primary key,
  workspace_id text not null,
  title text,
  profile text,
  created_by text not null,
  stage text not null default 'sin_criterio' check (stage in ('sin_criterio', 'buscando', 'con_seleccion', 'con_lista', 'decision_pendiente')),
  facts jsonb not null default '{}',
  board jsonb not null default '{"selection": [], "list": [], "runs": [], "pending": [], "plan": null}',
  skills jsonb not null default '[]',
  -- What was asked in the last turn.
  asked text,
  declined jsonb not null default '[]',
  -- The last position given to a turn.
  positions int not null default 0,
  created_at timestamptz not null default now(),
  last_turn_at timestamptz,
  unique (workspace_id, id)
) with (fillfactor = 70);

create table turns (
  id text primary key,
  workspace_id text not null,
  thread_id text not null,
  position int not null,
  key text not null,
  message text not null,
  -- Who spoke, and with what rights: any process may run the turn, none with more than these.
  created_by text not null,
  speaker jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'finished', 'refused', 'interrupted')),
  owner text,
  lease_until timestamptz,
  answer jsonb,
  refused jsonb,
  -- micro-USD; null while it is not known, or when any attempt had no price.
  cost_micros bigint,
  queries int not null default 0,
  attempts jsonb not null default '[]',
  -- The last number given to an event.
  seq int not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  foreign key (workspace_id, thread_id) references threads (workspace_id, id),
  unique (thread_id, position),
  unique (thread_id, key),
  check ((state = 'running') = (lease_until is not null)),
  check ((state in ('finished', 'refused', 'interrupted')) = (ended_at is not null)),
  check ((state = 'finished') = (answer is not null)),
  check ((state in ('refused', 'interrupted')) = (refused is not null))
) with (fillfactor = 70);
-- Two turns of a thread never run at once, whatever a process believes.
create unique index turns_running on turns (thread_id) where state = 'running';
create index turns_queued on turns (thread_id, position) where state = 'queued';
create index turns_leases on turns (lease_until) where state = 'running';
create index turns_ended on turns (ended_at) where ended_at is not null;

-- What was said while a turn ran, so that whoever lost the line hears the rest.
create table turn_events (
  turn_id text not null references turns (id),
  seq int not null,
  event jsonb not null,
  at timestamptz not null default now(),
  primary key (turn_id, seq)
);

-- Campaigns that a conversation started or steered: their progress is shown in it. The keys keep both in one workspace.
alter table runs add constraint runs_tenant unique (workspace_id, id);
create table thread_runs (
  workspace_id text not null,
  thread_id text not null,
  run_id text not null,
  at timestamptz not null default now(),
  primary key (thread_id, run_id),
  foreign key (workspace_id, thread_id) references threads (workspace_id, id),
  foreign key (workspace_id, run_id) references runs (workspace_id, id)
);
create index thread_runs_run on thread_runs (run_id);

-- Ada's role: reads what a turn reads, writes what a turn leaves behind, and nothing that spends or answers. A role belongs to the whole
-- cluster, so another database's migration may be making it at this moment.
do $$
begin
  if not exists (select from pg_roles where rolname = 'campana_ada') then
    begin
      create role campana_ada nologin;
    exception
      when duplicate_object or unique_violation then null;
      when insufficient_privilege then
        raise exception 'the role campana_ada is missing and % may not make it. As an administrator, once: create role campana_ada nologin. See docs/running.md.', current_user;
    end;
  end if;
  if exists (select from pg_roles where rolname = 'campana_ada' and (rolsuper or rolcreaterole or rolbypassrls)) then
    raise exception 'the role campana_ada has rights that Ada must not have';
  end if;
  execute format('grant connect on database %I to campana_ada', current_database());
  -- PostgreSQL 14 lets everybody make tables here.
  begin
    revoke create on schema public from public;
  exception when insufficient_privilege then null;
  end;
end $$;

create view ada_balances as select workspace_id, kind, granted, available, held, spent, expired from ledger_accounts;
create view ada_account_counts as select workspace_id, run_id, state, count(*)::int as n from accounts group by 1, 2, 3;

grant usage on schema public to campana_ada;
grant select on runs, run_progress, decisions, workspaces, skill_states, ada_balances, ada_account_counts to campana_ada;
grant select (id, run_id, workspace_id, decision_id, state, created_at) on sequences to campana_ada;
grant select, insert, update on skill_usage, skill_couse to campana_ada;
grant select, insert on threads, turns, turn_events, thread_runs to campana_ada;
-- Neither whose a conversation is nor what was said can be changed.
grant update (title, stage, facts, board, skills, asked, declined, positions, last_turn_at) on threads to campana_ada;
grant update (state, owner, lease_until, answer, refused, cost_micros, queries, attempts, seq, started_at, ended_at) on turns to campana_ada;
