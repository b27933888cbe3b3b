-- Lock order everywhere: run_progress → decisions → ledger_accounts (by kind) → everything else.

create table workspaces (
  id text primary key,
  provider text not null default 'mcp',
  zone text not null default 'America/Mexico_City',
  language text not null default 'es-MX',
  concurrency int not null default 10 check (concurrency between 1 and 50),
  second_approver_above int,
  -- How many tool calls a second all its runs may make together; null: as many as are in flight.
  calls_per_second int check (calls_per_second > 0),
  topup_url text,
  read_at timestamptz,
  honours_keys boolean not null default false,
  created_at timestamptz not null default now()
);

create table runs (
  id text primary key,
  workspace_id text not null references workspaces (id),
  recipe text not null,
  linked_run_id text,
  objetivo text not null,
  criteria jsonb not null,
  cuentas int not null check (cuentas between 1 and 5000),
  desde text not null,
  hasta text not null,
  given jsonb,
  mode text not null check (mode in ('manual', 'automatico')),
  -- A cap that a person set for this campaign; null means none was set and the start card has to be tapped.
  caps jsonb,
  prices jsonb,
  plan_max jsonb,
  state text not null,
  control text not null default 'run' check (control in ('run', 'pause', 'cancel')),
  control_reason jsonb,
  plan_version int not null default 1,
  workflow_id text not null unique,
  created_by text not null,
  channel text not null,
  undo jsonb,
  plan_b jsonb not null default '[]',
  history_events jsonb,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz
);
create index runs_open on runs (workspace_id, created_at desc);
create index runs_live on runs (created_at) where ended_at is null;

-- What every surface polls: one indexed row per run, equal to the fold of its events.
create table run_progress (
  run_id text primary key references runs (id),
  workspace_id text not null,
  version bigint not null,
  body jsonb not null
) with (fillfactor = 50, toast_tuple_target = 8128);
-- A body is about 2 KB and rewritten with every change: compressing it each time would cost more than the change.
alter table run_progress alter column body set storage main;

create table run_events (
  run_id text not null references runs (id),
  version bigint not null,
  workspace_id text not null,
  kind text not null,
  params jsonb not null,
  patch jsonb not null,
  at timestamptz not null,
  primary key (run_id, version)
);
create index run_events_at on run_events (at);

create table run_steps (
  run_id text not null references runs (id),
  step text not null,
  begun_at timestamptz,
  ended_at timestamptz,
  -- What the step keeps for itself between activities: search pages done, read-back rounds, batches.
  memory jsonb not null default '{}',
  primary key (run_id, step)
);

-- One row per unit of work of a lane group; a lane that stops beating loses its items.
create table lanes (
  id text primary key,
  run_id text not null,
  step text not null,
  attempt int not null,
  beat_at timestamptz not null
);

create table accounts (
  run_id text not null references runs (id),
  position int not null,
  workspace_id text not null,
  state text not null default 'pending',
  reason jsonb,
  company_ref text,
  company_id text,
  name text,
  rfc text,
  domain text,
  person_id text,
  person_title text,
  choice jsonb,
  hold_id text,
  lane_id text,
  lane_attempt int,
  updated_at timestamptz not null default now(),
  primary key (run_id, position)
) with (fillfactor = 70);
create index accounts_claim on accounts (run_id, position) where state in ('pending', 'running');
create unique index accounts_company on accounts (run_id, company_id);

create table contacts (
  id text primary key,
  run_id text not null references runs (id),
  position int not null,
  workspace_id text not null,
  person_id text not null,
  title text,
  rank int not null,
  state text not null,
  reason jsonb,
  price int not null check (price >= 0),
  already_yours boolean not null default false,
  quote_id text,
  quote_until timestamptz,
  generation int not null default 1,
  decision_id text,
  hold_id text,
  name text,
  email text,
  phone text,
  charge_id text,
  acquired_at timestamptz,
  lane_id text,
  lane_attempt int,
  subject text,
  draft text,
  written_by text,
  draft_id text,
  draft_micros bigint,
  sequence_id text,
  updated_at timestamptz not null default now(),
  unique (run_id, position)
) with (fillfactor = 70);
create index contacts_run on contacts (run_id, state);
create index contacts_person on contacts (workspace_id, person_id);

create table decisions (
  id text primary key,
  run_id text not null references runs (id),
  workspace_id text not null,
  step text not null,
  kind text not null,
  target_workflow_id text not null,
  plan_version int not null,
  payload_hash text not null,
  payload jsonb not null,
  items jsonb not null default '[]',
  state text not null default 'open' check (state in ('open', 'approved', 'declined', 'expired', 'superseded')),
  outcome jsonb,
  resolved_by text,
  channel text,
  resolved_at timestamptz,
  superseded_by text,
  reopened_as text,
  expires_at timestamptz,
  undo_until timestamptz,
  created_at timestamptz not null default now()
);
-- At most one open card per run and step.
create unique index decisions_open on decisions (run_id, step) where state = 'open';
create index decisions_ws on decisions (workspace_id, state, created_at desc);
create index decisions_run on decisions (run_id);

create table idempotency_keys (
  workspace_id text not null,
  key text not null,
  route text not null,
  body_hash text not null,
  status int,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (workspace_id, key)
);

create table outbox (
  id bigint generated always as identity primary key,
  workspace_id text not null,
  run_id text not null,
  kind text not null check (kind in ('start', 'signal')),
  workflow_id text not null,
  payload jsonb not null,
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  delivered_at timestamptz,
  error text,
  created_at timestamptz not null default now()
);
create index outbox_open on outbox (id) where delivered_at is null;

create table audit (
  id bigint generated always as identity primary key,
  workspace_id text not null,
  run_id text,
  actor text not null,
  channel text not null,
  action text not null,
  reason text,
  detail jsonb not null default '{}',
  at timestamptz not null default now()
);

-- Three ledgers per workspace. available + held + spent + expired = granted, available ≥ 0: by constraint.
create table ledger_accounts (
  workspace_id text not null references workspaces (id),
  kind text not null check (kind in ('credits', 'inference', 'queries')),
  granted bigint not null default 0,
  available bigint not null default 0 check (available >= 0),
  held bigint not null default 0 check (held >= 0),
  spent bigint not null default 0 check (spent >= 0),
  expired bigint not null default 0 check (expired >= 0),
  version bigint not null default 0,
  primary key (workspace_id, kind),
  constraint conservation check (available + held + spent + expired = granted)
) with (fillfactor = 50);

create table holds (
  id text primary key,
  workspace_id text not null,
  kind text not null,
  run_id text not null,
  step text not null,
  item text not null,
  decision_id text not null,
  amount bigint not null check (amount >= 0),
  captured bigint,
  state text not null default 'live' check (state in ('live', 'captured', 'voided')),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- The order in which they were taken: of one approval, best rank first.
  n bigint generated always as identity
);
create index holds_run on holds (run_id, kind, state);
create index holds_live on holds (workspace_id, kind, expires_at) where state = 'live';

create table transfers (
  id bigint generated always as identity primary key,
  workspace_id text not null,
  account text not null,
  kind text not null check (kind in ('grant', 'hold', 'capture', 'void', 'expire', 'adjust')),
  amount bigint not null,
  released bigint not null default 0,
  hold_id text references holds (id),
  run_id text,
  key text not null,
  ref text,
  at timestamptz not null default now(),
  unique (workspace_id, account, key)
);
-- A hold is captured or voided exactly once.
create unique index transfers_settle_once on transfers (hold_id) where kind in ('capture', 'void');
create index transfers_run on transfers (run_id);

create function transfers_are_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'transfers are immutable';
end $$;
create trigger transfers_immutable before update or delete on transfers for each row execute function transfers_are_immutable();

-- Every outside call that costs or changes something.
create table effects (
  id text primary key,
  workspace_id text not null,
  provider text not null,
  kind text not null check (kind in ('people_reveal', 'crm_save_companies', 'crm_undo', 'sequence_create_draft')),
  subject text not null,
  key text not null,
  run_id text not null references runs (id),
  step text not null,
  contact_id text,
  hold_id text,
  decision_id text not null,
  plan_version int not null,
  state text not null check (state in ('claimed', 'sent', 'captured', 'voided', 'unconfirmed')),
  lane_id text,
  lane_attempt int,
  sent_at timestamptz,
  reads jsonb not null default '[]',
  next_read_at timestamptz,
  -- The re-send that serves as read-back, to a provider that honours keys: at most one.
  resent_at timestamptz,
  needs_operator boolean not null default false,
  charge_id text,
  result jsonb,
  settled_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, provider, key)
);
create unique index effects_once on effects (workspace_id, provider, kind, subject) where state in ('claimed', 'sent', 'captured', 'unconfirmed');
create index effects_run on effects (run_id, state);
create index effects_open on effects (next_read_at) where state in ('sent', 'unconfirmed');

create table suppressions (
  id text primary key,
  workspace_id text not null references workspaces (id),
  kind text not null check (kind in ('rfc', 'domain', 'person', 'email')),
  hash bytea not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  unique (workspace_id, kind, hash)
);

-- Shared by all lanes and workers: how fast a provider may be asked, and until when it asked us to wait.
create table provider_limits (
  workspace_id text not null,
  provider text not null,
  paused_until timestamptz,
  tokens numeric not null default 0,
  refilled_at timestamptz not null default now(),
  primary key (workspace_id, provider)
);

create table sequences (
  id text primary key,
  run_id text not null references runs (id),
  workspace_id text not null,
  client_key text not null unique,
  decision_id text,
  state text not null default 'draft',
  problems jsonb not null default '[]',
  created_at timestamptz not null default now()
);

-- Violations of conservation per workspace; empty when everything adds up. Called by tests and operators.
create function ledger_violations(ws text default null)
returns table (workspace_id text, account text, problem text, expected bigint, found bigint) language sql stable as $$
  with t as (
    select x.workspace_id, x.account,
      coalesce(sum(amount) filter (where x.kind in ('grant', 'adjust')), 0)::bigint as granted,
      coalesce(sum(amount) filter (where x.kind = 'hold'), 0)::bigint as ever_held,
      coalesce(sum(amount) filter (where x.kind = 'capture'), 0)::bigint as captured,
      coalesce(sum(released) filter (where x.kind in ('capture', 'void')), 0)::bigint as released,
      coalesce(sum(amount) filter (where x.kind = 'expire'), 0)::bigint as expired
    from transfers x where ws is null or x.workspace_id = ws group by 1, 2
  ), h as (
    select holds.workspace_id, holds.kind as account, coalesce(sum(amount) filter (where state = 'live'), 0)::bigint as live
    from holds where ws is null or holds.workspace_id = ws group by 1, 2
  )
  select a.workspace_id, a.kind, p.problem, p.expected, p.found
  from ledger_accounts a
  left join t on t.workspace_id = a.workspace_id and t.account = a.kind
  left join h on h.workspace_id = a.workspace_id and h.account = a.kind
  cross join lateral (values
    ('conservation', a.granted, a.available + a.held + a.spent + a.expired),
    ('granted', coalesce(t.granted, 0), a.granted),
    ('spent', coalesce(t.captured, 0), a.spent),
    ('held', coalesce(h.live, 0), a.held),
    ('held by transfers', coalesce(t.ever_held - t.captured - t.released, 0), a.held),
    ('expired', coalesce(t.expired, 0), a.expired)
  ) as p (problem, expected, found)
  where (ws is null or a.workspace_id = ws) and p.expected <> p.found
$$;
