-- What the operators' view and the page of decisions read: lists in the order in which they are shown, counts without a look at every row.

create index runs_newest on runs (workspace_id, id);
create index runs_by_state on runs (workspace_id, state, id) include (created_at);
create index sequences_run on sequences (run_id);

-- What a card costs, credits: what was approved, else what its main button would take (of `approve`, `all` and `fit_n` it has one).
alter table decisions add column amount bigint not null generated always as (coalesce(
  (outcome ->> 'total')::bigint,
  (jsonb_path_query_first(payload, '$.options[*] ? (@.id == "approve" || @.id == "all" || @.id == "fit_n").totals.credits'))::bigint,
  0)) stored;
create index decisions_newest on decisions (workspace_id, id);
create index decisions_by_state on decisions (workspace_id, state, id);
create index decisions_soonest on decisions (workspace_id, coalesce(expires_at, 'infinity'::timestamptz), id) where state = 'open';
create index decisions_dearest on decisions (workspace_id, state, amount, id);

-- `unchanged`: it was so already; `refused`: `detail.code` says why, and nothing happened.
alter table audit add column result text not null default 'done' check (result in ('done', 'unchanged', 'refused'));
create index audit_newest on audit (workspace_id, id);
create index audit_run on audit (run_id, id);
create index audit_operators on audit (workspace_id, id) where action like 'ops.%';
create index audit_first_approval on audit ((detail ->> 'decision_id')) where action = 'first_approval';

-- Two people who edit one draft: the second is told what the first wrote.
alter table contacts add column draft_version int not null default 1, add column edited_by text, add column edited_at timestamptz;

-- When the provider last asked to be left alone, and for how long.
alter table provider_limits add column limited_at timestamptz, add column limited_ms bigint;

-- One row: the last time that runs were compared with their workflows, by whichever process it was.
create table reconciliations (
  one boolean primary key default true check (one),
  last_at timestamptz not null,
  took_ms int not null,
  rounds bigint not null,
  settled bigint not null
);
