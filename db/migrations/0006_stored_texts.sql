-- What the provider has of each sequence: its id there, since when, and whether it is the texts as a person corrected and approved them.
-- `left_id`: an earlier sequence that the provider could not be told to replace.
alter table sequences add column stored_id text, add column stored_at timestamptz, add column stored_edited boolean not null default false, add column left_id text;
update sequences s set stored_id = e.result ->> 'sequence_id', stored_at = e.updated_at
from effects e where e.workspace_id = s.workspace_id and e.key = s.client_key and e.kind = 'sequence_create_draft' and e.state = 'captured';

-- The draft's id in what the provider has now; `draft_id` stays the one under which people know it.
alter table contacts add column stored_draft_id text;
update contacts set stored_draft_id = draft_id where draft_id is not null;

-- The run that carries an approval out is found from its campaign.
create index runs_linked on runs (linked_run_id) where linked_run_id is not null;
