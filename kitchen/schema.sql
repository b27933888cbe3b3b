-- The tool server's own database. Run at every start under an advisory lock; every statement may be repeated.

-- Sample data: immutable once loaded, read into memory at start.
CREATE TABLE IF NOT EXISTS sample_sets (name text PRIMARY KEY, digest text NOT NULL, rows integer NOT NULL, loaded_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS companies (
  pos integer PRIMARY KEY, company_id text NOT NULL, name text NOT NULL, rfc text, domain text, activity text NOT NULL, state text NOT NULL,
  size text NOT NULL, supplier_id text, sanctioned boolean NOT NULL
);
CREATE TABLE IF NOT EXISTS people (
  pos integer PRIMARY KEY, person_id text NOT NULL, company_id text NOT NULL, name text NOT NULL, email text NOT NULL, phone text,
  title text NOT NULL, area text NOT NULL, seniority text NOT NULL, seen_days integer NOT NULL
);
CREATE TABLE IF NOT EXISTS awards (
  pos integer PRIMARY KEY, award_id text NOT NULL, supplier_id text NOT NULL, buyer text NOT NULL, product text NOT NULL, activity text NOT NULL,
  state text NOT NULL, amount_mxn integer NOT NULL, awarded_on date NOT NULL, procedure text NOT NULL
);
CREATE TABLE IF NOT EXISTS opportunities (
  pos integer PRIMARY KEY, opportunity_id text NOT NULL, title text NOT NULL, buyer text NOT NULL, product text NOT NULL, activity text NOT NULL,
  state text NOT NULL, published_days integer NOT NULL, deadline_days integer NOT NULL, outcome text NOT NULL, participation text NOT NULL
);
CREATE TABLE IF NOT EXISTS topics (
  pos integer PRIMARY KEY, topic_id text NOT NULL, title text NOT NULL, summary text NOT NULL, body text NOT NULL, updated_on date NOT NULL
);

-- What moves: one row per workspace with its balances and prices.
CREATE TABLE IF NOT EXISTS workspaces (
  workspace text PRIMARY KEY,
  credits integer NOT NULL CHECK (credits >= 0),
  queries integer NOT NULL CHECK (queries >= 0),
  inference integer NOT NULL CHECK (inference >= 0),
  price_min integer NOT NULL DEFAULT 1 CHECK (price_min >= 0),
  price_max integer NOT NULL DEFAULT 1 CHECK (price_max >= price_min),
  honours_keys boolean NOT NULL DEFAULT true,
  mailbox boolean NOT NULL DEFAULT true
);

-- The effect log: one row for every charge, never changed.
CREATE TABLE IF NOT EXISTS charges (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, workspace text NOT NULL, kind text NOT NULL CHECK (kind IN ('queries', 'credits')),
  tool text NOT NULL, target text NOT NULL, key text, amount integer NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX IF NOT EXISTS charges_by_workspace ON charges (workspace, id);
CREATE TABLE IF NOT EXISTS acquired (
  workspace text NOT NULL, person_id text NOT NULL, charge_id bigint NOT NULL, key text, credits integer NOT NULL,
  acquired_at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (workspace, person_id)
);
-- First results by idempotency key; filled only for workspaces whose keys are honoured.
CREATE TABLE IF NOT EXISTS reveal_keys (
  workspace text NOT NULL, key text NOT NULL, person_id text NOT NULL, charge_id bigint NOT NULL, credits integer NOT NULL,
  PRIMARY KEY (workspace, key)
);

CREATE TABLE IF NOT EXISTS crm_saves (
  workspace text NOT NULL, client_key text NOT NULL, undo_token text NOT NULL UNIQUE, collection text NOT NULL, saved integer NOT NULL,
  already_there integer NOT NULL, saved_at timestamptz NOT NULL DEFAULT clock_timestamp(), undo_until timestamptz NOT NULL, removed integer,
  PRIMARY KEY (workspace, client_key)
);
CREATE TABLE IF NOT EXISTS crm_records (
  pos bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, workspace text NOT NULL, collection text NOT NULL, company_id text NOT NULL, name text NOT NULL,
  rfc text, domain text, stage text NOT NULL, fields jsonb NOT NULL DEFAULT '{}', undo_token text, version integer NOT NULL DEFAULT 1,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(), UNIQUE (workspace, collection, company_id)
);
CREATE INDEX IF NOT EXISTS crm_records_by_token ON crm_records (undo_token) WHERE undo_token IS NOT NULL;

CREATE TABLE IF NOT EXISTS sequences (
  workspace text NOT NULL, client_key text NOT NULL, sequence_id text NOT NULL UNIQUE, name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (workspace, client_key)
);
ALTER TABLE sequences ADD COLUMN IF NOT EXISTS replaced_by text;
CREATE TABLE IF NOT EXISTS drafts (
  sequence_id text NOT NULL REFERENCES sequences (sequence_id) ON DELETE CASCADE, place integer NOT NULL, draft_id text NOT NULL, person_id text NOT NULL,
  subject text NOT NULL, body text NOT NULL, PRIMARY KEY (sequence_id, place)
);

-- Every call received while the control endpoint is on; written in groups.
CREATE TABLE IF NOT EXISTS calls (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, workspace text NOT NULL, tool text NOT NULL, args_hash text NOT NULL, target text, key text,
  outcome text NOT NULL, delivery text NOT NULL, at timestamptz NOT NULL, ms integer NOT NULL
);
CREATE INDEX IF NOT EXISTS calls_by_workspace ON calls (workspace, id);

-- One reveal, whole: the charge, the balance and the acquired row commit together or not at all. The lock on the workspace row
-- makes two calls for the same person or the same key wait for each other.
CREATE OR REPLACE FUNCTION reveal(p_workspace text, p_person text, p_key text, p_price integer, p_max integer)
RETURNS TABLE (code text, charge_id bigint, credits integer, acquired_at timestamptz, balance integer) LANGUAGE plpgsql AS $$
DECLARE
  w workspaces; k reveal_keys; a acquired; new_charge bigint;
BEGIN
  SELECT * INTO w FROM workspaces WHERE workspace = p_workspace FOR UPDATE;
  SELECT * INTO a FROM acquired x WHERE x.workspace = p_workspace AND x.person_id = p_person;
  IF w.honours_keys THEN
    SELECT * INTO k FROM reveal_keys x WHERE x.workspace = p_workspace AND x.key = p_key;
    IF k.key IS NOT NULL AND k.person_id <> p_person THEN
      RETURN QUERY SELECT 'idempotency_key_reused', NULL::bigint, 0, NULL::timestamptz, w.credits; RETURN;
    ELSIF k.key IS NOT NULL THEN
      RETURN QUERY SELECT 'ok', k.charge_id, k.credits, a.acquired_at, w.credits; RETURN;
    ELSIF a.person_id IS NOT NULL THEN
      RETURN QUERY SELECT 'ok', a.charge_id, 0, a.acquired_at, w.credits; RETURN;
    END IF;
  END IF;
  IF p_price > p_max THEN
    RETURN QUERY SELECT 'price_changed', NULL::bigint, p_price, NULL::timestamptz, w.credits; RETURN;
  ELSIF w.credits < p_price THEN
    RETURN QUERY SELECT 'insufficient_credits', NULL::bigint, p_price, NULL::timestamptz, w.credits; RETURN;
  END IF;
  UPDATE workspaces x SET credits = x.credits - p_price WHERE x.workspace = p_workspace;
  INSERT INTO charges (workspace, kind, tool, target, key, amount) VALUES (p_workspace, 'credits', 'people_reveal', p_person, p_key, p_price) RETURNING id INTO new_charge;
  -- A provider that ignores keys charges again here; it still owns the contact since the first time.
  INSERT INTO acquired AS x (workspace, person_id, charge_id, key, credits)
    VALUES (p_workspace, p_person, new_charge, CASE WHEN w.honours_keys THEN p_key END, p_price)
    ON CONFLICT (workspace, person_id) DO NOTHING;
  IF w.honours_keys THEN
    INSERT INTO reveal_keys (workspace, key, person_id, charge_id, credits) VALUES (p_workspace, p_key, p_person, new_charge, p_price);
  END IF;
  RETURN QUERY SELECT 'ok', new_charge, p_price, (SELECT x.acquired_at FROM acquired x WHERE x.workspace = p_workspace AND x.person_id = p_person), w.credits - p_price;
END $$;
