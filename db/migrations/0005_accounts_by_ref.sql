-- Accounts that are named by reference alone are looked up under what earlier campaigns knew of them.
create index accounts_by_ref on accounts (workspace_id, company_ref) where company_ref is not null;
