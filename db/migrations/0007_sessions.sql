-- Sessions of the page, codes that open one, and people who left all their devices. Nothing here is a secret that could be used: of cookies and
-- codes there is only a SHA-256 hash, and tokens are not kept at all.

create table page_sessions (
  hash text primary key,
  workspace_id text not null,
  sub text not null,
  roles text[] not null,
  agent boolean not null,
  -- When the token behind it was issued: whoever leaves everywhere ends what was issued until then.
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- Kept until it would have expired, so that every process knows that it was ended.
  ended_at timestamptz
);
create index page_sessions_person on page_sessions (workspace_id, sub, created_at);
create index page_sessions_expired on page_sessions (expires_at);
create index page_sessions_ended on page_sessions (expires_at) where ended_at is not null;

create table left_everywhere (
  workspace_id text not null,
  sub text not null,
  -- What was issued until this moment is worth nothing; after `until` all of it has expired by itself.
  before timestamptz not null,
  until timestamptz not null,
  primary key (workspace_id, sub)
);

create table login_codes (
  hash text primary key,
  workspace_id text not null,
  sub text not null,
  roles text[] not null,
  agent boolean not null,
  issued_at timestamptz not null,
  -- Of the session that it opens, and of the code.
  session_expires_at timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index login_codes_person on login_codes (workspace_id, sub);
