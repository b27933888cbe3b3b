-- One row: which key the hashes of `suppressions` were made with, as a keyed check value. With another key no entry would be found any more,
-- and nobody would see it.
create table suppression_key (
  one boolean primary key default true check (one),
  check_value bytea not null,
  noted_at timestamptz not null default now()
);
