-- Where the comparison of runs with their workflows goes on in its next round, whichever process does it: every open run is looked at in turn.
alter table reconciliations add column after_run text not null default '';
create index runs_open_by_id on runs (id) where ended_at is null;
