import type { Balances, Caller, RunSummary } from '../contracts/api.js';
import type { CreateRun } from '../contracts/criteria.js';
import { Refusal } from '../contracts/problem.js';
import type { Progress, RunEvent } from '../contracts/progress.js';
import type { Skill } from '../contracts/states.js';
import { emptyBudget, emptyCounts, emptyPaso, planSteps } from '../workflows/progress.js';
import { ensureLedger, readLedger } from './ledger.js';
import { runWorkflowId, type LockedRun, type RunPrices, type RunRow } from './events.js';
import { canonicalJson, newId, sha256 } from './ids.js';
import { objectiveOf } from './objective.js';
import { refuseDeniedPlan } from './skills.js';
import { read, type Pool, type Tx } from './client.js';
import { decisionView, type DecisionRow } from './decisions/decision.js';
import type { Decision } from '../contracts/decision.js';

/** Makes sure a workspace named by a verified token exists. */
export const ensureWorkspace = async (tx: Tx, workspace: string): Promise<void> => {
  await tx.q(`insert into workspaces (id) values ($1) on conflict do nothing`, [workspace]);
  await ensureLedger(tx, workspace);
};

/** Remembers what the provider's own reading said of itself. */
export const noteProvider = async (
  tx: Tx,
  workspace: string,
  reading: { provider: string; topup_url: string | null; read_at: string; honours_idempotency_keys: boolean },
): Promise<void> => {
  await tx.q(`update workspaces set provider = $2, topup_url = $3, read_at = $4, honours_keys = $5 where id = $1`, [
    workspace,
    reading.provider,
    reading.topup_url,
    reading.read_at,
    reading.honours_idempotency_keys,
  ]);
};

/** Puts the provider's prices on a run; cards are computed from them. */
export const setPrices = async (run: LockedRun, prices: RunPrices): Promise<void> => {
  await run.tx.q(`update runs set prices = $2 where id = $1`, [run.id, JSON.stringify(prices)]);
  run.row.prices = prices;
};

export interface Remembered {
  status: number;
  response: unknown;
}

/**
 * Looks an idempotency key up and reserves it in this transaction; a concurrent request with the same key waits here.
 * @returns the stored answer of an earlier request with the same body, or null: then answer and `rememberAnswer`.
 * @throws Refusal 422 `key_reused` when the key came with another body.
 */
export const reserveKey = async (tx: Tx, workspace: string, key: string, route: string, body: unknown): Promise<Remembered | null> => {
  const hash = sha256(canonicalJson({ route, body: body ?? null }));
  const inserted = await tx.q(
    `insert into idempotency_keys (workspace_id, key, route, body_hash) values ($1, $2, $3, $4) on conflict do nothing returning key`,
    [workspace, key, route, hash],
  );
  if (inserted.length > 0) return null;
  const [row] = await tx.q<{ body_hash: string; status: number | null; response: unknown }>(
    `select body_hash, status, response from idempotency_keys where workspace_id = $1 and key = $2 for update`,
    [workspace, key],
  );
  if (!row) return null;
  if (row.body_hash !== hash) throw new Refusal(422, 'key_reused', {});
  return row.status === null ? null : { status: row.status, response: row.response };
};
export const rememberAnswer = async (tx: Tx, workspace: string, key: string, status: number, response: unknown): Promise<void> => {
  await tx.q(`update idempotency_keys set status = $3, response = $4 where workspace_id = $1 and key = $2`, [
    workspace,
    key,
    status,
    JSON.stringify(response),
  ]);
};

/** A refused change is not remembered: the same key may try again once the person has seen why. */
export const forgetKey = async (tx: Tx, workspace: string, key: string): Promise<void> => {
  await tx.q(`delete from idempotency_keys where workspace_id = $1 and key = $2`, [workspace, key]);
};

/**
 * Stores a new run with its first event and the outbox row that starts its workflow, in the caller's transaction: the run is
 * durable before anybody is told. @returns the first progress body.
 */
export const createRun = async (
  tx: Tx,
  caller: Caller,
  body: CreateRun,
  options: { recipe?: Skill; linked?: string } = {},
): Promise<Progress> => {
  if (body.desde !== 's1' && !body.accounts?.length) throw new Refusal(422, 'accounts_missing', { desde: body.desde });
  if (body.accounts && body.desde === 's1') throw new Refusal(422, 'accounts_not_needed', { desde: body.desde });
  if (body.accounts && new Set(body.accounts.map((a) => a.ref)).size !== body.accounts.length)
    throw new Refusal(422, 'accounts_repeated', {});
  const steps = planSteps(body.desde, body.hasta);
  if (steps.filter((s) => s !== 's0' && s !== 's6').length === 0)
    throw new Refusal(422, 'plan_empty', { desde: body.desde, hasta: body.hasta });
  const cuentas = body.accounts ? Math.min(body.accounts.length, body.cuentas) : body.cuentas;
  const recipe = options.recipe ?? 'campana';
  await refuseDeniedPlan(tx, caller.workspace, { recipe, desde: body.desde, hasta: body.hasta });
  const id = newId('run');
  const at = new Date().toISOString();
  const progress: Progress = {
    run_id: id,
    version: 1,
    plan_version: 1,
    state: 'ready',
    reason: { code: 'reading_prices', params: {} },
    objetivo: body.objetivo ?? objectiveOf(body.cuentas, body.criteria),
    mode: body.modo,
    last_progress_at: at,
    poll_after_ms: 1000,
    counts: emptyCounts(cuentas),
    pasos: steps.map(emptyPaso),
    budget: emptyBudget({ credits: 0, queries: 0 }),
    decisions: [],
    contacts: { captured: 0, drafted: 0, unconfirmed: 0 },
    links: { self: `/v1/runs/${id}` },
  };
  await ensureWorkspace(tx, caller.workspace);
  await tx.q(
    `insert into runs (id, workspace_id, recipe, linked_run_id, objetivo, criteria, cuentas, desde, hasta, given, mode, caps, state, workflow_id, created_by, channel)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'ready', $13, $14, $15)`,
    [
      id,
      caller.workspace,
      recipe,
      options.linked ?? null,
      progress.objetivo,
      JSON.stringify(body.criteria),
      cuentas,
      body.desde,
      body.hasta,
      body.accounts ? JSON.stringify(body.accounts.slice(0, cuentas)) : null,
      body.modo,
      body.caps ? JSON.stringify(body.caps) : null,
      runWorkflowId(caller.workspace, id, recipe),
      caller.sub,
      caller.channel,
    ],
  );
  await tx.q(`insert into run_progress (run_id, workspace_id, version, body) values ($1, $2, 1, $3)`, [
    id,
    caller.workspace,
    JSON.stringify(progress),
  ]);
  await tx.q(
    `insert into run_events (run_id, version, workspace_id, kind, params, patch, at) values ($1, 1, $2, 'run.created', '{}', $3, $4)`,
    [id, caller.workspace, JSON.stringify(progress), at],
  );
  await tx.q(`insert into outbox (workspace_id, run_id, kind, workflow_id, payload) values ($1, $2, 'start', $3, $4)`, [
    caller.workspace,
    id,
    runWorkflowId(caller.workspace, id, recipe),
    JSON.stringify({ workflow_type: recipe, cuentas }),
  ]);
  await tx.q(`select pg_notify('campana_outbox', '')`);
  await tx.q(`select pg_notify('campana_runs', $1)`, [`${caller.workspace} ${id} 1`]);
  return progress;
};

export const findRun = async (tx: Tx, workspace: string, id: string): Promise<RunRow> => {
  const [row] = await tx.q<RunRow>(`select * from runs where id = $1 and workspace_id = $2`, [id, workspace]);
  if (!row) throw new Refusal(404, 'run_not_found', { run_id: id });
  return row;
};

/** The progress bodies of several runs in one statement; runs of other workspaces are as good as missing. */
export const readProgress = async (pool: Pool, ids: Array<{ workspace: string; run: string }>): Promise<Array<Progress | null>> => {
  const rows = await read(pool).q<{ run_id: string; workspace_id: string; body: Progress }>(
    `select run_id, workspace_id, body from run_progress where run_id = any($1)`,
    [ids.map((i) => i.run)],
  );
  const found = new Map(rows.map((r) => [r.run_id, r]));
  return ids.map(({ workspace, run }) => {
    const row = found.get(run);
    return row && row.workspace_id === workspace ? row.body : null;
  });
};

/** Runs of a workspace, newest first; with `open`, only those that are not over (false: only those that are). */
export const listRuns = async (
  pool: Pool,
  workspace: string,
  options: { limit: number; before?: string; state?: string; open?: boolean },
): Promise<{ runs: RunSummary[]; next_cursor: string | null }> => {
  const rows = await read(pool).q<{ id: string; recipe: string; created_at: string; body: Progress }>(
    `select r.id, r.recipe, r.created_at, p.body from runs r join run_progress p on p.run_id = r.id
     where r.workspace_id = $1 and ($2::text is null or r.id < $2) and ($3::text is null or r.state = $3) and ($5::boolean is null or $5 = (r.ended_at is null)) order by r.id desc limit $4`,
    [workspace, options.before ?? null, options.state ?? null, options.limit + 1, options.open ?? null],
  );
  const page = rows.slice(0, options.limit);
  return {
    runs: page.map(({ id, recipe, created_at, body }) => ({
      run_id: id,
      objetivo: body.objetivo,
      recipe,
      state: body.state,
      reason: body.reason,
      version: body.version,
      plan_version: body.plan_version,
      counts: body.counts,
      created_at,
      last_progress_at: body.last_progress_at,
      decisions: body.decisions,
    })),
    next_cursor: rows.length > options.limit ? (page.at(-1)?.id ?? null) : null,
  };
};

/** The way out of each reason an account can be missing for, as a catalog code. */
const EXITS: Record<string, string> = {
  no_candidates: 'exit.change_role',
  no_role_match: 'exit.change_role',
  no_company: 'exit.widen_search',
  suppressed: 'exit.review_suppressions',
  queries_limit: 'exit.raise_queries',
  credits_limit: 'exit.top_up',
  not_chosen: 'exit.new_campaign',
  replanned: 'exit.new_campaign',
  canceled: 'exit.new_campaign',
  search_failed: 'exit.retry_failed',
  queries_lost: 'exit.raise_queries',
  unconfirmed: 'exit.wait_or_operator',
  reveal_failed: 'exit.retry_failed',
  declined_skip: 'exit.new_campaign',
  email_suppressed: 'exit.review_suppressions',
  draft_failed: 'exit.retry_failed',
  balance_lost: 'exit.top_up',
  terminated: 'exit.new_campaign',
  not_available: 'exit.change_role',
  run_failed: 'exit.new_campaign',
  not_approved: 'exit.new_campaign',
  not_reached: 'exit.new_campaign',
  in_other_campaign: 'exit.other_campaign',
  same_person: 'exit.new_campaign',
  price_changed: 'exit.new_campaign',
  no_companies: 'exit.widen_search',
  quoted: 'exit.new_campaign',
  voided: 'exit.new_campaign',
};

/** The way out of a reason: what only an open run can do again is a new campaign's once it is over. */
export const exitOf = (code: string, final: boolean): string | null => {
  const exit = EXITS[code] ?? null;
  return exit === 'exit.retry_failed' && final ? 'exit.new_campaign' : exit;
};

export const listDecisions = async (
  pool: Pool,
  workspace: string,
  options: { run?: string; state?: string; limit: number; before?: string },
): Promise<{ decisions: Decision[]; next_cursor: string | null }> => {
  const rows = await read(pool).q<DecisionRow>(
    `select * from decisions where workspace_id = $1 and ($2::text is null or run_id = $2) and ($3::text is null or state = $3) and ($4::text is null or id < $4) order by id desc limit $5`,
    [workspace, options.run ?? null, options.state ?? null, options.before ?? null, options.limit + 1],
  );
  const page = rows.slice(0, options.limit);
  return { decisions: page.map((r) => decisionView(r)), next_cursor: rows.length > options.limit ? (page.at(-1)?.id ?? null) : null };
};

export const readBalances = async (pool: Pool, workspace: string): Promise<Balances> => {
  const ledger = await readLedger(read(pool), workspace);
  const [ws] = await read(pool).q<{ read_at: string | null; topup_url: string | null }>(
    `select read_at, topup_url from workspaces where id = $1`,
    [workspace],
  );
  const line = (k: keyof typeof ledger) => ({
    granted: ledger[k].granted,
    available: ledger[k].available,
    held: ledger[k].held,
    spent: ledger[k].spent,
    expired: ledger[k].expired,
  });
  return {
    version: ledger.credits.version + ledger.queries.version + ledger.inference.version,
    credits: line('credits'),
    queries: line('queries'),
    inference: line('inference'),
    read_at: ws?.read_at ?? null,
    topup_url: ws?.topup_url ?? null,
  };
};

/** Events of a workspace's runs after a point, for SSE with `Last-Event-ID` (`<run>:<version>`). */
export const eventsAfter = async (pool: Pool, workspace: string, run: string, version: number, limit = 200): Promise<RunEvent[]> =>
  read(pool).q<RunEvent>(
    `select version, kind, params, patch, at from run_events where workspace_id = $1 and run_id = $2 and version > $3 order by version limit $4`,
    [workspace, run, version, limit],
  );

export const workspaceLanguage = async (pool: Pool, workspace: string): Promise<'es-MX' | 'en'> => {
  const [row] = await read(pool).q<{ language: string }>(`select language from workspaces where id = $1`, [workspace]);
  return row?.language === 'en' ? 'en' : 'es-MX';
};
