import type { z } from 'zod';
import type {
  Balances,
  ControlAccepted,
  DecisionList,
  DecisionsRejected,
  DecisionTab,
  Item,
  Missing,
  PlanEstimate,
  ReplanImpact,
  Run,
  RunAccepted,
  RunSummary,
  Sequence,
  Settings,
  Suppression,
  Timeline,
} from '../../contracts/api.js';
import type { CreateRun } from '../../contracts/criteria.js';
import type { Decision, ResolveDecision } from '../../contracts/decision.js';
import type { AuditEntry, Invariants, OpsAction, OpsDone, OpsOverview, OpsRun } from '../../contracts/operations.js';
import type { Receipt } from '../../contracts/receipt.js';
import type { Selection, Thread, ThreadPage, Turn } from '../../contracts/turn.js';
import { newKey, request } from './http.js';

/** The calls of the page, one line each: what is asked, what comes back. Errors are those of `http.ts`. */

export interface Session {
  sub: string;
  workspace: string;
  roles: Array<'seller' | 'approver' | 'operator'>;
  agent: boolean;
  expires_at: string;
  csrf_token: string | null;
}
export interface Page<T> {
  items: T[];
  next: string | null;
}

const at = (strings: TemplateStringsArray, ...ids: string[]): string =>
  strings.reduce((path, part, i) => path + part + (i < ids.length ? encodeURIComponent(ids[i] ?? '') : ''), '');
const query = (params: Record<string, string | number | boolean | null | undefined>): string => {
  const set = Object.entries(params).flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, String(value)]]));
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
};

export const getSession = (): Promise<Session> => request('/v1/session');
export const endSession = (): Promise<void> => request('/v1/session', { method: 'DELETE' });
/** Ends everything that was issued to this person until now: every session, and tokens. */
export const endAllSessions = (): Promise<void> => request('/v1/sessions', { method: 'DELETE' });
/** Logs in with the one-time code of a link, or with a token. */
export const beginSession = (by: { code: string } | { token: string }): Promise<Session> =>
  'code' in by
    ? request('/v1/session', { method: 'POST', body: { code: by.code } })
    : request('/v1/session', { method: 'POST', headers: { authorization: `Bearer ${by.token}` } });

export const getBalances = (): Promise<Balances> => request('/v1/balances');
export const getSettings = (): Promise<Settings> => request('/v1/settings');
export const putSettings = (body: Settings): Promise<Settings> => request('/v1/settings', { method: 'PUT', body, key: newKey() });
export const listSuppressions = (cursor?: string): Promise<{ suppressions: Suppression[]; next_cursor: string | null }> =>
  request(`/v1/suppressions${query({ cursor })}`);

export const listRuns = (
  params: { cursor?: string; state?: string; phase?: 'open' | 'ended' | undefined; limit?: number } = {},
): Promise<{ runs: RunSummary[]; next_cursor: string | null }> => request(`/v1/runs${query(params)}`);
export const getRun = (run: string): Promise<Run> => request(at`/v1/runs/${run}`);
export const getReceipt = (run: string): Promise<Receipt> => request(at`/v1/runs/${run}/receipt`);
export const control = (run: string, what: 'pause' | 'resume' | 'cancel' | 'recheck-balance', key = newKey()): Promise<ControlAccepted> =>
  request(at`/v1/runs/${run}/${what}`, { method: 'POST', key });
export const replan = (run: string, body: unknown, options: { dry: boolean; key?: string }): Promise<ReplanImpact> =>
  request(at`/v1/runs/${run}/replan` + query({ dry_run: options.dry || undefined }), {
    method: 'POST',
    body,
    ...(options.dry ? {} : { key: options.key ?? newKey() }),
  });

export const getDecision = (id: string, full = false): Promise<Decision> =>
  request(at`/v1/decisions/${id}` + query({ full: full || undefined }));
export const resolveDecision = (id: string, body: ResolveDecision, key: string): Promise<Decision> =>
  request(at`/v1/decisions/${id}/resolve`, { method: 'POST', body, key });
export const undoDecision = (id: string, key: string): Promise<Decision> => request(at`/v1/decisions/${id}/undo`, { method: 'POST', key });
export const reopenDecision = (id: string, key: string): Promise<Decision> =>
  request(at`/v1/decisions/${id}/reopen`, { method: 'POST', key });

export const getSequence = (id: string): Promise<Sequence> => request(at`/v1/sequences/${id}`);
/** Has the approved texts stored once more, where the run that was to do it ended without it. */
export const storeSequence = (id: string, key = newKey()): Promise<Sequence> =>
  request(at`/v1/sequences/${id}/store`, { method: 'POST', key });

export const createThread = (key: string): Promise<Thread> => request('/v1/threads', { method: 'POST', body: {}, key });
/** A conversation with its latest turns (at most 100). */
export const getThread = (id: string, turns?: number): Promise<Thread> => request(at`/v1/threads/${id}` + query({ turns }));
/** Says something. The same key is the same turn. */
export const createTurn = (thread: string, message: string, key: string): Promise<Turn> =>
  request(at`/v1/threads/${thread}/turns`, { method: 'POST', body: { message }, key });
export const getTurn = (thread: string, turn: string): Promise<Turn> => request(at`/v1/threads/${thread}/turns/${turn}`);
export const stopTurn = (thread: string, turn: string): Promise<Turn> =>
  request(at`/v1/threads/${thread}/turns/${turn}`, { method: 'DELETE', key: newKey() });
export const listThreads = (cursor?: string): Promise<ThreadPage> => request(`/v1/threads${query({ mine: true, limit: 25, cursor })}`);
export const putSelection = (thread: string, refs: string[]): Promise<Selection> =>
  request(at`/v1/threads/${thread}/selection`, { method: 'PUT', body: { refs }, key: newKey() });

export { at, query };

export type DecisionSort = 'newest' | 'expires' | 'amount';
export const listDecisions = (
  params: { tab?: DecisionTab; sort?: DecisionSort; run_id?: string; cursor?: string | null; limit?: number },
  signal?: AbortSignal,
): Promise<DecisionList> => request(`/v1/decisions${query(params)}`, signal ? { signal } : {});
/** Says no to several cards at once; each has its own result. The key is of exactly these ids and this answer. */
export const rejectDecisions = (
  ids: readonly string[],
  then: 'skip' | 'wait' | 'cancel' | undefined,
  key: string,
): Promise<DecisionsRejected> => request('/v1/decisions/reject', { method: 'POST', body: { ids, ...(then ? { then } : {}) }, key });
export const patchDraft = (
  sequence: string,
  draft: string,
  body: { version: number; subject?: string; body?: string },
  key: string,
): Promise<Sequence> => request(at`/v1/sequences/${sequence}/drafts/${draft}`, { method: 'PATCH', body, key });
export const addSuppressions = (
  entries: Array<{ kind: Suppression['kind']; value: string }>,
  key: string,
): Promise<{ suppressions: Suppression[] }> => request('/v1/suppressions', { method: 'POST', body: { entries }, key });
export const removeSuppression = (id: string, key: string): Promise<void> => request(at`/v1/suppressions/${id}`, { method: 'DELETE', key });

/** A campaign as it is asked for, before what is left out is filled in. */
export type CreateRunBody = z.input<typeof CreateRun>;
/** What a campaign would cost at most; nothing is started. */
export const estimateRun = (body: CreateRunBody): Promise<PlanEstimate> => request('/v1/runs?dry_run=true', { method: 'POST', body });
/** Stores a campaign. Without caps it waits for a tap on its start card; with caps it starts by itself. */
export const createRun = (body: CreateRunBody, key: string): Promise<RunAccepted> => request('/v1/runs', { method: 'POST', body, key });
export const getTimeline = (run: string): Promise<Timeline> => request(at`/v1/runs/${run}/timeline`);
export const getMissing = (run: string): Promise<Missing> => request(at`/v1/runs/${run}/missing`);
export type ItemFilter = { state?: string | undefined; missing?: boolean | undefined; reason?: string | undefined };
export const listRunItems = (
  run: string,
  params: ItemFilter & { cursor?: string | null; limit?: number },
): Promise<{ items: Item[]; next_cursor: string | null }> => request(at`/v1/runs/${run}/items` + query(params));
/** Where the browser downloads a run's accounts from, as a table. */
export const itemsCsv = (run: string, params: ItemFilter = {}): string => at`/v1/runs/${run}/items` + query({ ...params, format: 'csv' });

/** For operators; every action needs a reason and is written down. */
export const getOverview = (): Promise<OpsOverview> => request('/v1/ops/overview');
export const listOpsRuns = (params: {
  state?: string | undefined;
  idle?: boolean | undefined;
  unconfirmed?: boolean | undefined;
  cursor?: string | null;
  limit?: number;
}): Promise<{ runs: OpsRun[]; next_cursor: string | null }> => request(`/v1/ops/runs${query(params)}`);
export type OpsActionName = 'pause' | 'resume' | 'cancel' | 'retry-failed' | 'settle-unconfirmed' | 'repair-projection';
export const opsAct = (run: string, action: OpsActionName, body: OpsAction, key: string): Promise<OpsDone> =>
  request(at`/v1/ops/runs/${run}/${action}`, { method: 'POST', body, key });
export const getInvariants = (): Promise<Invariants> => request('/v1/ops/invariants');
export const listAudit = (params: {
  run_id?: string | undefined;
  ops?: boolean;
  cursor?: string | null;
  limit?: number;
}): Promise<{ entries: AuditEntry[]; next_cursor: string | null }> => request(`/v1/ops/audit${query(params)}`);
